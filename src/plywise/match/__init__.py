"""Matches: two bots, any game, many games, and what they say about who is stronger."""
