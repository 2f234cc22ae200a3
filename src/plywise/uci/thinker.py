"""The engine behind the protocol, and the thread in which it loads and searches.

Commands run in the order of their arrival.  Only ``stop``, ``ponderhit`` and, during a search, ``isready`` bypass the
queue, because they must not wait.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from plywise.engine.strength import Strength
from plywise.io.numbers import whole_number
from plywise.uci.engine_options import defaults, option_named
from plywise.uci.going import Going
from plywise.uci.protocol import remark, score_text

if TYPE_CHECKING:
    from plywise.engine.clock import TimeManager
    from plywise.engine.engine import Engine
    from plywise.games.chess.board import Position
    from plywise.games.chess.chess import Chess
    from plywise.result import Result

BOUNDS_AFTER = 1.0
"""Seconds before bounds are reported to the GUI; earlier there would be too many."""

SURE_MATE, SURE_MATE_MB = 3, 16
"""Up to this many moves, ``go mate`` searches all moves, so it finds a mate or proves that there is none; and the table
size in megabytes for that.  For longer mates it uses the playing search, which prunes and may miss one."""

MANY = 1000
"""The greatest depth of a search, in plies."""


class Thinker:
    """Runs jobs one after the other in its own thread."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.values = defaults()
        """The values of the options, by name."""
        self.loaded = False
        self.awaited: list[Callable[[], None]] = []
        """Jobs to run as soon as the engine is loaded."""
        self.lock = threading.Lock()
        self.jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="plywise thinker", daemon=True)
        self.start: str | None = "startpos"
        """The start position as the GUI wrote it; None if it must be parsed again."""
        self.moves, self.states = list[str](), list["Position"]()
        self.chance = random.Random()
        self.game: Chess
        self.engine: Engine

    # The thread -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start the thread, which loads the engine, if it is not running."""
        if self.thread.ident is None:
            self.thread.start()

    def put(self, job: Callable[[], None]) -> None:
        """Queue a job."""
        self.jobs.put(job)

    def when_loaded(self, job: Callable[[], None]) -> None:
        """Run a job outside the queue, as soon as the engine is loaded."""
        with self.lock:
            if not self.loaded:
                self.awaited.append(job)
                return
        job()

    def close(self, patience: float | None) -> bool:
        """End the thread after the queued jobs.  Wait ``patience`` seconds; return whether it has ended."""
        self.jobs.put(None)
        if self.thread.ident is not None:
            self.thread.join(patience)
        return not self.thread.is_alive()

    def _work(self) -> None:
        self._guarded(self._load)
        with self.lock:
            self.loaded = True
        for job in self.awaited:
            job()
        for job in iter(self.jobs.get, None):
            self._guarded(job)

    def _guarded(self, job: Callable[[], None]) -> None:
        """Run a job.  Report an exception to the GUI instead of raising it."""
        try:
            job()
        except Exception as error:
            self.say(remark(f"error: {str(error) or type(error).__name__}"))

    def _load(self) -> None:
        """Import and compile everything that a game needs, or load it from the cache."""
        begun = time.perf_counter()
        from plywise.compiling.progress import Compiling, compile_notice
        from plywise.games import Chess

        told: Compiling | None = None

        def notice(news: Compiling | None) -> None:
            nonlocal told
            if news is not None and told is None:
                self.say(f"info string compiling the engine (only once, up to a minute): {news.what}")
            told = news or told

        compile_notice.set(notice)
        self.game = Chess()
        self.engine = self._new_engine()
        self.set_position("startpos", ["g1f3", "g8f6"])
        self.engine.search(self.states[-1], nodes=1, history=self.states[:-1])
        self.engine.clear()
        self.set_position("startpos", [])
        if told:
            self.say(f"info string ready after {time.perf_counter() - begun:.0f} s")

    def _new_engine(self) -> Engine:
        from plywise.engine.engine import Engine

        return Engine(self.game, threads=self.values["Threads"], table_mb=self.values["Hash"])

    # Commands -------------------------------------------------------------------------------------------------------

    def new_game(self) -> None:
        """Clear the table for a new game."""
        self.engine.clear()

    def set_option(self, name: str, text: str) -> None:
        """Set an option."""
        from plywise.games import Chess

        option = option_named(name)
        if option is None:
            self.say(remark(f"there is no option {name!r}"))
            return
        try:
            value = option.read(text)
        except ValueError as wrong:
            self.say(remark(str(wrong)))
            return
        before, self.values[option.name] = self.values.get(option.name), value
        if option.name == "Clear Hash":
            self.engine.clear()
        elif option.name == "UCI_Chess960":
            self.game, self.start = Chess(chess960=value), None  # the same text may mean another move
        elif option.name in ("Hash", "Threads") and value != before:
            try:
                self.engine = self._new_engine()
            except Exception:
                self.values[option.name] = before
                raise

    def set_position(self, start: str, moves: list[str]) -> None:
        """Set the position.  Play only the moves that are new since the last call."""
        from plywise.errors import PositionError
        from plywise.games.chess.notation import parse_move_text

        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.moves, moves, strict=False)))
        states = self.states[: same + 1] if start == self.start else []
        rules = self.game.without_draws()  # moves after an unclaimed draw are legal
        try:
            states = states or [self.game.parse(start)]
            for text in moves[len(states) - 1 :]:
                move = parse_move_text(rules, states[-1], text, self.game.chess960)
                states.append(self.game.play(states[-1], move))
        except PositionError as wrong:
            number = f"move {len(states)}: " if states else ""
            self.say(remark(f"position ignored: {number}{wrong}"))
        else:
            self.start, self.moves, self.states = start, moves, states

    def show(self) -> None:
        """Show the position."""
        state = self.states[-1]
        self.say(f"{self.game.board(state)}\n\n{self.game.format(state)}")

    def bench(self, depth: str = "") -> None:
        """Run a fixed set of searches and report their nodes and speed, with code for chess alone."""
        from plywise.compiling.reading import specialised
        from plywise.engine.any_code import made_by
        from plywise.uci.bench import bench

        with made_by(specialised):
            bench(self.say, whole_number(depth))

    def perft(self, depth: int) -> None:
        """Count the sequences of ``depth`` moves, by first move."""
        from plywise.algorithms import perft

        rules, state, total = self.game.without_draws(), self.states[-1], 0
        for move in rules.moves(state) if depth else ():
            count = perft(rules, rules.play(state, move), depth - 1)
            self.say(f"{self._text(move)}: {count}")
            total += count
        self.say(f"\nNodes searched: {total if depth else 1}")

    def think(self, going: Going) -> None:
        """Search and send ``bestmove``.  Even after an error, the GUI gets a legal move."""
        try:
            if going.go.perft is not None:
                self.perft(going.go.perft)
                return
            state = self.states[-1]
            legal = list(islice(self.game.without_draws().moves(state), 2))  # none, one, or a choice
            answers = [self._text(legal[0]) if legal else "(none)"]
            if not legal:
                self.say(f"info depth 0 score {'mate 0' if state.checkers else 'cp 0'}")
            elif self.game.is_terminal(state):
                self.say("info depth 0 score cp 0 string the game is a draw by rule")
            else:
                self._guarded(lambda: answers.append(self._best(going, state, legal)))
            going.released.wait()
            self.say(f"bestmove {answers[-1]}")
        finally:
            going.done.set()

    def _best(self, going: Going, state: Position, legal: list[int]) -> str:
        go, clock = going.go, self._clock(going, state)

        def enough(result: Result) -> bool:
            done = clock is not None and (clock.enough(result) or len(legal) == 1)
            mate = go.mate is not None and _mate_within(score_text(*self._scale(result)), go.mate)
            return (done or mate) and not going.pondering

        seconds = going.start_clock(clock)
        if go.movetime is not None:
            each = max(0.001, (go.movetime - self.values["Move Overhead"]) / 1000 - going.waited)
            seconds = each if seconds is None else min(each, seconds)
        engine, depth, exact = self._looking_for_mate(go.mate) if go.mate else (self.engine, MANY, False)
        strength = Strength.rated(self.values["UCI_Elo"]) if self.values["UCI_LimitStrength"] else Strength()
        nodes, lines = strength.limit(self.game, go.nodes), max(strength.lines(self.game), self.values["MultiPV"])
        result = engine.search(
            state, depth=min(depth, go.depth or MANY), seconds=seconds, nodes=nodes, exact=exact, lines=lines,
            moves=self._searchmoves(go.searchmoves, state), history=self.states[:-1], control=going.control,
            enough=enough, on_info=self._tell,
            on_bound=lambda result: self._tell(result) if result.seconds > BOUNDS_AFTER else None,
        )  # fmt: skip
        if result.bound != "exact":
            self._tell(result)
        line = [self._text(move) for move in strength.choose(result, self.chance, lambda: [result.move]).line]
        return line[0] + (f" ponder {line[1]}" if len(line) > 1 else "")

    def _looking_for_mate(self, moves: int) -> tuple[Engine, int, bool]:
        """Return the engine for a mate in ``moves``, the depth to search, and whether to search exactly."""
        from plywise.engine.engine import Engine

        if moves > SURE_MATE:
            return self.engine, MANY, False
        return Engine(self.game, table_mb=SURE_MATE_MB), 2 * moves - 1, True

    def _clock(self, going: Going, state: Position) -> TimeManager | None:
        from plywise.engine.clock import TimeManager

        time_left = going.go.clock(bool(state.ply & 1))
        if time_left is None or going.go.infinite:
            return None
        overhead = self.values["Move Overhead"] / 1000
        return TimeManager(*time_left, going.go.movestogo, overhead, begun=going.received)

    def _searchmoves(self, texts: tuple[str, ...], state: Position) -> list[int]:
        from plywise.errors import PositionError

        moves = []
        for text in texts:
            try:
                moves.append(self.game.parse_move(state, text))
            except PositionError as wrong:
                self.say(remark(f"searchmoves: {wrong}"))
        return moves

    # Output to the GUI ----------------------------------------------------------------------------------------------

    def _tell(self, result: Result) -> None:
        if result.rank > self.values["MultiPV"]:
            return
        bound = {"exact": "", "lower": " lowerbound", "upper": " upperbound"}[result.bound]
        self.say(
            f"info depth {result.depth} seldepth {result.deepest or result.depth} multipv {result.rank} "
            f"score {score_text(*self._scale(result))}{bound} nodes {result.nodes} "
            f"nps {result.nodes_per_second:.0f} hashfull {1000 * (result.table_fill or 0):.0f} "
            f"time {1000 * result.seconds:.0f} pv {' '.join(map(self._text, result.line))}"
        )

    def _scale(self, result: Result) -> tuple[int, int, int]:
        """Return the arguments of ``score_text``, with the value for the player to move."""
        from plywise.inputs.limits import LONGEST_LINE

        game = result.game
        value = -result.value if game.to_move(result.state) else result.value
        return int(value), int(game.win_score), LONGEST_LINE

    def _text(self, move: int) -> str:
        from plywise.games.chess.notation import format_coordinates

        return format_coordinates(move, self.game.chess960)


def _mate_within(score: str, moves: int) -> bool:
    kind, _, count = score.partition(" ")
    return kind == "mate" and 0 < int(count) <= moves
