"""Two evaluations of one game: bots that think in classes of their own, and rules that must be the same in both.

The first class is the umpire's.  A bot of the second gets every position as its own class knows it, and its moves mean
the same if the rules do.  Whether they do is decided by their code: a rule, and whatever it can reach, must have one
fingerprint in both classes.  Hooks of the search, evaluations and texts may differ.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.errors import GameError
from plywise.fingerprint import VOLATILE, fingerprint, installed, members, names_in, plain
from plywise.game import Game, State
from plywise.match.bots import Bot, Choice, Turn
from plywise.match.control import Limits

RULES = ("initial", "to_move", "moves", "play", "is_terminal", "score", "reversible", "repetition", "repetitions")
"""What an umpire asks a game."""


def check_rivals(game: Game, other: Game) -> None:
    """Check that two games have the same rules.

    Raises:
        GameError: they have not; the message names what differs.
    """
    for rule in RULES:
        if (found := _difference(type(game), type(other), rule)) is not None:
            raise GameError(f"the two games of a match need the same rules, but {found}")
    used = set().union(*(_reached(type(game), rule) for rule in RULES))
    mine, theirs = _parameters(game), _parameters(other)
    for name in sorted({*mine, *theirs} & used):
        if mine.get(name) != theirs.get(name):
            raise GameError(f"the two games of a match need the same rules, but {name} is {mine.get(name)} in {game!r} "
                            f"and {theirs.get(name)} in {other!r}")  # fmt: skip
    example = game.initial()
    if not isinstance(example, (tuple, int, float, str)):
        raise GameError(f"a match of two classes needs positions that are NamedTuples, not {type(example).__name__}")


class Rival(Bot):
    """A bot that plays in a class of its own."""

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
    """Return a position as the class of ``example``: the NamedTuples of two files are not the same."""
    if not isinstance(state, tuple) or not isinstance(example, tuple):
        return state
    if len(state) == len(example):
        items = [translated(item, inner) for item, inner in zip(state, example, strict=True)]
        return type(example)(*items) if hasattr(example, "_fields") else type(example)(items)
    return state


# Comparing code -------------------------------------------------------------------------------------------------------


def _difference(mine: type[Game], theirs: type[Game], rule: str) -> str | None:
    """Return a sentence on what keeps a rule from being the same in both classes."""
    for name in _members_of(mine, rule):
        one, other = (plain(members(cls).get(name)) for cls in (mine, theirs))
        if one is other:
            continue
        if not isinstance(one, types.FunctionType) or not isinstance(other, types.FunctionType):
            if repr(one) != repr(other):
                return f"{name} differs: {one!r} and {other!r}"
            continue
        prints = fingerprint(one), fingerprint(other)
        if any(each.startswith(VOLATILE) for each in prints):
            return f"{name}() cannot be compared: it uses an object that has no lasting description"
        if prints[0] != prints[1]:
            return f"{name}() differs: {_place(one)}, and {_place(other)}"
    return None


def _place(function: types.FunctionType) -> str:
    return f"{Path(function.__code__.co_filename).name}, line {function.__code__.co_firstlineno}"


def _members_of(cls: type[Game], rule: str) -> list[str]:
    """Return a rule and all members of its class that it may use, nearest first; parameters are no members."""
    known = members(cls)
    usable = set(known) - {field.name for field in dataclasses.fields(cls)}
    found = [rule]
    for name in found:
        function = plain(known.get(name))
        if isinstance(function, types.FunctionType):
            found += sorted(names_in(function.__code__) & usable - set(found))
    return found


def _reached(cls: type[Game], rule: str) -> set[str]:
    """Return all names in the code that a rule can reach, inside its class and outside."""
    found: set[str] = set()
    waiting: list[Callable[..., Any]] = [plain(members(cls).get(name)) for name in _members_of(cls, rule)]
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if isinstance(function, types.FunctionType) and id(function) not in seen and not installed(function.__module__):
            seen.add(id(function))
            names = names_in(function.__code__)
            found |= names
            waiting += [plain(function.__globals__[name]) for name in names if name in function.__globals__]
    return found


def _parameters(game: Game) -> dict[str, str]:
    return {field.name: repr(getattr(game, field.name)) for field in dataclasses.fields(game)}
