"""Go: the rules beside OpenSpiel's, the known values of small boards, and what the board shows."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.compiling.native_types import native_type
from plywise.games import Go
from tests.games.support import compiled, digest, random_game

DATA = Path(__file__).parents[4] / "shared" / "data" / "known_values.json"
SIZES = [(2, 2), (3, 4), (7, 7), (9, 9), (5, 19), (19, 19)]
"""One word and more, whole ones and not."""


def legal(game: Go, state: Any) -> list[str]:
    return [game.format_move(state, move) for move in game.moves(state)]


@pytest.mark.parametrize(
    ("rows", "move", "after"),
    [
        ("O../.../... black", "A2", "O../X../... white A2"),  # a liberty is left
        ("XO./.X./... white", "A2", ".O./OX./... black A2"),  # a stone in the corner
        ("XX./OO./... white", "C3", "..O/OO./... black C3"),  # a pair
        (".XO/XO./XXO black", "C2", ".X./X.X/XX. white C2"),  # two groups at once
    ],
)
def test_stones_without_liberties_are_captured(rows: str, move: str, after: str) -> None:
    game = Go(3)
    state = game.parse(rows)
    assert game.format(game.play(state, game.parse_move(state, move))) == after


def test_suicide_is_forbidden_and_capturing_is_not() -> None:
    game = Go(4)
    assert legal(game, game.parse(".O../O.../..../.... black"))[0] == "C4"
    assert legal(game, game.parse(".OX./OX../X.../.... black"))[0] == "A4"  # it captures both


def test_a_ko_is_not_retaken_at_once() -> None:
    game = Go(4)
    state = game.parse(".XO./X.XO/.XO./.... white")
    taken = game.play(state, game.parse_move(state, "B3"))
    assert game.format(taken) == ".XO./XO.O/.XO./.... black B3 ko C3"
    assert list(game.marked(taken)) == [6]
    assert "C3" not in legal(game, taken)
    elsewhere = game.play(game.play(taken, game.parse_move(taken, "D1")), game.size)
    assert "C3" in legal(game, elsewhere)


def test_taking_two_stones_is_no_ko() -> None:
    game = Go(4)
    state = game.parse(".XXO/XOO./.XXO/.... black")
    assert game.play(state, game.parse_move(state, "D3")).ko == -1


def test_two_passes_end_the_game_and_the_area_counts() -> None:
    game = Go(4, komi=0)
    end = game.parse(".X.O/.XOO/.XO./.XO. black pass pass")
    assert game.is_terminal(end)
    assert legal(game, end) == []
    assert game.score(end) == 8 - 7  # one point is nobody's
    assert Go(4, komi=7).score(end) == -6
    assert Go(5).score(Go(5).parse("pass pass")) == -7
    assert game.score_text(-6) == "White by 6"


@pytest.mark.parametrize(("size", "positions"), [(5, 400), (9, 200), (19, 100)])
def test_legal_moves_and_winners_are_those_of_openspiel(size: int, positions: int) -> None:
    """In random games; 20,000 positions have been compared.  OpenSpiel's game also ends when a position recurs."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra bench")
    game, theirs = Go(size), pyspiel.load_game(f"go(board_size={size},komi=7.0)")
    chance, seen = random.Random(size), 0
    while seen < positions:
        state, other = game.initial(), theirs.new_initial_state()
        while not other.is_terminal():
            actions = {other.action_to_string(action).split()[1].upper(): action for action in other.legal_actions()}
            moves = {game.format_move(state, move).upper(): move for move in game.moves(state)}
            assert actions.keys() == moves.keys(), state
            seen += 1
            name = chance.choice(sorted(moves))
            state = game.play(state, moves[name])
            other.apply_action(actions[name])
        if game.is_terminal(state):
            assert other.returns()[0] == (game.score(state) > 0) - (game.score(state) < 0)


@pytest.mark.parametrize("size", [(9, 9), (13, 4)])
def test_compiled_and_interpreted_rules_agree(size: tuple[int, int]) -> None:
    game = Go(*size)
    for state in random_game(game, seed=1)[:80:8]:
        assert compiled(digest, game, state, 1) == digest(game, state, 1)


def test_another_komi_needs_no_other_machine_code() -> None:
    assert native_type(Go(5, komi=0)) == native_type(Go(5)) != native_type(Go(6))
    assert native_type(Go(5, komi=7.0)) == native_type(Go(5)) != native_type(Go(5, komi=7.5))
    assert repr(Go(5, komi=7.0)) == repr(Go(5))
    for game in (Go(5, komi=0), Go(5, komi=-3)):
        assert compiled(digest, game, game.initial(), 1) == digest(game, game.initial(), 1)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3), (2, 4)])
def test_values_of_small_boards_are_the_known_ones(size: tuple[int, int]) -> None:
    if not DATA.exists():
        pytest.skip(f"no known values in {DATA}")
    known = json.loads(DATA.read_text())["go_area_scoring_first_player"]["{}x{}".format(*size)]
    game = Go(*size, komi=0)
    assert pw.tabulate(game)[game.initial()].value == known


def test_superko_compares_boards_and_no_players() -> None:
    one, other = "X.O/.../... black", "X.O/.../... white"
    for superko in (False, True):
        game = Go(3, superko=superko)
        states = [game.parse(text) for text in (one, other)]
        assert (game.recurring(states[0]) == game.recurring(states[1])) == superko
    passed = game.play(game.parse(one), game.size)
    assert game.recurring(passed) != game.recurring(game.parse(one))  # a pass repeats nothing


def test_superko_makes_a_difference_on_the_smallest_board() -> None:
    """Tromp solved it with positional superko: Black wins by one point.  Without, a cycle is no win for anybody."""
    values = [pw.solve(Go(2, 2, 0, superko)).value for superko in (False, True)]
    assert values == [0, 1]
    assert Go(2, 2, 0, True).repetition(Go(2).initial()) == 5


def test_bounds_hold_for_every_end() -> None:
    for komi in (-30, 0, 7, 30):
        game = Go(3, komi=komi)
        low, high = game.bounds(game.initial())
        assert low <= -9 - komi <= 9 - komi <= high
        assert low <= game.repetition(game.initial()) <= high
        for seed in range(5):
            *_, end = random_game(game, seed)
            assert low <= min(game.score(end), game.evaluate(end)) <= max(game.score(end), game.evaluate(end)) <= high


def test_evaluation_gives_points_to_the_nearest_stones() -> None:
    game = Go(5, komi=0)
    assert game.evaluate(game.initial()) == 0
    assert game.evaluate(game.parse("C3")) == 25
    assert game.evaluate(game.parse("B3 D3")) == 0  # column C is nobody's


def test_the_move_before_is_no_part_of_the_position() -> None:
    game = Go(5)
    one, other = game.parse("A1 B1 A2 pass"), game.parse("A2 B1 A1 pass")
    assert one == other
    one, other = game.parse("A1 B1 A2"), game.parse("A2 B1 A1")
    assert one != other
    assert game.key(one) == game.key(other)
    assert game.without_history(one) == game.without_history(other)


@pytest.mark.parametrize("size", [(1, 1), (20, 20), (9, 1), (9, 20), (9.5, 9)])
def test_other_boards_are_refused(size: tuple[Any, Any]) -> None:
    with pytest.raises(pw.GameError, match="width and height must be whole numbers from 2 to 19"):
        Go(*size)


@pytest.mark.parametrize("komi", [7.25, "7", None, True, 1000.5, 1e300, float("inf"), float("nan")])
def test_another_komi_is_refused(komi: Any) -> None:
    with pytest.raises(pw.GameError, match=r"a whole number or a half, such as 7\.5, from -1,000 to 1,000"):
        Go(9, komi=komi)


def test_star_points() -> None:
    named = {size: [Go(*size).layout.name(star) for star in Go(*size).layout.stars] for size in SIZES}
    assert named[9, 9] == ["C7", "G7", "E5", "C3", "G3"]
    assert named[19, 19] == [f"{column}{row}" for row in (16, 10, 4) for column in "DKQ"]
    assert named[2, 2] == named[3, 4] == []
    assert "+" in Go(9).board(Go(9).initial())


@pytest.mark.parametrize("game", [Go(3), Go(4, 3, 0, superko=True)], ids=repr)
def test_no_position_is_wrong_by_the_checks(game: Go) -> None:
    with pw.interpreted():
        report = pw.check_game(game, games=3, seconds=20)
    assert not report.findings, report
