"""How long to think about a move when a whole game has to fit on a clock.

There are two limits.  After the *soft* one no new depth is begun: it would most likely not be finished.  At the *hard*
one the search is stopped wherever it is.  A best move that keeps changing moves the soft limit, up to the hard one:
it is there that more time finds something (Hyatt 1984, "Using time wisely").

>>> from plywise.engine.clock import TimeManager
>>> thinking = TimeManager(180.0, increment=2.0)
>>> 4 < thinking.soft < 8 < 30 < thinking.hard < 40
True
"""

from __future__ import annotations

import time

from plywise.game import Move
from plywise.result import Result

OVERHEAD = 0.02
"""Seconds that pass between the end of a search and the stop of the clock, and are not to be thought away."""
MOVES_LEFT = 25
"""How many moves of ours a game is expected to last yet, whenever it is asked; so a bit of time is always left."""
INCREMENT_SHARE = 0.8
"""How much of the increment may be used at once."""
SOFT_SHARE = 0.7
"""Where the soft limit lies in a move's fair share of the time: the depth that is begun before it ends after it."""
HARD_SHARE = 4.0
"""How many fair shares a difficult move may take."""
MOST_OF_IT = 0.5
"""How much of all the time that is left one move may take, unless more is given right after it."""
LEAST = 0.001
"""Seconds to think for when there is no time left: to lose on time is not worse than to lose by a blunder."""


class TimeManager:
    """The time for one move; its clock starts when it is made.

    ``Engine.search(state, seconds=manager.hard, enough=manager.enough)`` keeps to it.

    Args:
        remaining: seconds on the clock.
        increment: seconds that every move adds.
        moves_to_go: moves until the next time control; None: the time is for the rest of the game.
        overhead: seconds to leave alone.
        begun: when the clock was started (``time.perf_counter``); default: now.
    """

    def __init__(
        self,
        remaining: float,
        increment: float = 0.0,
        moves_to_go: int | None = None,
        overhead: float = OVERHEAD,
        begun: float | None = None,
    ) -> None:
        self.begun = time.perf_counter() if begun is None else begun
        usable = max(LEAST, remaining - overhead)
        moves = MOVES_LEFT if moves_to_go is None else max(1, min(moves_to_go, MOVES_LEFT))
        share = usable / moves + INCREMENT_SHARE * increment
        self.hard = min(HARD_SHARE * share, usable if moves_to_go == 1 else max(LEAST, MOST_OF_IT * usable))
        """Seconds after which to stop."""
        self.soft = min(SOFT_SHARE * share, self.hard)
        """Seconds after which to begin no other depth, if the best move has not changed."""
        self.unrest = 0.0
        self._move: Move | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was started."""
        return time.perf_counter() - self.begun

    @property
    def limit(self) -> float:
        """Seconds after which to begin no other depth."""
        return min(self.hard, self.soft * (1 + self.unrest))

    def enough(self, result: Result) -> bool:
        """Return whether to begin no other depth, this being the result of the last one."""
        changed = self._move is not None and result.move != self._move
        self._move = result.move
        self.unrest = self.unrest / 2 + changed
        return self.elapsed >= self.limit
