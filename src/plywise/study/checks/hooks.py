"""Optional methods that need only work: they are called wherever a search may call them, and any answer will do."""

from __future__ import annotations

from typing import Any

from plywise.compiling.fingerprint import members, plain
from plywise.game import Game, Move
from plywise.study.checks.part import CONTRACT, Answers, Part, Place, Subject

HOOKS = ("estimates",)
"""Methods that take a position in which the game is not over."""
MOVE_HOOKS = ("order", "trait")
"""Methods that take a position and a move."""


class Hooks(Part):
    """The optional methods defined by the game's author raise nothing wherever a search may call them."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.own = _own_hooks(type(self.game))

    def at_end(self, place: Place, answers: Answers) -> None:
        if "extension" in self.own:  # the engine calls it before it knows that the game is over
            self.call("extension", place)

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        for hook in filter(self.own.__contains__, HOOKS):
            self.subject.attempt(self.call, hook, place)
        for hook in filter(self.own.__contains__, MOVE_HOOKS):
            for move in moves:
                self.subject.attempt(self.call, hook, place, move)

    def call(self, hook: str, place: Place, *arguments: Any) -> None:
        """Call a method and ignore the answer."""
        self.subject.ask(hook, place.state, *arguments, place=place)


def _own_hooks(cls: type[Game]) -> set[str]:
    """Return the names of the methods that the game's author wrote, without those that ``Game`` fills in."""
    known, modules = members(cls), {part.__module__ for part in CONTRACT}
    written = {name for name in Game.ENTRY_POINTS or () if plain(known[name]).__module__ not in modules}
    return written - ({"candidates"} if known["candidates"] is known["moves"] else set())
