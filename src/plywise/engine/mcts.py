"""Monte Carlo tree search with proofs: random games guide the search, and finished games prove bounds.

UCT (Kocsis and Szepesvári 2006) grows a tree one leaf a round, towards the moves whose random games went best; it needs
no evaluation.  Every node also keeps proven bounds of its value, as in MCTS-Solver (Winands, Björnsson and Saito 2008)
and, for arbitrary scores, in Score Bounded MCTS (Cazenave and Saffidine 2010).  Finished games enter the tree as exact
values, and bounds propagate from children to parents.  No round goes below a node whose value cannot matter at the
root.  So every round works on an open question, and with enough rounds the minimax value is proven.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from plywise.algorithms.common import infinity
from plywise.algorithms.watch import LIMIT, Tally, tally_arrays
from plywise.bits import shift_left, shift_right, signed
from plywise.compiling.native import Native
from plywise.compiling.reading import prepare, run
from plywise.compiling.scores import number_kind
from plywise.errors import GameError, SearchError, Stopped
from plywise.game import MAX, Game, Move, Number, State
from plywise.inputs.chance import check_certain, refuse_chance
from plywise.inputs.limits import LONGEST_LINE, MOST_NODES, check_limits, check_megabytes, check_whole
from plywise.inputs.positions import check_two_players, check_zero_sum, position, unfinished
from plywise.result import Result

ROOT = 0
NOBODY = -1
"""The parent of the root, and the result of ``select`` if no child matters."""

PARENT, FIRST, COUNT, PLAYER = range(4)
"""Columns of ``MonteCarloTree.links``.  Children are adjacent: COUNT of them, starting at FIRST; a leaf has none."""
LOWER, UPPER = range(2)
"""Columns of ``MonteCarloTree.bounds``."""
LOWEST, HIGHEST, EXPLORATION = range(3)
"""Places in ``MonteCarloTree.scale``: the range of the scores seen so far, and the weight of exploration."""
USED, FULL = range(2)
"""Places in ``MonteCarloTree.size``: the number of nodes, and whether the tree ran out of room."""

EXPLORATION_WEIGHT = 0.5
"""From matches of 40 games of Connect Four, in which 0.3 did about as well and 0.7 worse."""
REPORT_SECONDS = 0.1
"""The approximate time between two reports."""
ENDLESS = 1 << 62
"""Rounds of a search that only the clock or the node limit ends."""
NO_MOVES = "there are no moves in a position that is not terminal: run 'plywise check' to find it"
OBJECT_BYTES = 40
"""The memory of a move or score that is a Python object, with the reference to it."""


class MonteCarloTree(Native):
    """The nodes of the tree, one row each.  All values are for MAX."""

    links: np.ndarray
    move: np.ndarray
    """The move that leads to a node."""
    visits: np.ndarray
    """The number of rounds through a node."""
    total: np.ndarray
    """The sum of the values of these rounds."""
    bounds: np.ndarray
    """Proven bounds of the minimax value; numbers of the game's own type, because they are exact."""
    size: np.ndarray
    scale: np.ndarray
    random: np.ndarray
    """The state of the random generator."""

    def add(self, game: Game, state: State, node: int, parent: int, move: Move) -> None:
        """Write a leaf for ``state`` into row ``node``."""
        self.links[node, PARENT] = parent
        self.links[node, COUNT] = 0
        self.move[node] = move
        self.visits[node] = 0
        self.total[node] = 0.0
        if game.is_terminal(state):
            score = game.score(state)
            self.bounds[node, LOWER] = score
            self.bounds[node, UPPER] = score
        else:
            low, high = game.bounds(state)
            self.bounds[node, LOWER] = max(low, -infinity(game))
            self.bounds[node, UPPER] = min(high, infinity(game))

    def expand(self, game: Game, state: State, node: int, watch: Tally) -> bool:
        """Add the children of a leaf and propagate their bounds.  Return False if there is no room."""
        first = child = self.size[USED]
        for move in game.moves(state):
            if child == len(self.move):
                self.size[FULL] = 1
                return False
            watch.enter(state, 0, 0, 0)
            self.add(game, game.play(state, move), child, node, move)
            child += 1
        if child == first:
            raise GameError(NO_MOVES)
        self.size[USED] = child
        self.links[node, FIRST] = first
        self.links[node, PLAYER] = game.to_move(state)
        self.links[node, COUNT] = child - first  # last: if interrupted earlier, it is still a leaf
        self.tighten(node)
        return True

    def tighten(self, node: int) -> None:
        """Tighten the bounds of ``node`` by its children's, and go on upwards while something changes."""
        while node != NOBODY:
            first, end = self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]
            low, high = self.bounds[first, LOWER], self.bounds[first, UPPER]
            for child in range(first + 1, end):
                if self.links[node, PLAYER] == MAX:
                    low, high = max(low, self.bounds[child, LOWER]), max(high, self.bounds[child, UPPER])
                else:
                    low, high = min(low, self.bounds[child, LOWER]), min(high, self.bounds[child, UPPER])
            if low <= self.bounds[node, LOWER] and high >= self.bounds[node, UPPER]:
                break
            self.bounds[node, LOWER] = max(low, self.bounds[node, LOWER])
            self.bounds[node, UPPER] = min(high, self.bounds[node, UPPER])
            node = self.links[node, PARENT]

    def select(self, node: int, alpha: Number, beta: Number) -> int:
        """Return the child to explore (by UCB1, Auer and others 2002) among those that matter, or NOBODY.

        A child matters if it is not settled and its value may lie within (alpha, beta).
        """
        best, highest = NOBODY, 0.0
        width = self.scale[HIGHEST] - self.scale[LOWEST]
        curiosity = math.log(self.visits[node] + 1)
        for child in range(self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]):
            low, high = self.bounds[child, LOWER], self.bounds[child, UPPER]
            if low >= high or low >= beta or high <= alpha:
                continue
            if self.visits[child] == 0:
                return child
            above = self.estimate(child) - self.scale[LOWEST]
            share = above if self.links[node, PLAYER] == MAX else width - above
            urgency = self.scale[EXPLORATION] * math.sqrt(curiosity / self.visits[child])
            if width > 0:
                urgency += share / width
            if best == NOBODY or urgency > highest:
                best, highest = child, urgency
        return best

    def estimate(self, node: int) -> float:
        """Return the mean of the rounds through a visited node, clipped to its proven bounds."""
        return self.within(node, self.total[node] / self.visits[node])

    def within(self, node: int, value: float) -> float:
        """Return ``value``, clipped to the proven bounds of ``node``."""
        return min(max(value, float(self.bounds[node, LOWER])), float(self.bounds[node, UPPER]))

    def learn(self, node: int, value: float) -> None:
        """Count a round that ended at ``node`` with ``value``, there and at every node above.

        On the way up, the value is clipped to each node's bounds: a player with a proven alternative would take it.
        """
        self.scale[LOWEST] = min(self.scale[LOWEST], value)
        self.scale[HIGHEST] = max(self.scale[HIGHEST], value)
        while node != NOBODY:
            value = self.within(node, value)
            self.visits[node] += 1
            self.total[node] += value
            node = self.links[node, PARENT]

    def settled(self, node: int) -> bool:
        """Return whether the value of ``node`` is proven."""
        return self.bounds[node, LOWER] >= self.bounds[node, UPPER]  # type: ignore[no-any-return]

    def finished(self, all_moves: bool) -> bool:
        """Return whether the root's value is proven; with ``all_moves``, also the value of every root move."""
        if all_moves:
            for child in range(self.links[ROOT, FIRST], self.links[ROOT, FIRST] + self.links[ROOT, COUNT]):
                if not self.settled(child):
                    return False
        return self.settled(ROOT)

    # From Python ----------------------------------------------------------------------------------------------------

    def children(self, node: int) -> range:
        first = int(self.links[node, FIRST])
        return range(first, first + int(self.links[node, COUNT]))

    def value(self, node: int) -> Any:
        """Return the proven value of ``node``, or an estimate; for a node never visited, the mean of all rounds."""
        if self.settled(node):
            return _plain(self.bounds[node, LOWER])
        known = node if self.visits[node] else ROOT
        return float(self.within(node, self.total[known] / max(1, self.visits[known])))

    def best(self, node: int) -> int:
        """Return the child to play: the one that is most certain to be good.

        This is the "secure child" of Chaslot and others (2008), who found it as good as the most visited one: the child
        with the best estimate minus uncertainty.  Here proven bounds limit the uncertainty, so a proven best move is
        chosen.
        """
        maximising = self.links[node, PLAYER] == MAX
        width = max(0.0, self.scale[HIGHEST] - self.scale[LOWEST])
        curiosity = math.log(self.visits[node] + 1)

        def certainty(child: int) -> tuple[Any, ...]:
            visits = self.visits[child]
            doubt = self.scale[EXPLORATION] * width * math.sqrt(curiosity / visits) if visits else math.inf
            if maximising:
                return self.within(child, self.value(child) - doubt), self.bounds[child, LOWER], visits
            return -self.within(child, self.value(child) + doubt), -self.bounds[child, UPPER], visits

        return max(self.children(node), key=certainty)

    def best_line(self) -> Iterator[Move]:
        """Yield the moves of best play, while they are visited or proven; the first move in any case."""
        node = ROOT
        while self.links[node, COUNT]:
            node = self.best(node)
            if node not in self.children(ROOT) and not self.visits[node] and not self.settled(node):
                return
            yield _plain(self.move[node])


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
    stays open if the values of all moves are wanted.
    """
    node = ROOT
    alpha, beta = -infinity(game), infinity(game)
    while True:
        watch.enter(state, 0, alpha, beta)
        if tree.links[node, COUNT] == 0 and (tree.visits[node] == 0 or not tree.expand(game, state, node, watch)):
            break
        if node != ROOT or not all_moves:
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


def scrambled(luck: int) -> int:
    """Return the random number after ``luck``, both 64 bits and not zero (xorshift, Marsaglia 2003)."""
    luck ^= shift_left(luck, 13)
    luck ^= shift_right(luck, 7)
    return luck ^ shift_left(luck, 17)


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
        the mean of the rounds that started with ``move``.  ``leaves`` counts the random games.

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
    check_certain(game, "mcts")
    check_zero_sum(game, "mcts")
    unfinished(game, state)
    check_whole("seed", seed, 0)
    if not (isinstance(exploration, (int, float)) and 0 <= exploration < sys.float_info.max):
        raise SearchError(f"exploration={exploration!r} must be a number of at least 0")
    check_megabytes("memory_mb", memory_mb)
    if playout_depth is not None:
        check_whole("playout_depth", playout_depth, 0, MOST_NODES)


def new_tree(
    game: Game, compiled: bool, least: int, memory_mb: float = 0.0, seed: int = 0, exploration: float = 0.0
) -> MonteCarloTree:
    """Return an empty tree with room for as many nodes as fit into the memory, and at least for ``least``.

    In interpreted runs, moves and scores are Python objects.
    """
    number: Any = number_kind(game) if compiled else object
    move: Any = np.int64 if compiled else object
    row = 4 * 4 + 2 * 8 + 3 * (8 if compiled else OBJECT_BYTES)
    places = max(least, min(int(memory_mb * (1 << 20) / row), np.iinfo(np.int32).max))
    luck = signed(int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])) or 1
    return MonteCarloTree(
        links=np.zeros((places, 4), dtype=np.int32),
        move=np.zeros(places, dtype=move),
        visits=np.zeros(places, dtype=np.int64),
        total=np.zeros(places, dtype=np.float64),
        bounds=np.zeros((places, 2), dtype=number),
        size=np.zeros(2, dtype=np.int64),
        scale=np.array([math.inf, -math.inf, exploration]),
        random=np.array([luck], dtype=np.int64),
    )


def _result(
    game: Game, state: State, tree: MonteCarloTree, tally: Tally, seconds: float, compiled: bool, all_moves: bool
) -> Result:
    proven = bool(tree.settled(ROOT))
    value = tree.value(ROOT if proven else tree.best(ROOT))
    if not math.isfinite(value):
        raise GameError(f"{game!r} has an infinite score: run 'plywise check' to find it")
    line = tuple(_legal(game, state, tree.best_line(), to_the_end=proven))
    moves = {_plain(tree.move[child]): tree.value(child) for child in tree.children(ROOT)} if all_moves else None
    return Result(
        game=game, state=state, value=value, move=line[0], line=line, bound="exact" if proven else "estimate",
        proven=proven, depth=None, nodes=tally.nodes, leaves=tally.leaves, seconds=seconds, algorithm="mcts",
        compiled=compiled, moves=moves,
    )  # fmt: skip


def _legal(game: Game, state: State, line: Iterator[Move], to_the_end: bool) -> Iterator[Move]:
    """Yield the moves of ``line``; with ``to_the_end``, then any moves: bounds have proven that they do not matter."""
    for _ in range(LONGEST_LINE):
        if game.is_terminal(state):
            return
        check_two_players(game, state, "mcts")
        move = next(line, None)
        if move is None:
            if not to_the_end:
                return
            move = next(iter(game.moves(state)))
        yield move
        state = game.play(state, move)


def _plain(item: Any) -> Any:
    """Return an item of an array as Python's own number."""
    return item.item() if isinstance(item, np.generic) else item
