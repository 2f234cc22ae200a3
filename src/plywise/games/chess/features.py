"""The features of the evaluation: each has a name, a place in the array of weights, and two weights.

Features come in groups, which are tables with one or more indices.  A group is declared once, here; the evaluation uses
its first place as a constant, the file of weights and the tuning use its name and its labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Group(NamedTuple):
    """A table of features."""

    name: str
    first: int
    """The place of its first feature."""
    labels: tuple[tuple[str, ...], ...]
    """The labels of the rows, of the columns, and so on; empty for a single feature."""

    @property
    def size(self) -> int:
        """How many features it has."""
        size = 1
        for axis in self.labels:
            size *= len(axis)
        return size


GROUPS: list[Group] = []
"""All groups, in the order of their places."""


def group(name: str, *labels: Sequence[str]) -> int:
    """Declare a group and return the place of its first feature."""
    first = count()
    GROUPS.append(Group(name, first, tuple(map(tuple, labels))))
    return first


def count() -> int:
    """Return how many features have been declared."""
    return GROUPS[-1].first + GROUPS[-1].size if GROUPS else 0


def numbers(size: int) -> tuple[str, ...]:
    """Return labels for a table that is indexed by a count."""
    return tuple(map(str, range(size)))


PIECE_NAMES = ("knight", "bishop", "rook", "queen")
MEN = ("pawn", *PIECE_NAMES, "king")
RANKS = ("rank1", "rank2", "rank3", "rank4", "rank5", "rank6", "rank7", "rank8")
FILE_PAIRS = ("a-h", "b-g", "c-f", "d-e")
"""Files by their distance from the edge of the board."""
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")

MOST_DANGER = 40
"""The highest level of danger to a king."""

TEMPO = group("tempo")
MATERIAL = group("material", MEN[:-1])
SQUARE = group("square", ("same-wing", "other-wing"), MEN, SQUARES)
"""The square of a man, mirrored so that its own king is on files e to h; by whether the enemy king is there too."""
MOST_MOBILITY = (8, 13, 14, 27)
"""The most squares that a knight, bishop, rook or queen can attack."""
MOBILITY = tuple(
    group(f"mobility-{piece}", numbers(most + 1)) for piece, most in zip(PIECE_NAMES, MOST_MOBILITY, strict=True)
)
"""The number of safe squares that a piece attacks; these are the places of four groups."""

PAWN = group("pawn", RANKS, ("alone", "phalanx"), ("unsupported", "supported", "supported-twice"), ("free", "opposed"))
ISOLATED = group("isolated", ("free", "opposed"))
BACKWARD = group("backward", ("free", "opposed"))
DOUBLED = group("doubled", ("near", "far"))

PASSED = group("passed", RANKS)
PASSED_BLOCKED = group("passed-blocked", RANKS)
PASSED_STOP_ATTACKED = group("passed-stop-attacked", RANKS)
PASSED_STOP_DEFENDED = group("passed-stop-defended", RANKS)
PASSED_WAY_SAFE = group("passed-way-safe", RANKS)
PASSED_OWN_KING = group("passed-own-king", numbers(8))
"""The distance of the king from the square in front of the pawn; counted once for each rank beyond the third."""
PASSED_THEIR_KING = group("passed-their-king", numbers(8))
PASSED_ROOK_BEHIND = group("passed-rook-behind", ("own", "their"))
PASSED_UNSTOPPABLE = group("passed-unstoppable")

BISHOP_PAIR = group("bishop-pair")
BISHOP_PAWNS = group("bishop-pawns")
"""Own pawns on squares of a bishop's colour."""
OUTPOST = group("outpost", ("knight", "bishop"), ("unsupported", "supported"))
SHIELDED = group("shielded", ("knight", "bishop"))
"""A minor piece right behind a pawn."""
ROOK_FILE = group("rook-file", ("half-open", "open"))
ROOK_SEVENTH = group("rook-seventh")
"""A rook on the seventh rank with enemy pawns there, or with the enemy king on the eighth."""

THREAT_PAWN = group("threat-by-pawn", ("knight", "bishop", "rook", "queen"))
THREAT_PUSH = group("threat-by-push")
THREAT_MINOR = group("threat-by-minor", ("pawn", "knight", "bishop", "rook", "queen"))
THREAT_ROOK = group("threat-by-rook", ("pawn", "knight", "bishop", "rook", "queen"))
THREAT_KING = group("threat-by-king")
HANGING = group("hanging")
RESTRICTED = group("restricted")
SPACE = group("space")

SHELTER = group("shelter", FILE_PAIRS, ("none", *RANKS[1:]))
"""The nearest own pawn in front of the king, on its file and the adjacent ones."""
STORM = group("storm", ("free", "blocked"), FILE_PAIRS, ("none", *RANKS[1:]))
"""The nearest enemy pawn in front of the king."""
KING_ATTACKERS = group("king-attackers", PIECE_NAMES)
KING_ZONE = group("king-zone-attacks")
KING_WEAK = group("king-zone-weak")
KING_CHECKS = group("safe-checks", PIECE_NAMES)
KING_DANGER = group("king-danger", numbers(MOST_DANGER + 1))
"""The level of danger to the enemy king."""
BARE_KING = group("bare-king", ("distance-of-kings", "edge"))
"""Against a lone king: how near the own king is to it, and how near it is to the edge."""

FEATURES = count()
