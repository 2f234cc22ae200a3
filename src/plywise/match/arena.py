"""One game between two bots, with an umpire who enforces the rules and the clocks.

A bot that moves too late, illegally or not at all loses, and the result says why.  Otherwise a game ends by its rules,
by repetition (``plywise.layers.Recurrence``), at the move limit or, if requested, when both bots agree for several
moves that it is decided.  Where chance moves, the umpire rolls.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from plywise.errors import SearchError
from plywise.game import MIN, Game, Move, State
from plywise.inputs.limits import check_seconds, check_whole
from plywise.io.numbers import read_real, read_whole
from plywise.layers import Chance
from plywise.match.bots import Bot, Choice, IllegalMove, NoContest, Turn
from plywise.match.dice import Dice, by_chance
from plywise.match.ending import ends_by_repetition
from plywise.match.time_control import Clock, Limits

OVER, REPETITION, LENGTH, RESIGNATION, AGREEMENT = "game over", "repetition", "move limit", "resignation", "agreed draw"
TIME, ILLEGAL, CRASH = "time", "illegal move", "crash"
"""Why a game ended."""
FAULTS = (TIME, ILLEGAL, CRASH)
"""Reasons that are faults: a bot was late, played an illegal move or crashed."""

OnTurn = Callable[[int, "float | None", Sequence[Move]], None]
"""Called before a bot moves, with the player to move, the seconds allowed, and the moves and rolls since the last call;
in the first call, since the book."""


@dataclasses.dataclass(frozen=True)
class Decision:
    """When the umpire ends a game because both bots consider it decided.

    >>> Decision.parse("600,3")
    Decision(value=600.0, moves=3, from_ply=0)
    """

    value: float
    """Both values must be at least this for a win, or at most this for a draw."""
    moves: int
    """For how many moves of each bot."""
    from_ply: int = 0
    """The first ply at which the game may end so."""

    @classmethod
    def parse(cls, text: str) -> Decision:
        """Return the decision that VALUE,MOVES or VALUE,MOVES,PLY describes.

        Raises:
            SearchError: the text has neither form, or a number is out of range.
        """
        try:
            value, moves, *ply = text.split(",")
            made = cls(read_real(value), read_whole(moves), *map(read_whole, ply))
        except (ValueError, TypeError):
            raise SearchError(f"{text!r} is not VALUE,MOVES or VALUE,MOVES,PLY, such as 600,3") from None
        if made.moves < 1 or not made.value >= 0 or made.from_ply < 0:
            raise SearchError(f"{text!r} is not allowed: MOVES must be at least 1, VALUE and PLY at least 0")
        return made


@dataclasses.dataclass(frozen=True)
class Conditions:
    """When the umpire ends a game, besides by its rules."""

    margin: float = 0.1
    """How many seconds late a move may be."""
    most_plies: int = 2000
    """A game that reaches this many plies is a draw."""
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
    """Max's score: 1 for a win, 1/2 for a draw, 0 for a loss."""
    reason: str = OVER
    detail: str = ""
    """More about the reason."""
    values: list[float | None] = dataclasses.field(default_factory=list)
    """The bots' values of the positions in which they moved, for Max."""
    depths: list[int | None] = dataclasses.field(default_factory=list)
    seconds: list[float] = dataclasses.field(default_factory=list)
    points: float | None = None
    """Max's score by the rules; None if they did not end the game."""


def play_game(
    game: Game,
    bots: Sequence[Bot],
    limits: Sequence[Limits],
    conditions: Conditions = USUAL,
    *,
    start: State | None = None,
    book: Sequence[Move] = (),
    dice: Dice | None = None,
    on_turn: OnTurn = lambda player, seconds, moves: None,
) -> Played:
    """Let two bots play a game.

    Args:
        game: whose rules to follow.
        bots: Max and Min.
        limits: for Max and Min.
        conditions: when the umpire ends the game, besides by its rules.
        start: the first position; default: the initial one.
        book: moves to play before the bots take over.
        dice: what the umpire rolls; needed for a game with chance.
        on_turn: called before each of the bots' moves.

    Raises:
        NoContest: something failed that is the fault of neither bot.
        SearchError: the game has chance, and there are no dice.
    """
    if isinstance(game, Chance) and dice is None:
        raise SearchError(f"{game!r} needs dice=")
    umpire = Umpire(game, conditions, limits, game.initial() if start is None else start)
    for move in book:
        umpire.play(move)
    told = len(book)
    while not umpire.over():
        if dice is not None and by_chance(game, umpire.states[-1]):
            umpire.roll(dice)
            continue
        player = game.to_move(umpire.states[-1])
        on_turn(player, umpire.clocks[player].allowed, tuple(umpire.moves[told:]))
        told = len(umpire.moves)
        turn = Turn(tuple(umpire.states), tuple(umpire.moves), umpire.clocks, limits[player])  # copies for the bot
        begun = time.perf_counter()
        try:
            choice = bots[player].choose(turn)
        except IllegalMove as error:
            umpire.fault(player, ILLEGAL, str(error))
        except NoContest:
            raise
        except Exception as error:  # anything else is the bot's fault
            umpire.fault(player, CRASH, f"{type(error).__name__}: {error}")
        else:
            umpire.judge(player, choice, time.perf_counter() - begun)
    return umpire.played


class Umpire:
    """Keeps the positions and the clocks of a game, and decides how it ended."""

    def __init__(self, game: Game, conditions: Conditions, limits: Sequence[Limits], start: State) -> None:
        self.game = game
        self.conditions = conditions
        self.clocks = [Clock(limit) for limit in limits]
        self.states = [start]
        self.keys = [game.recurring(start)]
        self.played = Played([])
        self.decided = False
        self.rolls = 0

    @property
    def moves(self) -> list[Move]:
        return self.played.moves

    def play(self, move: Move) -> None:
        """Make a move."""
        self.moves.append(move)
        self.states.append(self.game.play(self.states[-1], move))
        self.keys.append(self.game.recurring(self.states[-1]))

    def roll(self, dice: Dice) -> None:
        """Roll the dice.

        Rolls are counted, not plies: the nth roll of both games of a pair is the same, however long a turn takes.
        """
        self.play(dice.roll(self.game, self.states[-1], self.rolls))
        self.rolls += 1

    def judge(self, player: int, choice: Choice, seconds: float) -> None:
        """Play a bot's move, or end the game if the bot resigned, moved illegally or was late."""
        self.played.seconds.append(round(seconds, 6))
        self.played.values.append(choice.value)
        self.played.depths.append(choice.depth)
        allowed = self.clocks[player].allowed
        if choice.move is None:
            self._end(float(player == MIN), RESIGNATION)
        elif choice.move not in list(self.game.moves(self.states[-1])):
            self.fault(player, ILLEGAL, f"{choice.move!r}")
        elif not self.clocks[player].spend(seconds, self.conditions.margin):
            self.fault(player, TIME, f"{seconds:.3f} s for a move, with {allowed:.3f} s allowed")
        else:
            self.play(choice.move)

    def fault(self, player: int, reason: str, detail: str) -> None:
        """End the game as a loss for ``player``."""
        self._end(float(player == MIN), reason, detail)

    def over(self) -> bool:
        """Return whether the game is over; if so, the result has been set."""
        game, state = self.game, self.states[-1]
        if self.decided:
            return True
        if game.is_terminal(state):
            self.played.points = float(game.score(state))
            self._end(_points(self.played.points), OVER)
        elif ends_by_repetition(game, state, self.keys):
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


def _points(score: Any) -> float:
    """Return 1, 1/2 or 0 points for Max's score."""
    return 1.0 if score > 0 else 0.0 if score < 0 else 0.5
