"""The top of the tree that an engine has searched, read from its table: why it chose its move.

The table still holds most of what the last search found.  The walk starts at the root and looks every position up: the
line of best play to its end, the best of the other root moves, and how each of them is refuted, as far as a number of
positions allows.  Nothing is searched again, so what the table has forgotten is unknown here too.

A value is Max's and is counted from its own position, as the table holds it: a mate in two is one in one a move later.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Literal, NamedTuple

from plywise.algorithms.memo_table import LOWER, UPPER
from plywise.engine.distance import farther
from plywise.engine.engine import Engine
from plywise.engine.node import CHANCE_SALT
from plywise.engine.table import NO_MOVE, banked, bound_of, depth_of, is_proven, table_move, value_of
from plywise.engine.work import PAST, Work, new_work, path_mark
from plywise.game import MIN, Game, Move, State, sign
from plywise.inputs.limits import check_whole
from plywise.inputs.positions import path_to
from plywise.io.numbers import plain_number
from plywise.layers import CHANCE, Chance, Recurrence
from plywise.result import Bound, Result

MOST = 60
"""The most positions in the top of a tree, unless the caller says otherwise."""

ROOT_MOVES, LINE_MOVES, OTHER_MOVES = 8, 2, 1
"""The most moves shown at the root, at a position on the line of best play, and elsewhere."""

ROOT_STEP, REPLY_STEP = 0.25, 2.0
"""How much less each further move at the root matters, and each reply to a move off the line, where 1 is a ply."""

Ending = Literal["", "end", "repetition"]
"""How play ends in a position, if it does."""


class Known(NamedTuple):
    """What a search has found out about a position."""

    value: Any
    """The value for Max, or a bound of it."""
    bound: Bound
    depth: int | None
    """How many plies were searched below the position; None: not known, or to the end of the game."""
    proven: bool
    """Whether the value, or the bound, holds at any depth."""
    move: Move | None = None
    """The best move, or the one that was good enough; None: not known."""


@dataclasses.dataclass
class TopNode:
    """A position in the top of a tree."""

    state: State
    player: int
    """The player to move."""
    known: Known | None
    """None if the search has not seen this position, or its table has forgotten it."""
    parent: TopNode | None = dataclasses.field(default=None, repr=False)
    move: Move | None = None
    """The move that led here; None at the root."""
    over: Ending = ""
    on_line: bool = False
    """Whether it is on the line of best play."""
    moves: int = 0
    """How many moves it has, shown or not; 0 if the walk did not go further."""
    visits: int | None = None
    """How many rounds of a Monte Carlo tree search came by; None in other searches."""
    children: list[TopNode] = dataclasses.field(default_factory=list, repr=False)
    """The moves shown, best first."""

    @property
    def ply(self) -> int:
        """Its distance from the root."""
        return len(self.path) - 1

    @property
    def path(self) -> list[TopNode]:
        """The positions from the root to this one."""
        path = [self]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        return path[::-1]

    def walk(self) -> Iterator[TopNode]:
        """Yield this position and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]


def tree_top(engine: Engine, result: Result, *, history: Sequence[State] = (), most: int = MOST) -> TopNode:
    """Return the top of the tree of the engine's last search, whose answer is ``result``.

    Args:
        engine: the engine, right after the search: the next one may overwrite its table.
        result: what ``engine.search`` or ``engine.solve`` has returned.
        history: the positions before ``result.state``, as they were given to the search.
        most: the most positions to return.

    >>> import plywise as pw
    >>> engine = pw.Engine(pw.games.TicTacToe(), table_mb=1)
    >>> top = tree_top(engine, engine.search("XX./OO./...", depth=3))
    >>> top.known.value, top.children[0].move == top.known.move, top.children[0].over
    (1, True, 'end')
    """
    check_whole("most", most, 1)
    return grown(_TableWalk(engine, result, history), most)


class Walk:
    """How to walk a tree that was searched: its root, and the positions after another one, best first."""

    root: TopNode

    def below(self, node: TopNode) -> list[TopNode]:
        """Return all positions after one, best first."""
        raise NotImplementedError


def grown(walk: Walk, most: int) -> TopNode:
    """Return the root of a tree of at most ``most`` positions: what matters most comes first.

    The line of best play is followed to its end, then a position matters the less the more plies it is from the root;
    another move than the best one counts as more plies.
    """
    root, shown, turns = walk.root, 1, count()
    waiting: list[tuple[float, int, TopNode]] = []

    def expect(node: TopNode, cost: float) -> None:
        children = [] if node.over else walk.below(node)
        node.moves = len(children)
        widest = ROOT_MOVES if node is root else LINE_MOVES if node.on_line else OTHER_MOVES
        for rank, child in enumerate(children[:widest]):
            step = ROOT_STEP * rank + 1 if node is root else 1.0 + rank if node.on_line else REPLY_STEP
            if child.on_line:
                heapq.heappush(waiting, (-1.0, next(turns), child))  # before all others
            elif child.known is not None or node is root:
                heapq.heappush(waiting, (cost + step, next(turns), child))

    expect(root, 0.0)
    while waiting and shown < most:
        cost, _, node = heapq.heappop(waiting)
        assert node.parent is not None
        node.parent.children.append(node)
        shown += 1
        expect(node, node.ply if node.on_line else cost)
    for node in root.walk():
        node.children.sort(key=lambda child: not child.on_line)  # the others came in order
    return root


class _TableWalk(Walk):
    """Walks the tree of an engine by its table."""

    def __init__(self, engine: Engine, result: Result, history: Sequence[State]) -> None:
        self.game: Game = result.game
        self.table, self.result = engine.table, result
        self.whole = result.compiled and not isinstance(result.value, float)
        """Whether entries hold whole numbers; otherwise they hold floats, as they always do in plain Python."""
        self.by_path = engine.table_is_exact and isinstance(self.game, Recurrence)
        """Whether positions with different paths have entries of their own."""
        self.exact_depth = result.depth if engine.table_is_exact else None
        self.loops = isinstance(self.game, Recurrence)
        self.work = self._marked(history)
        flips = self.game.to_move(result.state) == MIN
        known = Known(result.value, _seen_by_max(result.bound, flips), result.depth, result.proven, result.move)
        self.root = TopNode(result.state, self.game.to_move(result.state), known, on_line=True)

    def _marked(self, history: Sequence[State]) -> Work:
        """Return a workspace whose path leads to the root."""
        work = new_work(plain=True)
        past = path_to(self.game, self.result.state, history)[:-1]
        work.count[PAST] = len(past)
        for place, state in enumerate(past):
            work.path[place] = path_mark(self.game, state)
        return work

    def below(self, node: TopNode) -> list[TopNode]:
        game, known = self.game, node.known
        best = self.result.line[node.ply] if node.on_line and node.ply < len(self.result.line) else None
        first = best if best is not None else known.move if known is not None else None
        self._go_to(node)
        children = [
            self._child(node, move, on_line=best is not None and move == best) for move in game.moves(node.state)
        ]
        turn = sign(node.player)

        def worth(child: TopNode) -> tuple[Any, ...]:
            if node.player == CHANCE:
                return (game.probability(node.state, child.move),)
            if child.known is None:
                return child.move == first, False, 0, 0
            return child.move == first, True, turn * child.known.value, child.known.depth or 0

        return sorted(children, key=worth, reverse=True)

    def _go_to(self, node: TopNode) -> None:
        """Put the positions from the root to this one on the path, as the search does."""
        if self.loops:
            for ply, each in enumerate(node.path):
                self.work.repeats(path_mark(self.game, each.state), ply, self.game.reversible(each.state))

    def _child(self, parent: TopNode, move: Move, on_line: bool) -> TopNode:
        game, state = self.game, self.game.play(parent.state, move)
        node = TopNode(state, game.to_move(state), None, parent, move, on_line=on_line)
        if game.is_terminal(state):
            node.over, node.known = "end", Known(plain_number(game.score(state)), "exact", None, True)
        elif self._repeats(node):
            node.over, node.known = "repetition", Known(plain_number(game.repetition(state)), "exact", None, False)
        else:
            node.known = self._found(node)
        return node

    def _repeats(self, node: TopNode) -> bool:
        if not self.loops:
            return False
        mark = path_mark(self.game, node.state)
        return self.work.repeats(mark, node.ply, self.game.reversible(node.state)) >= 0

    def _found(self, node: TopNode) -> Known | None:
        """Return what the table knows of a position; on the line of best play, also what the answer tells."""
        entry = int(self.table.find(self.game.rest_key(node.state), self._salt(node)))
        known = None if entry == 0 else self._read(node, entry)
        if not node.on_line or self.result.bound != "exact":
            return known
        value = farther(self.game, self.result.value, node.ply)
        depth = self.exact_depth - node.ply if self.exact_depth is not None else known.depth if known else None
        proven = self.result.proven or (known is not None and known.proven and known.value == value)
        return Known(value, "exact", depth, proven, known.move if known else None)

    def _salt(self, node: TopNode) -> int:
        salt = CHANCE_SALT if isinstance(self.game, Chance) and node.player == CHANCE else 0
        if self.by_path:
            salt ^= int(self.work.trail(node.ply, self.game.reversible(node.state)))
        return salt

    def _read(self, node: TopNode, entry: int) -> Known:
        game, state = self.game, node.state
        value = entry >> 32 if self.whole else value_of(game, entry)
        value = sign(node.player) * (value + banked(game, state))
        bound: Bound = "lower" if bound_of(entry) == LOWER else "upper" if bound_of(entry) == UPPER else "exact"
        move = table_move(game, state, entry)
        return Known(
            plain_number(value), _seen_by_max(bound, node.player == MIN), depth_of(entry), is_proven(entry),
            None if move == NO_MOVE else move,
        )  # fmt: skip


def _seen_by_max(bound: Bound, flips: bool) -> Bound:
    """Return a bound of the mover's value as one of Max's."""
    if flips and bound in ("lower", "upper"):
        return "upper" if bound == "lower" else "lower"
    return bound
