"""The three executors: threads, processes and a Dask cluster do the same jobs with the same results."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import MOST_KILLS, Executor, Job, Lost, Outcome, Report, Threads, done_in_turn
from plywise.game import Game
from plywise.games import ConnectFour, Nim, TicTacToe
from plywise.inputs.choose import choose_game, load_file
from plywise.io.own_folder import PREFIX
from plywise.study.tune_jamboree import tune
from tests.cluster.jobs import (
    add,
    deadly_tools,
    die,
    die_once,
    engine,
    fail,
    leave,
    listen,
    search_for_ever,
    wait_a_little,
)  # fmt: skip


@pytest.fixture
def mortal(executor: Executor) -> Executor:
    """An executor whose workers can die without us."""
    if isinstance(executor, Threads):
        pytest.skip("threads die with the process")
    return executor


KIT = Kit(ConnectFour(), engine)


def test_jobs_come_out_once(executor: Executor) -> None:
    jobs = [Job(KIT, add, (number, 1)) for number in range(50)]
    found = list(done_in_turn(executor, jobs))
    assert sorted(outcome.answer() for outcome in found) == list(range(1, 51))
    assert {outcome.job.number for outcome in found} == {job.number for job in jobs}
    assert not executor.jobs
    assert executor.slots == 2


def test_errors_of_jobs_are_theirs_alone(executor: Executor) -> None:
    jobs = [Job(KIT, fail, ("no such square",)), Job(KIT, add, (1, 2)), Job(KIT, fail, ("",))]
    found = {outcome.job.number: outcome for outcome in done_in_turn(executor, jobs)}
    with pytest.raises(pw.PositionError, match="no such square"):
        found[jobs[0].number].answer()
    assert found[jobs[1].number].answer() == 3
    assert "oops" in str(found[jobs[2].number].error)


class Odd(pw.GameError):
    """An error that cannot be made from its text, so other processes cannot read it."""

    def __init__(self, square: str, reason: str) -> None:
        super().__init__(f"{square} is {reason}")


def fail_oddly(desk: Desk) -> None:
    raise Odd("a1", "taken")


def test_an_error_of_the_users_own_comes_out_as_its_text(executor: Executor) -> None:
    (outcome,) = done_in_turn(executor, [Job(KIT, fail_oddly, ())])
    with pytest.raises(pw.PlywiseError, match="a1 is taken"):
        outcome.answer()


def return_a_lock(desk: Desk) -> Any:
    return threading.Lock()


def test_what_cannot_travel_is_an_error_and_harms_no_worker(mortal: Executor) -> None:
    with pytest.raises(pw.SearchError, match="a riddle cannot be sent to other processes"):
        mortal.submit(Job(KIT, add, (lambda: 1, 2), "a riddle"))
    assert not mortal.jobs
    outcomes = list(done_in_turn(mortal, [Job(KIT, return_a_lock, ()), Job(KIT, add, (1, 2))]))
    assert sum(outcome.error is not None for outcome in outcomes) == 1
    assert [outcome.value for outcome in outcomes if outcome.error is None] == [3]
    assert mortal.retried == 0


def test_an_interrupted_call_leaves_nothing_to_the_next(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes just after a job was given to the workers."""
    submit = Executor.submit

    def interrupted(self: Executor, job: Job) -> Job:
        monkeypatch.setattr(Executor, "submit", submit)
        submit(self, job)
        raise KeyboardInterrupt

    monkeypatch.setattr(Executor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(done_in_turn(executor, [Job(KIT, add, (100, 200))]))
    assert [outcome.value for outcome in done_in_turn(executor, [Job(KIT, add, (1, 2))])] == [3]
    stray = executor.submit(Job(KIT, add, (100, 200)))  # nobody waits for it
    assert [outcome.value for outcome in done_in_turn(executor, [Job(KIT, wait_a_little, (0.5,))])] == [0.5]
    executor.cancel(stray)


def test_a_job_that_cannot_be_started_is_forgotten(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(job: Job) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(executor, "_start", fail)
    with pytest.raises(KeyboardInterrupt):
        executor.submit(Job(KIT, add, (1, 2)))
    assert not executor.jobs


def test_rules_that_call_exit_end_their_job_and_not_the_worker(executor: Executor) -> None:
    for outcome in done_in_turn(executor, [Job(KIT, leave, ()) for _ in range(4)]):
        with pytest.raises(pw.SearchError, match=r"called exit\(enough\)"):
            outcome.answer()
    assert executor.retried == 0


def test_a_second_caller_is_refused(executor: Executor) -> None:
    with contextlib.closing(done_in_turn(executor, [Job(KIT, add, (number, 1)) for number in range(9)])) as first:
        next(first)
        with pytest.raises(pw.SearchError, match="this executor is at work for another call"):
            next(done_in_turn(executor, [Job(KIT, add, (1, 1))]))
        with pytest.raises(pw.SearchError, match="this executor is at work for another call"):
            pw.solve(TicTacToe(), executor=executor)
        assert len(list(first)) == 8


def test_a_cancelled_search_ends_at_once_and_never_comes_out(executor: Executor, tmp_path: Path) -> None:
    check_cancelling(executor, tmp_path)


def test_so_it_does_on_a_worker_with_several_threads(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    start = {"n_workers": 1, "threads_per_worker": 2, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with contextlib.ExitStack() as stack:
        running = stack.enter_context(distributed.LocalCluster(**start, worker_dashboard_address="127.0.0.1:0"))
        executor = stack.enter_context(connect(running.scheduler_address))
        found = done_in_turn(executor, [Job(KIT, add, (number, 1)) for number in range(50)])
        assert sorted(outcome.answer() for outcome in found) == list(range(1, 51))
        crew = executor.crew()
        assert (crew.workers, crew.slots) == (1, 2)
        other = executor.submit(Job(KIT, search_for_ever, (str(tmp_path / "other"),)))
        check_cancelling(executor, tmp_path)
        assert not (tmp_path / "other").exists(), "the other thread's job goes on"
        executor.cancel(other)


def check_cancelling(executor: Executor, folder: Path) -> None:
    """Check that every cancelled search ends within 50 ms.  What else the machine does may disturb some rounds."""
    rounds: list[list[float]] = []
    while not rounds or max(rounds[-1]) >= 0.05:
        rounds.append([latency(executor, folder / f"{len(rounds)} {number}") for number in range(3)])
        assert len(rounds) <= 5, rounds


def latency(executor: Executor, mark: Path) -> float:
    """Return how long a search goes on after it was cancelled."""
    job = executor.submit(Job(KIT, search_for_ever, (str(mark),)))
    end = time.monotonic() + 240  # it may have to compile first
    while not ((news := executor.next(timeout=1.0)) and news.job is job):  # it searches
        assert time.monotonic() < end
    time.sleep(0.3)
    cancelled = time.time()
    executor.cancel(job)
    while not (mark.exists() and mark.read_text()):
        assert time.time() < cancelled + 10
        time.sleep(0.002)
    time.sleep(0.1)
    while (news := executor.next(timeout=0.0)) is not None:
        assert news.job is not job, "it is cancelled"
    return float(mark.read_text()) - cancelled


@pytest.mark.parametrize("address", ["threads", "processes", "local"])
def test_an_executor_may_be_closed_twice(address: str) -> None:
    if address == "local":
        pytest.importorskip("distributed")
    executor = connect(address, workers=1)
    executor.close()
    executor.close()


def test_a_closed_executor_says_so(tmp_path: Path) -> None:
    for address in ("threads", "processes"):
        with connect(address, workers=1) as executor:
            pass
        for find in (pw.solve, partial(pw.search, depth=9), partial(pw.match, first="random", second="random")):
            with pytest.raises(pw.SearchError, match=r"this executor is closed: connect again, or use it inside its"):
                find(TicTacToe(), executor=executor)


@pytest.mark.parametrize(
    "find",
    [
        pw.solve, partial(pw.search, depth=2), partial(pw.match, first="random", second="random"),
        partial(pw.analyse, positions="positions", out="results"), pw.tabulate, partial(tune, depth=2),
        partial(pw.train, out="network", hours=1),
    ],
    ids=["solve", "search", "match", "analyse", "tabulate", "tune", "train"],
)  # fmt: skip
def test_an_address_is_no_executor(find: Any) -> None:
    with pytest.raises(pw.SearchError, match=r"executor='local' is an address: write executor=plywise.cluster.connect"):
        find(TicTacToe(), executor="local")


def test_who_works_is_said_once(tmp_path: Path) -> None:
    with connect("threads", workers=1) as executor:
        with pytest.raises(pw.SearchError, match="leave out concurrency=: it has its own workers"):
            pw.match(TicTacToe(), "random", "random", concurrency=2, executor=executor)
        with pytest.raises(pw.SearchError, match="leave out threads="):
            pw.analyse(TicTacToe(), tmp_path / "positions", tmp_path / "results", threads=2, executor=executor)


FAULTY = """
import plywise as pw


class Faulty(pw.games.Nim):
    def score(self, state):
        return state.nothing


class Slow(pw.games.Nim):
    def score(self, state):
        return int(sorted("21", key=str)[0])
"""


@pytest.mark.filterwarnings("ignore::plywise.errors.CompileWarning")
def test_an_error_in_rules_that_have_travelled_names_their_file_and_line(mortal: Executor, tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    game = choose_game(str(tmp_path / "faulty.py:Faulty"))
    with pytest.raises(pw.SearchError, match=r"^faulty.py, line 7, in Faulty.score: AttributeError"):
        pw.solve(game, executor=mortal)


def test_a_warning_of_a_worker_is_given_here(mortal: Executor, tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    game = choose_game(str(tmp_path / "faulty.py:Slow"))
    with pytest.warns(pw.CompileWarning, match=r"Slow.score .* (at|of|in) .*faulty.py") as warned:
        pw.solve(game, executor=mortal)
    assert not any(PREFIX in str(each.message) for each in warned)


def test_one_more_worker_gets_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = 1
    monkeypatch.setattr(Threads, "slots", property(lambda self: slots))
    with Threads(4) as executor:
        for outcome in done_in_turn(executor, (Job(KIT, add, (number, 1)) for number in range(20)), ahead=1):
            assert len(executor.jobs) < slots
            slots = 4 if outcome.value >= 10 else 1


def test_running_jobs_hear_what_they_are_told(executor: Executor) -> None:
    job = executor.submit(Job(KIT, listen, (10.0,)))
    executor.update(job, "early")
    said = executor.next(timeout=20)
    assert isinstance(said, Report)
    assert said.message == "listening"
    executor.update(job, "late")
    ended = executor.next(timeout=20)
    assert isinstance(ended, Outcome)
    assert ended.answer()[:2] == ["early", "late"]


def test_a_job_whose_worker_dies_goes_to_another(mortal: Executor, tmp_path: Path) -> None:
    before = mortal.retried
    jobs = [Job(KIT, die_once, (str(tmp_path / "mark"),)), Job(KIT, add, (1, 1))]
    found = {outcome.job.number: outcome.answer() for outcome in done_in_turn(mortal, jobs)}
    assert found == {jobs[0].number: "alive", jobs[1].number: 2}
    assert mortal.retried > before


@pytest.mark.parametrize("when", ["making its tools", "at work"])
def test_a_job_whose_workers_die_three_times_is_given_up_and_named(mortal: Executor, when: str, tmp_path: Path) -> None:
    deaths = str(tmp_path / "deaths")
    deadly = Job(KIT, die, (deaths,), "line 7")
    if when == "making its tools":
        deadly = Job(Kit(ConnectFour(), deadly_tools, deaths), add, (1, 2), "line 7")
    others = [Job(KIT, add, (number, 0)) for number in range(3)]
    found = {outcome.job.number: outcome for outcome in done_in_turn(mortal, [deadly, *others])}
    assert isinstance(found[deadly.number].error, Lost)
    assert "line 7: its " in str(found[deadly.number].error)
    assert [found[job.number].answer() for job in others] == [0, 1, 2]
    assert Path(deaths).read_text() == "." * MOST_KILLS


# What is done with them -----------------------------------------------------------------------------------------------


def random_positions(game: Game, count: int, plies: range, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        state = game.initial()
        for _ in range(chance.choice(plies)):
            if game.is_terminal(state):
                break
            state = game.play(state, chance.choice(list(game.moves(state))))
        if not game.is_terminal(state):
            found.append(game.format(state))
    return found


def test_analysis_gives_the_same_file(executor: Executor, tmp_path: Path) -> None:
    game = ConnectFour()
    texts = [*random_positions(game, 300, range(24, 36)), "nonsense"]
    (tmp_path / "positions").write_text("\n".join(texts))
    pw.analyse(game, tmp_path / "positions", tmp_path / "alone", threads=1)
    found = pw.analyse(game, tmp_path / "positions", tmp_path / "together", executor=executor)
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()
    assert list(found.bad) == [301]


def test_a_match_is_the_same(executor: Executor, tmp_path: Path) -> None:
    """The table of a bot travels."""
    table = tmp_path / "tic-tac-toe.table"
    pw.tabulate(TicTacToe()).save(table)

    def play(name: str, **options: Any) -> list[str]:
        pw.match(
            TicTacToe(), "engine,depth=2", f"engine,depth=1,endings={table}", games=12, random_plies=2,
            out=tmp_path / name, **options,
        )  # fmt: skip
        return [line.partition('"seconds"')[0] for line in (tmp_path / name).read_text().splitlines()]

    assert play("together", executor=executor) == play("alone")


THIRDS = """
from fractions import Fraction
import plywise as pw

class Thirds(pw.Game):
    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[0] % 2

    def moves(self, state):
        yield 0
        yield 1

    def play(self, state, move):
        return (state[0] + 1, state[1] * 2 + move)

    def is_terminal(self, state):
        return state[0] == 5

    def score(self, state):
        return Fraction(state[1] * 7 % 11 - 5, 3)

    def format(self, state):
        return f"{state[0]},{state[1]}"

    def parse(self, text):
        first, second = text.split(",")
        return int(first), int(second)
"""


@pytest.mark.filterwarnings("ignore:Thirds.score cannot be compiled")
def test_scores_may_be_of_any_kind(executor: Executor, tmp_path: Path) -> None:
    (tmp_path / "thirds.py").write_text(THIRDS)
    game = choose_game(str(tmp_path / "thirds.py"))
    expected = pw.search(game, algorithm="minimax").value
    assert expected.denominator == 3
    assert pw.solve(game, executor=executor).value == expected


@pytest.mark.parametrize("game", [ConnectFour(5, 4), ConnectFour(6, 4), TicTacToe(), Nim((3, 4, 5))])
def test_a_position_is_solved_together(executor: Executor, game: Game) -> None:
    alone = pw.solve(game, all_moves=True)
    found = pw.solve(game, executor=executor, all_moves=True)
    assert (found.value, found.moves) == (alone.value, alone.moves)
    state = game.initial()
    for move in found.line:
        state = game.play(state, move)
    assert game.score(state) == found.value
    assert pw.solve(game, executor=executor, weak=True).value == (found.value > 0) - (found.value < 0)


DRAWN = """
import plywise as pw

class Drawn(pw.Game):
    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[0] % 2

    def moves(self, state):
        yield 0
        yield 1
        yield 2

    def play(self, state, move):
        return (state[0] + 1, (state[1] * 7 + move * 5 + state[0]) % 101)

    def is_terminal(self, state):
        return state[0] == 7

    def score(self, state):
        return state[1] % 5 - 2

    def format(self, state):
        return f"{state[0]},{state[1]}"

    def parse(self, text):
        first, second = text.split(",")
        return int(first), int(second)
"""


def test_games_without_bounds_and_annotations_are_solved_too(executor: Executor, tmp_path: Path) -> None:
    (tmp_path / "drawn.py").write_text(DRAWN)
    game = choose_game(str(tmp_path / "drawn.py"))
    for start in ("0,0", "1,3", "2,50", "0,77"):
        expected = pw.search(game, start, algorithm="minimax", depth=9).value
        assert pw.solve(game, start, executor=executor).value == expected


def test_games_that_depend_on_the_path_are_refused(executor: Executor) -> None:
    with pytest.raises(pw.SearchError, match="several workers cannot solve Chess together"):
        pw.solve(pw.games.Chess(), executor=executor)
    with pytest.raises(pw.SearchError, match="leave out threads="):
        pw.solve(TicTacToe(), executor=executor, threads=2)


# Games of one's own ---------------------------------------------------------------------------------------------------

COINS = """
import plywise as pw
from coin_rules import TAKEN

class Coins(pw.Game):
    coins: int = 21

    def initial(self):
        return self.coins

    def to_move(self, state):
        return state % 2

    def moves(self, state):
        for take in TAKEN:
            if take <= state:
                yield take

    def play(self, state, move):
        return state - move

    def is_terminal(self, state):
        return state < TAKEN[0]

    def score(self, state):
        return 1 if state % 2 else -1

    def parse(self, text):
        return int(text)
"""


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    (tmp_path / "coin_rules.py").write_text("TAKEN = (1, 3, 4)\n")
    file = tmp_path / "coins.py"
    file.write_text(COINS)
    return file


def test_a_game_in_a_file_of_ones_own_travels(executor: Executor, own_file: Path, tmp_path: Path) -> None:
    game = choose_game(f"{own_file}:Coins:30")
    (tmp_path / "positions").write_text("\n".join(map(str, range(1, 31))))
    pw.analyse(game, tmp_path / "positions", tmp_path / "alone", threads=1)
    pw.analyse(game, tmp_path / "positions", tmp_path / "together", executor=executor)
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()


def test_a_file_that_has_changed_is_noticed(mortal: Executor, own_file: Path, tmp_path: Path) -> None:
    game = choose_game(f"{own_file}:Coins:31")
    (tmp_path / "positions").write_text("20\n")
    time.sleep(1.1)  # Python looks at the time of a file, in seconds
    own_file.write_text(COINS.replace("1 if state % 2 else -1", "2 if state % 2 else -2"))
    with pytest.raises(pw.GameError, match=r"Coins has other rules there: .* the file has changed since it was loaded"):
        pw.analyse(game, tmp_path / "positions", tmp_path / "results", executor=mortal)
    changed = load_file(own_file).Coins(31)
    pw.analyse(changed, tmp_path / "positions", tmp_path / "results", executor=mortal, fresh=True)
    assert '"value": -2' in (tmp_path / "results").read_text() or '"value": 2' in (tmp_path / "results").read_text()
