"""Analysis: what is told of a position while somebody looks, and that it gives way to moves."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

import httpx
from fastapi.testclient import TestClient

from plywise.web import analysing, workers
from plywise.web.thinking import Played
from plywise.web.worker import Job
from tests.web.serving import OWN, Reader, events, interpreting, post

LINE = {"value", "text", "proven", "expected", "depth", "moves"}
DATA = {"depth", "nodes", "speed", "seconds", "compiled", "value", "text", "lines"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with interpreting(f"{OWN}:Subtraction") as made:
        yield made


def analysed(client: TestClient, **body: Any) -> list[tuple[str, Any]]:
    return events(post(client, "analyse", **body).text)


def test_the_best_lines_are_told_in_order_and_can_be_played(client: TestClient) -> None:
    moves = ["Kd2", "Kd7"]
    begun: dict[str, Any] = {"game": "chess", "start": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}
    told = analysed(client, **begun, moves=moves, seconds=1)
    assert {name for name, _ in told} == {"lines", "done"}
    name, done = told[-1]
    assert name == "done"
    assert set(done) >= DATA
    assert len(done["lines"]) == 3
    assert all(set(line) >= LINE for line in done["lines"])
    values = [line["value"] for line in done["lines"]]
    for depth in {line["depth"] for line in done["lines"]}:  # two if the clock cut the last one off
        same = [line["value"] for line in done["lines"] if line["depth"] == depth]
        assert same == sorted(same, reverse=True)  # White is to move
    assert (done["value"], done["text"]) == (values[0], done["lines"][0]["text"])
    for line in done["lines"]:
        played = [*moves, *(move["text"] for move in line["moves"])]
        position = post(client, "position", **begun, moves=played).json()
        assert position["moves"][2:] == [move["name"] for move in line["moves"]]


def test_it_tells_at_least_four_times_a_second(client: TestClient) -> None:
    told = [data for name, data in analysed(client, game="connect-four", seconds=2) if name == "lines"]
    times = [data["seconds"] for data in told]
    assert len([moment for moment in times if 0.5 < moment < 1.9]) >= 4  # half of the promise: the machine may be busy
    assert [data["nodes"] for data in told] == sorted(data["nodes"] for data in told)


def test_what_is_proven_ends_by_itself(client: TestClient) -> None:
    begun = time.monotonic()
    _, done = analysed(client, game="tic-tac-toe", start="XX./OO./...", lines=5)[-1]
    assert time.monotonic() - begun < 60
    assert [line["text"] for line in done["lines"]] == ["+1", "0", "-1", "-1", "-1"][: len(done["lines"])]
    assert all(line["proven"] and line["depth"] is None for line in done["lines"])
    assert [len(line["moves"]) > 0 for line in done["lines"]] == [True] * 5


def test_lines_that_win_are_not_searched_to_depth_1000(client: TestClient) -> None:
    _, done = analysed(client, game="chess", start="7k/8/8/8/8/8/5R2/K5R1 w - - 0 1", seconds=2, lines=1)[-1]
    assert (done["text"], done["depth"], done["plies"]) == ("White mates in 1", None, 1)


@pytest.mark.parametrize(
    ("game", "most"), [("go", 3), ("backgammon", 3), ("pig", 3), ("dog-cat-mouse", 1), ("Subtraction", 3)]
)
def test_every_game_has_lines(client: TestClient, game: str, most: int) -> None:
    seed = post(client, "position", game=game).json()["seed"]
    legal = [move["text"] for move in post(client, "position", game=game, seed=seed).json()["legal"]]
    name, done = analysed(client, game=game, seed=seed, seconds=0.5)[-1]
    assert name == "done"
    assert 1 <= len(done["lines"]) <= most
    first = [line["moves"][0]["text"] for line in done["lines"]]
    assert set(first) <= set(legal)
    assert len(set(first)) == len(first)


def test_a_move_that_repetition_forbids_is_in_no_line(client: TestClient) -> None:
    asked = {"game": "go", "parameters": "3,superko=true", "moves": ["C1", "B3", "A2", "A1", "B1", "B2", "A3", "A1"]}
    _, done = analysed(client, **asked, seconds=0.5, lines=5)[-1]
    assert {line["moves"][0]["text"] for line in done["lines"]} <= {"A3", "C3", "C2", "pass"}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"game": "tic-tac-toe", "start": "XXX/OO./..."}, "the game is over"),
        ({"game": "chess", "lines": 6}, "less than or equal to 5"),
        ({"game": "chess", "seconds": 1e6}, "less than or equal to 3600"),
        ({"game": "shogi"}, "there is no game 'shogi'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    client: TestClient, body: dict[str, Any], sentence: str
) -> None:
    answer = post(client, "analyse", **body)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


# In the worker ------------------------------------------------------------------------------------------------------


def job_with(told: list[Any], earlier: Any = None, kept: dict[Any, Any] | None = None) -> Job:
    from plywise.web.offered_games import Games

    return Job(Games(), told.append, {} if kept is None else kept, earlier)


def test_an_analysis_that_goes_on_does_not_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    order = analysing.Order(Played("connect-four", "", None, (), None), 3, 1.0)
    kept: dict[Any, Any] = {}
    first = analysing.analyse(job_with([], kept=kept), order, True)
    told: list[Any] = []
    again = job_with(told, first, kept)
    name, done = analysing.analyse(again, order._replace(seconds=3.0), True)
    assert name == "done"
    for data in (*(data for _, data in told), done):
        assert data["reached"] >= first[1]["reached"]
        assert data["nodes"] >= first[1]["nodes"]
        assert data["seconds"] >= first[1]["seconds"]
    assert 2.9 < done["seconds"] < 30  # the seconds of both turns count


def test_a_tree_that_was_interrupted_grows_on_beside_that_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    kept: dict[Any, Any] = {}
    earlier: list[Any] = [None, None]
    for turn in range(1, 4):
        for number, moves in enumerate((("C3",), ("C3", "D3"))):
            played = Played("go", "5,superko=true", None, moves, None, f"session {number}")
            told: list[Any] = []
            job = job_with(told, earlier[number], kept)
            before, earlier[number] = (
                earlier[number],
                analysing.analyse(job, analysing.Order(played, 3, 0.5 * turn), True),
            )
            done = earlier[number][1]
            assert len(done["lines"]) == 3
            if before is not None:
                assert all(data["nodes"] >= before[1]["nodes"] for _, data in told)
                assert done["reached"] > 1.1 * before[1]["reached"]


def test_a_tree_that_was_lost_replaces_the_earlier_lines_when_it_is_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    order = analysing.Order(Played("go", "5", None, (), None, "one"), 3, 1.0)
    first = analysing.analyse(job_with([]), order, True)
    smaller = analysing.analyse(job_with([], first), order._replace(seconds=1.2), True)
    assert (smaller[1]["lines"], smaller[1]["nodes"]) == (first[1]["lines"], first[1]["nodes"])
    larger = analysing.analyse(job_with([], smaller), order._replace(seconds=4.0), True)
    assert larger[1]["nodes"] == larger[1]["reached"] > first[1]["nodes"]


@pytest.mark.parametrize(("game", "parameters"), [("dog-cat-mouse", ""), ("go", "")])
def test_an_algorithm_without_a_control_stops_too(game: str, parameters: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even in its first depth."""
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    order = analysing.Order(Played(game, parameters, None, (), None), 3, 600.0)
    job = job_with([])
    job.control.stop()
    analysis = analysing.Analysis(job, order)
    analysis.look_around()
    made = analysis._stopper
    monkeypatch.setattr(analysing, "Stopper", lambda: made)
    begun = time.monotonic()
    analysis.search(job.control)
    assert time.monotonic() - begun < 30
    assert analysis.over
    assert analysis.data()["lines"]


def test_moves_are_judged_at_a_glance_while_the_first_depth_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []

    class Slow(analysing.Analysis):
        def search(self, control: Any) -> None:
            while not told:
                time.sleep(0.01)
            super().search(control)

    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    monkeypatch.setattr(analysing, "Analysis", Slow)
    order = analysing.Order(Played("chess", "", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", (), None), 3, 0.05)
    analysing.analyse(job_with(told), order, True)
    name, data = told[0]
    assert (name, data["depth"], data["compiled"]) == ("lines", 0, False)
    assert [move["text"] for move in data["lines"][0]["moves"]] == ["e4d5"]
    assert data["lines"][0]["text"].startswith("estimate: +")


@pytest.mark.parametrize("game", ["connect-four", "go", "dog-cat-mouse"])
@pytest.mark.parametrize("method", ["guess", "data"])
def test_an_error_while_telling_ends_the_analysis(game: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as an error of a user's own game.  The search goes well, and lasts until it is stopped."""
    usual, search = getattr(analysing.Analysis, method), analysing.Analysis.search

    def faulty(self: analysing.Analysis) -> Any:
        if threading.current_thread().name == "plywise analysis":
            raise ZeroDivisionError("of the telling thread")
        return usual(self)

    def lasting(self: analysing.Analysis, control: Any) -> None:
        search(self, control)
        while not control.stopped:
            time.sleep(0.01)

    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    monkeypatch.setattr(analysing.Analysis, method, faulty)
    monkeypatch.setattr(analysing.Analysis, "search", lasting)
    monkeypatch.setattr(analysing.Analysis, "known", False)
    job = job_with([])
    with pytest.raises(ZeroDivisionError, match="of the telling thread"):
        analysing.analyse(job, analysing.Order(Played(game, "", None, (), None), 3, 30.0), ready=True)
    assert job.control.stopped


def test_machine_code_is_used_as_soon_as_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search finds no code.  It runs as plain Python until the code is there, and then goes on with that."""
    from plywise.compiling.reading import NotReady

    searched: list[bool] = []
    there = threading.Event()

    class Missing(NotReady):
        is_there = property(lambda self: there.is_set())

    class Fake(analysing.Analysis):
        def search(self, control: Any) -> None:
            interpreting = control is not self.job.control
            searched.append(interpreting)
            if not interpreting and not there.is_set():
                raise Missing(None, ())
            if interpreting:
                self._control = control
                there.set()
                while not control.stopped:
                    time.sleep(0.01)
            self.over = True

        def guess(self) -> None:
            pass

        def data(self) -> dict[str, Any]:
            return {}

    monkeypatch.setattr(analysing, "Analysis", Fake)
    order = analysing.Order(Played("tic-tac-toe", "", None, (), None), 3, 60.0)
    assert analysing.analyse(job_with([]), order, ready=False) == ("done", {})
    assert searched == [False, True, False]


# Beside other requests ----------------------------------------------------------------------------------------------


def test_an_endless_analysis_gives_way_to_a_move_and_goes_on(address: str) -> None:
    endless = {"game": "connect-four", "session": "looking"}
    with httpx.stream("POST", address + "analyse", json=endless, timeout=30) as response:
        reader = Reader(response)
        before = reader.next("lines")
        move = {"game": "nim", "level": 1, "session": "playing"}
        told = events(httpx.post(address + "think", json=move, timeout=30).text)
        assert told[-1][0] == "done"
        assert "Waiting" in reader.next("status")["text"]
        assert reader.next("status")["text"] == ""
        assert reader.next("lines")["nodes"] > before["nodes"]


def test_several_analyses_take_turns_and_end_when_nobody_looks(address: str) -> None:
    first, second = ({"game": "connect-four", "session": name} for name in ("one", "two"))
    with (
        httpx.stream("POST", address + "analyse", json=first, timeout=30) as one,
        httpx.stream("POST", address + "analyse", json=second, timeout=30) as two,
    ):
        readers = Reader(one), Reader(two)
        seen = [[reader.next("lines")["seconds"]] for reader in readers]
        for _ in range(2):
            for reader, seconds in zip(readers, seen, strict=True):
                reader.next("status")  # it waits
                seconds.append(reader.next("lines")["seconds"])
        assert all(seconds == sorted(seconds) for seconds in seen)
    alone = {"game": "connect-four", "session": "three", "seconds": 4 * workers.TURN}
    told = [name for name, _ in events(httpx.post(address + "analyse", json=alone, timeout=60).text)]
    assert set(told[told.index("lines") :]) == {"lines", "done"}  # it has all turns
