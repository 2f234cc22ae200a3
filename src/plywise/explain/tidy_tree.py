"""Places for the nodes of a tree: a tidy drawing in linear time.

The method is from Buchheim, Jünger and Leipert ("Improving Walker's Algorithm to Run in Linear Time", 2002), after
Reingold and Tilford.  Subtrees are laid out one by one and pushed right until they clear those on their left; subtrees
between two that were pushed apart are spread evenly.  It promises

- children in order, and every level at one height;
- neighbours on a level at least half their widths plus the gap apart;
- a parent midway between its first and its last child;
- no crossing edges;
- equal subtrees drawn alike, and a mirrored tree drawn as the mirror image.
"""

from __future__ import annotations

from collections.abc import Sequence

NOBODY = -1


def tidy_tree(
    children: Sequence[Sequence[int]], widths: Sequence[float], gap: float = 0.0
) -> tuple[list[float], list[int]]:
    """Place a tree.

    Args:
        children: those of each node, from left to right; node 0 is the root.
        widths: that of each node.
        gap: the space between neighbours on a level.

    Returns:
        The middle of each node, with the leftmost edge at 0, and its level, with the root at 0.

    >>> tidy_tree([[1, 2], [], [3], []], [10, 10, 10, 10], gap=2)
    ([11.0, 5.0, 17.0, 17.0], [0, 1, 1, 2])
    """
    order = _from_the_root(children)
    walk = _TidyWalk(children, [(width + gap) / 2 for width in widths])
    for node in reversed(order):
        walk.place_children(node)
    shifts, levels = [0.0] * len(children), [0] * len(children)
    for node in order:
        for child in children[node]:
            shifts[child] = shifts[node] + walk.modifier[node]
            levels[child] = levels[node] + 1
    middles = [place + shift for place, shift in zip(walk.place, shifts, strict=True)]
    edge = min(middle - width / 2 for middle, width in zip(middles, widths, strict=True))
    return [middle - edge for middle in middles], levels


def _from_the_root(children: Sequence[Sequence[int]]) -> list[int]:
    """Return all nodes, parents before children, from the right; reversed, it lists children first, from the left."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(children[node])
    return order


class _TidyWalk:
    """The first walk of the paper, without recursion.  Most names are the paper's.

    ``place`` is a node's place among its siblings (the paper's prelim); its whole subtree is shifted right by
    ``modifier``.  The contour of a subtree, its outermost nodes level by level, runs along children and, below a
    shorter subtree, along ``thread`` to the next level of a taller one.
    """

    def __init__(self, children: Sequence[Sequence[int]], halves: Sequence[float]) -> None:
        size = len(children)
        self.children, self.halves = children, halves
        self.place = [0.0] * size
        self.modifier = [0.0] * size
        self.thread = [NOBODY] * size
        self.ancestor = list(range(size))
        self.parent = [NOBODY] * size
        self.number = [0] * size  # among its siblings
        self.shift = [0.0] * size  # how far this node and all later siblings move ...
        self.change = [0.0] * size  # ... and how much less each earlier one

    def place_children(self, node: int) -> None:
        """Put the subtrees below a node beside each other, and the node above their middle."""
        below = self.children[node]
        if not below:
            return
        rightmost = below[0]  # owns the nodes of the right contour whose ``ancestor`` is out of date
        before = NOBODY
        for number, child in enumerate(below):
            self.parent[child], self.number[child] = node, number
            if before != NOBODY:
                self._stand_beside(before, child)
                rightmost = self._clear(before, child, below[0], rightmost)
            before = child
        self._spread(below)
        self.place[node] = (self.place[below[0]] + self.place[below[-1]]) / 2

    def _stand_beside(self, before: int, node: int) -> None:
        own = self.place[node]
        self.place[node] = self.place[before] + self.halves[before] + self.halves[node]
        self.modifier[node] = self.place[node] - own

    def _clear(self, before: int, node: int, first: int, rightmost: int) -> int:
        """Push a subtree right until it clears those on its left on every level (the paper's apportion)."""
        place, modifier, thread, children, halves = self.place, self.modifier, self.thread, self.children, self.halves
        inner_left, inner_right, outer_left, outer_right = before, node, first, node
        shift_inner_left, shift_inner_right = modifier[inner_left], modifier[inner_right]
        shift_outer_left, shift_outer_right = modifier[outer_left], modifier[outer_right]
        while True:
            below = children[inner_left]
            next_left = below[-1] if below else thread[inner_left]
            below = children[inner_right]
            next_right = below[0] if below else thread[inner_right]
            if next_left == NOBODY or next_right == NOBODY:
                break
            inner_left, inner_right = next_left, next_right
            below = children[outer_left]
            outer_left = below[0] if below else thread[outer_left]
            below = children[outer_right]
            outer_right = below[-1] if below else thread[outer_right]
            self.ancestor[outer_right] = node
            overlap = (place[inner_left] + shift_inner_left + halves[inner_left]) - (
                place[inner_right] + shift_inner_right - halves[inner_right]
            )
            if overlap > 0:
                owner = self.ancestor[inner_left]
                self._move(owner if self.parent[owner] == self.parent[node] else rightmost, node, overlap)
                shift_inner_right += overlap
                shift_outer_right += overlap
            shift_inner_left += modifier[inner_left]
            shift_inner_right += modifier[inner_right]
            shift_outer_left += modifier[outer_left]
            shift_outer_right += modifier[outer_right]
        if next_left != NOBODY and not children[outer_right] and thread[outer_right] == NOBODY:
            thread[outer_right] = next_left
            modifier[outer_right] += shift_inner_left - shift_outer_right
        if next_right != NOBODY and not children[outer_left] and thread[outer_left] == NOBODY:
            thread[outer_left] = next_right
            modifier[outer_left] += shift_inner_right - shift_outer_left
            rightmost = node
        return rightmost

    def _move(self, left: int, right: int, distance: float) -> None:
        """Move a subtree, and note that those between it and ``left`` follow in equal steps."""
        step = distance / (self.number[right] - self.number[left])
        self.change[right] -= step
        self.shift[right] += distance
        self.change[left] += step
        self.place[right] += distance
        self.modifier[right] += distance

    def _spread(self, siblings: Sequence[int]) -> None:
        """Carry out the moves that ``_move`` noted."""
        shift = change = 0.0
        for node in reversed(siblings):
            self.place[node] += shift
            self.modifier[node] += shift
            change += self.change[node]
            shift += self.shift[node] + change
