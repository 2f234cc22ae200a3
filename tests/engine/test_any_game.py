"""The engine's code for any game searches the same positions as its code for one game alone."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.native_types import native_type
from plywise.compiling.reading import specialised
from plywise.compiling.words import word_count
from plywise.engine import any_code, head_start
from plywise.engine.any_code import Rules, general, made_by, rules_of
from plywise.engine.any_game import RULES, SOLVING
from plywise.game import Game
from plywise.games import MNK, ConnectFour, Nim, TicTacToe
from tests.oracle import value_of
from tests.own_games.go import Go
from tests.own_games.kalah import Kalah


class Shape(NamedTuple):
    cells: tuple[tuple[int, int], tuple[int, int]]
    weight: float
    turn: int


class Odd(pw.FastestWin, pw.Tactics, pw.Theory, pw.Game):
    """Everything at once: nested positions, a float in them, an array, real scores, bounds of both kinds."""

    worth: Any
    size: int = 3
    win_score = 5000.0
    swing = 2.0

    def initial(self):
        return Shape(((self.size, 1), (1, self.size)), 0.25, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for place in range(4):
            if state.cells[place // 2][place % 2] > 0:
                yield place

    def play(self, state, move):
        (a, b), (c, d) = state.cells
        if move == 0:
            cells = ((a - 1, b), (c, d))
        elif move == 1:
            cells = ((a, b - 1), (c, d))
        elif move == 2:
            cells = ((a, b), (c - 1, d))
        else:
            cells = ((a, b), (c, d - 1))
        gained = self.worth[move] if state.turn == pw.MAX else -self.worth[move]
        again = move == 3  # the same player moves on
        return Shape(cells, state.weight + gained, state.turn if again else 1 - state.turn)

    def is_terminal(self, state):
        return sum(state.cells[0]) + sum(state.cells[1]) == 0

    def score(self, state):
        return state.weight

    def evaluate(self, state):
        return state.weight / 2

    def bounds(self, state):
        return (-100, 100.5)

    def gain(self, state, move):
        return int(4 * self.worth[move]) if move == 2 else 0

    def noisy_moves(self, state):
        if state.cells[1][0] > 0:
            yield 2

    def candidates(self, state):
        return self.moves(state)


class Mixed(Nim):
    """Whole scores, and estimates that are not."""

    def bounds(self, state):
        return (-1, 1)

    def evaluate(self, state):
        return 0.25 * (state.heaps[0] % 3 - 1)


GAMES: dict[str, Game] = {
    "odd": Odd(np.array([1.5, -0.5, 2.0, 0.25])),
    "connect four": ConnectFour(5, 4),
    "go, with real scores": Go(),
    "kalah, with points in the bank": pw.games.Kalah(3, 2),
    "othello, with a quick end and images": pw.games.Othello(4),
}


def some_positions(game: Game) -> Iterator[Any]:
    """Yield positions of three random games."""
    for seed in range(3):
        chance, state = random.Random(seed), game.initial()
        while not game.is_terminal(state):
            yield state
            state = game.play(state, chance.choice(list(game.moves(state))))


@pytest.mark.parametrize("title", GAMES)
def test_visits_what_specialised_code_visits(title: str) -> None:
    game = GAMES[title]
    found = []
    for maker in (specialised, general):
        with made_by(maker):
            found.append([report(pw.Engine(game, table_mb=1), state) for state in some_positions(game)])
            engine = pw.Engine(game, table_mb=1)
            found[-1].append([(s.value, s.move, s.nodes) for s in engine.solve_many([*some_positions(game)][-8:])])
    assert found[0] == found[1]


def test_whole_scores_and_real_estimates() -> None:
    game = Mixed((1, 2, 3, 2), misere=True)
    found = []
    for maker in (specialised, general):
        with made_by(maker):
            found.append([pw.Engine(game, table_mb=1).search(state, depth=5) for state in some_positions(game)])
    assert [(each.value, each.nodes) for each in found[0]] == [(each.value, each.nodes) for each in found[1]]


def report(engine: pw.Engine, state: Any) -> Any:
    solved = engine.solve(state)
    searched = [
        engine.search(state, nodes=2000), engine.search(state, depth=5), engine.search(state, nodes=500, lines=2),
        solved, engine.solve(state),
    ]  # fmt: skip
    assert all(result.compiled for result in searched)
    return [(result.value, result.line, result.nodes, result.depth, result.proven) for result in searched]


def test_equals_minimax() -> None:
    game = GAMES["odd"]
    with made_by(general):
        assert pw.Engine(game).solve().value == value_of(game, game.initial())
        assert pw.Engine(game, threads=2).search(depth=5).value == value_of(game, game.initial(), 5)


def test_repetitions_count_the_history() -> None:
    game, moves = pw.games.Chess(), ("g1f3", "g8f6", "f3g1", "f6g8")
    states = [game.initial()]
    for text in moves:
        states.append(game.play(states[-1], game.parse_move(states[-1], text)))
    found = []
    for maker in (specialised, general):
        with made_by(maker):
            result = pw.Engine(game).search(states[-1], history=states[:-1], depth=4, exact=False)
            found.append((result.value, result.line, result.nodes))
    assert found[0] == found[1]


def test_one_code_serves_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[Any, any_code.AnyGameCode] = {}
    monkeypatch.setattr(any_code, "_general", made)
    with made_by(general):
        for game in (TicTacToe(), Nim((1, 2))):
            for exact in (True, False):
                assert pw.Engine(game).search(depth=2, exact=exact).compiled
    assert len(made) == 4
    assert len({each.code for each in made.values()}) == 1


def test_a_default_costs_no_call() -> None:
    rules = rules_of(TicTacToe())
    rules.compile(RULES)
    assert "order" not in rules.rules
    assert "candidates" not in rules.rules
    assert {"play", "moves", "score", "key"} <= rules.rules.keys()


def test_solving_compiles_only_what_it_needs() -> None:
    game = GAMES["odd"]
    rules = Rules(native_type(game), 1 + word_count(game.initial()))
    rules.compile(SOLVING)
    assert "gain" not in rules.rules
    assert rules.are_real


class Failing(Nim):
    def score(self, state):
        if state.heaps[0] == 0:
            raise ValueError("no score")
        return 1


def test_errors_in_rules_reach_the_caller() -> None:
    with made_by(general), pytest.raises(ValueError, match="no score"):
        pw.Engine(Failing((1, 1))).solve()


def test_a_rule_with_an_unexpected_type_gets_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class RealGain(Odd):
        def gain(self, state, move):
            return self.worth[move]

    game = RealGain(np.array([1.5, -0.5, 2.0, 0.25]))
    rules = rules_of(game)
    rules.compile(RULES)
    assert not rules.have_form
    used = []
    monkeypatch.setattr(any_code, "AnyGameCode", lambda *arguments: used.append(arguments))
    with made_by(general):
        assert pw.Engine(game).search(depth=3).value == value_of(game, game.initial(), 3)
    assert not used


@pytest.mark.parametrize(("first", "then"), [(0, 0.5), (0.5, 1)])
def test_a_position_that_changes_its_type_is_refused_with_a_reason(first: float, then: float) -> None:
    class Changing(pw.Game):
        def initial(self):
            return (3, first, pw.MAX)

        def to_move(self, state):
            return state[2]

        def moves(self, state):
            return range(1, state[0] + 1)

        def play(self, state, move):
            return (state[0] - move, then, 1 - state[2])

        def is_terminal(self, state):
            return state[0] == 0

        def score(self, state):
            return 1 if state[2] == pw.MIN else -1

    with made_by(general), pytest.warns(pw.CompileWarning, match="initial"):
        result = pw.Engine(Changing()).solve()
    assert (result.value, result.compiled) == (1, False)


def test_two_threads_may_compile_one_game() -> None:
    class Shared(Nim):
        def order(self, state, move):
            return move % 7

    found = []
    threads = [threading.Thread(target=lambda: found.append(pw.Engine(Shared((1, 2, 3))).solve())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.compiled for result in found] == [True] * 4


def test_without_another_process_this_one_compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Alone(Nim):
        def order(self, state, move):
            return move % 5

    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "")
    head_start.begin(False, False, False)
    with made_by(general):
        assert pw.Engine(Alone((1, 2))).search(depth=2).compiled


def test_another_process_compiles_a_share_of_the_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    names = ["start", "play", "moves"]
    head_start.share_rules(Nim((1, 2)), names)
    deadline = time.monotonic() + 120
    while len(made := list(tmp_path.glob("*.machinecode"))) < len(names) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert sorted(file.name.partition("-")[0] for file in made) == sorted(names)


def test_only_missing_rules_are_shared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Missing(Nim):
        def order(self, state, move):
            return move % 11

    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    game = Missing((1, 2))
    rules = Rules(native_type(game, is_open=True), 1 + word_count(game.initial()))
    names = rules.missing(RULES)
    assert names[:2] == ["start", "play"]
    assert "gain" not in names  # Nim has Game's own
    rules.compile(["start"])
    assert rules.missing(RULES) == names[1:]


def test_the_module_of_a_user_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_start, "_start", lambda work: pytest.fail("it would import the game's module"))
    head_start.share_rules(Kalah(), ["play"])


def test_long_lines_fit() -> None:
    class Long(pw.Game):
        """Two heaps: a line of play has 1800 moves."""

        def initial(self):
            return (900, 900, 0)

        def to_move(self, state):
            return state[2]

        def moves(self, state):
            for heap in range(2):
                if state[heap] > 0:
                    yield heap

        def play(self, state, move):
            a, b, turn = state
            return (a - 1, b, 1 - turn) if move == 0 else (a, b - 1, 1 - turn)

        def is_terminal(self, state):
            return state[0] + state[1] == 0

        def score(self, state):
            return 1 if state[2] == pw.MIN else -1

    with made_by(general):
        assert pw.Engine(Long()).solve_many([(900, 900, 0)])[0].value == -1


def test_each_thread_has_positions_of_its_own() -> None:
    game = ConnectFour(5, 4)
    with made_by(general):
        assert pw.Engine(game, threads=3).search(depth=9).value == pw.Engine(game).search(depth=9).value


def test_games_that_are_the_same_with_other_parameters_have_their_own_rules() -> None:
    """The size of the board belongs to a game of ``MNK``, but to the class ``TicTacToe``."""
    with made_by(general):
        values = [pw.Engine(game).solve("X../.O./...").nodes for game in (MNK(3, 3, 3), TicTacToe(), MNK(3, 3, 3))]
    assert values[0] == values[1] == values[2]


def test_changed_rules_get_new_code() -> None:
    class Changing(Nim):
        def score(self, state):
            return 1

    with made_by(general):
        before = pw.Engine(Changing((1, 2))).solve().value
        Changing.score = lambda self, state: -1  # type: ignore[method-assign]
        assert (before, pw.Engine(Changing((1, 2))).solve().value) == (1, -1)


BY_A_METHOD = """
class Changing(Nim):
    def score(self, state):
        return 3 * self.bonus(state)

    def bonus(self, state):
        return 1
"""
BY_A_HELPER = """
def prize(game, state):
    return 3 * game.bonus(state)

class Changing(Nim):
    def score(self, state):
        return prize(self, state)

    def bonus(self, state):
        return 1
"""
BY_A_POSITION = """
class Pile(NamedTuple):
    left: int
    turn: int

    def prize(self, game):
        return 3 * game.bonus(self)

class Changing(pw.Game):
    def initial(self):
        return Pile(5, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        yield 1

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return state.prize(self)

    def bonus(self, state):
        return 1
"""


@pytest.mark.parametrize(("rules", "again"), [(BY_A_METHOD, 1), (BY_A_HELPER, 1), (BY_A_POSITION, 6)])
def test_a_change_to_one_method_compiles_the_rules_that_use_it(
    rules: str, again: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Any rule may call the methods of a position, so what these call counts for all rules."""
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    files = [0]
    for source in (rules, rules.replace("return 1", "return 2")):
        scope: dict[str, Any] = {"pw": pw, "Nim": Nim, "NamedTuple": NamedTuple}
        exec(source, scope)
        game = scope["Changing"]()
        Rules(native_type(game, is_open=True), 1 + word_count(game.initial())).compile(SOLVING)
        files.append(len([*tmp_path.glob("*.machinecode")]))
    assert len([*tmp_path.glob("score-*.machinecode")]) == 2
    assert files[1] > 5
    assert files[2] == files[1] + again


def test_the_code_does_not_depend_on_what_a_process_has_seen() -> None:
    program = (
        "import sys, plywise as pw; from plywise.compiling.native_types import native_type; "
        "from plywise.engine.any_code import rules_of; "
        "games = [pw.games.Chess(), pw.games.TicTacToe()][:: int(sys.argv[1])]; "
        "print([native_type(rules_of(game).stand_in(game, False, 1)[0]) for game in games])"
    )
    seen = [
        subprocess.run([sys.executable, "-c", program, step], capture_output=True, text=True) for step in ("1", "-1")
    ]
    first, second = (done.stdout for done in seen)
    assert first == second != ""
    assert len({*first.strip("[]\n").split(", ")}) == 1


def test_the_code_is_looked_up_and_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Nim((1, 2, 3))
    with made_by(general):
        pw.Engine(game).search(depth=2)
    monkeypatch.setattr(any_code, "AnyGameCode", lambda *arguments: pytest.fail("made again"))
    with made_by(general):
        pw.Engine(game).search(depth=2)
