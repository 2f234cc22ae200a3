"""What can be learned about a game and its searches: checks, comparisons, growth, and analysis of many positions."""
