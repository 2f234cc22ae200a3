"""The contract between a game and everything that plywise can do with it.

A game is a small class.  Its fields are its parameters, a position is a value, a move is an integer:

>>> from typing import NamedTuple
>>> import plywise as pw
>>> class Pile(NamedTuple):
...     left: int
...     turn: int
>>> class Subtraction(pw.Game):
...     '''Take one, two or three from a pile; whoever takes the last one wins.'''
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

The six methods above are required.  The hooks below them are optional: each has a default that costs nothing, and each
says in one line what it buys.  Everything is plain Python; written with integers, tuples and loops, it is compiled.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from plywise.compiling.native import Native, inlined
from plywise.errors import GameError, PositionError
from plywise.io.fields import format_fields, parse_fields

MAX = 0
"""The player who wants a high score; the first of the players."""
MIN = 1
"""The player who wants a low score."""

RULES = ("to_move", "moves", "play", "is_terminal", "score")
"""What ``candidates`` and ``proven_bounds`` are theory about: a subclass that changes one of these inherits neither."""

State = Any
Move = Any
Number = float  # an int is one too
Scores = Sequence[Number]


class Game(Native):
    """Base class of games.  A subclass is a frozen dataclass: annotate a field to give the game a parameter."""

    ENTRY_POINTS: ClassVar[tuple[str, ...] | None] = (
        "initial", "to_move", "moves", "play", "is_terminal", "score",
        "scores", "evaluate", "estimates", "bounds", "sum_bounds", "key",
        "proven_bounds", "candidates", "order", "gain", "noisy_moves", "extension", "swing", "can_pass", "pass_move",
        "win_score", "reversible", "repetition", "count_moves", "wins_at_least", "trait",
    )  # fmt: skip

    def __init_subclass__(cls, **options: Any) -> None:
        if "scores" in vars(cls) and "estimates" not in vars(cls):
            cls.estimates = _scores_as_estimates  # type: ignore[method-assign]
        if not vars(cls).keys().isdisjoint(RULES):  # under other rules a parent's theory may be false
            if "candidates" not in vars(cls):
                cls.candidates = cls.moves  # type: ignore[method-assign]
            if "proven_bounds" not in vars(cls):
                cls.proven_bounds = Game.proven_bounds  # type: ignore[method-assign]
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
        """Return what a finished game is worth for MAX; it is worth as much less for MIN."""
        return self.scores(state)[0]

    # Optional: what a search can use --------------------------------------------------------------------------------

    def scores(self, state: State) -> Sequence[Number]:
        """Return what a finished game is worth for each player.  Buys: more players, sums other than zero (max^n)."""
        score = self.score(state)
        return (score, -score)

    def evaluate(self, state: State) -> Number:
        """Estimate the score of an unfinished game, for MAX.  Buys: sense beyond the horizon of a limited search."""
        return 0

    def estimates(self, state: State) -> Sequence[Number]:
        """Estimate the scores of an unfinished game.  Buys: max^n with a depth limit.  Default: ``evaluate`` and its
        opposite; where ``scores`` is defined, ``scores``, as if the game ended here.
        """
        value = self.evaluate(state)
        return (value, -value)

    def bounds(self, state: State) -> tuple[Number, Number]:
        """Return the worst and the best score, or evaluation, still possible here, for MAX.  Buys: stopping at it."""
        return (-math.inf, math.inf)

    def proven_bounds(self, state: State) -> tuple[Number, Number]:
        """Return the worst and the best score that theory leaves possible, for MAX.  Buys: less to search exactly.

        A subclass that changes a rule of its parent's does not inherit this, nor ``candidates``.
        """
        return self.bounds(state)

    def candidates(self, state: State) -> Iterable[Move]:
        """Yield moves of which at least one is best.  Buys: the others are not searched.  Default: all."""
        return self.moves(state)

    def order(self, state: State, move: Move) -> int:
        """Return how promising a move looks, any integer.  Buys: good moves first, and so more cutoffs."""
        return 0

    def gain(self, state: State, move: Move) -> int:
        """Return what a noisy move, such as a capture, seems to win; 0 for a quiet one.  Buys: noisy moves first."""
        return 0

    def wins_at_least(self, state: State, move: Move, amount: Number) -> bool:
        """Return whether a move, with the exchange that it may begin, gains so much.  Buys: bad exchanges last, or
        never.
        """
        return True

    def trait(self, state: State, move: Move) -> int:
        """Return a number that moves share which do the same, say a piece to a square.  Buys: learning what follows
        what.
        """
        return move  # type: ignore[no-any-return]

    def noisy_moves(self, state: State) -> Iterable[Move]:
        """Yield the moves that change the evaluation abruptly.  Buys: no evaluation in the middle of an exchange."""
        for move in range(0):
            yield move

    def extension(self, state: State) -> int:
        """Return how many plies deeper to look at this position, say 1 in check.  Buys: forced lines seen to their end.

        It must be 0 on most positions of any line.  Where it is not, ``noisy_moves`` must yield all moves: who is
        pressed so may not stand pat in quiescence, and what is not yielded there is not seen.
        """
        return 0

    def swing(self) -> Number:
        """Return how much a ply usually changes the evaluation, above 0, say a pawn.  Buys: margins, so pruning."""
        return math.inf

    def can_pass(self, state: State) -> bool:
        """Return whether passing would be no advantage here.  Buys: the null move."""
        return False

    def pass_move(self, state: State) -> State:
        """Return the position after a pass, legal or not: the other player moves."""
        return state

    def win_score(self) -> Number:
        """Return the least score that is a win.  Buys: the fastest win, where scores do not tell it: a point a ply.

        It must be above every other score and every evaluation by more than 1000, the plies that a search may look
        ahead: what is closer would be taken for a distant win.
        """
        return math.inf

    def reversible(self, state: State) -> int:
        """Return how many plies back the same position may have been, 0 if never.  Buys: games with repetition."""
        return 0

    def repetition(self, state: State) -> Number:
        """Return what the game is worth, for MAX, when ``state`` occurs again.  A game that forbids it gives whoever
        repeats less than any loss.
        """
        return 0

    def count_moves(self, state: State) -> int:
        """Return how many moves there are.  Buys: perft that need not list the last ones."""
        count = 0
        for _ in self.moves(state):
            count += 1
        return count

    def counted(self) -> Game:
        """Return the game whose moves perft counts.  Default: this one; in chess, by custom, one without draws."""
        return self

    def sum_bounds(self) -> tuple[Number, Number]:
        """Return the least that one player and the most that all together can score, or be estimated to.  Buys:
        pruning in max^n.
        """
        return (-math.inf, math.inf)

    def key(self, state: State) -> Any:
        """Return what positions of equal value may share: an integer or a tuple.  Buys: symmetry in a table.

        Equal keys promise that the positions are worth the same to the player who moves there, and that ``evaluate``
        says so too.  Whose turn it is may be left out where swapping the players swaps the score: whatever speaks of
        MAX, as proofs do, adds the player itself (``key_and_player``).  Mirror images may share a key.  Then a move in
        a table belongs to the image that was searched: the others take it for a hint, and only if it is legal there.
        In a game with ``reversible`` positions, those with equal keys and the same player to move count as repeated,
        so mirror images must not share a key.
        """
        return state

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
            PositionError: no legal move has this text; the message lists those that there are.
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
        """Return whether one number is the score of both players: ``score`` is defined.  If not, only max^n applies."""
        return type(self).score is not Game.score

    def whole_scores(self) -> bool:
        """Return whether every score and evaluation is an integer, as far as annotations (``-> int``) tell."""
        return all(
            (getattr(type(self), name) is getattr(Game, name) and name == "evaluate")
            or getattr(type(self), name).__annotations__.get("return") in (int, "int")
            for name in ("score", "evaluate")
        )

    # Optional: what a match needs -----------------------------------------------------------------------------------

    def repetitions(self) -> int:
        """Return at which occurrence of a position a game that is played ends by ``repetition``.  A search, which looks
        for what can be enforced, takes the second for it.
        """
        return 2

    def record(self, start: State, moves: Sequence[Move], about: Mapping[str, str]) -> str | None:
        """Return a game that was played as players of this game write it down, say in chess's PGN; None: there is no
        such form.

        ``about`` has what a reader wants to know: ``event``, ``date``, ``round``, ``max`` and ``min`` (who played),
        ``result`` (1-0, 0-1 or 1/2-1/2, Max's first), ``reason`` and ``clock``.
        """
        return None

    # Two games are equal if they are of one class with equal fields -------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in zip(_values(self), _values(other), strict=True)
        )

    def __hash__(self) -> int:
        return hash((type(self), *(v for v in _values(self) if isinstance(v, (int, float, str, tuple)))))


def _scores_as_estimates(self: Game, state: State) -> Sequence[Number]:
    return self.scores(state)


@inlined
def key_and_player(game: Game, state: State) -> Any:
    """Return a position's key with the player to move: positions in which both are equal are worth the same to MAX."""
    return game.key(state), game.to_move(state)


def path_matters(game: Game) -> bool:
    """Return whether a value may depend on the way to a position: on repetitions, or on how far away a win is."""
    return type(game).reversible is not Game.reversible or type(game).win_score is not Game.win_score


def sign(player: int) -> int:
    """Return +1 for MAX and -1 for MIN: what turns MAX's score into the score of the player to move."""
    return 1 - 2 * player


def missing(game: Game, method: str) -> str:
    """Return the message for a required method that a class does not define."""
    return f"class {type(game).__name__} must define {method}"


def name_of(game: Game | type[Game]) -> str:
    """Return the name of a game on the command line: ``ConnectFour`` is ``connect-four``."""
    name = (game if isinstance(game, type) else type(game)).__name__
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def _values(game: Any) -> list[Any]:
    return [getattr(game, field.name) for field in dataclasses.fields(game)]
