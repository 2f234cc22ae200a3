"""A figure shows what was searched, and nothing in it overlaps."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.errors import SearchError
from plywise.explain import Figure, SearchTree, figure, grow
from plywise.explain.drafts import NodeDraft
from plywise.explain.figure import DrawnNode, Sketch, Text, _placed
from plywise.explain.intervals import known_intervals
from plywise.explain.look import SIZES, text_width
from plywise.games import ConnectFour, DogCatMouse, Nim, RedBlue, TicTacToe, Tree
from tests import oracle
from tests.explain.test_golden import BOOK
from tests.explain.test_search_tree import NAMES, recorded, trees

NOTATIONS = ["window", "edge", "interval", "blank"]
Box = tuple[float, float, float, float]


def drawn(game: pw.Game, algorithm: str = "alphabeta", notation: str = "window", **options: Any) -> Figure:
    return figure(grow(recorded(game, algorithm, **options)), notation=notation)


def node_at(drawing: Figure, tree: SearchTree, *moves: str) -> DrawnNode:
    """The node of the last visit that these moves lead to."""
    visit = tree.passes[-1].root
    for move in moves:
        visit = [child for child in visit.children if tree.move_text(visit, child.move) == move][-1]
    return next(node for node in drawing.nodes if node.visit == visit.number)


# Everything is there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMES, "boolean"])
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_every_visit_is_drawn_once(name: str, game: Tree) -> None:
    tree = grow(recorded(game, name))
    drawing = figure(tree)
    assert sorted(node.visit for node in drawing.nodes if node.visit is not None) == sorted(tree.visits)
    assert len(drawing.edges) == len(drawing.nodes) - len(tree.passes)


@given(game=trees)
def test_every_move_that_was_left_out_is_a_cut_edge_and_every_cut_has_its_reason_once(game: Tree) -> None:
    tree = grow(recorded(game, "alphabeta"))
    drawing = figure(tree)
    cuts = [visit.cut for visit in tree.visits.values() if visit.cut is not None and visit.cut.left_out]
    cut_edges = [edge for edge in drawing.edges if edge.way == "cut"]
    assert len(cut_edges) == sum(len(cut.left_out) for cut in cuts)
    assert sum(bool(edge.reason) for edge in cut_edges) == len(cuts)
    assert all(len(edge.strokes) == 2 for edge in cut_edges)
    assert all(drawing.nodes[edge.nodes[1]].ghost for edge in cut_edges if edge.nodes)


@given(game=trees)
def test_the_principal_variation_is_thick_from_the_root_to_its_end(game: Tree) -> None:
    tree = grow(recorded(game, "pvs"))
    drawing = figure(tree)
    assert [node.visit for node in drawing.nodes if node.best] == [visit.number for visit in tree.line]
    assert sum(edge.best for edge in drawing.edges) == len(tree.line) - 1


def test_shapes_say_who_moves() -> None:
    tree = grow(recorded(RedBlue(), "mtdf"))
    drawing = figure(tree)
    for node in drawing.nodes:
        if node.visit is not None:
            visit = tree.visits[node.visit]
            inner = "up" if visit.player == pw.MAX else "down"
            assert node.shape == {"inner": inner, "terminal": "box", "recalled": "memo"}[visit.kind]
    assert {node.shape for node in drawn(TicTacToe(), depth=1).nodes} == {"up", "estimate"}


def test_small_trees_show_the_leaves_that_were_never_seen() -> None:
    ghosts = [node for node in drawn(RedBlue()).nodes if node.ghost]
    assert [ghost.labels.value for ghost in ghosts if ghost.shape == "box"] == ["0", "6"]
    wide = Tree.from_lists([[3, 4], [2, [list(range(13)), 1]]])
    assert [node.shape for node in drawn(wide).nodes if node.ghost] == ["up"]


def test_tests_and_second_searches_have_lines_and_words_of_their_own() -> None:
    drawing = drawn(RedBlue(), "pvs")
    ways = {edge.way: [text.text for text in edge.texts] for edge in drawing.edges}
    assert ways["test"][0] == "R test"
    assert ways["again"][0] == "R again"


def test_many_cuts_give_only_what_was_compared() -> None:
    reasons = {edge.reason for edge in drawn(TicTacToe(), state="XO./.X./..O", depth=4).edges if edge.reason}
    assert reasons
    assert all(reason.startswith("alpha") and ":" not in reason for reason in reasons)


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_algorithm_can_be_drawn_in_every_notation(name: str, notation: str) -> None:
    game = DogCatMouse() if TEXTBOOK[name].many_players else RedBlue()
    tree = grow(recorded(game, name))
    drawing = figure(tree, notation=notation)
    assert len(drawing.nodes) >= len(tree.visits)


def test_every_step_can_be_drawn_and_shows_where_the_search_is() -> None:
    result = recorded(RedBlue(), "alphabeta")
    assert result.events is not None
    for steps in range(1, len(result.events)):
        tree = grow(result, steps=steps)
        for notation in NOTATIONS:
            drawing = figure(tree, notation=notation)
            current = [node.visit for node in drawing.nodes if node.current]
            assert current == ([] if notation == "blank" or tree.current is None else [tree.current.number])
    assert not any(node.current for node in figure(grow(result)).nodes)


# Notations -----------------------------------------------------------------------------------------------------------


def test_windows_on_entry_and_now_are_told_apart() -> None:
    tree = grow(recorded(RedBlue(), "alphabeta"))
    labels = node_at(figure(tree), tree, "B", "R").labels
    assert (labels.above, labels.value, labels.below) == ("(-5, ∞)", "-3", "(-5, -3)")
    styles = {text.text: text.style for text in node_at(figure(tree), tree, "B", "R").texts}
    assert (styles["(-5, ∞)"], styles["(-5, -3)"]) == ("entry", "now")


def test_a_bound_on_an_edge_is_what_the_parent_has_when_it_goes_down() -> None:
    tree = grow(recorded(RedBlue(), "alphabeta"))
    drawing = figure(tree, notation="edge")
    assert node_at(drawing, tree, "B").labels.edge == ""
    assert node_at(drawing, tree, "R").labels.edge == "β -3"
    assert node_at(drawing, tree, "B", "R").labels.edge == "α -5"
    assert not any(node.labels.above or node.labels.below for node in drawing.nodes)


def test_in_negamax_the_bound_on_an_edge_is_the_mover_s_alpha() -> None:
    tree = grow(recorded(RedBlue(), "negamax_alphabeta"))
    drawing = figure(tree, notation="edge")
    assert node_at(drawing, tree, "R").labels.edge == "α 3"
    assert node_at(drawing, tree, "B", "R").labels.edge == "α -5"


def test_the_book_s_intervals() -> None:
    tree = grow(recorded(BOOK, "alphabeta"))
    drawing = figure(tree, notation="interval")
    root = [node_at(drawing, tree), *(node_at(drawing, tree, move) for move in "123")]
    assert [node.labels.above for node in root] == ["[3, 3]", "[3, 3]", "[-∞, 2]", "[2, 2]"]


def test_the_book_s_intervals_step_by_step() -> None:
    """What is known of the root and of the node that is searched after the leaves 3; 3, 12, 8; and 2."""
    result = recorded(BOOK, "alphabeta")
    assert result.events is not None
    leaves = [number for number, event in enumerate(result.events, 1) if event.kind == "leaf"]
    found = []
    for steps in (leaves[0], leaves[2], leaves[3]):
        tree = grow(result, steps=steps)
        assert tree.current is not None
        root, here, _ = tree.current.path
        known = known_intervals(tree)
        found.append((known[root.number], known[here.number]))
    assert found == [
        ((-math.inf, math.inf), (-math.inf, 3)),
        ((3, math.inf), (3, 3)),
        ((3, math.inf), (-math.inf, 2)),
    ]


@pytest.mark.parametrize("name", [*(name for name in NAMES if not TEXTBOOK[name].many_players), "boolean"])
@given(game=trees, share=st.floats(0, 1))
@oracle.FOR_EACH_ALGORITHM
def test_the_value_lies_in_its_interval_at_every_time(name: str, game: Tree, share: float) -> None:
    result = recorded(game, name)
    assert result.events is not None
    tree = grow(result, steps=max(1, round(share * len(result.events))))
    for number, (low, high) in known_intervals(tree).items():
        assert low <= oracle.value_of(game, tree.visits[number].state) <= high


def test_a_blank_tree_tells_nothing_but_the_leaves() -> None:
    for algorithm in ("minimax", "alphabeta"):
        drawing = drawn(RedBlue(), algorithm, "blank")
        shown = [node.labels.value for node in drawing.nodes if node.labels.value]
        assert sorted(shown, key=int) == ["-5", "-3", "-2", "0", "1", "3", "4", "6"]
        assert not any(node.best or node.ghost or node.labels.above for node in drawing.nodes)
        assert all(edge.way == "plain" and not edge.best for edge in drawing.edges)


def test_marks_stand_beside_their_nodes() -> None:
    drawing = figure(grow(recorded(RedBlue(), "minimax")), marks={3: "A"})
    assert [(node.visit, node.mark) for node in drawing.nodes if node.mark] == [(3, "A")]
    assert [text.text for node in drawing.nodes for text in node.texts if text.style == "mark"] == ["A"]


def test_captions_say_what_was_searched_and_what_each_sign_means() -> None:
    tree = grow(recorded(RedBlue(), "alphabeta"))
    words = {text.text for text in figure(tree).around.texts}
    assert {"Alpha-beta on RED-BLUE, to the end", "Cut rule: alpha ≥ beta."} <= words
    assert {"Max", "Min", "end of the game", "best play", "cut off: not searched"} <= words
    assert "searched again" not in words
    bare = figure(tree, captions=False)
    assert not bare.around.texts
    check_tidy(bare)
    assert {text.text for text in figure(tree, notation="blank").around.texts} >= {"RED-BLUE", "Max"}


# Wide nodes and boards -----------------------------------------------------------------------------------------------


@given(game=trees, widest=st.integers(1, 3))
def test_wide_nodes_keep_their_best_moves_and_one_sign_for_the_rest(game: Tree, widest: int) -> None:
    tree = grow(recorded(game, "minimax"))
    drawing = figure(tree, widest=widest)
    shown = {node.visit for node in drawing.nodes}
    for visit in tree.visits.values():
        if visit.number not in shown:
            continue
        kept = [child.value for child in visit.children if child.number in shown]
        hidden = [child.value for child in visit.children if child.number not in shown]
        if visit.children:
            assert len(kept) == min(widest, len(visit.children))
        if hidden:
            assert min(kept) >= max(hidden) if visit.player == pw.MAX else max(kept) <= min(hidden)
    assert all(visit.number in shown for visit in tree.line)
    rest = [int(node.labels.value) for node in drawing.nodes if node.shape == "more"]
    assert sum(rest) == sum(
        child.number not in shown for number in shown if number is not None for child in tree.visits[number].children
    )


def test_what_a_cut_left_out_of_a_wide_node_is_one_sign() -> None:
    drawing = figure(grow(recorded(Tree.from_lists([[9, 9], [1, 2, 3, 4, 5]]), "alphabeta")), widest=3)
    ghost = next(node for node in drawing.nodes if node.ghost)
    assert (ghost.shape, ghost.labels.value, ghost.title) == ("more", "+4", "cut off: 2 3 4 5")


def test_boards_are_inside_the_nodes_of_games_that_have_one() -> None:
    game = TicTacToe()
    drawing = drawn(game, state="XO./.X./..O", depth=1)
    assert drawing.nodes[0].board == tuple(game.board(game.parse("XO./.X./..O")).splitlines())
    assert all(node.board and node.marks for node in drawing.nodes)
    assert [mark.text for mark in drawing.nodes[0].marks if mark.text] == ["X", "O", "X", "O"]
    assert all(node.board for node in drawn(Nim(), depth=1).nodes)
    for other in (RedBlue(), BOOK):
        assert not any(node.board for node in drawn(other).nodes)
    tree = grow(recorded(RedBlue(), "alphabeta"))
    assert figure(tree, boards=True).nodes[0].board == (". . .",)
    assert not any(node.board for node in figure(grow(recorded(game, "minimax", depth=1)), boards=False).nodes)


def test_what_makes_no_sense_is_refused() -> None:
    tree = grow(recorded(RedBlue(), "alphabeta"))
    with pytest.raises(SearchError, match="no notation 'arrows'; there are: window, edge, interval, blank"):
        figure(tree, notation="arrows")
    with pytest.raises(SearchError, match="at least 1, not 0"):
        figure(tree, widest=0)


# Places --------------------------------------------------------------------------------------------------------------


def box_of(text: Text) -> Box:
    width, size = text_width(text.text, text.style), SIZES[text.style]
    left = {"start": text.x, "middle": text.x - width / 2, "end": text.x - width}[text.anchor]
    return left, text.y - 0.7 * size, left + width, text.y + 0.1 * size


def boxes_of(node: DrawnNode) -> list[Box]:
    """The boxes around a node's shape and around the texts beside it."""
    x, y = zip(*node.outline, strict=True)
    beside = [text for text in node.texts if text.style in ("entry", "now", "interval", "mark")]
    return [(min(x), min(y), max(x), max(y)), *map(box_of, beside)]


def overlap(one: Box, other: Box) -> bool:
    slack = 0.01
    return (
        one[0] < other[2] - slack
        and other[0] < one[2] - slack
        and one[1] < other[3] - slack
        and other[1] < one[3] - slack
    )


def runs_into(line: tuple[tuple[float, float], tuple[float, float]], box: Box) -> bool:
    """Whether part of a line is inside a box (Liang and Barsky)."""
    (x, y), (to_x, to_y) = line
    first, last = 0.0, 1.0
    for start, step, low, high in ((x, to_x - x, box[0], box[2]), (y, to_y - y, box[1], box[3])):
        if abs(step) < 1e-9:
            if not low < start < high:
                return False
            continue
        one, other = sorted(((low - start) / step, (high - start) / step))
        first, last = max(first, one), min(last, other)
    return last - first > 1e-6


FIGURES = {
    "red-blue": lambda: drawn(RedBlue()),
    "scout": lambda: drawn(RedBlue(), "scout"),
    "mtdf": lambda: drawn(RedBlue(), "mtdf"),
    "maxn": lambda: drawn(DogCatMouse(), "maxn"),
    "tic-tac-toe": lambda: drawn(TicTacToe(), state="XO./.X./..O", depth=3),
    "collapsed": lambda: figure(grow(recorded(TicTacToe(), "alphabeta", state="XO./.X./..O", depth=4)), widest=2),
    "connect-four": lambda: figure(grow(recorded(ConnectFour(), "alphabeta", state="445566", depth=2)), widest=3),
}


@pytest.mark.parametrize("name", FIGURES)
def test_known_figures_are_tidy(name: str) -> None:
    check_tidy(FIGURES[name]())


@pytest.mark.parametrize("notation", NOTATIONS)
@given(game=trees, algorithm=st.sampled_from(["alphabeta", "pvs", "scout", "mtdf"]))
def test_random_figures_are_tidy(notation: str, game: Tree, algorithm: str) -> None:
    check_tidy(drawn(game, algorithm, notation))


def test_an_edge_goes_around_a_tall_neighbour() -> None:
    """A board without children, and beside it a triangle whose many children reach below the board."""
    board = NodeDraft("box", board=("X O X",) * 9)
    parent = NodeDraft("up", children=[3, 4, 5, 6, 7, 8, 9])
    drafts = [NodeDraft("up", children=[1, 2]), board, parent, *(NodeDraft("box", move=str(i)) for i in range(7))]
    sketch, width, height = _placed(drafts, 0.0, "")
    check_tidy(Figure(sketch, Sketch(), width, height, ""))
    assert max(len(edge.points) for edge in sketch.edges) == 3


def check_tidy(drawing: Figure) -> None:
    """Nothing lies outside, on something else, or in the way of an edge."""
    boxes = [(number, box) for number, node in enumerate(drawing.nodes) for box in boxes_of(node)]
    for sketch in (drawing.tree, drawing.around):
        texts = [*sketch.texts, *(text for edge in sketch.edges for text in edge.texts)]
        for left, top, right, bottom in [*map(box_of, texts), *(box for _, box in boxes)]:
            assert left >= 0
            assert top >= 0
            assert right <= drawing.width
            assert bottom <= drawing.height
    for place, (number, box) in enumerate(boxes):
        for other_number, other in boxes[place + 1 :]:
            assert number == other_number or not overlap(box, other)
    labels = [box_of(text) for edge in drawing.edges for text in edge.texts]
    for place, label in enumerate(labels):
        assert not any(overlap(label, other) for other in labels[place + 1 :])
        assert not any(overlap(label, box) for _, box in boxes)
    for edge in drawing.edges:
        assert edge.nodes is not None
        for line in zip(edge.points, edge.points[1:], strict=False):
            assert not any(runs_into(line, box) for number, box in boxes if number not in edge.nodes)
