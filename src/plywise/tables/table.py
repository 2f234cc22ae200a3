"""A table of all positions of a game: a strategy, from positions to moves, and what it is worth.

It holds the code of each position (``packing``), its value and its distance to the end.  The best move follows from the
values of the successors, so it takes no room, except with dice on cycles.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.compiling.fingerprint import rules_digest
from plywise.compiling.words import plain_words
from plywise.errors import PositionError, SearchError
from plywise.game import MAX, Game, Move, State
from plywise.inputs.positions import position, unfinished
from plywise.layers import CHANCE, Chance, Recurrence
from plywise.layers.layer import REQUIRED
from plywise.result import Result
from plywise.tables.choosing import ENDLESS, prefers
from plywise.tables.expansion import plain_value
from plywise.tables.packing import Envelope, Packing, find, pack_row, unpack_row

SPOTS = 12
"""Positions that are checked when a table is opened."""

RULES = (*REQUIRED, "probability", "repetition", "without_history")
"""The methods of a game that a table depends on."""

ROUNDING = 1e-9
"""How much a sum of floats may depend on its order, relative to the largest value."""


class Entry(NamedTuple):
    """What a table knows about a position."""

    value: Any
    """The value for Max with best play by both sides; where dice matter, an average."""
    move: Move | None
    """The best move, of equal ones the first or, with dice on cycles, one that makes progress; None where the game is
    over or chance moves.
    """
    distance: int | None
    """The plies to the end; None if the game never ends, or if chance decides when."""


class Summary(NamedTuple):
    """What a table says about the game as a whole."""

    positions: int
    won: int
    """Positions whose value is above zero: won by Max or, with dice, better for Max."""
    drawn: int
    """Positions whose value is zero."""
    lost: int
    """Positions whose value is below zero."""
    longest_win: int | None
    """The most plies to the end of a game that somebody wins; None if nobody does, or if chance decides when."""
    longest_position: str | None
    """A position with this many plies."""


class Table:
    """All positions that can be reached from some roots, with their values.

    >>> import plywise as pw
    >>> table = pw.tabulate(pw.games.TicTacToe())
    >>> len(table)
    5478
    >>> table["XX./OO./..."]
    Entry(value=1, move=2, distance=1)
    >>> table.summary.won, table.summary.drawn, table.summary.lost
    (2936, 1068, 1474)
    """

    def __init__(
        self, game: Game, packing: Packing, codes: np.ndarray, values: np.ndarray, distances: np.ndarray,
        facts: dict[str, Any], choices: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        self.game, self.packing = game, packing
        self.codes, self.values, self.distances = codes, values, distances
        self.choices = choices
        """With dice on cycles, the best move of each position, as its number among the moves from 0 on."""
        self.facts = facts
        """What the table was made for and how, its tolerance and its summary, for its file."""
        self._example = game.initial()

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"<table of {len(self):,} positions of {self.game!r}>"

    def __contains__(self, state: object) -> bool:
        try:
            return self._find(position(self.game, state)) >= 0
        except PositionError:
            return False

    def __getitem__(self, state: State | str) -> Entry:
        """Return the entry of a position, or of its text.

        Raises:
            PositionError: it is no position of the game, or none that the table holds.
        """
        here = position(self.game, state)
        value, distance = self._known(here)
        return Entry(self._shown(value, distance), self._best(here), None if distance == ENDLESS else distance)

    @property
    def summary(self) -> Summary:
        """How many positions are won, drawn and lost, and the longest win."""
        return Summary(**self.facts["summary"])

    @property
    def method(self) -> str:
        """How the values were found, such as ``backward induction``."""
        return str(self.facts["method"])

    @property
    def tolerance(self) -> float:
        """How far a value may be from the exact one: 0, unless dice make cycles."""
        return float(self.facts["tolerance"])

    @property
    def is_proof(self) -> bool:
        """Whether its values are those of the game: as exact as floats, and without a history that it leaves out."""
        whole = type(self.game).without_history in (Game.without_history, Recurrence.without_history)
        return whole and self.tolerance <= ROUNDING

    def line(self, state: State | str, most: int = 1000) -> tuple[Move, ...]:
        """Return best play by both sides from a position on: to the end, to the dice, or until a position recurs."""
        here = position(self.game, state)
        moves: list[Move] = []
        seen = set()
        while len(moves) < most:
            plain = self.game.without_history(here)
            if plain in seen or (move := self._best(here)) is None:
                break
            seen.add(plain)
            moves.append(move)
            here = self.game.play(here, move)
        return tuple(moves)

    def search(self, state: State | str | None = None, all_moves: bool = False) -> Result:
        """Return what a search would: the value, the best move and the line of best play; all of it looked up.

        >>> import plywise as pw
        >>> print(pw.tabulate(pw.games.TicTacToe()).search("XX./OO./..."))
        value     1 (proven)
        move      c3
        line      c3
        searched  to the end by table: 1 nodes, 0 s
        """
        here = unfinished(self.game, state)
        found = self[here]
        values = None
        if all_moves:
            values = {move: self._through(self.game.play(here, move)) for move in self.game.moves(here)}
        return Result(
            game=self.game, state=here, value=found.value, move=found.move, line=self.line(here), bound="exact",
            proven=self.is_proof, depth=None, nodes=1, leaves=None, seconds=0.0, algorithm="table", compiled=True,
            moves=values, expected=isinstance(self.game, Chance),
        )  # fmt: skip

    def positions(self) -> Iterator[State]:
        """Yield all positions, in the order of the table."""
        for row in range(len(self)):
            yield self.state(row)

    def state(self, row: int) -> State:
        """Return the position in a row of the table."""
        words = np.zeros((1, len(self.packing.bases)), dtype=np.int64)
        unpack_row(self.codes, row, self.packing.plan, words, 0)
        return plain_value(iter(words[0].tolist()), self._example)

    def save(self, path: str | Path) -> None:
        """Write the table to a file; ``plywise.tables.load`` opens it."""
        from plywise.tables.file import write_table

        write_table(self, Path(path))

    def check(self, spots: int = SPOTS) -> None:
        """Check the digest of the rules, and the values of some positions by the rules of the game.

        Another version of Python compiles rules to other code: then the values alone must tell.

        Raises:
            SearchError: they do not agree.
        """
        made, now = self.facts["rules"], described(self.game)
        if made["python"] == now["python"] and made["digest"] != now["digest"]:
            raise SearchError(f"the table was made with other rules of {self.game!r} than those of today")
        scale = max(1.0, float(np.abs(self.values).max(initial=0)))
        for row in np.linspace(0, len(self) - 1, min(spots, len(self))).astype(int).tolist():
            state = self.state(row)
            value, _ = self._at(row)
            try:
                ruled = self._by_rules(state)
            except PositionError:
                ruled = math.nan  # the rules lead out of the table
            if not abs(value - ruled) <= self.tolerance + ROUNDING * scale:
                raise SearchError(f"the table was made with other rules: by those of {self.game!r}, position "
                                  f"{self.game.format(state)!r} is not worth {value}")  # fmt: skip

    # How it is looked up ----------------------------------------------------------------------------------------------

    def _find(self, state: State) -> int:
        """Return the row of a position, or -1."""
        words = np.array([plain_words(self.game.without_history(state), self._example)], dtype=np.int64)
        if not self.packing.envelope.covers(Envelope.of(words)):
            return -1
        code = np.zeros((1, self.packing.words), dtype=np.int64)
        pack_row(words, 0, self.packing.plan, code, 0)
        return find(self.codes, code, 0, self.packing.bits)

    def _at(self, row: int) -> tuple[Any, int]:
        distance = int(self.distances[row])
        return self.values[row].item(), ENDLESS if distance == unlimited(self.distances) else distance

    def _row(self, state: State) -> int:
        row = self._find(state)
        if row < 0:
            raise PositionError(f"{self.game.format(state)!r} is not in this table of {self.game!r}")
        return row

    def _known(self, state: State) -> tuple[Any, int]:
        return self._at(self._row(state))

    def _best(self, state: State) -> Move | None:
        """Return the best move: the first one that leads to the best value, in the fewest or most plies.

        With dice on cycles it is stored: of moves that lead to the best value, some may only wait.
        """
        game, here = self.game, self.game.without_history(state)
        if game.is_terminal(here) or game.to_move(here) == CHANCE:
            return None
        if self.choices is not None:
            return next(itertools.islice(game.moves(here), int(self.choices[self._row(here)]), None))
        rest, best, chosen = game.repetition(here), None, None
        for move in game.moves(here):
            known = self._known(game.play(here, move))
            if best is None or prefers(game.to_move(here), *known, *best, rest):
                best, chosen = known, move
        return chosen

    def _by_rules(self, state: State) -> float:
        """Return the value of a position by its score, or by the values of its successors."""
        game = self.game
        if game.is_terminal(state):
            return game.score(state)
        values = [(self._known(game.play(state, move))[0], move) for move in game.moves(state)]
        if game.to_move(state) == CHANCE:
            return float(sum(value * game.probability(state, move) for value, move in values))
        return (max if game.to_move(state) == MAX else min)(value for value, _ in values)  # type: ignore[no-any-return]

    def _through(self, state: State) -> Any:
        """Return the value of the move that leads to a position, as searches give it."""
        value, distance = self._known(state)
        return self._shown(value, ENDLESS if distance == ENDLESS else distance + 1)

    def _shown(self, value: Any, distance: int) -> Any:
        """Return a value as searches give it: with ``FastestWin``, each ply to the win costs a point."""
        return value if distance == ENDLESS else sooner(value, distance, self.game.win_score)


def sooner(value: Any, distance: int, win_score: float) -> Any:
    """Return a value ``distance`` plies before the end: a win is worth a point less for each."""
    if abs(value) < win_score:
        return value
    return value - distance if value > 0 else value + distance


def described(game: Game) -> dict[str, str]:
    """Return a digest of the rules that a table depends on, and the version of Python that it is for."""
    return {"digest": rules_digest(game, RULES), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}


def unlimited(distances: np.ndarray) -> int:
    """Return what stands for an unlimited distance in an array of unsigned numbers: the highest one."""
    return int(np.iinfo(distances.dtype).max)


def narrow_distances(distances: np.ndarray) -> np.ndarray:
    """Return distances in the smallest type that holds them."""
    most = int(distances.max(initial=0))
    kind = next(kind for kind in (np.uint8, np.uint16, np.uint32) if most < np.iinfo(kind).max)
    return np.where(distances == ENDLESS, np.iinfo(kind).max, distances).astype(kind)


def narrow_choices(choices: np.ndarray) -> np.ndarray:
    """Return numbers of moves in the smallest type that holds them."""
    most = int(choices.max(initial=0))
    return choices.astype(next(kind for kind in (np.uint8, np.uint16, np.uint32) if most <= np.iinfo(kind).max))


def narrow_values(values: np.ndarray) -> np.ndarray:
    """Return values in the smallest type that holds them exactly: one of whole numbers, or as floats.

    >>> narrow_values(np.array([-1.0, 0.0, 10.0])).dtype, narrow_values(np.array([0.5, 1.0])).dtype
    (dtype('int8'), dtype('float64'))
    """
    if not np.array_equal(values, np.trunc(values)):
        return values
    low, high = values.min(initial=0), values.max(initial=0)
    kinds = (np.int8, np.int16, np.int32, np.int64)
    return values.astype(next(kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))


def summarised(table: Table) -> dict[str, Any]:
    """Return the summary of a table whose arrays are complete."""
    values, distances = table.values, table.distances
    won, lost = int(np.count_nonzero(values > 0)), int(np.count_nonzero(values < 0))
    decisive = values != 0
    endless = decisive & (distances == unlimited(distances))
    if isinstance(table.game, Chance) and endless.any():
        decisive[:] = False  # chance decides how long a win takes
    decisive &= ~endless
    longest = int(distances[decisive].max()) if decisive.any() else None
    where = None
    if longest is not None:
        where = table.game.format(table.state(int(np.argmax(decisive & (distances == longest)))))
    return Summary(len(table), won, len(table) - won - lost, lost, longest, where)._asdict()
