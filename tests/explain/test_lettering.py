"""Letters for nodes that have only numbers."""

from __future__ import annotations

from hypothesis import given

from plywise.explain.lettering import lettered
from plywise.games import Tree
from plywise.layers import CHANCE
from tests.explain.test_search_tree import trees


@given(game=trees)
def test_every_node_of_a_tree_of_lists_has_a_letter_of_its_own(game: Tree) -> None:
    tree = lettered(game)
    names = [node.name for node in tree.nodes]
    assert len(set(names)) == len(names)
    for node in tree.nodes:
        assert list(node.moves) == [names[child] for child in node.children]
        assert node.name.isalpha()
        assert node.name.isupper() if node.children else node.name.islower()
    assert [node.children for node in tree.nodes] == [node.children for node in game.nodes]
    assert lettered(tree).nodes == tree.nodes


def test_given_names_and_rolls_stay_and_are_not_given_twice() -> None:
    roll = {"player": "chance", "move": "roll", "children": [{"player": "min", "children": [4, 5]}, 6]}
    tree = lettered(Tree.from_json({"player": "max", "children": [roll, {"name": "a", "value": 1}, 2]}))
    assert tree.nodes[0].moves == ("roll", "a", "d")
    chance = next(node for node in tree.nodes if node.player == CHANCE and node.children)
    assert chance.moves == ("1", "2")
    assert [tree.nodes[child].name for child in chance.children] == ["roll.1", "roll.2"]
    assert tree.nodes[chance.children[0]].moves == ("b", "c")


def test_a_node_that_two_moves_reach_keeps_its_name() -> None:
    shared = {"name": "X", "player": "min", "children": [1, 2]}
    again = {"player": "min", "children": [{"ref": "X"}]}
    tree = lettered(Tree.from_json({"player": "max", "children": [shared, again]}))
    assert tree.nodes[0].moves == ("X", "B")
    assert [node.name for node in tree.nodes].count("X") == 1


def test_names_beside_numbers_as_moves_stay() -> None:
    left, right = ({"move": move, "name": name, "value": 3} for move, name in (("1", "left"), ("2", "right")))
    tree = lettered(Tree.from_json({"player": "max", "children": [left, right]}))
    assert [node.name for node in tree.nodes] == ["A", "left", "right"]
    assert tree.nodes[0].moves == ("1", "2")


def test_a_number_that_is_given_as_a_name_stays() -> None:
    inner = {"player": "min", "children": [{"name": "1", "value": 3}, 4]}
    tree = lettered(Tree.from_json({"player": "max", "children": [{"name": "0", "value": 2}, inner]}))
    assert [node.name for node in tree.nodes] == ["A", "0", "B", "1", "a"]
    assert [node.moves for node in tree.nodes if node.moves] == [("0", "B"), ("1", "a")]


def test_a_named_node_that_a_number_leads_to_keeps_its_name() -> None:
    shared = {"name": "X", "player": "min", "children": [1, 2]}
    again = {"player": "min", "children": [{"ref": "X", "move": "1"}, 5]}
    tree = lettered(Tree.from_json({"player": "max", "children": [shared, again]}))
    assert tree.nodes[0].moves == ("X", "B")
    assert [node.name for node in tree.nodes].count("X") == 1
    assert next(node.moves for node in tree.nodes if node.name == "B") == ("1", "c")
