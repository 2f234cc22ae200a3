"""A file of positions is solved completely, with the same result however often the work is interrupted."""

from __future__ import annotations

import importlib
import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.executor import Threads
from plywise.game import MAX, Game
from plywise.games import MNK, ConnectFour, Nim, Pig, TicTacToe
from plywise.inputs.positions import PositionLine
from plywise.study.analyse import Feed
from tests.die import RightDie
from tests.engine.test_playing_search import FastNim
from tests.oracle import expected_of, random_position, value_of

DATA = Path(__file__).parents[3] / "shared" / "data" / "connect4"

GAMES: dict[str, Game] = {"tic-tac-toe": TicTacToe(), "misere nim": Nim((1, 2, 3), misere=True)}


def read(file: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the results."""
    header, *records = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    for record in records:
        assert len(record.pop("check")) == 8
    return header, records


def random_texts(game: Game, count: int, seed: int) -> list[str]:
    """Positions of random games, some of them at their end."""
    chance, texts = random.Random(seed), list[str]()
    while len(texts) < count:
        state = game.initial()
        plies = chance.randrange(10)
        while plies > 0 and not game.is_terminal(state):
            state, plies = game.play(state, chance.choice(list(game.moves(state)))), plies - 1
        texts.append(game.format(state))
    return texts


@pytest.mark.parametrize("reading", ["compiled", "interpreted"])
@pytest.mark.parametrize("title", GAMES)
def test_results_are_the_oracles(title: str, reading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", str(int(reading == "interpreted")))
    game = GAMES[title]
    states = [random_position(game, seed, 400) for seed in range(40)]
    (tmp_path / "positions").write_text("\n".join(map(game.format, states)))
    pw.analyse(game, tmp_path / "positions", tmp_path / "plain", threads=3)
    pw.analyse(game, tmp_path / "positions", tmp_path / "full", threads=2, all_moves=True)
    _, plain = read(tmp_path / "plain")
    _, full = read(tmp_path / "full")
    for number, state in enumerate(states, 1):
        values = {game.format_move(state, move): value_of(game, game.play(state, move)) for move in game.moves(state)}
        best = (max if game.to_move(state) == MAX else min)(values.values())
        first = next(move for move, value in values.items() if value == best)
        expected = {"line": number, "position": game.format(state), "value": best, "move": first}
        assert plain[number - 1] == expected
        assert full[number - 1] == {**expected, "moves": values}
        assert list(full[number - 1]["moves"]) == list(values)


def test_of_games_whose_values_depend_on_the_distance_the_first_fastest_win_is_named(tmp_path: Path) -> None:
    game = FastNim((2, 2, 1))
    (tmp_path / "positions").write_text("\n".join(game.format(random_position(game, seed, 4000)) for seed in range(20)))
    with pw.interpreted():
        forwards = pw.analyse(game, tmp_path / "positions", tmp_path / "results")
        _, records = read(tmp_path / "results")
        for record in records:
            alone = pw.solve(game, record["position"], all_moves=True)
            assert record["value"] == alone.value
            state = game.parse(record["position"])
            better = max if game.to_move(state) == MAX else min
            assert record["move"] == game.format_move(state, better(alone.moves, key=alone.moves.get))
    assert not forwards.bad


def test_the_kinds_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_bytes(b"\xef\xbb\xbf# comment\nXXX/OO./...\n\n  X../.O./...  \r\nXQX/OO./...\n\xff\nXXX/OOO/...")
    with pw.interpreted():
        done = pw.analyse(TicTacToe(), file, tmp_path / "results", all_moves=True)
    _, records = read(tmp_path / "results")
    assert [record["line"] for record in records] == [2, 4, 5, 6, 7]
    assert records[0] == {"line": 2, "position": "XXX/OO./...", "value": 1, "move": None, "moves": {}}
    assert records[1]["value"] == 0
    assert list(done.bad) == [5, 6, 7]
    assert done.bad[5] == records[2]["error"]
    assert "XQX" in done.bad[5]
    assert (done.positions, done.known) == (5, 0)
    with pw.interpreted():
        again = pw.analyse(TicTacToe(), file, tmp_path / "results", all_moves=True)
    assert (again.positions, again.known, again.bad) == (5, 5, done.bad)


def test_a_column(tmp_path: Path) -> None:
    (tmp_path / "positions").write_text("1 XX./OO./... first\n2\n")
    with pw.interpreted():
        done = pw.analyse(TicTacToe(), tmp_path / "positions", tmp_path / "results", column=2)
    _, records = read(tmp_path / "results")
    assert records[0] == {"line": 1, "position": "XX./OO./...", "value": 1, "move": "c3"}
    assert done.bad == {2: "this line has no column 2"}


def test_a_position_that_cannot_be_solved_does_not_stop_the_others(tmp_path: Path) -> None:
    class Stubborn(TicTacToe):
        def play(self, state: Any, move: int) -> Any:
            if self.format(state) == "X../.O./...":
                raise pw.GameError("not this one")
            return TicTacToe.play(self, state, move)

    (tmp_path / "positions").write_text("XX./OO./...\nX../.O./...\nX.X/OO./...\n")
    with pw.interpreted():
        done = pw.analyse(Stubborn(), tmp_path / "positions", tmp_path / "results")
    assert done.bad == {2: "not this one"}
    assert [record.get("value") for record in read(tmp_path / "results")[1]] == [1, None, 1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="killing is tried on a fork of this process")
def test_killed_twenty_times_the_file_is_the_same(tmp_path: Path) -> None:
    game = TicTacToe()
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    texts = random_texts(game, 12_000, seed)
    for place in chance.sample(range(len(texts)), 10):
        texts[place] = "nonsense"
    positions, out = tmp_path / "positions", tmp_path / "results"
    positions.write_text("\n".join(texts))
    pw.analyse(game, positions, tmp_path / "undisturbed", threads=1, table_mb=1)
    undisturbed = pw.analyse(game, positions, tmp_path / "undisturbed", threads=2, fresh=True)
    known: set[int] = set()
    for number in range(20):
        grown = out if number % 2 else None  # half of the time at the beginning, half in the middle of the work
        kill(grown, chance.random() * undisturbed.seconds / 40, lambda: pw.analyse(game, positions, out, threads=2))
        numbers = [record["line"] for record in complete_records(out)]
        assert len(numbers) == len(set(numbers))
        assert known <= set(numbers)
        known = set(numbers)
    last = pw.analyse(game, positions, out, threads=3)
    assert last.known == len(known)
    assert 0 < last.known < 12_000
    assert last.bad == undisturbed.bad
    assert len(last.bad) == 10
    assert out.read_bytes() == (tmp_path / "undisturbed").read_bytes()


def kill(grown: Path | None, seconds: float, work: Callable[[], object]) -> None:
    """Let a process do the work and kill it some seconds after its start, or after a file has grown."""
    size = grown.stat().st_size if grown and grown.exists() else 0
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    end = time.monotonic() + 10
    while grown and time.monotonic() < end and (not grown.exists() or grown.stat().st_size <= size):
        time.sleep(0.001)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def complete_records(file: Path) -> list[dict[str, Any]]:
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines[1:]]


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Any]:
    """Analyse four positions, or others, interpreted."""
    (tmp_path / "positions").write_text("XX./OO./...\nX../.O./...\nXX./O../...\nXOX/OX./...\n")

    def run(**options: Any) -> Any:
        with pw.interpreted():
            return pw.analyse(options.pop("game", TicTacToe()), tmp_path / "positions", tmp_path / "results", **options)

    return run


def test_a_file_cut_short_anywhere_is_completed(small: Callable[..., Any], tmp_path: Path) -> None:
    small()
    out = tmp_path / "results"
    whole = out.read_bytes()
    for length in range(0, len(whole), 7):
        out.write_bytes(whole[:length])
        done = small()
        assert out.read_bytes() == whole
        assert done.known == max(0, whole[:length].count(b"\n") - 1)


def test_what_is_no_result_is_dropped_and_doubles_count_once(small: Callable[..., Any], tmp_path: Path) -> None:
    small()
    out = tmp_path / "results"
    whole = out.read_bytes()
    header, one, two, *_ = whole.splitlines(keepends=True)
    out.write_bytes(header + two + b"\0\0\0\n[]\n3\n" + one + two)
    done = small()
    assert (done.known, done.damaged) == (2, 3)
    assert out.read_bytes() == whole
    assert small().damaged == 0


def test_a_result_that_was_changed_is_made_again(small: Callable[..., Any], tmp_path: Path) -> None:
    small(all_moves=True)
    out = tmp_path / "results"
    whole = out.read_bytes()
    begin = whole.index(b"\n") + 1
    chance = random.Random(11)
    for _ in range(200):
        place = chance.randrange(begin, len(whole) - 1)
        other = chance.choice([byte for byte in b'019,:"{}x\n\xff' if byte != whole[place]])
        out.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
        done = small(all_moves=True)
        assert out.read_bytes() == whole, (place, other)
        assert done.damaged >= 1, (place, other)


def test_a_result_of_another_line_is_made_again(small: Callable[..., Any], tmp_path: Path) -> None:
    small()
    out = tmp_path / "results"
    whole = out.read_bytes()
    out.write_bytes(whole.replace(b'"value": 1', b'"value": 0', 1))
    done = small()
    assert (done.known, done.damaged) == (3, 1)
    assert out.read_bytes() == whole


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"all_moves": True}, "all_moves is False there and True here"),
        ({"column": 1}, "column is None there and 1 here"),
        ({"game": MNK(3, 3, 3)}, r"game is 'TicTacToe\(\)' there and 'MNK\(m=3, n=3, k=3\)' here"),
    ],
)
def test_results_of_something_else_are_not_touched(
    small: Callable[..., Any], tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    small()
    before = (tmp_path / "results").read_bytes()
    with pytest.raises(pw.SearchError, match=message):
        small(**options)
    assert (tmp_path / "results").read_bytes() == before
    small(**options, fresh=True)
    assert (tmp_path / "results").read_bytes() != before


def test_other_positions_and_other_files_are_not_touched(small: Callable[..., Any], tmp_path: Path) -> None:
    small()
    with (tmp_path / "positions").open("a") as file:
        file.write("# changed\n")
    with pytest.raises(pw.SearchError, match="sha256 is '"):
        small()
    for diary in ("my diary\n", "[" * 100_000 + "\n"):
        (tmp_path / "results").write_text(diary)
        with pytest.raises(pw.SearchError, match="already exists and has other content"):
            small()
        assert (tmp_path / "results").read_text() == diary


def test_of_many_differences_two_are_told(small: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "results").write_text(f"{json.dumps({'plywise': 'analysis', **dict.fromkeys('abcdefgh', 'x')})}\n")
    with pytest.raises(pw.SearchError, match="was started with other settings") as error:
        small()
    assert str(error.value).count(" there and ") == 2
    assert ", ...; choose another file" in str(error.value)
    (tmp_path / "results").write_text(f"{json.dumps({'plywise': 'analysis', 'x ' * 5000: 1})}\n")
    with pytest.raises(pw.SearchError, match="was started with other settings") as error:
        small()
    assert len(str(error.value)) < 400


def test_changed_rules_are_other_rules(small: Callable[..., Any], tmp_path: Path) -> None:
    class Changing(TicTacToe):
        def score(self, state: Any) -> int:
            return 2 * TicTacToe.score(self, state)

    small(game=Changing())

    def score(self: Any, state: Any) -> int:
        return 3 * TicTacToe.score(self, state)

    Changing.score = score  # type: ignore[method-assign]
    with pytest.raises(pw.SearchError, match="rules is "):
        small(game=Changing())


def test_two_programs_do_not_write_to_one_file(small: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    small()

    def meddle(done: int, total: int) -> None:
        with pytest.raises(pw.SearchError, match="another program is writing to"):
            small()

    small(on_progress=meddle)


def test_compiling_is_not_part_of_the_time(small: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    usual = small().seconds
    module = importlib.import_module("plywise.study.analyse")
    monkeypatch.setattr(module, "compile_ahead", lambda engine: time.sleep(usual + 1))
    assert small(fresh=True).seconds < usual + 1


def test_progress_is_told(small: Callable[..., Any]) -> None:
    told: list[tuple[int, int]] = []
    small(on_progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 4)
    assert told[-1] == (4, 4)
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"threads": 0}, "threads=0"), ({"column": 0}, "column=0"), ({"table_mb": 0}, "table_mb=0")],
)
def test_bad_arguments_are_explained(small: Callable[..., Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        small(**options)


def test_chunks_grow_while_positions_are_easy_and_shrink_when_they_are_hard() -> None:
    with Threads(2) as executor:
        feed = Feed([PositionLine(n, "") for n in range(10_000)], executor)
    sizes, chunks = [], iter(feed)
    for seconds_each in [1e-5] * 6 + [10.0] * 2:
        chunk = next(chunks)
        feed.took(len(chunk), len(chunk) * seconds_each)
        sizes.append(len(chunk))
    assert sizes[:6] == [1, 4, 16, 64, 256, 1024]
    assert sizes[7] == 1
    feed.took(10_000, 1e-3)
    rest = list(map(len, chunks))
    assert rest == sorted(rest, reverse=True)
    assert rest[-1] == 1
    assert sum(sizes) + sum(rest) == 10_000


def test_connect_four_test_set(tmp_path: Path) -> None:
    file = DATA / "Test_L3_R1"
    if not file.exists():
        pytest.skip(f"the test positions are not at {file}")
    pw.analyse(ConnectFour(), file, tmp_path / "results", column=1)
    _, records = read(tmp_path / "results")
    expected = [line.split() for line in file.read_text().splitlines()]
    assert len(records) == 1000
    for record, (position, score) in zip(records, expected, strict=True):
        assert record["position"] == position
        assert record["value"] == int(score) * (1 if len(position) % 2 == 0 else -1)  # theirs is for the player to move


# Dice ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ["compiled", "interpreted"])
def test_positions_with_dice_are_solved(reading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", str(int(reading == "interpreted")))
    game = RightDie(3)
    texts = random_texts(game, 30, seed=2)
    (tmp_path / "positions").write_text("\n".join([*texts, "nonsense"]))
    done = pw.analyse(game, tmp_path / "positions", tmp_path / "plain", threads=3)
    assert list(done.bad) == [31]
    pw.analyse(game, tmp_path / "positions", tmp_path / "full", all_moves=True)
    _, plain = read(tmp_path / "plain")
    _, full = read(tmp_path / "full")
    for text, record, longer in zip(texts, plain, full, strict=False):
        state = game.parse(text)
        assert record["value"] == pytest.approx(expected_of(game, state))
        values = {move: expected_of(game, game.play(state, move)) for move in game.moves(state)}
        assert longer["moves"] == pytest.approx({game.format_move(state, m): v for m, v in values.items()})
        by_player = values and game.to_move(state) in (MAX, 1)
        best = (max if game.to_move(state) == MAX else min)(values, key=values.__getitem__) if by_player else None
        assert record["move"] == longer["move"] == (None if best is None else game.format_move(state, best))


def test_a_position_of_dice_that_never_ends_is_an_error_in_its_line(tmp_path: Path) -> None:
    (tmp_path / "positions").write_text("0-0 max 0\n")
    done = pw.analyse(Pig(20), tmp_path / "positions", tmp_path / "results")
    assert "positions of Pig(goal=20) recur" in done.bad[1]
