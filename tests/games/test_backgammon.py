"""Backgammon: the rules by example, whole turns against OpenSpiel's, and the estimate."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import perft
from plywise.games import Backgammon
from plywise.games.backgammon import Men, Position
from plywise.games.backgammon.position import BAR, MEN, OFF, men_on
from tests.games.support import check_chance, check_texts, compiled, digest, random_game

GAME = Backgammon()
START = "-b----E-C---eE---c-e----B-"


def men(white: tuple[int, ...], black: tuple[int, ...] = (1, 1)) -> str:
    """Men on points as White counts them, as text; all others are borne off."""
    letters = [chr(ord("@") + white.count(point)) for point in range(26)]
    letters = [chr(ord("`") + black.count(point)) if point in black else each for point, each in enumerate(letters)]
    return "".join(letters).replace("@", "-")


def texts(position: str) -> set[str]:
    """The legal moves of a position, as text."""
    state = GAME.parse(position)
    return {GAME.format_move(state, move) for move in GAME.moves(state)}


def played(position: str, *moves: str) -> str:
    """The position after some moves, as text."""
    state = GAME.parse(position)
    for move in moves:
        state = GAME.play(state, GAME.parse_move(state, move))
    return GAME.format(state)


def after_turn(state: Position) -> tuple[set[tuple[Men, Men]], int]:
    """The men of White and Black after all ways to play a turn, and the number of ways."""
    found, ways, waiting = set(), 0, [state]
    while waiting:
        here = waiting.pop()
        for move in GAME.moves(here):
            after = GAME.play(here, move)
            if after.turn == state.turn and after.dice:
                waiting.append(after)
            else:
                ways += 1
                found.add((after.mine, after.theirs) if after.turn == pw.MAX else (after.theirs, after.mine))
    return found, ways


# Rolls ----------------------------------------------------------------------------------------------------------------


def test_the_higher_die_of_the_opening_roll_begins_and_there_are_no_doubles() -> None:
    start = GAME.initial()
    assert GAME.to_move(start) == pw.CHANCE
    assert sorted(GAME.moves(start)) == sorted(10 * a + b for a in range(1, 7) for b in range(1, 7) if a != b)
    assert GAME.format(GAME.play(start, 52)) == f"{START} white 52"
    assert GAME.format(GAME.play(start, 25)) == f"{START} black 52"


def test_a_roll_may_be_written_in_any_order_except_in_the_opening() -> None:
    state = GAME.parse(f"{START} white")
    assert GAME.parse_move(state, "25") == GAME.parse_move(state, "52") == 52
    assert GAME.parse_move(GAME.initial(), "25") == 25


def test_the_players_have_colours_and_chance_has_its_name() -> None:
    assert [GAME.player_name(player) for player in (pw.MAX, pw.MIN, pw.CHANCE)] == ["White", "Black", "Chance"]


def test_a_roll_has_21_outcomes_of_which_doubles_are_half_as_likely() -> None:
    state = GAME.parse(f"{START} white")
    assert len(list(GAME.moves(state))) == 21
    assert GAME.probability(state, 66) == pytest.approx(1 / 36)
    assert GAME.probability(state, 65) == pytest.approx(1 / 18)


def test_outcomes_are_possible_and_certain_together() -> None:
    for seed in range(5):
        check_chance(GAME, random.Random(seed))


# Moves ----------------------------------------------------------------------------------------------------------------


def test_a_point_with_two_men_is_closed_and_a_single_man_is_hit() -> None:
    position = f"{men((15,), (9, 10, 10))} white 65"
    assert texts(position) == {"15/9*"}
    assert played(position, "15/9*") == f"{men((9,), (0, 10, 10))} white 5"


def test_men_on_the_bar_enter_first() -> None:
    assert texts(f"{men((1, 25), (19, 19))} white 65") == {"bar/20"}
    assert texts(f"{men((1, 25), (19, 20))} white 65") == {"bar/20*", "bar/19*"}


def test_both_dice_are_played_if_possible() -> None:
    # The man on 20 can play the one only.  If the man on 9 played it, nobody could play the six.
    assert texts(f"{men((9, 20), (2, 2, 14, 14))} white 61") == {"9/3", "20/19"}


def test_the_larger_die_is_played_if_only_one_can_be() -> None:
    assert texts(f"{men((13,), (2, 2))} white 65") == {"13/7"}
    assert texts(f"{men((13,), (2, 2, 7, 7))} white 65") == {"13/8"}


def test_a_player_who_can_use_no_die_passes() -> None:
    position = men((25,), (19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24))
    assert texts(f"{position} white 43") == {"pass"}
    assert played(f"{position} white 43", "pass") == f"{position} black"


def test_a_double_is_four_moves_from_the_rear_to_the_front() -> None:
    moves = ("23/21", "21/19", "19/17", "17/15")
    assert played(f"{men((3, 23))} white 22", *moves) == f"{men((3, 15))} black"
    assert texts(f"{men((6, 9, 23))} white 2x1@9") == {"6/4", "9/7"}
    assert texts(f"{men((6, 9, 23))} white 22") == {"23/21", "9/7"}  # from 6 on, a man could move twice only


def test_what_cannot_be_played_of_a_roll_is_lost() -> None:
    assert played(f"{men((21,), (16, 16, 20, 20))} white 41", "21/17") == f"{men((17,), (16, 16, 20, 20))} black"


def test_men_are_borne_off_when_all_are_home_by_the_number_or_from_the_rearmost_point() -> None:
    assert texts(f"{men((3, 5), (24, 24))} white 63") == {"3/off", "5/off(6)", "5/2"}
    assert texts(f"{men((5, 7), (24, 24))} white 51") == {"7/2", "7/6", "5/4"}
    assert texts(f"{men((2, 4), (24, 24))} white 3") == {"4/1"}


def test_a_loser_without_a_man_off_loses_a_gammon_and_with_one_near_the_winner_a_backgammon() -> None:
    def score(position: str) -> int:
        state = GAME.parse(f"{position} white 1")
        return GAME.score(GAME.play(state, GAME.parse_move(state, "1/off")))

    assert score(men((1,), (22,) * 14)) == 1
    assert score(men((1,), (22,) * 15)) == 2
    assert score(men((1,), (6, *[22] * 14))) == 3
    assert score(men((1,), (7, *[22] * 14))) == 2
    assert score(men((1,), (0, *[22] * 14))) == 3
    assert score(men((1,), (0, *[22] * 13))) == 1


def test_blacks_wins_are_negative() -> None:
    state = GAME.parse(f"{men((8,) * 15, (24,))} black 1")
    assert GAME.score(GAME.play(state, GAME.parse_move(state, "1/off"))) == -2


def test_perft() -> None:
    assert [perft(GAME, None, depth) for depth in range(1, 7)] == [30, 200, 758, 15918, 91564, 341830]


def test_positions_after_the_first_turn() -> None:
    """By roll, in ascending order; OpenSpiel counts the same."""
    start = GAME.parse(f"{START} white")
    counts = {roll: len(after_turn(GAME.play(start, roll))[0]) for roll in GAME.moves(start)}
    assert counts == {
        11: 42, 21: 15, 22: 75, 31: 16, 32: 17, 33: 73, 41: 14, 42: 18, 43: 17, 44: 52, 51: 8, 52: 8, 53: 9, 54: 9,
        55: 4, 61: 10, 62: 14, 63: 14, 64: 14, 65: 7, 66: 11,
    }  # fmt: skip


def test_no_two_ways_to_play_a_double_lead_to_the_same_position() -> None:
    chance, doubles = random.Random(5), 0
    for seed in range(5):
        for state in random_game(GAME, seed):
            if state.dice == 0 and state.turn != pw.CHANCE and not GAME.is_terminal(state):
                found, ways = after_turn(GAME.play(state, 11 * chance.randint(1, 6)))
                assert len(found) == ways
                doubles += 1
    assert doubles > 100


def test_whole_turns_are_those_of_openspiel() -> None:
    """The positions after a turn, and the scores, in random games; 20,000 turns have been compared."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra bench")
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    chance, turns = random.Random(1), 0
    while turns < 600:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])
                ours, theirs = after_turn(from_openspiel(state))[0], after_openspiels_turn(state)
                assert ours == theirs, state
                turns += 1
            else:
                state.apply_action(chance.choice(state.legal_actions()))
        assert GAME.score(from_openspiel(state)) == state.returns()[0]


def from_openspiel(state: Any) -> Position:
    """OpenSpiel's position as one of ours.  Its first player, x, is White."""
    white, black = openspiels_men(state)
    if state.is_terminal():
        return Position(white, black, 0, 0, BAR) if white.all_off() else Position(black, white, 1, 0, BAR)
    dice = sorted(map(int, re.search(r"Dice: (\d)(\d)", str(state)).groups()), reverse=True)
    number = 1111 * dice[0] if dice[0] == dice[1] else 10 * dice[0] + dice[1]
    mine, theirs = (white, black) if state.current_player() == 0 else (black, white)
    return Position(mine, theirs, state.current_player(), number, BAR)


def openspiels_men(state: Any) -> tuple[Men, Men]:
    bar = 100
    points = [[24 - place for place in range(24)], [place + 1 for place in range(24)]]
    counted = [
        [point for place, point in enumerate(points[player]) for _ in range(state.board(player, place))]
        + [BAR] * state.board(player, bar)
        for player in (0, 1)
    ]
    first, second = (men_on(*each, *[OFF] * (MEN - len(each))) for each in counted)
    return first, second


def after_openspiels_turn(state: Any) -> set[tuple[Men, Men]]:
    player, found, waiting = state.current_player(), set(), [state]
    while waiting:
        here = waiting.pop()
        for action in here.legal_actions():
            after = here.child(action)
            if after.current_player() == player:  # the second half of a double
                waiting.append(after)
            else:
                found.add(openspiels_men(after))
    return found


# Readings, texts, pictures --------------------------------------------------------------------------------------------


def test_compiled_and_interpreted_rules_agree() -> None:
    for seed in range(3):
        for state in random_game(GAME, seed)[::40]:
            assert compiled(digest, GAME, state, 3) == pytest.approx(digest(GAME, state, 3))


def test_men_are_counted_in_binary() -> None:
    men = Men(0, 0)
    for count in range(1, 16):
        men = men.plus(24).plus(3)
        assert (men.count(24), men.count(3), men.count(4)) == (count, count, 0)
        assert men.occupied() == 1 << 24 | 1 << 3
        assert men.made() == (men.occupied() if count > 1 else 0)
    for count in range(14, -1, -1):
        men = men.minus(24)
        assert (men.count(24), men.count(3)) == (count, 15)


@settings(max_examples=10)
@given(st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(seed: int) -> None:
    check_texts(GAME, seed)


def test_an_xgid_is_read() -> None:
    assert GAME.parse(f"XGID={START}:0:0:-1:52:0:0:0:0:10") == GAME.parse(f"{START} black 52")
    assert GAME.parse(f"{START}:0:0:1:00:0:0:0:0:10") == GAME.parse(f"{START} white")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it needs the men, the player and perhaps the dice; an example is: -b----E"),
        ("-b white", "must be 26 letters, with A for one white man"),
        (f"A{START[1:]} white", "must be 26 letters"),
        (f"{START[:-1]}a white", "must be 26 letters"),
        (f"{START[:-1]}A white", "a player has 15 men"),
        (f"{'-' * 26} white", "both players have borne off all men"),
        (f"{START} red", "the player must be white, black, opening"),
        (f"{START} opening 31", "before the opening roll there are no dice to play"),
        (f"{START} white 70", "dice are 31 for both"),
        (f"{START} white 4x3@26", "dice are 31 for both"),
        (f"{men((1,), ())} white 31", "the game is over, but there are dice to play"),
        (f"{START}:0:0:2:31", "the fourth field of an XGID is 1 or -1"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        GAME.parse(text)


def test_every_man_and_every_die_is_on_the_drawn_board() -> None:
    for state in random_game(GAME, 3)[::7]:
        counts = dict.fromkeys(("white", "black", "die"), 0)
        for place in range(GAME.layout.size):
            piece = GAME.piece_at(state, place)
            if piece:
                name = GAME.pieces[piece - 1].name
                number = re.match(r"\d+", name)
                kind = "die" if name.startswith("die") else "white" if "white" in name else "black"
                counts[kind] += int(number[0]) - 4 if number else 1  # four men are shown below a number
        assert counts == {"white": 15, "black": 15, "die": len(str(state.dice)) if state.dice else 0}


def test_a_move_is_drawn_from_a_man_to_where_it_lands() -> None:
    for state in random_game(GAME, 8):
        if GAME.to_move(state) in (pw.MAX, pw.MIN):
            man = ("white", "black")[state.turn]
            for move in GAME.moves(state):
                start, end = GAME.places(state, move)
                if move:
                    assert man in GAME.pieces[GAME.piece_at(state, start) - 1].name
                    after = GAME.play(state, move)
                    assert man in GAME.pieces[GAME.piece_at(after, end) - 1].name


# The estimate ---------------------------------------------------------------------------------------------------------


def test_the_estimate_keeps_to_the_bounds_and_swaps_with_the_players() -> None:
    for state in random_game(GAME, 11)[1:-1]:
        low, high = GAME.bounds(state)
        assert low <= GAME.evaluate(state) <= high
        assert GAME.evaluate(state._replace(turn=1 - state.turn)) == -GAME.evaluate(state)


def test_by_the_estimate_alone_a_player_beats_a_random_one() -> None:
    """The better player wins nearly all games, most of them as gammons."""
    chance, total = random.Random(2), 0
    for _ in range(20):
        state = GAME.initial()
        while not GAME.is_terminal(state):
            moves = list(GAME.moves(state))
            if GAME.to_move(state) == pw.CHANCE:
                weights = [GAME.probability(state, move) for move in moves]
                state = GAME.play(state, chance.choices(moves, weights)[0])
            elif GAME.to_move(state) == pw.MAX:
                state = max((GAME.play(state, move) for move in moves), key=worth)
            else:
                state = GAME.play(state, chance.choice(moves))
        total += GAME.score(state)
    assert total > 20


def worth(state: Position) -> float:
    return GAME.score(state) if GAME.is_terminal(state) else GAME.evaluate(state)


def test_both_players_see_the_same_men_and_a_mirrored_position_swaps_the_views() -> None:
    for state in random_game(GAME, 11)[1:]:
        mirrored = state._replace(turn=1 - state.turn)
        views = [sorted(GAME.features(state, player)) for player in range(2)]
        assert [sorted(GAME.features(mirrored, 1 - player)) for player in range(2)] == views
        half = GAME.feature_count // 2
        assert views[1] == sorted((feature + half) % (2 * half) for feature in views[0])
        for view in views:
            assert len(set(view)) == 2 * MEN
            assert sum(feature < half for feature in view) == MEN
        assert GAME.viewer(state) == state.turn
        own = views[state.turn]
        assert sum(feature // MEN == BAR for feature in own) == state.mine.count(BAR)


def test_a_race_has_a_bucket_of_its_own() -> None:
    contact, race = men((6, 7), (5, 5)) + " white", men((6, 7), (8, 24)) + " white"
    assert GAME.bucket(GAME.parse(contact)) != GAME.bucket(GAME.parse(race))


def test_the_number_of_positions_of_the_men() -> None:
    """White's men on j points, with some on the bar and off, and Black's on the others: Trice's number."""
    positions = sum(math.comb(24, j) * math.comb(16, j + 1) * math.comb(40 - j, 15) for j in range(16))
    assert positions == 18_528_584_051_601_162_496
