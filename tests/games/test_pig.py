"""Pig: the rules, and the value of small games by value iteration."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.games import Pig
from plywise.games.pig import ROLL, Totals
from plywise.study.check import check_game
from tests.games.support import check_chance, check_texts, compiled, digest


def first_player_wins(goal: int) -> float:
    """The probability that the first player wins, after Neller and Presser: equations in the totals and the pot alone.

    ``wins[mine, theirs, pot]`` belongs to the player to move.  Each is improved from the others until nothing changes.
    """
    wins = {(i, j, k): 0.5 for i in range(goal) for j in range(goal) for k in range(goal - i)}

    def lost(mine: int, theirs: int) -> float:
        return 1 - wins[theirs, mine, 0]

    def reached(mine: int, theirs: int, pot: int) -> float:
        return 1.0 if mine + pot >= goal else wins[mine, theirs, pot]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (mine, theirs, pot), before in wins.items():
            going_on = sum(reached(mine, theirs, pot + number) for number in range(2, 7))
            roll = (lost(mine, theirs) + going_on) / 6
            hold = lost(mine + pot, theirs) if pot else 0.0
            wins[mine, theirs, pot] = max(roll, hold)
            change = max(change, abs(wins[mine, theirs, pot] - before))
    return wins[0, 0, 0]


def positions(game: Pig) -> set[Totals]:
    """All positions that can be reached."""
    seen = {game.initial()}
    for state in (waiting := list(seen)):
        fresh = {game.play(state, move) for move in game.moves(state)} - seen
        seen |= fresh
        waiting += fresh
    return seen


def value_by_iteration(game: Pig) -> float:
    """The value of the initial position by value iteration over all positions, from the rules of the game alone."""
    values = dict.fromkeys(positions(game), 0.0)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state, before in values.items():
            below = [values[game.play(state, move)] for move in game.moves(state)]
            if game.is_terminal(state):
                now = float(game.score(state))
            elif game.to_move(state) == pw.CHANCE:
                chances = [game.probability(state, move) for move in game.moves(state)]
                now = sum(chance * value for chance, value in zip(chances, below, strict=True))
            else:
                now = max(below) if game.to_move(state) == pw.MAX else min(below)
            values[state] = now
            change = max(change, abs(now - before))
    return values[game.initial()]


@pytest.mark.parametrize("goal", [1, 2, 5, 9])
def test_the_value_is_that_of_neller_and_pressers_equations(goal: int) -> None:
    assert value_by_iteration(Pig(goal)) == pytest.approx(2 * first_player_wins(goal) - 1, abs=1e-10)


def test_a_goal_of_two_is_reached_by_whoever_first_rolls_no_one() -> None:
    assert first_player_wins(2) == pytest.approx(6 / 7)  # 5/6 + 1/36 of the same


def test_all_positions_of_small_games_are_known() -> None:
    assert len(positions(Pig(10))) == 2304
    assert len(positions(Pig(1))) == 14  # either player decides, rolls, or wins with a pot of 2, 3, 4, 5 or 6


def test_positions_recur_and_that_is_no_mistake() -> None:
    game = Pig()
    state = game.initial()
    for _ in range(2):
        state = game.play(game.play(state, ROLL), 1)
    assert state == game.initial()
    with pw.interpreted():
        assert "reversible" not in [finding.rule for finding in check_game(game, games=5).findings]


def test_a_one_loses_the_pot_and_holding_keeps_it() -> None:
    game = Pig()
    state = game.parse("10-20 max 7")
    assert game.format(game.play(state, 1)) == "17-20 min 0"
    rolling = game.play(state, 0)
    assert game.to_move(rolling) == pw.CHANCE
    assert game.format(game.play(rolling, 1)) == "10-20 min 0"
    assert game.format(game.play(rolling, 6)) == "10-20 max 13"


def test_a_turn_begins_with_a_roll() -> None:
    game = Pig()
    assert [game.format_move(game.initial(), move) for move in game.moves(game.initial())] == ["roll"]


def test_the_goal_wins_without_holding() -> None:
    game = Pig(20)
    state = game.parse("10-15 min 5")
    assert game.is_terminal(state)
    assert game.score(state) == -1
    assert list(game.moves(state)) == []


@pytest.mark.parametrize("goal", [1, 20, 100])
def test_compiled_and_interpreted_rules_agree(goal: int) -> None:
    game = Pig(goal)
    assert compiled(digest, game, game.initial(), 7) == pytest.approx(digest(game, game.initial(), 7))


@given(st.sampled_from([Pig(), Pig(1), Pig(33)]), st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(game: Pig, seed: int) -> None:
    check_texts(game, seed)


def test_outcomes_are_possible_and_certain_together() -> None:
    check_chance(Pig(), random.Random(4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it needs the points of Max and Min, whose turn it is, the points of the turn"),
        ("3-4 white", "such as 34-20 min 12"),
        ("3-4 max -2", "such as 34-20 min 12"),
        ("3-4 max 2 rolled", "such as 34-20 min 12"),
        ("100-4 max 2", "nobody keeps 100 points or more"),
        ("3-4 max 1", "no turn brings 1 points"),
        ("3-4 max 103", "no turn brings 103 points to a player who has 3"),
        ("3-4 max 97 rolling", "100 points end the game, so the die is not thrown"),
        ("34-20 min 100 rolling", "no turn brings 100 points to a player who has 20, when the game is to 100"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        Pig().parse(text)


@pytest.mark.parametrize("goal", [0, -5, 1001])
def test_a_goal_that_makes_no_sense_is_refused(goal: int) -> None:
    with pytest.raises(pw.GameError, match="the goal must be a whole number from 1 to 1,000"):
        Pig(goal)
