"""Turns the list of events into the tree that was searched.

Each time the search enters a node is a visit; it may visit a node twice.  The visits of a pass form one tree (most
algorithms make one pass; aspiration and MTD(f) start again).  Built from the first events only, the tree shows what the
algorithm has seen so far: that is how stepping works.  No algorithm runs here.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from plywise.algorithms import Algorithm, algorithm_named
from plywise.algorithms.watch import Event
from plywise.errors import SearchError
from plywise.explain.intervals import Intervals, Relation
from plywise.explain.text import short_label
from plywise.game import MAX, Game, Move, State, sign
from plywise.io.wording import chance_text
from plywise.layers import CHANCE
from plywise.result import Result, meaning

Kind = Literal["inner", "terminal", "horizon", "recalled"]


@dataclasses.dataclass(eq=False)
class Visit:
    """One visit of the search to a node.  Windows and values are from the algorithm's own point of view."""

    number: int
    parent: Visit | None = dataclasses.field(repr=False)
    ply: int
    state: State
    player: int
    """The player to move."""
    move: Move | None
    """The move that leads here from the parent."""
    alpha: Any
    beta: Any
    """The window on entry."""
    question: Literal[">=", ">"] | None = None
    """In a boolean search: whether the value is at least ``alpha`` or above it."""
    way: Literal["null window", "re-search", "probe"] | None = None
    """How the parent searches this node, if not in the usual way."""
    kind: Kind = "inner"
    value: Any = None
    """The value returned; None until then."""
    relation: Relation = "="
    """How the true value compares with ``value``, which outside the window may be only a bound."""
    window: tuple[Any, Any] = (None, None)
    """The current window."""
    best: Move | None = None
    """The best move so far."""
    average: tuple[Any, Any] | None = None
    """Where chance moves: the bounds of the average, as far as they are known."""
    compared: tuple[Any, Any] | None = None
    """Where chance moves: the bounds of the average that the algorithm compared with its window."""
    against: bool = False
    """Whether the player to move plays against the one whose value this is: in searches with a coalition."""
    cut: Event | None = None
    """The event that cut off the remaining moves."""
    children: list[Visit] = dataclasses.field(default_factory=list, repr=False)

    @property
    def path(self) -> list[Visit]:
        """The visits from the root to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


@dataclasses.dataclass(eq=False)
class Pass:
    """One search from the root; its window is the root's."""

    root: Visit
    announced: bool
    """Whether the algorithm announced this pass, as it does if it makes several."""

    def follow(self, line: tuple[Move, ...] | None) -> list[Visit]:
        """Return the visits along ``line``; if it is None, along the best moves so far."""
        found = [self.root]
        while line is None or len(found) <= len(line):
            here = found[-1]
            wanted = here.best if line is None else line[len(found) - 1]
            below = [child for child in here.children if child.move == wanted]
            if wanted is None or not below:
                break
            found.append(below[-1])  # the last visit, if the move was searched again
        return found


@dataclasses.dataclass(eq=False)
class SearchTree:
    """The tree of a recorded search, complete or up to some event."""

    game: Game
    algorithm: Algorithm
    strict: bool
    """Whether the search cuts only on ``alpha > beta``; in a boolean search, whether the value must exceed the goal."""
    depth: int | None
    """The depth limit."""
    passes: list[Pass] = dataclasses.field(default_factory=list)
    visits: dict[int, Visit] = dataclasses.field(default_factory=dict)
    current: Visit | None = None
    """The visit of the last event."""
    line: tuple[Visit, ...] = ()
    """The principal variation (so far)."""

    @property
    def signs_turn(self) -> bool:
        """Whether windows and values are for the player to move (negamax) instead of for MAX."""
        return self.algorithm.view == "mover"

    def move_text(self, visit: Visit, move: Move) -> str:
        """Return the text of a move at a visit."""
        return str(self.game.move_name(visit.state, move))

    def move_label(self, visit: Visit, move: Move) -> str:
        """Return the text of a move at a visit, shortened if it is long, for sentences and lines."""
        return short_label(self.move_text(visit, move))

    def odds(self, state: State, move: Move) -> float | None:
        """Return the probability of a move; None if a player chooses it."""
        return self.game.probability(state, move) if self.game.to_move(state) == CHANCE else None

    def edge_text(self, state: State, move: Move) -> str:
        """Return the text of a move and, if it is an outcome of chance, its probability."""
        text, odds = str(self.game.move_name(state, move)), self.odds(state, move)
        return text if odds is None else f"{text} · {chance_text(odds)}"

    def role(self, player: int) -> str:
        """Return the name of a player: Max or Min, or the game's own name if every player has its own score."""
        if player == CHANCE:
            return "Chance"
        if self.algorithm.many_players:
            return self.game.player_name(player)
        return "Max" if player == MAX else "Min"

    def seen_by(self, value: Any, player: int) -> Any:
        """Convert a value for MAX to this search's point of view at a node of ``player``, or back.

        In negamax forms this changes the sign for MIN.
        """
        return sign(player) * value if self.signs_turn else value

    def words(self, visit: Visit) -> str:
        """Return the value of a visit in the game's own words; empty if unknown, or if they add nothing."""
        if visit.value is None or visit.question or self.algorithm.many_players:
            return ""
        return meaning(self.game, self.seen_by(visit.value, visit.player))

    def limit(self, visit: Visit, player: int) -> Any:
        """Return, for MAX, what ``player``'s opponent has secured on entry; ``player`` will get no more than that."""
        if not self.signs_turn:
            return visit.beta if player == MAX else visit.alpha
        return self.seen_by(visit.beta if visit.player == player else visit.alpha, visit.player)

    def leaves_left_out(self, visit: Visit, limit: int | None = 12) -> list[Any] | None:
        """Return the values, for MAX, of the leaves that were cut off; None if there are more than ``limit``."""
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
        """Draw the tree in a notebook, unless it is too big."""
        from plywise.explain.figure import notebook_svg

        return notebook_svg(self)

    def to_json(self) -> dict[str, Any]:
        """Return the tree as dictionaries and lists, with moves as texts; ends of windows may be infinite."""
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
        if above is not None and (odds := self.odds(above.state, visit.move)) is not None:
            report["probability"] = odds
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
        result: the result of a search with ``record=True``.
        strict: the ``strict`` option of the search; default: as the result says.
        steps: use only this many events; default: all.

    Raises:
        SearchError: the search was not recorded.

    >>> import plywise as pw
    >>> tree = grow(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True))
    >>> root = tree.passes[0].root
    >>> root.value, [child.relation for child in root.children]
    (-3, ['=', '≥'])
    """
    if result.events is None:
        raise SearchError("this search was not recorded: search with record=True")
    rule = result.strict if strict is None else strict
    tree = SearchTree(result.game, algorithm_named(result.algorithm), rule, result.depth)
    for _ in growing(tree, result.events[:steps]):
        pass
    finished = steps is None or steps >= len(result.events)
    tree.line = _line(tree, result.line if finished else None)
    return tree


def growing(tree: SearchTree, events: Iterable[Event]) -> Iterator[Event]:
    """Add events to a tree and yield each after adding it; the tree's ``line`` stays unchanged."""
    grower = _Grower(tree)
    for event in events:
        grower.add(event)
        yield event


def known_average(visit: Visit, event: Event) -> tuple[Any, Any]:
    """Return the bounds of an average after an event at a chance node.

    If the value of the outcome that was added last is only a bound, so is its sum with the others.
    """
    relations = [child.relation for child in visit.children if child.move == event.move and child.way != "probe"]
    last = relations[-1] if event.kind == "weigh" else "="
    return (-math.inf if last == "≤" else event.alpha, math.inf if last == "≥" else event.beta)


def leaf_states(game: Game, state: State, depth: int | None) -> Iterator[State]:
    """Yield the leaves of the whole tree below ``state``, in order: terminal or at the depth limit."""
    if depth == 0 or game.is_terminal(state):
        yield state
        return
    for move in game.moves(state):
        yield from leaf_states(game, game.play(state, move), None if depth is None else depth - 1)


def _line(tree: SearchTree, line: tuple[Move, ...] | None) -> tuple[Visit, ...]:
    """Return the principal variation, from the pass that followed it furthest; without a line, from the last pass."""
    if not tree.passes:
        return ()
    passes = tree.passes[-1:] if line is None else tree.passes[::-1]
    found = max((one.follow(line) for one in passes), key=len)
    return tuple(found) if len(found) > 1 else ()


class _Grower:
    """Adds events to a tree, one by one."""

    def __init__(self, tree: SearchTree) -> None:
        self.tree = tree
        self.announced = False  # the next visit starts a pass
        self.asked: dict[int, Event] = {}  # by visit: the null-window search, re-search or probe of its next child
        self.intervals = None if tree.algorithm.many_players else Intervals(tree)

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
        elif event.kind in ("weigh", "bound"):
            visit.average, visit.compared = known_average(visit, event), (event.alpha, event.beta)
        elif event.kind in ("null window", "re-search", "probe"):
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
        visit.against = tree.algorithm.coalition and visit.player != visit.path[0].player
        visit.question = self._question(visit)

    def _question(self, visit: Visit) -> Literal[">=", ">"] | None:
        """Return the question at a visit.  If only tests ask, MAX tests for ``>`` and MIN for ``>=``."""
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
        if self.intervals is not None:
            visit.relation = self.intervals.settle(visit)
        elif visit.cut is not None:
            visit.relation = "≤" if visit.against else "≥"
