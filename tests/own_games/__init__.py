"""Games as a newcomer writes them who has read README.md and docs/games.md; ``test_own_games.py`` tries each."""
