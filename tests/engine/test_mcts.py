"""Monte Carlo tree search: what it calls proven is true whenever it is stopped, and finally everything is proven."""

from __future__ import annotations

import math
import random
import signal
import threading
import time
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms.watch import LIMIT
from plywise.compiling.bridge import entry
from plywise.engine.mcts import Wishes, crew_for, mcts_search, uct
from plywise.engine.monte_carlo_tree import FULL, LOWER, ROOT, UPPER, USED, MonteCarloTree, new_tree
from plywise.engine.trail import new_trail, scrambled
from plywise.errors import Stopped
from plywise.game import Game
from plywise.games import ConnectFour, DogCatMouse, Nim, RedBlue, TicTacToe, Tree
from plywise.inputs.limits import LEAST_MB, LONGEST_LINE
from tests import readings
from tests.algorithms.test_oracle import EVERY_GAME, GAMES, READINGS
from tests.oracle import end_of, random_position, real_leaves, trees, value_of, whole_leaves


class Unbounded(ConnectFour):
    """Connect Four that does not tell its bounds."""

    def bounds(self, state: Any) -> tuple[float, float]:  # type: ignore[override]
        return (-math.inf, math.inf)


# What is proven ------------------------------------------------------------------------------------------------------


def check_proven(game: Game, state: Any, result: pw.Result) -> None:
    """The value is minimax's, the move attains it, and the line ends where it comes from."""
    assert result.proven
    assert result.bound == "exact"
    assert result.depth is None
    assert result.value == value_of(game, state)
    assert result.move == result.line[0]
    assert value_of(game, game.play(state, result.move)) == result.value
    end = end_of(game, state, result.line)
    assert game.is_terminal(end)
    assert game.score(end) == result.value


@pytest.mark.parametrize("reading", READINGS)
@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), seed=st.integers(0, 1000))
@settings(max_examples=60)
def test_proves_the_value_of_random_trees(reading: str, tree: Any, seed: int) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        result = mcts_search(game, seed=seed)
    assert result.compiled == (reading == "compiled")
    check_proven(game, game.initial(), result)


@pytest.mark.parametrize("title", EVERY_GAME)
def test_proves_the_value_of_positions_of_every_game(title: str) -> None:
    game = EVERY_GAME[title]
    reading = "compiled" if title in GAMES else "interpreted"
    for seed in range(12):
        state = random_position(game, seed)
        with READINGS[reading]():
            result = mcts_search(game, state, seed=seed)
        assert result.compiled == (reading == "compiled")
        check_proven(game, state, result)


def test_proves_values_without_bounds_from_the_rules() -> None:
    game = Unbounded(5, 4)
    for seed in range(12):
        state = random_position(game, seed)
        check_proven(game, state, mcts_search(game, state, seed=seed))


@pytest.mark.parametrize("game", [ConnectFour(), pw.games.Go(5)], ids=["plain", "informed"])
def test_the_best_lines_are_different_moves_with_their_own_values(game: Game) -> None:
    with pw.interpreted():
        result = mcts_search(game, nodes=5_000, lines=3)
        assert mcts_search(game, nodes=5_000).lines is None
    assert result.lines is not None
    ranks = [line.rank for line in result.lines]
    assert ranks == ([1, 2, 3] if isinstance(game, ConnectFour) else [1, 2, 3][: len(ranks)])  # priors leave some out
    assert (result.lines[0].move, result.lines[0].value) == (result.move, result.value)
    assert len({line.move for line in result.lines}) == len(ranks)
    assert all(line.line[0] == line.move and line.line_text() for line in result.lines)


def test_a_proven_line_has_its_exact_value() -> None:
    with pw.interpreted():
        result = mcts_search(TicTacToe(), "XX./OO./...", lines=9, all_moves=True)
    assert result.lines is not None
    assert result.moves is not None
    assert {line.move: line.value for line in result.lines} == result.moves
    assert all(line.proven and line.bound == "exact" for line in result.lines)


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), seed=st.integers(0, 1000))
@settings(max_examples=60)
def test_all_moves_are_proven_where_asked(tree: Any, seed: int) -> None:
    game = Tree.from_json(tree)
    root = game.initial()
    result = mcts_search(game, seed=seed, all_moves=True)
    check_proven(game, root, result)
    assert result.moves == {move: value_of(game, game.play(root, move)) for move in game.moves(root)}


def test_large_whole_scores_stay_exact() -> None:
    big = (1 << 60) + 1
    game = Tree.from_json({"player": "max", "children": [big - 1, big, {"player": "min", "children": [big + 1, 5]}]})
    for reading in READINGS.values():
        with reading():
            result = mcts_search(game)
        assert (result.value, result.move) == (big, 1)


def check_bounds(game: Game, state: Any, tree: MonteCarloTree, node: int = ROOT) -> None:
    """The value of every position in the tree lies within its bounds."""
    assert tree.bounds[node, LOWER] <= value_of(game, state) <= tree.bounds[node, UPPER]
    for child in tree.children(node):
        check_bounds(game, game.play(state, tree.move[child].item()), tree, child)


def stopped_tree(game: Game, state: Any, limit: int, seed: int, memory_mb: float = 1.0) -> MonteCarloTree:
    """The tree of a compiled search that was stopped after ``limit`` nodes."""
    tree = new_tree(game, True, 20, memory_mb, 0.5)
    tally = new_trail(seed, 0, LONGEST_LINE, False)
    tally.count[LIMIT] = limit
    try:
        readings.compiled(uct, game, 1 << 60, False, tree, tally, state=state)
    except Stopped:
        assert tally.nodes == limit
    return tree


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), limit=st.integers(1, 200), seed=st.integers(0, 1000))
def test_bounds_in_random_trees_hold_whenever_it_is_stopped(tree: Any, limit: int, seed: int) -> None:
    game = Tree.from_json(tree)
    check_bounds(game, game.initial(), stopped_tree(game, game.initial(), limit, seed))


@pytest.mark.parametrize("title", GAMES)
def test_bounds_in_every_game_hold_whenever_it_is_stopped(title: str) -> None:
    game = GAMES[title]
    for seed in range(12):
        state = random_position(game, seed, most_nodes=500)
        limit = random.Random(seed).randint(1, 2000)
        check_bounds(game, state, stopped_tree(game, state, limit, seed))
        result = mcts_search(game, state, nodes=limit, seed=seed)
        assert not result.proven or result.value == value_of(game, state)
        end_of(game, state, result.line)


def test_what_cannot_matter_is_not_searched() -> None:
    # Max has 5 at once, so where Min can choose 3, the deep child beside it does not matter: neither if that is Max's
    # next move, nor three plies further down, where Max has no 5 but remembers it.
    def held_to_3() -> Any:
        deep = {"player": "max", "children": [-9, {"player": "min", "children": [-9, 9]}]}
        return {"player": "min", "children": [3, deep]}

    forced = {"player": "min", "children": [{"player": "max", "children": [held_to_3(), {"value": 6}]}]}
    game = Tree.from_json({"player": "max", "children": [5, held_to_3(), forced]})
    for seed in range(5):
        tree = stopped_tree(game, game.initial(), limit=10_000, seed=seed)
        assert tree.value(ROOT) == 6
        _, held, below = tree.children(ROOT)
        (choice,) = tree.children(below)
        for node in (held, tree.children(choice)[0]):
            assert not tree.settled(node)
            assert all(tree.visits[child] == 0 for child in tree.children(node))


def test_a_score_that_the_bounds_say_is_best_ends_the_search() -> None:
    result = mcts_search(ConnectFour(), "445566")
    assert (result.value, result.nodes, result.leaves) == (18, 7, 0)


# How it plays --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        (TicTacToe(), "XX./OO./...", {"c3"}),  # wins
        (TicTacToe(), "X.X/.O./...", {"b3"}),  # blocks
        (TicTacToe(), "X../.O./..X", {"b3", "a2", "c2", "b1"}),  # a corner would lose to a fork
        (ConnectFour(), "445566", {"3", "7"}),  # wins
        (ConnectFour(), "121212", {"1"}),  # wins, or O does
        (ConnectFour(), "12121", {"1"}),  # blocks
        (ConnectFour(), "44536", {"7"}),  # blocks
        (ConnectFour(), "445", {"3", "6"}),  # or three in a row are open at both ends
        (ConnectFour(), "4455", {"3", "6"}),  # makes such three
    ],
)
def test_finds_the_only_good_moves(game: Game, text: str, moves: set[str]) -> None:
    state = game.parse(text)
    for seed in range(5):
        result = mcts_search(game, state, nodes=200_000, seed=seed)
        assert game.format_move(state, result.move) in moves


def test_a_forced_loss_is_put_off_no_worse_than_the_rules_reward() -> None:
    game = ConnectFour()
    result = mcts_search(game, "4455661", all_moves=True)
    assert result.value == 17
    assert set(result.moves or ()) == set(range(7))


def test_scores_of_any_scale_are_searched_alike() -> None:
    def scaled(factor: float) -> Tree:
        chance = random.Random(1)

        def grow(depth: int) -> Any:
            return factor * chance.randint(-9, 9) if depth == 0 else [grow(depth - 1) for _ in range(3)]

        return Tree.from_lists(grow(6))

    found = [mcts_search(scaled(factor), nodes=600, seed=1) for factor in (1.0, 2.0**-40, 2.0**40)]
    assert len({(result.line, result.nodes, result.proven) for result in found}) == 1
    assert found[1].value == found[0].value * 2.0**-40
    assert found[2].value == found[0].value * 2.0**40


def test_an_evaluation_can_end_the_random_games() -> None:
    game = Tree.from_json({"player": "max", "children": [
        {"player": "min", "value": 5, "children": [9, 9, 1]},
        {"player": "min", "value": 3, "children": [8, 8, 7]},
    ]})  # fmt: skip
    first = mcts_search(game, nodes=1, playout_depth=0)
    assert (first.value, first.move, first.proven) == (5, 0, False)
    check_proven(game, game.initial(), mcts_search(game, playout_depth=0))


# Both readings, seeds, limits ----------------------------------------------------------------------------------------


def answer(result: pw.Result) -> tuple[Any, ...]:
    return (result.value, result.line, result.proven, result.nodes, result.leaves, result.moves)


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Unbounded(5, 4), Nim((3, 4, 5))], ids=repr)
def test_both_readings_give_the_same_answer_with_the_same_seed(game: Game) -> None:
    for seed in range(3):
        compiled = mcts_search(game, nodes=10_000, seed=seed, all_moves=True)
        with pw.interpreted():
            interpreted = mcts_search(game, nodes=10_000, seed=seed, all_moves=True)
        assert compiled.compiled
        assert not interpreted.compiled
        assert answer(compiled) == answer(interpreted)


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), limit=st.integers(1, 300), seed=st.integers(0, 1000))
def test_both_readings_give_the_same_answer_on_random_trees(tree: Any, limit: int, seed: int) -> None:
    game = Tree.from_json(tree)
    compiled = mcts_search(game, nodes=limit, seed=seed)
    with pw.interpreted():
        assert answer(mcts_search(game, nodes=limit, seed=seed)) == answer(compiled)


def test_the_random_generator_is_the_same_in_both_readings() -> None:
    def after(game, state, luck, steps):
        for _ in range(steps):
            luck = scrambled(luck)
        return luck

    for luck in (1, -1, 1 << 62, -(1 << 63)):
        assert entry(after)(RedBlue(), (0, 0), (luck, 1000)) == after(RedBlue(), None, luck, 1000)  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_answer_and_another_seed_another() -> None:
    game = ConnectFour()
    first = mcts_search(game, nodes=50_000, seed=1)
    assert answer(mcts_search(game, nodes=50_000, seed=1)) == answer(first)
    assert answer(mcts_search(game, nodes=50_000, seed=1, on_info=lambda result: None)) == answer(first)
    assert answer(mcts_search(game, nodes=50_000, seed=2)) != answer(first)


@pytest.mark.parametrize("reading", READINGS)
def test_even_the_smallest_limit_leaves_time_for_a_legal_move(reading: str) -> None:
    game = ConnectFour()
    with READINGS[reading]():
        for limit in ({"seconds": 0.001}, {"seconds": 1e-9}, {"nodes": 1}):
            result = mcts_search(game, **limit)
            assert result.move in list(game.moves(game.initial()))
            assert not result.proven


@pytest.mark.parametrize("reading", READINGS)
def test_the_clock_is_kept(reading: str) -> None:
    game = ConnectFour()
    with READINGS[reading]():
        mcts_search(game, nodes=1)  # compile
        infos: list[pw.Result] = []
        start = time.perf_counter()
        result = mcts_search(game, seconds=0.5, on_info=infos.append)
        assert 0.4 < time.perf_counter() - start < 1.5
    assert infos[-1] == result
    assert 2 <= len(infos) <= 8
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)


def test_nodes_are_counted_and_limited_exactly() -> None:
    result = mcts_search(ConnectFour(), nodes=12_345)
    assert result.nodes == 12_345
    assert 12_345 / 60 < result.leaves < 12_345 / 7


@pytest.mark.parametrize("reading", READINGS)
def test_a_search_that_was_stopped_goes_on_in_the_same_tree(reading: str) -> None:
    """Also one that was stopped in the middle of a round: while a node grew, or in a playout."""
    game = TicTacToe()
    state = game.parse("X../.O./...")
    with READINGS[reading]():
        crew = crew_for(game, state, (), Wishes(seed=1))
        result, searches = crew.go_on(nodes=1), 1
        while not result.proven:
            before = result
            result = crew.go_on(nodes=37)
            searches += 1
            assert before.nodes < result.nodes <= before.nodes + 37
            assert result.seconds > before.seconds
        assert not crew.tree.pending.any()
    assert searches > 10
    check_proven(game, state, result)


def test_what_is_not_proven_is_called_an_estimate() -> None:
    with pw.interpreted():
        result = mcts_search(ConnectFour(), nodes=1000)
        proven = mcts_search(TicTacToe(), "XO./.X./..O")
    assert (result.bound, result.proven, result.depth) == ("estimate", False, None)
    assert result.to_json()["bound"] == "estimate"
    assert "value     about " in str(result)
    assert "searched  by mcts: " in str(result)
    assert (proven.bound, proven.proven, proven.depth) == ("exact", True, None)
    assert "searched  to the end by mcts: " in str(proven)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals to threads")
@pytest.mark.parametrize("reading", READINGS)
def test_control_c_ends_the_search_with_what_is_known(reading: str) -> None:
    game = ConnectFour()
    with READINGS[reading]():
        mcts_search(game, nodes=1)  # compile
        main = threading.main_thread().ident
        assert main is not None
        timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
        timer.start()
        start = time.perf_counter()
        result = mcts_search(game, seconds=30)
    assert time.perf_counter() - start < 5
    assert result.interrupted
    assert result.to_json()["interrupted"]
    assert str(result).endswith(" s (interrupted)")
    assert result.move in list(game.moves(game.initial()))


# Memory --------------------------------------------------------------------------------------------------------------


def test_a_full_tree_stops_growing_but_goes_on_learning() -> None:
    game = ConnectFour()
    tree = stopped_tree(game, game.initial(), 300_000, seed=1, memory_mb=0.01)
    assert tree.size[FULL]
    assert len(tree.visits) - 7 < tree.size[USED] <= len(tree.visits)
    assert sum(array.nbytes for array in tree.arrays.values()) < 0.011 * (1 << 20)
    assert tree.visits[ROOT] > 5 * len(tree.visits)


@pytest.mark.parametrize("megabytes", [LEAST_MB, 1e-3, 1e-2])
@pytest.mark.parametrize("title", GAMES)
def test_too_little_memory_never_makes_a_wrong_proof(title: str, megabytes: float) -> None:
    game = GAMES[title]
    for seed in range(5):
        state = random_position(game, seed)
        result = mcts_search(game, state, nodes=20_000, seed=seed, memory_mb=megabytes)
        assert result.move in list(game.moves(state))
        assert not result.proven or result.value == value_of(game, state)


def test_a_proof_that_does_not_fit_the_memory_is_an_error_if_nothing_else_ends_the_search() -> None:
    with pytest.raises(pw.SearchError, match=r"could not be proven within memory_mb=0\.01"):
        mcts_search(ConnectFour(), memory_mb=0.01)


# What it refuses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed=-1 must be"),
        ({"seed": 1.5}, "seed=1.5 must be"),
        ({"exploration": -1}, "exploration=-1 must be"),
        ({"exploration": math.nan}, "exploration=nan must be"),
        ({"memory_mb": 0}, "memory_mb=0 must be"),
        ({"playout_depth": -1}, "playout_depth=-1 must be"),
        ({"state": "XXX/OO./..."}, "the game is over in position 'XXX/OO./...'"),
    ],
)
def test_wrong_arguments_give_one_line_that_says_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SearchError) as caught:
        mcts_search(TicTacToe(), **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_third_player_is_refused() -> None:
    with pytest.raises(pw.SearchError, match="needs maxn"):
        mcts_search(DogCatMouse(), seconds=1)


class Walk(NamedTuple):
    place: int
    steps: int


class Endless(pw.Game):
    """Both go left or right for ever."""

    def initial(self) -> Walk:
        return Walk(0, 0)

    def to_move(self, state: Walk) -> int:
        return state.steps & 1

    def moves(self, state: Walk):
        yield 0
        yield 1

    def play(self, state: Walk, move: int) -> Walk:
        return Walk(state.place + 2 * move - 1, state.steps + 1)

    def is_terminal(self, state: Walk) -> bool:
        return False

    def score(self, state: Walk) -> int:
        return 0

    def evaluate(self, state: Walk) -> int:
        return state.place


class Stuck(Endless):
    """Not over, but without a move."""

    def moves(self, state: Walk):
        for move in range(2 if state.steps < 2 else 0):
            yield move


def test_a_game_without_an_end_is_evaluated_some_time() -> None:
    result = mcts_search(Endless(), nodes=300_000)
    assert result.move == 1
    assert not result.proven


@pytest.mark.parametrize("reading", READINGS)
def test_a_position_without_moves_that_is_not_terminal_is_reported(reading: str) -> None:
    with READINGS[reading](), pytest.raises(pw.GameError, match="no moves in a position that is not terminal"):
        mcts_search(Stuck(), nodes=1000)


class Boxed(Endless):
    """Keeps its moves in a list of texts, which Numba cannot compile."""

    def moves(self, state: Walk):
        return ["left", "right"]

    def play(self, state: Walk, move: str) -> Walk:  # type: ignore[override]
        return Walk(state.place + {"left": -1, "right": 1}[move], state.steps + 1)

    def is_terminal(self, state: Walk) -> bool:
        return state.steps == 4

    def score(self, state: Walk) -> int:
        return state.place


@pytest.mark.filterwarnings("ignore::plywise.errors.CompileWarning")
def test_a_game_that_cannot_be_compiled_is_searched_interpreted() -> None:
    result = mcts_search(Boxed())
    assert not result.compiled
    assert (result.value, result.line) == (0, ("right", "left", "right", "left"))
