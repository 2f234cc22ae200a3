"""Games as a newcomer would write them after README.md and docs/games.md; ``test_own_games.py`` tests each."""
