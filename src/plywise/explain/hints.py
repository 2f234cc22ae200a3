"""Hints for wrong answers to a quiz: where to look again, without the answer.

A hint names the first node where the reasoning goes wrong: the node that a value does not get past, the nodes that set
an end of a window, or the node below which the first leaf is wrong.  It never tells the marked node's window.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from plywise.explain.sentences import place
from plywise.explain.text import listing, number, window
from plywise.game import MAX, MIN

if TYPE_CHECKING:
    from plywise.explain.quiz import Quiz
    from plywise.explain.search_tree import SearchTree, Visit


def value_hint(quiz: Quiz, given: float) -> str:
    """Return a hint on a wrong value of the root: how far up a leaf with that value gets."""
    leaves = [leaf for leaf in quiz.leaves.values() if number(leaf.value) == number(given)]
    if not leaves:
        return f"The value of the root is always the value of a leaf, and no leaf has {number(given)}."
    stopped = min((_stopped(leaf) for leaf in leaves), key=lambda visit: visit.ply)
    who = quiz.whole.role(stopped.player)
    return f"{number(given)} does not get past {_named(quiz.whole, stopped)}: {who} has a better move there."


def _stopped(leaf: Visit) -> Visit:
    """Return the first node above a leaf that has another value; the root if all have the same."""
    return next((above for above in reversed(leaf.path) if above.value != leaf.value), leaf.path[0])


def move_hint(quiz: Quiz, given: str) -> str:
    """Return a hint on a wrong move at the root: what it is worth."""
    chosen = next(child for child in quiz.root.children if quiz.whole.move_text(quiz.root, child.move) == given)
    if chosen.value == quiz.root.value:
        return f"{given} is as good as the right move, but an earlier move is equally good."
    more = "more" if quiz.root.player == MAX else "less"
    who = quiz.whole.role(quiz.root.player)
    return f"With best play {given} is worth {number(chosen.value)}. {who} wants {more}: which move gives that?"


def window_hint(quiz: Quiz, wrong: Collection[int]) -> str:
    """Return a hint on a wrong window; ``wrong`` has MAX if alpha is wrong, MIN if beta is."""
    assert quiz.marked is not None
    here, hints = _named(quiz.searched, quiz.marked), []
    for player, end in ((MAX, "Alpha"), (MIN, "Beta")):
        if player not in wrong:
            hints.append(f"{end} is right.")
            continue
        who = quiz.searched.role(player)
        above = [_named(quiz.searched, visit) for visit in quiz.marked.path[:-1] if visit.player == player]
        where = f"look at {listing(above)}" if above else f"which {who} nodes are above {here}?"
        full_stop = "." if above else ""
        hints.append(f"{end} is what {who} has secured above {here} before alpha-beta enters it: {where}{full_stop}")
    return " ".join(hints)


def pruned_hint(quiz: Quiz, wrong: str) -> str:
    """Return a hint on wrong leaves: the node to look at again; ``wrong`` is the letter of the first one."""
    node = quiz.entered_above(wrong)
    look = f"Look again below {_named(quiz.searched, node)} ({quiz.searched.role(node.player)})"
    if quiz.marked is not None and (node.alpha, node.beta) == (quiz.marked.alpha, quiz.marked.beta):
        return f"{look}: with which window does alpha-beta enter it, and what does each move change?"
    entry = window(node.alpha, node.beta)
    return f"{look}. Alpha-beta enters it with the window {entry}: compare alpha with beta after each move."


def _named(tree: SearchTree, visit: Visit) -> str:
    """Return the name of a node: moves may be numbers, which alone would look like values."""
    return place(tree, visit) if visit.parent is None else f"node {place(tree, visit)}"
