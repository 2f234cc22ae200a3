"""Replaying the first k steps of a story gives the tree that ``grow`` makes of the first k events."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.errors import SearchError
from plywise.explain import grow, sentence, story
from plywise.explain.arrangement import LABEL_AT
from plywise.explain.examples import EXAMPLES
from plywise.explain.intervals import LEAF_KINDS, interval_text, known_intervals
from plywise.explain.look import text_width
from plywise.explain.story import MOST_BOARDS, NOTATIONS, look
from plywise.explain.tree_notation import Writer
from plywise.games import ConnectFour, RedBlue, TicTacToe, Tree
from plywise.result import Result
from tests import oracle

trees = oracle.trees(oracle.whole_leaves).map(Tree.from_json)


def recorded(game: pw.Game, algorithm: str, *arguments: Any, **options: Any) -> Result:
    if algorithm == "boolean":
        options.setdefault("goal", 0)
    with pw.interpreted():
        return pw.search(game, *arguments, algorithm=algorithm, record=True, **options)


def replays(told: dict[str, Any]) -> list[dict[int, dict[str, Any]]]:
    """What is seen of each visit after no step, after one, and so on, without intervals."""
    looks: dict[int, dict[str, Any]] = {}
    found = [looks]
    for step in told["steps"]:
        if step["visit"] is not None:
            looks = {**looks, step["visit"]: {**looks.get(step["visit"], {}), **step["change"]}}
        found.append(looks)
    return found


@pytest.mark.parametrize("name", TEXTBOOK)
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_every_replay_is_the_tree_grown_so_far(name: str, game: Tree) -> None:
    result = recorded(game, name)
    told = story(result)
    assert len(told["steps"]) == len(result.events or ())
    for count, looks in enumerate(replays(told)):
        tree = grow(result, steps=count)
        assert looks == {number: look(tree, visit) for number, visit in tree.visits.items()}
        current = None if tree.current is None else tree.current.number
        assert current == (told["steps"][count - 1]["visit"] if count else None)
        assert line(told, looks, count) == [visit.number for visit in tree.line]


@pytest.mark.parametrize("name", TEXTBOOK)
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_every_step_tells_whose_intervals_it_changes(name: str, game: Tree) -> None:
    result = recorded(game, name)
    final, known = grow(result), dict[int, str]()
    for count, step in enumerate(story(result)["steps"], 1):
        told = dict(step.get("known", ()))
        assert told.items().isdisjoint(known.items())  # nothing is said twice
        known |= told
        grown = {} if final.algorithm.view == "scores" else known_intervals(grow(result, steps=count))
        inner = {place for place in grown if final.visits[place].kind not in LEAF_KINDS}
        assert known == {place: interval_text(grown[place]) for place in inner}


def line(told: dict[str, Any], looks: dict[int, dict[str, Any]], count: int) -> list[int]:
    """The line of best play by the rule of the view: at the end the result's, before it the best moves so far."""
    if count == len(told["steps"]):
        return list(told["line"])
    found = [number for number in looks if told["visits"][number]["parent"] is None][-1:]
    while found and "best" in looks[found[-1]]:
        found.append(looks[found[-1]]["best"])
    return found if len(found) > 1 else []


@pytest.mark.parametrize("name", TEXTBOOK)
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_visits_and_sentences_are_those_of_the_tree(name: str, game: Tree) -> None:
    result = recorded(game, name)
    told, tree = story(result), grow(result)
    assert [step["text"] for step in told["steps"]] == [sentence(tree, event) for event in result.events or ()]
    for visit, facts in zip(tree.visits.values(), told["visits"], strict=True):
        assert facts["parent"] == (None if visit.parent is None else visit.parent.number)
        assert facts["position"] == game.format(visit.state)
        left_out = () if visit.cut is None else visit.cut.left_out
        assert ("left_out" in facts) == bool(left_out)


def test_what_a_cut_left_out_is_there_with_all_that_is_below_it() -> None:
    told = story(recorded(RedBlue(), "alphabeta"))
    assert [facts["left_out"] for facts in told["visits"] if "left_out" in facts] == [
        [
            {
                "node": 12,
                "move": "R",
                "shape": "down",
                "children": [
                    {"node": 13, "move": "B", "shape": "box", "value": "0"},
                    {"node": 14, "move": "R", "shape": "box", "value": "6"},
                ],
            }
        ]
    ]


def test_many_moves_that_were_left_out_are_only_counted() -> None:
    told = story(recorded(ConnectFour(), "alphabeta", depth=3))
    left_out = [facts["left_out"] for facts in told["visits"] if "left_out" in facts]
    assert max(map(len, left_out)) <= 6
    counted = story(recorded(ConnectFour(8, 4), "alphabeta", depth=3))["visits"]
    assert {ghost["value"] for facts in counted for ghost in facts.get("left_out", ())} == {"+7"}


# Places --------------------------------------------------------------------------------------------------------------


def nodes_of(told: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """All nodes of a story by their numbers: visits, and what was left out."""
    found = dict(enumerate(told["visits"]))
    waiting = [ghost for facts in told["visits"] for ghost in facts.get("left_out", ())]
    for ghost in waiting:
        found[ghost["node"]] = ghost
        waiting.extend(ghost.get("children", ()))
    return found


@pytest.mark.parametrize("name", TEXTBOOK)
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_every_node_of_a_story_has_one_place(name: str, game: Tree) -> None:
    told = story(recorded(game, name))
    (drawing,) = told["drawings"]
    assert sorted(nodes_of(told)) == list(range(len(drawing["x"])))
    assert len(drawing["x"]) == len(drawing["form"]) == len(drawing["bends"])
    assert len(drawing["rows"]) == sum(facts["parent"] is None for facts in told["visits"])


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_node_has_room_for_every_text_of_every_notation(name: str) -> None:
    """So nothing moves while the search goes on, or when the notation changes."""
    result = recorded(Tree.from_text("[[[2, 4], [3, 1]], [[6, [7, 0]], [5, 8]], [[100, 2], [9, 3], 4]]"), name)
    (drawing,), final = story(result)["drawings"], grow(result)
    for steps in range(len(result.events or ()) + 1):
        tree = grow(result, steps=steps)
        for notation in NOTATIONS:
            writer = Writer(tree, notation)
            for number, visit in tree.visits.items():
                if final.visits[number].kind in LEAF_KINDS and visit.kind not in LEAF_KINDS:
                    continue  # the view knows by its shape that this will be a leaf
                form, labels = drawing["forms"][drawing["form"][number]], writer.labels(visit)
                texts = {"entry": labels.above, "now": labels.below}
                assert all(text_width(text, style) <= form["width"] + 0.05 for style, text in texts.items())
                assert text_width(labels.edge, "bound") / LABEL_AT <= form["width"] + 0.05
                assert not labels.above or form["up"] > form["half"]
                assert not labels.below or form["down"] > form["half"]


def test_places_weigh_little() -> None:
    told = story(recorded(TicTacToe(), "minimax", depth=4))
    drawings = json.dumps(told["drawings"], separators=(",", ":"))
    assert len(drawings) < 15 * len(told["visits"])
    assert len(drawings) < 0.05 * len(json.dumps(told))


def test_with_boards_a_tree_is_drawn_in_two_ways() -> None:
    plain, with_boards = story(recorded(TicTacToe(), "minimax", depth=1))["drawings"]
    assert max(form["half"] for form in plain["forms"]) < min(form["half"] for form in with_boards["forms"])


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_story_is_json_without_infinities(name: str) -> None:
    told = story(recorded(TicTacToe(), name, depth=2))
    assert json.loads(json.dumps(told, allow_nan=False))["algorithm"] == name


def test_boards_are_there_while_there_is_room() -> None:
    small = story(recorded(TicTacToe(), "minimax", depth=1))
    assert (small["board"]["kind"], small["board"]["columns"]) == ("grid", 3)
    assert small["visits"][1]["cells"] == (1, 0, 0, 0, 0, 0, 0, 0, 0)
    large = recorded(TicTacToe(), "minimax", depth=4)
    assert large.nodes > MOST_BOARDS
    assert not any("cells" in facts for facts in story(large)["visits"])


def test_a_search_that_was_not_recorded_has_no_story() -> None:
    with pytest.raises(SearchError, match="record=True"):
        story(pw.search(RedBlue(), algorithm="alphabeta"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_show_what_they_promise(example: Any) -> None:
    result = recorded(Tree.from_text(example.tree), example.algorithm)
    kinds = {event.kind for event in result.events or ()}
    assert {"three-by-three": "cut", "deep-cutoff": "cut", "ties": "cut", "second-look": "re-search"}.get(
        example.name, "update"
    ) in kinds


def test_the_deep_cutoff_is_one() -> None:
    """It is made with what the root has, although the nodes between have nothing to cut with."""
    example = next(example for example in EXAMPLES if example.name == "deep-cutoff")
    tree = grow(recorded(Tree.from_text(example.tree), "alphabeta"))
    assert any(visit.ply == 3 and visit.cut is not None and visit.alpha == 5 for visit in tree.visits.values())


def test_recording_can_be_limited() -> None:
    nodes = recorded(TicTacToe(), "alphabeta", depth=3).nodes
    with pw.interpreted():
        assert pw.search(TicTacToe(), algorithm="alphabeta", depth=3, record=nodes).events is not None
        with pytest.raises(SearchError, match="more than 10 positions"):
            pw.search(TicTacToe(), algorithm="alphabeta", depth=3, record=10)
