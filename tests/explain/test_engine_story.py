"""The story of an engine's search: the view can replay it, and its sentences say what the tree says."""

from __future__ import annotations

import json
from typing import Any

import pytest

import plywise as pw
from plywise.engine.mcts_top import mcts_top
from plywise.engine.tree_top import tree_top
from plywise.explain.engine_story import engine_story
from plywise.game import Game
from plywise.games import Chess, ConnectFour, Go, Kalah, Nim, Pig, TicTacToe
from plywise.layers.view import cells_of


def told(game: Game, state: Any = None, most: int = 40, **limits: Any) -> tuple[pw.Result, dict[str, Any]]:
    engine = pw.Engine(game, table_mb=1)
    with pw.interpreted():
        result = engine.search(state, **limits)
    return result, engine_story(result, tree_top(engine, result, most=most))


@pytest.mark.parametrize(
    ("game", "state"),
    [(TicTacToe(), "X../.O./..."), (ConnectFour(), "4455"), (Kalah(3, 2), None), (Nim((1, 2)), None), (Pig(8), None)],
)
def test_every_position_has_its_step_and_its_place(game: Game, state: Any) -> None:
    result, story = told(game, state, nodes=300)
    visits, steps = story["visits"], story["steps"]
    json.dumps(story)
    assert all(visit["parent"] is None or visit["parent"] < number for number, visit in enumerate(visits))
    assert {step["visit"] for step in steps} == set(range(len(visits)))
    assert steps[0]["visit"] == steps[-1]["visit"] == 0
    known = set[int]()
    for step in steps:
        parent = visits[step["visit"]]["parent"]
        assert parent is None or parent in known  # a position is explained after the one before it
        known.add(step["visit"])
    for drawing in story["drawings"]:
        assert len(drawing["x"]) == len(drawing["form"]) == len(visits)
    names = [visits[number]["move"] for number in story["line"][1:]]
    assert names == result.line_names()[: len(names)]
    assert all(step["text"].endswith(".") for step in steps)


def test_the_boards_are_those_of_the_positions_and_show_the_last_move() -> None:
    game = TicTacToe()
    _, story = told(game, "X../.O./...", depth=2)
    assert story["boards"]
    assert story["visits"][0]["last"] == []
    for visit in story["visits"][1:]:
        state = game.parse(visit["position"])
        assert tuple(visit["cells"]) == cells_of(game, state)
        before = story["visits"][visit["parent"]]["cells"]
        changed = [place for place, pair in enumerate(zip(before, visit["cells"], strict=True)) if len(set(pair)) > 1]
        assert visit["last"] == changed


def test_the_sentences_say_why() -> None:
    _, story = told(TicTacToe(), "XX./OO./...", depth=2)
    texts = [step["text"] for step in story["steps"]]
    assert texts[0].startswith("X is to move. The search went to the end, through ")
    assert texts[1] == "Best play: X plays c3. X wins."
    assert "Instead of c3, X plays c1. This position is not in the table." in texts
    assert texts[-1] == "So X plays c3 (+1)."
    facts = dict(story["visits"][story["line"][1]]["rows"])
    assert facts["End"] == "X wins."
    assert facts["Moves"] == "c3"


def test_bounds_turn_with_the_player_who_moves() -> None:
    """Black takes the queen; every other move leaves White with at least as much."""
    game = Chess()
    _, story = told(game, "4k3/8/8/3q4/4Q3/8/8/4K3 b - - 0 1", depth=2)
    others = [visit for visit in story["visits"][1:] if visit["parent"] == 0]
    best = story["visits"][story["line"][1]]
    assert best["move"] == "Qxe4+"
    values = {dict(visit["rows"])["Value"] for visit in others if visit is not best}
    assert values
    assert all(value.startswith(("at least ", "+", "White mates")) for value in values)


def test_a_tree_of_rounds_says_how_many_there_were() -> None:
    with pw.interpreted():
        result, top = mcts_top(Go(3, 3), nodes=2000)
    story = engine_story(result, top)
    assert story["algorithm"] == "mcts"
    assert story["visits"][0]["entry"].endswith(" rounds")
    rounds = [int(dict(visit["rows"])["Rounds"].replace(",", "")) for visit in story["visits"]]
    children = [rounds[number] for number, visit in enumerate(story["visits"]) if visit["parent"] == 0]
    assert sum(children) <= rounds[0]
    assert story["visits"][story["line"][1]]["move"] == result.line_names()[0]


def test_rounds_prove_what_minimax_says() -> None:
    with pw.interpreted():
        result, top = mcts_top(TicTacToe(), "X../.O./...", nodes=200_000)
    assert result.proven
    assert top.known is not None
    assert top.known.value == 0
    assert all(node.known is not None for node in top.walk())
    assert any(node.over == "end" for node in top.walk())
