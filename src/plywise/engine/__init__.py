"""The production search: the textbook's ideas at full strength, for the same games."""
