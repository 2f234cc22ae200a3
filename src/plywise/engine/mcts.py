"""Monte Carlo tree search: random games show where to look, and what they happen to settle is proven.

UCT (Kocsis and Szepesvári 2006) grows a tree one leaf a round, towards the moves whose random games went best; it needs
no evaluation.  Every node also keeps proven bounds of its value, as in MCTS-Solver (Winands, Björnsson and Saito 2008)
and, for scores of any kind, in Score Bounded MCTS (Cazenave and Saffidine 2010).  The ends of games enter the tree as
exact values; bounds go up from children to parents; and no round goes below a node whose value cannot matter at the
root.  So every round learns something that is still open, and with enough of them the value is minimax's, proven.
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
from plywise.inputs.chance import refuse_chance
from plywise.inputs.limits import LONGEST_LINE, MOST_NODES, check_limits, check_megabytes, check_whole
from plywise.inputs.positions import check_two_players, check_zero_sum, position, unfinished
from plywise.result import Result

ROOT = 0
NOBODY = -1
"""The parent of the root, and the child where there is none to choose."""

PARENT, FIRST, COUNT, PLAYER = range(4)
"""Columns of ``MonteCarloTree.links``: children are neighbours, COUNT of them from FIRST; a leaf has none."""
LOWER, UPPER = range(2)
"""Columns of ``MonteCarloTree.bounds``."""
LOWEST, HIGHEST, EXPLORATION = range(3)
"""Places in ``MonteCarloTree.scale``: the range of the scores seen so far, and the weight of what is little known."""
USED, FULL = range(2)
"""Places in ``MonteCarloTree.size``: how many nodes there are, and whether there was no room for one more."""

EXPLORATION_WEIGHT = 0.5
"""From matches of 40 games at Connect Four, in which 0.3 did about as well and 0.7 worse."""
REPORT_SECONDS = 0.1
"""About how long to search between two reports."""
ENDLESS = 1 << 62
"""Rounds of a search that the clock ends, or a number of nodes."""
NO_MOVES = "there are no moves in a position that is not terminal: 'plywise check' finds where"
OBJECT_BYTES = 40
"""What a move or a score takes that is a Python object, with the reference to it."""


class MonteCarloTree(Native):
    """The nodes that were ever reached, one row each.  All values are MAX's, whoever is to move."""

    links: np.ndarray
    move: np.ndarray
    """The move that leads to a node."""
    visits: np.ndarray
    """How many rounds went through a node."""
    total: np.ndarray
    """The sum of what these rounds were worth."""
    bounds: np.ndarray
    """Between what minimax's value is proven to lie; numbers of the game's, for they are exact."""
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
        """Give a leaf its children, and everything above it the bounds that follow.  False: there is no room."""
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
        self.links[node, COUNT] = child - first  # last: until now it was a leaf, whatever interrupts
        self.tighten(node)
        return True

    def tighten(self, node: int) -> None:
        """Draw conclusions from the bounds of the children of ``node``, and on upwards, as long as there are any."""
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
        """Return the child to learn more of (UCB1, Auer and others 2002) among those that matter, or NOBODY.

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
        """Return the mean of the rounds through a visited node, corrected by what is proven."""
        return self.within(node, self.total[node] / self.visits[node])

    def within(self, node: int, value: float) -> float:
        """Return ``value``, or the proven bound of ``node`` that it exceeds."""
        return min(max(value, float(self.bounds[node, LOWER])), float(self.bounds[node, UPPER]))

    def learn(self, node: int, value: float) -> None:
        """Count a round that ended at ``node`` and was worth ``value``, there and at every node above.

        Whoever has something better for certain will not let it come to this: bounds correct the value on its way.
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
        """Return whether the value of the root is proven, or, on demand, that of every move there."""
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
        """Return the proven value of ``node``, or an estimate: of a node never visited, from all rounds."""
        if self.settled(node):
            return _plain(self.bounds[node, LOWER])
        known = node if self.visits[node] else ROOT
        return float(self.within(node, self.total[known] / max(1, self.visits[known])))

    def best(self, node: int) -> int:
        """Return the child to play: the one of which most is certain, by proof or by experience.

        It is the "secure child" of Chaslot and others (2008), who found it as good as the most visited one: the best by
        its estimate, less the doubt that remains.  Here bounds limit the doubt, so that a proven best move is chosen.
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
        """Yield the moves of best play, as far as something is known of them."""
        node = ROOT
        while self.links[node, COUNT]:
            node = self.best(node)
            if node not in self.children(ROOT) and not self.visits[node] and not self.settled(node):
                return
            yield _plain(self.move[node])


def uct(
    game: Game, state: State, rounds: int, playout_depth: int, all_moves: bool, tree: MonteCarloTree, watch: Tally
) -> bool:
    """Search for so many rounds, or until there is nothing left to learn; returns whether that is so."""
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
    """Go down to a leaf that matters, see how a random game ends from there, and remember it on the way back.

    (alpha, beta) is what MAX and MIN can enforce elsewhere on the way down, as in alpha-beta.  At the root it stays
    open if the values of all moves are wanted.
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
        if child == NOBODY:  # its new children have just settled what mattered here
            break
        state = game.play(state, tree.move[child])
        node = child
    tree.learn(node, playout(game, state, playout_depth, tree, watch))


def playout(game: Game, state: State, depth: int, tree: MonteCarloTree, watch: Tally) -> float:
    """Return the score of a game of random moves; after ``depth`` of them, the evaluation."""
    luck = int(tree.random[0])
    while depth > 0 and not game.is_terminal(state):
        count = 0
        for move in game.moves(state):  # each replaces the one chosen so far with a chance of 1 in ``count``
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
    """Return the random number after ``luck``: 64 bits, not all of them zero (xorshift, Marsaglia 2003)."""
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
    """Monte Carlo tree search: random games, and what they prove, for games without a good evaluation.

    Args:
        game: whose rules to follow.
        state: a position, or its text; default: the initial one.
        seconds: how long to search; it ends earlier if the value is proven.
        nodes: how many positions to visit, those that random games pass through included.  One round is made whatever
            the limits, so that there is always a move; without a limit the search ends when the value is proven.
        seed: of the random games; the same seed, with the same limit in nodes, gives the same answer.
        exploration: how much to try what is little known, against what looks best; scores count as from 0 to 1.
        memory_mb: how large the tree may become.  Then it stops growing, but goes on learning.
        playout_depth: after how many moves a random game is evaluated instead of played on; default: 1000.
        all_moves: also return the value of every move; the search then ends when all of them are proven.
        on_info: called with what is known every tenth of a second or so, and at the end.
        enough: called with what is known just as often; says whether to end.

    Returns:
        A ``Result``.  Its value is exact if it is ``proven``; otherwise its ``bound`` is "estimate", and the value the
        mean of the rounds that began with ``move``.  ``leaves`` counts the random games.

    Raises:
        SearchError: an argument makes no sense, the game is over, or, without a limit, the memory does not suffice.

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
                raise SearchError(f"the value could not be proven within memory_mb={memory_mb}: allow more, "
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
        raise SearchError(f"exploration={exploration!r} must be a number from 0 up")
    check_megabytes("memory_mb", memory_mb)
    if playout_depth is not None:
        check_whole("playout_depth", playout_depth, 0, MOST_NODES)


def new_tree(
    game: Game, compiled: bool, least: int, memory_mb: float = 0.0, seed: int = 0, exploration: float = 0.0
) -> MonteCarloTree:
    """Return a tree without nodes, with room for ``least`` of them and for as many as fit into the memory.

    Interpreted, moves and scores are Python objects.
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
        raise GameError(f"{game!r} has an infinite score: 'plywise check' finds where")
    line = tuple(_legal(game, state, tree.best_line(), to_the_end=proven))
    moves = {_plain(tree.move[child]): tree.value(child) for child in tree.children(ROOT)} if all_moves else None
    return Result(
        game=game, state=state, value=value, move=line[0], line=line, bound="exact" if proven else "estimate",
        proven=proven, depth=None, nodes=tally.nodes, leaves=tally.leaves, seconds=seconds, algorithm="mcts",
        compiled=compiled, moves=moves,
    )  # fmt: skip


def _legal(game: Game, state: State, line: Iterator[Move], to_the_end: bool) -> Iterator[Move]:
    """Yield the moves of ``line``; where bounds alone settled the rest of it, any moves lead to the same end."""
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
