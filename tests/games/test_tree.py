"""Trees: all formats agree, errors name their place, and trees share machine code."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms.alphabeta import alphabeta
from plywise.algorithms.common import CutRule
from plywise.algorithms.maxn import maxn
from plywise.algorithms.minimax import minimax
from plywise.algorithms.watch import Watcher
from plywise.compiling.bridge import entry
from plywise.games import Tree, tree_forms
from tests.games.support import check_texts, compiled, digest
from tests.oracle import real_leaves, scores_of, trees, whole_leaves

SMALL = {"player": "max", "children": [3, {"player": "min", "children": [5, 8]}]}

NAMED = {
    "name": "A",
    "player": "max",
    "value": 7,
    "children": [
        {"name": "B", "player": "min", "children": [3, {"ref": "B2"}, {"value": 8, "move": "right"}]},
        {"move": "middle", "player": "max", "children": [2, {"ref": "B", "move": "back"}]},
        {"name": "B2", "value": 12},
    ],
}

BERKELEY = '''
class: "GraphGameTreeTest"
alg: "MinimaxAgent"
depth: "1"

diagram: """
Note: "quoted" words, and a line that looks like a field
num_agents: not this one
"""
num_agents: "3"

start_state: "a"
win_states: "d1 d2 unknown"
lose_states: "d3"

successors: """
a Left b1
a Right b2
b1 Down c1
b2 Left c2
b2 Right c3
c1 Down d1
c2 Down d2
c3 Down d3
d3 Down b2
"""

evaluation: """
c1 -4
d1 3
d2 10
d3 5
"""
'''

values = st.lists(st.integers(-4, 4), min_size=3, max_size=3).map(lambda items: {"values": items})


def value_of(tree: Any) -> Any:
    """Minimax of a tree in JSON, without plywise."""
    if not isinstance(tree, dict):
        return tree
    return (max if tree["player"] == "max" else min)(map(value_of, tree["children"]))


# Searching -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [whole_leaves, real_leaves], ids=["whole", "real"])
def test_both_readings_find_the_value_of_any_tree(leaves: st.SearchStrategy[Any]) -> None:
    @given(trees(leaves))
    def check(source: Any) -> None:
        tree, expected = Tree.from_json(source), value_of(source)
        assert compiled(minimax, tree, tree.initial(), 99, Watcher()) == expected
        assert minimax(tree, tree.initial(), 99, Watcher()) == expected
        assert compiled(digest, tree, tree.initial(), 99) == digest(tree, tree.initial(), 99)

    check()


@given(trees(values, players=(0, 1, 2)))
def test_both_readings_find_the_scores_of_any_tree_of_three_players(source: Any) -> None:
    tree = Tree.from_json(source)
    expected = scores_of(tree, tree.initial())
    assert tuple(compiled(maxn, tree, tree.initial(), 99, Watcher())) == expected
    assert tuple(maxn(tree, tree.initial(), 99, Watcher())) == expected


def test_a_second_tree_of_the_same_kind_compiles_nothing() -> None:
    window = (9, -math.inf, math.inf, CutRule(), Watcher())
    signatures = []
    for source in ([[3, 12], [2, 4]], [1, 2, [3, [4]]], [[-7]]):
        tree = Tree.from_lists(source)
        compiled(alphabeta, tree, tree.initial(), *window)
        signatures.append(len(entry(alphabeta).signatures))  # type: ignore[arg-type]
    assert signatures[0] == signatures[1] == signatures[2]


def test_numbers_are_whole_if_all_of_them_are() -> None:
    whole, real = Tree.from_lists([1, 2]), Tree.from_lists([1, 2.5])
    assert (str(whole.values.dtype), whole.whole_scores()) == ("int64", True)
    assert (str(real.values.dtype), real.whole_scores()) == ("float64", False)
    assert type(whole.score(whole.parse("2"))) is int
    assert type(real.score(real.parse("1"))) is float


def test_labels_need_not_alternate() -> None:
    source = {"player": "min", "children": [{"player": "min", "children": [4, {"player": 1, "children": [2]}]}, 3]}
    assert pw.solve(Tree.from_json(source)).value == 2


def test_bounds_are_those_of_the_leaves_below_and_of_the_estimates_above_them() -> None:
    tree = Tree.from_json(SMALL)
    assert [tree.bounds(tree.parse(name)) for name in ("root", "1", "2", "2.1")] == [(0, 8), (3, 3), (0, 8), (5, 5)]
    assert tuple(tree.sum_bounds) == (-8, 0)
    three = Tree.from_lists([(5, 8, 2), (1, 9, 9)])
    assert tuple(three.sum_bounds) == (0, 19)
    assert three.bounds(three.initial()) == (0, 5)


def test_inner_nodes_are_worth_their_value_at_the_horizon_and_else_nothing() -> None:
    source = {"player": "max", "children": [{"player": "min", "value": 6, "children": [1]}, 4, SMALL]}
    result = pw.search(Tree.from_json(source), depth=1, algorithm="minimax", all_moves=True)
    assert result.moves == {0: 6, 1: 4, 2: 0}
    assert pw.solve(Tree.from_json(source)).value == 5


def test_a_leaf_belongs_to_whoever_would_move_next() -> None:
    tree = Tree.from_lists([[(1, 2, 3)], (4, 5, 6)], first=2)
    assert [tree.to_move(tree.parse(name)) for name in ("root", "1", "1.1", "2")] == [2, 0, 1, 0]


def test_a_tree_may_be_a_single_leaf() -> None:
    for tree in (Tree.from_json(3), Tree.from_json({"value": 3}), Tree.from_json("3")):
        assert tree.is_terminal(tree.initial())
        assert tree.score(tree.initial()) == 3
        assert Tree.from_json(tree.to_json()) == tree


# Forms ---------------------------------------------------------------------------------------------------------------


def test_names_moves_and_references() -> None:
    tree = Tree.from_json(NAMED)
    assert [node.name for node in tree.nodes] == ["A", "middle", "middle.1", "B", "B.1", "B.right", "B2"]
    root = tree.initial()
    assert [tree.format_move(root, move) for move in tree.moves(root)] == ["B", "middle", "B2"]
    middle = tree.play(root, tree.parse_move(root, "middle"))
    assert [tree.format_move(middle, move) for move in tree.moves(middle)] == ["1", "back"]
    assert tree.play(middle, 1) == tree.play(root, 0) == tree.parse("B")
    assert (pw.solve(tree).value, tree.evaluate(root)) == (12, 7)


@pytest.mark.parametrize("source", [SMALL, NAMED, {"players": ["ann", "bob"], "player": "BOB", "children": [3]}])
def test_json_is_read_as_what_it_was_written_from(source: Any) -> None:
    tree = Tree.from_json(source)
    assert Tree.from_json(tree.to_json()) == tree == Tree.from_json(json.dumps(tree.to_json()))


def test_json_is_written_as_short_as_it_was_read() -> None:
    assert Tree.from_json(SMALL).to_json() == SMALL
    assert Tree.from_json(NAMED).to_json() == NAMED


@given(trees(st.one_of(whole_leaves, real_leaves)), st.integers(0, 10**9))
def test_any_tree_survives_json_and_its_texts_are_read(source: Any, seed: int) -> None:
    tree = Tree.from_json(source)
    assert Tree.from_json(json.dumps(tree.to_json())) == tree
    check_texts(tree, seed)


def test_lists_alternate_from_the_first_player() -> None:
    assert Tree.from_lists([3, [5, 8]]) == Tree.from_json(SMALL)
    assert pw.solve(Tree.from_lists([[3, 12], [2, [4, 6]]])).value == 3
    assert pw.solve(Tree.from_lists([[3, 12], [2, [4, 6]]], first="min")).value == 4
    assert pw.solve(Tree.from_lists([[3, 12], [2, [4, 6]]], first=1)).value == 4


def test_networkx_graphs_keep_the_order_of_their_edges() -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.DiGraph()
    graph.add_node("b", player="min")
    graph.add_node("a", player="max")
    graph.add_edge("a", "x", move="first")
    graph.add_edge("a", "b")
    graph.add_edge("b", 7)
    graph.add_edge("b", "x")
    graph.add_node("x", value=3)
    graph.add_node(7, value=2.5)
    tree = Tree.from_networkx(graph)
    assert [node.name for node in tree.nodes] == ["a", "b", "7", "x"]
    assert tree.nodes[0].moves == ("first", "b")
    assert pw.solve(tree).value == 3.0
    assert tree.play(tree.parse("b"), 1) == tree.play(tree.parse("a"), 0)
    three = networkx.DiGraph([(0, 1), (0, 2)])
    three.nodes[0]["player"], three.nodes[1]["values"], three.nodes[2]["values"] = 0, (1, 2, 3), [3, 2, 1]
    assert pw.search(Tree.from_networkx(three), algorithm="maxn").value == (3, 2, 1)


def test_the_berkeley_format_is_read() -> None:
    tree = Tree.from_berkeley(BERKELEY)
    assert [node.name for node in tree.nodes] == ["a", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3"]
    assert [node.player for node in tree.nodes if node.children] == [0, 1, 1, 1, 1, 1]
    assert tree.format_move(tree.initial(), 1) == "Right"
    result = pw.solve(tree)
    assert (result.value, result.line_text()) == (5, ["Right", "Right", "Down"])
    assert pw.search(tree, "b1", depth=1).value == -4
    alternating = Tree.from_berkeley(BERKELEY.replace('num_agents: "3"', ""))
    assert [node.player for node in alternating.nodes if node.children] == [0, 1, 0, 1, 0, 0]


@pytest.mark.parametrize(
    "tree",
    [
        Tree.from_berkeley(BERKELEY),
        Tree.from_lists([[3, -12.5], [2, [4, 6]]]),
        Tree.from_json({**SMALL, "children": [{"player": "max", "value": 1, "children": [2]}, 4]}),
        Tree.from_json(
            {
                "name": "A",
                "player": "max",
                "children": [{"name": "B", "player": 1, "children": [1]}, {"ref": "B", "move": "again"}],
            }
        ),
        Tree.from_json({"value": -3}),
    ],
)
def test_the_berkeley_format_is_read_as_what_it_was_written_from(tree: Tree) -> None:
    text = tree.to_berkeley()
    assert Tree.from_berkeley(text).nodes == tree.nodes
    for field in ("class", "alg", "depth", "diagram", "num_agents", "start_state", "win_states", "lose_states"):
        assert f"{field}: " in text


def test_where_min_begins_the_berkeley_format_gets_a_start_with_one_move() -> None:
    tree = Tree.from_lists([[1, 2], 3], first="min")
    read = Tree.from_berkeley(tree.to_berkeley())
    assert [(node.name, node.player, node.moves) for node in read.nodes[:2]] == [
        ("start", 0, ("go",)), ("root", 1, ("1", "2")),
    ]  # fmt: skip
    assert [node.value for node in read.nodes[1:]] == [node.value for node in tree.nodes]
    named = Tree.from_json({"name": "start", "player": "min", "children": [{"name": "start0", "value": 1}, 2]})
    assert Tree.from_berkeley(named.to_berkeley()).nodes[0].name == "start1"


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (Tree.from_json({"player": "max", "children": [SMALL, {"player": "min", "children": [1]}]}), "rounds of Max"),
        (Tree.from_lists([(1, 2, 3)]), "CS188 format needs single values"),
    ],
)
def test_what_the_berkeley_format_cannot_say_is_refused(tree: Tree, message: str) -> None:
    with pytest.raises(pw.GameError, match=message):
        tree.to_berkeley()


def test_files_are_read_by_what_they_hold(tmp_path: Path) -> None:
    tree = Tree.from_json(SMALL)
    for name, text in [("a.json", json.dumps(SMALL)), ("b.test", tree.to_berkeley()), ("c.json", "[3, [5, 8]]")]:
        (tmp_path / name).write_text(text)
        assert Tree.load(tmp_path / name) == tree
    (tmp_path / "d.json").write_text('{"player": "max", "children": [{}]}')
    with pytest.raises(pw.GameError, match=r"d\.json: root\.children\[0\]: a leaf needs a value"):
        Tree.load(str(tmp_path / "d.json"))
    (tmp_path / "e.json").write_text("[1, ")
    for name in ("e.json", "missing.json"):
        with pytest.raises(pw.GameError, match=f"cannot read a tree from .*{name}"):
            Tree.load(tmp_path / name)


# Pictures ------------------------------------------------------------------------------------------------------------


def test_a_large_tree_has_a_short_picture() -> None:
    tree = Tree.from_lists([[i] for i in range(100)])
    lines = tree.board(tree.initial()).splitlines()
    assert len(lines) == 61
    assert (lines[0], lines[2], lines[-1]) == ("root Max", "    1.1 = 0", "...")
    assert repr(tree) == "Tree(201 nodes, 100 leaves)"


def test_players_are_called_by_their_names_or_numbers() -> None:
    assert Tree.from_json(SMALL).player_name(1) == "Min"
    assert Tree.from_lists([(1, 2, 3)]).player_name(0) == "player 1"
    assert Tree.from_json({"players": ["ann", "bob"], "player": 0, "children": [3]}).player_name(1) == "bob"


def test_an_unknown_node_is_explained() -> None:
    with pytest.raises(pw.PositionError, match=r"'3' is not a node of this tree; nodes are root, 1, 2, 2\.1, 2\.2"):
        Tree.from_json(SMALL).parse("3")


# Mistakes ------------------------------------------------------------------------------------------------------------


def inner(*children: Any, player: Any = "max", **more: Any) -> dict[str, Any]:
    return {"player": player, "children": list(children), **more}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{", "this is not JSON: .* line 1 column 2"),
        (inner(), r'root: "children" must be a list of at least one'),
        (inner(1, inner()), r'root.children\[1\]: "children" must be a list of at least one'),
        ({"player": "max", "children": 3}, 'root: "children" must be a list'),
        (inner(1, inner({})), r"root.children\[1\].children\[0\]: a leaf needs a value"),
        (inner(None), r"root.children\[0\]: a leaf needs a value"),
        ({"children": [1]}, "root: an inner node needs a player; allowed are max, min, or a number from 0 to 1"),
        (inner(1, inner(2, player="mix")), r"root.children\[1\]: 'mix' is not a player here; allowed are max, min"),
        (inner(1, player=2), r"root: 2 is not a player here; .* \(for more than two players, each leaf needs"),
        (inner(1, player=-1), "root: -1 is not a player here"),
        (inner(1, player=True), "root: True is not a player here"),
        (inner({"values": [1, 2, 3]}, player=3), "root: 3 is not a player here; allowed are .* 0 to 2"),
        (inner(1, math.nan), r"root.children\[1\]: nan is not a value; it must be a finite number"),
        ('{"player": "max", "children": [1, Infinity]}', r"root.children\[1\]: inf is not a value"),
        (inner(1 << 62), r"root.children\[0\]: 4611686018427387904 is not a value; .* below 2\*\*62"),
        (inner("7"), r"root.children\[0\]: '7' is not a value"),
        (inner(True), r"root.children\[0\]: True is not a value"),
        (inner({"values": []}), r"root.children\[0\]: values must not be empty"),
        (inner({"values": 3}), r'root.children\[0\]: "values" must be a list'),
        (inner({"value": [3]}), r'root.children\[0\]: "value" must be a number'),
        (inner({"value": 3, "values": [3]}), 'give "value" or "values", not both'),
        (inner({"values": [1, 2]}, {"values": [1, 2, 3]}), r"\[1\]: values for 3 players, but .* has values for 2"),
        (inner(1, {"values": [1, 2]}), r"root.children\[1\]: values for 2 players, but .* has a single value"),
        (inner({"values": [1, 2]}, value=3), r"root.children\[0\]: values for 2 players, but root has a single value"),
        (inner([1, 2]), r"root.children\[0\]: a list is not a node"),
        ([1, 2], "root: a list is not a node"),
        (inner(1, colour="red"), "root: unknown key 'colour'; known are name, move, player"),
        (inner({"value": 1, "name": "A"}, {"value": 2, "name": "A"}), r"\[1\]: root.* already has the name 'A'"),
        (inner(1, {"value": 2, "name": "root"}), "root already has the name 'root'"),
        (inner({"value": 2, "name": "a b"}), "'a b' is not a name; it must be a text without spaces and quotes"),
        (inner({"value": 2, "name": 5}), "5 is not a name"),
        (inner({"value": 2, "move": "a b"}), "root: 'a b' is not a move"),
        (inner({"value": 2, "move": "a\x01"}), "root: 'a.*' is not a move"),
        (inner({"value": 1, "move": "a"}, {"value": 2, "move": "a"}), "root: two moves are called 'a'"),
        (inner(1, {"ref": "Z"}), r"root.children\[1\]: no node is named 'Z'"),
        (inner(1, {"ref": ["Z"]}), r"root.children\[1\]: no node is named \['Z'\]"),
        (inner({"value": 2, "name": ["A"]}), r"root.children\[0\]: \['A'\] is not a name"),
        (inner(1, {"ref": "Z", "value": 3}), 'with "ref", only "move" is allowed'),
        (inner(1, {"ref": "A", "move": "round"}, name="A"), "root: a move leads back to root"),
        (inner(1, inner({"ref": "B"}, name="B")), r"root.children\[1\]: a move leads back to root.children\[1\]"),
        (inner(1, players=["ann"]), "root: names for 1 players, but values for 2"),
        (inner(inner(1, players=["ann", "bob"])), r'\[0\]: "players" must be a list of names, and only the root'),
        (inner(1, players=["ann", "bob"], player="cy"), "root: 'cy' is not a player here; allowed are ann, bob, or"),
    ],
)  # fmt: skip
def test_a_mistake_in_json_is_explained_with_its_place(source: Any, message: str) -> None:
    with pytest.raises(pw.GameError, match=message):
        Tree.from_json(source)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "root: the list is empty"),
        ([1, [2, []]], r"root\[1\]\[1\]: the list is empty"),
        ([1, "x"], r"root\[1\]: 'x' is not a value"),
        ([1, (1, 2)], r"root\[1\]: values for 2 players, but root\[0\] has a single value"),
        ([()], r"root\[0\]: values must not be empty"),
    ],
)
def test_a_mistake_in_lists_is_explained_with_its_place(source: Any, message: str) -> None:
    with pytest.raises(pw.GameError, match=message):
        Tree.from_lists(source)
    with pytest.raises(pw.GameError, match="root: 'middle' is not a player here"):
        Tree.from_lists([1], first="middle")


def test_a_mistake_in_a_graph_is_explained_with_its_place() -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")

    def graph(*edges: tuple[Any, Any], **players: str) -> Any:
        made = networkx.DiGraph(edges)
        for node, player in players.items():
            made.nodes[node]["player"] = player
        return made

    for wrong, message in [
        (networkx.DiGraph(), "the graph has 0 roots; exactly one node must have no edge leading to it"),
        (graph(("a", "c"), ("b", "c")), "the graph has 2 roots: 'a', 'b'"),
        (graph(("a", "b"), ("b", "a")), "node 'b': a move leads back to node 'a'"),
        (graph(("a", "b"), ("b", "a"), ("b", "c")), "a move leads back"),
        (graph(("r", "s"), ("a", "b"), ("b", "a")), "a move leads back"),
        (graph(("a", "b"), a="max"), "node 'b': a leaf needs a value"),
        (networkx.Graph([("a", "b")]), "Graph is not a tree: give a networkx.DiGraph"),
        (networkx.MultiDiGraph([("a", "b")]), "MultiDiGraph is not a tree"),
    ]:
        with pytest.raises(pw.GameError, match=message):
            Tree.from_networkx(wrong)
    unlabelled = graph(("a", "b"))
    unlabelled.nodes["b"]["value"] = 1
    with pytest.raises(pw.GameError, match="node 'a': an inner node needs a player"):
        Tree.from_networkx(unlabelled)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('start_state: "a"', "", "start_state: is missing; a GraphGameTreeTest of CS188 needs it"),
        ("successors:", "children:", "successors: is missing"),
        ('num_agents: "3"', 'num_agents: "none"', "num_agents: 'none' is not a number of agents"),
        ('num_agents: "3"', 'num_agents: "0"', "num_agents: '0' is not a number of agents"),
        ("a Left b1", "a Left", "successors: 'a Left' is not a line of the form 'state action state'"),
        ("d1 3", "d1 3 4", "evaluation: 'd1 3 4' is not a line of the form 'state value'"),
        ("d1 3", "d1 three", "state 'd1': 'three' is not a value"),
        ("d1 3\n", "", "state 'd1': a leaf needs a value"),
        ("a Right b2", "a Left b2", "state 'a': two moves are called 'Left'"),
        ('lose_states: "d3"', "", "state 'd3': a move leads back to state 'b2'"),
        ("b1 Down c1", "b1 Down c1\nb1 Up b2", "state 'b2': it is reached at two levels with different agents to move"),
    ],
)
def test_a_mistake_in_the_berkeley_format_is_explained(old: str, new: str, message: str) -> None:
    assert old in BERKELEY
    with pytest.raises(pw.GameError, match=message):
        Tree.from_berkeley(BERKELEY.replace(old, new))


# Large trees and long texts ------------------------------------------------------------------------------------------


class CountedText(str):
    """A text that counts how often texts are compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        CountedText.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_wide_node_is_read_without_comparing_every_two_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = tree_forms._checked_text
    monkeypatch.setattr(tree_forms, "_checked_text", lambda *arguments: CountedText(checked(*arguments)))
    CountedText.compared = 0
    Tree.from_lists([1] * 2000)
    assert CountedText.compared < 20_000


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"player": "max", "children": [{"move": "x" * 201, "value": 1}]}, "root: a move has 201 characters"),
        ({"name": "x" * 400_000, "value": 1}, "root: a name has 400,000 characters; at most 200 are allowed"),
        ({"players": ["x" * 300, "y"], "value": 1}, "root: a player's name has 300 characters; at most 200 are"),
        ({"name": "x y" * 400_000, "value": 1}, "^root: .{100,130} is not a name; it must be a text without spaces"),
    ],
)
def test_a_text_that_is_too_long_is_refused(tree: dict[str, object], message: str) -> None:
    with pytest.raises(pw.GameError, match=message):
        Tree.from_json(tree)


def test_a_tree_that_can_be_read_can_be_written() -> None:
    for levels in range(380, 1000, 20):
        text = f"{'[' * levels}1{']' * levels}"
        if levels > 400:
            with pytest.raises(pw.GameError, match=r"more than 400 levels|recursion"):
                Tree.from_text(text)
        else:
            tree = Tree.from_text(text)
            assert Tree.from_json(json.loads(json.dumps(tree.to_json()))).nodes == tree.nodes


def test_a_deep_tree_without_names_is_no_long_text() -> None:
    deep: object = 1
    for _ in range(150):
        deep = [deep, 0]
    assert len(Tree.from_lists(deep).nodes) == 301  # type: ignore[arg-type]


# Chance --------------------------------------------------------------------------------------------------------------

LOADED = {
    "player": "chance",
    "probabilities": [0.5, 0.3, 0.2],
    "children": [1, {"player": "max", "children": [2, 3]}, 4],
}
FAIR = {"player": "max", "children": [{"player": "Chance", "children": [1, 2, 6]}, 3]}


def test_a_tree_with_chance_knows_how_likely_its_outcomes_are() -> None:
    game, fair = Tree.from_json(LOADED), Tree.from_json(FAIR)
    assert isinstance(game, pw.Chance)
    assert game.to_move(game.initial()) == pw.CHANCE
    assert [game.probability(game.initial(), move) for move in game.moves(game.initial())] == [0.5, 0.3, 0.2]
    assert [fair.probability(fair.parse("1"), move) for move in (0, 1, 2)] == [1 / 3] * 3
    assert not game.whole_scores()
    assert game.board(game.initial()).splitlines()[:3] == ["root Chance", "  1 (0.5) = 1", "  2 (0.3) Max"]


def test_a_tree_without_chance_is_as_before() -> None:
    game = Tree.from_json(SMALL)
    assert type(game) is Tree
    assert not isinstance(game, pw.Chance)
    assert game.whole_scores()


@pytest.mark.parametrize("source", [LOADED, FAIR, {"player": "chance", "children": [{"values": [1, 2, 3]}] * 3}])
def test_trees_with_chance_are_read_as_they_were_written(source: Any) -> None:
    written = Tree.from_json(source).to_json()
    assert Tree.from_json(written) == Tree.from_json(json.dumps(source))
    assert Tree.from_json(written).to_json() == written
    assert ("probabilities" in written) == (source is LOADED)


def test_probabilities_that_are_nearly_one_are_made_to_sum_to_one() -> None:
    game = Tree.from_json({"player": "chance", "probabilities": [0.3333333333] * 3, "children": [1, 2, 3]})
    assert [game.probability(game.initial(), move) for move in range(3)] == pytest.approx([1 / 3] * 3, rel=1e-15)


def test_a_graph_may_have_probabilities_on_its_edges() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_node("roll", player="chance")
    graph.add_node("six", value=6)
    graph.add_node("other", value=0)
    graph.add_edge("roll", "six", probability=1 / 6)
    graph.add_edge("roll", "other", probability=5 / 6)
    game = Tree.from_networkx(graph)
    assert [game.probability(game.initial(), move) for move in (0, 1)] == [1 / 6, 5 / 6]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"probabilities": [0.5]}, "root: probabilities must be a list of 2 numbers, one for each child"),
        ({"probabilities": "half"}, "root: probabilities must be a list of 2 numbers"),
        ({"probabilities": [1, 0]}, "root: 0 is not a probability; it must be above 0 and at most 1"),
        ({"probabilities": [1.5, -0.5]}, "root: 1.5 is not a probability"),
        ({"probabilities": [True, 0.5]}, "root: True is not a probability"),
        ({"probabilities": [math.nan, 0.5]}, "root: nan is not a probability"),
        ({"probabilities": [0.5, 0.4]}, r"root: the probabilities sum to 0\.9; they must sum to 1"),
        ({"probabilities": [0.5, 0.500001]}, "root: the probabilities sum to 1.000001"),
        ({"probabilities": [0.5, 0.5], "player": "max"}, "root: probabilities are for nodes of the player 'chance'"),
    ],
)
def test_a_mistake_in_probabilities_is_explained_with_its_place(given: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.GameError, match=f"^{message}"):
        Tree.from_json({"player": "chance", "children": [1, 2], **given})
