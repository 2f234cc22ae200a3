"""One game between two bots, and an umpire who knows the rules, holds the clocks and takes nobody's word.

A bot that moves too late, illegally or not at all loses; why is part of the result.  What ends a game otherwise are its
rules, a position that recurs (``plywise.layers.Recurrence``), a limit on its length and, only if asked for,
an umpire's decision about a game that both bots think is decided.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from plywise.errors import SearchError
from plywise.game import MIN, Game, Move, State, key_and_player
from plywise.inputs.limits import check_seconds, check_whole
from plywise.io.numbers import read_real, read_whole
from plywise.match.bots import Bot, Choice, IllegalMove, NoContest, Turn
from plywise.match.time_control import Clock, Limits

OVER, REPETITION, LENGTH, RESIGNATION, AGREEMENT = "game over", "repetition", "move limit", "resignation", "agreed draw"
TIME, ILLEGAL, CRASH = "time", "illegal move", "crash"
"""Why a game ended."""
FAULTS = (TIME, ILLEGAL, CRASH)
"""Reasons that are nobody's play: one bot did not do what a player must."""

OnTurn = Callable[[int, "float | None", "Move | None"], None]
"""Called before a bot is asked: who is to move, how long it may think, and the move that led here."""


@dataclasses.dataclass(frozen=True)
class Decision:
    """When the umpire ends a game that both bots think is decided.

    >>> Decision.parse("600,3")
    Decision(value=600.0, moves=3, from_ply=0)
    """

    value: float
    """How high (of a win) or low (of a draw) both must value it."""
    moves: int
    """For how many moves of each."""
    from_ply: int = 0
    """Not before this many plies."""

    @classmethod
    def parse(cls, text: str) -> Decision:
        """Return what VALUE,MOVES or VALUE,MOVES,PLY describes.

        Raises:
            SearchError: it is none of these.
        """
        try:
            value, moves, *ply = text.split(",")
            made = cls(read_real(value), read_whole(moves), *map(read_whole, ply))
        except (ValueError, TypeError):
            raise SearchError(f"{text!r} is not VALUE,MOVES or VALUE,MOVES,PLY, such as 600,3") from None
        if made.moves < 1 or not made.value >= 0 or made.from_ply < 0:
            raise SearchError(f"{text!r} makes no sense: MOVES is 1 at least, VALUE and PLY are 0 at least")
        return made


@dataclasses.dataclass(frozen=True)
class Conditions:
    """What the umpire goes by, besides the rules."""

    margin: float = 0.1
    """Seconds by which a move may be late."""
    most_plies: int = 2000
    """A game that lasts so long is a draw."""
    resign: Decision | None = None
    draw: Decision | None = None

    def __post_init__(self) -> None:
        check_seconds("margin", self.margin)
        check_whole("most_plies", self.most_plies, 1)


USUAL = Conditions()


@dataclasses.dataclass
class Played:
    """A game that was played."""

    moves: list[Move]
    score: float = 0.5
    """Max's: 1 for a win, 1/2, 0."""
    reason: str = OVER
    detail: str = ""
    """What more there is to say about the reason."""
    values: list[float | None] = dataclasses.field(default_factory=list)
    """What the bots thought of the positions in which they moved, for Max."""
    depths: list[int | None] = dataclasses.field(default_factory=list)
    seconds: list[float] = dataclasses.field(default_factory=list)


def play_game(
    game: Game,
    bots: Sequence[Bot],
    limits: Sequence[Limits],
    conditions: Conditions = USUAL,
    *,
    start: State | None = None,
    book: Sequence[Move] = (),
    on_turn: OnTurn = lambda player, seconds, move: None,
) -> Played:
    """Let two bots play a game.

    Args:
        game: whose rules to follow.
        bots: Max and Min.
        limits: of Max and Min.
        conditions: what else the umpire goes by.
        start: where it begins; default: the initial position.
        book: moves that are played before the bots are asked.
        on_turn: told before each of their moves.

    Raises:
        NoContest: something failed that is neither bot.
    """
    umpire = Umpire(game, conditions, limits, game.initial() if start is None else start)
    for move in book:
        umpire.play(move)
    while not umpire.over():
        player = game.to_move(umpire.states[-1])
        on_turn(player, umpire.clocks[player].allowed, umpire.moves[-1] if umpire.moves else None)
        turn = Turn(tuple(umpire.states), tuple(umpire.moves), umpire.clocks, limits[player])  # its own to change
        begun = time.perf_counter()
        try:
            choice = bots[player].choose(turn)
        except IllegalMove as error:
            umpire.fault(player, ILLEGAL, str(error))
        except NoContest:
            raise
        except Exception as error:  # whatever else it is, it is the bot's
            umpire.fault(player, CRASH, f"{type(error).__name__}: {error}")
        else:
            umpire.judge(player, choice, time.perf_counter() - begun)
    return umpire.played


class Umpire:
    """Keeps a game: its positions, its clocks, and how it ended."""

    def __init__(self, game: Game, conditions: Conditions, limits: Sequence[Limits], start: State) -> None:
        self.game = game
        self.conditions = conditions
        self.clocks = [Clock(limit) for limit in limits]
        self.states = [start]
        self.keys = [key_and_player(game, start)]
        self.played = Played([])
        self.decided = False

    @property
    def moves(self) -> list[Move]:
        return self.played.moves

    def play(self, move: Move) -> None:
        """Make a move."""
        self.moves.append(move)
        self.states.append(self.game.play(self.states[-1], move))
        self.keys.append(key_and_player(self.game, self.states[-1]))

    def judge(self, player: int, choice: Choice, seconds: float) -> None:
        """Accept a bot's move, or not."""
        self.played.seconds.append(round(seconds, 6))
        self.played.values.append(choice.value)
        self.played.depths.append(choice.depth)
        allowed = self.clocks[player].allowed
        if choice.move is None:
            self._end(float(player == MIN), RESIGNATION)
        elif choice.move not in list(self.game.moves(self.states[-1])):
            self.fault(player, ILLEGAL, f"{choice.move!r}")
        elif not self.clocks[player].spend(seconds, self.conditions.margin):
            self.fault(player, TIME, f"{seconds:.3f} s for a move, of {allowed:.3f} s")
        else:
            self.play(choice.move)

    def fault(self, player: int, reason: str, detail: str) -> None:
        """End the game with a loss of ``player``."""
        self._end(float(player == MIN), reason, detail)

    def over(self) -> bool:
        """Return whether the game is over; if it is, the result is known."""
        game, state = self.game, self.states[-1]
        if self.decided:
            return True
        if game.is_terminal(state):
            self._end(_points(game.score(state)), OVER)
        elif occurrences(game, state, self.keys) >= game.repetitions:
            self._end(_points(game.repetition(state)), REPETITION)
        elif len(self.moves) >= self.conditions.most_plies:
            self._end(0.5, LENGTH)
        elif self._agree(self.conditions.resign, lambda value, limit: value >= limit):
            self._end(1.0, RESIGNATION)
        elif self._agree(self.conditions.resign, lambda value, limit: -value >= limit):
            self._end(0.0, RESIGNATION)
        elif self._agree(self.conditions.draw, lambda value, limit: abs(value) <= limit):
            self._end(0.5, AGREEMENT)
        return self.decided

    def _agree(self, decision: Decision | None, holds: Callable[[float, float], bool]) -> bool:
        if decision is None or len(self.moves) < decision.from_ply:
            return False
        values = self.played.values[-2 * decision.moves :]
        return len(values) == 2 * decision.moves and all(
            value is not None and holds(value, decision.value) for value in values
        )

    def _end(self, score: float, reason: str, detail: str = "") -> None:
        self.decided = True
        self.played.score, self.played.reason, self.played.detail = score, reason, detail


def occurrences(game: Game, state: State, keys: Sequence[Any]) -> int:
    """Return how often a position has occurred, now included.

    ``keys`` are all positions' (``key_and_player``), its own the last.
    """
    last = len(keys) - 1
    earlier = keys[max(0, last - game.reversible(state)) : last]
    return 1 + sum(bool(key == keys[-1]) for key in earlier)


def _points(score: Any) -> float:
    """Return 1, 1/2 or 0, for a score of Max's."""
    return 1.0 if score > 0 else 0.0 if score < 0 else 0.5
