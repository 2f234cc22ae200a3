"""The place of an error in the text of a tree, and what is wrong there, in words."""

from __future__ import annotations

import pickle

import pytest

from plywise.games import Tree
from plywise.games.tree_places import TreeTextError

BERKELEY = '''class: "GraphGameTreeTest"
num_agents: "2"
start_state: "A"
win_states: "B C"
lose_states: ""
successors: """
A Left B
A Right C
"""
evaluation: """
B 3
C 4
"""
'''


def fault(text: str) -> TreeTextError:
    with pytest.raises(TreeTextError) as caught:
        Tree.from_text(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "marked", "says"),
    [
        ("[[3, 5], [2", "2", "line 1, column 11: a comma or a closing bracket is missing here"),
        ("[[3, 5]\n [2, 4]]", "[", "line 2, column 2: a comma or a closing bracket is missing here"),
        ("[[3, x], 2]", "x", "line 1, column 6: a number, a list or an object is missing here"),
        ("[3, 5], [2, 4]", ",", "line 1, column 7: the tree ends before this"),
        ("[[3, 12], [], 2]", "[]", "root[1]: the list is empty"),
        ('[[3, 12],\n  [2, "four"]]', '"four"', "root[1][1]: 'four' is not a value"),
        ("[[3, 1e999], 2]", "1e999", "root[0][1]: inf is not a value"),
        (
            '{"player": "max", "name": "A", "children": [3, {"player": "middle", "children": [1, 2]}]}',
            '{"player": "middle", "children": [1, 2]}', "root.children[1]: 'middle' is not a player here",
        ),
        ('{"player": "max" "children": [3]}', '"', "line 1, column 18: a comma or a closing bracket is missing here"),
        ('{player: "max"}', "player", "line 1, column 2: a name in double quotes is missing here"),
        ('{"player": "max}', '"', "line 1, column 12: this text has no closing quote"),
        (BERKELEY.replace("A Right C", "A Right"), "A Right", "successors: 'A Right' is not a line of the form"),
        (BERKELEY.replace('"2"', '"two"'), "two", "num_agents: 'two' is not a number of agents"),
        (BERKELEY.replace('start_state: "A"\n', ""), '"', "start_state: is missing"),
        (BERKELEY.replace('"A"', '"Z"'), 'start_state: "Z"', "state 'Z': a leaf needs a value"),
        (BERKELEY.replace('"A"', '""'), 'start_state: ""', "state '': a leaf needs a value"),
        ('{"player":"max","children":[1],"children":[2,3,4,[]]}', "[]", "root.children[3]: a list is not a node"),
        (
            '{"player": 0, "children": [{"children": [1, []], "player": 1, "children" : [5, "x"] } ], "name": "A"}',
            '"x"', "root.children[0].children[1]: 'x' is not a value",
        ),
    ],
)  # fmt: skip
def test_an_error_says_in_words_what_is_wrong_and_where(text: str, marked: str, says: str) -> None:
    error = fault(text)
    assert says in str(error)
    assert error.place is not None
    assert text[error.place.start : error.place.end] == marked
    line, caret, length = error.place.text, error.place.caret, error.place.length
    assert marked.startswith(line[caret : caret + length])
    assert text.splitlines()[error.place.line - 1][error.place.column - 1 :].startswith(marked)


def test_a_place_in_a_long_line_quotes_only_its_surroundings() -> None:
    place = fault("[" + "1, " * 500 + "x" + ", 2" * 500 + "]").place
    assert place is not None
    assert len(place.text) == 72
    assert place.text[place.caret] == "x"
    assert place.column == 1502


def test_places_are_counted_as_browsers_do() -> None:
    place = fault('{"player": "max", "children": [{"name": "🐍", "value": 1}, []]}').place
    assert place is not None
    assert (place.start, place.end) == (59, 61)  # the snake counts twice


def test_an_error_keeps_its_place_between_processes() -> None:
    error = fault("[1, x]")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.place) == (str(error), error.place)


def test_what_is_no_tree_at_all_has_no_place() -> None:
    assert fault("3 5").place is None
    assert "give nested lists such as [[3, 12], [2, 4]]" in str(fault("3 5"))
