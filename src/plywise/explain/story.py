"""A recorded search as a story: plain JSON for a view that steps through it.

A story has the visits, with what never changes about them, and the steps, one an event, each with its sentence and
what it changes at one visit.  Replaying the first k steps gives the tree after k events; to step back is to replay one
fewer.  The steps are read off the growing tree, so that no view has to know an algorithm.  Numbers and windows are
texts already: JSON has no infinity, and every view writes them alike.
"""

from __future__ import annotations

from typing import Any

from plywise.explain.sentences import WINDOWLESS, cut_reason, preface, sentence, summary
from plywise.explain.text import number, window
from plywise.explain.tree import SearchTree, Visit, grow, growing
from plywise.game import MAX, Game
from plywise.games import Tree
from plywise.result import Result

MOST_BOARDS = 2000
"""Visits up to which a story has pictures of the positions."""


def story(result: Result) -> dict[str, Any]:
    """Return a recorded search as JSON for the view.

    Args:
        result: of a search with ``record=True``.

    Raises:
        SearchError: the search was not recorded.

    >>> import plywise as pw
    >>> told = story(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True))
    >>> told["steps"][0]["text"]
    'Enter the root (Min) with the window (-∞, ∞).'
    >>> told["steps"][-1]["change"], told["line"]
    ({'value': '= -3'}, [0, 1, 5, 7])
    """
    final, tree = grow(result), grow(result, steps=0)
    assert result.events is not None
    looks: dict[int, dict[str, Any]] = {}
    steps = []
    for event in growing(tree, result.events):
        step: dict[str, Any] = {"kind": event.kind, "visit": None, "text": sentence(tree, event), "change": {}}
        if tree.current is not None:
            here = tree.current
            before, now = looks.get(here.number, {}), look(tree, here)
            step.update(visit=here.number, change={key: now[key] for key in now if now[key] != before.get(key)})
            looks[here.number] = now
        steps.append(step)
    boards = len(final.visits) <= MOST_BOARDS and _has_boards(result.game)
    depth = "to the end" if result.depth is None else f"to depth {result.depth}"
    return {
        "title": f"{result.algorithm} on {result.game!r}, {depth}",
        "algorithm": result.algorithm,
        "game": repr(result.game),
        "facts": preface(final),
        "summary": summary(result),
        "named": final.algorithm.view == "scores",
        "visits": [_facts(final, final.visits[i], boards) for i in range(len(final.visits))],
        "steps": steps,
        "line": [visit.number for visit in final.line],
    }


def look(tree: SearchTree, visit: Visit) -> dict[str, Any]:
    """Return what is to be seen of a visit as far as the tree has grown: what steps change."""
    seen: dict[str, Any] = {}
    if _has_window(tree, visit) and visit.window != (visit.alpha, visit.beta):
        seen["window"] = window(*visit.window)
    if visit.value is not None:
        seen["value"] = _value(tree, visit)
    followed = [child.number for child in visit.children if child.move == visit.best]
    if visit.best is not None and followed:
        seen["best"] = followed[-1]
    if visit.cut is not None:
        leaves = tree.leaves_left_out(visit)
        seen["cut"] = {
            "moves": [tree.move_text(visit, move) for move in visit.cut.left_out],
            "reason": cut_reason(tree, visit),
            "unseen": None if leaves is None else [number(leaf) for leaf in leaves],
        }
    return seen


def _facts(tree: SearchTree, visit: Visit, boards: bool) -> dict[str, Any]:
    """Return what holds of a visit from beginning to end; ``tree`` is the whole one."""
    game, above = tree.game, visit.parent
    facts: dict[str, Any] = {
        "parent": None if above is None else above.number,
        "move": None if above is None else tree.move_text(above, visit.move),
        "kind": visit.kind,
        "player": tree.role(visit.player),
        "up": tree.algorithm.view == "scores" or visit.player == MAX,
        "position": game.format(visit.state),
    }
    if visit.question and visit.kind in ("inner", "recalled"):
        facts["entry"] = f"v {'≥' if visit.question == '>=' else '>'} {number(visit.alpha)}?"
    elif _has_window(tree, visit):
        facts["entry"] = window(visit.alpha, visit.beta)
    if visit.way:
        facts["way"] = {"null window": "test", "re-search": "again"}[visit.way]
    if boards:
        facts["board"] = game.board(visit.state)
    return facts


def _has_window(tree: SearchTree, visit: Visit) -> bool:
    return not (
        visit.kind in ("terminal", "horizon")
        or visit.question
        or tree.algorithm.view == "scores"
        or tree.algorithm.name in WINDOWLESS
    )


def _has_boards(game: Game) -> bool:
    """Return whether a game has pictures of positions.  A tree's is the tree itself, which is drawn already."""
    return not isinstance(game, Tree) and "\n" in game.board(game.initial())


def _value(tree: SearchTree, visit: Visit) -> str:
    if visit.kind in ("terminal", "horizon"):
        return ("≈ " if visit.kind == "horizon" else "") + number(visit.value)
    if visit.question:
        return "yes" if visit.value else "no"
    return f"{visit.relation} {number(visit.value)}"
