"""The production search on the same contract: what the textbook teaches, at full strength."""
