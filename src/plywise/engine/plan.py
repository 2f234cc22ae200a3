"""What an engine may do to be fast.  Every field is a constant of the machine code: what is off costs nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from plywise.algorithms.common import infinity
from plywise.compiling.native import Native, inlined
from plywise.errors import SearchError
from plywise.game import Game
from plywise.layers import Layer, Recurrence, Tactics, Theory


class Plan(Native):
    """The options of a search.  Made by ``plan_for``."""

    exact: bool = False
    """Whether the value must be minimax's at the depth searched; what is ``SELECTIVE`` is then off."""
    knowledge: bool = True
    """Use what the game knows of sound moves and proven scores: ``candidates`` and ``proven_bounds``."""
    quiescence: bool = True
    """Go on beyond the horizon while there are ``noisy_moves``."""
    extensions: bool = True
    """Look further where the game's ``extension`` says so."""
    reductions: bool = True
    """Search late moves less deeply first (late-move reduction)."""
    null_move: bool = True
    """Leave out what is too good even after passing (Donninger 1993); needs ``pass_move``."""
    futility: bool = True
    """Leave out what is better than wanted, or worse, by more than a few plies can change; needs ``swing``."""
    razoring: bool = True
    """Near the horizon, look only at noisy moves if all is far worse than wanted; needs ``swing``."""
    late_pruning: bool = True
    """Near the horizon, leave out quiet moves after the first few; needs ``swing``."""
    exchanges: bool = True
    """Leave out moves that lose material at once; needs ``wins_at_least``."""
    internal: bool = True
    """Search less deeply where the table has no move to begin with (Schröder's internal iterative reduction)."""
    singular: bool = True
    """Look further where one move is better than all others by far (Anantharaman, Campbell and Hsu 1988)."""
    killers: bool = True
    """Try early what refuted a neighbour: killers, countermoves and history."""
    by_evaluation: bool = False
    """Try the moves in the order of the evaluation after them: for games that have one and no ``order``."""
    loops: bool = False
    """Whether positions can recur in this game."""


SELECTIVE = (
    "knowledge", "quiescence", "extensions", "reductions", "null_move", "futility", "razoring", "late_pruning",
    "exchanges", "internal", "singular",
)  # fmt: skip
"""The options that change values; off in an exact search."""

NEEDS: Mapping[type[Layer], tuple[str, ...]] = MappingProxyType(
    {
        Tactics: (
            "quiescence", "extensions", "null_move", "futility", "razoring", "late_pruning", "exchanges", "singular",
        ),
        Theory: ("knowledge",),
    }
)  # fmt: skip
"""The options that do nothing for a game without a layer, so that they are off and cost nothing."""

OPTIONS: Mapping[str, Any] = MappingProxyType(
    {
        field.name: field.default
        for field in dataclasses.fields(Plan)
        if field.name not in ("exact", "by_evaluation", "loops")  # which the call and the game decide
    }
)
"""What a user may choose, with defaults."""


@inlined
def has_margins(game: Game) -> bool:
    """Return whether the game says how much a ply may change (``swing``): where it does not, no margin can be had."""
    return game.swing < infinity(game)


def plan_for(game: Game, exact: bool, options: dict[str, Any] | None = None) -> Plan:
    """Return the plan for a game, with the user's options.

    Raises:
        SearchError: an option does not exist, is not True or False, or would make an exact search inexact.
    """
    options = options or {}
    for name, value in options.items():
        if name not in OPTIONS:
            raise SearchError(f"the engine has no option {name}=; it has: {', '.join(sorted(OPTIONS))}")
        if not isinstance(value, bool):
            raise SearchError(f"{name}={value!r} is not True or False")
        if exact and value and name in SELECTIVE:
            raise SearchError(f"{name}=True may change the value: it needs exact=False")
    off = [name for layer, names in NEEDS.items() if not isinstance(game, layer) for name in names]
    chosen = {**options, **dict.fromkeys(off, False)}
    if exact:
        chosen = {**dict.fromkeys(SELECTIVE, False), **chosen}
    rules = type(game)
    return Plan(
        exact=exact,
        by_evaluation=rules.evaluate is not Game.evaluate and rules.order is Game.order,
        loops=isinstance(game, Recurrence),
        **chosen,
    )
