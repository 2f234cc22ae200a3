"""Games with one mistake each.  RULE names the rule that they break, and the only one that `check` may report."""
