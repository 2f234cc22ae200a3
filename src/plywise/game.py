"""The contract between a game and everything that plywise can do with it.

A game is a small class.  Its fields are its parameters, a position is a value, a move is an integer:

>>> from typing import NamedTuple
>>> import plywise as pw
>>> class Pile(NamedTuple):
...     left: int
...     turn: int
>>> class Subtraction(pw.Game):
...     '''Take one, two or three from a pile; the player who takes the last one wins.'''
...     size: int = 21
...     def initial(self):
...         return Pile(self.size, pw.MAX)
...     def to_move(self, state):
...         return state.turn
...     def moves(self, state):
...         for count in range(1, min(3, state.left) + 1):
...             yield count
...     def play(self, state, move):
...         return Pile(state.left - move, 1 - state.turn)
...     def is_terminal(self, state):
...         return state.left == 0
...     def score(self, state):
...         return 1 if state.turn == pw.MIN else -1
>>> pw.solve(Subtraction()).move, pw.solve(Subtraction(20)).value
(1, -1)

The six methods above are required.  The others below are optional; each says what it buys.  Features that only some
games have, such as captures, repetition or more than two players, are layers: classes of ``plywise.layers``, inherited
before ``Game``.  Everything is plain Python; code that sticks to integers, tuples and loops is compiled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from plywise.compiling.native import NativeValue, inlined
from plywise.errors import GameError, PositionError
from plywise.io.fields import format_fields, parse_fields
from plywise.io.wording import suggestion
from plywise.layers import CHANCE, LAYERS, Layer
from plywise.layers.layer import REQUIRED, check_layers, give_defaults

MAX = 0
"""The player who wants a high score; player 0."""
MIN = 1
"""The player who wants a low score; player 1."""
MOST_COMPARED = 1000
"""The most legal moves that a message about another one looks at."""

State = Any
Move = Any
Number = float  # or int
Scores = Sequence[Number]


if TYPE_CHECKING:
    from plywise.layers.defaults import LayerDefaults

    class Base(NativeValue, LayerDefaults):
        """For type checkers: ``Game`` also has the layers' defaults."""

else:
    Base = NativeValue


class Game(Base):
    """Base class of games.  A subclass becomes a frozen dataclass: annotate a field to add a parameter."""

    ENTRY_POINTS: ClassVar[tuple[str, ...] | None] = (
        *REQUIRED, "evaluate", "bounds", "key", "order",
    )  # fmt: skip
    DEFAULTS: ClassVar[dict[str, type[Layer]]] = {}
    """Attributes that layers give to every game, by name, with the layer."""

    def __init_subclass__(cls, **options: Any) -> None:
        check_layers(cls, Game, LAYERS)
        for layer in LAYERS:
            layer.settle(cls)
        super().__init_subclass__(**options)

    # Required -------------------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """Return the starting position: a NamedTuple of numbers, tuples of numbers or ``Cells``."""
        raise GameError(missing(self, "initial(self)"))

    def to_move(self, state: State) -> int:
        """Return the player to move: MAX (0), MIN (1), or 2, 3, ... with more players; turns need not alternate.

        In a game with the layer ``Chance``, return CHANCE where nobody decides.
        """
        raise GameError(missing(self, "to_move(self, state)"))

    def moves(self, state: State) -> Iterable[Move]:
        """Yield the legal moves as integers; at least one unless the game is over."""
        raise GameError(missing(self, "moves(self, state)"))

    def play(self, state: State, move: Move) -> State:
        """Return the position after ``move``; ``state`` itself must not change."""
        raise GameError(missing(self, "play(self, state, move)"))

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        raise GameError(missing(self, "is_terminal(self, state)"))

    def score(self, state: State) -> Number:
        """Return the result of a finished game for MAX; MIN gets the negative."""
        raise GameError(missing(self, "score(self, state)"))

    # Optional: for the search ---------------------------------------------------------------------------------------

    def evaluate(self, state: State) -> Number:
        """Estimate the score of an unfinished game, for MAX.  Buys: judgement where a search stops before the end."""
        return 0

    def bounds(self, state: State) -> tuple[Number, Number]:
        """Return the lowest and highest score or evaluation still possible, for MAX.  Buys: cutoffs by known bounds."""
        return (-math.inf, math.inf)

    def key(self, state: State) -> Any:
        """Return an id that positions of equal value may share: an integer or a tuple.  Buys: fewer table entries.

        Positions with equal keys must have the same value, and the same evaluation, for the player to move.  The key
        may omit the player to move if swapping the players negates the score.  Mirror images may share a key
        (``plywise.layers.Symmetry`` then says what their moves are called), but not in a game with ``Recurrence``:
        there, equal keys with the same player to move count as a repetition.
        """
        return state

    def order(self, state: State, move: Move) -> int:
        """Return how promising a move looks, as an integer, higher first.  Buys: earlier cutoffs."""
        return 0

    # Optional: for people -------------------------------------------------------------------------------------------

    def format(self, state: State) -> str:
        """Return a position as a short text that ``parse`` can read.  Default: its fields, such as ``0,1/2,3 1``."""
        return format_fields(state)

    def parse(self, text: str) -> State:
        """Return the position that a text describes.

        Raises:
            PositionError: the text is not a position; the message says what is allowed.
        """
        return parse_fields(text, self.initial(), type(self).__name__)

    def format_move(self, state: State, move: Move) -> str:
        """Return a move as a short text without spaces.  Default: the integer."""
        return str(move)

    def parse_move(self, state: State, text: str) -> Move:
        """Return the legal move with this text, its ``format_move`` or its ``move_name``; in upper or lower case, if
        only one move fits then.

        Raises:
            PositionError: no legal move has this text; the message says why, if ``View.why_illegal`` does, and names
                the legal moves if they are few, else those whose texts are like it.
        """
        for case in (str, str.lower):
            for name in (self.format_move, self.move_name):
                fitting = [move for move in self.moves(state) if case(name(state, move)) == case(text.strip())]
                if fitting and (case is str or len(fitting) == 1):
                    return fitting[0]
        raise PositionError(not_legal(self, state, text, self.why_illegal(state, text.strip())))

    def board(self, state: State) -> str:
        """Return a picture of a position for the terminal, one or more lines.  Default: its text."""
        return self.format(state)

    def player_name(self, player: int) -> str:
        """Return a player's name.  Default: Max, Min, or ``player 3`` and so on; Chance for CHANCE."""
        if player == CHANCE:
            return "Chance"
        return ("Max", "Min")[player] if player in (MAX, MIN) else f"player {player + 1}"

    def is_zero_sum(self) -> bool:
        """Return whether the game has two players with opposite scores.  Games without that inherit ``ManyPlayers``."""
        return True

    def whole_scores(self) -> bool:
        """Return whether ``score``, and ``evaluate`` if defined, are annotated ``-> int``."""
        defined = [method for method in (type(self).score, type(self).evaluate) if method is not Game.evaluate]
        return all(method.__annotations__.get("return") in (int, "int") for method in defined)


give_defaults(Game, LAYERS)


@inlined
def key_and_player(game: Game, state: State) -> Any:
    """Return a position's key and the player to move.  Positions that share both have the same value for MAX."""
    return game.key(state), game.to_move(state)


def sign(player: int) -> int:
    """Return +1 for MAX and -1 for MIN: the factor from MAX's score to this player's.  Where CHANCE moves, values are
    MAX's.
    """
    return -1 if player == MIN else 1


def same_side(one: int, other: int) -> bool:
    """Return whether values are seen from the same side where these two are to move."""
    return (one == MIN) == (other == MIN)


def not_legal(game: Game, state: State, text: str, why: str = "") -> str:
    """Return the error message for a text that is not a legal move, with a reason if there is one.

    >>> import plywise as pw
    >>> game = pw.games.Chess()
    >>> not_legal(game, game.initial(), "e5")
    "'e5' is not a legal move here; did you mean e3 or e4?"
    """
    said = f"{text!r} is not a legal move here"
    moves = list(islice(game.moves(state), MOST_COMPARED))
    if not moves:
        return f"{said}: the game is over"
    choices = [(game.move_name(state, move), game.format_move(state, move)) for move in moves]
    return f"{said}{why and f': {why}'}; {suggestion(text.strip(), choices)}"


def missing(game: Game, method: str) -> str:
    """Return the error message for a missing required method."""
    return f"class {type(game).__name__} must define {method}"
