"""The nodes of a drawing: visits, moves that were cut off, and nodes that stand for moves not drawn.

A draft holds everything about a node except its place.
"""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal

from plywise.explain.intervals import LEAF_KINDS
from plywise.explain.miniature import Miniature
from plywise.explain.search_tree import SearchTree, Visit
from plywise.explain.sentences import cut_reason
from plywise.explain.text import number, short_label, with_words
from plywise.explain.tree_notation import NOTHING, Labels, Notation, Writer
from plywise.game import MAX, Game, Move, State, sign
from plywise.layers import CHANCE, Sheet
from plywise.layers.view import cells_of

Shape = Literal["up", "down", "round", "box", "estimate", "memo", "more"]
"""Max, Min, chance, the end of a game, the depth limit, a node known from a memo, moves not drawn."""
Way = Literal["plain", "test", "again", "probe", "cut"]
WAYS: Mapping[str, Way] = MappingProxyType({"null window": "test", "re-search": "again", "probe": "probe"})
"""How an edge is drawn, by the way in which the search takes it."""

LEAVES_LEFT_OUT = 12
"""Cut-off moves are drawn with everything below them if that has no more leaves than this."""
LONG_REASONS = 12
"""A drawing with more cuts than this shortens the reasons to what was compared."""
REASON_WIDTH = 24
LONGEST_TITLE = 1000
"""The most characters in the tooltip of a node."""
LONGEST_BOARD, WIDEST_BOARD = 12, 32
"""The most lines and characters of a board drawn in a node by default; a cell counts as two characters."""


@dataclasses.dataclass
class NodeDraft:
    """A node without a place, with the edge that leads to it."""

    shape: Shape
    labels: Labels = NOTHING
    way: Way = "plain"
    move: str = ""
    reason: tuple[str, ...] = ()
    """Why the edge was cut, in lines."""
    board: tuple[str, ...] = ()
    """The position as lines of text."""
    picture: Miniature | None = None
    """The position as a drawing, if the game has a layout."""
    ghost: bool = False
    """Whether it was never visited."""
    best: bool = False
    """Whether it is on the principal variation."""
    current: bool = False
    mark: str = ""
    title: str = ""
    visit: int | None = None
    children: list[int] = dataclasses.field(default_factory=list)


class Drafter:
    """Makes drafts of the passes of a search."""

    def __init__(
        self,
        tree: SearchTree,
        notation: Notation,
        widest: int | None = None,
        boards: bool | None = None,
        marks: Mapping[int, str] = MappingProxyType({}),
        most_left_out: int | None = None,
        most_leaves: int | None = LEAVES_LEFT_OUT,
    ) -> None:
        self.tree, self.game, self.blank = tree, tree.game, notation == "blank"
        self.writer = Writer(tree, notation)
        self.widest, self.most_left_out, self.most_leaves, self.marks = widest, most_left_out, most_leaves, marks
        self.boards = has_boards(tree) if boards is None else boards
        self.line = set() if self.blank else set(tree.line)
        self.current = [] if self.blank or tree.current is None else tree.current.path
        self.finished = all(one.root.value is not None for one in tree.passes)
        cuts = sum(visit.cut is not None and bool(visit.cut.left_out) for visit in tree.visits.values())
        self.long_reasons = cuts <= LONG_REASONS
        self.drafts: list[NodeDraft] = []

    def draft(self, root: Visit) -> list[NodeDraft]:
        """Return the drafts of a pass, the root first."""
        self.drafts = []
        waiting: list[tuple[Visit, int | None]] = [(root, None)]
        while waiting:
            visit, above = waiting.pop()
            here = self._add(self._visit(visit), above)
            kept, rest = self._chosen(visit)
            # Children are added, and so numbered, in any order: ``_arrange`` sorts them.
            waiting += [(child, here) for child in kept]
            if rest:
                self._add(self._rest(visit, rest), here)
            if visit.cut is not None and visit.cut.left_out:
                self._leave_out(visit, here, whole=not rest)
        self._arrange()
        return self.drafts

    def _add(self, draft: NodeDraft, above: int | None) -> int:
        self.drafts.append(draft)
        here = len(self.drafts) - 1
        if above is not None:
            self.drafts[above].children.append(here)
        return here

    def _arrange(self) -> None:
        """Sort children: visits in search order, then the node for moves not drawn, then moves that were cut off."""

        def turn(index: int) -> tuple[int, int]:
            draft = self.drafts[index]
            kind = 0 if draft.visit is not None else 2 if draft.ghost else 1
            return kind, index if draft.visit is None else draft.visit

        for draft in self.drafts:
            draft.children.sort(key=turn)

    # Visits ----------------------------------------------------------------------------------------------------------

    def _visit(self, visit: Visit) -> NodeDraft:
        tree, above = self.tree, visit.parent
        way: Way = "plain" if self.blank or visit.way is None else WAYS[visit.way]
        return NodeDraft(
            self._shape(visit), self.writer.labels(visit), way,
            move="" if above is None else tree.edge_text(above.state, visit.move),
            board=self._board(visit.state), picture=self._picture(visit.state), best=visit in self.line,
            current=not self.finished and visit is tree.current and not self.blank,
            mark=self.marks.get(visit.number, ""), title=self._title(visit), visit=visit.number,
        )  # fmt: skip

    def _shape(self, visit: Visit) -> Shape:
        if visit.kind == "terminal":
            return "box"
        if visit.kind == "horizon":
            return "estimate"
        if visit.kind == "recalled":
            return "memo"
        return self._player_shape(visit.player)

    def _player_shape(self, player: int) -> Shape:
        if player == CHANCE:
            return "round"
        return "up" if player == MAX or self.tree.algorithm.many_players else "down"

    def _title(self, visit: Visit) -> str:
        moves = [self.tree.move_text(above, below.move) for above, below in pairwise(visit.path)]
        where = short_label(" ".join(moves), LONGEST_TITLE) or "the root"
        if visit.kind in LEAF_KINDS:
            kind = "score" if visit.kind == "terminal" else "estimate"
            return f"{where}: {kind} {with_words(visit.value, self.tree.words(visit))}"
        if visit.player == CHANCE:
            return f"{where}: chance decides"
        return f"{where}: {self.tree.role(visit.player)} to move"

    def _board(self, state: State) -> tuple[str, ...]:
        return tuple(self.game.board(state).splitlines()) if self.boards else ()

    def _picture(self, state: State) -> Miniature | None:
        if not self.boards or self.game.layout is None:
            return None
        return Miniature(self.game.layout, self.game.pieces, cells_of(self.game, state))

    # Wide nodes ------------------------------------------------------------------------------------------------------

    def _chosen(self, visit: Visit) -> tuple[list[Visit], list[Visit]]:
        """Return the children to draw, and the others; a move that was searched twice counts once."""
        moves = list(dict.fromkeys(child.move for child in visit.children))
        if self.widest is None or len(moves) <= self.widest:
            return visit.children, []
        merits = {child.move: self._merit(visit, child) for child in visit.children}
        kept = set(sorted(moves, key=merits.__getitem__, reverse=True)[: self.widest])
        return (
            [child for child in visit.children if child.move in kept],
            [child for child in visit.children if child.move not in kept],
        )

    def _merit(self, visit: Visit, child: Visit) -> tuple[bool, Any]:
        """Return how good a child is for the player to move, or how likely it is.

        Best play and the current path come first.
        """
        first = child in self.line or child in self.current
        if (odds := self.tree.odds(visit.state, child.move)) is not None:
            return first, odds
        if child.value is None:
            return first, float("-inf")
        if isinstance(child.value, tuple):
            return first, child.value[visit.player]
        return first, sign(visit.player) * self.tree.seen_by(child.value, child.player)

    def _rest(self, visit: Visit, rest: list[Visit]) -> NodeDraft:
        texts = list(dict.fromkeys(self.tree.move_text(visit, child.move) for child in rest))
        title = short_label(f"not drawn: {' '.join(texts)}", LONGEST_TITLE)
        return NodeDraft("more", Labels(f"+{len(texts)}"), title=title)

    # What was left out -----------------------------------------------------------------------------------------------

    def _leave_out(self, visit: Visit, here: int, whole: bool) -> None:
        """Add what was cut off: whole subtrees if they are small, else only the moves, else one node for all."""
        tree, event = self.tree, visit.cut
        assert event is not None
        reason = () if self.blank else self._reason(visit)
        moves = event.left_out
        crowded = self.widest is not None and (not whole or len(visit.children) + len(moves) > self.widest)
        many = self.most_left_out is not None and len(moves) > self.most_left_out
        if many or (crowded and len(moves) > 1):
            texts = " ".join(tree.move_text(visit, move) for move in moves)
            title = short_label(f"cut off: {texts}", LONGEST_TITLE)
            hidden = NodeDraft("more", Labels(f"+{len(moves)}"), "cut", reason=reason, ghost=True, title=title)
            self._add(hidden, here)
            return
        small = self.blank or tree.leaves_left_out(visit, self.most_leaves) is not None
        for order, move in enumerate(moves):
            child = self._ghost(visit.state, move, visit.ply + 1, "plain" if self.blank else "cut")
            child.reason = reason if order == 0 else ()
            self._ghosts_below(self._add(child, here), self.game.play(visit.state, move), visit.ply + 1, small)

    def _ghosts_below(self, here: int, state: State, ply: int, whole: bool) -> None:
        waiting = [(here, state, ply)] if whole else []
        while waiting:
            above, state, ply = waiting.pop()
            if self._is_leaf(state, ply):
                continue
            for move in self.game.moves(state):
                child = self._add(self._ghost(state, move, ply + 1, "plain"), above)
                waiting.append((child, self.game.play(state, move), ply + 1))

    def _ghost(self, state: State, move: Move, ply: int, way: Way) -> NodeDraft:
        below = self.game.play(state, move)
        text = self.tree.edge_text(state, move)
        if self._is_leaf(below, ply):
            value = self.tree.algorithm.worth(self.game, below)
            value = value if isinstance(value, tuple) else self.tree.seen_by(value, self.game.to_move(below))
            labels = Labels(number(value))
            shape: Shape = "box" if self.game.is_terminal(below) else "estimate"
        else:
            labels, shape = NOTHING, self._player_shape(self.game.to_move(below))
        return NodeDraft(
            shape, labels, way, text, ghost=not self.blank, title=f"{text}: not searched" * (not self.blank)
        )

    def _is_leaf(self, state: State, ply: int) -> bool:
        return ply == self.tree.depth or self.game.is_terminal(state)

    def _reason(self, visit: Visit) -> tuple[str, ...]:
        reason = cut_reason(self.tree, visit)
        return tuple(textwrap.wrap(reason if self.long_reasons else reason.partition(":")[0], REASON_WIDTH))


def has_boards(tree: SearchTree) -> bool:
    """Return whether the game's board fits into a node: a small layout, or a few lines of text.

    Games written down as trees show none.
    """
    return bool(tree.passes) and board_fits(tree.game, tree.passes[0].root.state)


def board_fits(game: Game, state: State) -> bool:
    """Return whether the board of a position fits into a node."""
    if game.written:
        return False
    if game.layout is not None:
        fits = game.layout.rows <= LONGEST_BOARD and game.layout.columns <= WIDEST_BOARD // 2
        return bool(fits and not isinstance(game.layout, Sheet))
    lines = game.board(state).splitlines()
    return 1 < len(lines) <= LONGEST_BOARD and max(map(len, lines)) <= WIDEST_BOARD
