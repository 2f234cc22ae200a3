"""The top of the tree that a Monte Carlo tree search has grown: where its rounds went, and how they ended.

It has the form of the top of an engine's tree (``tree_top``), with the number of rounds in place of a depth.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from plywise.engine.mcts import Crew, Wishes, crew_for
from plywise.engine.monte_carlo_tree import ROOT, plain
from plywise.engine.tree_top import MOST, Ending, Known, TopNode, Walk, grown
from plywise.game import Game, State
from plywise.inputs.limits import check_limits, check_whole
from plywise.layers import CHANCE
from plywise.result import Result


def mcts_top(
    game: Game, state: State | str | None = None, *, seconds: float | None = None, nodes: int | None = None,
    seed: int = 0, history: Sequence[State] = (), enough: Callable[[Result], bool] | None = None, most: int = MOST,
) -> tuple[Result, TopNode]:  # fmt: skip
    """Search by Monte Carlo tree search, and return its answer with the top of its tree.

    Args:
        game: a game for two players whose scores sum to zero.
        state: a position, or its text; default: the initial position.
        seconds: how long to search.
        nodes: the most positions to visit, including those of playouts.
        seed: the seed of the random numbers.
        history: the positions before ``state``.
        enough: called with the current result about every tenth of a second; return True to stop.
        most: the most positions to return.

    >>> import plywise as pw
    >>> with pw.interpreted():
    ...     result, top = mcts_top(pw.games.TicTacToe(), "XX./OO./...", nodes=2000)
    >>> top.known.value, top.children[0].move == result.move
    (1, True)
    """
    check_whole("most", most, 1)
    check_limits(None, seconds, nodes)
    crew = crew_for(game, state, history, Wishes(seed))
    result = crew.go_on(seconds, nodes, None, enough)
    return result, top_of(crew, result, most)


def top_of(crew: Crew, result: Result, most: int = MOST) -> TopNode:
    """Return the top of a crew's tree right after a search, whose answer is ``result``."""
    return grown(_Rounds(crew, result), most)


@dataclasses.dataclass
class _Row(TopNode):
    """A position, and its row in the tree."""

    row: int = ROOT


class _Rounds(Walk):
    """Walks the tree of a Monte Carlo tree search."""

    def __init__(self, crew: Crew, result: Result) -> None:
        self.game, self.result, self.tree = crew.game, result, crew.tree
        known = Known(result.value, result.bound, None, result.proven, result.move)
        player, visits = self.game.to_move(result.state), int(self.tree.visits[ROOT])
        self.root = _Row(result.state, player, known, on_line=True, visits=visits)

    def below(self, node: TopNode) -> list[TopNode]:
        assert isinstance(node, _Row)
        tree, ply, line = self.tree, node.ply, self.result.line
        if tree.size_of(node.row) == 0:
            return []
        following = line[ply] if node.on_line and ply < len(line) else None
        best = None if node.player == CHANCE else tree.best(self.game, node.row)

        def worth(child: _Row) -> tuple[Any, ...]:
            return child.on_line, child.row == best, child.visits

        children = [self._child(node, row, following) for row in tree.children(node.row)]
        children.sort(key=worth, reverse=True)
        return list(children)

    def _child(self, parent: TopNode, row: int, following: Any) -> _Row:
        game, tree = self.game, self.tree
        move = plain(tree.move[row])
        state = game.play(parent.state, move)
        over: Ending = ""
        if game.is_terminal(state):
            over = "end"
        elif tree.loops and tree.settled(row) and tree.size_of(row) == 0:
            over = "repetition"
        return _Row(
            state, game.to_move(state), self._known(row), parent, move, over,
            on_line=following is not None and move == following, visits=int(tree.visits[row]), row=row,
        )  # fmt: skip

    def _known(self, row: int) -> Known | None:
        tree = self.tree
        proven = bool(tree.settled(row))
        if not proven and not tree.visits[row]:
            return None
        best = tree.best(self.game, row) if tree.size_of(row) and not tree.by_chance(row) else None
        move = None if best is None else plain(tree.move[best])
        return Known(tree.value(row), "exact" if proven else "estimate", None, proven, move)
