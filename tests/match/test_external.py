"""Programs that speak UCI and xboard play as other bots do, and their failures are theirs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plywise as pw
from plywise.errors import SearchError
from plywise.games import ConnectFour
from plywise.match.arena import Conditions, play_game
from plywise.match.bots import BotSpec
from tests.match.support import BorrowedChess, program

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
    [("no-such-program", "'no-such-program' does not start"), ("true", "does not start as a uci program")],
)
def test_a_program_that_does_not_start_is_one_message(command: str, message: str) -> None:
    with pytest.raises(SearchError) as caught:
        BotSpec.parse(f"uci:{command},nodes=1").make(BorrowedChess())
    assert message in str(caught.value)


def test_other_games_are_not_for_chess_programs() -> None:
    with pytest.raises(SearchError, match="play chess"):
        BotSpec.parse(f"uci:{program('uci')},nodes=1").make(ConnectFour())
