"""A match gives the same result in one run or several, in one process or more, and hides no failure."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.errors import GameError, PlywiseError
from plywise.game import Game
from plywise.games import ConnectFour, Nim, TicTacToe
from plywise.match import crew
from plywise.match.elo import SPRT
from tests.match.support import BorrowedChess, TrapNim


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")


def lines(file: Path) -> list[dict[str, Any]]:
    """The games in a file, without what a clock told."""
    games = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    for game in games:
        del game["seconds"], game["date"], game["check"]
    return games


def test_however_it_is_played_it_comes_out_the_same(tmp_path: Path) -> None:
    game = Nim((3, 4, 5))
    options: dict[str, Any] = {"random_plies": 2, "seed": 7}
    bots = ("engine,nodes=50", "random")
    whole = pw.match(game, *bots, games=8, out=tmp_path / "whole", **options)
    assert (whole.played, sum(whole.pairs)) == (8, 4)
    games = lines(tmp_path / "whole")
    assert [line["line"] for line in games] == list(range(1, 9))
    pw.match(game, *bots, games=5, out=tmp_path / "parts", **options)  # the fifth game is the first of a pair
    torn = (tmp_path / "parts").read_bytes()[:-20]
    (tmp_path / "parts").write_bytes(torn)
    standings: list[int] = []
    again = pw.match(
        game,
        *bots,
        games=8,
        out=tmp_path / "parts",
        concurrency=2,
        on_game=lambda s: standings.append(s.played),
        **options,
    )
    assert standings == [4, 5, 6, 7, 8]
    assert lines(tmp_path / "parts") == games
    assert again.to_json() | {"seconds": 0} == whole.to_json() | {"seconds": 0}
    pw.match(game, *bots, games=8, out=tmp_path / "other", **{**options, "seed": 8})
    assert lines(tmp_path / "other") != games


def test_openings_are_played_from_both_sides_in_an_order_of_the_seed(tmp_path: Path) -> None:
    (tmp_path / "book").write_text("# openings\n44\n45\n\n12\n")
    starts = {}
    for seed in range(4):
        out = tmp_path / str(seed)
        pw.match(ConnectFour(), "random", "random", games=8, openings=tmp_path / "book", seed=seed, out=out)
        games = lines(out)
        for one, other in zip(games[::2], games[1::2], strict=True):
            assert one["start"] == other["start"]
            assert (one["max"], other["max"]) == ("first", "second")
            assert one["moves"] != other["moves"]  # chances differ
        starts[seed] = [line["start"] for line in games[::2]]
        assert sorted(starts[seed][:3]) == ["12", "44", "45"]
        assert starts[seed][3] == starts[seed][0]
    assert len({tuple(order) for order in starts.values()}) > 1


def test_random_moves_at_the_beginning_are_the_same_in_both_games(tmp_path: Path) -> None:
    pw.match(TicTacToe(), "random", "random", games=6, random_plies=4, out=tmp_path / "out")
    books = [line["moves"].split()[: line["book"]] for line in lines(tmp_path / "out")]
    assert all(len(book) == 4 for book in books)
    assert books[0::2] == books[1::2]
    assert len({tuple(book) for book in books}) == 3


def test_a_better_bot_wins_and_the_test_stops_the_match(tmp_path: Path) -> None:
    ended = pw.match(Nim((3, 4, 5)), "engine,depth=4", "random", games=200, sprt=SPRT(0, 200), out=tmp_path / "out")
    assert ended.verdict == "H1"
    assert ended.played < 100
    assert ended.estimate.low > 0
    again = pw.match(Nim((3, 4, 5)), "engine,depth=4", "random", games=200, sprt=SPRT(0, 200), out=tmp_path / "out")
    assert again.played == ended.played


@pytest.mark.parametrize(
    ("trap", "reason", "detail"),
    [
        ("raise", "crash", "ZeroDivisionError: caught in a trap"),
        ("exit", "crash", "the process ended with exit code 3"),
        ("sleep", "time", "no answer 0.2 s after its time ran out"),
    ],
)
def test_who_fails_loses_with_the_reason(
    trap: str, reason: str, detail: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "PATIENCE", 0.2)
    limits = "seconds=0.2" if trap == "sleep" else "nodes=20"
    game = TrapNim((3, 4, 5), trap=trap)
    ended = pw.match(game, "random", f"engine,{limits}", games=4, concurrency=2, out=tmp_path / "out")
    assert ended.wins == 4
    assert [(fault["bot"], fault["reason"], fault["detail"]) for fault in ended.faults] == [
        ("second", reason, detail)
    ] * 4
    games = lines(tmp_path / "out")
    assert any(line["moves"] for line in games)
    for line in games:
        state = game.parse(line["start"])
        for text in line["moves"].split():  # what was played until then is known
            state = game.play(state, game.parse_move(state, text))
        assert state.turn == (0 if line["max"] == "second" else 1)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_game_whose_process_is_killed_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAP", str(tmp_path / "deaths"))
    for trap, faults in (("kill0", []), ("kill2", []), ("kill9", ["the process was killed by SIGKILL, 3 times"] * 2)):
        game = TrapNim((3, 4, 5), trap=trap)
        ended = pw.match(game, "random", "engine,nodes=20", games=2, out=tmp_path / trap)
        assert [fault["detail"] for fault in ended.faults] == faults
    assert (tmp_path / "deaths").read_text() == "x" * 8
    same = ("line", "moves", "score", "reason")
    undisturbed, disturbed = (
        [{name: line[name] for name in same} for line in lines(tmp_path / trap)] for trap in ("kill0", "kill2")
    )
    assert undisturbed == disturbed


def test_a_game_that_was_changed_in_the_file_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "out"
    pw.match(Nim((3, 4, 5)), "engine,depth=4", "random", games=4, out=file)
    before = lines(file)
    file.write_text(file.read_text().replace('"score": 1.0', '"score": 0.0', 1))
    again = pw.match(Nim((3, 4, 5)), "engine,depth=4", "random", games=4, out=file)
    assert again.damaged == 1
    assert lines(file) == before


class Wrong(Nim):
    """Nim with a mistake in its rules, which is no bot's fault."""

    def play(self, state: Any, move: int) -> Any:
        if sum(state.heaps) < 6:
            raise IndexError("wrong rules")
        return super().play(state, move)


def test_wrong_rules_end_the_match_with_one_message() -> None:
    with pytest.raises(GameError, match="IndexError: wrong rules"):
        pw.match(Wrong((3, 4, 5)), "random", "random", games=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games=0 must be"),
        ({"concurrency": 0}, "concurrency=0 must be"),
        ({"seed": -1}, "seed=-1 must be"),
        ({"random_plies": 50}, "the game always seems to end before that"),
        ({"record": "x.pgn"}, "Nim has no record format of its own"),
        ({"second": "engine"}, "needs a limit"),
        ({"second": "uci:stockfish,nodes=1"}, "play chess"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_written(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    given = {"first": "random", "second": "random", "games": 2, "out": tmp_path / "out", **options}
    with pytest.raises(PlywiseError) as caught:
        pw.match(Nim(), given.pop("first"), given.pop("second"), **given)
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3,4,5 max\n9,9,9 max\n", "book, line 2: '9,9,9 max' is not"),
        ("0,0,0 max", "line 1: the game is over"),
        ("# nothing", "contains no positions"),
    ],
)
def test_openings_that_are_none_are_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "book").write_text(text)
    with pytest.raises(PlywiseError) as caught:
        pw.match(Nim(), "random", "random", games=4, openings=tmp_path / "book")
    assert message in str(caught.value)


def test_a_file_of_another_match_is_not_touched(tmp_path: Path) -> None:
    out = tmp_path / "out"
    pw.match(Nim(), "random", "random", games=2, out=out)
    before = out.read_bytes()
    others: list[tuple[Nim, dict[str, Any], str]] = [
        (Nim(), {"seed": 1}, "seed is 0 there and 1 here"),
        (Nim((1, 2)), {}, "game is"),
    ]
    for game, options, difference in others:
        with pytest.raises(PlywiseError, match=difference):
            pw.match(game, "random", "random", games=2, out=out, **options)
    with pytest.raises(PlywiseError, match="second is 'random' there and 'random,name=x' here"):
        pw.match(Nim(), "random", "random,name=x", games=2, out=out)
    assert out.read_bytes() == before
    assert pw.match(Nim(), "random", "random,name=x", games=2, out=out, fresh=True).played == 2


def test_games_are_written_in_the_games_own_form(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    game: Game = BorrowedChess()
    mate = "7k/5ppp/8/8/8/8/8/R6K w - - 0 1"
    (tmp_path / "book").write_text(mate + "\n")
    options: dict[str, Any] = {"games": 2, "openings": tmp_path / "book", "out": tmp_path / "out"}
    pw.match(game, "alphabeta,depth=1,name=one", "alphabeta,depth=1,name=two", record=tmp_path / "pgn", **options)
    assert (tmp_path / "pgn").read_text() == "[White one] [Result 1-0] a1a8\n[White two] [Result 1-0] a1a8\n"


def test_the_openings_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, reads = importlib.import_module("plywise.match.match"), []

    def read(file: Path) -> bytes:
        reads.append(file)
        return b"12\n" if len(reads) == 1 else b"changed meanwhile"

    monkeypatch.setattr(module, "read_text_file", read)
    pw.match(ConnectFour(), "random", "random", games=2, openings=tmp_path / "book", out=tmp_path / "games")
    assert reads == [tmp_path / "book"]
