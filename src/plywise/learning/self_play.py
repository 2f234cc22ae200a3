"""Games of the engine against itself, in compiled code: positions to learn from, each with the value of a search.

A game begins with random moves.  Every position is then searched, depth by depth, until enough nodes are visited, and
kept if it is quiet.  Walks lead from it to positions beside the game, which a smaller search scores: they teach what
strong players never allow, such as a piece that hangs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plywise.algorithms.common import infinity, limits
from plywise.bits import any_number
from plywise.compiling.native import Native, NativeValue, inlined
from plywise.compiling.reading import call_of, prepare, supervised
from plywise.compiling.rows import put_words
from plywise.compiling.threads import SearchThread
from plywise.compiling.words import word_count
from plywise.engine.distance import winning
from plywise.engine.judged import in_thread
from plywise.engine.margins import margins_for, use_margins
from plywise.engine.node import Search, root_frame
from plywise.engine.plan import has_margins, plan_for
from plywise.engine.playing_search import playing_search
from plywise.engine.table import NO_MOVE, SEARCHES, table_of
from plywise.engine.trail import Trail, new_trail
from plywise.engine.work import HORIZON, LOOP, NEVER, NODES, PAST, new_work, path_mark
from plywise.errors import SearchError, Stopped
from plywise.game import MIN, Game, Move, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE, check_megabytes, check_seconds, check_threads, check_whole
from plywise.inputs.positions import check_zero_sum, unfinished
from plywise.layers import Chance
from plywise.layers.playouts import any_move
from plywise.learning.positions import BESIDE, FIRST, MIN_MOVES, PROVEN, Positions

DEEPEST = 64
"""The greatest depth of a search: where hardly anything can move, depths cost no nodes."""
HALF_WINDOW = 0.5
"""The half-width of an aspiration window, in swings of the game."""
TRIES = 20
"""How many openings to try for one that is not decided yet; in small games there may be none."""
LONGEST_WALK, TO_QUIET = 3, 4
"""The most random moves of a walk, and the most best moves after them to a quiet position."""
UNFAIR, WON, DULL = 5.0, 15.0, 0.1
"""Values in swings of the game (``Tactics.swing``): an opening beyond the first is tried again; a game beyond the
second for WON_PLIES is won; one within the third for DULL_PLIES, after LONG_PLIES, is drawn."""
WON_PLIES, DULL_PLIES, LONG_PLIES = 5, 12, 80
MOST_PLIES = LONGEST_LINE - LONGEST_WALK - TO_QUIET
MOST_OF_A_KIND = 1 << 30
"""The largest number among the options: random numbers have 31 bits."""
CHUNK = 1 << 12
"""About how many positions a thread delivers at once."""
CHUNK_NODES = {True: 2_000_000, False: 2_000}
"""After how many nodes it delivers what it has: about three seconds, compiled or not."""

USED, GAMES, VISITED = range(3)
"""Places in ``Book.count``: rows of finished games; finished games; nodes."""
PLY, FLAGS = range(2)
"""Columns of ``Book.notes``."""


class SelfPlayOptions(NativeValue):
    """How the engine plays against itself."""

    OPEN: ClassVar[bool] = True

    nodes: int = 500
    """Deepen until this many nodes are visited."""
    least_opening: int = 4
    most_opening: int = 10
    """The random moves that a game begins with: from ``least_opening`` to ``most_opening``."""
    slips: int = 40
    last_slip: int = 40
    """One in ``slips`` moves is random too, until ply ``last_slip``; 0 for none.  What came before such a move says
    nothing of the result."""
    walks: int = 2
    """Walks of up to three random moves from every position that is kept."""
    walk_nodes: int = 100
    """Deepen until this many nodes are visited, at the end of a walk."""
    play_out: int = 4
    """One in this many games goes on when it is decided; 0 for none."""
    longest: int = 400
    """The most plies of a game; the result of a longer one is unknown."""

    def check(self) -> None:
        """Check the options.

        Raises:
            SearchError: a number is too small or too large.
        """
        for name in ("nodes", "walk_nodes", "slips", "last_slip", "walks", "play_out"):
            check_whole(name, getattr(self, name), 1 if "nodes" in name else 0, MOST_OF_A_KIND)
        check_whole("longest", self.longest, 1, MOST_PLIES)
        check_whole("most_opening", self.most_opening, 0, self.longest - 1)
        check_whole("least_opening", self.least_opening, 0, self.most_opening)


class Book(Native):
    """What a thread writes: positions as machine words, and what is known of each."""

    rows: np.ndarray
    values: np.ndarray
    results: np.ndarray
    notes: np.ndarray
    count: np.ndarray

    def write(self, row: int, state: State, value: float, ply: int, flags: int) -> None:
        """Write a position, with its value for MAX."""
        put_words(self.rows, row, 0, state)
        self.values[row] = value
        self.results[row] = math.nan
        self.notes[row, PLY], self.notes[row, FLAGS] = ply, flags

    def finish(self, end: int, known: int, result: float) -> None:
        """Take the rows of a game into account; those from ``known`` on, but for walks, led to the result."""
        for row in range(known, end):
            if self.notes[row, FLAGS] & BESIDE == 0:
                self.results[row] = result
        if end > self.count[USED]:
            self.notes[self.count[USED], FLAGS] |= FIRST
        self.count[USED] = end
        self.count[GAMES] += 1

    def positions(self) -> Positions:
        """Return a copy of what finished games have left."""
        used = int(self.count[USED])
        return Positions(
            self.rows[:used].copy(), self.values[:used].astype(np.float32), self.results[:used].astype(np.float32),
            self.notes[:used, PLY].astype(np.uint16), self.notes[:used, FLAGS].astype(np.uint8),
        )  # fmt: skip


def new_book(words: int, size: int) -> Book:
    """Return an empty book for positions of this many words."""
    rows, notes = np.zeros((size, words), dtype=np.int64), np.zeros((size, 2), dtype=np.int64)
    return Book(rows=rows, values=np.zeros(size), results=np.zeros(size), notes=notes, count=np.zeros(3, np.int64))


class Play(NamedTuple):
    """The tools of self-play, the same for all games of a thread."""

    search: Search
    options: SelfPlayOptions
    trail: Trail
    book: Book


# Compiled -------------------------------------------------------------------------------------------------------------


def play_games(
    game: Game, start: State, chunk: int, nodes: int, options: SelfPlayOptions, plan: Any, table: Any, work: Any,
    trail: Trail, book: Book,
) -> int:  # fmt: skip
    """Play until the book holds ``chunk`` positions, or enough nodes are visited; returns the number of positions."""
    book.count[USED] = book.count[GAMES] = book.count[VISITED] = 0
    play = Play(Search(game, plan, table, work), options, trail, book)
    while book.count[USED] < chunk and book.count[VISITED] < nodes:
        play_game(play, start)
    return int(book.count[USED])


def play_game(play: Play, start: State) -> None:
    """Play one game."""
    search, options, trail, book = play
    game, _, _, work = search
    here, ply = opening(play, start)
    row = known = int(book.count[USED])
    won = dull = 0
    result = math.nan
    plays_out = one_in(trail, options.play_out)
    while ply < options.longest:
        result = score_of(search, here, ply)
        if not math.isnan(result):
            break
        value, proven = deepened(play, here, ply, options.nodes)
        move, worth = work.line[0, 0], float(sign(game.to_move(here)) * value)
        if is_quiet(game, here, move):
            row = write(play, row, here, ply, worth, proven, 0)
            for _ in range(options.walks):
                row = walk(play, row, here, ply)
        won = won + 1 if is_beyond(game, worth, WON) and game.win_score < math.inf else 0
        dull = dull + 1 if ply > LONG_PLIES and has_margins(game) and not is_beyond(game, worth, DULL) else 0
        result = math.nan if plays_out else verdict(game, worth, proven, won, dull)
        if not math.isnan(result):
            break
        if ply < options.last_slip and one_in(trail, options.slips):
            slip = any_move(game, here, trail)
            if not is_over(search, game.play(here, slip), ply + 1):
                move, known = slip, row
        here, ply = game.play(here, move), ply + 1
    book.finish(row, known, result)


def score_of(search: Search, state: State, ply: int) -> float:
    """Return the score of a game that is over, by its rules or by repetition, for MAX; NaN if it goes on."""
    game = search.game
    if game.is_terminal(state):
        return float(game.score(state))
    return float(game.repetition(state)) if occurred(search, state, ply) >= game.repetitions - 1 else math.nan


def verdict(game: Game, worth: float, proven: bool, won: int, dull: int) -> float:
    """Return the score that a decided game would end with, for MAX; NaN if it is not decided."""
    if won >= WON_PLIES or abs(worth) >= float(winning(game)):  # a win in some plies is a win
        return math.copysign(float(game.win_score), worth)
    if proven:
        return worth
    return 0.0 if dull >= DULL_PLIES else math.nan


def opening(play: Play, start: State) -> tuple[State, int]:
    """Return a position after random moves, and their number; one in which nothing is decided, if there are such."""
    search, options, trail, _ = play
    tries = 0
    while True:
        tries += 1
        least = options.least_opening if tries <= TRIES else 0
        here, ply = start, 0
        over = is_over(search, here, ply)
        for _ in range(least + trail.below(options.most_opening - least + 1)):
            if not over:
                here, ply = search.game.play(here, any_move(search.game, here, trail)), ply + 1
                over = is_over(search, here, ply)
        if over:
            continue
        if tries > TRIES:
            return here, ply
        value, proven = deepened(play, here, ply, options.nodes)
        if not proven and not is_beyond(search.game, float(value), UNFAIR):
            return here, ply


def walk(play: Play, row: int, here: State, ply: int) -> int:
    """Walk to a quiet position beside the game, and write it; returns the row after it."""
    search, options, trail, _ = play
    game, _, _, work = search
    for _ in range(1 + trail.below(LONGEST_WALK)):
        here, ply = game.play(here, any_move(game, here, trail)), ply + 1
        if is_over(search, here, ply):
            return row
    for _ in range(TO_QUIET):
        nodes = options.walk_nodes if game.extension(here) == 0 else 1  # it is not quiet, and only needs a move
        value, proven = deepened(play, here, ply, nodes)
        move = work.line[0, 0]
        if is_quiet(game, here, move):
            return write(play, row, here, ply, float(sign(game.to_move(here)) * value), proven, BESIDE)
        here, ply = game.play(here, move), ply + 1
        if is_over(search, here, ply):
            break
    return row


def write(play: Play, row: int, state: State, ply: int, worth: float, proven: bool, flags: int) -> int:
    """Write a position into the book; returns the row after it."""
    flags |= (PROVEN if proven else 0) | (MIN_MOVES if play.search.game.to_move(state) == MIN else 0)
    play.book.write(row, state, worth, ply, flags)
    return row + 1


def deepened(play: Play, state: State, ply: int, nodes: int) -> tuple[Number, bool]:
    """Return the value for the player to move, and whether it is proven or a win in sight; the line is in ``work``."""
    search, _, _, book = play
    game, _, table, work = search
    work.count[NODES], work.count[PAST], work.count[LOOP] = 0, ply, NEVER
    work.first[0] = NO_MOVE
    table.settings[SEARCHES] += 1
    value, depth = infinity(game), 0
    while True:
        depth += 1
        value = aspired(search, state, depth, value)
        decided = work.count[HORIZON] == 0 or abs(value) >= winning(game)
        if decided or depth == DEEPEST or work.count[NODES] >= nodes:
            break
        work.first[0] = work.line[0, 0]
    work.first[0] = NO_MOVE
    book.count[VISITED] += work.count[NODES]
    return value, decided


def aspired(search: Search, state: State, depth: int, guess: Number) -> Number:
    """Return the value for the player to move, by a window around ``guess`` where the game has margins."""
    game, work = search.game, search.work
    low, high = -infinity(game), infinity(game)
    if depth >= 4 and has_margins(game):
        width = limits(game, (-infinity(game), HALF_WINDOW * game.swing))[1]
        low, high = guess - width, guess + width
    work.count[HORIZON] = 0
    value = playing_search(search, state, any_number(depth), low, high, root_frame())
    if low < value < high:
        return value
    work.count[HORIZON] = 0
    return playing_search(search, state, any_number(depth), -infinity(game), infinity(game), root_frame())


def is_over(search: Search, state: State, ply: int) -> bool:
    """Return whether a game ends here, or has been here before: random moves do not lead there."""
    return search.game.is_terminal(state) or occurred(search, state, ply) > 0


def occurred(search: Search, state: State, ply: int) -> int:
    """Put a position on the path; returns how often it has been there before."""
    game, plan, _, work = search
    times = 0
    if plan.loops:
        mark = path_mark(game, state)
        for place in range(max(0, ply - game.reversible(state)), ply):
            if work.path[place] == mark:
                times += 1
        work.path[ply] = mark
    return times


@inlined
def is_quiet(game: Game, state: State, best: Move) -> bool:
    """Return whether the evaluation can be trusted here: nobody is in check, and the best move wins nothing at once."""
    return game.extension(state) == 0 and game.gain(state, best) == 0


@inlined
def is_beyond(game: Game, worth: float, swings: float) -> bool:
    """Return whether somebody is ahead by this many swings, in games that have them."""
    return has_margins(game) and abs(worth) > swings * game.swing


@inlined
def one_in(trail: Trail, count: int) -> bool:
    """Return True once in ``count`` times, at random; never if it is 0."""
    return count > 0 and trail.below(count) == 0


# In Python ------------------------------------------------------------------------------------------------------------


_Found = tuple[Positions, int, int]
"""Positions, and how many games and nodes they took."""
_News = _Found | BaseException | None


class SelfPlay:
    """Plays a game against itself, in as many threads as wanted.

    Args:
        game: a game of two players whose scores sum to zero, without dice.
        options: how to play.
        threads: the number of threads; each plays games of its own.
        seed: other seeds give other games; with one thread, the same seed gives the same games.  To add to a file, take
            a new one, such as the number of positions in it.
        state: the position that games begin with, or its text; default: the initial position.
        chunk: about how many positions a thread delivers at once.
        table_mb: the size of each thread's table, in megabytes.

    >>> import plywise as pw
    >>> self_play = SelfPlay(pw.games.TicTacToe(), chunk=100)
    >>> sum(len(chunk) for chunk in self_play.chunks(positions=300)) >= 300
    True
    """

    def __init__(
        self, game: Game, options: SelfPlayOptions | None = None, *, threads: int = 1, seed: int = 0,
        state: State | str | None = None, chunk: int = CHUNK, table_mb: float = 16.0,
    ) -> None:  # fmt: skip
        check_zero_sum(game, "self-play")
        check_threads(threads)
        check_whole("chunk", chunk, 1, 1 << 24)
        check_megabytes("table_mb", table_mb)
        self.options = options or SelfPlayOptions()
        self.options.check()
        if isinstance(game, Chance):
            raise SearchError(f"self-play is for games without chance; {game!r} has some")
        start = unfinished(game, state)
        self.nodes = 0
        """The nodes visited so far."""
        self.games = 0
        """The games finished so far."""
        self.stopped = False
        """Whether ``stop`` was called since ``chunks`` began."""
        trails = [new_trail(seed, thread, 0, False) for thread in range(threads)]
        self._players = [_Player(in_thread(game), start, self.options, chunk, table_mb, trail) for trail in trails]

    @property
    def words(self) -> int:
        """The number of machine words of a position."""
        return int(self._players[0].book.rows.shape[1])

    def stop(self) -> None:
        """End ``chunks`` soon, from any thread: games that are not finished are dropped."""
        self.stopped = True
        for player in self._players:
            player.stop()

    def chunks(self, seconds: float | None = None, positions: int | None = None) -> Iterator[Positions]:
        """Yield positions as they come, until ``stop``, or after a time, or after a number of positions.

        Raises:
            KeyboardInterrupt: the user pressed Ctrl-C; all threads have ended by then.
        """
        check_seconds("seconds", seconds or 0)
        check_whole("positions", 0 if positions is None else positions, 0)
        self.stopped = False
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        left = math.inf if positions is None else positions
        source = self._from_threads(deadline) if self._players[0].is_compiled else self._in_turn(deadline)
        with closing(source):
            while left > 0 and (news := next(source, None)) is not None:
                found, games, nodes = news
                self.games, self.nodes, left = self.games + games, self.nodes + nodes, left - len(found)
                if len(found) > 0:
                    yield found

    def _in_turn(self, deadline: float) -> Generator[_Found, None, None]:
        """Yield positions of the first player, in this thread: plain Python gains nothing from others."""
        player, end = self._players[0], None if deadline == math.inf else deadline
        play = partial(supervised, player.play, player.stop, LONGEST_LINE, False, end)
        while not self.stopped and time.perf_counter() < deadline:
            yield player.more(self, play)

    def _from_threads(self, deadline: float) -> Generator[_Found, None, None]:
        """Yield positions of all players, each in its own thread."""
        queue: SimpleQueue[_News] = SimpleQueue()
        threads = [SearchThread(partial(player.serve, queue, self), player.stop) for player in self._players]
        busy = len(threads)
        try:
            for thread in threads:
                thread.start()
            while busy:
                left = deadline - time.perf_counter()
                if left <= 0 and not self.stopped:
                    self.stop()
                try:
                    news = queue.get(timeout=left if 0 < left < math.inf else None)
                except Empty:
                    continue
                if news is None:
                    busy -= 1
                elif isinstance(news, BaseException):
                    raise news
                else:
                    yield news
        finally:
            self.stop()
            interrupted = [thread.finish() for thread in threads]
            if any(interrupted):
                raise KeyboardInterrupt


class _Player:
    """One thread's game, workspace, table and book."""

    def __init__(
        self, game: Game, start: State, options: SelfPlayOptions, chunk: int, table_mb: float, trail: Trail
    ) -> None:
        plan, table = plan_for(game, False), table_of(table_mb)
        self.book = new_book(word_count(start), chunk + options.longest * (1 + options.walks))

        def given(compiled: bool) -> tuple[Any, ...]:
            self._work = new_work(plain=not compiled)
            use_margins([self._work], margins_for(game, None))
            return chunk, CHUNK_NODES[compiled], options, plan, table, self._work, trail, self.book

        compiled = prepare(play_games, game, start, lambda: given(True))
        self.is_compiled = compiled is not None
        arguments = given(self.is_compiled)
        self.play = partial(call_of(play_games, game, start, arguments, compiled), *arguments)

    def stop(self) -> None:
        """Stop playing at the next node."""
        self._work.stop()

    def more(self, boss: SelfPlay, play: Callable[[], Any]) -> _Found:
        """Play; returns what finished games have left."""
        self._work.begin(None)
        if boss.stopped:  # a stop that came before begin()
            self.stop()
        with suppress(Stopped):
            play()
        return self.book.positions(), int(self.book.count[GAMES]), int(self.book.count[VISITED])

    def serve(self, queue: SimpleQueue[_News], boss: SelfPlay) -> None:
        """Deliver positions until stopped; finally None, or an error."""
        try:
            while not boss.stopped:
                queue.put(self.more(boss, self.play))
            queue.put(None)
        except BaseException as error:
            queue.put(error)
