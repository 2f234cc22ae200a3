"""Matches between two evaluations of one game: each bot uses its own class, and both classes must have the same rules.

The umpire uses the first class.  The second bot gets every position converted to its own class; its moves mean the same
because the rules do.  This is checked on the code: each rule, and everything it can reach, must have the same
fingerprint in both classes.  Search hooks, evaluations and texts may differ.
"""

from __future__ import annotations

import dataclasses
import types
from pathlib import Path

from plywise.compiling.fingerprint import (
    GENERATED,
    VOLATILE,
    fingerprint,
    functions_reached,
    members,
    members_reached,
    names_in,
    plain,
    tuple_classes,
    tuple_fingerprint,
)
from plywise.errors import GameError
from plywise.game import Game, State
from plywise.layers.layer import REQUIRED
from plywise.match.bots import Bot, Choice, Turn
from plywise.match.time_control import Limits

UMPIRED = (*REQUIRED, "reversible", "repetition", "repetitions", "probability")
"""What the umpire uses: both games must agree on it."""


def check_rivals(game: Game, other: Game) -> None:
    """Check that two games have the same rules.

    Raises:
        GameError: they do not; the message names the difference.
    """
    for rule in UMPIRED:
        if (found := _difference(type(game), type(other), rule)) is not None:
            raise GameError(f"the two games of a match need the same rules, but {found}")
    _check_positions(game, other)
    used = {name for function in functions_reached(type(game), UMPIRED) for name in names_in(function.__code__)}
    mine, theirs = _parameters(game), _parameters(other)
    for name in sorted({*mine, *theirs} & used):
        if mine.get(name) != theirs.get(name):
            raise GameError(f"the two games of a match need the same rules, but {name} is {mine.get(name)} in {game!r} "
                            f"and {theirs.get(name)} in {other!r}")  # fmt: skip
    example = game.initial()
    if not isinstance(example, (tuple, int, float, str)):
        raise GameError(f"a match between two classes needs NamedTuples as positions, not {type(example).__name__}")


def _check_positions(game: Game, other: Game) -> None:
    """Check that the positions of two games agree in the methods that rules use."""
    for mine, theirs in zip(tuple_classes(game.initial()), tuple_classes(other.initial()), strict=False):
        if tuple_fingerprint(mine, type(game), UMPIRED) != tuple_fingerprint(theirs, type(other), UMPIRED):
            names = sorted({*members(mine), *members(theirs)} - {*GENERATED, *mine._fields, *theirs._fields})  # type: ignore[attr-defined]
            found = next(filter(None, (_different_members(mine, theirs, name) for name in names)), "something differs")
            raise GameError(f"the two games of a match need the same rules, but in {mine.__name__}, {found}")


class Rival(Bot):
    """A bot that uses its own game class."""

    def __init__(self, bot: Bot, game: Game) -> None:
        self.bot = bot
        self.example = game.initial()

    def choose(self, turn: Turn) -> Choice:
        return self.bot.choose(turn._replace(states=[translated(state, self.example) for state in turn.states]))

    def warm_up(self, state: State, limits: Limits) -> None:
        self.bot.warm_up(translated(state, self.example), limits)

    def new_game(self, seed: int) -> None:
        self.bot.new_game(seed)

    def close(self) -> None:
        self.bot.close()

    def kill(self) -> None:
        self.bot.kill()


def translated(state: State, example: State) -> State:
    """Return a position converted to the class of ``example``: two files define two NamedTuples."""
    if not isinstance(state, tuple) or not isinstance(example, tuple):
        return state
    if len(state) == len(example):
        items = [translated(item, inner) for item, inner in zip(state, example, strict=True)]
        return type(example)(*items) if hasattr(example, "_fields") else type(example)(items)
    return state


# Comparing code -------------------------------------------------------------------------------------------------------


def _difference(mine: type[Game], theirs: type[Game], rule: str) -> str | None:
    """Return a sentence on how a rule differs between two classes; None if it does not."""
    differences = (_different_members(mine, theirs, name) for name in members_reached(mine, [rule]))
    return next(filter(None, differences), None)


def _different_members(mine: type, theirs: type, name: str) -> str | None:
    """Return a sentence on how a member differs between two classes; None if it does not."""
    one, other = (plain(members(cls).get(name)) for cls in (mine, theirs))
    if one is other:
        return None
    if not isinstance(one, types.FunctionType) or not isinstance(other, types.FunctionType):
        return f"{name} differs: {one!r} and {other!r}" if repr(one) != repr(other) else None
    prints = fingerprint(one), fingerprint(other)
    if any(each.startswith(VOLATILE) for each in prints):
        return f"{name}() cannot be compared: it uses an object that has no stable fingerprint"
    return f"{name}() differs: {_place(one)}, and {_place(other)}" if prints[0] != prints[1] else None


def _place(function: types.FunctionType) -> str:
    return f"{Path(function.__code__.co_filename).name}, line {function.__code__.co_firstlineno}"


def _parameters(game: Game) -> dict[str, str]:
    return {field.name: repr(getattr(game, field.name)) for field in dataclasses.fields(game)}
