"""Positions as input: a position, its text or nothing becomes a checked position of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from plywise.errors import GameError, PositionError, SearchError
from plywise.game import MAX, MIN, Game, State, missing
from plywise.games import catalogue
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import CHANCE, Chance, ManyPlayers


def position(game: Game, state: State | str | None) -> State:
    """Return the given position, the position of the given text, or the initial position.

    Raises:
        GameError: ``game`` is not a game, or lacks a method for scores.
        PositionError: it is not a position of this game.
    """
    if not isinstance(game, Game):
        raise GameError(f"{game!r} is not a game{_hint(game)}")
    if type(game).score is Game.score:
        raise GameError(missing(game, "score(self, state)"))
    if not game.is_zero_sum() and type(game).scores is ManyPlayers.scores:
        raise GameError(missing(game, "scores(self, state)"))
    example = game.initial()
    if state is None:
        return example
    if isinstance(state, str):
        return game.parse(state)
    if type(state) is not type(example):
        raise PositionError(f"{state!r} is not a position of {game!r}, such as {example!r} or a text")
    return state


def _hint(thing: Any) -> str:
    """Return a guess at the game that was meant, or nothing."""
    if isinstance(thing, str):
        made = catalogue().get(thing.lower())
        return "" if made is None else f"; did you mean pw.games.{getattr(made, '__name__', thing)}()?"
    return f"; did you mean {thing.__name__}()?" if isinstance(thing, type) and issubclass(thing, Game) else ""


def unfinished(game: Game, state: State | str | None) -> State:
    """Return the position as ``position`` does, and check that the game is not over there.

    Raises:
        GameError, PositionError: as ``position`` does.
        SearchError: the game is over there, or ``to_move`` names neither of the two players.
    """
    start = position(game, state)
    if game.is_terminal(start):
        raise SearchError(f"the game is over in position {game.format(start)!r}: there is no move to search for")
    player = game.to_move(start)
    if game.is_zero_sum() and player not in (MAX, MIN) and not _is_chance(game, player):
        hint = ", or -1 (chance) in a game that inherits pw.Chance" if player == CHANCE else ""
        raise SearchError(f"to_move() is {player!r} in position {game.format(start)!r}; it must be 0 (Max) or 1 (Min)"
                          f"{hint}")  # fmt: skip
    return start


def path_to(game: Game, state: State, history: Sequence[State]) -> list[State]:
    """Return a position after those of ``history`` that may recur: searches of equal paths are the same.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> path_to(game, game.parse("X../.../..."), [game.initial()]) == [game.parse("X../.../...")]
    True
    """
    back = min(game.reversible(state), LONGEST_LINE)
    return [*history[max(0, len(history) - back) :], state]


def check_zero_sum(game: Game, name: str) -> None:
    """Check that a game is zero-sum for two players, as the search called ``name`` requires.

    Raises:
        SearchError: it is not.
    """
    if not game.is_zero_sum():
        instead = "expectimaxn" if isinstance(game, Chance) else "maxn"
        raise SearchError(f"{name} is for two players whose scores sum to zero; {game!r} needs {instead}")


def check_two_players(game: Game, state: State, name: str) -> None:
    """Check that a position is one for the search that is called ``name``.

    Raises:
        SearchError: a third player moves there.
    """
    player = game.to_move(state)
    if player not in (MAX, MIN) and not _is_chance(game, player):
        raise SearchError(f"{name} is for two players; {game!r} has more and needs maxn")


def _is_chance(game: Game, player: int) -> bool:
    return player == CHANCE and isinstance(game, Chance)


class PositionLine(NamedTuple):
    """A line of a file that holds a position."""

    number: int
    """From 1, as in an editor."""
    text: str


def lines_with_positions(content: bytes) -> list[PositionLine]:
    """Return the lines of a file that are neither blank nor comments.

    >>> lines_with_positions(b"# Connect Four\\n44\\n\\n4455 ")
    [PositionLine(number=2, text='44'), PositionLine(number=4, text='4455')]
    """
    texts = (text.strip() for text in content.decode("utf-8-sig", errors="replace").split("\n"))
    return [PositionLine(number, text) for number, text in enumerate(texts, 1) if text and not text.startswith("#")]
