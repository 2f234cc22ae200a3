"""External programs that speak GTP, the Go Text Protocol (Farnebäck 2002): ``gtp:gnugo --mode gtp --level 10``.

They get the size of the board, the komi if the game has one, and moves by the names of points.  So they can play a game
whose moves are named like the points of its board, such as Go.  The umpire's rules count: the program must agree.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Iterator

from plywise.errors import SearchError, shortened
from plywise.game import Game, Move, State
from plywise.layers.view import cells_of
from plywise.match.bots import Bot, BotSpec, Choice, IllegalMove, NoContest, Turn, not_started
from plywise.match.time_control import Clock, Limits

READY = 180.0
"""How many seconds a program has to get ready, or to answer anything but ``genmove``."""
LONGEST_THOUGHT = 3600.0
"""How many seconds ``genmove`` may take; the umpire ends a game much earlier if there is a clock."""
FAREWELL = 2.0
"""How many seconds a program has to exit before it is killed."""
LONGEST_ANSWER = 80
"""The most characters that an error quotes of an answer."""
LONGEST_LINE = 1 << 16
"""The most characters of a line; a longer one is read as several."""
MOST_LINES = 10_000
"""The most lines of an answer, and the most that wait to be read: a program that keeps printing must wait then."""
COLOURS = ("black", "white")
PASS = "pass"


class GtpFailure(Exception):
    """The program exited, did not answer, or refused a command."""


class GtpProgram:
    """A program in its own process, which answers commands."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command, posix=os.name != "nt")
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                encoding="utf-8", errors="replace", start_new_session=os.name != "nt",
            )  # fmt: skip
        except (OSError, IndexError, ValueError) as error:
            raise not_started(command, "gtp", error) from None
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self.closed = False
        self.listener = threading.Thread(target=self._listen, name="gtp listener", daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed
            while not self.closed and (line := self.process.stdout.readline(LONGEST_LINE)):
                self.lines.put(line.rstrip("\r\n"))
        self.lines.put(None)

    def ask(self, command: str, seconds: float = READY) -> str:
        """Send a command and return the answer, without ``=``.

        Raises:
            GtpFailure: the program exited, refused the command, or did not answer within ``seconds``.
        """
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{command}\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise GtpFailure(f"it exited before {command!r}") from None
        answer = "\n".join(self._answer(command, time.monotonic() + seconds))
        if answer.startswith("?"):
            raise GtpFailure(f"it refused {command!r}: {shortened(answer[1:].strip(), LONGEST_ANSWER)!r}")
        return answer[1:].strip()

    def _answer(self, command: str, deadline: float) -> Iterator[str]:
        """Yield the lines of an answer, which an empty line ends; skip lines before it."""
        begun, count = False, 0
        while True:
            try:
                if (left := deadline - time.monotonic()) <= 0:  # also while there are lines to read
                    raise queue.Empty
                line = self.lines.get(timeout=left)
            except queue.Empty:
                raise GtpFailure(f"it did not answer {command!r} in time") from None
            if line is None:
                self.lines.put(None)  # for the next command
                raise GtpFailure(f"it exited during {command!r}")
            if begun and not line.strip():
                return
            begun = begun or line.startswith(("=", "?"))
            if begun:
                count += 1
                if count > MOST_LINES:
                    raise GtpFailure(f"its answer to {command!r} has more than {MOST_LINES:,} lines")
                yield line

    def close(self) -> None:
        """Ask the program to exit; kill it if it does not."""
        with contextlib.suppress(GtpFailure):
            self.ask("quit", FAREWELL)
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        try:
            self.process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.closed = True
        with contextlib.suppress(queue.Empty):
            while True:  # the listener may wait for room in the queue
                self.lines.get_nowait()

    def kill(self) -> None:
        """Kill the program at once."""
        with contextlib.suppress(OSError):
            os.kill(self.process.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)


class GtpBot(Bot):
    """A GTP program as a bot."""

    def __init__(self, game: Game, spec: BotSpec) -> None:
        self.game = game
        self.command = spec.command
        check_points(game)
        _check(spec)
        self.start: State | None = None
        """The first position of the game that the program knows; None if it knows none."""
        self.moves: list[Move] = []
        """The moves that it knows."""
        self.program = GtpProgram(spec.command)

    def warm_up(self, state: State, limits: Limits) -> None:
        try:
            if self.program.ask("protocol_version") != "2":
                raise GtpFailure("its protocol_version is not 2")
            self._begin(state if self._can_set_up() else self.game.initial())  # the moves of an opening come later
            self._tell_clock(state, Clock(limits))
        except GtpFailure as failure:
            self.close()
            raise SearchError(f"{self.command!r} failed to get ready as a gtp program: {failure}") from None

    def new_game(self, seed: int) -> None:
        self.start = None

    def choose(self, turn: Turn) -> Choice:
        self._follow(turn)
        player = self.game.to_move(turn.state)
        clock = turn.clocks[player]
        if clock.control is not None:
            self.program.ask(f"time_left {COLOURS[player]} {int(clock.remaining)} {clock.moves_to_go or 0}")
        answer = self.program.ask(f"genmove {COLOURS[player]}", LONGEST_THOUGHT)
        if answer.lower() == "resign":
            return Choice(None)
        move = _move_named(self.game, turn.state, answer)
        self.moves.append(move)
        return Choice(move)

    def close(self) -> None:
        self.program.close()

    def kill(self) -> None:
        self.program.kill()

    def _follow(self, turn: Turn) -> None:
        """Tell the program what it does not know yet of the game."""
        known = self.start == turn.states[0] and self.moves == list(turn.moves[: len(self.moves)])
        if self.start is None or not known:
            self._begin(turn.states[0])
            self._tell_clock(turn.state, turn.clocks[self.game.to_move(turn.state)])
        for ply in range(len(self.moves), len(turn.moves)):
            state, move = turn.states[ply], turn.moves[ply]
            self.program.ask(f"play {COLOURS[self.game.to_move(state)]} {self.game.format_move(state, move)}")
            self.moves.append(move)

    def _can_set_up(self) -> bool:
        """Return whether a stone can be placed by ``play`` without other effects, such as discs that turn: in Go."""
        return hasattr(self.game, "komi")

    def _begin(self, start: State) -> None:
        """Set up the first position: no stone is captured on the way, whatever the order of the stones.

        Raises:
            NoContest: it cannot be set up.
        """
        if not self._can_set_up() and start != self.game.initial():
            raise NoContest(f"{self.command!r} cannot start from {self.game.format(start)!r}: GTP can set up "
                            f"a position only in games with komi, like Go, unlike {self.game!r}")  # fmt: skip
        layout, komi = self.game.layout, getattr(self.game, "komi", None)
        assert layout is not None
        if layout.columns == layout.rows:
            self.program.ask(f"boardsize {layout.columns}")
        else:
            self.program.ask(f"rectangular_boardsize {layout.columns} {layout.rows}")
        self.program.ask("clear_board")
        if komi is not None:
            self.program.ask(f"komi {komi}")
        usual = cells_of(self.game, self.game.initial())
        for place, (piece, before) in enumerate(zip(cells_of(self.game, start), usual, strict=True)):
            if piece not in (0, before):
                self.program.ask(f"play {COLOURS[piece - 1]} {layout.name(place)}")
        self.start, self.moves = start, []

    def _tell_clock(self, state: State, clock: Clock) -> None:
        """Tell the time control.  GTP has no increments; ``time_left`` tells what they add."""
        if clock.control is not None:
            base, moves = int(clock.control.base), clock.control.moves
            self.program.ask(f"time_settings 0 {base} {moves}" if moves else f"time_settings {base} 0 0")
        elif clock.each is not None:
            self.program.ask(f"time_settings 0 {max(1, int(clock.each))} 1")


def _move_named(game: Game, state: State, text: str) -> Move:
    for move in game.moves(state):
        if game.format_move(state, move).lower() == text.lower():
            return move
    raise IllegalMove(shortened(text, LONGEST_ANSWER))


def check_points(game: Game) -> None:
    """Check that GTP can describe a game: its moves must be named by the points of its board.

    Raises:
        SearchError: it cannot.
    """
    state = game.initial()
    names = [] if game.layout is None else [game.layout.name(place).lower() for place in range(game.layout.size)]
    moves = {game.format_move(state, move).lower() for move in game.moves(state)}
    if len(set(names)) < len(names) or not moves <= {PASS, *names}:
        raise SearchError(f"GTP is for games like Go, but {game!r} does not name its moves by the points of a board")


def _check(spec: BotSpec) -> None:
    """Check that GTP can describe the limits of a bot."""
    if spec.limits.nodes is not None or spec.limits.depth is not None:
        raise SearchError(f"the bot {str(spec)!r} cannot have nodes= or depth=: GTP has no such limits, but a program "
                          "may have options, such as 'gtp:gnugo --mode gtp --level 5'")  # fmt: skip
    if spec.options:
        option = next(iter(spec.options))
        raise SearchError(f"the bot {str(spec)!r} cannot have {option}=: write its options into the command")
