"""The games of a match, each in a process of its own, so that a crash affects only one game.

Every slot of an executor (``plywise.cluster``) has such a process.

Before every move a worker reports which bot is about to think, and for how long.  If the worker crashes or hangs, that
bot loses the game, with the reason, and a new worker takes over.  If the bot is an external program, a crash of the
worker is not its fault, and the match ends with an error.

A worker killed from outside, for example because the system is short of memory, is first replaced, and the game starts
again.  If one game's workers are killed ``MOST_KILLS`` times, that counts as a crash.
"""

from __future__ import annotations

import contextlib
import dataclasses
import signal
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import partial
from multiprocessing.connection import Connection
from typing import NamedTuple

from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import Executor, Job, Lost, Threads, done_in_turn
from plywise.cluster.parcel import Parcel, arrived, with_files
from plywise.compiling.reading import interpreted, interpreting
from plywise.errors import GameError, PlywiseError, SearchError
from plywise.game import Game, Move
from plywise.io.processes import GUARD, UNGUARDED, leave, start
from plywise.match.arena import CRASH, ILLEGAL, TIME, Conditions, Played, play_game
from plywise.match.bots import PROGRAMS, Bot, BotSpec, sides
from plywise.match.dice import Dice, after_rolls
from plywise.match.rivals import Rival

PATIENCE = 5.0
"""How many seconds late a bot may be before its process is killed."""
FAREWELL = 2.0
"""How many seconds a process has to exit before it is killed."""

LISTEN_SECONDS = 0.02
"""How often to look whether a game is still wanted."""

MOST_KILLS = 3
"""How often a game is started if its process keeps being killed."""
_KILLS = {getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)}
"""Signals sent from outside; a crash raises other ones."""

_GONE = (EOFError, BrokenPipeError, ConnectionResetError)
"""Raised by a pipe whose other end is closed."""


class Pairing(NamedTuple):
    """A game to play."""

    number: int
    """From 1; numbers 2k - 1 and 2k are a pair from one opening."""
    start: str
    """The text of the first position."""
    book: tuple[Move, ...]
    """Moves to play before the bots take over."""
    first_plays: int
    """The side of the first bot: Max or Min."""
    seed: int
    dice: int | None = None
    """The seed of the umpire's dice, the same for both games of a pair; None in games without chance."""
    margins: tuple[Mapping[str, float], Mapping[str, float]] | None = None
    """For this game, the margins of the first and of the second bot, which must be engines; None: their own."""


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all games of a match have in common."""

    make_game: Callable[[], Game]
    bots: tuple[BotSpec, BotSpec]
    conditions: Conditions
    interpreted: bool = dataclasses.field(default_factory=interpreting)
    make_rival: Callable[[], Game] | None = None
    """Makes the game of the second bot, if it has its own (see ``plywise.match.rivals``)."""

    def make_bot(self, seat: int, game: Game, rival: Game | None) -> Bot:
        """Return the first (seat 0) or second (seat 1) bot."""
        if seat == 0 or rival is None:
            return self.bots[seat].make(game)
        return Rival(self.bots[seat].make(rival), rival)

    def make_warm_bot(self, seat: int, game: Game, rival: Game | None, pairing: Pairing) -> Bot:
        """Return a bot that has compiled or loaded what it needs to play from an opening."""
        state = game.parse(pairing.start)
        for move in pairing.book:
            state = game.play(state, move)
        state = after_rolls(game, state)
        bot = self.make_bot(seat, game, rival)
        if not game.is_terminal(state):
            try:
                bot.warm_up(state, self.bots[seat].limits)
            except BaseException:
                bot.close()
                raise
        return bot


class _Thinking(NamedTuple):
    """Message: a bot is about to move."""

    player: int
    seconds: float | None
    moves: tuple[Move, ...]
    """The moves and rolls since the last such message; in the first, since the book."""


class _Killed(Exception):
    """A process was killed from outside during a game."""


class _Failed(NamedTuple):
    """Message: the match cannot go on."""

    message: str


# In a worker process --------------------------------------------------------------------------------------------------


def work(pipe: Connection, setting: Setting) -> None:
    """Play the games that come through the pipe until its other end is closed."""
    table = _Table(setting, pipe)
    signal.signal(signal.SIGTERM, lambda *_: table.abandon())
    with contextlib.suppress(*_GONE), contextlib.ExitStack() as stack:
        stack.callback(table.close)
        if setting.interpreted:
            stack.enter_context(interpreted())
        try:
            table.sit_down()
            while True:
                pipe.send(table.play(pipe.recv()))
        except PlywiseError as error:
            pipe.send(_Failed(str(error)))
        except _GONE:
            raise
        except Exception as error:
            pipe.send(_Failed(f"{type(error).__name__}: {error}"))


class _Table:
    """The game and the two bots of a worker."""

    def __init__(self, setting: Setting, pipe: Connection) -> None:
        self.setting = setting
        self.pipe = pipe
        self.bots: list[Bot | None] = [None, None]

    def sit_down(self) -> None:
        self.game = self.setting.make_game()
        self.rival = self.setting.make_rival() if self.setting.make_rival else None

    def play(self, pairing: Pairing) -> Played:
        """Play a game.  A bot that failed in the last one is made again."""
        game, specs = self.game, self.setting.bots
        start = game.parse(pairing.start)
        for seat in range(len(specs)):
            bot = self.bots[seat]
            if bot is None:
                bot = self.bots[seat] = self.setting.make_warm_bot(seat, game, self.rival, pairing)
            if pairing.margins is not None:
                bot.set_margins(pairing.margins[seat])
            bot.new_game(2 * pairing.seed + seat)
        order = sides(pairing.first_plays)
        played = play_game(
            game, [self._bot(seat) for seat in order], [specs[seat].limits for seat in order], self.setting.conditions,
            start=start, book=pairing.book, dice=None if pairing.dice is None else Dice(pairing.dice),
            on_turn=lambda *turn: self.pipe.send(_Thinking(*turn)),
        )  # fmt: skip
        if played.reason in (CRASH, ILLEGAL):
            self.close(order[0] if played.score == 0 else order[1])
        return played

    def _bot(self, seat: int) -> Bot:
        bot = self.bots[seat]
        assert bot is not None
        return bot

    def close(self, *seats: int) -> None:
        """Close the bots in these seats; by default both."""
        for seat in seats or range(len(self.bots)):
            bot, self.bots[seat] = self.bots[seat], None
            if bot is not None:
                with contextlib.suppress(Exception):
                    bot.close()

    def abandon(self) -> None:
        """Kill external programs and exit at once."""
        for bot in self.bots:
            if bot is not None:
                bot.kill()
        leave(0)


# In the main process --------------------------------------------------------------------------------------------------


class GameProcess:
    """A worker process, seen from the main process."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.bots = setting.bots
        self.process, self.pipe = start(work, setting)
        self.pairing: Pairing | None = None
        self.moves: list[Move] = []
        self.thinking: int | None = None
        self.deadline: float | None = None

    def give(self, pairing: Pairing) -> None:
        """Send it a game to play."""
        self.pairing, self.thinking, self.deadline = pairing, None, None
        self.moves = list(pairing.book)
        with contextlib.suppress(*_GONE):  # it is dead, which ``heard`` will notice
            self.pipe.send(pairing)

    def heard(self) -> Played | None:
        """Receive a message; returns the game if it is over.

        Raises:
            GameError: the worker cannot play.
            SearchError: the script that it was started from would start workers in turn.
            _Killed: the worker was killed from outside.
        """
        try:
            message = self.pipe.recv()
        except _GONE:
            self.process.join()
            if self.process.exitcode == UNGUARDED:
                raise SearchError(GUARD) from None
            if -(self.process.exitcode or 0) in _KILLS:
                raise _Killed from None
            return self.died()
        if isinstance(message, _Failed):
            raise GameError(message.message)
        if isinstance(message, _Thinking):
            self.moves.extend(message.moves)
            self.thinking = message.player
            self.deadline = None if message.seconds is None else time.monotonic() + message.seconds
            return None
        assert isinstance(message, Played)
        return message

    def overdue(self) -> Played | None:
        """Return the game as a loss on time if the bot is more than ``PATIENCE`` late."""
        if self.deadline is None or time.monotonic() < self.deadline + PATIENCE:
            return None
        self.leave()
        return self._lost(TIME, f"no answer {PATIENCE:g} s after its time ran out")

    def died(self, times: int = 1) -> Played:
        """Return the game as a loss for the bot that was thinking.

        Raises:
            GameError: that bot is an external program, or no bot had moved yet.
        """
        how = _death(self.process.exitcode) + (f", {times} times" if times > 1 else "")
        if self.pairing is not None and self.thinking is not None:
            bot = self.bots[sides(self.pairing.first_plays)[self.thinking]]
            if bot.kind in PROGRAMS:
                raise GameError(f"while {bot.command!r} was thinking, {how}; this is not the program's fault")
        return self._lost(CRASH, how)

    def _lost(self, reason: str, detail: str) -> Played:
        """Return the game as a loss for the bot that was thinking."""
        if self.thinking is None:
            raise GameError(f"a worker process stopped before the first move: {detail}")
        return Played(self.moves, float(self.thinking), reason, detail)

    def leave(self) -> None:
        """End the process."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(FAREWELL)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Room:
    """Plays games, one after the other, in a process that is replaced if it dies.  The tools of a slot."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.process: GameProcess | None = None

    def play(self, desk: Desk, pairing: Pairing) -> Played:
        """Play a game.

        Raises:
            GameError: the process cannot play.
            Stopped: the game is no longer wanted.
        """
        for times in range(1, MOST_KILLS + 1):
            if self.process is None or not self.process.process.is_alive():
                self.close()
                self.process = GameProcess(self.setting)
            self.process.give(pairing)
            try:
                return self._played(desk, self.process)
            except _Killed:
                if times == MOST_KILLS:
                    return self.process.died(MOST_KILLS)
            except BaseException:
                self.close()
                raise
        raise AssertionError

    def _played(self, desk: Desk, process: GameProcess) -> Played:
        while True:
            speaks = process.pipe.poll(LISTEN_SECONDS)
            desk.check()
            played = process.heard() if speaks else process.overdue()
            if played is not None:
                return played

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.leave()
            self.process = None


FILES = ("network", "margins", "endings")
"""Options of bots that name files."""


def room_for(game: Game, share: float, setting: Setting) -> Room:
    """Return the tools of a slot."""
    first, second = (dataclasses.replace(bot, options=arrived(bot.options)) for bot in setting.bots)
    return Room(dataclasses.replace(setting, bots=(first, second)))


def play(desk: Desk, pairing: Pairing) -> Played:
    """Play a game: a job of an executor."""
    room: Room = desk.tools
    with desk.heeding(lambda: None):
        return room.play(desk, pairing)


def maker(game: Game) -> Callable[[], Game]:
    """Return how another process makes a game: from its source, wherever it is, or from a copy."""
    try:
        return Parcel.of(game).opened
    except GameError:
        return partial(_same, game)


def _same(game: Game) -> Game:
    return game


PlayedGames = Generator[tuple[Pairing, Played], None, None]


def played_games(game: Game, setting: Setting, pairings: Iterable[Pairing], executor: Executor | int) -> PlayedGames:
    """Yield games as they end, played by an executor, or several at a time on this machine.

    Raises:
        GameError: a worker cannot play, for example because the rules or a bot's options are faulty.
        SearchError: at the end, if some games could not be played.
    """
    with contextlib.ExitStack() as stack:
        if isinstance(executor, int):
            executor = stack.enter_context(Threads(executor))
        elif not isinstance(executor, Threads):
            first, second = (dataclasses.replace(bot, options=with_files(bot.options, FILES)) for bot in setting.bots)
            setting = dataclasses.replace(setting, bots=(first, second))
        kit = Kit(game, room_for, setting)
        stack.callback(executor.release, kit)
        jobs = (Job(kit, play, (pairing,), f"game {pairing.number} from {pairing.start!r}") for pairing in pairings)
        missing: list[Lost] = []
        for outcome in stack.enter_context(contextlib.closing(done_in_turn(executor, jobs, ahead=1))):
            if isinstance(outcome.error, Lost):
                missing.append(outcome.error)
            else:
                yield outcome.job.arguments[0], outcome.answer()
    if missing:
        raise SearchError(f"not played: {'; '.join(map(str, missing))}")


def _death(code: int | None) -> str:
    """Return in words how a process ended."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"the process was killed by {signal.Signals(-code).name}"
    return f"the process ended with exit code {code}"
