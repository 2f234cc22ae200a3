"""Reviews: every blunder is found, nothing good is blamed, and what was best is what the oracle says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import plywise as pw
from plywise.errors import SearchError
from plywise.game import Game
from plywise.games import Chess, ConnectFour, DogCatMouse, Kalah, Othello, Pig, TicTacToe, Yahtzee
from plywise.study.review import Reviewed, expected_curve, review, tallies
from tests.oracle import value_of


def reviewed(game: Game, texts: Sequence[str], start: str | None = None, **limits: Any) -> dict[int, Reviewed]:
    """Review a game, given by the texts of its moves; returns its positions by ply."""
    engine = pw.Engine(game, table_mb=1)
    state = first = game.initial() if start is None else game.parse(start)
    moves = []
    for text in texts:
        moves.append(game.parse_move(state, text))
        state = game.play(state, moves[-1])

    def search(ply: int, states: Sequence[Any]) -> pw.Result:
        return engine.search(states[-1], history=states[:-1], **limits)

    with pw.interpreted():
        return {each.ply: each for each in review(game, first, moves, search)}


def test_a_game_with_a_missed_draw_and_a_missed_win() -> None:
    """X opens in a corner, O beside it loses, and X gives the win away."""
    game = TicTacToe()
    found = reviewed(game, ["a1", "b1", "c3", "b2"], nodes=10_000)
    assert list(found) == [4, 3, 2, 1, 0]
    assert [found[ply].verdict for ply in range(5)] == [None, "missed draw", "missed win", None, None]
    assert found[1].comment.startswith("Missed draw: X now wins. Best was ")
    assert found[2].comment.startswith("Missed win: it is now a draw. Best was ")
    assert [found[ply].outcome for ply in range(5)] == [0, 0, 1, 0, 0]


def test_a_win_that_becomes_a_loss_is_a_blunder() -> None:
    found = reviewed(TicTacToe(), ["a1", "c3"], start="XX./OO./...", nodes=1000)
    assert found[0].verdict == "blunder"
    assert found[0].comment == "Blunder: O now wins. Best was c3 (+1)."
    assert found[0].loss == 1
    assert found[1].verdict == "missed win"
    assert found[1].comment == "Missed win: it is now a draw. Best was c2 (-1)."


def test_a_lost_position_cannot_get_worse_and_the_end_tells_who_won() -> None:
    lost = reviewed(TicTacToe(), ["a1", "c2"], start="XX./OO./...", nodes=1000)
    assert lost[2].text == "O wins."
    assert lost[2].best is lost[2].played is None
    assert lost[1].verdict is None
    assert lost[1].comment == ""


@pytest.mark.parametrize("seed", range(5))
def test_best_and_values_are_the_oracles_and_verdicts_follow_from_them(seed: int) -> None:
    game, chance = TicTacToe(), random.Random(seed)
    state, texts = game.initial(), []
    while not game.is_terminal(state):
        move = chance.choice(list(game.moves(state)))
        texts.append(game.format_move(state, move))
        state = game.play(state, move)
    found = reviewed(game, texts, nodes=100_000)
    for ply, each in found.items():
        assert each.value == each.outcome == value_of(game, each.state)
        if each.best is None:
            continue
        assert value_of(game, game.play(each.state, each.best)) == each.value
        lost = each.value != found[ply + 1].value
        assert (each.verdict is not None) == lost
        assert bool(each.comment) == lost


def test_connect_four() -> None:
    """O lets X have three in a row with both ends open, and X does not take the win."""
    found = reviewed(ConnectFour(), ["4", "1", "3", "1", "1", "5"], nodes=1500)
    assert found[3].verdict in ("blunder", "missed draw")
    assert found[3].comment.split(":")[1].startswith(" X now wins. Best was ")
    assert found[4].verdict in ("missed win", "blunder")
    assert found[0].verdict is None


def test_a_hung_queen_and_a_missed_mate() -> None:
    """White gives the queen for a pawn; elsewhere, Black overlooks the scholar's mate, and White misses it."""
    start = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1"
    hung = reviewed(Chess(), ["h5h7"], start=start, depth=2, exact=False)
    assert hung[0].verdict == "blunder"
    assert hung[0].comment.startswith("Blunder: ")
    assert " became -" in hung[0].comment
    mate = reviewed(
        Chess(), ["g8f6", "c4f7"], start="r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 1", depth=3,
        exact=False,
    )  # fmt: skip
    assert mate[0].verdict == "blunder"
    assert mate[0].comment.startswith("Blunder: White now wins. Best was ")
    assert mate[1].verdict == "missed win"
    assert mate[1].comment.endswith("Best was Qxf7# (White mates in 1).")


def test_players_who_move_twice_and_points_have_the_right_signs() -> None:
    game = Kalah(3, 2)
    state, texts, chance = game.initial(), [], random.Random(3)
    while not game.is_terminal(state):
        move = chance.choice(list(game.moves(state)))
        texts.append(game.format_move(state, move))
        state = game.play(state, move)
    found = reviewed(game, texts, nodes=50_000)
    known = {each.ply: each for each in found.values() if each.outcome is not None}
    assert len(known) > 3
    for ply, each in known.items():
        if ply + 1 not in known:
            continue
        turn = pw.game.sign(game.to_move(each.state))
        if turn * known[ply + 1].outcome < turn * each.outcome:
            assert each.verdict in ("missed win", "missed draw", "blunder")
        else:
            assert each.verdict is None


def test_rolls_are_not_judged() -> None:
    game = Pig(10)
    found = reviewed(game, ["roll", "3", "hold", "roll", "1"], depth=3)
    assert [ply for ply, each in found.items() if each.best is None] == [4, 1]
    assert found[1].verdict is found[4].verdict is None


def test_only_two_players_against_each_other_are_reviewed() -> None:
    for game in (DogCatMouse(), Yahtzee(players=1)):
        with pytest.raises(SearchError, match="a review is for two players whose scores sum to zero"):
            next(review(game, game.initial(), [], pytest.fail))  # type: ignore[arg-type]


def test_expected_scores_grow_with_the_value_and_are_even_at_zero() -> None:
    for game in (Chess(), ConnectFour(), Othello(6), TicTacToe(), Pig()):
        curve = expected_curve(game)
        values = [curve(value / 10) for value in range(-30, 31)]
        assert values == sorted(values)
        assert curve(0) == 0.5
        assert all(value is not None and 0 <= value <= 1 for value in values)
    assert expected_curve(Pig())(0.5) == 0.75  # an average of wins and losses
    assert expected_curve(pw.games.Checkers())(100) is None  # its evaluation has no scale without the network
    network = pw.Engine(pw.games.Checkers()).network
    assert 0.5 < (expected_curve(pw.games.Checkers(), network)(100) or 0) < 1


def test_the_tally_counts_each_players_moves() -> None:
    found = reviewed(TicTacToe(), ["a1", "b1", "c3"], nodes=10_000)
    first, second = tallies(TicTacToe(), found.values())
    assert (first.player, first.moves, first.verdicts) == ("X", 2, {"missed win": 1})
    assert (second.player, second.moves, second.verdicts) == ("O", 1, {"missed draw": 1})
    assert (first.loss, second.loss, second.best) == (0.25, 0.5, 0)
