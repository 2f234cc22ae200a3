"""Monte Carlo tree search with proofs: random games guide the search, and finished games prove bounds.

UCT (Kocsis and Szepesvári 2006) grows a tree one leaf a round, towards the moves whose random games went best; it needs
no evaluation.  Every node also keeps proven bounds of its value, as in MCTS-Solver (Winands, Björnsson and Saito 2008)
and, for arbitrary scores, in Score Bounded MCTS (Cazenave and Saffidine 2010).  Finished games enter the tree as exact
values, and bounds propagate from children to parents.  No round goes below a node whose value cannot matter at the
root.  So every round works on an open question, and with enough rounds the minimax value is proven.

Where chance moves, an outcome is drawn by its probability, in the tree and in random games, and values are averages
(see ``plywise.engine.monte_carlo_tree``).
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from plywise.algorithms.common import infinity
from plywise.algorithms.watch import LIMIT, Tally, tally_arrays
from plywise.bits import shift_right
from plywise.compiling.reading import prepare, run
from plywise.engine.monte_carlo_tree import (
    COUNT,
    FULL,
    LOWER,
    NO_MOVES,
    NOBODY,
    PLAYER,
    ROOT,
    UPPER,
    USED,
    MonteCarloTree,
    fraction,
    new_tree,
    plain,
    scrambled,
)
from plywise.errors import GameError, SearchError, Stopped
from plywise.game import MAX, Game, Move, State
from plywise.inputs.chance import refuse_chance
from plywise.inputs.limits import LONGEST_LINE, MOST_NODES, check_limits, check_megabytes, check_whole
from plywise.inputs.positions import check_two_players, check_zero_sum, position, unfinished
from plywise.layers import CHANCE, Chance
from plywise.result import Result

EXPLORATION_WEIGHT = 0.5
"""From matches of 40 games of Connect Four, in which 0.3 did about as well and 0.7 worse."""
REPORT_SECONDS = 0.1
"""The approximate time between two reports."""
ENDLESS = 1 << 62
"""Rounds of a search that only the clock or the node limit ends."""


def uct(
    game: Game, state: State, rounds: int, playout_depth: int, all_moves: bool, tree: MonteCarloTree, watch: Tally
) -> bool:
    """Search for ``rounds`` rounds, or until everything is proven; returns whether it is."""
    if tree.size[USED] == 0:
        tree.add(game, state, ROOT, NOBODY, 0)
        tree.size[USED] = 1
    if tree.links[ROOT, COUNT] == 0:
        tree.expand(game, state, ROOT, watch)
    for _ in range(rounds):
        if tree.finished(all_moves):
            return True
        one_round(game, state, playout_depth, all_moves, tree, watch)
    return tree.finished(all_moves)


def one_round(
    game: Game, state: State, playout_depth: int, all_moves: bool, tree: MonteCarloTree, watch: Tally
) -> None:
    """Go down to a leaf that matters, play a random game from there, and record its value on the way back.

    (alpha, beta) is what MAX and MIN can already enforce on the way down, as in alpha-beta.  At the root the window
    stays open if the values of all moves are wanted, and below a node of chance it is open again: every outcome counts.
    """
    node = ROOT
    alpha, beta = -infinity(game), infinity(game)
    while True:
        watch.enter(state, 0, alpha, beta)
        if tree.links[node, COUNT] == 0 and (tree.visits[node] == 0 or not tree.expand(game, state, node, watch)):
            break
        if tree.by_chance(node):
            alpha, beta = -infinity(game), infinity(game)
        elif node != ROOT or not all_moves:
            if tree.links[node, PLAYER] == MAX:
                alpha = max(alpha, tree.bounds[node, LOWER])
            else:
                beta = min(beta, tree.bounds[node, UPPER])
        child = tree.select(node, alpha, beta) if alpha < beta else NOBODY
        if child == NOBODY:  # the new children have just settled this node
            break
        state = game.play(state, tree.move[child])
        node = child
    tree.learn(node, playout(game, state, playout_depth, tree, watch))


def playout(game: Game, state: State, depth: int, tree: MonteCarloTree, watch: Tally) -> float:
    """Play random moves and return the score, or, after ``depth`` moves, the evaluation."""
    luck = int(tree.random[0])
    while depth > 0 and not game.is_terminal(state):
        count = 0
        if tree.dice and game.to_move(state) == CHANCE:
            luck = scrambled(luck)
            left = fraction(luck)
            for move in game.moves(state):
                count += 1
                chosen = move
                left -= game.probability(state, move)
                if left < 0:
                    break
        else:
            for move in game.moves(state):  # each replaces the chosen one with probability 1 / count
                count += 1
                luck = scrambled(luck)
                if shift_right(luck, 33) * count < 1 << 31:
                    chosen = move
        if count == 0:
            raise GameError(NO_MOVES)
        state = game.play(state, chosen)
        watch.enter(state, 0, 0, 0)
        depth -= 1
    tree.random[0] = luck
    if game.is_terminal(state):
        value = float(game.score(state))
        watch.leaf(state, 0, value, True)
    else:
        value = float(game.evaluate(state))
        watch.leaf(state, 0, value, False)
    return value


def mcts_search(
    game: Game,
    state: State | str | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int = 0,
    exploration: float = EXPLORATION_WEIGHT,
    memory_mb: float = 256.0,
    playout_depth: int | None = None,
    all_moves: bool = False,
    on_info: Callable[[Result], None] | None = None,
    enough: Callable[[Result], bool] | None = None,
) -> Result:
    """Monte Carlo tree search by random games, with proofs: for games without a good evaluation.

    Chance is drawn by its probabilities, in the tree and in random games.

    Args:
        game: the game.
        state: a position, or its text; default: the initial position.
        seconds: how long to search; the search ends earlier if the value is proven.
        nodes: the most positions to visit, including those of random games.  The first round ignores the limits, so
            that there is always a move.  Without any limit the search ends when the value is proven.
        seed: the seed of the random games; the same seed and node limit give the same answer.
        exploration: the weight of exploration against exploitation; scores are scaled to 0 to 1.
        memory_mb: the largest size of the tree.  A full tree stops growing, but the search goes on.
        playout_depth: evaluate a random game after this many moves; default: 1000.
        all_moves: also return the value of every move; the search then ends when all of them are proven.
        on_info: called with the current result about every tenth of a second, and at the end.
        enough: called with the current result about every tenth of a second; return True to stop.

    Returns:
        A ``Result``.  If it is ``proven``, its value is exact; otherwise its ``bound`` is "estimate", and the value is
        the mean of the rounds that started with ``move``, or of all rounds if chance moves first.  ``leaves`` counts
        the random games.

    Raises:
        SearchError: an argument is invalid, the game is over, or, without a limit, the memory does not suffice.

    >>> import plywise as pw
    >>> result = mcts_search(pw.games.ConnectFour(), "445566", nodes=100_000, seed=1)
    >>> result.value, result.move, result.proven
    (18, 2, True)
    """
    start = position(game, state)
    check_limits(None, seconds, nodes)
    _check(game, start, seed, exploration, memory_mb, playout_depth)
    refuse_chance(game, start)
    plies = LONGEST_LINE if playout_depth is None else playout_depth
    compiled = prepare(
        uct, game, start, lambda: (1, plies, all_moves, new_tree(game, True, 1), Tally(**tally_arrays(0)))
    )
    least = 1 + sum(1 for _ in game.moves(start))  # the root must have its children
    tree = new_tree(game, compiled is not None, least, memory_mb, seed, exploration)
    tally = Tally(**tally_arrays(0))
    began = time.perf_counter()

    def result() -> Result:
        return _result(game, start, tree, tally, time.perf_counter() - began, compiled is not None, all_moves)

    def search(rounds: int, deadline: float | None) -> bool:
        return bool(run(uct, game, start, (rounds, plies, all_moves, tree, tally), tally, compiled, deadline))

    finished = search(1, None)
    if nodes is not None:
        tally.count[LIMIT] = nodes
    deadline = None if seconds is None else began + seconds
    unlimited = seconds is None and nodes is None
    rounds = 1 if on_info is not None or enough is not None or unlimited else ENDLESS
    reported, interrupted = began, False
    try:
        while not finished and (deadline is None or time.perf_counter() < deadline):
            if unlimited and tree.size[FULL]:
                raise SearchError(f"the value could not be proven within memory_mb={memory_mb}: allow more memory, "
                                  "or give seconds= or nodes=")  # fmt: skip
            before = time.perf_counter()
            finished = search(rounds, deadline)
            now = time.perf_counter()
            rounds = max(1, min(8 * rounds, int(rounds * REPORT_SECONDS / (now - before))))
            if not finished and now - reported >= REPORT_SECONDS and (on_info is not None or enough is not None):
                reported, so_far = now, result()
                if on_info is not None:
                    on_info(so_far)
                finished = enough is not None and enough(so_far)
    except Stopped:
        pass
    except KeyboardInterrupt:
        interrupted = True
    found = replace(result(), interrupted=interrupted)
    if on_info is not None:
        on_info(found)
    return found


def _check(
    game: Game, state: State, seed: int, exploration: float, memory_mb: float, playout_depth: int | None
) -> None:
    check_zero_sum(game, "mcts")
    unfinished(game, state)
    check_whole("seed", seed, 0)
    if not (isinstance(exploration, (int, float)) and 0 <= exploration < sys.float_info.max):
        raise SearchError(f"exploration={exploration!r} must be a number of at least 0")
    check_megabytes("memory_mb", memory_mb)
    if playout_depth is not None:
        check_whole("playout_depth", playout_depth, 0, MOST_NODES)


def _result(
    game: Game, state: State, tree: MonteCarloTree, tally: Tally, seconds: float, compiled: bool, all_moves: bool
) -> Result:
    proven = bool(tree.settled(ROOT))
    value = tree.value(ROOT if proven or tree.by_chance(ROOT) else tree.best(ROOT))
    if not math.isfinite(value):
        raise GameError(f"{game!r} has an infinite score: run 'plywise check' to find it")
    line = tuple(_legal(game, state, tree.best_line(), to_the_end=proven))
    moves = {plain(tree.move[child]): tree.value(child) for child in tree.children(ROOT)} if all_moves else None
    return Result(
        game=game, state=state, value=value, move=line[0] if line else None, line=line,
        bound="exact" if proven else "estimate", proven=proven, depth=None, nodes=tally.nodes, leaves=tally.leaves,
        seconds=seconds, algorithm="mcts", compiled=compiled, moves=moves, expected=isinstance(game, Chance),
    )  # fmt: skip


def _legal(game: Game, state: State, line: Iterator[Move], to_the_end: bool) -> Iterator[Move]:
    """Yield the moves of ``line``; with ``to_the_end``, then any moves: bounds have proven that they do not matter.

    The line ends where chance decides.
    """
    for _ in range(LONGEST_LINE):
        if game.is_terminal(state) or (isinstance(game, Chance) and game.to_move(state) == CHANCE):
            return
        check_two_players(game, state, "mcts")
        move = next(line, None)
        if move is None:
            if not to_the_end:
                return
            move = next(iter(game.moves(state)))
        yield move
        state = game.play(state, move)
