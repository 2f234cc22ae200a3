"""Node counts that others have published, or that were worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

import plywise as pw
from plywise.games import ConnectFour, RedBlue, TicTacToe, Tree


def test_tic_tac_toe_by_naive_minimax_visits_549946_nodes_and_is_a_draw() -> None:
    for name in ("minimax", "minimax_single", "negamax", "negamax_sign"):
        result = pw.search(TicTacToe(), algorithm=name)
        assert (result.value, result.nodes, result.leaves) == (0, 549_946, 255_168), name
        assert result.proven


def test_tic_tac_toe_is_proved_a_draw_by_two_boolean_searches() -> None:
    at_least = pw.search(TicTacToe(), algorithm="boolean", goal=0)
    more = pw.search(TicTacToe(), algorithm="boolean", goal=0, strict=True)
    assert (at_least.bound, more.bound) == ("lower", "upper")
    assert at_least.nodes + more.nodes < 549_946


def test_tic_tac_toe_has_255168_games() -> None:
    outcomes = pw.algorithms.outcomes(TicTacToe())
    assert outcomes == {1: 131_184, -1: 77_904, 0: 46_080}
    assert sum(outcomes.values()) == 255_168


def test_outcomes_count_each_score_however_many_there_are() -> None:
    tree = Tree.from_lists([[i * 3 + j + 0.5 * (i % 2) for j in range(3)] for i in range(100)])
    expected: dict[float, int] = {}
    for state in pw.algorithms.terminal_states(tree):
        expected[tree.score(state)] = expected.get(tree.score(state), 0) + 1
    assert len(expected) > 64
    assert pw.algorithms.outcomes(tree) == expected


def test_terminal_states_from_a_partly_played_board() -> None:
    game = TicTacToe()
    ends = list(pw.algorithms.terminal_states(game, "XOX/OXO/.X."))  # O is to move; either way X gets a diagonal
    assert [game.format(end) for end in ends] == ["XOX/OXO/OXX", "XOX/OXO/XXO"]
    assert pw.algorithms.outcomes(game, "XOX/OXO/.X.") == {1: 2}


def test_perft_of_connect_four() -> None:
    counts = [pw.algorithms.perft(ConnectFour(), None, depth) for depth in range(1, 9)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_perft_of_a_finished_game_is_zero() -> None:
    assert pw.algorithms.perft(TicTacToe(), "XXX/OO./...", 3) == 0
    assert pw.algorithms.perft(TicTacToe(), "XXX/OO./...", 0) == 1


def uniform(branching: int, depth: int, best_first: bool) -> Tree:
    """A tree in which the children are sorted for the player to move, best or worst first; no two leaves are equal."""
    leaves = iter(range(branching**depth))

    def node(level: int, maximising: bool) -> Any:
        if level == 0:
            return next(leaves)
        children = [node(level - 1, not maximising) for _ in range(branching)]
        # Leaves grow from left to right, so that children do too: the first is worst for MAX and best for MIN.
        if maximising == best_first:
            children.reverse()
        return {"player": "max" if maximising else "min", "children": children}

    return Tree.from_json(node(depth, True))


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (2, 6), (3, 4), (3, 5), (5, 3), (7, 2)])
def test_a_perfectly_ordered_tree_costs_knuth_and_moores_count(branching: int, depth: int) -> None:
    minimal = branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    tree = uniform(branching, depth, best_first=True)
    for name in ("alphabeta", "alphabeta_hard", "negamax_alphabeta", "negamax_alphabeta_hard", "pvs", "memo", "scout"):
        assert pw.search(tree, algorithm=name).leaves == minimal, name
    assert pw.search(tree, algorithm="minimax").leaves == branching**depth


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (2, 6), (3, 4), (3, 5), (5, 3)])
def test_a_worst_ordered_tree_costs_every_leaf(branching: int, depth: int) -> None:
    tree = uniform(branching, depth, best_first=False)
    for name in ("alphabeta", "alphabeta_hard", "negamax_alphabeta", "negamax_alphabeta_hard"):
        assert pw.search(tree, algorithm=name).leaves == branching**depth, name


def test_red_blue_by_hand() -> None:
    """RED-BLUE: Min, Max, Min choose blue or red; blue comes first.  Leaves, left to right: 1 -5 3 -3 4 -2 0 6.

    The last choice is Min's: min(1,-5) = -5, min(3,-3) = -3, min(4,-2) = -2, min(0,6) = 0.
    Then Max: max(-5,-3) = -3 and max(-2,0) = 0.  Then Min: min(-3, 0) = -3: blue, red, red.

    Alpha-beta visits 1 and -5 (Max has -5), then 3 and -3 (Max has -3, so Min has -3 at the root: beta = -3).  In the
    right half Min looks at 4, then -2: that node is worth -2, so Max has -2 there: alpha = -2 >= beta = -3, and Min
    will not go there.  The leaves 0 and 6 are pruned, nothing else.
    """
    result = pw.search(RedBlue(), algorithm="alphabeta", record=True)
    assert (result.value, result.line_text()) == (-3, ["B", "R", "R"])
    game = RedBlue()
    visited = [event.value for event in result.events or () if event.kind == "leaf"]
    assert visited == [1, -5, 3, -3, 4, -2]
    cuts = [event for event in result.events or () if event.kind == "cut"]
    assert len(cuts) == 1
    assert (cuts[0].alpha, cuts[0].beta) == (-2, -3)
    assert [game.format_move(cuts[0].state, move) for move in cuts[0].left_out] == ["R"]


def test_the_tree_of_the_contract() -> None:
    tree = Tree.from_json({"player": "max", "children": [3, {"player": "min", "children": [5, 8]}]})
    result = pw.search(tree, algorithm="alphabeta")
    assert (result.value, result.move, result.line) == (5, 1, (1, 0))
