"""The story of an engine's own search: the top of its tree (``engine.tree_top``), for the view that steps through it.

It has the form of any other story (``explain.story``), so the same view shows it.  A step is a position, in the order
in which one would explain the choice: the line of best play, then what speaks against the other moves, then the moves
that the line's players could have made instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from plywise.engine.tree_top import Known, TopNode
from plywise.explain.arrangement import arranged
from plywise.explain.drafts import LONGEST_TITLE, NodeDraft, Shape, board_fits
from plywise.explain.miniature import Miniature
from plywise.explain.story import MEASURES, drawn
from plywise.explain.text import short_label
from plywise.explain.titles import algorithm_title, ending_in_words, in_words, value_in_words
from plywise.explain.tree_notation import Labels
from plywise.game import MAX, sign
from plywise.io.wording import chance_text
from plywise.layers import CHANCE
from plywise.layers.view import board_json, cells_of
from plywise.result import RELATION, Bound, Result

SIGNS: dict[Bound, str] = {"exact": "", "lower": "≥ ", "upper": "≤ ", "estimate": "≈ "}
"""What stands before a value in a node."""

UNKNOWN = "?"
"""The value of a position that is not, or no longer, in the table."""


def engine_story(result: Result, top: TopNode) -> dict[str, Any]:
    """Return the top of a tree as JSON for the view.

    Args:
        result: the answer of the search.
        top: the top of its tree, from ``engine.tree_top``.

    >>> import plywise as pw
    >>> from plywise.engine.tree_top import tree_top
    >>> engine = pw.Engine(pw.games.TicTacToe(), table_mb=1)
    >>> result = engine.search("XX./OO./...", depth=3)
    >>> told = engine_story(result, tree_top(engine, result))
    >>> told["steps"][1]["text"]
    'Best play: X plays c3. X wins.'
    """
    return _EngineStory(result, top).told()


class _EngineStory:
    """Numbers the positions of a tree, and puts them into words."""

    def __init__(self, result: Result, top: TopNode) -> None:
        self.result, self.game, self.top = result, result.game, top
        self.nodes = list(_drawn_order(top))
        self.numbers = {id(node): number for number, node in enumerate(self.nodes)}
        self.boards = board_fits(self.game, top.state)

    def told(self) -> dict[str, Any]:
        drafts = list(map(self._draft, self.nodes))
        bare = [replace(draft, board=(), picture=None) for draft in drafts]
        kinds = [bare, drafts] if self.boards else [drafts]
        steps = list(self._steps())
        return {
            "title": self._title(),
            "algorithm": self.result.algorithm,
            "facts": self._facts(),
            "summary": f"{len(self.nodes)} of {self.result.nodes:,} positions are shown",
            "notations": {
                "window": f"above a node: how {'deep it was searched' if self._by_depth else 'often it was tried'}"
            },
            "signs": ["≥ ≤ a bound of the value", f"{UNKNOWN} not in the table"][: 1 + self._forgets],
            "board": board_json(self.game),
            "boards": self.boards,
            "written": False,
            "visits": [self._visit(node, drafts[number]) for number, node in enumerate(self.nodes)],
            "drawings": [_alone(each) for each in kinds],
            "measures": MEASURES,
            "steps": steps,
            "places": list(range(len(drafts))),
            "moments": list(range(len(steps))),
            "line": [self.numbers[id(node)] for node in self.nodes if node.on_line],
        }

    @property
    def _by_depth(self) -> bool:
        return self.top.visits is None

    @property
    def _forgets(self) -> bool:
        return any(node.known is None for node in self.nodes)

    # Positions ------------------------------------------------------------------------------------------------------

    def _draft(self, node: TopNode) -> NodeDraft:
        game = self.game
        picture = None
        if self.boards and game.layout is not None:
            picture = Miniature(game.layout, game.pieces, cells_of(game, node.state))
        labels = Labels(self._value(node), self._effort(node), self._unshown(node))
        return NodeDraft(
            self._shape(node), labels, move=self._edge(node), picture=picture, best=node.on_line,
            board=tuple(game.board(node.state).splitlines()) if self.boards else (), visit=self.numbers[id(node)],
            children=[self.numbers[id(child)] for child in _beside(node)],
        )  # fmt: skip

    def _shape(self, node: TopNode) -> Shape:
        if node.over:
            return "box"
        return "round" if node.player == CHANCE else "up" if node.player == MAX else "down"

    def _visit(self, node: TopNode, draft: NodeDraft) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "parent": None if node.parent is None else self.numbers[id(node.parent)],
            "move": short_label(draft.move),
            "shape": draft.shape,
            "position": short_label(self.game.format(node.state), LONGEST_TITLE),
            "rows": [row for row in self._rows(node) if row[1]],
        }
        if facts["move"] != draft.move:
            facts["full"] = draft.move
        if not node.over:
            facts["player"] = self._who(node)
        if draft.labels.above:
            facts["entry"] = facts["head"] = draft.labels.above
        if draft.picture is not None:
            facts["cells"], facts["last"] = draft.picture.cells, self._last_places(node)
        elif draft.board:
            facts["board"] = draft.board
        return facts

    def _rows(self, node: TopNode) -> Iterator[tuple[str, str]]:
        """Yield the details of a position, by name."""
        game, known = self.game, node.known
        path = [self._name(below) for _, below in pairwise(node.path)]
        yield "Moves", " ".join(path) or "none: the root"
        yield "Position", short_label(game.format(node.state), LONGEST_TITLE)
        yield "To move", "" if node.over else self._who(node)
        yield "Value", "not in the table" if known is None else self._in_words(known)
        if not node.over and known is not None and (known.proven or known.depth is not None):
            yield (
                "Searched",
                "to the end: proven" if known.proven else f"{_plies(known.depth or 0)} below this position",
            )
        if node.visits is not None:
            yield "Rounds", f"{node.visits:,}"
        if known is not None and known.move is not None:
            yield "Best move", game.move_name(node.state, known.move)
        yield "End", "" if not node.over else self._ending(node)
        all_of = "Outcomes" if node.player == CHANCE else "All moves"
        yield all_of, f"{node.moves}, {len(node.children)} shown" if node.moves else ""

    def _value(self, node: TopNode) -> str:
        if node.known is None:
            return UNKNOWN
        return short_label(SIGNS[node.known.bound] + value_in_words(self.game, node.known.value))

    def _effort(self, node: TopNode) -> str:
        """Return what the search has spent on a position."""
        if node.visits is not None:
            return f"{node.visits:,} {'round' if node.visits == 1 else 'rounds'}"
        if node.over or node.known is None:
            return ""
        if node.known.proven:
            return "proven"
        return "" if node.known.depth is None else f"depth {node.known.depth}"

    def _unshown(self, node: TopNode) -> str:
        unshown = node.moves - len(node.children)
        thing = "outcome" if node.player == CHANCE else "move"
        return f"+ {unshown} {thing}{'' if unshown == 1 else 's'}" if node.children and unshown else ""

    def _last_places(self, node: TopNode) -> list[int]:
        """Return the places of the move that led to a position."""
        if node.parent is None or node.parent.player == CHANCE:
            return []
        return [int(place) for place in self.game.places(node.parent.state, node.move) if place >= 0]

    # Words ----------------------------------------------------------------------------------------------------------

    def _name(self, node: TopNode) -> str:
        assert node.parent is not None
        return self.game.move_name(node.parent.state, node.move)

    def _edge(self, node: TopNode) -> str:
        if node.parent is None:
            return ""
        if node.parent.player != CHANCE:
            return self._name(node)
        odds: Any = self.game
        return f"{self._name(node)} ({chance_text(odds.probability(node.parent.state, node.move))})"

    def _who(self, node: TopNode) -> str:
        return "Chance" if node.player == CHANCE else self.game.player_name(node.player)

    def _in_words(self, known: Known) -> str:
        return RELATION[known.bound] + value_in_words(self.game, known.value)

    def _ending(self, node: TopNode) -> str:
        assert node.known is not None
        value = node.known.value
        return ending_in_words(self.game, node.state, [value, -value], node.over == "repetition")

    def _title(self) -> str:
        return f"{algorithm_title(self.result.algorithm, capital=True)} on {in_words(self.game)}{self._deep(', ')}"

    def _deep(self, before: str = "", after: str = "") -> str:
        """Return how deep the search went, with what stands before and after it; empty if it had no depth."""
        if self.result.proven:
            return f"{before}to the end{after}"
        return "" if self.result.depth is None else f"{before}{_plies(self.result.depth)} deep{after}"

    def _facts(self) -> list[str]:
        names = [self.game.player_name(player) for player in range(2)]
        what = "the engine's table after its search" if self._by_depth else "the tree of Monte Carlo tree search"
        facts = [f"Read from {what}: the line of best play, other moves, and the replies to them."]
        facts.append(f"Values are {names[0]}'s." if names[0] != "Max" else "Values are Max's.")
        return [*facts, f"{names[0]} is Max, {names[1]} is Min."] if names != ["Max", "Min"] else facts

    # Steps ----------------------------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[dict[str, Any]]:
        line = [node for node in self.nodes if node.on_line]
        yield self._step(self.top, self._opening())
        for node in line[1:]:
            assert node.parent is not None
            ended = node is line[-1] and not node.over
            end = " Here the line ends: what follows was only evaluated." if ended and self._by_depth else ""
            yield self._step(node, f"Best play: {self._played(node)}. {self._worth(node)}{end}")
        for above in line:
            for child in above.children:
                if not child.on_line:
                    yield self._step(child, self._instead(above, child))
                    for node in list(child.walk())[1:]:
                        yield self._step(node, f"The reply: {self._played(node)}. {self._worth(node)}")
        yield self._step(self.top, self._choice())

    def _step(self, node: TopNode, text: str) -> dict[str, Any]:
        change: dict[str, Any] = {"value": self._value(node)}
        if unshown := self._unshown(node):
            change["window"] = unshown
        following = [child for child in node.children if child.on_line]
        if following:
            change["best"] = self.numbers[id(following[0])]
        return {"kind": "enter", "visit": self.numbers[id(node)], "text": text.strip(), "change": change}

    def _opening(self) -> str:
        result, top = self.result, self.top
        who = "Chance moves." if top.player == CHANCE else f"{self._who(top)} is to move."
        nodes = f"{result.nodes:,} {'position' if result.nodes == 1 else 'positions'}"
        return f"{who} The search went {self._deep(after=', ')}through {nodes} in {result.seconds:.2g} s."

    def _played(self, node: TopNode) -> str:
        assert node.parent is not None
        who = "chance decides" if node.parent.player == CHANCE else f"{self._who(node.parent)} plays"
        return f"{who} {self._name(node)}"

    def _worth(self, node: TopNode) -> str:
        """Return the value of a position as a sentence."""
        if node.over:
            return self._ending(node)
        if node.known is None:
            return "This position is not in the table."
        effort = self._effort(node)
        return f"Value: {self._in_words(node.known)}{f' ({effort})' if effort else ''}."

    def _instead(self, above: TopNode, child: TopNode) -> str:
        """Return what another move than the best one is worth."""
        best = [node for node in above.children if node.on_line]
        if above.player == CHANCE or not best:
            return f"Another possibility: {self._played(child)}. {self._worth(child)}"
        verdict = _verdict(above, best[0], child)
        return f"Instead of {self._name(best[0])}, {self._played(child)}. {self._worth(child)}{verdict}"

    def _choice(self) -> str:
        result, top = self.result, self.top
        if result.move is None:
            return f"The value of the position: {result.relation}{value_in_words(self.game, result.value)}."
        value = f"{result.relation}{value_in_words(self.game, result.value)}"
        return f"So {self._who(top)} plays {self.game.move_name(top.state, result.move)} ({value})."


def _drawn_order(top: TopNode) -> Iterator[TopNode]:
    """Yield all positions as they are numbered: parents first, and moves from left to right."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += _beside(node)[::-1]


def _beside(node: TopNode) -> list[TopNode]:
    """Return the moves shown of a position from left to right: the best in the middle, where the view opens, and the
    others on both sides of it, the worst at the ends.
    """
    best, others = node.children[:1], node.children[1:]
    near, far = others[::2], others[1::2]
    left, right = (near, far) if node.ply % 2 else (far, near)
    return [*left[::-1], *best, *right]


def _verdict(above: TopNode, best: TopNode, other: TopNode) -> str:
    """Return how another move compares with the best one, for the player who chooses, if that is known."""
    if best.known is None or other.known is None or "estimate" in (best.known.bound, other.known.bound):
        return ""
    turn = sign(above.player)
    ahead = turn * (other.known.value - best.known.value)
    at_most = {"exact": True, "upper": turn > 0, "lower": turn < 0}[other.known.bound]
    at_least = {"exact": True, "lower": turn > 0, "upper": turn < 0}[other.known.bound]
    if at_most and ahead < 0:
        return " That is worse."
    if at_most and ahead == 0:
        return " That is no better."
    return " It seemed better, but was not searched as deeply." if at_least and ahead > 0 else ""


def _plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"


def _alone(drafts: Sequence[NodeDraft]) -> dict[str, Any]:
    """Return the drawing of a tree that shares it with no other."""
    numbers = {node: node for node in range(len(drafts))}
    return drawn([dict(enumerate(drafts))], numbers, drafts, arranged(drafts))
