"""Matches: two bots play many games of any kind, to find out which is stronger."""
