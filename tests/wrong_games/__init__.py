"""Games with one mistake each.  RULE names the rule that a game breaks, the only one that `check` may report."""
