"""Checks on the way in: positions, limits and games with chance.  What comes past them is not checked again."""
