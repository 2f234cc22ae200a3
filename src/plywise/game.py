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

The six methods above are required.  The others below are optional, and each says what it buys.  What only some games
know, such as captures, repetition or more players, is a layer: a class of ``plywise.layers``, inherited before
``Game``.  Everything is plain Python; written with integers, tuples and loops, it is compiled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from plywise.compiling.native import NativeValue, inlined
from plywise.errors import GameError, PositionError
from plywise.io.fields import format_fields, parse_fields
from plywise.layers import LAYERS, Layer
from plywise.layers.layer import check_layers, give_defaults

MAX = 0
"""The player who wants a high score; the first of the players."""
MIN = 1
"""The player who wants a low score."""

State = Any
Move = Any
Number = float  # an int is one too
Scores = Sequence[Number]


if TYPE_CHECKING:
    from plywise.layers.defaults import LayerDefaults

    class Base(NativeValue, LayerDefaults):
        """A game also has what ``give_defaults`` adds below."""

else:
    Base = NativeValue


class Game(Base):
    """Base class of games.  A subclass is a frozen dataclass: annotate a field to give the game a parameter."""

    ENTRY_POINTS: ClassVar[tuple[str, ...] | None] = (
        "initial", "to_move", "moves", "play", "is_terminal", "score", "evaluate", "bounds", "key", "order",
    )  # fmt: skip
    DEFAULTS: ClassVar[dict[str, type[Layer]]] = {}
    """What every game has from the layers, inherited or not."""

    def __init_subclass__(cls, **options: Any) -> None:
        check_layers(cls, Game, LAYERS)
        for layer in LAYERS:
            layer.settle(cls)
        super().__init_subclass__(**options)

    # Required -------------------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """Return the position in which the game begins: a NamedTuple of numbers, tuples of numbers or ``Cells``."""
        raise GameError(missing(self, "initial(self)"))

    def to_move(self, state: State) -> int:
        """Return who moves: MAX (0) or MIN (1); 2, 3, ... in games of more players.  A player may move twice."""
        raise GameError(missing(self, "to_move(self, state)"))

    def moves(self, state: State) -> Iterable[Move]:
        """Yield the legal moves, integers: at least one, or none if the game is over."""
        raise GameError(missing(self, "moves(self, state)"))

    def play(self, state: State, move: Move) -> State:
        """Return the position after ``move``.  The given one does not change."""
        raise GameError(missing(self, "play(self, state, move)"))

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        raise GameError(missing(self, "is_terminal(self, state)"))

    def score(self, state: State) -> Number:
        """Return what a finished game is worth for MAX; MIN gets the opposite."""
        raise GameError(missing(self, "score(self, state)"))

    # Optional: what a search can use --------------------------------------------------------------------------------

    def evaluate(self, state: State) -> Number:
        """Estimate the score of an unfinished game, for MAX.  Buys: judgement beyond the horizon of a search."""
        return 0

    def bounds(self, state: State) -> tuple[Number, Number]:
        """Return the lowest and the highest score, or evaluation, still possible, for MAX.  Buys: stopping there."""
        return (-math.inf, math.inf)

    def key(self, state: State) -> Any:
        """Return what positions of equal value may share: an integer or a tuple.  Buys: fewer entries in a table.

        Equal keys promise that the positions are worth the same to the player who moves there, and that ``evaluate``
        says so too.  The key may leave out whose turn it is if swapping the players swaps the score.  Mirror images may
        share a key (see ``plywise.layers.Symmetry``), but not in a game with ``Recurrence``: there, equal keys with the
        same player to move count as a repetition.
        """
        return state

    def order(self, state: State, move: Move) -> int:
        """Return how promising a move looks, any integer.  Buys: good moves first, and so more cutoffs."""
        return 0

    # Optional: what people read and write ---------------------------------------------------------------------------

    def format(self, state: State) -> str:
        """Return a position as a short text that ``parse`` understands.  Default: its fields, such as ``0,1/2,3 1``."""
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
        """Return the legal move that a text describes.

        Raises:
            PositionError: no legal move has this text; the message lists the legal moves.
        """
        texts = [self.format_move(state, move) for move in self.moves(state)]
        for move, known in zip(self.moves(state), texts, strict=True):
            if known == text.strip():
                return move
        raise PositionError(f"{text!r} is not a legal move here; legal are: {' '.join(texts)}")

    def board(self, state: State) -> str:
        """Return a picture of a position for the terminal, one or more lines.  Default: its text."""
        return self.format(state)

    def player_name(self, player: int) -> str:
        """Return what a player is called.  Default: Max, Min, or a number."""
        return ("Max", "Min")[player] if player in (MAX, MIN) else f"player {player + 1}"

    def is_zero_sum(self) -> bool:
        """Return whether one number is the score of both players; if not, the game is ``ManyPlayers``."""
        return True

    def whole_scores(self) -> bool:
        """Return whether every score and evaluation is an integer, as far as annotations (``-> int``) tell."""
        defined = [method for method in (type(self).score, type(self).evaluate) if method is not Game.evaluate]
        return all(method.__annotations__.get("return") in (int, "int") for method in defined)


give_defaults(Game, LAYERS)


@inlined
def key_and_player(game: Game, state: State) -> Any:
    """Return a position's key with the player to move: positions in which both are equal are worth the same to MAX."""
    return game.key(state), game.to_move(state)


def sign(player: int) -> int:
    """Return +1 for MAX and -1 for MIN: what turns MAX's score into the score of the player to move."""
    return 1 - 2 * player


def missing(game: Game, method: str) -> str:
    """Return the message for a required method that a class does not define."""
    return f"class {type(game).__name__} must define {method}"
