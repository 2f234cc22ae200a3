"""Backgammon: the rules, positions as values, and their texts."""

from __future__ import annotations

from plywise.games.backgammon.backgammon import Backgammon
from plywise.games.backgammon.position import Men, Position

__all__ = ["Backgammon", "Men", "Position"]
