"""UCI and xboard programs play like other bots, and are blamed for their own failures."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import plywise as pw
from plywise.errors import GameError, SearchError
from plywise.games import ConnectFour
from plywise.match.arena import Conditions, play_game
from plywise.match.bots import BotSpec, NoContest
from plywise.match.external import ExternalBot
from tests.match.support import FEN, BorrowedChess, program

pytest.importorskip("chess")

SHORT = Conditions(most_plies=12)


def test_two_programs_play_a_game() -> None:
    game = BorrowedChess()
    specs = [
        BotSpec.parse(f"uci:{program('uci')},clock=10+0.1"),
        BotSpec.parse(f"xboard:{program('xboard')},clock=10+0.1"),
    ]
    bots = [spec.make(game) for spec in specs]
    try:
        played = play_game(game, bots, [spec.limits for spec in specs])
    finally:
        for bot in bots:
            bot.close()
    assert (played.score, played.reason) == (1.0, "resignation")
    assert len(played.moves) == 9
    assert played.values[0] == 25
    state = game.initial()
    for ply, move in enumerate(played.moves):
        legal = sorted(game.format_move(state, other) for other in game.moves(state))
        assert game.format_move(state, move) == legal[0 if ply % 2 == 0 else -1]
        state = game.play(state, move)


def test_a_match_of_programs_with_other_limits_each() -> None:
    bots = f"uci:{program('uci')},depth=3", f"xboard:{program('xboard')},clock=10+0.1,name=last"
    ended = pw.match(BorrowedChess(), *bots, games=2)
    assert (ended.wins, ended.faults, dict(ended.reasons)) == (2, [], {"resignation": 2})


@pytest.mark.parametrize(
    ("misbehaviour", "reason", "detail"),
    [("die", "crash", "EngineTerminatedError"), ("cheat", "illegal move", "e1e8"), ("dawdle", "time", "s for a move")],
)
def test_their_failures_cost_them_the_game(misbehaviour: str, reason: str, detail: str, tmp_path: Path) -> None:
    bot = f"uci:{program('uci', misbehaviour)},{'seconds=0.2' if misbehaviour == 'dawdle' else 'nodes=5'}"
    ended = pw.match(BorrowedChess(), bot, "random", games=2, out=tmp_path / "out", conditions=SHORT)
    assert ended.losses == 2
    assert [(fault["bot"], fault["reason"]) for fault in ended.faults] == [("first", reason)] * 2
    assert all(detail in fault["detail"] for fault in ended.faults)
    games = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()[1:]]
    assert [len(game["moves"].split()) for game in games] == [4, 5]


def test_a_failure_of_the_client_is_nobodys_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = BotSpec.parse(f"uci:{program('uci')},nodes=5")
    bot = spec.make(BorrowedChess())
    assert isinstance(bot, ExternalBot)

    def fail(*_: object, **__: object) -> None:
        raise TypeError("of the client's own making")

    monkeypatch.setattr(bot.engine, "play", fail)
    try:
        with pytest.raises(NoContest, match=r"which is not at fault: TypeError: of the client's own making"):
            play_game(BorrowedChess(), [bot, bot], [spec.limits] * 2)
    finally:
        bot.close()


class Illegible(BorrowedChess):
    """Chess whose moves cannot be written any more after a while."""

    def format_move(self, state: FEN, move: int) -> str:
        if state.text.endswith(" 2"):
            raise TypeError("illegible")
        return super().format_move(state, move)


def test_it_ends_the_match_with_what_was_played_before(tmp_path: Path) -> None:
    bot = f"uci:{program('uci')},nodes=5"
    with pytest.raises(GameError, match="TypeError: illegible"):
        pw.match(Illegible(), bot, "random", games=2, out=tmp_path / "out")
    assert len((tmp_path / "out").read_text().splitlines()) == 1  # that says what match it is


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_who_thinks_elsewhere_has_not_lost_when_our_process_dies() -> None:
    with pytest.raises(GameError, match=r"the process was killed by SIGKILL, 3 times; this is not the program's fault"):
        pw.match(BorrowedChess(), f"uci:{program('uci', 'kill')},nodes=5", "random", games=2)


def test_a_limit_in_nodes_that_cannot_be_told_is_refused() -> None:
    for command, limits, message in (
        (program("xboard", "nps=0"), "nodes=5", "does not support a node limit"),
        (program("xboard"), "nodes=5,clock=10", "xboard allows only one"),
    ):
        with pytest.raises(SearchError, match=message):
            BotSpec.parse(f"xboard:{command},{limits}").make(BorrowedChess())


def test_options_reach_the_program_or_are_refused() -> None:
    command = program("uci")
    BotSpec.parse(f"uci:{command},Skill=3,Style=wild,Own Book=off,nodes=1").make(BorrowedChess()).close()
    for options, message in (
        ("Skill=99", "at most 9"),
        ("Style=mad", "available: calm, wild"),
        ("Depth=1", "not support"),
    ):
        with pytest.raises(SearchError, match=message):
            BotSpec.parse(f"uci:{command},{options},nodes=1").make(BorrowedChess())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program", "there is no program 'no-such-program': install it, or write its whole path"),
        ("/", "'/' failed to start as a uci program: Permission denied"),
        ("true", "failed to start as a uci program"),
        ("stockfish 'x", "failed to start as a uci program: No closing quotation"),
    ],
)
def test_a_program_that_does_not_start_is_one_message(command: str, message: str) -> None:
    with pytest.raises(SearchError) as caught:
        BotSpec.parse(f"uci:{command},nodes=1").make(BorrowedChess())
    assert message in str(caught.value)


def test_other_games_are_not_for_chess_programs() -> None:
    with pytest.raises(SearchError, match="play chess"):
        BotSpec.parse(f"uci:{program('uci')},nodes=1").make(ConnectFour())
