"""The engine gives plain minimax's answer wherever it claims to be exact: for any game, option, table and reading."""

from __future__ import annotations

import itertools
import json
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.compiling.reading import prepare, specialised
from plywise.engine import progress, race
from plywise.engine.any_code import general, made_by
from plywise.engine.progress import Progress
from plywise.game import Game
from plywise.games import ConnectFour, Nim, RedBlue, TicTacToe, Tree
from tests.algorithms.test_oracle import READINGS, check_answer
from tests.oracle import end_of, random_position, real_leaves, trees, value_of, whole_leaves

GAMES: dict[str, Game] = {
    "tic-tac-toe": TicTacToe(),
    "misere nim": Nim((1, 2, 3), misere=True),
    "connect four": ConnectFour(5, 4),
    "red-blue": RedBlue(),
}

TINY = 1e-4
"""Megabytes: one bucket of four entries, so that everything collides and is replaced."""


ENGINES: dict[str, Callable[[], Any]] = {
    **READINGS,
    "specialised": partial(made_by, specialised),
    "general": partial(made_by, general),
}
"""The readings, with the two ways to compile the engine."""


@pytest.mark.parametrize("reading", ENGINES)
@given(
    tree=st.one_of(trees(whole_leaves), trees(real_leaves)), depth=st.integers(1, 4),
    table_mb=st.sampled_from([TINY, 1]), threads=st.sampled_from([1, 3]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_equals_minimax_on_random_trees(reading: str, tree: Any, depth: int, table_mb: float, threads: int) -> None:
    game = Tree.from_json(tree)
    with ENGINES[reading]():
        engine = pw.Engine(game, table_mb=table_mb, threads=threads)
        solved = engine.solve()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(race, "ALONE_BELOW", 1)  # so that threads take part
            limited = engine.search(depth=depth)
    assert solved.compiled == (reading != "interpreted")
    assert solved.proven
    check_answer(game, game.initial(), None, solved)
    assert limited.value == value_of(game, game.initial(), depth)
    check_line(game, game.initial(), limited)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("table_mb", [TINY, 1])
def test_threads_that_share_moves_equal_one_thread(threads: int, table_mb: float) -> None:
    game = ConnectFour(5, 4)
    alone, together = pw.Engine(game), pw.Engine(game, threads=threads, table_mb=table_mb)
    for seed in range(5):
        state = game.parse("".join(random.Random(seed).choices("12345", k=3)))
        for depth in (5, 7, 9):
            alone.clear()
            one, many = alone.search(state, depth=depth), together.search(state, depth=depth)
            assert many.value == one.value, (seed, depth)
            assert many.proven == one.proven, (seed, depth)
            end_of(game, state, many.line)
            lines = together.search(state, depth=depth, lines=2).lines
            assert lines[0].value == one.value, (seed, depth)
        assert together.search(state, nodes=500).nodes <= 500 + threads, seed


@pytest.mark.parametrize("table_mb", [TINY, 1])
@pytest.mark.parametrize("title", GAMES)
def test_equals_minimax_on_positions_of_every_game(title: str, table_mb: float) -> None:
    game = GAMES[title]
    engine = pw.Engine(game, table_mb=table_mb)
    for seed in range(25):
        state = random_position(game, seed)
        solved = engine.solve(state)
        assert solved.compiled
        check_answer(game, state, None, solved)
        assert solved.move == solved.line[0]
        depth = 1 + seed % 5
        limited = engine.search(state, depth=depth)
        assert limited.value == value_of(game, state, depth), (seed, depth)
        check_line(game, state, limited)


def check_line(game: Game, state: Any, result: pw.Result) -> None:
    """Every move of the line is legal, and where it stops, the value is found."""
    end = end_of(game, state, result.line)
    assert result.move == result.line[0]
    assert (game.score(end) if game.is_terminal(end) else game.evaluate(end)) == result.value


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("reading", READINGS)
def test_what_is_proven_so_far_is_true_and_narrows(reading: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "TELL_SECONDS", 1e-4)
    game, reports = ConnectFour(5, 4), 0
    for position in ("", "3", "33", "1"):  # Max is to move, or Min
        told: list[Progress] = []
        with READINGS[reading]():
            engine = pw.Engine(game, threads=threads)
            result = engine.solve(position, on_progress=told.append, all_moves=position == "1")
        assert all(each.low <= result.value <= each.high for each in told)
        assert all(one.low <= two.low and two.high <= one.high for one, two in itertools.pairwise(told))
        reports += len(told)
    assert reports > 0


@pytest.mark.parametrize("title", GAMES)
def test_weak_gives_the_sign(title: str) -> None:
    game = GAMES[title]
    engine = pw.Engine(game)
    for seed in range(12):
        state = random_position(game, seed)
        value = value_of(game, state)
        found = engine.solve(state, weak=True)
        assert found.value == (value > 0) - (value < 0)
        after = value_of(game, game.play(state, found.move))
        assert (after > 0) - (after < 0) == found.value


def test_solve_many_is_solve_for_each() -> None:
    game = ConnectFour(5, 4)
    states = [random_position(game, seed) for seed in range(40)]
    over = end_of(game, states[0], pw.solve(game, states[0]).line)
    engine = pw.Engine(game)
    plain = engine.solve_many([*states, over])
    full = engine.solve_many([*states, over], all_moves=True)
    for state, solved, every in zip(states, plain, full, strict=False):
        assert solved.value == every.value == value_of(game, state)
        assert value_of(game, game.play(state, solved.move)) == solved.value
        assert every.moves == {move: value_of(game, game.play(state, move)) for move in game.moves(state)}
        assert every.moves[every.move] == every.value
    assert plain[-1].value == full[-1].value == game.score(over)
    assert plain[-1].move is None
    with pw.interpreted():
        assert [s.value for s in pw.Engine(game).solve_many(states)] == [s.value for s in plain[:-1]]


def test_an_interrupted_search_always_has_a_legal_move_and_a_sane_line() -> None:
    game = ConnectFour()
    engine = pw.Engine(game, table_mb=4)
    engine.search(nodes=100)  # compile
    chance = random.Random(1)
    for _ in range(120):
        state = game.initial()
        for _ in range(chance.randrange(20)):
            moves = list(game.moves(state))
            if moves and not game.is_terminal(game.play(state, move := chance.choice(moves))):
                state = game.play(state, move)
        limit = {"nodes": chance.randrange(1, 5000)} if chance.random() < 0.5 else {"seconds": chance.random() / 200}
        result = engine.search(state, **limit)
        assert result.move == result.line[0]
        end_of(game, state, result.line)


def test_a_node_limit_is_kept_to_the_node() -> None:
    result = pw.search(ConnectFour(), nodes=5000)
    assert 8 < result.nodes <= 5000


def test_an_early_proof_ends_the_search() -> None:
    result = pw.search(ConnectFour(), "445566", seconds=60)
    assert result.proven
    assert result.value == 18
    assert result.seconds < 30


def test_on_info_tells_every_depth() -> None:
    told: list[pw.Result] = []
    result = pw.search(ConnectFour(), depth=6, on_info=told.append)
    assert [info.depth for info in told] == [1, 2, 3, 4, 5, 6]
    assert told[-1] == result
    assert all(info.nodes_per_second > 0 and 0 <= info.table_fill <= 1 for info in told)


def test_a_saved_table_is_found_again_and_others_are_refused(tmp_path: Any) -> None:
    game = ConnectFour(5, 4)
    state = random_position(game, 3, 100_000)
    engine = pw.Engine(game, table_mb=1)
    first = engine.solve(state)
    engine.save_table(tmp_path / "table")
    again = pw.Engine(game, table_mb=1)
    again.load_table(tmp_path / "table")
    assert np.array_equal(again.table.slots, engine.table.slots)
    repeated = again.solve(state)
    assert repeated.value == first.value
    assert repeated.nodes < first.nodes
    for other in (pw.Engine(ConnectFour(4, 5), table_mb=1), pw.Engine(TicTacToe(), table_mb=1),
                  pw.Engine(game, table_mb=2), pw.Engine(game, table_mb=1, policy="always")):  # fmt: skip
        with pytest.raises(pw.SearchError, match="is a table for another"):
            other.load_table(tmp_path / "table")
        assert not other.table.slots.any()
    (tmp_path / "short").write_bytes((tmp_path / "table").read_bytes()[:-8])
    with pytest.raises(pw.SearchError, match="is damaged"):
        again.load_table(tmp_path / "short")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(pw.SearchError, match="is not a table"):
        again.load_table(tmp_path / "text")
    with pytest.raises(pw.SearchError, match="cannot be read"):
        again.load_table(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("searches", 10**30), ("searches", -1), ("searches", 1.5), ("searches", "1"), ("searches", None),
        ("searches", [[]]), ("searches", True), ("purpose", 7), ("purpose", None), ("policy", 10**30), ("policy", "1"),
        ("size", 10**30), ("size", -8), ("format", {}), ("game", 1), ("rules", []), ("contents", None),
    ],
)  # fmt: skip
def test_a_table_with_another_header_is_refused(name: str, value: object, tmp_path: Any) -> None:
    engine = pw.Engine(TicTacToe(), table_mb=0.001)
    engine.save_table(tmp_path / "table")
    first, _, rest = (tmp_path / "table").read_bytes().partition(b"\n")
    (tmp_path / "table").write_bytes(json.dumps({**json.loads(first), name: value}).encode() + b"\n" + rest)
    with pytest.raises(pw.SearchError, match=r"is not a table|is a table for another"):
        engine.load_table(tmp_path / "table")


def test_a_table_is_not_read_beyond_its_size(tmp_path: Any) -> None:
    engine = pw.Engine(TicTacToe(), table_mb=0.001)
    engine.save_table(tmp_path / "table")
    with (tmp_path / "table").open("ab") as file:
        file.truncate(1 << 40)  # a sparse file: it takes no space on the disk
    with pytest.raises(pw.SearchError, match="is damaged"):
        engine.load_table(tmp_path / "table")
    (tmp_path / "table").write_bytes(b"[" * 100_000)
    with pytest.raises(pw.SearchError, match="is not a table"):
        engine.load_table(tmp_path / "table")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads=0 must be a whole number from 1"),
        ({"table_mb": -1}, "table_mb=-1 must be a number of megabytes"),
        ({"policy": "best"}, "there is no replacement policy 'best'; there are: always"),
        ({"nullmove": True}, "engine has no option nullmove=; it has: "),
        ({"reductions": 1}, "reductions=1 is not True or False"),
        ({"exact": True, "seconds": 1, "reductions": True}, "reductions=True may change the value"),
    ],
)
def test_bad_options_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        pw.search(TicTacToe(), **{"depth": 1, **options})


def test_its_representation_tells_what_it_was_made_with() -> None:
    game = TicTacToe()
    assert repr(pw.Engine(game)) == f"Engine({game!r}, threads=1, table_mb=64.0, policy='aged')"
    options: dict[str, Any] = {"threads": 2, "table_mb": 1, "policy": "always", "killers": False}
    assert repr(pw.Engine(game, **options)).endswith("threads=2, table_mb=1, policy='always', killers=False)")


def test_a_cleared_engine_is_as_good_as_new() -> None:
    engine = pw.Engine(ConnectFour(), threads=3)
    engine.search(nodes=5000)
    assert all(work.history.any() for work in engine.works(True))
    engine.clear()
    new = pw.Engine(ConnectFour(), threads=3)
    for work, fresh in zip(engine.works(True), new.works(True), strict=True):
        assert np.array_equal(work.history, fresh.history)
        assert np.array_equal(work.killers, fresh.killers)
    assert engine.table.fill == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_the_seconds_of_a_solution_do_not_count_compiling(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still, except where something is compiled for the first time."""
    now, compiled = [0.0], set()

    def prepare_slowly(function: Any, *arguments: Any) -> Any:
        if function not in compiled:
            compiled.add(function)
            now[0] += 100
        return prepare(function, *arguments)

    for module in ("solving", "progress"):
        monkeypatch.setattr(f"plywise.engine.{module}.time", SimpleNamespace(perf_counter=lambda: now[0]))
    for module in ("solving", "many", "parallel"):
        monkeypatch.setattr(f"plywise.engine.{module}.prepare", prepare_slowly)
    result = pw.Engine(TicTacToe(), threads=threads).solve(all_moves=True)
    assert len(compiled) >= 3
    assert result.seconds == 0


class OnlyWhoWins(ConnectFour):
    """Connect Four in which all wins are worth the same."""

    def score(self, state: Any) -> int:
        return (1 if state.plies & 1 else -1) if self.has_line(state.mine ^ state.filled) else 0


class NotInTheMiddle(ConnectFour):
    """Connect Four in which the middle column is forbidden as long as another one is free."""

    def moves(self, state: Any) -> Iterator[int]:
        middle = self.width // 2
        if not self.is_terminal(state):
            for column in range(self.width):
                if column != middle and state.filled & self.top(column) == 0:
                    yield column
            if state.filled | self.column(middle) == self.cells:
                yield middle


@pytest.mark.parametrize("game", [OnlyWhoWins(4, 4), NotInTheMiddle(5, 4)], ids=repr)
def test_a_subclass_with_other_rules_does_not_inherit_the_theory_of_its_parent(game: ConnectFour) -> None:
    """What Connect Four knows of forced moves and of wins to come is about Connect Four's own rules."""
    assert type(game).proven_bounds is pw.Theory.proven_bounds
    with pw.interpreted():
        engine = pw.Engine(game)
        for seed in range(25):
            state = random_position(game, seed)
            assert list(game.candidates(state)) == list(game.moves(state))
            check_answer(game, state, None, engine.solve(state))


def test_a_subclass_keeps_the_theory_that_is_its_own_or_about_unchanged_rules() -> None:
    class Own(OnlyWhoWins):
        def score(self, state: Any) -> int:
            return 0

        def proven_bounds(self, state: Any) -> tuple[int, int]:
            return (0, 0)

        def candidates(self, state: Any) -> Iterator[int]:
            yield next(iter(self.moves(state)))

    class Unchanged(ConnectFour):
        def format_move(self, state: Any, move: int) -> str:
            return f"column-{move}"

    assert Unchanged.proven_bounds is ConnectFour.proven_bounds
    assert Unchanged.candidates is ConnectFour.candidates
    assert Own().proven_bounds(Own().initial()) == (0, 0)
    assert list(Own().candidates(Own().initial())) == [0]


def test_all_moves_are_searched_no_deeper_than_asked() -> None:
    game = ConnectFour()
    result = pw.Engine(game).search("112233", depth=3, all_moves=True)
    assert result.proven
    assert result.moves is not None
    assert result.moves[3] == result.value
    assert result.nodes < 10_000


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals to threads")
def test_ctrl_c_ends_a_solution_before_the_values_of_all_moves() -> None:
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    begun = time.perf_counter()
    with pw.interpreted(), pytest.raises(KeyboardInterrupt):
        pw.solve(pw.games.Chess(), all_moves=True)
    assert time.perf_counter() - begun < 20
