"""Two simple evaluations of chess, in centipawns: the share of the material, and material and squares by hand.

With them, a match shows what the weights and features of ``Evaluation`` are worth.  Both look at each player's men from
that player's side, so that pawns go up.
"""

from __future__ import annotations

from plywise.bits import popcount
from plywise.games.chess.board import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from plywise.games.chess.evaluation import RANK_7, VALUES, Seen

ALL = 8000
"""The worth of all the material: that of the men at the start.  So a pawn more, with all others there, is about 100."""

CENTRE = (0x007E7E7E7E7E7E00, 0x00003C3C3C3C0000, 0x0000001818000000)
"""The middle of the board: 6 by 6 squares, 4 by 4, and 2 by 2."""
ADVANCED = (0xFFFFFF << 32, 0xFFFF << 40, RANK_7)
"""The ranks from the fifth, from the sixth, and the seventh."""
CASTLED = 0b11000111
"""Where a king is safe: files a to c, g and h of its first rank."""

PAWN_STEP, KNIGHT_STEP, SLIDER_STEP, KING_STEP = 6, 12, 5, 15
"""For each step towards the centre; a king goes there only if the other player has no queen."""
ADVANCE = 15
"""For each rank that a pawn has gone beyond the fourth."""
SEVENTH = 20
"""For a rook or queen on the seventh rank."""
SAFETY = 30
"""For a king that is safe from a queen."""


def share(white: Seen, black: Seen) -> int:
    """Return by how much White's share of the material exceeds Black's."""
    own, their = material(white), material(black)
    total = max(1, own + their)
    return ALL * own // total - ALL * their // total


def squares(view: Seen) -> int:
    """Return what a player's men are worth where they stand."""
    pawns, king, queens = view.own & view.pawns, view.own & view.kings, view.diagonal & view.straight
    total = material(view) + PAWN_STEP * steps(pawns, CENTRE) + ADVANCE * steps(pawns, ADVANCED)
    total += KNIGHT_STEP * steps(view.own & view.knights, CENTRE)
    total += SLIDER_STEP * steps(view.own & view.diagonal, CENTRE)
    total += SEVENTH * popcount(view.own & view.straight & RANK_7)
    if view.their & queens:
        return total + SAFETY * popcount(king & CASTLED) - KING_STEP * steps(king, CENTRE)
    return total + KING_STEP * steps(king, CENTRE)


def material(view: Seen) -> int:
    """Return what a player's men are worth anywhere.  A queen counts as a bishop, a rook, and the rest."""
    return (
        VALUES[PAWN] * popcount(view.own & view.pawns)
        + VALUES[KNIGHT] * popcount(view.own & view.knights)
        + VALUES[BISHOP] * popcount(view.own & view.diagonal)
        + VALUES[ROOK] * popcount(view.own & view.straight)
        + (VALUES[QUEEN] - VALUES[BISHOP] - VALUES[ROOK]) * popcount(view.own & view.diagonal & view.straight)
    )


def steps(men: int, boards: tuple[int, int, int]) -> int:
    """Return how many of three boards, each within the one before, the men stand on, all men together."""
    return popcount(men & boards[0]) + popcount(men & boards[1]) + popcount(men & boards[2])
