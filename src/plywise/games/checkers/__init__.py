"""Checkers: the rules, positions as values, and their texts."""

from __future__ import annotations

from plywise.games.checkers.board import Position
from plywise.games.checkers.checkers import Checkers

__all__ = ["Checkers", "Position"]
