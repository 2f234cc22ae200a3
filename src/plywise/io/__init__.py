"""Texts, files and processes.  Nothing here knows about games."""
