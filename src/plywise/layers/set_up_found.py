"""How positions of a game are set up, found by experiment: which cell of a tuple, or which bit of a number, puts which
piece on which place.

A way is used only if it rebuilds every position of some random games exactly.  So it is for games whose position is the
board and the player to move; others define ``View.set_up``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from plywise.errors import PositionError

GAMES, PLIES, SEED = 8, 40, 1
"""How many random games are played to test the way, how long they last, and the seed of their moves."""
MOST_MOVES = 400
"""The most moves that a random player looks at."""
BITS = 63
"""The bits of a number that may be pieces."""


class Slot(NamedTuple):
    """A part of a position that decides what is on a place: an item of a tuple, or a bit of a number."""

    field: str
    item: int
    value: int
    """What to write there for the piece; of a bit, 1."""


class Inferred:
    """A way to set up positions that was found by experiment: an empty board for each player, and what to write."""

    def __init__(self, empty: dict[int, Any], slots: dict[tuple[int, int, int], Slot]) -> None:
        self.empty = empty
        self.slots = slots
        """By player, place and piece."""

    def state(self, game: Any, cells: Sequence[int], player: int) -> Any:
        """Return the position.

        Raises:
            PositionError: a piece cannot be on its place, or the player cannot be to move.
        """
        if player not in self.empty:
            raise PositionError(f"{game.player_name(player)} cannot be to move here")
        state = self.empty[player]
        for place, piece in enumerate(cells):
            if piece:
                slot = self.slots.get((player, place, piece))
                if slot is None:
                    what = game.pieces[piece - 1].name or game.pieces[piece - 1].symbol
                    raise PositionError(f"{what} cannot be on {game.layout.name(place) or place}")
                state = _written(state, slot)
        return state


@lru_cache(maxsize=64)
def inferred(game: Any) -> Inferred | None:
    """Return a way to set up positions that was found by experiment; None if there is none that works.

    >>> import plywise as pw
    >>> inferred(pw.games.Othello()) is None  # a position also has the squares where one may move
    True
    """
    try:
        return _found(game)
    except Exception:  # an experiment made a position that the game's methods do not take
        return None


def _found(game: Any) -> Inferred | None:
    reached = list(_reached(game))
    if not hasattr(reached[0], "_fields"):
        return None
    empty: dict[int, Any] = {}
    slots: dict[tuple[int, int, int], Slot] = {}
    for player in sorted({int(game.to_move(state)) for state in reached}):
        own = [state for state in reached if game.to_move(state) == player]
        fullest = max(own, key=lambda state: sum(map(bool, _shown(game, state))))
        empty[player] = _emptied(game, fullest, reached)
        if any(_shown(game, empty[player])) or game.to_move(empty[player]) != player:
            return None
        for slot in _candidates(game, empty[player], reached):
            pieces = [(at, piece) for at, piece in enumerate(_shown_if_possible(game, empty[player], slot)) if piece]
            if len(pieces) == 1:
                slots.setdefault((player, *pieces[0]), slot)
    way = Inferred(empty, slots)
    exact = all(way.state(game, _shown(game, state), int(game.to_move(state))) == state for state in reached)
    return way if exact else None


def _reached(game: Any) -> Iterator[Any]:
    """Yield the positions of some random games."""
    chance = random.Random(SEED)
    for _ in range(GAMES):
        state = game.initial()
        yield state
        for _ in range(PLIES):
            if game.is_terminal(state):
                break
            state = game.play(state, chance.choice(list(islice(game.moves(state), MOST_MOVES))))
            yield state


def _shown(game: Any, state: Any) -> tuple[int, ...]:
    return tuple(int(game.piece_at(state, place)) for place in range(game.layout.size))


def _shown_if_possible(game: Any, state: Any, slot: Slot) -> tuple[int, ...]:
    """Return the board after something is written into a slot; nothing if ``piece_at`` does not take that."""
    try:
        return _shown(game, _written(state, slot))
    except Exception:
        return ()


def _written(state: Any, slot: Slot) -> Any:
    """Return the position with something written into a slot."""
    before = getattr(state, slot.field)
    if isinstance(before, tuple):
        items = list(before)
        items[slot.item] = slot.value
        return state._replace(**{slot.field: type(before)(items)})
    bit = 1 << slot.item
    return state._replace(**{slot.field: before | bit if slot.value else before & ~bit})


def _candidates(game: Any, state: Any, reached: Sequence[Any]) -> Iterator[Slot]:
    """Yield all slots of a position that may hold a piece, with all values that may stand for one."""
    for field in state._fields:
        now = getattr(state, field)
        if isinstance(now, tuple):
            seen = {value for other in reached for value in getattr(other, field) if isinstance(value, int)}
            values = sorted(seen | set(range(len(game.pieces) + 1)))
            yield from (Slot(field, index, value) for index in range(len(now)) for value in values)
        elif isinstance(now, int):
            yield from (Slot(field, bit, 1) for bit in range(BITS))


def _emptied(game: Any, state: Any, reached: Sequence[Any]) -> Any:
    """Return a position without its pieces: everything is taken away whose change leaves one place less or the same."""
    for field in state._fields:
        now = getattr(state, field)
        if isinstance(now, tuple):
            seen = sorted({value for other in reached for value in getattr(other, field)} | {0}, key=abs)
            for index in range(len(now)):
                options = (_written(state, Slot(field, index, value)) for value in seen)
                state = min(options, key=lambda option: sum(map(bool, _shown(game, option))))
        elif isinstance(now, int) and _is_board(game, state, field):
            state = state._replace(**{field: 0})
    return state


def _is_board(game: Any, state: Any, field: str) -> bool:
    """Return whether each bit of a field shows or hides one place, unlike a turn or a count."""
    before, now = _shown(game, state), getattr(state, field)
    for bit in range(BITS):
        if now >> bit & 1:
            after = _shown(game, state._replace(**{field: now & ~(1 << bit)}))
            if sum(one != other for one, other in zip(before, after, strict=True)) != 1:
                return False
    return bool(now)
