"""The public functions: arguments, limits, results and errors."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
import subprocess
import sys
import time
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.algorithms import algorithm_named
from plywise.compiling.reading import interpreted
from plywise.games import Chess, ConnectFour, Nim, RedBlue, TicTacToe, Tree


class Forever(NamedTuple):
    turn: int


class Circle(pw.Game):
    """A game without an end."""

    def initial(self) -> Forever:
        return Forever(0)

    def to_move(self, state: Forever) -> int:
        return state.turn

    def moves(self, state: Forever):
        yield 0

    def play(self, state: Forever, move: int) -> Forever:
        return Forever(1 - state.turn)

    def is_terminal(self, state: Forever) -> bool:
        return False

    def score(self, state: Forever) -> int:
        return 0


def test_an_exact_algorithm_needs_no_limit() -> None:
    assert pw.search(RedBlue(), algorithm="alphabeta").value == -3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs a limit"),
        ({"algorithm": "alphabet"}, "no algorithm 'alphabet'; there are: engine, mcts, jamboree, parallel_minimax"),
        ({"depth": 0}, "depth=0 must be"),
        ({"depth": 1, "state": (1, 2)}, "(1, 2) is not a position of TicTacToe()"),
        ({"depth": 2.5}, "depth=2.5 must be"),
        ({"depth": True}, "depth=True must be"),
        ({"seconds": -1}, "seconds=-1 must be"),
        ({"seconds": math.nan}, "seconds=nan must be"),
        ({"nodes": 0}, "nodes=0 must be"),
        ({"nodes": 10**30}, "nodes=1000000000000000000000000000000 must be"),
        ({"nodes": 10**5000}, "nodes=(an integer of 16,610 bits) must be"),
        ({"seconds": 10**400}, "seconds=(an integer of 1,329 bits) must be"),
        ({"seconds": "1"}, "seconds='1' must be"),
        ({"depth": 10**30}, "depth=1000000000000000000000000000000 must be"),
        ({"nodes": 5, "table_mb": 1e-9}, "table_mb=1e-09 must be a number of megabytes, 0.0001 or more"),
        ({"nodes": 5, "table_mb": 1e12}, "table_mb=1000000000000.0 is more than this machine has"),
        ({"nodes": 5, "algorithm": "mcts", "memory_mb": 1e12}, "memory_mb=1000000000000.0 is more than this machine"),
        ({"nodes": 5, "algorithm": "mcts", "playout_depth": 10**30}, "playout_depth=1000000000000000000000000000000"),
        ({"depth": 2, "algorithm": "pvs", "alpha": -(10**400)}, "is too large for a score"),
        ({"depth": 2, "algorithm": "minimax", "alpha": 3}, "minimax has no option alpha=; it has: none"),
        ({"depth": 2, "algorithm": "pvs", "strict": True}, "pvs has no option strict=; it has: alpha=, beta="),
        ({"depth": 2, "algorithm": "pvs", "alpha": 3, "beta": 3}, "alpha=3 must be below beta=3"),
        ({"depth": 2, "algorithm": "pvs", "alpha": "x"}, "alpha='x' is not a number"),
        ({"depth": 2, "algorithm": "pvs", "alpha": math.nan}, "must not be NaN"),
        ({"depth": 2, "algorithm": "alphabeta", "strict": 1}, "strict=1 is not True or False"),
        ({"algorithm": "boolean"}, "boolean needs goal="),
        ({"algorithm": "boolean", "goal": 0, "all_moves": True}, "boolean answers only yes or no"),
        ({"algorithm": "mtdf", "guess": math.inf}, "guess=inf must be finite"),
        ({"algorithm": "memo", "table_mb": 0}, "table_mb=0 must be a number of megabytes"),
        ({"algorithm": "jamboree"}, "jamboree needs a limit: depth=, seconds= or nodes="),
        ({"algorithm": "parallel-minimax"}, "parallel_minimax needs a limit"),
        ({"algorithm": "mcts", "depth": 3}, "mcts has no depth=: give seconds= or nodes="),
        ({"algorithm": "jamboree", "depth": 3, "record": True}, "jamboree cannot record"),
        ({"algorithm": "mcts", "nodes": 3, "record": True}, "mcts cannot record"),
        ({"algorithm": "jamboree", "depth": 0}, "depth=0 must be a whole number from 1"),
        ({"algorithm": "jamboree", "depth": 3, "threads": 0}, "threads=0 must be a whole number from 1 to 256"),
        ({"algorithm": "jamboree", "depth": 3, "cutoff": -1}, "cutoff=-1 must be a whole number from 0"),
        ({"algorithm": "parallel-minimax", "depth": 3, "cutoff": 0.5}, "cutoff=0.5 must be a whole number from 0"),
        ({"algorithm": "jamboree", "depth": 3, "percentage_sequential": 101}, "must be a whole number from 0 to 100"),
        ({"algorithm": "jamboree", "depth": 3, "table_mb": 0}, "table_mb=0 must be a number of megabytes"),
        ({"algorithm": "jamboree", "depth": 3, "alpha": 0}, "jamboree has no option alpha=; it has: threads=, "),
        ({"algorithm": "parallel-minimax", "depth": 3, "table_mb": 1}, "parallel_minimax has no option table_mb="),
    ],
)  # fmt: skip
def test_wrong_arguments_give_one_line_that_says_what_is_allowed(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(pw.PlywiseError) as caught:
        pw.search(TicTacToe(), **arguments)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_finished_game_has_nothing_to_search() -> None:
    with pytest.raises(pw.SearchError, match=re.escape("the game is over in position 'XXX/OO./...'")):
        pw.search(TicTacToe(), "XXX/OO./...", depth=1)


def test_a_text_that_is_no_position_is_refused() -> None:
    with pytest.raises(pw.PositionError):
        pw.search(TicTacToe(), "XX/O", depth=1)


class NoScore(Circle):
    score = pw.Game.score  # type: ignore[assignment]


class Stuck(Circle):
    """Not over, but without a move."""

    def moves(self, state: Forever):
        for move in range(state.turn, 1):
            yield move


def test_a_class_instead_of_a_game_is_refused() -> None:
    with pytest.raises(pw.GameError, match=re.escape("did you mean TicTacToe()?")):
        pw.search(TicTacToe, depth=1)  # type: ignore[arg-type]


def test_a_game_without_a_score_is_refused() -> None:
    with pytest.raises(pw.GameError, match=re.escape("class NoScore must define score(self, state)")):
        pw.search(NoScore(), depth=1)


@pytest.mark.parametrize("algorithm", ["memo", "alphabeta", "mtdf", "minimax", "jamboree", "parallel_minimax"])
def test_a_position_without_moves_that_is_not_terminal_is_reported(algorithm: str) -> None:
    with pw.interpreted(), pytest.raises(pw.GameError, match="no moves in a position that is not terminal"):
        pw.search(Stuck(), depth=3, algorithm=algorithm)


@pytest.mark.parametrize("algorithm", ["memo", "alphabeta", "mtdf", "minimax", "parallel_minimax"])
def test_compiled_searches_report_it_too(algorithm: str) -> None:
    """Jamboree would take ten times as long to compile as parallel minimax, which checks its answer in the same way."""
    with pytest.raises(pw.GameError, match="no moves in a position that is not terminal"):
        pw.search(Stuck(), depth=3, algorithm=algorithm)


def test_solve_takes_no_limit() -> None:
    with pytest.raises(pw.SearchError, match="takes no seconds=; use search instead"):
        pw.solve(TicTacToe(), seconds=1)


def test_names_of_algorithms_are_forgiving() -> None:
    assert pw.search(RedBlue(), algorithm="Negamax-AlphaBeta").algorithm == "negamax_alphabeta"
    assert pw.search(RedBlue(), algorithm="negascout").algorithm == "pvs"
    assert pw.search(RedBlue(), algorithm=pw.algorithms.scout).algorithm == "scout"
    assert algorithm_named("parallel-minimax") is pw.algorithms.parallel_minimax


def test_algorithms_can_be_called_by_their_names() -> None:
    assert pw.algorithms.alphabeta(RedBlue()).value == -3
    assert pw.algorithms.scout(ConnectFour(), "445566", 5).move == 2
    with interpreted():
        assert pw.algorithms.jamboree(RedBlue(), depth=3, threads=2).algorithm == "jamboree"
        assert pw.algorithms.parallel_minimax(RedBlue(), depth=3).value == -3
        assert pw.algorithms.engine(RedBlue(), depth=3).algorithm == "engine"
        assert pw.algorithms.mcts(RedBlue(), nodes=1000).proven


def test_searches_that_need_the_engine_are_imported_when_asked_for() -> None:
    program = "import sys, plywise.algorithms as a; b = 'plywise.engine.parallel' in sys.modules; a.jamboree.options; "
    program += "print(b, 'plywise.engine.parallel' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["False", "True"]


@pytest.mark.parametrize("algorithm", ["jamboree", "parallel_minimax"])
def test_searches_by_threads_deepen_under_a_clock(algorithm: str) -> None:
    infos: list[pw.Result] = []
    game = ConnectFour(5, 4)
    result = pw.search(game, nodes=3000, algorithm=algorithm, on_info=infos.append)
    assert [info.depth for info in infos] == list(range(1, len(infos) + 1))
    assert len(infos) >= 3
    assert infos[-1].nodes <= result.nodes <= 3200  # the threads may do a little more before they hear of it
    assert result.leaves is None
    assert infos[2].value == pw.search(game, depth=3, algorithm="minimax").value
    timed = pw.search(game, seconds=0.1, algorithm=algorithm)
    assert timed.seconds < 2
    assert not timed.interrupted
    early = pw.search(game, seconds=60, algorithm=algorithm, enough=lambda result: result.depth == 2)
    assert early.depth == 2


def test_values_of_all_moves_are_refused_where_the_path_counts() -> None:
    with pytest.raises(pw.SearchError, match="jamboree cannot find the value of every move of Chess"):
        pw.search(Chess(), algorithm="jamboree", depth=2, all_moves=True)


class Lettered(Circle):
    """Moves are letters."""

    def moves(self, state: Forever):
        yield "a"


def test_moves_that_are_no_integers_are_refused_by_searches_that_need_them() -> None:
    game = Lettered()
    for algorithm in ("engine", "jamboree", "parallel_minimax"):
        with pytest.raises(pw.SearchError, match=f"^{algorithm} is for games whose moves are integers"):
            pw.search(game, depth=2, algorithm=algorithm)


def test_the_clock_is_kept_and_the_answer_is_the_last_finished_depth() -> None:
    game = ConnectFour()
    pw.search(game, nodes=1)  # compile
    infos: list[pw.Result] = []
    start = time.perf_counter()
    result = pw.search(game, seconds=0.3, on_info=infos.append)
    assert time.perf_counter() - start < 1.0
    assert [info.depth for info in infos] == list(range(1, len(infos) + 1))
    assert (infos[-1].depth, infos[-1].line) == (result.depth, result.line)
    assert result.depth is not None
    assert result.depth >= 3
    assert not result.proven
    assert result.nodes >= infos[-1].nodes  # the unfinished depth counts as well


@pytest.mark.parametrize("limit", [1, 10, 100, 5000])
def test_a_node_limit_is_kept_but_for_the_first_ply(limit: int) -> None:
    for algorithm in ("memo", "alphabeta"):
        result = pw.search(ConnectFour(), nodes=limit, algorithm=algorithm)
        assert result.nodes <= max(limit, 8)
        assert result.move is not None


def test_a_clock_may_be_as_long_as_one_likes() -> None:
    assert pw.search(RedBlue(), seconds=1e18).value == -3
    with interpreted():
        assert pw.search(RedBlue(), seconds=1e18).value == -3


def test_deepening_stops_when_the_value_is_proven() -> None:
    result = pw.search(TicTacToe(), "XO./.X./..O", seconds=60)
    assert (result.value, result.proven) == (1, True)
    assert result.depth is not None
    assert result.depth <= 5


class Walk(NamedTuple):
    left: int
    turn: int


class Detour(pw.Game):
    """One step or two towards the end, so that a position is reached at different depths; the end pays 10."""

    steps: int = 12

    def initial(self) -> Walk:
        return Walk(self.steps, 0)

    def to_move(self, state: Walk) -> int:
        return 0

    def moves(self, state: Walk):
        yield 1
        if state.left > 1:
            yield 2

    def play(self, state: Walk, move: int) -> Walk:
        return Walk(state.left - move, 0)

    def is_terminal(self, state: Walk) -> bool:
        return state.left == 0

    def score(self, state: Walk) -> int:
        return 10


def test_a_value_from_the_horizon_is_never_called_proven() -> None:
    """With a memo kept from shallower searches, depth 6 sees no horizon of its own; yet it is not the end of all."""
    for depth in range(1, 14):
        result = pw.search(Detour(), nodes=10**6, depth=depth, exact=True)
        assert result.proven == (result.depth >= 12), depth


@pytest.mark.parametrize("reading", ["compiled", "interpreted"])
def test_a_game_without_an_end_is_refused_without_a_depth(reading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if reading == "interpreted":
        monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    with pytest.raises(pw.SearchError, match="did not end within 1000 plies: give depth="):
        pw.search(Circle(), algorithm="minimax")
    assert pw.search(Circle(), algorithm="minimax", depth=50).value == 0


def test_result_is_frozen_printable_and_goes_to_json() -> None:
    result = pw.search(ConnectFour(), "445566", depth=5, all_moves=True)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.value = 3  # type: ignore[misc]
    text = str(result)
    assert "value     18" in text
    assert "move      3" in text
    report = json.loads(json.dumps(result.to_json()))
    assert {"value", "move", "line", "bound", "depth", "nodes", "leaves", "seconds", "moves"} <= set(report)
    assert report["move"] == report["line"][0] == "3"
    assert report["moves"]["3"] == report["value"] == 18
    assert set(report["moves"]) == set("1234567")


def test_a_result_says_which_network_evaluated() -> None:
    game = ConnectFour()
    told: list[pw.Result] = []
    playing = pw.search(game, "445", nodes=100, on_info=told.append)
    assert [each.network for each in (playing, *told)] == ["connect_four.net"] * (1 + len(told))
    assert "by engine with connect_four.net: " in str(playing)
    assert playing.to_json()["network"] == "connect_four.net"
    network = pw.Engine(game).network
    assert network is not None
    textbook = pw.search(game, "445", depth=2, algorithm="alphabeta", network=dataclasses.replace(network, name=""))
    assert textbook.network == network.digest
    exact = pw.search(game, "445", depth=2)
    for without in (exact, pw.search(game, "445", nodes=100, network="none")):
        assert without.network is without.to_json()["network"] is None
        assert "by engine: " in str(without)


def test_real_scores_come_back_as_floats_and_whole_ones_as_integers() -> None:
    assert isinstance(pw.search(Tree.from_lists([1, 2]), algorithm="alphabeta").value, int)
    assert isinstance(pw.search(Tree.from_lists([1.0, 2.5]), algorithm="alphabeta").value, float)
    assert isinstance(pw.search(Nim(), algorithm="mtdf").value, int)


def test_an_option_at_the_horizon_is_max_s_whoever_moves() -> None:
    """Windows and guesses are given for MAX; where MIN is to move, negamax forms turn them around."""
    tree = Tree.from_json({"player": "min", "children": [4, 2, {"player": "max", "children": [1, 9]}]})
    for name, (alpha, beta) in itertools.product(
        ("alphabeta", "negamax_alphabeta", "pvs", "memo"), [(-9, 9), (3, 5), (-5, 1)]
    ):
        result = pw.search(tree, algorithm=name, alpha=alpha, beta=beta)
        expected = "exact" if alpha < 2 < beta else "upper" if alpha >= 2 else "lower"
        assert result.bound == expected, (name, alpha, beta)


class Turns(NamedTuple):
    left: int
    turn: int


class ByTurns(Circle):
    """Take one until none is left; the text of a position says whose turn it is."""

    def initial(self) -> Turns:  # type: ignore[override]
        return Turns(3, 0)

    def play(self, state: Turns, move: int) -> Turns:  # type: ignore[override]
        return Turns(state.left - 1, 1 - state.turn)

    def is_terminal(self, state: Turns) -> bool:  # type: ignore[override]
        return state.left == 0


@pytest.mark.parametrize("algorithm", [None, "engine", "mcts", "alphabeta", "maxn"])
def test_a_player_who_is_not_there_is_named(algorithm: str | None) -> None:
    limit = {"nodes": 10} if algorithm == "mcts" else {"depth": 2}
    with interpreted(), pytest.raises(pw.SearchError) as caught:
        pw.search(ByTurns(), "3 7", algorithm=algorithm, **limit)  # type: ignore[arg-type]
    assert str(caught.value) == "to_move() is 7 in position '3 7'; it must be 0 (Max) or 1 (Min)"


def test_a_mistyped_limit_is_named() -> None:
    options: list[dict[str, Any]] = [{"dept": 2}, {"dept": 2, "lines": 2}]
    for option in options:
        with pytest.raises(pw.SearchError, match=r"^engine has no option dept=; it has: .*threads="):
            pw.search(Nim(), **option)
    with pytest.raises(pw.SearchError, match="memo has no option dept="):
        pw.search(Nim(), record=True, dept=2)
    with pytest.raises(pw.SearchError, match="a search needs a limit"):
        pw.search(Nim(), lines=2)


def test_a_limit_of_a_recording_takes_no_other() -> None:
    with pytest.raises(pw.SearchError, match=r"leave out seconds= and nodes="):
        pw.search(Nim(), algorithm="alphabeta", record=10, nodes=500)


def test_the_name_of_a_game_is_no_game_but_a_hint() -> None:
    for name, meant in {"nim": "Nim", "Tic-Tac-Toe": "TicTacToe", "red-blue": "RedBlue"}.items():
        with pytest.raises(pw.GameError, match=re.escape(f"{name!r} is not a game; did you mean pw.games.{meant}()?")):
            pw.search(name, depth=2)  # type: ignore[arg-type]
    with pytest.raises(pw.GameError, match=r"'shogi' is not a game$"):
        pw.search("shogi", depth=2)  # type: ignore[arg-type]
