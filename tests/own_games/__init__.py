"""Games as a newcomer writes them who has read the README and docs/games.md; test_own_games.py takes each through everything."""
