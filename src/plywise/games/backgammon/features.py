"""What a network sees of a position: where each man stands, and whether the players can still hit each other."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.bits import lowest, rest
from plywise.game import MAX
from plywise.games.backgammon.evaluation import in_contact
from plywise.games.backgammon.position import BAR, MEN, OFF, Position

PLACES = BAR - OFF + 1
SIDE = PLACES * MEN
"""The features of one player's men: the first man on a place, the second, and so on."""
FEATURE_COUNT = 2 * SIDE
CONTACT, RACE = 0, 1
BUCKETS = 2


def features_of(state: Position, player: int) -> Iterator[int]:
    """Yield a feature for each man, first the player's own; both players count the points towards their own home."""
    mine = viewer_of(state) == player
    for side in range(2):
        men = state.mine if mine == (side == 0) else state.theirs
        left = men.occupied()
        while left:
            place = lowest(left)
            first = SIDE * side + MEN * place
            for feature in range(first, first + men.count(place)):
                yield feature
            left = rest(left)


def viewer_of(state: Position) -> int:
    """Return the player whose turn it is; before the opening roll, White."""
    return max(MAX, state.turn)


def bucket_of(state: Position) -> int:
    """Return whether the game is a race or the players can still hit each other."""
    return CONTACT if in_contact(state.mine, state.theirs) else RACE
