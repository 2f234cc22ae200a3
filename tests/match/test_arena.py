"""The umpire checks every move and result itself."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from plywise.errors import SearchError
from plywise.game import MAX, Game
from plywise.games import Nim, TicTacToe
from plywise.match.arena import Conditions, Decision, play_game
from plywise.match.bots import Bot, Choice, Turn
from plywise.match.time_control import UNLIMITED, Limits, TimeControl
from tests.match.support import RingWalk


class Scripted(Bot):
    """Plays what is written, or the first legal move."""

    def __init__(self, game: Game, texts: Sequence[str] = (), **answer: Any) -> None:
        self.game, self.texts, self.answer = game, list(texts), answer
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> Choice:
        self.turns.append(turn)
        if self.texts:
            return Choice(self.game.parse_move(turn.state, self.texts.pop(0)), **self.answer)
        return Choice(next(iter(self.game.moves(turn.state))), **self.answer)


class Failing(Bot):
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, turn: Turn) -> Choice:
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, float):
            time.sleep(self.answer)
            return Choice(next(iter(GAME.moves(turn.state))))
        return Choice(self.answer)


GAME = TicTacToe()
NO_LIMITS = (UNLIMITED, UNLIMITED)


def test_a_game_is_played_by_its_rules() -> None:
    bots = Scripted(GAME, ["a1", "b1", "c1"]), Scripted(GAME, ["a2", "b2"])
    played = play_game(GAME, bots, NO_LIMITS)
    assert (played.score, played.reason, len(played.moves)) == (1.0, "game over", 5)
    turn = bots[1].turns[1]
    assert (len(turn.states), len(turn.moves), turn.states[0]) == (4, 3, GAME.initial())


def test_the_book_is_played_first_and_from_the_start_position() -> None:
    start = GAME.parse("X../.../...")
    book = [GAME.parse_move(start, "b2")]
    bots = Scripted(GAME), Scripted(GAME)
    played = play_game(GAME, bots, NO_LIMITS, start=start, book=book)
    assert played.moves[:1] == book
    assert len(played.seconds) == len(played.moves) - 1
    assert bots[0].turns[0].states[0] == start


@pytest.mark.parametrize("culprit", [0, 1])
@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        (77, "illegal move", "77"),
        ("a1", "illegal move", "'a1'"),
        (ZeroDivisionError("oh"), "crash", "ZeroDivisionError: oh"),
        (None, "resignation", ""),
        (0.15, "time", "with 0.100 s allowed"),
    ],
)
def test_who_does_not_move_properly_loses(culprit: int, answer: Any, reason: str, detail: str) -> None:
    bots: list[Bot] = [Scripted(GAME), Scripted(GAME)]
    bots[culprit] = Failing(answer)
    limits = Limits(clock=TimeControl(0.1)) if isinstance(answer, float) else UNLIMITED
    played = play_game(GAME, bots, (limits, limits), Conditions(margin=0.02))
    assert (played.score, played.reason) == (float(culprit == 1), reason)
    assert detail in played.detail


def test_a_small_delay_is_forgiven() -> None:
    bots = Failing(0.03), Scripted(GAME)
    limits = Limits(seconds=0.01), UNLIMITED
    assert play_game(GAME, bots, limits, Conditions(margin=1.0)).reason != "time"
    assert play_game(GAME, bots, limits, Conditions(margin=0.0)).reason == "time"


@pytest.mark.parametrize("occurrences", [2, 3])
def test_repetitions_end_a_game_as_its_hooks_say(occurrences: int) -> None:
    game = RingWalk(occurrences)
    played = play_game(game, (Scripted(game), Scripted(game)), NO_LIMITS)
    assert (played.score, played.reason) == (1.0, "repetition")
    assert len(played.moves) == 4 * (occurrences - 1)


def test_a_game_that_is_too_long_is_a_draw() -> None:
    game = RingWalk(9)
    played = play_game(game, (Scripted(game), Scripted(game)), NO_LIMITS, Conditions(most_plies=5))
    assert (played.score, played.reason, len(played.moves)) == (0.5, "move limit", 5)


def test_the_umpire_decides_only_what_both_think_and_only_if_asked() -> None:
    game = Nim((20,))
    start = Conditions(resign=Decision(5, 2), draw=Decision(0.5, 2, 6))

    def play(mine: float | None, theirs: float | None, conditions: Conditions) -> tuple[float, str, int]:
        played = play_game(game, (Scripted(game, value=mine), Scripted(game, value=theirs)), NO_LIMITS, conditions)
        return played.score, played.reason, len(played.moves)

    assert play(6, 7, start) == (1.0, "resignation", 4)
    assert play(-6, -7, start) == (0.0, "resignation", 4)
    assert play(0, 0.5, start) == (0.5, "agreed draw", 6)
    assert play(6, -7, start)[1] == play(6, None, start)[1] == play(6, 7, Conditions())[1] == "game over"


def test_decisions_are_read() -> None:
    assert Decision.parse("10,8,40") == Decision(10, 8, 40)
    for wrong in ("", "5", "x,1", "5,0", "-1,3", "nan,3", "1,2,3,4"):
        with pytest.raises(SearchError):
            Decision.parse(wrong)


def test_who_is_to_move_is_told_before() -> None:
    heard: list[tuple[int, float | None, Any]] = []
    limits = Limits(seconds=5), UNLIMITED
    played = play_game(GAME, (Scripted(GAME), Scripted(GAME)), limits, on_turn=lambda *turn: heard.append(turn))
    assert heard[:2] == [(MAX, 5, ()), (1, None, (played.moves[0],))]
    assert len(heard) == len(played.moves)
