"""Optional methods that need only work: they are called wherever a search may call them, and any answer will do."""

from __future__ import annotations

from plywise.compiling.fingerprint import members, plain
from plywise.game import Game, Move
from plywise.study.checks.part import CONTRACT, Answers, Part, Place, Subject

HOOKS = ("order", "trait")
"""Methods that take a position and a move."""


class Hooks(Part):
    """The optional methods defined by the game's author raise nothing wherever a search may call them."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.own = _own_hooks(type(self.game))

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        for hook in self.own:
            self.subject.attempt(self.call, hook, place, moves)

    def call(self, hook: str, place: Place, moves: list[Move]) -> None:
        """Call a method and ignore the answers."""
        for move in moves:
            self.subject.ask(hook, place.state, move, place=place)


def _own_hooks(cls: type[Game]) -> list[str]:
    """Return the names of the hooks that the game's author wrote, without those that ``Game`` fills in."""
    known, modules = members(cls), {part.__module__ for part in CONTRACT}
    return [name for name in HOOKS if plain(known[name]).__module__ not in modules]
