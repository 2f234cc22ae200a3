"""Studies of a game and its searches: checks, comparisons, growth, and analysis of many positions."""
