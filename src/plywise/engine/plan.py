"""The options of the engine's search.

The fields of a ``Plan`` are constants of the machine code: what is off costs nothing.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from plywise.algorithms.common import infinity
from plywise.compiling.native import NativeValue, inlined
from plywise.errors import SearchError
from plywise.game import Game
from plywise.layers import Chance, Layer, Recurrence, Tactics, Theory


class Plan(NativeValue):
    """The options of a search.  Made by ``plan_for``."""

    exact: bool = False
    """Whether the value must equal minimax at the depth searched; the ``SELECTIVE`` options are then off."""
    knowledge: bool = True
    """Use the game's theory: ``candidates`` and ``proven_bounds``."""
    quiescence: bool = True
    """Quiescence search: follow ``noisy_moves`` beyond the horizon."""
    extensions: bool = True
    """Search deeper where the game's ``extension`` says so."""
    reductions: bool = True
    """Search late moves less deeply first (late-move reduction)."""
    null_move: bool = True
    """Null-move pruning: cut off if even a pass is good enough (Donninger 1993); needs ``pass_move``."""
    futility: bool = True
    """Futility pruning: cut off where the evaluation is too far outside the window for a few plies to matter; needs
    ``swing``."""
    razoring: bool = True
    """Razoring: near the horizon, search only noisy moves if the evaluation is far below alpha; needs ``swing``."""
    late_pruning: bool = True
    """Late-move pruning: near the horizon, skip quiet moves after the first few; needs ``swing``."""
    exchanges: bool = True
    """Skip moves that lose material at once; needs ``wins_at_least``."""
    internal: bool = True
    """Search less deeply where the table has no move to try first (Schröder's internal iterative reduction)."""
    singular: bool = True
    """Singular extensions: search deeper where one move is far better than all others (Anantharaman, Campbell and Hsu
    1988)."""
    probcut: bool = True
    """ProbCut: cut off where a capture exceeds the window by far in a shallower search (Buro 1995); needs ``swing``,
    ``exchanges`` and ``quiescence``."""
    killers: bool = True
    """Order quiet moves by killers, countermoves and history."""
    by_evaluation: bool = False
    """Order moves by the evaluation after them, in games that define ``evaluate`` but no ``order``."""
    loops: bool = False
    """Whether positions can recur in this game."""
    dice: bool = False
    """Whether chance moves in this game."""


class OpenPlan(Plan):
    """A plan that compiled code reads at run time, so that one machine code serves all plans."""

    OPEN: ClassVar[bool] = True

    @staticmethod
    @functools.cache
    def like(plan: Plan) -> OpenPlan:
        """Return an open plan with the options of ``plan``."""
        return OpenPlan(**dataclasses.asdict(plan))


SELECTIVE = (
    "knowledge", "quiescence", "extensions", "reductions", "null_move", "futility", "razoring", "late_pruning",
    "exchanges", "internal", "singular", "probcut",
)  # fmt: skip
"""The options that change values; off in an exact search."""

NEEDS: Mapping[type[Layer], tuple[str, ...]] = MappingProxyType(
    {
        Tactics: (
            "quiescence", "extensions", "null_move", "futility", "razoring", "late_pruning", "exchanges", "singular",
            "probcut",
        ),
        Theory: ("knowledge",),
    }
)  # fmt: skip
"""The options that need a layer; they are off, and cost nothing, in games without it."""

NOT_WITH_DICE = (
    "reductions", "null_move", "futility", "razoring", "late_pruning", "internal", "singular", "probcut",
)  # fmt: skip
"""The options that ``dice_search`` does without: averages need values, not guesses about a window."""

OPTIONS: Mapping[str, Any] = MappingProxyType(
    {
        field.name: field.default
        for field in dataclasses.fields(Plan)
        if field.name not in ("exact", "by_evaluation", "loops", "dice")  # the call and the game decide these
    }
)
"""The options that users may set, with defaults."""


@inlined
def has_margins(game: Game) -> bool:
    """Return whether the game has a finite ``swing``, on which all pruning margins depend."""
    return game.swing < infinity(game)


def plan_for(game: Game, exact: bool, options: dict[str, Any] | None = None) -> Plan:
    """Return the plan for a game, with the user's options.

    Raises:
        SearchError: an option does not exist, is not True or False, or cannot be on in an exact search.
    """
    options = options or {}
    for name, value in options.items():
        if name not in OPTIONS:
            raise SearchError(f"the engine has no option {name}=; it has: margins, network, "
                              f"{', '.join(sorted(OPTIONS))}")  # fmt: skip
        if not isinstance(value, bool):
            raise SearchError(f"{name}={value!r} is not True or False")
        if exact and value and name in SELECTIVE:
            raise SearchError(f"{name}=True may change the value: it needs exact=False")
    off = [name for layer, names in NEEDS.items() if not isinstance(game, layer) for name in names]
    if isinstance(game, Chance):
        off += NOT_WITH_DICE
    chosen = {**options, **dict.fromkeys(off, False)}
    if exact:
        chosen = {**dict.fromkeys(SELECTIVE, False), **chosen}
    rules = type(game)
    return _plan(
        exact=exact,
        by_evaluation=rules.evaluate is not Game.evaluate and rules.order is Game.order,
        loops=isinstance(game, Recurrence),
        dice=isinstance(game, Chance),
        **chosen,
    )


_plan = functools.cache(Plan)
"""One object for equal plans: it knows its type in compiled code."""
