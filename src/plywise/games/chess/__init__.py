"""Chess: the rules, a position as a value, and its texts."""

from __future__ import annotations

from plywise.games.chess.board import Position
from plywise.games.chess.chess import Chess

__all__ = ["Chess", "Position"]
