"""The bot that answers ``genmove``: one for each game, prepared before its clock runs."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

from plywise.compiling.progress import Compiling, compile_notice
from plywise.errors import SearchError
from plywise.game import Game, Move, State, sign
from plywise.gtp.timing import Timer
from plywise.match.bots import Bot, BotSpec, Choice, Turn
from plywise.match.time_control import Clock

SEEDS = 1_000_000
"""How many seeds to choose from: few enough to type one."""
BAD_MOVES = 3
"""For how many of its moves in a row a position must be lost before the bot resigns."""


class Player:
    """Thinks about moves."""

    def __init__(self, game: Game, spec: BotSpec, seed: int | None = None, resign: float | None = None) -> None:
        if resign is not None and not resign > 0:
            raise SearchError(f"resign={resign!r} must be above 0: it is how bad the value must be")
        self.spec, self.resign = spec, resign
        self.seed = random.randrange(SEEDS) if seed is None else seed
        self.game = game
        self.bot: Bot = spec.make(game)
        self.warm = False
        self.timers: list[Timer] | None = None
        """The time of both players; None: the bot's own limits hold."""
        self.bad = [0, 0]
        """For how many moves of each player in a row the value was bad enough to resign."""
        self.thinking_since: float | None = None

    def new_game(self) -> None:
        """Forget the last game."""
        self.bot.new_game(self.seed)
        self.bad = [0, 0]

    def set_time(self, main: float, period: float, moves: int) -> None:
        """Set the time control, the same for both players; a period without moves means that there is none."""
        endless = period > 0 and moves == 0
        self.timers = None if endless else [Timer(main, period, moves) for _ in range(2)]

    def set_time_left(self, player: int, left: float, moves_left: int) -> None:
        """Set what is left of a player's time."""
        if self.timers is None:
            self.timers = [Timer(left) for _ in range(2)]
        self.timers[player].set(left, moves_left)

    def prepare(self, game: Game, state: State) -> None:
        """Compile or load what is needed to play this game."""
        if game != self.game:
            self.bot.close()
            self.game, self.warm = game, False
            self.bot = self.spec.make(game)
            self.new_game()
        if not self.warm and not game.is_terminal(state):
            compile_notice.set(_Notice())
            self.bot.warm_up(state, self.spec.limits)
            self.warm = True

    def choose(self, game: Game, states: Sequence[State], moves: Sequence[Move]) -> Choice:
        """Return a move for the player to move in the last position; None if the bot resigns."""
        self.prepare(game, states[-1])
        player = game.to_move(states[-1])
        clocks = [timer.clock() for timer in self.timers] if self.timers else [Clock(self.spec.limits)] * 2
        limits = self.spec.limits
        begun = self.thinking_since = time.monotonic()
        try:
            choice = self.bot.choose(Turn(states, moves, clocks, limits))
        finally:
            self.thinking_since = None
        spent = time.monotonic() - begun
        if self.timers:
            self.timers[player].spend(spent)
        return choice if self._worth_playing(player, choice) else choice._replace(move=None)

    def _worth_playing(self, player: int, choice: Choice) -> bool:
        bad = self.resign is not None and choice.value is not None and sign(player) * choice.value <= -self.resign
        self.bad[player] = self.bad[player] + 1 if bad else 0
        return self.bad[player] < BAD_MOVES

    def stop(self, grace: float = 0.0) -> None:
        """Make the bot answer at once, if it has been thinking for longer than ``grace`` seconds."""
        since = self.thinking_since
        if since is not None and time.monotonic() - since > grace:
            self.bot.stop()


class _Notice:
    """Says once on standard error that something is being compiled: a GUI shows that, and the user waits."""

    def __init__(self) -> None:
        self.told = False

    def __call__(self, news: Compiling | None) -> None:
        if news is not None and not self.told:
            self.told = True
            print(f"plywise: compiling (only once): {news.what}", file=sys.stderr, flush=True)
