"""Pig: roll a die as often as you dare.  The smallest dice game worth thinking about, and positions recur.

A player who rolls a 1 loses the points of the turn, but not those of earlier turns; so both players may return to the
same totals any number of times, and the value of a position depends on itself.  Neller and Presser solved the game in
2004: with best play to 100 points the first player wins with probability 0.5306.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plywise.errors import GameError, PositionError
from plywise.game import MAX, Game, sign
from plywise.layers import CHANCE, Chance, Sheet, View

ROLL, HOLD = 0, 1
"""The moves of a player.  The outcomes of a roll are the numbers 1 to 6."""
TURNS = ("max", "min")
"""The names of players in texts."""
LARGEST_GOAL = 1000


class Totals(NamedTuple):
    mine: int
    """The points that the player whose turn it is has kept."""
    theirs: int
    pot: int
    """The points of this turn, which a 1 would lose."""
    turn: int
    rolling: int
    """1 while the die rolls, 0 while the player decides."""


class Pig(Chance, View, Game):
    """Pig.  The first player with as many points as the goal wins: 1 for Max, -1 for Min.  Max moves first.

    In a turn, a player rolls a die at least once.  2 to 6 are points, and the player may go on; a 1 loses the points of
    the turn and ends it.  Holding keeps the points and ends the turn.  Points kept and points of the turn together win
    as soon as they reach the goal.

    The text of a position is the points that Max and Min have kept, whose turn it is, and the points of the turn;
    ``rolling`` at the end says that the die has been thrown.

    >>> game = Pig()
    >>> state = game.parse("34-20 min 12")
    >>> print(game.board(state))
              Max Min
         kept  34  20
    this turn   .  12
    >>> game.format(game.play(state, game.parse_move(state, "hold")))
    '34-32 max 0'
    """

    description = "Roll a die as often as you dare; a 1 loses the points of the turn."
    known_size = (2_039_004, "∞")
    layout = Sheet(2, 2, left=["kept", "this turn"], top=["Max", "Min"])
    goal: int = 100

    def __post_init__(self) -> None:
        if type(self.goal) is not int or not 1 <= self.goal <= LARGEST_GOAL:
            raise GameError(f"{self!r} is not possible: the goal must be a whole number from 1 to {LARGEST_GOAL:,}")

    def initial(self) -> Totals:
        return Totals(0, 0, 0, MAX, 0)

    def to_move(self, state: Totals) -> int:
        return CHANCE if state.rolling else state.turn

    def moves(self, state: Totals) -> Iterator[int]:
        if state.rolling:
            for number in range(1, 7):
                yield number
        elif not self.is_terminal(state):
            yield ROLL
            if state.pot > 0:
                yield HOLD

    def play(self, state: Totals, move: int) -> Totals:
        if state.rolling:
            if move == 1:
                return Totals(state.theirs, state.mine, 0, 1 - state.turn, 0)
            return Totals(state.mine, state.theirs, state.pot + move, state.turn, 0)
        if move == HOLD:
            return Totals(state.theirs, state.mine + state.pot, 0, 1 - state.turn, 0)
        return Totals(state.mine, state.theirs, state.pot, state.turn, 1)

    def probability(self, state: Totals, move: int) -> float:
        return 1 / 6

    def is_terminal(self, state: Totals) -> bool:
        return state.mine + state.pot >= self.goal

    def score(self, state: Totals) -> int:
        return sign(state.turn)

    def evaluate(self, state: Totals) -> float:
        """Estimate who is ahead, with the points of the turn counted as if they were kept."""
        return sign(state.turn) * (state.mine + state.pot - state.theirs) / self.goal

    def bounds(self, state: Totals) -> tuple[int, int]:
        return (-1, 1)

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Totals:
        words = text.lower().split()
        kept = words[0].split("-") if words else []
        if not (
            2 <= len(words) <= 4 and len(kept) == 2 and words[1] in TURNS and words[3:] in ([], ["rolling"])
            and all(number.isascii() and number.isdigit() for number in (*kept, *words[2:3]))
        ):  # fmt: skip
            raise PositionError(f"{text!r} is not a position: it needs the points of Max and Min, whose turn it is, "
                                "the points of the turn and, if the die is thrown, the word rolling, such as "
                                "34-20 min 12")  # fmt: skip
        turn = TURNS.index(words[1])
        mine, theirs = map(int, kept if turn == MAX else reversed(kept))
        state = Totals(mine, theirs, int(words[2]) if len(words) > 2 else 0, turn, len(words) - 3 if words[3:] else 0)
        if max(mine, theirs) >= self.goal:
            raise PositionError(f"{text!r} is not a position: nobody keeps {self.goal} points or more, because the "
                                "game ends before")  # fmt: skip
        if state.pot == 1 or state.pot >= self.goal - mine + 6:
            raise PositionError(f"{text!r} is not a position: no turn brings {state.pot} points to a player who has "
                                f"{mine}, when the game is to {self.goal}")  # fmt: skip
        if state.rolling and self.is_terminal(state):
            raise PositionError(f"{text!r} is not a position: {mine + state.pot} points end the game, so the die is "
                                "not thrown")  # fmt: skip
        return state

    def format(self, state: Totals) -> str:
        first, second = self.kept(state)
        return f"{first}-{second} {TURNS[state.turn]} {state.pot}{' rolling' if state.rolling else ''}"

    def format_move(self, state: Totals, move: int) -> str:
        return str(move) if state.rolling else ("roll", "hold")[move]

    def kept(self, state: Totals) -> tuple[int, int]:
        """Return the points that Max and Min have kept."""
        return (state.mine, state.theirs) if state.turn == MAX else (state.theirs, state.mine)

    # View -----------------------------------------------------------------------------------------------------------

    def piece_at(self, state: Totals, place: int) -> int:
        """Return the points that Max and Min have kept, and below them those of the turn."""
        if place < 2:
            return Sheet.written(self.kept(state)[place])
        return Sheet.written(state.pot) if place - 2 == state.turn else 0

    def dice_shown(self, state: Totals, move: int) -> tuple[int]:
        return (move,)

    def score_text(self, score: float) -> str:
        """Return who is likely to win, and with which probability.

        >>> Pig().score_text(0.5), Pig().score_text(-1)
        ('Max wins with probability 0.7500', 'Min wins')
        """
        winner = self.player_name(0 if score >= 0 else 1)
        return f"{winner} wins" if abs(score) == 1 else f"{winner} wins with probability {(1 + abs(score)) / 2:.4f}"
