"""Texts, files and processes: what plywise reads from outside and writes there.  Nothing here knows a game."""
