"""What travels through a search: what it works with, where in the tree it is, and what it knows of a position.

All three are named tuples, which compiled code passes by value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plywise.algorithms.common import above, infinity
from plywise.bits import any_number
from plywise.compiling.native import inlined
from plywise.engine.plan import Plan
from plywise.engine.table import NO_MOVE, Table
from plywise.engine.work import HORIZON, LOOP, Work
from plywise.game import Game, Move, Number, State
from plywise.inputs.limits import LONGEST_LINE

NULL_MOVE = -2
"""Stands for the previous move after a null move."""


class Search(NamedTuple):
    """What a search works with, the same at all nodes."""

    game: Game
    plan: Plan
    table: Table
    work: Work


class Frame(NamedTuple):
    """Where in the tree a node is."""

    ply: int
    """Plies from the root."""
    top: int
    """The first free place on the stack of moves."""
    previous: Move
    """The move that led here; NULL_MOVE after a null move, NO_MOVE at the root."""
    excluded: Move
    """In a singular search, the move to leave out; else NO_MOVE."""

    @inlined
    def child(self, move: Move, top: int) -> Frame:
        """Return the frame after a move."""
        return Frame(self.ply + 1, top, move, any_number(NO_MOVE))

    @inlined
    def without(self, move: Move, top: int) -> Frame:
        """Return the frame of the same position for a search of all other moves."""
        return Frame(self.ply, top, self.previous, move)

    @property
    def is_singular(self) -> bool:
        """Whether a move is left out."""
        return self.excluded != NO_MOVE  # type: ignore[no-any-return]


@inlined
def root_frame() -> Frame:
    """Return the frame of the root."""
    return Frame(any_number(0), any_number(0), any_number(NO_MOVE), any_number(NO_MOVE))


class Node(NamedTuple):
    """What a search knows of a position before it looks at its moves."""

    state: State
    player: int
    """Who moves."""
    key: Any
    salt: int
    """What the table must know besides the key."""
    depth: int
    """Plies to look ahead."""
    alpha: Number
    beta: Number
    pv: bool
    """Whether the window is open, so that the value can be exact: a node of the principal variation."""
    in_check: bool
    frame: Frame
    entry: int
    """The table's entry; 0 for none."""
    first: Move
    """The move to begin with; NO_MOVE for none."""
    static: Number
    """The static evaluation, for the player; -infinity in check and in exact searches."""
    improving: bool
    """Whether that is more than at the player's last turn."""
    trusted: int
    """``Work.count[HORIZON]`` before the search."""
    outer_loop: int
    """``Work.count[LOOP]`` before the search of the moves."""


@inlined
def new_node(search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Node:
    """Return a node of which only what shows at once is known; a check extends the depth."""
    game, plan, _, work = search
    extension = game.extension(state) if plan.extensions else 0
    if frame.ply < LONGEST_LINE // 2:
        depth += extension
    salt = work.salt(frame.ply)
    if plan.loops and plan.exact:
        salt ^= work.trail(frame.ply, game.reversible(state))
    return Node(
        state=state, player=game.to_move(state), key=game.key(state), salt=salt, depth=depth, alpha=alpha, beta=beta,
        pv=above(game, alpha) < beta, in_check=extension > 0, frame=frame, entry=any_number(0),
        first=any_number(NO_MOVE), static=-infinity(game), improving=True, trusted=work.count[HORIZON],
        outer_loop=work.count[LOOP],
    )  # fmt: skip
