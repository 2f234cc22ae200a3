"""``adapt`` turns a board from another library, which can apply and undo moves, or a written tree into a game.

A board changes as it is played on, but a search needs positions that are values.  So a position is the tuple of moves
that lead to it.  One private copy of the board moves between positions by undoing and applying only the moves in which
they differ.  This is convenient rather than fast: such a game is plain Python and never compiled.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from plywise.errors import GameError, PositionError
from plywise.game import MAX, MIN, Game
from plywise.layers import View

MovePath = tuple[Hashable, ...]
"""A position: the moves played so far."""

METHOD_NAMES: Mapping[str, tuple[str, ...]] = {
    "push": ("push", "apply"),
    "pop": ("pop", "undo"),
    "moves": ("legal_moves", "moves"),
    "over": ("is_game_over", "is_terminal", "is_over"),
    "player": ("turn", "player", "to_move"),
    "score": ("score",),
}
"""The usual names on boards for what a game needs."""


def adapt(
    thing: Any,
    *,
    score: str | Callable[[Any], float] | None = None,
    player: str | Callable[[Any], int] | None = None,
    moves: str | Callable[[Any], Iterable[Any]] | None = None,
    over: str | Callable[[Any], bool] | None = None,
    push: str | Callable[[Any, Any], Any] | None = None,
    pop: str | Callable[[Any, Any], Any] | None = None,
    evaluate: str | Callable[[Any], float] | None = None,
    key: str | Callable[[Any], Hashable] | None = None,
    move_text: Callable[[Any, Any], str] | None = None,
) -> Game:
    """Return a game made from a board or a tree.

    Nested lists, a JSON object or a ``networkx.DiGraph`` become a ``plywise.games.Tree``, without further arguments.
    Anything else is a board in its initial position, such as a ``chess.Board()``.  Each argument is the name of an
    attribute or method of the board, or a function of the board; if it is left out, the usual names are tried.  The
    board is copied; the original never changes.

    Args:
        thing: a board, or a tree.
        score: the score of a finished game, for Max.
        player: the player to move: 0 (Max) or 1 (Min); True means Max and False Min, as for White and Black in
            python-chess.
        moves: the legal moves: anything hashable.
        over: whether the game is over.
        push: apply a move; a function gets the board and the move.
        pop: undo the last move; a function gets the board and the move.
        evaluate: an estimate of the score of an unfinished game, for Max.
        key: what positions of equal value share; default: the moves played, so a memo recognises no transpositions.
        move_text: the text of a move, without spaces, given the board before it; default: ``str(move)``.

    Raises:
        GameError: something that a game needs is missing; the message names it.

    >>> class Pile:
    ...     left, turn = 5, True
    ...     def legal_moves(self):
    ...         return range(1, min(3, self.left) + 1)
    ...     def apply(self, count):
    ...         self.left, self.turn = self.left - count, not self.turn
    ...     def undo(self, count):
    ...         self.apply(-count)
    >>> game = adapt(Pile(), pop=Pile.undo, over=lambda pile: pile.left == 0, score=lambda pile: -1 if pile.turn else 1)
    >>> game.score(game.parse("1 1 3"))
    1
    """
    given = {"score": score, "player": player, "moves": moves, "over": over, "push": push, "pop": pop,
             "evaluate": evaluate, "key": key, "move_text": move_text}  # fmt: skip
    given = {what: how for what, how in given.items() if how is not None}
    complete = thing if isinstance(thing, Game) else _tree(thing)
    if complete is None:
        return _adapted(thing, given)
    if given:
        raise GameError(f"{next(iter(given))}= is for boards only: a {type(thing).__name__} needs no arguments")
    return complete


def _tree(thing: Any) -> Game | None:
    from plywise.games.tree import Tree

    if isinstance(thing, list):
        return Tree.from_lists(thing)
    if isinstance(thing, Mapping):
        return Tree.from_json(thing)
    if all(hasattr(thing, name) for name in ("is_directed", "in_degree", "edges")):
        return Tree.from_networkx(thing)
    return None


class _Walker:
    """A private copy of a board that moves from one position to another."""

    def __init__(self, board: Any, push: Callable[[Any, Any], Any], pop: Callable[[Any, Any], Any]) -> None:
        self.board = copy.deepcopy(board)
        self.path: list[Hashable] = []
        self.push = push
        self.pop = pop

    def at(self, path: MovePath) -> Any:
        """Return the board, moved to the position ``path``."""
        common = 0
        for here, there in zip(self.path, path, strict=False):
            if here != there:
                break
            common += 1
        while len(self.path) > common:
            self.pop(self.board, self.path[-1])
            self.path.pop()
        for move in path[common:]:
            self.push(self.board, move)
            self.path.append(move)
        return self.board


class Adapted(View, Game):
    """A game on a board from another library; made by ``adapt``.  Only one thread may use it at a time."""

    INTERPRETED_ONLY: ClassVar[bool] = True

    walker: _Walker = dataclasses.field(repr=False)
    ask: Mapping[str, Callable[..., Any]] = dataclasses.field(repr=False)
    """Functions that read the board: ``moves``, ``over``, ``player``, ``score``, and any others given."""

    def initial(self) -> MovePath:
        return ()

    def to_move(self, state: MovePath) -> int:
        player = self.ask["player"](self.walker.at(state))
        if player is True or player is False:
            return MAX if player else MIN
        if not isinstance(player, int) or player < 0:
            raise GameError(
                f"the player to move is {player!r}: give player=, a function that returns 0 (Max) or 1 (Min)"
            )
        return player

    def moves(self, state: MovePath) -> Iterable[Hashable]:
        return tuple(self.ask["moves"](self.walker.at(state)))

    def play(self, state: MovePath, move: Hashable) -> MovePath:
        return (*state, move)

    def is_terminal(self, state: MovePath) -> bool:
        return bool(self.ask["over"](self.walker.at(state)))

    def score(self, state: MovePath) -> float:
        return self.ask["score"](self.walker.at(state))  # type: ignore[no-any-return]

    def evaluate(self, state: MovePath) -> float:
        return self.ask["evaluate"](self.walker.at(state)) if "evaluate" in self.ask else 0

    def key(self, state: MovePath) -> Hashable:
        return self.ask["key"](self.walker.at(state)) if "key" in self.ask else state

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> MovePath:
        state = self.initial()
        for word in text.split():
            if self.is_terminal(state):
                raise PositionError(f"{text!r} is not a position: the game is over after {self.format(state)!r}")
            state = self.play(state, self.parse_move(state, word))
        return state

    def format(self, state: MovePath) -> str:
        return " ".join(self.format_move(state[:i], move) for i, move in enumerate(state))

    def format_move(self, state: MovePath, move: Hashable) -> str:
        return self.ask["move_text"](self.walker.at(state), move) if "move_text" in self.ask else str(move)

    @cached_property
    def title(self) -> str:  # type: ignore[override]
        return type(self.walker.board).__name__

    def board(self, state: MovePath) -> str:
        return str(self.walker.at(state))

    def __repr__(self) -> str:
        return f"adapt({type(self.walker.board).__name__})"


def _adapted(board: Any, given: Mapping[str, Any]) -> Adapted:
    """Find what a game needs in ``given`` or under a usual name, and check the player to move."""
    found = {what: given[what] if what in given else _usual_name(board, what) for what in METHOD_NAMES}
    found |= given
    for what, how in found.items():
        if isinstance(how, str):
            if not hasattr(board, how):
                raise GameError(f"{type(board).__name__} has no attribute {how!r}, given as {what}=")
        elif not callable(how):
            raise GameError(f"{what}={how!r} is neither a function nor the name of an attribute")
    push, pop = found.pop("push"), found.pop("pop")
    if isinstance(push, str):
        push = _method(push)
    if isinstance(pop, str):
        pop = _method(pop, takes_move=False)
    ask = {what: _reader(how) if isinstance(how, str) else how for what, how in found.items()}
    game = Adapted(_Walker(board, push, pop), ask)
    game.to_move(game.initial())
    return game


def _usual_name(board: Any, what: str) -> str:
    for name in METHOD_NAMES[what]:
        if hasattr(board, name):
            return name
    raise GameError(f"{type(board).__name__} has no {' or '.join(METHOD_NAMES[what])}: give {what}=, "
                    "the name of an attribute or a function of the board")  # fmt: skip


def _reader(name: str) -> Callable[[Any], Any]:
    """Return a function that reads an attribute, or calls a method, of a board."""

    def read(board: Any) -> Any:
        value = getattr(board, name)
        return value() if callable(value) else value

    return read


def _method(name: str, takes_move: bool = True) -> Callable[[Any, Any], Any]:
    """Return a function that calls a method of a board."""
    return lambda board, move: getattr(board, name)(*[move] * takes_move)
