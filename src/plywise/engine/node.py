"""The arguments of a recursive search: its tools, the place in the tree, and what it knows of a position.

All three are named tuples, which compiled code passes by value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plywise.algorithms.common import above, infinity
from plywise.bits import any_number
from plywise.compiling.native import inlined
from plywise.engine.plan import Plan
from plywise.engine.table import NO_MOVE, Table
from plywise.engine.work import HORIZON, LOOP, NODES, ON_AVERAGE, Work
from plywise.game import Game, Move, Number, State
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import CHANCE

NULL_MOVE = -2
"""The previous move after a null move."""

CHANCE_SALT = 0x2545F4914F6CDD1D
"""Separates positions where chance moves from those with the same key where a player does."""


class Search(NamedTuple):
    """The tools of a search, the same at all nodes."""

    game: Game
    plan: Plan
    table: Table
    work: Work


class Frame(NamedTuple):
    """The place of a node in the tree."""

    ply: int
    """Plies from the root."""
    top: int
    """The first free place on the stack of moves."""
    previous: Move
    """The move that led here; NULL_MOVE after a null move, NO_MOVE at the root."""
    excluded: Move
    """In a singular search, the excluded move; else NO_MOVE."""

    @inlined
    def child(self, move: Move, top: int) -> Frame:
        """Return the frame after a move."""
        return Frame(self.ply + 1, top, move, any_number(NO_MOVE))

    @inlined
    def without(self, move: Move, top: int) -> Frame:
        """Return the frame for a search of the same position without ``move``."""
        return Frame(self.ply, top, self.previous, move)

    @property
    def is_singular(self) -> bool:
        """Whether this is a singular search, which excludes a move."""
        return self.excluded != NO_MOVE  # type: ignore[no-any-return]


@inlined
def root_frame() -> Frame:
    """Return the frame of the root."""
    return Frame(any_number(0), any_number(0), any_number(NO_MOVE), any_number(NO_MOVE))


class Node(NamedTuple):
    """What a search knows of a position before it searches the moves."""

    state: State
    player: int
    """The player to move."""
    key: Any
    salt: int
    """Distinguishes table entries that share the key: by the path, or by the chosen root moves."""
    depth: int
    """The remaining depth in plies."""
    alpha: Number
    beta: Number
    pv: bool
    """Whether it may be on the line of best play: the window is not a null window, and chance has not moved yet."""
    in_check: bool
    frame: Frame
    entry: int
    """The table entry; 0 for none."""
    first: Move
    """The move to search first; NO_MOVE for none."""
    static: Number
    """The static evaluation for the player to move; -infinity in check and in exact searches."""
    improving: bool
    """Whether the static evaluation has risen since the player's last turn."""
    trusted: int
    """``Work.count[HORIZON]`` before the search of this node."""
    outer_loop: int
    """``Work.count[LOOP]`` before the search of its moves."""
    begun: int
    """``Work.count[NODES]`` before the search of this node."""


@inlined
def new_node(search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Node:
    """Return a node before the table and the evaluation are consulted; a check extends the depth."""
    game, plan, _, work = search
    extension = game.extension(state) if plan.extensions else 0
    if frame.ply < LONGEST_LINE // 2:
        depth += extension
    salt = work.salt(frame.ply)
    if plan.dice and game.to_move(state) == CHANCE:
        salt ^= CHANCE_SALT
    if plan.loops and plan.exact:
        salt ^= work.trail(frame.ply, game.reversible(state))
    pv = above(game, alpha) < beta and not (plan.dice and work.count[ON_AVERAGE] > 0)
    return Node(
        state=state, player=game.to_move(state), key=game.rest_key(state), salt=salt, depth=depth, alpha=alpha,
        beta=beta, pv=pv, in_check=extension > 0, frame=frame, entry=any_number(0),
        first=any_number(NO_MOVE), static=-infinity(game), improving=True, trusted=work.count[HORIZON],
        outer_loop=work.count[LOOP], begun=work.count[NODES],
    )  # fmt: skip
