"""What a position is worth in centipawns, for White: the material."""

from __future__ import annotations

from plywise.bits import popcount
from plywise.games.chess.board import BISHOP, KNIGHT, PAWN, QUEEN, ROOK, Position
from plywise.native import inlined

VALUES = (0, 100, 320, 330, 500, 0, 0, 900)
"""Centipawns by the kind of piece.  A king is never exchanged."""


@inlined
def material(state: Position) -> int:
    """Return White's material minus Black's."""
    return side_material(state, state.white) - side_material(state, state.black)


@inlined
def side_material(state: Position, own: int) -> int:
    """Return the material of the player whose men these are.  A queen counts as a bishop, a rook, and the rest."""
    return (
        VALUES[PAWN] * popcount(own & state.pawns)
        + VALUES[KNIGHT] * popcount(own & state.knights)
        + VALUES[BISHOP] * popcount(own & state.diagonal)
        + VALUES[ROOK] * popcount(own & state.straight)
        + (VALUES[QUEEN] - VALUES[BISHOP] - VALUES[ROOK]) * popcount(own & state.diagonal & state.straight)
    )
