"""The score sheet: a game in progress, read from texts.

The server stores no games.  Every request contains the start position and all moves, so a client undoes a move by
leaving it out, and clients cannot interfere.  Recent sheets are cached only to save time.

In a game with dice, the request contains the seed of the dice and only what players decided.  The umpire rolls here, as
in the terminal, so no client can send a roll, and after an undo the same rolls come again.  Whoever knows the seed can
compute them.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from plywise.errors import PositionError, SearchError
from plywise.explain.titles import ending_in_words
from plywise.game import Game, Move, State
from plywise.inputs.positions import position
from plywise.layers import CHANCE, Chance
from plywise.match.dice import Dice
from plywise.match.ending import FORBIDDEN, allowed_moves, ends_by_repetition, final_scores, is_forbidden
from plywise.study.survey import player_count
from plywise.web.offered_games import MOST_MOVES_SHOWN

MOST_PLIES = 1000
"""The most plies in a game."""

MOST_ROLLS = 100
"""The most rolls in a row."""

LARGEST_SEED = 10**15
"""The largest seed of the dice that a request or a saved game may name."""

KEPT = 1000
"""How many sheets to cache."""


@dataclasses.dataclass(frozen=True)
class ScoreSheet:
    """A game in progress.

    >>> import plywise as pw
    >>> sheet = read_sheet(pw.games.TicTacToe(), "X../.O./...", ["c1", "a1", "c3"])
    >>> sheet.game.format(sheet.state), sheet.over
    ('X.X/.O./O.X', None)
    >>> read_sheet(sheet.game, None, ["a1", "b1", "a2", "b2", "a3"]).over
    'X wins.'
    >>> read_sheet(pw.games.Pig(), None, ["roll", "roll", "hold"], seed=1).names
    ('roll', '4', 'roll', '2', 'hold')
    """

    game: Game
    states: tuple[State, ...]
    """All positions, from the start to the current one."""
    keys: tuple[Any, ...]
    """Each position's ``Recurrence.recurring``."""
    moves: tuple[Move, ...] = ()
    names: tuple[str, ...] = ()
    """The moves in the game's usual notation."""
    dice: Dice | None = None
    """The umpire's dice, if the game has any."""

    @property
    def state(self) -> State:
        """The current position."""
        return self.states[-1]

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves that no repetition forbids; none if the game is over.

        Raises:
            SearchError: there are more than the page can show.
        """
        if self.over is not None:
            return ()
        moves = tuple(islice(self.game.moves(self.state), MOST_MOVES_SHOWN + 1))
        if len(moves) > MOST_MOVES_SHOWN:
            raise SearchError(f"this position has more than {MOST_MOVES_SHOWN} moves, too many for the page")
        return tuple(allowed_moves(self.game, self.states))

    @cached_property
    def score(self) -> Sequence[float] | None:
        """Each player's score if the game is over, else None."""
        return final_scores(self.game, self.state, self._repeated)

    @property
    def players(self) -> list[str]:
        """The players' names, as the game calls them."""
        return [self.game.player_name(player) for player in range(player_count(self.game))]

    @property
    def movers(self) -> list[int]:
        """The player of each move; CHANCE for a roll."""
        return [self.game.to_move(state) for state in self.states[:-1]]

    @property
    def decided(self) -> int | None:
        """The ply of the last move that a player chose; None if there is none."""
        movers = self.movers
        return next((ply for ply in reversed(range(len(movers))) if movers[ply] != CHANCE), None)

    @property
    def over(self) -> str | None:
        """A sentence that says how the game ended; None if it is not over."""
        return None if self.score is None else ending_in_words(self.game, self.state, self.score, self._repeated)

    @cached_property
    def _repeated(self) -> bool:
        return ends_by_repetition(self.game, self.state, self.keys)

    def play(self, text: str) -> ScoreSheet:
        """Return the sheet with one more move of a player, and the rolls that follow.

        Raises:
            PositionError: the move is not legal; the message lists the legal ones.
            SearchError: rolls follow without end.
        """
        if self.over is not None:
            raise PositionError(f"the game is over, so {text!r} cannot be played")
        move = self.game.parse_move(self.state, text)
        if is_forbidden(self.game, self.states, move) and move not in self.legal:
            raise PositionError(f"{text!r} is not a legal move here: {FORBIDDEN}")
        return self._with(move).rolled()

    def rolled(self) -> ScoreSheet:
        """Return the sheet after the umpire has rolled for as long as chance moves."""
        sheet = self
        while sheet.over is None and sheet.game.to_move(sheet.state) == CHANCE:
            if sheet.dice is None:
                raise SearchError("a game with dice needs a seed")
            if len(sheet.moves) - len(self.moves) >= MOST_ROLLS:
                raise SearchError(f"chance moves more than {MOST_ROLLS} times in a row, too often for the page")
            sheet = sheet._with(sheet.dice.roll(sheet.game, sheet.state, len(sheet.moves)))
        return sheet

    def _with(self, move: Move) -> ScoreSheet:
        after = self.game.play(self.state, move)
        return dataclasses.replace(
            self, states=(*self.states, after), keys=(*self.keys, self.game.recurring(after)),
            moves=(*self.moves, move), names=(*self.names, self.game.move_name(self.state, move)),
        )  # fmt: skip


def read_sheet(game: Game, start: str | None, moves: Sequence[str], seed: int | None = None) -> ScoreSheet:
    """Return a game from the text of its start position (None: the initial position), the texts of the moves that
    players chose, and the seed of its dice.

    Raises:
        PositionError: the text is not a position, or a move is not legal.
    """
    sheet = first_sheet(game, start, seed)
    for move in moves:
        sheet = sheet.play(move)
    return sheet


def first_sheet(game: Game, start: str | None, seed: int | None) -> ScoreSheet:
    """Return a game before the first move of a player."""
    state = position(game, start)
    dice = None if seed is None else Dice(seed)
    return ScoreSheet(game, (state,), (game.recurring(state),), dice=dice).rolled()


def checked_seed(game: Game, given: int | None, default: int | None = None) -> int | None:
    """Return the seed of a game's dice, ``default`` if none is given; None if the game has no dice.

    Raises:
        SearchError: there is a seed but no dice, or dice but no seed.
    """
    if not isinstance(game, Chance):
        if given is not None:
            raise SearchError(f"a seed is for games with dice, unlike {game!r}")
        return None
    seed = default if given is None else given
    if seed is None:
        raise SearchError("a game with dice needs its seed, which 'position' returns")
    return seed


class ScoreSheets:
    """Reads sheets through a cache: most requests add one move to a known game."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, ScoreSheet] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, game: Game, start: str | None, moves: Sequence[str], seed: int | None = None) -> ScoreSheet:
        """Return the same as ``read_sheet``.

        Raises:
            PositionError: as in ``read_sheet``.
            SearchError: the game has too many moves.
        """
        if len(moves) > MOST_PLIES:
            raise SearchError(f"a game of more than {MOST_PLIES} moves is too long for the page")
        for known in (len(moves), max(0, len(moves) - 1)):
            sheet = self._get(_key(game, start, moves[:known], seed))
            if sheet is not None:
                break
        else:
            known, sheet = 0, first_sheet(game, start, seed)
        for number in range(known, len(moves)):
            sheet = sheet.play(moves[number])
        with self._lock:
            self._kept[_key(game, start, moves, seed)] = sheet
            self._kept.move_to_end(_key(game, start, moves, seed))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return sheet

    def _get(self, key: Any) -> ScoreSheet | None:
        with self._lock:
            return self._kept.get(key)


def _key(game: Game, start: str | None, moves: Sequence[str], seed: int | None) -> Any:
    return game, start, tuple(moves), seed


def numbered(movers: Sequence[int], players: Sequence[str]) -> list[str]:
    """Return the label before each move in a list of moves, which says who moved.

    Rounds are numbered.  With two players, the second gets no label.  With more players, each turn names its player.
    Three dots mean that the same player moves again.  Rolls get no label.

    >>> numbered([0, 1, 0, 0, 1, 1, 0], ["Max", "Min"])
    ['1.', '', '2.', '…', '', '…', '3.']
    >>> numbered([1, 0, 1], ["White", "Black"])
    ['1...', '2.', '']
    >>> numbered([0, 1, 2, 2, 0], ["dog", "cat", "mouse"])
    ['1. dog:', 'cat:', 'mouse:', '…', '2. dog:']
    >>> numbered([-1, 0, 0, -1, 1, -1, 0], ["White", "Black"])
    ['', '1.', '…', '', '', '', '2.']
    """
    labels: list[str] = []
    number, before = 1, -1
    for mover in movers:
        if mover == CHANCE:
            labels.append("")
            continue
        begins = mover < before or before == -1
        number += mover < before
        if mover == before:
            labels.append("…")
        elif len(players) > 2:
            labels.append(f"{number}. {players[mover]}:" if begins else f"{players[mover]}:")
        else:
            labels.append((f"{number}..." if mover else f"{number}.") if begins else "")
        before = mover
    return labels
