"""A position searched to a depth by all workers: the value is minimax's, whoever finds it."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster import pieces, searching, tools
from plywise.cluster.addresses import connect
from plywise.cluster.closing import Closing
from plywise.cluster.executor import Executor, Lost
from plywise.engine.judged import with_network
from plywise.game import sign
from plywise.games import MNK, ConnectFour, DogCatMouse, Nim, TicTacToe
from plywise.inputs.choose import choose_game
from tests.cluster.conftest import Help
from tests.cluster.test_executors import random_positions
from tests.cluster.test_tools import Junction, Roundabout
from tests.engine.test_endings import later_positions
from tests.engine.test_network import some_network
from tests.engine.test_playing_search import value_on_path
from tests.oracle import value_of

WILD = '''
import plywise as pw

class Wild(pw.Game):
    """Trees whose players need not take turns, with moves that lead to the same position: a tree for each start."""

    def initial(self) -> tuple[int, int]:
        return (0, 9)

    def to_move(self, state: tuple[int, int]) -> int:
        return state[1] % 2 if state[0] % 5 else 1 - state[1] % 2

    def moves(self, state: tuple[int, int]):
        for move in range(2 + state[0] % 3):
            yield move

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return ((state[0] * 40 + move * 1237 + state[1] * 17 + 5) % 3001, state[1] - 1)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[1] == 0 or (state[1] < 7 and state[0] % 17 == 0)

    def score(self, state: tuple[int, int]) -> int:
        return state[0] // 3 % 41 - 20

    def evaluate(self, state: tuple[int, int]) -> int:
        return state[0] // 7 % 31 - 15

    def parse(self, text: str) -> tuple[int, int]:
        first, second = text.split(",")
        return int(first), int(second)

    def format(self, state: tuple[int, int]) -> str:
        return f"{state[0]},{state[1]}"
'''


WORKERS = 3


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let helpers begin at once, with pieces of any size: searches in tests are short."""
    monkeypatch.setattr(pieces, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(pieces, "MOST_SECONDS", 0.001)
    monkeypatch.setattr(pieces, "TINY", 0.0)


def starts_of_trees(seeds: range) -> list[tuple[int, int]]:
    return [(seed * 7919 % 3001, 9) for seed in seeds]


def test_the_value_is_that_of_minimax(executor: Executor, tmp_path: Path) -> None:
    (tmp_path / "wild.py").write_text(WILD)
    game = choose_game(str(tmp_path / "wild.py"))
    for seed, start in enumerate(starts_of_trees(range(8))):
        depth = 5 + seed % 5
        found = pw.search(game, start, depth=depth, executor=executor)
        assert found.value == value_of(game, start, depth), (seed, depth)
        assert found.depth == depth or found.proven
        assert found.bound == "exact"
        state = start
        for move in found.line:
            state = game.play(state, move)
        assert found.value == (game.score(state) if game.is_terminal(state) else game.evaluate(state))


@pytest.mark.parametrize(("game", "depth"), [(TicTacToe(), 6), (ConnectFour(5, 4), 7)])
def test_positions_of_real_games_too(executor: Executor, game: pw.Game, depth: int) -> None:
    for text in random_positions(game, 2, range(1, 4), seed=depth):
        found = pw.search(game, text, depth=depth, executor=executor, all_moves=True)
        alone = pw.search(game, text, depth=depth, all_moves=True)
        assert (found.value, found.moves, found.proven) == (alone.value, alone.moves, alone.proven)
        assert found.value == value_of(game, game.parse(text), depth)


def test_with_a_clock_every_depth_is_told_and_exact(executor: Executor) -> None:
    heard: list[pw.Result] = []
    found = pw.search(ConnectFour(5, 4), seconds=0.5, exact=True, executor=executor, on_info=heard.append)
    assert [result.depth for result in heard] == list(range(1, len(heard) + 1))
    assert len(heard) >= 5
    for result in (*heard[:7], found):
        assert result.value == pw.search(ConnectFour(5, 4), depth=result.depth).value


def search_by_helpers(
    executor: Executor, help_given: Help, game: pw.Game, start: Any, depth: int, value: Callable[[Any], Any]
) -> None:
    """Search, and check the answers of helpers by the values for Max at each depth."""
    assert pw.search(game, start, depth=depth, executor=executor).value == value(depth)
    help_given.check(lambda depth: value(depth) * sign(game.to_move(start)))


def test_a_lead_that_waits_for_helpers_gets_true_answers(executor: Executor, help_given: Help, tmp_path: Path) -> None:
    (tmp_path / "wild.py").write_text(WILD)
    game = choose_game(str(tmp_path / "wild.py"))
    for depth, start in enumerate(starts_of_trees(range(2, 5)), start=6):
        search_by_helpers(executor, help_given, game, start, depth, partial(value_of, game, start))
    assert help_given.checked > 20
    assert help_given.notes
    assert max(help_given.plies) > 1


@pytest.mark.parametrize("game", [TicTacToe(), MNK(4, 3, 3)])
def test_a_network_whose_estimates_are_fractions_travels(help_given: Help, game: pw.Game) -> None:
    """The game's own scores are whole: a goal between two of them must stay where it is."""
    with connect("threads", workers=4) as executor:
        for depth, most in ((4, 0.9), (5, 0.5), (5, 0.8)):
            network = some_network(game, most=most)
            judged = with_network(game, network)
            value = partial(value_of, judged, game.initial())
            assert value(depth) % 1
            assert pw.search(game, depth=depth, network=network, executor=executor).value == value(depth)
            help_given.check(lambda depth: value(depth) * sign(game.to_move(game.initial())))  # noqa: B023
    assert help_given.checked > 10


def search_where_positions_recur(help_given: Help) -> None:
    game = Roundabout()
    with connect("threads", workers=5) as executor:
        for start in (Junction(place, turn) for place in range(1, 6) for turn in (0, 1)):
            search_by_helpers(executor, help_given, game, start, 7, partial(value_on_path, game, start, ()))


def test_repetitions_count_on_the_way_to_a_piece(help_given: Help) -> None:
    """A helper begins below the root, but the positions before it may recur."""
    search_where_positions_recur(help_given)
    assert help_given.checked > 20
    assert max(help_given.plies) > 1


def test_helpers_that_forget_the_way_are_found(help_given: Help, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "put_on_path", lambda *arguments: None)
    with pytest.raises(AssertionError):
        search_where_positions_recur(help_given)


@pytest.mark.parametrize("error", [Lost("oops"), pw.GameError("oops"), MemoryError("oops")])
def test_a_helper_that_fails_leaves_its_piece_to_the_lead(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    game, given = ConnectFour(6, 5), list[tuple[Any, ...]]()

    def fail(desk: Any, *piece: Any) -> None:
        given.append(piece)
        raise error

    monkeypatch.setattr(searching, "answer_piece", fail)
    with pw.interpreted(), connect("threads", workers=3) as executor, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = pw.search(game, depth=8, executor=executor)
    assert found.value == pw.search(game, depth=8).value
    assert [str(each.message) for each in warned] == ["a helper has failed, and the lead does its work: oops"]
    assert len(given) > 5
    questions = [(path, goal if len(path) % 2 == 0 else 1 - goal, depth + len(path)) for path, goal, depth in given]
    assert len(set(questions)) == len(questions), "who tries again fails again"


def test_nobody_helps_with_a_piece_that_is_left_to_the_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MOST_SECONDS", 60.0)

    def picked(left: bool) -> list[pieces.Node]:
        game = ConnectFour(6, 5)
        tree = pieces.Pieces(game, game.initial(), 0, False, 8)
        found = [first := tree.pick(lambda node: 1.0)]
        if left:
            tree.leave_to_the_lead(first)
        while len(found) < 40 and (piece := tree.pick(lambda node: 1.0)):
            found.append(piece)
        return [piece for piece in found[1:] if first in piece.above()]

    assert picked(left=False)
    assert not picked(left=True)


@pytest.fixture(scope="module")
def endings() -> pw.tables.Table:
    game = ConnectFour(4, 4)
    return pw.tabulate(game, later_positions(game, 6))


@pytest.mark.parametrize("in_a_file", [False, True])
def test_a_table_of_endings_travels(
    executor: Executor, help_given: Help, endings: pw.tables.Table, in_a_file: bool, tmp_path: Path
) -> None:
    """Searches end where it begins, with its values, those of helpers too."""
    game, given = endings.game, endings if not in_a_file else tmp_path / "endings.table"
    endings.save(tmp_path / "endings.table")
    for state in later_positions(game, 1)[:2]:
        value = value_of(game, state)
        for depth in range(5, 7):  # without the table, these would be too few plies
            alone = pw.search(game, state, depth=depth, endings=endings)
            found = pw.search(game, state, depth=depth, endings=given, executor=executor, all_moves=True)
            assert (found.value, found.proven, found.game) == (alone.value, alone.proven, game)
            assert found.value == value
            assert found.moves is not None
            assert found.moves[found.move] == value
            assert is_over_after(game, state, found.line)
        solved = pw.solve(game, state, endings=given, executor=executor)
        assert (solved.value, solved.proven, solved.game) == (value, True, game)
        assert is_over_after(game, state, solved.line)
        side, values = sign(game.to_move(state)), dict[int | None, Any]({None: value})
        values |= {depth: pw.search(game, state, depth=depth, endings=endings).value for depth in range(1, 7)}
        help_given.check(lambda depth: values[depth] * side)  # noqa: B023 (called at once)
    assert help_given.checked > 10
    state = later_positions(game, 6)[3]
    for found in (
        pw.search(game, state, depth=3, endings=given, executor=executor),
        pw.solve(game, state, endings=given, executor=executor),
    ):
        assert (found.value, found.algorithm) == (endings[state].value, "table")


def is_over_after(game: pw.Game, state: Any, line: tuple[Any, ...]) -> bool:
    for move in line:
        state = game.play(state, move)
    return game.is_terminal(state)


def test_endings_of_another_game_are_refused(executor: Executor, endings: pw.tables.Table) -> None:
    with pytest.raises(pw.SearchError, match="the endings are those of"):
        pw.search(ConnectFour(5, 4), depth=3, endings=endings, executor=executor)
    assert pw.search(ConnectFour(4, 4), depth=3, executor=executor).depth == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 1000}, "leave out nodes="),
        ({"seconds": 1}, "add exact=True"),
        ({}, "a search needs a limit"),
        ({"depth": 3, "threads": 2}, "leave out threads="),
        ({"depth": 3, "algorithm": "minimax"}, "leave out algorithm="),
        ({"depth": 3, "record": True}, "which does not record"),
    ],
)
def test_what_workers_cannot_share_is_refused(options: dict[str, Any], message: str) -> None:
    with connect("threads", workers=1) as executor, pytest.raises(pw.SearchError, match=message):
        pw.search(TicTacToe(), executor=executor, **options)


def test_games_that_the_engine_does_not_search_are_refused() -> None:
    with connect("threads", workers=1) as executor:
        for find in (pw.search, pw.solve):
            with pytest.raises(pw.SearchError, match=r"executor= is for the engine, which does not search DogCatMouse"):
                find(DogCatMouse(), executor=executor)


def test_progress_within_a_depth_is_that_of_workers() -> None:
    with pytest.raises(pw.SearchError, match="on_info= hears every depth"):
        pw.search(TicTacToe(), depth=3, on_progress=print)


@pytest.mark.parametrize("whole", [True, False])
def test_closing_in_ends_at_the_value_wherever_answers_lie(whole: bool) -> None:
    class Game(Nim):
        def whole_scores(self) -> bool:
            return whole

    for seed in range(300):
        chance = random.Random(seed)
        value = chance.randint(-900, 900) if whole else chance.uniform(-900, 900)
        closing, asked = Closing(Game(), chance.randint(-5, 5)), 0
        while closing.is_open:
            goal, asked = closing.goal(), asked + 1
            assert closing.low < goal <= closing.high, seed
            slack = chance.choice([0, 0, 1, 7]) if chance.random() < 0.7 else 10_000
            answer = max(goal, value - slack) if value >= goal else value + slack
            if answer >= goal > value:
                answer = value
            closing.take(goal, answer)
        assert closing.low == closing.high == value, seed
        assert asked < 80, seed
