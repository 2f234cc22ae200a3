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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from plywise.algorithms.common import infinity
from plywise.algorithms.watch import LIMIT
from plywise.compiling.atomic import add
from plywise.compiling.reading import call_of, prepare, supervised
from plywise.compiling.threads import start_thread
from plywise.engine.any_code import NUMBERS, rules_of
from plywise.engine.judged import in_threads
from plywise.engine.monte_carlo_tree import (
    FULL,
    LOWER,
    NOBODY,
    PARENT,
    PATIENCE,
    PLAYER,
    ROOT,
    UPPER,
    USED,
    MonteCarloTree,
    new_tree,
    plain,
)
from plywise.engine.trail import Trail, new_trail
from plywise.engine.work import path_mark
from plywise.errors import GameError, SearchError, Stopped
from plywise.game import MAX, Game, Move, State, sign
from plywise.inputs.chance import refuse_chance
from plywise.inputs.limits import (
    LONGEST_LINE,
    MOST_NODES,
    check_limits,
    check_megabytes,
    check_threads,
    check_whole,
)
from plywise.inputs.positions import check_two_players, check_zero_sum, path_to, unfinished
from plywise.io.numbers import is_whole
from plywise.layers import CHANCE, Chance, Playouts, recurs
from plywise.result import Race, Result

EXPLORATION_WEIGHT = 0.5
"""From matches of 40 games of Connect Four, in which 0.3 did about as well and 0.7 worse."""
INFORMED_EXPLORATION = 0.0
"""With priors and RAVE, which try moves by themselves: Gelly and Silver (2011) found none to be best in Go."""
RAVE_EQUIVALENCE = 1000.0
"""Of the order that Gelly and Silver (2011) found best in Go; not tuned here."""
INFORMED_PATIENCE = 4
"""Priors cost time, so a leaf grows only if it is visited again and again; not tuned here."""
REPORT_SECONDS = 0.1
"""The approximate time between two reports."""
ENDLESS = 1 << 62
"""Rounds of a search that only the clock or the node limit ends."""


def uct(game: Game, state: State, rounds: int, all_moves: bool, tree: MonteCarloTree, watch: Trail) -> bool:
    """Search for ``rounds`` rounds, or until everything is proven; returns whether it is.

    The first call, before there are other threads, starts the tree.
    """
    if tree.size_of(ROOT) == 0:
        tree.write(game, state, ROOT, NOBODY, 0)
        tree.size[USED] = 1
        tree.expand(game, state, ROOT, watch)
    for _ in range(rounds):
        if tree.finished(all_moves):
            return True
        one_round(game, state, all_moves, tree, watch)
    return tree.finished(all_moves)


def one_round(game: Game, state: State, all_moves: bool, tree: MonteCarloTree, watch: Trail) -> None:
    """Go down to a leaf that matters, finish the game from there, and record its score on the way back.

    (alpha, beta) is what MAX and MIN can already enforce on the way down, as in alpha-beta.  At the root the window
    stays open if the values of all moves are wanted, and below a node of chance it is open again: every outcome counts.
    """
    node = ROOT
    alpha, beta = -infinity(game), infinity(game)
    watch.set_out()
    while True:
        watch.enter(state, 0, alpha, beta)
        if tree.size_of(node) == 0 and (
            tree.visits[node] < tree.scale[PATIENCE] or not tree.expand(game, state, node, watch)
        ):
            break
        if tree.by_chance(node):
            alpha, beta = -infinity(game), infinity(game)
            child = tree.roll(node, watch)
        else:
            if node != ROOT or not all_moves:
                if tree.links[node, PLAYER] == MAX:
                    alpha = max(alpha, tree.bounds[node, LOWER])
                else:
                    beta = min(beta, tree.bounds[node, UPPER])
            child = tree.select(game, node, alpha, beta) if alpha < beta else NOBODY
        if child == NOBODY:  # this node has just been settled
            tree.tighten(node)
            break
        add(tree.pending, child, 1)
        state = game.play(state, tree.move[child])
        node = child
        if tree.loops and arrive(game, state, node, tree, watch):
            break
    watch.start()
    known = tree.settled(node) and tree.size_of(node) == 0
    score = float(tree.bounds[node, LOWER]) if known else game.playout(state, watch)
    watch.leaf(state, 0, score, True)
    tree.learn(game, node, score, watch)


def arrive(game: Game, state: State, node: int, tree: MonteCarloTree, watch: Trail) -> bool:
    """Take a node into the path.  If its position repeats one there, settle it instead, at what the game says, and
    return True.

    Only one path leads to a node, so a new leaf is compared with the path once.
    """
    mark = path_mark(game, state)
    found = tree.visits[node] == 0 and watch.repeats(mark, game.reversible(state))
    if found:
        tree.settle(node, game.repetition(state))
        tree.tighten(tree.links[node, PARENT])
    else:
        watch.pass_by(mark)
    return found


def mcts_search(
    game: Game,
    state: State | str | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int = 0,
    threads: int = 1,
    exploration: float | None = None,
    rave: float = RAVE_EQUIVALENCE,
    patience: int | None = None,
    memory_mb: float = 256.0,
    playout_depth: int | None = None,
    all_moves: bool = False,
    lines: int = 1,
    history: Sequence[State] = (),
    on_info: Callable[[Result], None] | None = None,
    enough: Callable[[Result], bool] | None = None,
) -> Result:
    """Monte Carlo tree search by playouts, with proofs: for games without a good evaluation.

    Playouts are random games, or what the game's layer ``Playouts`` makes of them; with that layer, the search also
    uses its priors and rewards, and RAVE.  Chance is drawn by its probabilities, in the tree and in playouts.

    Args:
        game: the game.
        state: a position, or its text; default: the initial position.
        seconds: how long to search; the search ends earlier if the value is proven.
        nodes: the most positions to visit, including those of playouts.  The first round ignores the limits, so that
            there is always a move.  Without any limit the search ends when the value is proven.
        seed: the seed of the random numbers; the same seed and node limit give the same answer with one thread.
        threads: how many threads share the tree.
        exploration: the weight of exploration against exploitation; rewards are scaled to 0 to 1.  Default: 0.5, or 0
            with ``Playouts``.
        rave: with ``Playouts``, the number of rounds of its own that tell as much of a move as all the rounds that made
            it later (RAVE); 0: no RAVE.
        patience: the rounds that end at a leaf before its moves enter the tree.  Default: 1, or 4 with ``Playouts``.
        memory_mb: the largest size of the tree.  A full tree stops growing, but the search goes on.
        playout_depth: the most moves of a playout; random games are then evaluated.  Default: 1000.
        all_moves: also return the value of every move; the search then ends when all of them are proven.
        lines: how many of the best moves to return, each with its value and line, for ``result.lines``; after the best
            one, those with the most rounds.
        history: the positions before ``state``, from the start of the game.  A move in the tree that repeats one of
            them, or of those after it, is worth what the game's layer ``Recurrence`` says; playouts do not notice
            repetitions.
        on_info: called with the current result about every tenth of a second, and at the end.
        enough: called with the current result about every tenth of a second; return True to stop.

    Returns:
        A ``Result``.  If it is ``proven``, its value is exact; otherwise its ``bound`` is "estimate", and the value is
        the mean score of the rounds that started with ``move``, or of all rounds if chance moves first.  ``leaves``
        counts the playouts.

    Raises:
        SearchError: an argument is invalid, the game is over, or, without a limit, the memory does not suffice.

    >>> import plywise as pw
    >>> result = mcts_search(pw.games.ConnectFour(), "445566", nodes=100_000, seed=1)
    >>> result.value, result.move, result.proven
    (18, 2, True)
    """
    wishes = Wishes(seed, threads, exploration, rave, patience, memory_mb, playout_depth, all_moves, lines)
    check_limits(None, seconds, nodes)
    return crew_for(game, state, history, wishes).go_on(seconds, nodes, on_info, enough)


class Wishes(NamedTuple):
    """The options of a search; see ``mcts_search``."""

    seed: int = 0
    threads: int = 1
    exploration: float | None = None
    rave: float = RAVE_EQUIVALENCE
    patience: int | None = None
    memory_mb: float = 256.0
    playout_depth: int | None = None
    all_moves: bool = False
    lines: int = 1

    def check(self) -> None:
        """Raise SearchError if an option is invalid."""
        check_whole("seed", self.seed, 0)
        check_whole("lines", self.lines, 1)
        check_threads(self.threads)
        for name, number in (("exploration", self.exploration), ("rave", self.rave)):
            if number is not None and not (isinstance(number, (int, float)) and 0 <= number < sys.float_info.max):
                raise SearchError(f"{name}={number!r} must be a number of at least 0")
        check_megabytes("memory_mb", self.memory_mb)
        if self.playout_depth is not None:
            check_whole("playout_depth", self.playout_depth, 0, MOST_NODES)
        if self.patience is not None:
            check_whole("patience", self.patience, 1, MOST_NODES)


def crew_for(game: Game, state: State | str | None, history: Sequence[State], wishes: Wishes) -> Crew:
    """Return a crew to search a position as ``mcts_search`` does.

    Raises:
        SearchError: an option is invalid, or the game is over.
    """
    start = unfinished(game, state)
    check_zero_sum(game, "mcts")
    wishes.check()
    refuse_chance(game, start)
    return Crew(game, start, wishes, history)


class Crew:
    """The threads of a search, their tree and their trails.  A search that has ended can go on in the same tree."""

    def __init__(self, game: Game, state: State, wishes: Wishes, history: Sequence[State]) -> None:
        self.game, self.state = game, state
        self.all_moves, self.lines, self.memory_mb = wishes.all_moves, wishes.lines, wishes.memory_mb
        self.seconds = 0.0
        """How long it has searched."""
        self.path = path_to(game, state, history)
        """The root and the positions before it that may recur."""
        informed = isinstance(game, Playouts)
        remembers = informed and all(is_whole(move) for move in islice(game.moves(state), 1))
        most = LONGEST_LINE if wishes.playout_depth is None else wishes.playout_depth

        def example() -> tuple[Any, ...]:
            rules_of(game).compile(NUMBERS)  # so that the type of scores is known
            return 1, wishes.all_moves, new_tree(game, True, 1), new_trail(0, 0, most, remembers)

        self.compiled = prepare(uct, game, state, example)
        threads = 1 if self.compiled is None else wishes.threads  # plain Python runs one thread at a time
        exploration, patience = wishes.exploration, wishes.patience
        if exploration is None:
            exploration = INFORMED_EXPLORATION if informed else EXPLORATION_WEIGHT
        if patience is None:
            patience = INFORMED_PATIENCE if informed else 1
        least = 1 + sum(1 for _ in game.moves(state))  # the root must have its children
        tree = new_tree(
            game, self.compiled is not None, least, wishes.memory_mb, exploration, wishes.rave, patience, threads
        )
        self.trees = [tree, *(tree.for_thread() for _ in range(1, threads))]
        self.games = in_threads(game, threads)
        past = [path_mark(game, each) for each in self.path] if tree.loops else []
        self.trails = [new_trail(wishes.seed, thread, most, remembers, past) for thread in range(threads)]

    @property
    def tree(self) -> MonteCarloTree:
        return self.trees[0]

    @property
    def is_full(self) -> bool:
        """Whether the tree ran out of room, for all threads."""
        return all(tree.size[FULL] for tree in self.trees)

    @property
    def nodes(self) -> int:
        return sum(trail.nodes for trail in self.trails)

    @property
    def playouts(self) -> int:
        return sum(trail.leaves for trail in self.trails)

    def go_on(
        self, seconds: float | None = None, nodes: int | None = None,
        on_info: Callable[[Result], None] | None = None, enough: Callable[[Result], bool] | None = None,
    ) -> Result:  # fmt: skip
        """Search within these limits, from where the last search ended, and return what is known then.

        Results count the nodes and the seconds of all searches.  After an error, the crew cannot go on.

        Raises:
            Stopped: it was stopped before it knew a move.
        """
        began, before = time.perf_counter(), self.seconds
        limits = self._limits(nodes)
        if self.tree.size[USED]:
            self._clear_up()
        if not self.tree.visits[ROOT]:
            self.search(1, None)
        for trail, limit in zip(self.trails, limits, strict=True):
            trail.count[LIMIT] = limit
        finished = bool(self.tree.finished(self.all_moves))
        deadline = None if seconds is None else began + seconds
        unlimited = seconds is None and nodes is None
        rounds = 1 if on_info is not None or enough is not None or unlimited else ENDLESS
        reported, interrupted = began, False
        try:
            while not finished and (deadline is None or time.perf_counter() < deadline):
                if unlimited and self.is_full:
                    raise SearchError(f"the value could not be proven within memory_mb={self.memory_mb}: allow more "
                                      "memory, or give seconds= or nodes=")  # fmt: skip
                start = time.perf_counter()
                finished = self.search(rounds, deadline)
                now = time.perf_counter()
                self.seconds = before + now - began
                rounds = max(1, min(8 * rounds, int(rounds * REPORT_SECONDS / (now - start))))
                if not finished and now - reported >= REPORT_SECONDS and (on_info is not None or enough is not None):
                    reported, so_far = now, self.result()
                    if on_info is not None:
                        on_info(so_far)
                    finished = enough is not None and enough(so_far)
        except Stopped:
            pass
        except KeyboardInterrupt:
            interrupted = True
        self.seconds = before + time.perf_counter() - began
        found = replace(self.result(), interrupted=interrupted)
        if on_info is not None:
            on_info(found)
        return found

    def result(self) -> Result:
        """Return what is known, after a search."""
        return _result(self)

    def _limits(self, nodes: int | None) -> list[int]:
        """Return the node limit of each thread, which has its share of those that may still be visited."""
        if nodes is None:
            return [ENDLESS] * len(self.trails)
        share, rest = divmod(nodes, len(self.trails))
        return [trail.nodes + share + (number < rest) for number, trail in enumerate(self.trails)]

    def _clear_up(self) -> None:
        """Make up for a search that was stopped in the middle of a round: open its locks, and forget the round."""
        tree = self.tree
        tree.locks[:] = 0
        tree.pending[tree.pending != 0] = 0
        for trail in self.trails:
            trail.count[LIMIT] = ENDLESS

    def stop(self) -> None:
        """Stop the running search."""
        for trail in self.trails:
            trail.stop()

    def search(self, rounds: int, deadline: float | None) -> bool:
        """Search for ``rounds`` rounds in each thread, the first time in one; return whether everything is proven.

        Raises:
            Stopped: the deadline or the node limit stopped it.
        """
        threads = len(self.trails) if self.tree.size_of(ROOT) else 1
        calls = [
            call_of(uct, game, self.state, self._arguments(0, rounds), self.compiled) for game in self.games[:threads]
        ]
        failures: list[BaseException] = []

        def help(thread: int) -> None:
            try:
                calls[thread](*self._arguments(thread, rounds))
            except BaseException as failure:
                failures.append(failure)
                if not isinstance(failure, Stopped):
                    self.stop()

        def lead() -> bool:
            helpers = [start_thread(help, thread) for thread in range(1, threads)]
            try:
                return bool(calls[0](*self._arguments(0, rounds)))
            except Stopped:
                raise
            except BaseException:
                self.stop()
                raise
            finally:
                for helper in helpers:
                    helper.join()

        try:
            proven = supervised(lead, self.stop, LONGEST_LINE, self.compiled is not None, deadline)
        except Stopped:
            if all(isinstance(failure, Stopped) for failure in failures):
                raise
        if failures:
            failures.sort(key=lambda failure: isinstance(failure, Stopped))  # an error in the rules comes first
            try:
                raise failures[0]
            finally:
                failures.clear()  # its traceback leads to this frame: held here too, it would keep the tree alive
        return bool(proven)

    def _arguments(self, thread: int, rounds: int) -> tuple[Any, ...]:
        return rounds, self.all_moves, self.trees[thread], self.trails[thread]


def _result(crew: Crew) -> Result:
    game, state, tree = crew.game, crew.state, crew.tree
    proven = bool(tree.settled(ROOT))
    value = tree.value(ROOT if proven or tree.by_chance(ROOT) else tree.best(game, ROOT))
    if not math.isfinite(value):
        raise GameError(f"{game!r} has an infinite score: run 'plywise check' to find it")
    line = tuple(_legal(game, crew.path, tree.best_line(game), to_the_end=proven))
    moves = {plain(tree.move[child]): tree.value(child) for child in tree.children(ROOT)} if crew.all_moves else None
    result = Result(
        game=game, state=state, value=value, move=line[0] if line else None, line=line,
        bound="exact" if proven else "estimate", proven=proven, depth=None, nodes=crew.nodes, leaves=crew.playouts,
        seconds=crew.seconds, algorithm="mcts", compiled=crew.compiled is not None, moves=moves,
        expected=isinstance(game, Chance), race=_race(crew) if tree.informed and not tree.by_chance(ROOT) else None,
    )  # fmt: skip
    return result if crew.lines == 1 else replace(result, lines=tuple(_best_lines(crew, result)))


def _best_lines(crew: Crew, result: Result) -> Iterator[Result]:
    """Yield the best moves as results: the chosen one, then the others by their rounds; those without any are left
    out, unless their value is proven.
    """
    yield result
    game, tree = crew.game, crew.tree
    others = [
        child for child in tree.children(ROOT)
        if plain(tree.move[child]) != result.move and (tree.visits[child] or tree.settled(child))
    ]  # fmt: skip
    others.sort(key=lambda child: -int(tree.visits[child]))
    for rank, child in enumerate(others[: crew.lines - 1] if result.move is not None else (), 2):
        proven = bool(tree.settled(child))
        line = tuple(_legal(game, crew.path, tree.best_line(game, child), to_the_end=proven))
        yield replace(
            result, value=tree.value(child), move=line[0], line=line, bound="exact" if proven else "estimate",
            proven=proven, rank=rank, moves=None, race=None,
        )  # fmt: skip


def _race(crew: Crew) -> Race:
    """Return how close the choice at the root is."""
    game, tree = crew.game, crew.tree
    best = tree.best(game, ROOT)
    turn = sign(int(tree.links[ROOT, PLAYER]))
    others = [child for child in tree.children(ROOT) if child != best]
    second = max((int(tree.visits[child]) for child in others), default=0)
    reward = tree.mean_reward(game, best)
    rivals = [tree.mean_reward(game, child) for child in others if tree.visits[child] >= max(1, second)]
    agreed = all(turn * rival <= turn * reward for rival in rivals)
    return Race(int(tree.visits[best]), second, agreed, reward)


def _legal(game: Game, path: Sequence[State], line: Iterator[Move], to_the_end: bool) -> Iterator[Move]:
    """Yield the moves of ``line``; with ``to_the_end``, then any moves: bounds have proven that they do not matter.

    The line starts after ``path`` and ends where chance decides or a position recurs.
    """
    *before, state = path
    for _ in range(LONGEST_LINE):
        if game.is_terminal(state) or (isinstance(game, Chance) and game.to_move(state) == CHANCE):
            return
        check_two_players(game, state, "mcts")
        move = next(line, None)
        if move is None:
            if not to_the_end or recurs(game, state, before):
                return
            move = next(iter(game.moves(state)))
        yield move
        before.append(state)
        state = game.play(state, move)
