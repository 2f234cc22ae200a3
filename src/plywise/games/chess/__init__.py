"""Chess: the rules, positions as values, and their texts."""

from __future__ import annotations

from plywise.games.chess.board import Position
from plywise.games.chess.chess import Chess

__all__ = ["Chess", "Position"]
