"""Every algorithm must give plain minimax's answer, on any tree and any game, compiled, interpreted and recorded.

A new algorithm joins by being in ``TEXTBOOK``.  Add a row below for a parallel algorithm, an option or a reading.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import ALGORITHMS, TEXTBOOK
from plywise.game import Game
from plywise.games import MNK, ConnectFour, DogCatMouse, Nim, RedBlue, TicTacToe, Tree
from plywise.inputs.limits import LEAST_MB
from tests.oracle import (
    best_reply_of,
    end_of,
    paranoid_of,
    random_position,
    real_leaves,
    scores_of,
    trees,
    value_of,
    whole_leaves,
)

SCORING = [name for name, algorithm in TEXTBOOK.items() if algorithm.finds_value]
WINDOWED = [name for name, algorithm in TEXTBOOK.items() if {"alpha", "low"} & set(algorithm.options)]
STRICT = [name for name, algorithm in TEXTBOOK.items() if {"alpha", "strict"} <= set(algorithm.options)]

PARALLEL: dict[str, tuple[str, dict[str, Any]]] = {
    "jamboree, 1 thread": ("jamboree", {"threads": 1, "cutoff": 1}),
    "jamboree, 2 threads": ("jamboree", {"threads": 2, "cutoff": 1}),
    "jamboree, 2 threads, tiny table": ("jamboree", {"threads": 2, "cutoff": 0, "table_mb": LEAST_MB}),
    "jamboree, all moves at once": ("jamboree", {"threads": 2, "cutoff": 0, "percentage_sequential": 0}),
    "parallel minimax, 1 thread": ("parallel_minimax", {"threads": 1, "cutoff": 1}),
    "parallel minimax, 2 threads": ("parallel_minimax", {"threads": 2, "cutoff": 1}),
}
"""Searches by threads, with cut-offs that let them split small trees."""

bounds = st.sampled_from([-5, -2.5, -1, -0.5, 0, 0.5, 1, 2.5, 5])
"""Ends of windows and goals: on scores and between them."""

READINGS: dict[str, Callable[[], Any]] = {"compiled": nullcontext, "interpreted": pw.interpreted}

GAMES: dict[str, Game] = {
    "tic-tac-toe": TicTacToe(),
    "nim": Nim((2, 3, 2)),
    "connect four": ConnectFour(5, 4),
    "red-blue": RedBlue(),
}
"""A game of every class, compiled."""

OTHER_PARAMETERS: dict[str, Game] = {
    "3x4 board, 3 in a row": MNK(3, 4, 3),
    "misere nim": Nim((1, 2, 3), misere=True),
}
"""The same classes with parameters that matter to their rules.  They run interpreted: each would be compiled anew."""

EVERY_GAME = {**GAMES, **OTHER_PARAMETERS}
EVERY_READING = [(title, reading) for title in EVERY_GAME for reading in READINGS
                 if title in GAMES or reading == "interpreted"]  # fmt: skip
"""Titles of games, with the readings in which they are searched."""


def check_answer(game: Game, state: Any, depth: int | None, result: pw.Result) -> None:
    """The value is minimax's, the move attains it, and the line ends where that value comes from."""
    assert result.value == value_of(game, state, depth)
    assert result.bound == "exact"
    assert result.move == result.line[0]
    below = None if depth is None else depth - 1
    assert value_of(game, game.play(state, result.move), below) == result.value
    end = end_of(game, state, result.line)
    assert game.is_terminal(end) or len(result.line) == depth
    assert (game.score(end) if game.is_terminal(end) else game.evaluate(end)) == result.value


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", SCORING)
@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), depth=st.one_of(st.none(), st.integers(1, 4)))
@settings(max_examples=60)
def test_equals_minimax_on_random_trees(name: str, reading: str, tree: Any, depth: int | None) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        result = pw.search(game, algorithm=name, depth=depth)
    assert result.compiled == (reading == "compiled")
    check_answer(game, game.initial(), depth, result)


def compiled_titles(name: str) -> set[str]:
    """Return the two games on which an algorithm runs compiled: all of them would take minutes to compile."""
    others = [title for title in GAMES if title != "connect four"]
    return {"connect four", others[SCORING.index(name) % len(others)]}


@pytest.mark.parametrize("name", SCORING)
@pytest.mark.parametrize("title", EVERY_GAME)
def test_equals_minimax_on_positions_of_every_game(name: str, title: str) -> None:
    game = EVERY_GAME[title]
    reading = "compiled" if title in compiled_titles(name) else "interpreted"
    for seed in range(12):
        state = random_position(game, seed)
        depth = 1 + seed % 4
        with READINGS[reading]():
            result = pw.search(game, state, algorithm=name)
            limited = pw.search(game, state, algorithm=name, depth=depth)
        assert result.compiled == (reading == "compiled")
        check_answer(game, state, None, result)
        check_answer(game, state, depth, limited)


def check_move(game: Game, state: Any, depth: int | None, result: pw.Result) -> None:
    """The value is minimax's, the move attains it, and the line, as far as it goes, can be played."""
    assert result.value == value_of(game, state, depth)
    assert result.bound == "exact"
    assert result.move == result.line[0]
    assert value_of(game, game.play(state, result.move), None if depth is None else depth - 1) == result.value
    end_of(game, state, result.line)
    assert not result.proven or result.value == value_of(game, state)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("row", PARALLEL)
@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), depth=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_threads_equal_minimax_on_random_trees(row: str, reading: str, tree: Any, depth: int) -> None:
    game, (name, options) = Tree.from_json(tree), PARALLEL[row]
    with READINGS[reading]():
        result = pw.search(game, algorithm=name, depth=depth, **options)
        solved = pw.solve(game, algorithm=name, **options)
    assert result.compiled == (reading == "compiled")
    check_move(game, game.initial(), depth, result)
    check_move(game, game.initial(), None, solved)
    assert solved.proven


@pytest.mark.parametrize("row", PARALLEL)
def test_threads_equal_minimax_on_positions(row: str) -> None:
    game, (name, options) = GAMES["connect four"], PARALLEL[row]
    for seed in range(12):
        state = random_position(game, seed)
        depth = 1 + seed % 5
        result = pw.search(game, state, algorithm=name, depth=depth, all_moves=True, **options)
        check_move(game, state, depth, result)
        assert result.moves == {
            move: value_of(game, game.play(state, move), depth - 1) for move in game.moves(state)
        }, seed
        check_move(game, state, None, pw.solve(game, state, algorithm=name, **options))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", WINDOWED)
@given(
    tree=st.one_of(trees(whole_leaves), trees(real_leaves)),
    window=st.tuples(bounds, bounds).filter(lambda w: w[0] < w[1]),
    depth=st.one_of(st.none(), st.integers(1, 3)),
)
@settings(max_examples=60)
def test_the_three_promises_of_a_window(
    name: str, reading: str, tree: Any, window: tuple[float, float], depth: int | None
) -> None:
    game = Tree.from_json(tree)
    exact = value_of(game, game.initial(), depth)
    alpha, beta = window
    names = ("low", "high") if name == "satisficing" else ("alpha", "beta")
    with READINGS[reading]():
        options: dict[str, Any] = dict(zip(names, window, strict=True))
        result = pw.search(game, algorithm=name, depth=depth, **options)
    if exact <= alpha:
        assert result.value <= alpha
        assert result.bound == "upper"
    elif exact >= beta:
        assert result.value >= beta
        assert result.bound == "lower"
    else:
        assert result.value == exact
        assert result.bound == "exact"
    if name.endswith("hard"):
        assert math.floor(alpha) <= result.value <= math.ceil(beta)
    elif exact <= alpha:
        assert exact <= result.value  # fail-soft: a bound that is itself sound
    elif exact >= beta:
        assert exact >= result.value


@pytest.mark.parametrize("name", STRICT)
@given(tree=trees(whole_leaves))
@settings(max_examples=60)
def test_the_strict_cut_gives_the_same_value_with_no_fewer_nodes(name: str, tree: Any) -> None:
    game = Tree.from_json(tree)
    usual = pw.search(game, algorithm=name)
    strict = pw.search(game, algorithm=name, strict=True)
    check_answer(game, game.initial(), None, strict)
    assert strict.nodes >= usual.nodes


@pytest.mark.parametrize("reading", READINGS)
@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), goal=bounds, strict=st.booleans())
def test_boolean_search_tells_on_which_side_of_the_goal_the_value_is(
    reading: str, tree: Any, goal: float, strict: bool
) -> None:
    game = Tree.from_json(tree)
    exact = value_of(game, game.initial())
    with READINGS[reading]():
        result = pw.search(game, algorithm="boolean", goal=goal, strict=strict)
    assert (result.bound == "lower") == (exact > goal if strict else exact >= goal)
    achieved = result.bound == ("lower" if game.to_move(game.initial()) == pw.MAX else "upper")
    assert (result.move is not None) == achieved
    if result.move is not None:
        after = value_of(game, game.play(game.initial(), result.move))
        assert (after > goal if strict else after >= goal) == (result.bound == "lower")


@pytest.mark.parametrize("name", TEXTBOOK)
@given(tree=trees(whole_leaves), depth=st.one_of(st.none(), st.integers(1, 4)))
@settings(max_examples=40)
def test_recorded_and_silent_runs_visit_the_same_nodes(name: str, tree: Any, depth: int | None) -> None:
    game = Tree.from_json(tree)
    options: dict[str, Any] = {"goal": 1} if name == "boolean" else {}
    compiled = pw.search(game, algorithm=name, depth=depth, **options)
    recorded = pw.search(game, algorithm=name, depth=depth, record=True, **options)
    assert recorded.events is not None
    entered = [event for event in recorded.events if event.kind == "enter"]
    left = [event for event in recorded.events if event.kind in ("leaf", "return")]
    assert len(entered) == recorded.nodes == compiled.nodes
    assert sum(event.kind == "leaf" for event in left) == recorded.leaves == compiled.leaves
    assert (recorded.value, recorded.line, recorded.bound) == (compiled.value, compiled.line, compiled.bound)
    for event in entered:  # a visit is made by a move from its parent's position
        if event.parent is not None:
            parent = entered[event.parent]
            assert game.play(parent.state, event.move) == event.state
            assert event.ply == parent.ply + 1


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta_hard", "negamax_alphabeta", "early_stop", "satisficing"])
@given(tree=trees(whole_leaves))
@settings(max_examples=40)
def test_a_cut_names_exactly_the_moves_that_are_never_visited(name: str, tree: Any) -> None:
    game = Tree.from_json(tree)
    events = pw.search(game, algorithm=name, record=True).events
    assert events is not None
    visited = {event.state for event in events if event.kind == "enter"}
    for event in events:
        if event.kind == "cut":
            moves = list(game.moves(event.state))
            left_out = [move for move in moves if game.play(event.state, move) not in visited]
            assert list(event.left_out) == left_out
            assert event.move == moves[len(moves) - len(left_out) - 1]


@given(tree=trees(st.tuples(*[st.integers(0, 4)] * 3).map(lambda s: {"values": list(s)}), players=(0, 1, 2)))
@settings(max_examples=100)
@pytest.mark.parametrize("reading", READINGS)
def test_maxn_with_shallow_pruning_equals_plain_maxn(reading: str, tree: Any) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        result = pw.search(game, algorithm="maxn")
    assert result.value == scores_of(game, game.initial())
    assert tuple(game.scores(end_of(game, game.initial(), result.line))) == result.value


@pytest.mark.parametrize("name", [name for name, each in ALGORITHMS.items() if not each.many_players])
def test_algorithms_for_two_players_refuse_a_third(name: str) -> None:
    options: dict[str, Any] = {"goal": 1} if name == "boolean" else {}
    with pytest.raises(pw.SearchError, match=f"^{name} is for two players .* needs maxn$"):
        pw.search(DogCatMouse(), algorithm=name, **options)
    assert pw.solve(DogCatMouse()).algorithm == "maxn"


def test_maxn_of_two_players_with_sum_zero_is_minimax() -> None:
    for game in GAMES.values():
        for seed in range(5):
            state = random_position(game, seed)
            value = value_of(game, state)
            assert pw.search(game, state, algorithm="maxn").value == (value, -value)


@given(tree=trees(st.tuples(*[st.integers(0, 4)] * 3).map(lambda s: {"values": list(s)}), players=(0, 1, 2)))
@settings(max_examples=60)
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("name", "oracle"), [("paranoid", paranoid_of), ("best-reply", best_reply_of)])
def test_one_player_against_a_coalition_has_what_its_definition_says(
    name: str, oracle: Callable[..., Any], reading: str, tree: Any
) -> None:
    game = Tree.from_json(tree)
    player = game.to_move(game.initial())
    with READINGS[reading]():
        result = pw.search(game, algorithm=name)
    assert result.value[player] == oracle(game, game.initial(), player)
    assert oracle(game, game.play(game.initial(), result.move), player) == result.value[player]
    assert tuple(game.scores(end_of(game, game.initial(), result.line))) == result.value


def test_paranoia_and_trust_differ() -> None:
    # Player 2 would choose 6 for itself on the left, which is good for player 1 too; a paranoid player 1 fears the 0.
    # In a best reply only one of the players 2 and 3 may choose the worse of two moves on the right.
    def pair(first: Any, second: Any, player: int) -> dict[str, Any]:
        return {"player": player, "children": [first, second]}

    left = pair({"values": [5, 6, 0]}, {"values": [0, 1, 0]}, 1)
    right = pair(
        pair({"values": [3, 0, 0]}, {"values": [2, 0, 0]}, 2), pair({"values": [2, 0, 0]}, {"values": [1, 0, 0]}, 2), 1
    )
    game = Tree.from_json(pair(left, right, 0))
    found = {name: pw.search(game, algorithm=name).value[0] for name in ("maxn", "paranoid", "best-reply")}
    assert found == {"maxn": 5, "paranoid": 1, "best-reply": 2}


def test_two_players_in_turn_have_the_same_value_in_every_way() -> None:
    for seed in range(8):
        state = random_position(TicTacToe(), seed)
        for name in ("paranoid", "best-reply"):
            value = value_of(TicTacToe(), state)
            assert pw.search(TicTacToe(), state, algorithm=name).value == (value, -value)


def test_maxn_prunes_where_the_sum_is_bounded() -> None:
    # Player 1 secures 6 on the left.  On the right, player 2's first move gives it 5 of at most 10: player 1 cannot
    # have more than 5 there, so the last leaf is never looked at.
    tree = {
        "player": 0,
        "children": [
            {"values": [6, 2, 2]},
            {"player": 1, "children": [{"values": [1, 5, 4]}, {"values": [2, 8, 0]}]},
        ],
    }
    game = Tree.from_json(tree)
    result = pw.search(game, algorithm="maxn", record=True)
    assert result.value == (6, 2, 2)
    assert result.leaves == 2
    assert [len(event.left_out) for event in result.events or () if event.kind == "cut"] == [1]


def test_dog_cat_and_mouse() -> None:
    game = DogCatMouse()
    assert pw.solve(game, algorithm="maxn").value == scores_of(game, game.initial())


@pytest.mark.parametrize("megabytes", [LEAST_MB, 1e-3, 1.0])
@pytest.mark.parametrize("name", ["memo", "mtdf"])
def test_the_size_of_the_memo_never_changes_the_answer(name: str, megabytes: float) -> None:
    for title in ("tic-tac-toe", "nim", "connect four"):
        game = GAMES[title]
        for seed in range(5):
            state = random_position(game, seed)
            check_answer(game, state, None, pw.search(game, state, algorithm=name, table_mb=megabytes))
            with pw.interpreted():
                check_answer(game, state, None, pw.search(game, state, algorithm=name, table_mb=megabytes))


class Unmirrored(ConnectFour):
    """Connect Four whose memo tells every position from every other."""

    def key(self, state: Any) -> Any:
        return state


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", ["memo", "mtdf"])
def test_a_symmetric_key_never_lends_a_move_to_the_mirror_image(name: str, reading: str) -> None:
    game = ConnectFour(4, 3)
    with READINGS[reading]():
        for depth in (None, 5, 8):
            result = pw.search(game, algorithm=name, depth=depth)
            check_answer(game, game.initial(), depth, result)
            assert result.nodes < pw.search(Unmirrored(4, 3), algorithm=name, depth=depth).nodes


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), guess=st.floats(-100, 100), margin=st.floats(0.01, 100))
def test_a_wrong_guess_costs_time_but_not_the_answer(tree: Any, guess: float, margin: float) -> None:
    game = Tree.from_json(tree)
    exact = value_of(game, game.initial())
    assert pw.search(game, algorithm="mtdf", guess=guess).value == exact
    assert pw.search(game, algorithm="aspiration", guess=guess, margin=margin).value == exact


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)))
def test_all_moves_have_their_own_values(tree: Any) -> None:
    game = Tree.from_json(tree)
    root = game.initial()
    expected = {move: value_of(game, game.play(root, move)) for move in game.moves(root)}
    assert pw.search(game, algorithm="alphabeta", all_moves=True).moves == expected
    assert pw.search(game, algorithm="memo", all_moves=True).moves == expected


def test_large_whole_scores_stay_exact() -> None:
    big = (1 << 60) + 1
    game = Tree.from_json({"player": "max", "children": [big, big - 1, {"player": "min", "children": [big + 1, 5]}]})
    for name in SCORING:
        if TEXTBOOK[name].takes_chance:
            continue  # averages are real numbers
        result = pw.search(game, algorithm=name)
        assert (result.value, result.move) == (big, 0), name
        assert math.isfinite(result.value)
