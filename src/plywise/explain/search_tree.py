"""From the list of events to the tree that was searched.

A search enters nodes, one after the other, perhaps the same one twice; each time is a visit.  Visits form one tree a
pass (most algorithms make one pass; aspiration and MTD(f) begin again).  Built from the first events only, the tree is
what the algorithm has seen so far: that is how stepping works.  Nothing here runs an algorithm.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from plywise.algorithms import Algorithm, algorithm_named
from plywise.algorithms.watch import Event
from plywise.errors import SearchError
from plywise.explain.text import short_label
from plywise.game import MAX, Game, Move, State, sign
from plywise.result import Result

Kind = Literal["inner", "terminal", "horizon", "recalled"]
Relation = Literal["=", "≤", "≥"]


@dataclasses.dataclass(eq=False)
class Visit:
    """One time that the search was at a node.  Windows and values are as the algorithm has them."""

    number: int
    parent: Visit | None = dataclasses.field(repr=False)
    ply: int
    state: State
    player: int
    """Who is to move."""
    move: Move | None
    """What led here from the parent."""
    alpha: Any
    beta: Any
    """The window on entry."""
    question: Literal[">=", ">"] | None = None
    """In a boolean search: whether it asks for at least ``alpha``, or for more."""
    way: Literal["null window", "re-search"] | None = None
    """How the parent asked, if not in the usual way."""
    kind: Kind = "inner"
    value: Any = None
    """What the visit returned; None while it lasts."""
    window: tuple[Any, Any] = (None, None)
    """The window now."""
    best: Move | None = None
    """The best move so far."""
    cut: Event | None = None
    """The event by which the rest of the moves was left out."""
    children: list[Visit] = dataclasses.field(default_factory=list, repr=False)

    @property
    def relation(self) -> Relation:
        """What the value searched for is to ``value``: outside the window, ``value`` is only a bound."""
        if self.kind in ("terminal", "horizon"):
            return "="
        if isinstance(self.value, tuple):
            return "≥" if self.cut is not None else "="
        return "≤" if self.value <= self.alpha else "≥" if self.value >= self.beta else "="

    @property
    def path(self) -> list[Visit]:
        """The visits from the root to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


@dataclasses.dataclass(eq=False)
class Pass:
    """One search from the root, with the window that it began with."""

    root: Visit
    announced: bool
    """Whether it is one of several: the algorithm said that it begins (again)."""

    def follow(self, line: tuple[Move, ...] | None) -> list[Visit]:
        """Return the visits along ``line``; without one, along the best moves known so far."""
        found = [self.root]
        while line is None or len(found) <= len(line):
            here = found[-1]
            wanted = here.best if line is None else line[len(found) - 1]
            below = [child for child in here.children if child.move == wanted]
            if wanted is None or not below:
                break
            found.append(below[-1])  # the last one, if the move was searched again
        return found


@dataclasses.dataclass(eq=False)
class SearchTree:
    """What a recorded search did, or has done up to some event."""

    game: Game
    algorithm: Algorithm
    strict: bool
    """Whether the search cuts only on ``alpha > beta``; in a boolean search, whether it asks for more than the goal."""
    depth: int | None
    """The depth limit."""
    passes: list[Pass] = dataclasses.field(default_factory=list)
    visits: dict[int, Visit] = dataclasses.field(default_factory=dict)
    current: Visit | None = None
    """Where the last event happened."""
    line: tuple[Visit, ...] = ()
    """The principal variation; before the end, what it is so far."""

    @property
    def signs_turn(self) -> bool:
        """Whether windows and values are those of the player to move (negamax) instead of MAX's."""
        return self.algorithm.view == "mover"

    def move_text(self, visit: Visit, move: Move) -> str:
        """Return a move at a visit as people write it."""
        return str(self.game.move_name(visit.state, move))

    def move_label(self, visit: Visit, move: Move) -> str:
        """Return the text of a move at a visit for a sentence or a line: a long one is shortened."""
        return short_label(self.move_text(visit, move))

    def role(self, player: int) -> str:
        """Return what a player is called: Max or Min; by its own name where each has a score of its own."""
        if self.algorithm.many_players:
            return self.game.player_name(player)
        return "Max" if player == MAX else "Min"

    def seen_by(self, value: Any, player: int) -> Any:
        """Return a value that is MAX's as this search writes it for a player, or the other way round.

        In negamax forms it changes its sign.
        """
        return sign(player) * value if self.signs_turn else value

    def limit(self, visit: Visit, player: int) -> Any:
        """Return, for MAX, what the opponent of ``player`` has on entering a visit: more, ``player`` will not get."""
        if not self.signs_turn:
            return visit.beta if player == MAX else visit.alpha
        return self.seen_by(visit.beta if visit.player == player else visit.alpha, visit.player)

    def leaves_left_out(self, visit: Visit, limit: int = 12) -> list[Any] | None:
        """Return the values, for MAX, of the leaves that a cut left out; None if there are more than ``limit``."""
        assert visit.cut is not None
        found: list[Any] = []
        left = None if self.depth is None else self.depth - visit.ply - 1
        for move in visit.cut.left_out:
            for state in leaf_states(self.game, self.game.play(visit.state, move), left):
                if len(found) == limit:
                    return None
                found.append(self.algorithm.worth(self.game, state))
        return found

    def _repr_svg_(self) -> str | None:
        """Draw the tree in a notebook, if it is not too big for one."""
        from plywise.explain.figure import notebook_svg

        return notebook_svg(self)

    def to_json(self) -> dict[str, Any]:
        """Return the tree for programs: moves in their text forms, infinite ends of windows as they are."""
        return {
            "game": repr(self.game),
            "algorithm": self.algorithm.name,
            "strict": self.strict,
            "depth": self.depth,
            "values_of": {"mover": "player to move", "scores": "each player"}.get(self.algorithm.view, "Max"),
            "passes": [self._visit_json(one.root) for one in self.passes],
        }

    def _visit_json(self, visit: Visit) -> dict[str, Any]:
        above = visit.parent
        report: dict[str, Any] = {
            "visit": visit.number,
            "move": None if above is None else self.move_text(above, visit.move),
            "position": self.game.format(visit.state),
            "kind": visit.kind,
            "player": self.role(visit.player) if visit.kind in ("inner", "recalled") else None,
            "alpha": visit.alpha,
            "beta": visit.beta,
            "value": visit.value,
            "relation": None if visit.value is None or visit.question else visit.relation,
            "best_play": visit in self.line,
        }
        if visit.question:
            report["question"] = f"v {visit.question} {visit.alpha}"
        if visit.way:
            report["way"] = visit.way
        if visit.cut is not None:
            report["left_out"] = [self.move_text(visit, move) for move in visit.cut.left_out]
        if visit.children:
            report["children"] = [self._visit_json(child) for child in visit.children]
        return report


def grow(result: Result, *, strict: bool | None = None, steps: int | None = None) -> SearchTree:
    """Return the tree of a recorded search.

    Args:
        result: of a search with ``record=True``.
        strict: the option with which it was made; default: what the result says.
        steps: use only so many events; default: all.

    Raises:
        SearchError: the search was not recorded.

    >>> import plywise as pw
    >>> tree = grow(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True))
    >>> root = tree.passes[0].root
    >>> root.value, [child.relation for child in root.children]
    (-3, ['=', '≥'])
    """
    if result.events is None:
        raise SearchError("there is nothing to draw: search with record=True")
    rule = result.strict if strict is None else strict
    tree = SearchTree(result.game, algorithm_named(result.algorithm), rule, result.depth)
    for _ in growing(tree, result.events[:steps]):
        pass
    finished = steps is None or steps >= len(result.events)
    tree.line = _line(tree, result.line if finished else None)
    return tree


def growing(tree: SearchTree, events: Iterable[Event]) -> Iterator[Event]:
    """Add events to a tree and yield each once it is in; the tree's ``line`` stays as it was."""
    grower = _Grower(tree)
    for event in events:
        grower.add(event)
        yield event


def leaf_states(game: Game, state: State, depth: int | None) -> Iterator[State]:
    """Yield the leaves of the whole tree below ``state``, in order: ends of the game, or of the depth."""
    if depth == 0 or game.is_terminal(state):
        yield state
        return
    for move in game.moves(state):
        yield from leaf_states(game, game.play(state, move), None if depth is None else depth - 1)


def _line(tree: SearchTree, line: tuple[Move, ...] | None) -> tuple[Visit, ...]:
    """Find the principal variation in the last pass, or in the one that followed it furthest."""
    if not tree.passes:
        return ()
    passes = tree.passes[-1:] if line is None else tree.passes[::-1]
    found = max((one.follow(line) for one in passes), key=len)
    return tuple(found) if len(found) > 1 else ()


class _Grower:
    """Adds events to a tree, one by one."""

    def __init__(self, tree: SearchTree) -> None:
        self.tree = tree
        self.announced = False  # the next visit begins a pass
        self.asked: dict[int, Event] = {}  # by visit: the null window or re-search in which its next child is made

    def add(self, event: Event) -> None:
        if event.kind == "restart":
            self.announced = True
            self.tree.current = None
            return
        if event.kind == "enter":
            self._enter(event)
        visit = self.tree.visits[event.node]
        self.tree.current = visit
        if event.kind in ("leaf", "recall", "return"):
            self._close(visit, event)
        elif event.kind == "update":
            visit.best, visit.window = event.move, (event.alpha, event.beta)
        elif event.kind == "cut":
            visit.cut = event
        elif event.kind in ("null window", "re-search"):
            self.asked[event.node] = event

    def _enter(self, event: Event) -> None:
        tree = self.tree
        parent = None if event.parent is None else tree.visits[event.parent]
        visit = Visit(
            event.node, parent, event.ply, event.state, tree.game.to_move(event.state), event.move,
            event.alpha, event.beta, window=(event.alpha, event.beta),
        )  # fmt: skip
        tree.visits[event.node] = visit
        if parent is None:
            tree.passes.append(Pass(visit, self.announced))
            self.announced = False
        else:
            parent.children.append(visit)
            if asked := self.asked.pop(parent.number, None):
                visit.way = asked.kind  # type: ignore[assignment]
        visit.question = self._question(visit)

    def _question(self, visit: Visit) -> Literal[">=", ">"] | None:
        """Return what is asked.  Where only tests ask, MAX tests for more, MIN for at least as much."""
        if self.tree.algorithm.only_answers:
            return ">" if self.tree.strict else ">="
        if not self.tree.algorithm.asks or visit.parent is None or visit.way == "re-search":
            return None
        if visit.way == "null window":
            return ">" if visit.parent.player == MAX else ">="
        return visit.parent.question

    def _close(self, visit: Visit, event: Event) -> None:
        visit.value = tuple(event.value.tolist()) if hasattr(event.value, "tolist") else event.value
        if event.kind == "leaf":
            visit.kind = "terminal" if event.terminal else "horizon"
            if self.tree.signs_turn:
                visit.value = self.tree.seen_by(visit.value, visit.player)
        elif event.kind == "recall":
            visit.kind, visit.best = "recalled", event.move
