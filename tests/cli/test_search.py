"""``plywise search`` finds the best move within any limit; Ctrl-C keeps the best result so far."""

from __future__ import annotations

import json
import signal
import threading

import pytest

from tests.cli.support import plywise


def test_search(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "tic-tac-toe", "-p", "XO./.X./..O", "--depth", "5", "--all-moves")
    assert answer.code == 0
    assert answer.err == ""
    assert "3 X O ." in answer.out
    assert "value     1" in answer.out
    assert "moves     c3:" in answer.out


@pytest.mark.parametrize("limit", ["--depth=2", "--seconds=0.2", "--nodes=50", "--algorithm=alphabeta"])
def test_search_as_json_with_any_limit(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "red-blue", limit, "--json")
    assert answer.code == 0
    report = json.loads(answer.out)
    assert {"value", "move", "line", "bound", "depth", "nodes", "leaves", "seconds"} <= set(report)


def test_search_options_reach_the_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "red-blue", "-a", "alphabeta", "-o", "beta=-4", "-o", "strict=true", "--json")
    assert json.loads(answer.out)["bound"] == "lower"


def test_search_and_solve_take_the_options_of_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    engine = ("--threads", "2", "--table-mb", "1", "-o", "killers=false")
    searched = json.loads(plywise(capsys, "search", "red-blue", "-n", "50", "--exact", *engine, "--json").out)
    assert (searched["algorithm"], searched["value"], searched["proven"]) == ("engine", -3, True)
    assert 0 < searched["table_fill"] < 1
    assert searched["nodes_per_second"] > 0
    selective = ("search", "red-blue", "-n", "50", "-o", "reductions=true")
    assert plywise(capsys, *selective, "--no-exact").code == 0
    assert "needs exact=False" in plywise(capsys, *selective, "--exact").err
    solved = json.loads(plywise(capsys, "solve", "red-blue", *engine, "--json").out)
    assert (solved["algorithm"], solved["value"]) == ("engine", -3)
    assert json.loads(plywise(capsys, "solve", "red-blue", "--weak", "--json").out)["value"] == -1


def test_search_by_random_games(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(
        capsys, "search", "tic-tac-toe", "-p", "XX./OO./...", "-a", "mcts", "-n", "2000", "-o", "seed=3", "--json"
    )
    report = json.loads(answer.out)
    assert (report["algorithm"], report["move"], report["value"]) == ("mcts", "c3", 1)


def test_games_of_more_players_are_searched_by_maxn(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(plywise(capsys, "search", "dog-cat-mouse", "-d", "9", "--json").out)["value"] == [5, 8, 2]
    assert json.loads(plywise(capsys, "solve", "dog-cat-mouse", "--json").out)["line"] == ["sleep", "hunt", "hide"]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals to threads")
@pytest.mark.parametrize("algorithm", ["engine", "mcts", "alphabeta"])
def test_an_interrupted_search_says_so_as_json(algorithm: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert plywise(capsys, "search", "connect-four", "-n", "1", "-a", algorithm).code == 0  # all is imported now
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    answer = plywise(capsys, "search", "connect-four", "-s", "30", "-a", algorithm, "--json")
    timer.join()
    assert answer.code == 130
    assert json.loads(answer.out)["interrupted"]
