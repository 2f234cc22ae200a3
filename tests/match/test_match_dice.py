"""Matches with dice: both games of a pair have the same dice, and a game can be replayed from its record."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import pytest

import plywise as pw
from plywise.errors import GameError, SearchError
from plywise.games import Backgammon, Pig, Tree
from plywise.layers import CHANCE
from plywise.match.arena import play_game
from plywise.match.bots import BotSpec
from plywise.match.dice import Dice, after_rolls, by_chance
from plywise.match.match import _random_moves
from plywise.match.time_control import UNLIMITED
from tests.die import RightDie, Rolled
from tests.match.test_match import lines

PIG = Pig(12)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")


def rolls(game: pw.Game, line: dict[str, Any]) -> list[int]:
    """What chance did in a recorded game after its book, which must be what its dice say."""
    state, found = game.parse(line["start"]), list[int]()
    for number, text in enumerate(line["moves"].split()):
        move = game.parse_move(state, text)
        if game.to_move(state) == CHANCE and number >= line["book"]:
            assert move == Dice(line["dice"]).roll(game, state, len(found))
            found.append(move)
        state = game.play(state, move)
    return found


@pytest.mark.parametrize("game", [PIG, RightDie(6), Backgammon()], ids=repr)
def test_both_games_of_a_pair_have_the_same_dice_and_can_be_replayed(tmp_path: Path, game: pw.Game) -> None:
    pw.match(game, "random", "random", games=6, seed=3, random_plies=2, out=tmp_path / "games")
    games = lines(tmp_path / "games")
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one["dice"] == other["dice"]
        assert one["moves"].split()[: one["book"]] == other["moves"].split()[: other["book"]]
        first, second = rolls(game, one), rolls(game, other)
        assert first[: len(second)] == second[: len(first)]
    assert len({line["dice"] for line in games}) == 3


def test_however_it_is_played_it_comes_out_the_same(tmp_path: Path) -> None:
    options: dict[str, Any] = {"random_plies": 1, "seed": 7}
    bots = ("star2,depth=2", "mcts,nodes=60")
    whole = pw.match(PIG, *bots, games=8, out=tmp_path / "whole", **options)
    pw.match(PIG, *bots, games=4, out=tmp_path / "parts", **options)
    again = pw.match(PIG, *bots, games=8, out=tmp_path / "parts", concurrency=2, **options)
    assert lines(tmp_path / "parts") == lines(tmp_path / "whole")
    assert again.to_json() | {"seconds": 0} == whole.to_json() | {"seconds": 0}
    pw.match(PIG, *bots, games=8, out=tmp_path / "other", **{**options, "seed": 8})
    assert lines(tmp_path / "other") != lines(tmp_path / "whole")


@pytest.mark.parametrize("bot", ["engine,depth=3", "star2,depth=3", "star1,depth=2", "mcts,nodes=300"])
def test_bots_that_search_beat_random_moves(bot: str) -> None:
    ended = pw.match(RightDie(6), bot, "random", games=20)
    assert not ended.faults
    assert ended.mean is not None
    assert ended.mean > 0


def test_scores_beyond_a_win_count_as_a_win_and_in_the_mean(tmp_path: Path) -> None:
    ended = pw.match(Backgammon(), "random", "random", games=12, seed=1, out=tmp_path / "games")
    games = lines(tmp_path / "games")
    points = [line["points"] for line in games]
    assert {abs(each) for each in points} <= {1, 2, 3}
    assert max(map(abs, points)) > 1
    assert [line["score"] for line in games] == [float(each > 0) for each in points]
    assert ended.mean == pytest.approx(sum(points) / 12)
    assert ended.to_json()["mean"] == ended.mean


def test_random_openings_roll_by_the_probabilities() -> None:
    loaded = Tree.from_json({"player": "chance", "probabilities": [0.9, 0.1], "children": [
        {"player": "max", "children": [1, 2]}, {"player": "max", "children": [3, 4]}]})  # fmt: skip
    luck = random.Random(1)
    found = Counter(_random_moves(loaded, loaded.initial(), 1, luck)[0] for _ in range(1000))
    assert found[1] == pytest.approx(100, abs=40)


def test_a_game_without_dice_has_none_in_its_record(tmp_path: Path) -> None:
    ended = pw.match(pw.games.Nim((1, 2)), "random", "random", games=2, out=tmp_path / "games")
    assert ended.mean is None
    assert "mean" not in ended.to_json()
    assert not {"dice", "points"} & set(lines(tmp_path / "games")[0])


def test_the_umpire_needs_dice() -> None:
    bots = [BotSpec.parse("random").make(PIG)] * 2
    with pytest.raises(SearchError, match=r"Pig\(goal=12\) needs dice="):
        play_game(PIG, bots, [UNLIMITED] * 2)
    heard: list[Any] = []
    played = play_game(PIG, bots, [UNLIMITED] * 2, dice=Dice(1), on_turn=lambda *turn: heard.append(turn[2]))
    told = [move for moves in heard for move in moves]
    assert told == played.moves[: len(told)]
    assert len(played.moves) - len(told) <= 2  # the last move and the last roll


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("uci:stockfish,depth=1", r"uci:stockfish cannot play Pig\(goal=12\): uci has no dice"),
        ("alphabeta,depth=1", "alphabeta is for games without chance"),
    ],
)
def test_what_cannot_play_with_dice_says_so(bot: str, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        pw.match(PIG, bot, "random", games=2)


class FairDie(RightDie):
    """All numbers are equally likely."""

    def probability(self, state, move):
        return 1 / 3


def test_two_evaluations_need_the_same_probabilities() -> None:
    with pytest.raises(GameError, match="the same rules, but probability"):
        pw.match(RightDie(2), "random", "random", games=2, rival=FairDie(2))
    pw.match(RightDie(2), "random", "random", games=2, rival=RightDie(2))


class DeadlyDie(RightDie):
    """A bot that evaluates late in the game takes its process with it."""

    INTERPRETED_ONLY: ClassVar[bool] = True

    def evaluate(self, state: Rolled) -> int:
        if state.left < self.rounds - 2:
            os._exit(3)
        return 0


def test_the_record_of_a_crash_has_all_moves_and_rolls(tmp_path: Path) -> None:
    game = DeadlyDie(6)
    ended = pw.match(game, "star2,depth=1", "random", games=2, out=tmp_path / "games")
    assert [fault["bot"] for fault in ended.faults] == ["first", "first"]
    for line in lines(tmp_path / "games"):
        assert line["points"] is None
        assert len(rolls(game, line)) >= 2
        assert line["detail"] == "the process ended with exit code 3"


def test_rolls_end_where_a_player_moves() -> None:
    assert not by_chance(PIG, PIG.initial())
    state = after_rolls(Backgammon(), Backgammon().initial())
    assert Backgammon().to_move(state) in (pw.MAX, pw.MIN)
    over = Tree.from_json({"player": "chance", "children": [1, 2]})
    assert over.is_terminal(after_rolls(over, over.initial()))
