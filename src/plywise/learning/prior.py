"""Weights before learning: round numbers that chess players agree on, in centipawns.

Tuning starts from them, and stays near them where there is little data, as for positions that good players avoid.
"""

from __future__ import annotations

import numpy as np

from plywise.games.chess import features as f

VALUES = ((80, 100), (320, 310), (330, 320), (470, 540), (960, 980))
"""The value of each man, pawn to queen, in the middlegame and in the endgame."""

CENTRAL = ((4, 0), (9, 8), (6, 5), (3, 0), (2, 6), (-12, 12))
"""The value of a step towards the centre, for pawn to king."""
FORWARD = ((2, 4), (5, 2), (2, 1), (1, 2), (1, 4), (-14, 4))
"""The value of a step up the board, for pawn to king."""

MOBILE = ((7, 6), (6, 6), (3, 7), (2, 5))
"""The value of one more square to a knight, bishop, rook or queen, near its usual mobility."""
USUAL_MOBILITY = (4, 6, 7, 13)

PASSED_WORTH = ((0, 0), (0, 10), (2, 15), (8, 30), (25, 60), (60, 110), (100, 170), (0, 0))
"""The value of a passed pawn on each rank."""


def prior_weights() -> np.ndarray:
    """Return two weights for every feature: for the middlegame and for the endgame."""
    weights = np.zeros((f.FEATURES, 2))
    _set_squares(weights)
    for kind, (step, usual) in enumerate(zip(MOBILE, USUAL_MOBILITY, strict=True)):
        for squares in range(f.MOST_MOBILITY[kind] + 1):
            gain = np.sqrt(squares + 1) - np.sqrt(usual + 1)
            weights[f.MOBILITY[kind] + squares] = gain * 2 * np.sqrt(usual + 1) * np.array(step)
    _set_pawns(weights)
    for place, values in {
        f.TEMPO: (20, 15),
        f.BISHOP_PAIR: (30, 50), f.BISHOP_PAWNS: (-2, -5),
        f.OUTPOST: (10, 5), f.OUTPOST + 1: (30, 15), f.OUTPOST + 2: (8, 3), f.OUTPOST + 3: (25, 8),
        f.SHIELDED: (7, 2), f.SHIELDED + 1: (7, 2),
        f.ROOK_FILE: (15, 5), f.ROOK_FILE + 1: (35, 15), f.ROOK_SEVENTH: (10, 25),
        f.THREAT_PUSH: (15, 10), f.THREAT_KING: (10, 30), f.HANGING: (25, 15), f.RESTRICTED: (2, 2),
        f.KING_ZONE: (1, 0), f.KING_WEAK: (4, 0),
        f.BARE_KING: (0, 20), f.BARE_KING + 1: (0, 25),
    }.items():  # fmt: skip
        weights[place] = values
    for kind, threat in enumerate(((50, 30), (50, 30), (65, 35), (65, 35))):
        weights[f.THREAT_PAWN + kind] = threat
    for kind, threat in enumerate(((2, 10), (20, 20), (25, 20), (35, 35), (35, 50))):
        weights[f.THREAT_MINOR + kind] = threat
        weights[f.THREAT_ROOK + kind] = threat if kind != 3 else (0, 15)
    danger = np.arange(f.MOST_DANGER + 1)
    weights[f.KING_DANGER : f.KING_DANGER + len(danger)] = np.outer(danger**2, (0.3, 0)) + np.outer(danger, (0, 0.7))
    return weights


def _set_squares(weights: np.ndarray) -> None:
    file, rank = np.arange(64) & 7, np.arange(64) >> 3
    central = np.minimum(np.minimum(file, 7 - file), 3) + np.minimum(rank, 7 - rank) - 3
    weights[f.MATERIAL : f.MATERIAL + len(VALUES)] = VALUES
    for kind in range(len(f.MEN)):
        table = np.outer(central, CENTRAL[kind]) + np.outer(rank - 2, FORWARD[kind])
        for wing in range(2):
            first = f.SQUARE + 64 * (6 * wing + kind)
            weights[first : first + 64] = table


def _set_pawns(weights: np.ndarray) -> None:
    for rank, (middlegame, endgame) in enumerate(PASSED_WORTH):
        weights[f.PASSED + rank] = middlegame / 2, endgame / 2
        weights[f.PASSED_BLOCKED + rank] = -middlegame / 4, -endgame / 4
        weights[f.PASSED_STOP_ATTACKED + rank] = -middlegame / 8, -endgame / 8
        weights[f.PASSED_STOP_DEFENDED + rank] = middlegame / 8, endgame / 8
        weights[f.PASSED_WAY_SAFE + rank] = middlegame / 3, endgame / 3
        for phalanx in range(2):
            for supporters in range(3):
                for opposed in range(2):
                    joined = (
                        (7 * phalanx + 6 * min(supporters, 1) + 2 * supporters) * (1 + rank / 4) * (1 - opposed / 3)
                    )
                    place = f.PAWN + 12 * rank + 6 * phalanx + 2 * supporters + opposed
                    weights[place] = joined, joined * max(rank - 2, 0) / 4
    for opposed in range(2):
        weights[f.ISOLATED + opposed] = -14 + 7 * opposed, -16 + 6 * opposed
        weights[f.BACKWARD + opposed] = -14 + 7 * opposed, -14 + 4 * opposed
        weights[f.DOUBLED + opposed] = -8, -22
    for distance in range(8):
        weights[f.PASSED_OWN_KING + distance] = 0, -3 * min(distance, 5)
        weights[f.PASSED_THEIR_KING + distance] = 0, 5 * min(distance, 5)
    weights[f.PASSED_ROOK_BEHIND] = 5, 15
    weights[f.PASSED_ROOK_BEHIND + 1] = -5, -15
    weights[f.PASSED_UNSTOPPABLE] = 0, 350
    for edge in range(4):
        for rank in range(8):
            weights[f.SHELTER + 8 * edge + rank] = (30 - 8 * (rank - 1) if rank else -15), 0
            storm = -max(0, 40 - 10 * (rank - 1)) if rank else -5
            weights[f.STORM + 8 * edge + rank] = storm, 0
            weights[f.STORM + 32 + 8 * edge + rank] = storm / 4, 0
