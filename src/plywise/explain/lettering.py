"""Letters as names of nodes: a number would look like a value.

Capitals name inner nodes level by level, ``A`` being the root; small letters name leaves from left to right.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from plywise.layers import CHANCE

if TYPE_CHECKING:
    from plywise.games import Tree


def letters(i: int, first: str = "a") -> str:
    """Return the letters that name leaf ``i``, counted from the left; the first is ``first``, ``a`` or ``A``.

    >>> [letters(i) for i in (0, 25, 26, 27, 52)]
    ['a', 'z', 'aa', 'ab', 'ba']
    """
    more, last = divmod(i, 26)
    return (letters(more - 1, first) if more else "") + chr(ord(first) + last)


def lettered(tree: Tree) -> Tree:
    """Return a tree with letters for all nodes and moves that are only numbered; given names and rolls of dice stay.

    A name that is the same as the one the node would get without a name, such as ``1`` for the first child of the root,
    does not count as given.

    >>> import plywise as pw
    >>> tree = lettered(pw.games.Tree.from_lists([[3, 12], [2, 4]]))
    >>> print(tree.board(tree.initial()))
    A Max
      B Min
        a = 3
        b = 12
      C Min
        c = 2
        d = 4
    """
    numbered = _numbered(tree)
    given = {text for i, node in enumerate(tree.nodes) for text in (*node.moves, "" if i in numbered else node.name)}
    capitals, small = _unused("A", given), _unused("a", given)
    names = {i: next(capitals) for i in _by_level(tree) if i in numbered and tree.nodes[i].children}
    names |= {i: next(small) for i, node in enumerate(tree.nodes) if i in numbered and not node.children}
    nodes = [
        node._replace(
            name=names.get(i, node.name),
            moves=tuple(
                names.get(child, move) if node.player != CHANCE and move == str(place) else move
                for place, (child, move) in enumerate(zip(node.children, node.moves, strict=True), 1)
            ),
        )
        for i, node in enumerate(tree.nodes)
    ]
    return type(tree)(nodes, tree.player_names)


def _numbered(tree: Tree) -> set[int]:
    """Return the nodes that are named by the path to them, as nodes without a name are, and whose move is a number."""
    paths, moved = {0: "root"}, {0}
    for i, node in enumerate(tree.nodes):  # parents come before children
        for place, (child, move) in enumerate(zip(node.children, node.moves, strict=True), 1):
            if child not in paths:
                paths[child] = move if i == 0 else f"{paths[i]}.{move}"
                moved |= {child} if node.player != CHANCE and move == str(place) else set()
    return {i for i in moved if tree.nodes[i].name == paths[i]}


def _by_level(tree: Tree) -> list[int]:
    """Return the numbers of all nodes, level by level from left to right."""
    found = level = {0: None}  # in their order
    while level:
        level = {child: None for i in level for child in tree.nodes[i].children if child not in found}
        found = found | level
    return list(found)


def _unused(first: str, given: set[str]) -> Iterator[str]:
    """Yield letters from ``first`` on that are not names yet."""
    return (name for i in count() if (name := letters(i, first)) not in given)
