"""The processes in which bots play: what happens to one of them happens to one game.

A worker tells before every move who is to think and for how long.  So when it dies, or does not come back, it is known
which bot that was: the game is lost for that bot, with the reason, and another worker takes over.  A program in a
process of its own is not to blame for the death of ours, which ends the match.

A worker that somebody kills, say a system that is short of memory, is nobody's fault at first: another one plays the
game again.  If that happens to a game again and again, it counts like any other death.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from plywise.compiling.reading import interpreted, interpreting
from plywise.errors import GameError, PlywiseError
from plywise.game import Game, Move
from plywise.io.processes import start
from plywise.match.arena import CRASH, ILLEGAL, TIME, Conditions, Played, play_game
from plywise.match.bots import PROGRAMS, Bot, BotSpec, sides
from plywise.match.rivals import Rival

PATIENCE = 5.0
"""Seconds that a bot may be late before its process is given up."""
FAREWELL = 2.0
"""Seconds that a process has to leave."""

MOST_KILLS = 3
"""How often a game is begun whose process is killed."""
_KILLS = {getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)}
"""Signals that come from outside; what goes wrong inside is another one."""

_GONE = (EOFError, BrokenPipeError, ConnectionResetError)
"""What a pipe says if there is nobody at its other end."""


class Pairing(NamedTuple):
    """A game to be played."""

    number: int
    """From 1; numbers 2k - 1 and 2k are a pair from one opening."""
    start: str
    """The text of the position in which it begins."""
    book: tuple[Move, ...]
    """Moves that are made before the bots are asked."""
    first_plays: int
    """Max or Min: which side the first of the bots has."""
    seed: int


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all games of a match have in common."""

    make_game: Callable[[], Game]
    bots: tuple[BotSpec, BotSpec]
    conditions: Conditions
    interpreted: bool = dataclasses.field(default_factory=interpreting)
    make_rival: Callable[[], Game] | None = None
    """The game of the second bot, if it is not the same (see ``plywise.match.rivals``)."""

    def make_bot(self, seat: int, game: Game, rival: Game | None) -> Bot:
        """Return the first bot or the second."""
        if seat == 0 or rival is None:
            return self.bots[seat].make(game)
        return Rival(self.bots[seat].make(rival), rival)


class _Thinking(NamedTuple):
    """Somebody is asked for a move."""

    player: int
    seconds: float | None
    move: Move | None
    """The one before."""


class _Killed(Exception):
    """A process was killed from outside while it had a game to play."""


class _Failed(NamedTuple):
    """Nobody can go on."""

    message: str


# In a process of its own ----------------------------------------------------------------------------------------------


def work(pipe: Connection, setting: Setting) -> None:
    """Play the games that come through the pipe until there is nobody at its other end."""
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
    """Where two bots sit."""

    def __init__(self, setting: Setting, pipe: Connection) -> None:
        self.setting = setting
        self.pipe = pipe
        self.bots: list[Bot | None] = [None, None]

    def sit_down(self) -> None:
        self.game = self.setting.make_game()
        self.rival = self.setting.make_rival() if self.setting.make_rival else None

    def play(self, pairing: Pairing) -> Played:
        """Play a game.  A bot that failed in the last one is made anew."""
        game, specs = self.game, self.setting.bots
        start = game.parse(pairing.start)
        opening = start
        for move in pairing.book:
            opening = game.play(opening, move)
        for seat, spec in enumerate(specs):
            bot = self.bots[seat]
            if bot is None:
                bot = self.bots[seat] = self.setting.make_bot(seat, game, self.rival)
                bot.warm_up(opening, spec.limits)
            bot.new_game(2 * pairing.seed + seat)
        order = sides(pairing.first_plays)
        played = play_game(
            game, [self._bot(seat) for seat in order], [specs[seat].limits for seat in order], self.setting.conditions,
            start=start, book=pairing.book, on_turn=lambda *turn: self.pipe.send(_Thinking(*turn)),
        )  # fmt: skip
        if played.reason in (CRASH, ILLEGAL):
            self.close(order[0] if played.score == 0 else order[1])
        return played

    def _bot(self, seat: int) -> Bot:
        bot = self.bots[seat]
        assert bot is not None
        return bot

    def close(self, *seats: int) -> None:
        """Send bots away; without an argument, all."""
        for seat in seats or range(len(self.bots)):
            bot, self.bots[seat] = self.bots[seat], None
            if bot is not None:
                with contextlib.suppress(Exception):
                    bot.close()

    def abandon(self) -> None:
        """Leave at once, with whatever programs were started."""
        for bot in self.bots:
            if bot is not None:
                bot.kill()
        os._exit(0)


# In the process that writes the results -------------------------------------------------------------------------------


class GameProcess:
    """A process that plays, as it is seen from outside."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.bots = setting.bots
        self.process, self.pipe = start(work, setting)
        self.pairing: Pairing | None = None
        self.moves: list[Move] = []
        self.thinking: int | None = None
        self.deadline: float | None = None

    def give(self, pairing: Pairing) -> None:
        """Let it play a game."""
        self.pairing, self.thinking, self.deadline = pairing, None, None
        self.moves = list(pairing.book)
        with contextlib.suppress(*_GONE):  # it is dead: that shows when it is listened to
            self.pipe.send(pairing)

    def heard(self) -> Played | None:
        """Return the game that it has played, if what it says next is that.

        Raises:
            GameError: it cannot play at all.
            _Killed: somebody killed it.
        """
        try:
            message = self.pipe.recv()
        except _GONE:
            self.process.join()
            if -(self.process.exitcode or 0) in _KILLS:
                raise _Killed from None
            return self.died()
        if isinstance(message, _Failed):
            raise GameError(message.message)
        if isinstance(message, _Thinking):
            if self.thinking is not None and message.move is not None:
                self.moves.append(message.move)
            self.thinking = message.player
            self.deadline = None if message.seconds is None else time.monotonic() + message.seconds
            return None
        assert isinstance(message, Played)
        return message

    def overdue(self) -> Played | None:
        """Return the game, lost, if somebody thinks for much too long."""
        if self.deadline is None or time.monotonic() < self.deadline + PATIENCE:
            return None
        self.leave()
        return self._lost(TIME, f"no answer {PATIENCE:g} s after the time was over")

    def replaced(self) -> GameProcess:
        """Return another process, which plays the same game."""
        assert self.pairing is not None
        self.leave()
        other = GameProcess(self.setting)
        other.give(self.pairing)
        return other

    def died(self, times: int = 1) -> Played:
        """Return the game as a loss of the bot that was thinking, if it ran in this process."""
        how = _death(self.process.exitcode) + (f", {times} times" if times > 1 else "")
        if self.pairing is not None and self.thinking is not None:
            bot = self.bots[sides(self.pairing.first_plays)[self.thinking]]
            if bot.kind in PROGRAMS:
                raise GameError(f"while {bot.command!r} was thinking, which is no fault of that program, {how}")
        return self._lost(CRASH, how)

    def _lost(self, reason: str, detail: str) -> Played:
        """Return the game as a loss of the bot that was thinking."""
        if self.thinking is None:
            raise GameError(f"a process that was to play stopped before the first move: {detail}")
        return Played(self.moves, float(self.thinking), reason, detail)

    def leave(self) -> None:
        """Let the process end."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(FAREWELL)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


PlayedGames = Generator[tuple[Pairing, Played], None, None]


def played_games(setting: Setting, pairings: Iterable[Pairing], workers: int) -> PlayedGames:
    """Yield games in the order in which they end; ``workers`` of them are played at a time.

    Raises:
        GameError: the rules of the game, or the way in which a bot was described, leave nothing to play.
    """
    waiting = iter(pairings)
    busy: list[GameProcess] = []
    kills: Counter[int] = Counter()
    try:
        for pairing in islice(waiting, workers):
            busy.append(GameProcess(setting))
            busy[-1].give(pairing)
        while busy:
            speaking = wait([worker.pipe for worker in busy], timeout=1.0)
            for worker in list(busy):
                assert worker.pairing is not None
                try:
                    played = worker.heard() if worker.pipe in speaking else worker.overdue()
                except _Killed:
                    kills[worker.pairing.number] += 1
                    if kills[worker.pairing.number] < MOST_KILLS:
                        busy[busy.index(worker)] = worker.replaced()
                        continue
                    played = worker.died(MOST_KILLS)
                if played is None:
                    continue
                yield worker.pairing, played
                busy.remove(worker)
                pairing_next = next(waiting, None)
                if pairing_next is None:
                    worker.leave()
                    continue
                if not worker.process.is_alive():
                    worker.leave()
                    worker = GameProcess(setting)
                worker.give(pairing_next)
                busy.append(worker)
    finally:
        for worker in busy:
            worker.leave()


def _death(code: int | None) -> str:
    """Return how a process ended."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"the process died of {signal.Signals(-code).name}"
    return f"the process ended with exit code {code}"
