"""Pieces of one question, for helpers: does a position's value reach a goal?

One worker, the *lead*, answers the question alone, from the first move to the last, exactly as a sequential search
does.  Helpers work from the other end.  Where all moves must be refuted, a helper takes the last one; where one good
move is enough, only the first move matters (young brothers wait), so the helper looks for work below it.  What a helper
finds goes into the lead's table, so the lead never searches it again: the two meet somewhere in the middle.  The same
holds for a helper whose piece turns out to be large: others help it in the same way.

This module only decides who does what.  It knows nothing of machines and clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from plywise.algorithms.common import above, infinity
from plywise.engine.distance import nearer
from plywise.engine.reaches import proven
from plywise.game import Game, Move, State, sign
from plywise.layers import Recurrence, recurs

LEAST_SECONDS, MOST_SECONDS = 0.3, 2.0
"""A piece that has run for less time than this gets no help; pieces should not take more."""

TINY = 0.05
"""Pieces of so few seconds are not worth being sent."""


class Node:
    """A position, and the question whether its value for the player to move reaches a goal."""

    def __init__(
        self, state: State, goal: Any, depth: int | None = None, path: tuple[Move, ...] = (),
        parent: Node | None = None, turn: int = 1, cut: bool = False,
    ) -> None:  # fmt: skip
        self.state, self.goal, self.path, self.parent = state, goal, path, parent
        self.depth = depth
        """How many plies to look ahead; None: to the end of the game."""
        self.turn = turn
        """1 if the same player moves as in the parent, else -1."""
        self.cut = cut
        """Whether the answer is expected to be yes: then one move is enough."""
        self.value: Any = None
        """The answer: a lower bound that reaches the goal, or an upper bound that does not; None if not known."""
        self.nodes = 0
        """How many positions were searched for it."""
        self.best: Any = None
        """The best value of the children so far, if the node is open."""
        self.children: list[Node] | None = None
        self.is_taken = False
        """Whether a helper works on the whole of it."""

    @property
    def ply(self) -> int:
        return len(self.path)

    @property
    def is_yes(self) -> bool:
        """Whether the answer is yes."""
        return bool(self.value >= self.goal)

    def above(self) -> Iterator[Node]:
        """Yield the nodes above it, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


class Pieces:
    """The tree of one question.

    Args:
        game: the rules.
        start: the position.
        goal: for the player to move there.
        yes: whether the answer is expected to be yes.
        depth: how many plies to look ahead; None: to the end of the game.
        line: what seems to be best play.
    """

    def __init__(
        self, game: Game, start: State, goal: Any, yes: bool, depth: int | None = None, line: tuple[Move, ...] = ()
    ) -> None:
        self.game, self.line = game, line
        self.by_evaluation = depth is not None and type(game).order is Game.order
        self.root = Node(start, goal, depth, cut=yes)
        self.taken = [self.root]
        """The nodes that somebody works on: the lead on the root."""
        self.root.is_taken = True
        self.seconds: dict[int, float] = {}
        """How long pieces take, by ply."""

    # Who does what --------------------------------------------------------------------------------------------------

    def pick(self, running: Callable[[Node], float]) -> Node | None:
        """Return a piece for an idle helper, and mark it as taken; None if there is no work worth its while.

        ``running`` says for how many seconds a taken node has been worked on.
        """
        self.taken = [node for node in self.taken if self.is_open(node)]
        for node in self.taken[1:]:
            self.seconds[node.ply] = max(self.seconds.get(node.ply, 0.0), running(node))
        for node in sorted(self.taken, key=running, reverse=True):
            if running(node) < LEAST_SECONDS:
                break
            found = self._last_in(node)
            if found is not None:
                found.is_taken = True
                self.taken.append(found)
                return found
        return None

    def leave_to_the_lead(self, node: Node) -> None:
        """Nobody works on a piece any more, and no helper should: whoever tried has died or failed."""
        self.taken = [each for each in self.taken if each is not node]

    @staticmethod
    def is_open(node: Node) -> bool:
        """Return whether the answer to a node is still wanted: neither it nor any above it is known."""
        return node.value is None and all(each.value is None for each in node.above())

    def _last_in(self, node: Node) -> Node | None:
        """Return the last piece beneath an unanswered node that nobody works on, and that is small enough."""
        for child in self._choices(node):
            if child.is_taken or child.value is not None:
                continue
            if self.seconds.get(child.ply, 0.0) <= MOST_SECONDS or self.seconds.get(child.ply + 1, MOST_SECONDS) < TINY:
                return child
            found = self._last_in(child)
            if found is not None or node.value is not None:
                return found
        return None

    def _choices(self, node: Node) -> list[Node]:
        """Return the children to look at: where one move is enough, the first; where all count, the last first."""
        if node.depth is not None and node.depth <= 1:
            return []  # too small to be shared, and its children would have to be evaluated
        self.open(node)
        waiting = [child for child in node.children or () if child.value is None]
        return waiting[:1] if node.cut else waiting[::-1]

    def open(self, node: Node) -> None:
        """Find the children of a node; those that rules settle have no part in it."""
        if node.children is not None or node.value is not None:
            return
        game, state, goal = self.game, node.state, node.goal
        player, node.best = game.to_move(state), -infinity(game)
        node.children, ranked = [], []
        for move in game.candidates(state) if node.depth is None else game.moves(state):
            child = game.play(state, move)
            low, high = self._known(node, child)
            if low >= goal:
                self._settle(node, low)
                return
            if high < goal:
                node.best = max(node.best, high)
            else:
                ranked.append((self._promise(node, move, child), move, child))
        ranked.sort(key=lambda each: each[0], reverse=True)
        depth = None if node.depth is None else node.depth - 1
        for _, move, child in ranked:
            turn = 1 if game.to_move(child) == player else -1
            wanted = goal if turn > 0 else above(game, -goal)
            cut = node.cut if turn > 0 else not node.cut
            node.children.append(Node(child, wanted, depth, (*node.path, move), node, turn, cut))
        if not ranked:
            self._settle(node, node.best)

    def _known(self, node: Node, child: State) -> tuple[Any, Any]:
        """Return bounds of the value after a move, for who made it, without a search: as the engine does."""
        game, player = self.game, self.game.to_move(node.state)
        if node.depth is None:
            return proven(game, child, player)
        if game.is_terminal(child):
            score = game.score(child)
        elif isinstance(game, Recurrence) and recurs(game, child, [*_states_above(node), node.state]):
            score = game.repetition(child)
        else:
            return -infinity(game), infinity(game)
        value = sign(player) * nearer(game, score, node.ply + 1)
        return value, value

    def _promise(self, node: Node, move: Move, child: State) -> tuple[bool, Any]:
        """Return how good a move seems: on the line of best play, or by the game's order, or by its evaluation."""
        on_line = self.line[: node.ply + 1] == (*node.path, move)
        if self.by_evaluation:
            return on_line, sign(self.game.to_move(node.state)) * self.game.evaluate(child)
        return on_line, self.game.order(node.state, move)

    # Answers --------------------------------------------------------------------------------------------------------

    def answered(self, node: Node, value: Any, nodes: int, seconds: float) -> list[Node]:
        """Take the answer to a piece; return the nodes that it settles, from the bottom up."""
        before = self.seconds.get(node.ply)
        self.seconds[node.ply] = seconds if before is None else (before + seconds) / 2
        if not self.is_open(node):
            return []
        node.nodes = nodes
        return self._settle(node, value)

    def _settle(self, node: Node, value: Any) -> list[Node]:
        settled = [node]
        node.value = value
        parent = node.parent
        while parent is not None and parent.value is None:
            worth = node.turn * node.value
            parent.best = max(parent.best, worth)
            parent.nodes += node.nodes
            if worth >= parent.goal:
                parent.value = worth
            elif all(child.value is not None for child in parent.children or ()):
                parent.value = parent.best
            else:
                break
            settled.append(parent)
            node, parent = parent, parent.parent
        return settled


def _states_above(node: Node) -> list[State]:
    """Return the positions from the root to the parent of a node."""
    return [each.state for each in node.above()][::-1]
