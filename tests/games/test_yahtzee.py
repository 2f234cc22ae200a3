"""Yahtzee: the rules by example, the exact solution for one player, and how its table is kept."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.compiling.progress import compile_notice
from plywise.games import Yahtzee
from plywise.games.yahtzee import Card, Position, solitaire
from plywise.games.yahtzee.card import ALL, CATEGORIES, EMPTY
from plywise.games.yahtzee.dice import FULL, HANDS, hand_of
from tests.games.support import check_chance, check_texts, compiled, digest, random_game

SOLO = Yahtzee(players=1)
GAMES = [SOLO, Yahtzee(), Yahtzee(bonus=False), Yahtzee(players=1, forced=True)]


def scored(text: str, category: str, game: Yahtzee = SOLO) -> str:
    """The card and its points after a category is scored."""
    state = game.parse(text)
    return game.format(game.play(state, game.parse_move(state, category))).partition(";")[0]


# Dice -----------------------------------------------------------------------------------------------------------------


def test_the_outcomes_of_a_roll_are_grouped_and_as_likely_as_single_dice_make_them() -> None:
    for kept, count in (("-", 5), ("66", 3), ("1235", 1)):
        state = SOLO.parse(f"{'-' * 13} 0 0; max 1 {kept}")
        rolls = Counter(tuple(sorted(dice)) for dice in itertools.product(range(1, 7), repeat=count))
        found = {HANDS[move]: SOLO.probability(state, move) for move in SOLO.moves(state)}
        assert found.keys() == rolls.keys()
        assert all(found[roll] == pytest.approx(ways / 6**count) for roll, ways in rolls.items())
    assert len(HANDS) - FULL == 252


def test_kept_dice_come_back_with_those_that_were_rolled() -> None:
    state = SOLO.parse(f"{'-' * 13} 0 0; max 2 13566")
    kept = SOLO.play(state, SOLO.parse_move(state, "keep-66"))
    assert SOLO.to_move(kept) == pw.CHANCE
    assert SOLO.format(SOLO.play(kept, hand_of("542"))).endswith("max 1 24566")


def test_a_roll_may_be_written_in_any_order() -> None:
    state = SOLO.initial()
    assert SOLO.parse_move(state, "53135") == SOLO.parse_move(state, "13355") == hand_of("13355")
    with pytest.raises(pw.PositionError, match=r"^'banana' is not .*; some of the 252 .* are: 11111 11112 [^m]*$"):
        SOLO.parse_move(state, "banana")


def test_any_dice_can_be_kept_while_rolls_are_left_and_a_category_chosen_at_any_time() -> None:
    for dice, rolls in (("11223", 2), ("12345", 1), ("44444", 1), ("13566", 0)):
        state = SOLO.parse(f"{'-' * 13} 0 0; max {rolls} {dice}")
        parts = {"".join(part) or "none" for n in range(5) for part in itertools.combinations(dice, n)}
        expected = set(CATEGORIES) | ({f"keep-{part}" for part in parts} if rolls else set())
        assert {SOLO.format_move(state, move) for move in SOLO.moves(state)} == expected


def test_outcomes_are_possible_and_certain_together() -> None:
    for game in GAMES:
        check_chance(game, random.Random(1))


# Scores ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ("11111", [5, 0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 50, 5]),
        ("22255", [0, 6, 0, 0, 10, 0, 16, 0, 25, 0, 0, 0, 16]),
        ("22225", [0, 8, 0, 0, 5, 0, 13, 13, 0, 0, 0, 0, 13]),
        ("12346", [1, 2, 3, 4, 0, 6, 0, 0, 0, 30, 0, 0, 16]),
        ("33456", [0, 0, 6, 4, 5, 6, 0, 0, 0, 30, 0, 0, 21]),
        ("23456", [0, 2, 3, 4, 5, 6, 0, 0, 0, 30, 40, 0, 20]),
        ("12356", [1, 2, 3, 0, 5, 6, 0, 0, 0, 0, 0, 0, 17]),
    ],
)
def test_points(dice: str, points: list[int]) -> None:
    state = SOLO.parse(f"{'-' * 13} 0 0; max 0 {dice}")
    assert [SOLO.play(state, category).mine.total for category in range(13)] == points


def test_63_points_in_the_upper_section_bring_35_more_once() -> None:
    assert scored("xxxxx-------- 45 60; max 0 66612", "sixes") == "xxxxxx------- 63 113"
    assert scored("xxxxx-------- 45 60; max 0 66123", "sixes") == "xxxxxx------- 57 72"
    assert scored("xxx-xx------- 63 100; max 0 44123", "fours") == "xxxxxx------- 63 108"


def test_a_further_yahtzee_brings_100_if_one_was_scored() -> None:
    assert scored(f"{'-' * 13} 0 0; max 0 44444", "yahtzee") == "-----------y- 0 50"
    assert scored("-----------y- 0 50; max 0 44444", "fours") == "---x-------y- 20 170"
    assert scored("-----------x- 0 0; max 0 44444", "fours") == "---x-------x- 20 20"
    assert scored("-----------x- 0 0; max 0 44444", "fours", Yahtzee(1, bonus=False)) == "---x-------x- 20 20"


def test_a_joker_counts_in_full_once_the_box_of_its_face_is_used() -> None:
    for category, points in (("full-house", 25), ("small-straight", 30), ("large-straight", 40), ("chance", 20)):
        used = f"---x{'-' * 7}y- 8 58"
        after = SOLO.parse(f"{scored(f'{used}; max 0 44444', category)}; max 2 -").mine
        assert after.total == 58 + 100 + points
    assert scored("-----------y- 0 50; max 0 44444", "large-straight") == "----------xy- 0 150"  # not a joker yet


def test_the_rule_book_forces_where_a_joker_is_scored() -> None:
    strict = Yahtzee(players=1, forced=True)

    def allowed(card: str) -> set[str]:
        state = strict.parse(f"{card}; max 0 44444")
        return {strict.format_move(state, move) for move in strict.moves(state)}

    assert allowed("-----------x- 0 0") == {"fours"}
    assert allowed("---x--xxx--x- 8 20") == {"small-straight", "large-straight", "chance"}
    assert allowed("x--x-xxxxxxxx 8 20") == {"twos", "threes", "fives"}
    assert allowed(f"{'-' * 13} 0 0") == set(CATEGORIES)


def test_without_jokers_five_of_a_kind_is_a_full_house() -> None:
    assert scored(f"{'-' * 13} 0 0; max 0 44444", "full-house", Yahtzee(1, bonus=False)) == "--------x---- 0 25"


def test_two_play_to_win_and_one_for_points() -> None:
    full = "x" * 13
    for first, second, score in ((200, 199, 1), (199, 200, -1), (200, 200, 0)):
        assert Yahtzee().score(Yahtzee().parse(f"{full} 0 {first}; {full} 0 {second}; max 2 -")) == score
    assert SOLO.score(SOLO.parse(f"{full} 0 321; max 2 -")) == 321


@pytest.mark.parametrize("game", GAMES)
def test_every_player_has_thirteen_turns(game: Yahtzee) -> None:
    positions = random_game(game, 5)
    assert sum(state.hand == 0 and state.rolls == 2 for state in positions[:-1]) == 13 * game.players
    assert all(card.used == ALL for card in game.cards(positions[-1]))


# The solution for one player ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bonus", "forced", "value"),
    [(True, False, 254.589609), (True, True, 254.587729), (False, False, 245.904728)],
)
def test_the_expected_points_of_one_player_are_the_known_ones(bonus: bool, forced: bool, value: float) -> None:
    game = Yahtzee(1, bonus, forced)
    assert game.evaluate(game.initial()) == pytest.approx(value, abs=1e-6)


def expected(game: Yahtzee, state: Position, known: dict[Position, float]) -> float:
    """Expectimax by its definition, to the end of the game."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = game.score(state)
        else:
            below = [(move, expected(game, game.play(state, move), known)) for move in game.moves(state)]
            if game.to_move(state) == pw.CHANCE:
                known[state] = sum(game.probability(state, move) * value for move, value in below)
            else:
                known[state] = max(value for _, value in below)
    return known[state]


@pytest.mark.parametrize("last", ["yahtzee", "fives", "chance"])
@pytest.mark.parametrize("game", [SOLO, Yahtzee(players=1, forced=True)])
def test_the_table_and_the_rules_agree_on_the_last_turn(game: Yahtzee, last: str) -> None:
    """Also on every hand of that turn: what is kept, what is rolled and what is scored."""
    used = ALL & ~(1 << CATEGORIES.index(last))
    for card in (Card(used, 60, 0, 100), Card(used, 10, 1 if last != "yahtzee" else 0, 150)):
        known: dict[Position, float] = {}
        expected(game, Position(card, EMPTY, 0, 0, 2), known)
        for state in random.Random(3).sample(sorted(known), 40):
            if not game.is_terminal(state):
                assert game.evaluate(state) == pytest.approx(known[state])


def test_a_turn_of_the_table_is_expectimax_over_the_next_cards() -> None:
    """Two categories are left: after this turn the table of the last turn is the value."""
    card = Card(ALL & ~0b100000000100, 57, 0, 180)
    start = Position(card, EMPTY, 0, 0, 2)

    def value(state: Position) -> float:
        if state.mine != card:
            return SOLO.evaluate(state)
        if state not in known:
            below = [(move, value(SOLO.play(state, move))) for move in SOLO.moves(state)]
            if SOLO.to_move(state) == pw.CHANCE:
                known[state] = sum(SOLO.probability(state, move) * each for move, each in below)
            else:
                known[state] = max(each for _, each in below)
        return known[state]

    known: dict[Position, float] = {}
    assert SOLO.evaluate(start) == pytest.approx(value(start))


def test_of_two_players_the_one_who_expects_more_is_likely_to_win() -> None:
    game = Yahtzee()
    assert game.evaluate(game.initial()) == 0
    ahead = game.parse("------x------ 0 30; -----------x- 0 0; max 2 -")
    assert 0 < game.evaluate(ahead) < 1
    sure = game.parse(f"{'x' * 13} 0 300; {'x' * 12}- 0 100; min 0 11112")
    assert game.evaluate(sure) > 0.999


def test_the_table_is_made_once_with_progress_and_read_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    made = np.arange(1 << 20, dtype=float)
    calls = []

    def quickly(game, fields, arguments):
        calls.append(arguments[:2])
        arguments[2][:] = made

    monkeypatch.setattr(solitaire, "entry", lambda function: quickly)
    news: list = []
    token = compile_notice.set(news.append)
    try:
        for _ in range(2):
            monkeypatch.setattr(solitaire, "_known", {})
            assert np.array_equal(solitaire.solution(True, True), made)
    finally:
        compile_notice.reset(token)
    assert len(calls) == 128  # the second time, the file is read
    assert sorted(range(ALL + 1)) == sorted(used for first, last in calls for used in range(first, last + 1))
    assert [round(each.done, 3) for each in news[:2]] == [0.008, 0.016]
    assert news[-1] is None
    assert all("Yahtzee" in each.what for each in news[:-1])
    (file,) = tmp_path.glob("*.table")
    file.write_bytes(file.read_bytes()[:-1])  # damaged
    monkeypatch.setattr(solitaire, "_known", {})
    solitaire.solution(True, True)
    assert len(calls) == 256


def test_clearing_the_cache_deletes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plywise.compiling.cache_folder import clear_cache, write

    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    write(tmp_path / "yahtzee-0.table", b"0")
    assert clear_cache() == 1


def test_where_numba_is_switched_off_an_average_stands_for_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(solitaire, "_known", {})
    monkeypatch.setattr("numba.config.DISABLE_JIT", True)
    game = Yahtzee(players=1)
    assert game.evaluate(game.initial()) == pytest.approx(254.59)
    assert game.evaluate(game.parse(f"{'x' * 12}- 30 200; max 0 12345")) == pytest.approx(200 + 254.59 / 13)
    assert game.evaluate(game.parse(f"-{'x' * 12} 30 200; max 0 12345")) == 205


# Readings, texts, pictures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "most"),
    [
        (f"{'-' * 13} 0 0", 1575),
        ("xxxxxxxxxxxx- 30 1570", 1600),  # a total that is too high to be true is still only the points so far
        ("xxxxxxxxxxxy- 30 200", 330),
        ("xxxxx-xxxxxxx 33 100", 165),
        ("xxxxx-xxxxxxx 32 100", 130),
        ("xxxxx-xxxxxxx 63 200", 230),
        ("xxxxxxxxxxx-- 30 100", 280),
        ("xxxxxxxxxxxxx 30 100", 100),
    ],
)
def test_the_highest_score_is_what_the_free_categories_can_add(card: str, most: int) -> None:
    low, high = SOLO.bounds(SOLO.parse(f"{card}; max 2 -"))
    assert (low, high) == (int(card.split()[2]), most)


def test_every_score_lies_within_the_bounds_of_all_positions_before_it() -> None:
    for seed in range(20):
        for game in (SOLO, Yahtzee(players=1, bonus=False)):
            states = random_game(game, seed)
            end = game.score(states[-1])
            assert game.is_terminal(states[-1])
            assert all(low <= end <= high for low, high in map(game.bounds, states))


@pytest.mark.parametrize("game", GAMES[:3])
def test_compiled_and_interpreted_rules_agree(game: Yahtzee) -> None:
    positions = random_game(game, 7)
    for number, state in enumerate(positions):
        few = len(list(game.moves(state))) <= 13  # the estimate takes long as plain Python
        depth = 1 if few or number == 1 else 0
        if few or number % 5 == 1:
            assert compiled(digest, game, state, depth) == pytest.approx(digest(game, state, depth))


@settings(max_examples=20)
@given(st.sampled_from(GAMES), st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(game: Yahtzee, seed: int) -> None:
    check_texts(game, seed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it needs a card for each player, and then the player to move"),
        ("------------- 0 0; min 2 -", "it needs a card for each player"),
        ("------------ 0 0; max 2 -", "a card is 13 letters, the points of the upper section and the total"),
        ("------------z 0 0; max 2 -", "the letters of a card are - for free and x for used, and y"),
        ("-----y------- 0 50; max 2 -", "the letters of a card are - for free"),
        ("x------------ 6 6; max 2 -", "the upper section has 6 points, but can have at most 5"),
        ("-----------y- 0 49; max 2 -", "the total is 49, but must be from 50 to 1575"),
        ("------------- 0 0; max 3 -", "the rolls left are 0, 1 or 2"),
        ("------------- 0 0; max 2 127", "the dice up to five numbers from 1 to 6"),
        ("xxxxxxxxxxxxx 0 0; max 1 12345", "the game is over"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        SOLO.parse(text)


def test_max_has_used_one_category_more_when_min_is_to_move() -> None:
    with pytest.raises(pw.PositionError, match="or one more when Min is to move"):
        Yahtzee().parse(f"{'-' * 13} 0 0; {'-' * 13} 0 0; min 2 -")


def test_there_are_one_or_two_players() -> None:
    with pytest.raises(pw.GameError, match="there are 1 or 2 players"):
        Yahtzee(players=3)


@pytest.mark.parametrize("game", [Yahtzee(), Yahtzee(players=1), Yahtzee(forced=True)], ids=str)
def test_a_box_shows_the_points_that_scoring_brings_and_then_a_mark(game: Yahtzee) -> None:
    for state in random_game(game, 2):
        if state.hand >= FULL:
            for move in game.moves(state):
                _, place = game.places(state, move)
                if move < 13:
                    after = game.play(state, move)
                    player = state.turn
                    gained = game.cards(after)[player].total - game.cards(state)[player].total
                    assert game.piece_at(state, place) == pw.Sheet.written(gained)
                    assert game.pieces[game.piece_at(after, place) - 1].name == "used"


def test_the_dice_that_are_kept_are_selected() -> None:
    game = Yahtzee()
    for state in random_game(game, 3):
        if state.hand >= FULL:
            for move in game.moves(state):
                selected = game.selection(state, move)
                assert (selected is None) == (move < 13)
                if selected is not None:
                    assert len(set(selected)) == len(selected)
                    names = [game.pieces[game.piece_at(state, place) - 1].symbol for place in selected]
                    assert game.format_move(state, move) == f"keep-{''.join(names) or 'none'}"
