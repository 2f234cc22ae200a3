"""GTP programs play like other bots, and are blamed for their own failures."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

import plywise as pw
from plywise.errors import SearchError
from plywise.games import ConnectFour, Go, Othello, Pig
from plywise.match import gtp_program
from plywise.match.arena import play_game
from plywise.match.bots import BotSpec, NoContest
from plywise.match.gtp_program import GtpFailure, GtpProgram
from plywise.match.time_control import Limits
from tests.match.support import program

GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")


def heard(tmp_path: Path, limits: str = "", start: str | None = None) -> tuple[list[str], list[str]]:
    """What a program hears in a game against a random mover, and the moves of the game."""
    game, file = Go(3, komi=0.5), tmp_path / "heard"
    spec = BotSpec.parse(f"gtp:{program('gtp', 'obey', str(file))}{limits}")
    bots = [spec.make(game), BotSpec.parse("random").make(game)]
    state = None if start is None else game.parse(start)
    try:
        for bot in bots:
            bot.warm_up(game.initial() if state is None else state, spec.limits)
            bot.new_game(1)
        file.unlink()
        played = play_game(game, bots, [spec.limits, Limits()], start=state)
    finally:
        for bot in bots:
            bot.close()
    at, names = state or game.initial(), []
    for move in played.moves:
        names.append(game.format_move(at, move))
        at = game.play(at, move)
    return file.read_text().splitlines(), names


def test_it_hears_board_komi_and_moves(tmp_path: Path) -> None:
    lines, moves = heard(tmp_path)
    assert lines[:4] == ["boardsize 3", "clear_board", "komi 0.5", "genmove black"]
    assert lines[4:6] == [f"play white {moves[1]}", "genmove black"]
    assert lines[-1] == "quit"
    assert moves[0] == "A1"


def test_it_hears_the_stones_of_another_start(tmp_path: Path) -> None:
    lines, _ = heard(tmp_path, start="X.O/.../... black")
    assert lines[3:6] == ["play black A3", "play white C3", "genmove black"]


def test_other_starts_are_refused_in_games_where_a_move_does_more_than_place_a_stone() -> None:
    game = Othello()
    bot = BotSpec.parse(f"gtp:{program('gtp')}").make(game)
    try:
        start = game.play(game.initial(), next(iter(game.moves(game.initial()))))
        bot.warm_up(start, Limits())  # it may be the position after an opening from the usual start
        with pytest.raises(NoContest, match=r"GTP can set up a position only in games with komi, like Go"):
            play_game(game, [bot, bot], [Limits()] * 2, start=start)
    finally:
        bot.close()


@pytest.mark.parametrize(
    ("limits", "lines"),
    [
        (",seconds=5", ["time_settings 0 5 1", "genmove black"]),
        (",clock=1:00+1", ["time_settings 60 0 0", "time_left black 60 0", "genmove black"]),
        (",clock=10/1:00", ["time_settings 0 60 10", "time_left black 60 10", "genmove black"]),
    ],
)
def test_it_hears_the_clock(limits: str, lines: list[str], tmp_path: Path) -> None:
    assert heard(tmp_path, limits)[0][3 : 3 + len(lines)] == lines


@pytest.mark.parametrize(
    ("misbehaviour", "reason", "detail"),
    [
        ("die", "crash", "it exited during 'genmove black'"),
        ("refuse", "crash", "it refused 'genmove black': 'no idea'"),
        ("cheat", "illegal move", "Z99"),
        ("dawdle", "time", "s for a move"),
        ("resign", "resignation", ""),
    ],
)
def test_their_failures_cost_them_the_game(misbehaviour: str, reason: str, detail: str) -> None:
    limits = Limits(seconds=0.3 if misbehaviour == "dawdle" else 60)
    game = Go(3)
    bots = [BotSpec.parse(f"gtp:{program('gtp', misbehaviour)}", limits).make(game), BotSpec.parse("random").make(game)]
    try:
        played = play_game(game, bots, [limits, Limits()])
    finally:
        bots[0].close()
    assert (played.score, played.reason) == (0.0, reason)
    assert detail in played.detail


def test_a_match_with_a_program() -> None:
    ended = pw.match(Go(3, komi=0), f"gtp:{program('gtp')}", "random", games=2)
    assert (ended.played, ended.faults) == (2, [])


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program", "there is no program 'no-such-program': install it, or write its whole path"),
        ("/", "'/' failed to start as a gtp program: Permission denied"),
        ("true", "failed to get ready as a gtp program: it exited"),
        (program("gtp", "old"), "its protocol_version is not 2"),
        (program("gtp", "small"), "it refused 'boardsize 9': 'unacceptable size'"),
    ],
)
def test_a_program_that_does_not_get_ready_is_one_message(command: str, message: str) -> None:
    game = Go()
    with pytest.raises(SearchError) as caught:
        BotSpec.parse(f"gtp:{command}").make(game).warm_up(game.initial(), Limits())
    assert message in str(caught.value)


@pytest.mark.skipif(shutil.which("yes") is None, reason="there is no program 'yes'")
@pytest.mark.parametrize(
    ("command", "message"),
    [("yes", "it did not answer 'name' in time"), ("yes =", "its answer to 'name' has more than 10,000 lines")],
)
def test_a_program_that_keeps_printing_is_not_waited_for(
    command: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gtp_program, "FAREWELL", 0.1)
    printing = GtpProgram(command)
    begun = time.monotonic()
    try:
        with pytest.raises(GtpFailure, match=message):
            printing.ask("name", 0.3 if command == "yes" else 60.0)
        assert printing.lines.qsize() <= gtp_program.MOST_LINES
    finally:
        printing.close()
    assert time.monotonic() - begun < 60
    printing.listener.join(60)
    assert not printing.listener.is_alive()


@pytest.mark.parametrize(
    ("bot", "game", "message"),
    [
        ("gtp:", Go(), "needs a program, such as gtp:gnugo --mode gtp"),
        ("gtp:gnugo 'x", Go(), '"gnugo \'x" failed to start as a gtp program: No closing quotation'),
        ("gtp:true,nodes=5", Go(), "GTP has no such limits"),
        ("gtp:true,level=5", Go(), "cannot have level=: write its options into the command"),
        ("gtp:true", ConnectFour(), "does not name its moves by the points of a board"),
        ("gtp:true", Pig(), "gtp has no dice"),
    ],
)
def test_what_gtp_cannot_say_is_refused(bot: str, game: pw.Game, message: str) -> None:
    with pytest.raises(SearchError) as caught:
        BotSpec.parse(bot).make(game)
    assert message in str(caught.value)


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")
def test_gnu_go_plays_a_game() -> None:
    game = Go(5)
    command = f"gtp:{GNUGO} --mode gtp --level 1 --chinese-rules --capture-all-dead"
    bots = [BotSpec.parse(command).make(game), BotSpec.parse("random").make(game)]
    try:
        played = play_game(game, bots, [Limits()] * 2)
    finally:
        bots[0].close()
    assert (played.score, played.reason) == (1.0, "game over")
