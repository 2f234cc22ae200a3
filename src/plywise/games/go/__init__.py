"""Go: the rules, positions as values, and their texts."""

from __future__ import annotations

from plywise.games.go.go import Go, Stones

__all__ = ["Go", "Stones"]
