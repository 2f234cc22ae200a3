"""Input checks: positions, limits and games with chance.  Whatever passes them is not checked again."""
