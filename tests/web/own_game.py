"""A user's own game, as a reader of the documentation would write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import plywise as pw


class Pile(NamedTuple):
    left: int
    turn: int


class Tossed(NamedTuple):
    lead: int
    left: int
    turn: int
    flying: int


class Subtraction(pw.Game):
    """Take one, two or three from a pile; the player who takes the last one wins."""

    size: int = 21

    def initial(self) -> Pile:
        return Pile(self.size, pw.MAX)

    def to_move(self, state: Pile) -> int:
        return state.turn

    def moves(self, state: Pile) -> Iterator[int]:
        for count in range(1, min(3, state.left) + 1):
            yield count

    def play(self, state: Pile, move: int) -> Pile:
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state: Pile) -> bool:
        return state.left == 0

    def score(self, state: Pile) -> int:
        return 1 if state.turn == pw.MIN else -1


class Sowing(Subtraction):
    """A player who takes one moves again: two moves of one player in a row, on a board with columns."""

    size: int = 7

    def play(self, state: Pile, move: int) -> Pile:
        return Pile(state.left - move, state.turn if move == 1 else 1 - state.turn)

    def board(self, state: Pile) -> str:
        return f"    6  5  4\n {state.left}          0\n    1  2  3"

    def player_name(self, player: int) -> str:
        return ("South", "North")[player]


class Slanted(Subtraction):
    size: int = 4

    def board(self, state: Pile) -> str:
        return "\n".join("  " * row + ". " * 4 + str(row) for row in range(state.left))


class Faulty(Subtraction):
    """A game with a mistake in it."""

    def play(self, state: Pile, move: int) -> Pile:
        return Pile(state.left - 1 // (move - 1), 1 - state.turn)


class Picky(Subtraction):
    """A game that does not take any number."""

    word: int = 2

    def __post_init__(self) -> None:
        if self.word % 2:
            raise ValueError("word must be even")


class Avalanche(Subtraction):
    """After the first move, there are more moves than any machine can list."""

    def moves(self, state: Pile) -> Iterator[int]:
        for count in range(1, 3 if state.left == self.size else 10**12):
            yield count


class Tosses(pw.Chance, pw.Game):
    """Toss a coin or stop.  Heads is a point for the player who tossed, tails for the other; the fifth toss ends it."""

    def initial(self) -> Tossed:
        return Tossed(0, 5, pw.MAX, 0)

    def to_move(self, state: Tossed) -> int:
        return pw.CHANCE if state.flying else state.turn

    def moves(self, state: Tossed) -> Iterator[int]:
        yield 0
        yield 1

    def play(self, state: Tossed, move: int) -> Tossed:
        if not state.flying:
            return state._replace(flying=1) if move else state._replace(left=0)
        gain = (1 if move else -1) * (1 if state.turn == pw.MAX else -1)
        return Tossed(state.lead + gain, state.left - 1, 1 - state.turn, 0)

    def is_terminal(self, state: Tossed) -> bool:
        return state.left == 0

    def score(self, state: Tossed) -> int:
        return state.lead

    def format_move(self, state: Tossed, move: int) -> str:
        return ("tails", "heads")[move] if state.flying else ("stop", "toss")[move]


class Tumbling(Tosses):
    """The coin never lands."""

    def play(self, state: Tossed, move: int) -> Tossed:
        return state._replace(flying=1)


class Noted(pw.View, Subtraction):
    """A game with a format of its own for the moves, and nothing else."""

    def record(self, start: Pile, moves: Sequence[int], about: Mapping[str, str]) -> str:
        return f"{about['max']} took {moves[0]} of {start.left}, then {moves[1:]}"
