"""Explicit game trees: lecture examples, exam questions, and anything else small enough to write down.

A tree is read from JSON, nested lists, networkx or the CS188 format (see ``tree_forms``) and stored in tables, with
nodes numbered parents before children.  Compiled code reads the tables, so all trees share one machine code.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.errors import GameError, PositionError
from plywise.game import Game
from plywise.games import tree_forms
from plywise.games.tree_forms import TreeNode
from plywise.games.tree_places import complaint
from plywise.io.files import read_text_file
from plywise.io.wording import chance_text
from plywise.layers import CHANCE, Chance, ManyPlayers, View

LONGEST_PICTURE = 60
"""The most lines of a picture; a longer one ends with three dots."""


class TreePosition(NamedTuple):
    node: int


class Tree(ManyPlayers, View, Game):
    """A game given node by node: who moves at each node, and the score of each leaf.

    Make one with ``from_json``, ``from_lists``, ``from_networkx``, ``from_berkeley``, ``from_text`` or ``load``.
    Players need not alternate.  A leaf is a number, Max's score, or a tuple with one number per player, for any number
    of players.  Two moves may lead to the same node: that is one position, as in any game with transpositions.

    A move is the number of a child, from 0; its text is the one given, else the name of the child, else its number,
    from 1.  The text of a position is the name of its node; a node without a name is named by the moves that lead to
    it: ``2.1`` is the first child of the second child of the ``root``.

    A tree in which chance decides somewhere is a ``ChanceTree``.

    >>> tree = Tree.from_json({"player": "max", "children": [3, {"player": "min", "children": [5, 8]}]})
    >>> print(tree.board(tree.initial()))
    root Max
      1 = 3
      2 Min
        2.1 = 5
        2.2 = 8
    """

    written = True
    nodes: list[TreeNode]
    player_names: list[str] = dataclasses.field(default_factory=list)

    # Ways to make one -----------------------------------------------------------------------------------------------

    @staticmethod
    def from_json(source: Any) -> Tree:
        """Read a tree from a JSON object, or its text.

        An inner node is ``{"player": "max", "children": [...]}``.  The player is ``"max"``, ``"min"``, a number from 0,
        or one of the names in the root's list ``"players"``.  A leaf is a number, ``{"value": 3}`` or, for any number
        of players, ``{"values": [5, 8, 2]}``.  Every node may have a ``"name"``, and a ``"move"``, the text of the move
        that leads to it.  An inner node may have a ``"value"`` or ``"values"``, its evaluation at the depth limit of a
        search (default: 0).  ``{"ref": "B"}`` stands for the node of that name, defined elsewhere.

        Where chance decides, the player is ``"chance"``, and ``"probabilities": [0.5, 0.25, 0.25]`` says how likely
        each child is (default: all equally likely).

        Raises:
            GameError: this is not a tree; the message starts with the place.
        """
        root, player_names = tree_forms.read_json(source)
        return _tree(tree_forms.finished(root, player_names), player_names)

    @staticmethod
    def from_lists(source: Sequence[Any], first: str | int = "max") -> Tree:
        """Read a tree from nested lists; ``first`` moves at the root, then the players alternate.

        >>> Tree.from_lists([[3, 12], [2, [4, 6]]])
        Tree(9 nodes, 5 leaves)
        """
        return _tree(tree_forms.finished(tree_forms.read_lists(source, first)))

    @staticmethod
    def from_networkx(graph: Any) -> Tree:
        """Read a tree from a ``networkx.DiGraph``.

        An inner node has the attribute ``player``, a leaf ``value`` or ``values``, and an edge may have ``move`` and,
        where chance decides, ``probability``.
        Nodes keep their names, and children come in the order in which their edges were added.
        """
        return _tree(tree_forms.finished(tree_forms.read_networkx(graph)))

    @staticmethod
    def from_berkeley(text: str) -> Tree:
        """Read a tree from the text of a ``GraphGameTreeTest`` of Berkeley's CS188: a ``.test`` file.

        Agent 0 is Max, all others (``num_agents``, default 2) are Min, and they take turns.  States in ``win_states``
        and ``lose_states`` are leaves; states that cannot be reached from the start are left out.
        """
        return _tree(tree_forms.finished(tree_forms.read_berkeley(text)))

    @staticmethod
    def load(path: str | Path) -> Tree:
        """Read a tree from a file: JSON (an object, or nested lists) or the CS188 format, which is detected."""
        try:
            return Tree.from_text(read_text_file(path).decode())
        except (OSError, ValueError, GameError) as error:
            raise GameError(f"cannot read a tree from {path}: {error}") from None

    @staticmethod
    def from_text(text: str) -> Tree:
        """Read a tree from JSON (an object, or nested lists) or the CS188 format, which is detected.

        >>> Tree.from_text("[[3, 12], [2, [4, 6]]]")
        Tree(9 nodes, 5 leaves)

        Raises:
            TreeTextError: this is not a tree; the error knows the place in the text.
        """
        try:
            if text.lstrip()[:1] == "[":
                return Tree.from_lists(json.loads(text))
            if text.lstrip()[:1] == "{":
                return Tree.from_json(json.loads(text))
            if ":" in text:
                return Tree.from_berkeley(text)
            raise ValueError("give nested lists such as [[3, 12], [2, 4]], a JSON object, or the CS188 format")
        except (ValueError, RecursionError, GameError) as error:
            raise complaint(text, error) from None

    @staticmethod
    def of(game: Game) -> Tree | None:
        """Return the game if it is an explicit tree, else None."""
        return game if isinstance(game, Tree) else None

    def to_json(self) -> dict[str, Any]:
        """Return the tree as a JSON object for ``from_json``."""
        return tree_forms.write_json(self.nodes, self.player_names)

    def to_berkeley(self, agent: str = "MinimaxAgent") -> str:
        """Return the tree as a text for ``from_berkeley``: a CS188 test for the class ``agent``.

        In that format Max begins.  For a tree where Min does, the text has one more state in front, with one move.

        Raises:
            GameError: the players do not take turns as that format requires, or leaves are tuples.
        """
        return tree_forms.write_berkeley(self.nodes, self.board(self.initial()), agent)

    # The tables, one row a node -------------------------------------------------------------------------------------

    @cached_property
    def movers(self) -> np.ndarray:
        """The player to move."""
        return _table([node.player for node in self.nodes], np.int64)

    @cached_property
    def first(self) -> np.ndarray:
        """Where the children of a node start in ``children``; they end where those of the next node start."""
        return _table(np.cumsum([0] + [len(node.children) for node in self.nodes]), np.int64)

    @cached_property
    def children(self) -> np.ndarray:
        return _table([child for node in self.nodes for child in node.children], np.int64)

    @cached_property
    def values(self) -> np.ndarray:
        """The score of each player at a leaf, and an estimate elsewhere; integers if all values are."""
        rows = [(v, -v) if isinstance(v, (int, float)) else v for v in (node.value for node in self.nodes)]
        given = [row for row in rows if row is not None]
        whole = all(isinstance(value, int) for row in given for value in row)
        nothing = (0,) * len(given[0])
        return _table([nothing if row is None else row for row in rows], np.int64 if whole else np.float64)

    @cached_property
    def extremes(self) -> np.ndarray:
        """The lowest and highest of Max's scores and estimates at a node and below it."""
        rows = self.values[:, [0, 0]]
        for i, node in reversed(list(enumerate(self.nodes))):
            if node.children:
                below = rows[list(node.children)]
                rows[i] = min(rows[i, 0], below[:, 0].min()), max(rows[i, 1], below[:, 1].max())
        return _table(rows, rows.dtype)

    @cached_property
    def sum_bounds(self) -> np.ndarray:  # type: ignore[override]
        """The lowest score of any player and the highest sum of all players' scores in the tree, including estimates.

        It is an array, which compiled code reads from memory, so that one machine code serves all trees.
        """
        return _table([self.values.min(), self.values.sum(axis=1).max()], self.values.dtype)

    @cached_property
    def players(self) -> int:  # type: ignore[override]
        """How many players there are."""
        return int(self.values.shape[1])

    # Rules ----------------------------------------------------------------------------------------------------------

    def initial(self) -> TreePosition:
        return TreePosition(0)

    def to_move(self, state: TreePosition) -> int:
        return self.movers[state.node].item()  # type: ignore[no-any-return]

    def moves(self, state: TreePosition) -> Iterator[int]:
        for child in range(self.first[state.node + 1] - self.first[state.node]):
            yield child

    def play(self, state: TreePosition, move: int) -> TreePosition:
        return TreePosition(self.children[self.first[state.node] + move].item())

    def is_terminal(self, state: TreePosition) -> bool:
        return self.first[state.node].item() == self.first[state.node + 1].item()  # type: ignore[no-any-return]

    def score(self, state: TreePosition) -> float:
        return self.values[state.node, 0].item()  # type: ignore[no-any-return]

    def scores(self, state: TreePosition) -> Sequence[float]:
        return self.values[state.node]  # type: ignore[no-any-return]

    def evaluate(self, state: TreePosition) -> float:
        return self.values[state.node, 0].item()  # type: ignore[no-any-return]

    def estimates(self, state: TreePosition) -> Sequence[float]:
        return self.values[state.node]  # type: ignore[no-any-return]

    def bounds(self, state: TreePosition) -> tuple[float, float]:
        return (self.extremes[state.node, 0].item(), self.extremes[state.node, 1].item())

    def is_zero_sum(self) -> bool:
        return self.values.shape[1] == 2 and not self.values.sum(axis=1).any()

    def whole_scores(self) -> bool:
        return self.values.dtype.kind == "i"

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> TreePosition:
        names = [node.name for node in self.nodes]
        if text.strip() not in names:
            more = ", ..." if len(names) > 20 else ""
            raise PositionError(f"{text!r} is not a node of this tree; nodes are {', '.join(names[:20])}{more}")
        return TreePosition(names.index(text.strip()))

    def format(self, state: TreePosition) -> str:
        return self.nodes[state.node].name

    def format_move(self, state: TreePosition, move: int) -> str:
        return self.nodes[state.node].moves[move]

    def board(self, state: TreePosition) -> str:
        lines: list[str] = []
        waiting = [(state.node, 0, "")]
        while waiting and len(lines) < LONGEST_PICTURE:
            i, level, odds = waiting.pop()
            node = self.nodes[i]
            text = self.player_name(node.player) if node.children else f"= {node.value}"
            lines.append(f"{'  ' * level}{node.name} {odds}{text}")
            below = [f"({chance_text(each)}) " for each in node.probabilities] or [""] * len(node.children)
            waiting += [(node.children[k], level + 1, below[k]) for k in reversed(range(len(below)))]
        return "\n".join(lines + ["..."] * bool(waiting))

    def player_name(self, player: int) -> str:
        if self.player_names and player != CHANCE:
            return self.player_names[player]
        usual = self.values.shape[1] == 2 or player == CHANCE
        return super().player_name(player) if usual else f"player {player + 1}"

    @cached_property
    def title(self) -> str:  # type: ignore[override]
        return f"a tree of {len(self.nodes):,} nodes, {self._leaves():,} leaves"

    def _leaves(self) -> int:
        return sum(not node.children for node in self.nodes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.nodes)} nodes, {self._leaves()} leaves)"


class ChanceTree(Chance, Tree):
    """A tree in which chance decides at some nodes.  It has machine code of its own: averages are real numbers.

    >>> tree = Tree.from_json({"player": "chance", "probabilities": [0.75, 0.25], "children": [4, -4]})
    >>> tree
    ChanceTree(3 nodes, 2 leaves)
    >>> print(tree.board(tree.initial()))
    root Chance
      1 (0.75) = 4
      2 (0.25) = -4
    """

    __repr__ = Tree.__repr__

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The probability of each item of ``children``; 1 where a player decides."""
        return _table([p for n in self.nodes for p in n.probabilities or (1.0,) * len(n.children)], np.float64)

    @cached_property
    def values(self) -> np.ndarray:
        return _table(super().values, np.float64)

    def probability(self, state: TreePosition, move: int) -> float:
        return self.probabilities[self.first[state.node] + move].item()  # type: ignore[no-any-return]


def _tree(nodes: list[TreeNode], player_names: Sequence[str] = ()) -> Tree:
    """Return the game of these nodes."""
    made = ChanceTree if any(node.probabilities for node in nodes) else Tree
    return made(nodes, list(player_names))


def _table(rows: Any, kind: Any) -> np.ndarray:
    table = np.array(rows, dtype=kind, order="C")
    table.setflags(write=False)
    return table
