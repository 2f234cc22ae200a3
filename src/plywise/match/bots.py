"""Bots: the engine with its options, an algorithm by name, a random mover, or an external program.

A text describes a bot: its kind, then options, all separated by commas.

engine,nodes=20000,null_move=off        the engine; threads=, table_mb= and all of its options
alphabeta,depth=4                       any algorithm by name
mcts,seconds=0.1                        such as Monte Carlo tree search
engine,level=Club                       as weak as a level of the page
jamboree,depth=8,threads=2              or a parallel search
random                                  any legal move
uci:stockfish,Skill Level=8             a program that speaks UCI, with its own options (see ``plywise.match.external``)
xboard:gnuchess,depth=6                 a program that speaks xboard
gtp:gnugo --mode gtp --level 10         a program that speaks GTP, such as one for Go (``plywise.match.gtp_program``)

``clock=``, ``seconds=``, ``nodes=`` and ``depth=`` limit it, ``name=`` names it.  Quote an option whose value has a
comma: ``"name=here, there"``.
"""

from __future__ import annotations

import csv
import dataclasses
import difflib
import random
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from plywise.algorithms import algorithm_named, engine
from plywise.engine.clock import OVERHEAD, TimeManager
from plywise.engine.control import Control
from plywise.engine.engine import Engine
from plywise.engine.strength import FULL_STRENGTH, LEVELS
from plywise.errors import PlywiseError, SearchError
from plywise.game import MAX, Game, Move, State
from plywise.inputs.limits import check_seconds
from plywise.inputs.positions import check_zero_sum
from plywise.io.numbers import read_value
from plywise.layers import Chance
from plywise.match.ending import allowed_moves
from plywise.match.time_control import UNLIMITED, Clock, Limits, TimeControl
from plywise.result import Result
from plywise.search import ARGUMENTS, search

RANDOM = "random"
LIMITS = ("clock", "seconds", "nodes", "depth")
PROGRAMS = {"uci": "stockfish", "xboard": "gnuchess", "gtp": "gnugo --mode gtp"}
"""Protocols of external programs, with an example of each."""

_QUICK: dict[str, dict[str, Any]] = {
    "clock": {"clock": TimeControl(1.0), "nodes": 1},
    "seconds": {"seconds": 1.0, "nodes": 1},
    "nodes": {"nodes": 1},
    "depth": {"depth": 1},
}
"""Limits for a search that does little but compile the code needed under the usual limits."""


class Turn(NamedTuple):
    """What a bot gets when it is to move."""

    states: Sequence[State]
    """All positions of the game, from its start to this one."""
    moves: Sequence[Move]
    """The moves between them."""
    clocks: Sequence[Clock]
    """The clocks of both players, Max's first."""
    limits: Limits
    """The limits of the player to move."""

    @property
    def state(self) -> State:
        """The position to move in."""
        return self.states[-1]


class IllegalMove(Exception):
    """A bot answered with an illegal move, or with no move."""


class NoContest(PlywiseError):
    """Something failed that is the fault of neither bot: the game has no result, and the match cannot go on."""


class Choice(NamedTuple):
    """A bot's answer."""

    move: Move | None
    """None: it resigns."""
    value: float | None = None
    """Its value of the position, for Max."""
    depth: int | None = None


class Bot:
    """Plays one side of a game."""

    def choose(self, turn: Turn) -> Choice:
        """Return a move."""
        raise NotImplementedError

    def warm_up(self, state: State, limits: Limits) -> None:
        """Compile or load what is needed to play from this position under these limits.  No clock is running yet."""

    def new_game(self, seed: int) -> None:
        """Forget the last game; ``seed`` is for random choices in the next."""

    def set_margins(self, margins: Mapping[str, float]) -> None:
        """Search with these margins from the next game on.

        Raises:
            SearchError: it has none; only the engine does.
        """
        raise SearchError("only the engine has margins")

    def stop(self) -> None:
        """Answer at once, with the best move so far; called from another thread while the bot is thinking."""

    def close(self) -> None:
        """Release everything, including other processes."""

    def kill(self) -> None:
        """Kill other processes that it started, at once."""


@dataclasses.dataclass(frozen=True)
class BotSpec:
    """The description of a bot, from which any process can make it.

    >>> spec = BotSpec.parse("engine,null_move=off,nodes=20000")
    >>> spec.limits.nodes, spec.options
    (20000, {'null_move': False})
    >>> str(BotSpec.parse("engine", Limits(seconds=0.1)))
    'engine,seconds=0.1'
    """

    kind: str
    limits: Limits = UNLIMITED
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    name: str = ""
    command: str = ""
    """For an external program: the command that starts it."""

    @classmethod
    def parse(cls, text: str, limits: Limits | None = None) -> BotSpec:
        """Return the bot that a text describes, with these limits unless the text names its own.

        Raises:
            SearchError: the text does not describe a bot.
        """
        kind, *words = (word.strip() for word in next(csv.reader([text], skipinitialspace=True)) or [""])
        kind, _, command = kind.partition(":")
        if kind in PROGRAMS:
            if not command:
                raise SearchError(f"the bot {text!r} needs a program, such as {kind}:{PROGRAMS[kind]}")
        elif command or kind != RANDOM:
            _check_algorithm(text, kind, command)
        options = dict(_option(text, word, kind in PROGRAMS) for word in words if word)
        if len(options) < len([word for word in words if word]):
            raise SearchError(f"the bot {text!r} has an option twice")
        own = {name: options.pop(name) for name in LIMITS if name in options}
        if own and kind == RANDOM:
            raise SearchError(f"the bot {text!r} cannot have {next(iter(own))}=: random moves need no limit")
        if "level" in options and kind not in (*PROGRAMS, RANDOM) and options["level"] not in LEVELS:
            raise SearchError(f"the bot {text!r} has no level {options['level']!r}; levels are: {', '.join(LEVELS)}")
        if "clock" in own:
            own["clock"] = TimeControl.parse(str(own["clock"]))
        name = str(options.pop("name", ""))
        allowed = UNLIMITED if kind == RANDOM else Limits(**own) if own else limits or UNLIMITED
        return cls(kind, allowed, options, name, command)

    def __str__(self) -> str:
        name = {"name": self.name} if self.name else {}
        given = {**self.options, **self.limits.given(), **name}
        parts = [f"{self.kind}:{self.command}" if self.command else self.kind]
        parts += [f"{key}={_value_text(value)}" for key, value in given.items()]
        return ",".join(f'"{part}"' if "," in part else part for part in parts)

    def title(self) -> str:
        """Return its name for tables."""
        return self.name or str(self)

    def check_limited(self) -> None:
        """Check that it has a limit.

        Raises:
            SearchError: it has none.
        """
        level = FULL_STRENGTH if self.kind in PROGRAMS else self.options.get("level", FULL_STRENGTH)
        if not self.limits and level == FULL_STRENGTH:
            raise SearchError(f"the bot {str(self)!r} needs a limit: a clock, seconds, nodes or a depth")

    def make(self, game: Game) -> Bot:
        """Return the bot.

        Raises:
            SearchError, GameError: it cannot play this game, or not with these options.
        """
        check_zero_sum(game, "a match")
        if self.kind == RANDOM:
            return RandomBot(game, self)
        if self.kind in PROGRAMS:
            return self._program(game)
        return EngineBot(game, self) if algorithm_named(self.kind) is engine else AlgorithmBot(game, self)

    def _program(self, game: Game) -> Bot:
        """Return an external program."""
        if isinstance(game, Chance):
            raise SearchError(f"{self.kind}:{self.command} cannot play {game!r}: {self.kind} has no dice")
        if self.kind == "gtp":
            from plywise.match.gtp_program import GtpBot

            return GtpBot(game, self)
        from plywise.match.external import ExternalBot

        return ExternalBot(game, self)


def _check_algorithm(text: str, kind: str, command: str) -> None:
    try:
        if not command:
            algorithm_named(kind)
            return
    except SearchError:
        pass
    known = [engine.name, RANDOM, *(f"{protocol}:PROGRAM" for protocol in PROGRAMS)]
    near = difflib.get_close_matches(kind, known, 1)
    guess = f" (did you mean {near[0]}?)" if near else ""
    raise SearchError(f"there is no bot {text!r}{guess}; there are: {', '.join(known)} and what 'plywise algorithms' "
                      "lists")  # fmt: skip


def _option(text: str, word: str, as_text: bool) -> tuple[str, Any]:
    """Return the name and value of an option.  A program's own options stay texts; only limits are read."""
    name, equals, value = (part.strip() for part in word.partition("="))
    if not equals or not name:
        raise SearchError(f"{word!r} in the bot {text!r} is not NAME=VALUE")
    if name in ("name", "clock") or (as_text and name not in ("seconds", "nodes", "depth")):
        return name, value
    name = name.replace("-", "_")
    if name in ARGUMENTS and name not in LIMITS:
        raise SearchError(f"the bot {text!r} cannot have {name}=: it is not an option")
    return name, read_value(value)


def _value_text(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def not_started(command: str, protocol: str, error: Exception) -> SearchError:
    """Return the error to raise for a program that failed to start."""
    if isinstance(error, FileNotFoundError):
        return SearchError(f"there is no program {error.filename!r}: install it, or write its whole path")
    why = error.strerror if isinstance(error, OSError) else str(error)
    return SearchError(f"{command!r} failed to start as a {protocol} program: {why or 'no answer'}")


class RandomBot(Bot):
    """Plays a random legal move, all equally likely; never a forbidden repetition."""

    def __init__(self, game: Game, spec: BotSpec) -> None:
        if spec.options:
            raise SearchError(f"the bot 'random' has no option {next(iter(spec.options))}=")
        self.game = game
        self.chance = random.Random(0)

    def new_game(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def choose(self, turn: Turn) -> Choice:
        return Choice(self.chance.choice(allowed_moves(self.game, turn.states)))


class SearchingBot(Bot):
    """A bot that searches in this process, within its limits."""

    def __init__(self, game: Game, spec: BotSpec) -> None:
        self.game, self.algorithm = game, algorithm_named(spec.kind)
        if self.algorithm.needs_limit:
            spec.check_limited()
        self.options = dict(spec.options)
        self.overhead = self.options.pop("overhead", OVERHEAD)
        check_seconds("overhead", self.overhead)
        self.stopping = threading.Event()
        self.strength = LEVELS[self.options.pop("level", FULL_STRENGTH)].strength(game, self.algorithm is engine)
        self.luck = random.Random(0)

    def new_game(self, seed: int) -> None:
        self.luck = random.Random(seed)

    def search(self, turn: Turn, **limits: Any) -> Result:
        """Search the position to move in."""
        raise NotImplementedError

    def stop(self) -> None:
        self.stopping.set()

    def warm_up(self, state: State, limits: Limits) -> None:
        wanted = limits.given() or {"nodes": 1}  # a level limits the nodes
        quick = Limits(**{name: limit for given in wanted for name, limit in _QUICK[given].items()})
        self.choose(Turn([state], [], [Clock(quick), Clock(quick)], quick))

    def choose(self, turn: Turn) -> Choice:
        self.stopping.clear()  # a stop that came too late was meant for the last move
        clock = turn.clocks[self.game.to_move(turn.state)]
        limits: dict[str, Any] = {"seconds": clock.each, "depth": turn.limits.depth}
        limits["nodes"] = self.strength.limit(self.game, turn.limits.nodes)
        limits["enough"] = lambda result: self.stopping.is_set()
        if clock.control is not None:
            moves = list(self.game.moves(turn.state))
            if len(moves) == 1:
                return Choice(moves[0])
            increment = clock.control.increment
            manager = TimeManager(clock.remaining, increment, clock.moves_to_go, self.overhead)
            limits["seconds"] = manager.hard
            limits["enough"] = lambda result: manager.enough(result) or self.stopping.is_set()
        found = self.search(turn, **limits)
        result = self.strength.choose(found, self.luck, lambda: allowed_moves(self.game, turn.states))
        return Choice(result.move, round(float(result.value), 4), result.depth)


class EngineBot(SearchingBot):
    """The engine.  It keeps its table during a game and clears it for the next one."""

    def __init__(self, game: Game, spec: BotSpec) -> None:
        super().__init__(game, spec)
        self.exact = self.options.pop("exact", None)
        self.engine = Engine(game, **self.options)
        self.control = Control()

    def stop(self) -> None:
        super().stop()
        self.control.stop()

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self.engine.clear()

    def set_margins(self, margins: Mapping[str, float]) -> None:
        self.engine.set_margins(margins)

    def search(self, turn: Turn, **limits: Any) -> Result:
        self.control = Control()
        return self.engine.search(
            turn.state, exact=self.exact, history=turn.states[:-1], control=self.control,
            lines=self.strength.lines(self.game), **limits,
        )  # fmt: skip


class AlgorithmBot(SearchingBot):
    """An algorithm by name."""

    def __init__(self, game: Game, spec: BotSpec) -> None:
        super().__init__(game, spec)
        self.seed: dict[str, int] = {}

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self.seed = {"seed": seed} if "seed" in self.algorithm.options else {}

    def search(self, turn: Turn, **limits: Any) -> Result:
        options = {**self.seed, **self.options}
        if "history" in self.algorithm.options:
            options["history"] = turn.states[:-1]
        return search(self.game, turn.state, algorithm=self.algorithm, **options, **limits)


def sides(first_plays: int) -> tuple[int, int]:
    """Return which bot, the first (0) or the second (1), plays Max, and which plays Min."""
    return (0, 1) if first_plays == MAX else (1, 0)
