"""An engine with a table at its leaves gives the answers of an engine without, and stops where the table begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.engine import head_start
from plywise.games import Chess, ConnectFour, TicTacToe, Tree
from plywise.tables.endings import with_endings
from tests.cli.support import plywise
from tests.die import RightDie
from tests.oracle import random_tree_with_chance


def later_positions(game: pw.Game, plies: int) -> list[Any]:
    """The unfinished positions after ``plies`` plies."""
    states = [game.initial()]
    for _ in range(plies):
        states = [game.play(state, move) for state in states for move in game.moves(state)]
        states = [state for state in dict.fromkeys(states) if not game.is_terminal(state)]
    return states


@pytest.fixture(scope="module")
def connect_four() -> pw.tables.Table:
    game = ConnectFour(4, 4)
    return pw.tabulate(game, later_positions(game, 6))


@pytest.mark.parametrize("threads", [1, 2])
def test_solved_as_without(connect_four: pw.tables.Table, threads: int) -> None:
    game = connect_four.game
    plain, ending = pw.Engine(game), pw.Engine(game, threads=threads, endings=connect_four)
    states = [*later_positions(game, 2), *later_positions(game, 5)[::40]]
    for state, known in zip(states, plain.solve_many(states), strict=True):
        found = ending.solve(state, all_moves=True)
        assert (found.value, found.game) == (known.value, game)
        assert game.is_terminal(end_of(game, state, found.line))
        assert found.moves is not None
        assert found.moves[found.move] == found.value
        searched = ending.search(state, nodes=100_000)
        assert searched.proven
        assert searched.value == known.value


def end_of(game: pw.Game, state: Any, line: Any) -> Any:
    for move in line:
        state = game.play(state, move)
    return state


def test_where_the_table_begins_nothing_is_searched(connect_four: pw.tables.Table) -> None:
    engine = pw.Engine(connect_four.game, endings=connect_four)
    state = later_positions(connect_four.game, 7)[3]
    for result in (engine.search(state, depth=3), engine.solve(state)):
        assert (result.value, result.algorithm) == (connect_four[state].value, "table")
    known = engine.solve_many([state, end_of(connect_four.game, state, engine.solve(state).line)], all_moves=True)
    assert [solved.move is None for solved in known] == [False, True]
    before = engine.search(connect_four.game.initial(), depth=20)
    assert before.depth is not None
    assert before.depth <= 6
    with pytest.raises(pw.SearchError, match="the endings know this one"):
        engine.search(state, depth=3, lines=2)


def test_interpreted_as_compiled(connect_four: pw.tables.Table) -> None:
    state = later_positions(connect_four.game, 4)[5]
    compiled = pw.Engine(connect_four.game, endings=connect_four).search(state, depth=8)
    with pw.interpreted():
        plain = pw.Engine(connect_four.game, endings=connect_four).search(state, depth=8)
    assert (compiled.value, compiled.nodes, compiled.line) == (plain.value, plain.nodes, plain.line)
    assert (compiled.compiled, plain.compiled) == (True, False)


def test_mates_keep_their_distance() -> None:
    game = Chess()
    table = pw.tabulate(game, "8/8/8/4k3/8/8/8/K6R w - - 0 1")
    engine = pw.Engine(game, endings=table)
    capture = engine.search("8/8/8/8/3b4/k7/8/1K1R4 w - - 0 1", nodes=30_000)
    after = table[game.play(capture.state, capture.move)]
    assert capture.line_text()[0] == "d1d4"
    assert capture.value == after.value - 1
    assert len(capture.line) == 1 + (after.distance or 0)
    assert not capture.proven  # the fifty-move rule is not in the table
    assert not engine.search("8/8/8/8/3R4/k7/8/1K6 b - - 98 99", nodes=100).proven


def test_results_are_those_of_the_whole_game(connect_four: pw.tables.Table) -> None:
    game, heard = connect_four.game, list[pw.Result]()
    result = pw.Engine(game, endings=connect_four).search(nodes=5000, lines=2, on_info=heard.append)
    assert result.lines is not None
    for each in (*heard, *result.lines):
        assert type(each.game) is type(game)
        assert type(each.value) is int
    state = later_positions(game, 7)[0]
    engine = pw.Engine(game, endings=connect_four)
    assert engine.solve(state, weak=True).value in (-1, 0, 1)
    assert {type(value) for value in (engine.solve("1", all_moves=True).moves or {}).values()} == {int}


def test_fields_that_the_class_sets_itself() -> None:
    game, state = TicTacToe(), "XO./.../..."
    table = pw.tabulate(game, "XO./.X./...")
    assert pw.Engine(game, endings=table).solve(state).value == pw.solve(game, state).value


def test_dice() -> None:
    game = RightDie(rounds=3)
    table = pw.tabulate(game, later_positions(game, 3))
    assert pw.Engine(game, endings=table).search(depth=20).value == pytest.approx(pw.solve(game).value)
    for seed in range(5):
        tree = Tree.from_json(random_tree_with_chance(seed))
        inner = later_positions(tree, 1)
        if inner:
            found = pw.Engine(tree, endings=pw.tabulate(tree, inner)).search(depth=20)
            assert found.value == pytest.approx(pw.solve(tree).value)


def test_another_process_does_not_know_where_a_game_ends(
    connect_four: pw.tables.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(head_start, "_run", lambda work: pytest.fail("it cannot have read this"))
    head_start.share_rules(with_endings(connect_four.game, connect_four), ["play"])


def test_the_table_of_another_game(connect_four: pw.tables.Table) -> None:
    with pytest.raises(pw.SearchError, match=r"those of ConnectFour\(width=4, height=4\), not of ConnectFour\(width=5"):
        pw.Engine(ConnectFour(5, 4), endings=connect_four)


def test_on_the_command_line(connect_four: pw.tables.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connect_four.save(tmp_path / "endings")
    answer = plywise(capsys, "search", "connect-four:4,4", "-n", "100000", "--endings", str(tmp_path / "endings"))
    assert (answer.code, answer.err) == (0, "")
    assert "\nvalue     0 (proven)\n" in answer.out
