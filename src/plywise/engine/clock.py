"""Time management: how long to think about each move of a game with a clock.

There are two limits.  After the *soft* limit no new depth starts: it would probably not finish.  At the *hard* limit
the search stops wherever it is.  If the best move keeps changing, the soft limit is extended, up to the hard one: there
more time pays (Hyatt 1984, "Using time wisely").  Monte Carlo tree search has no depths: it stops when the most
visited move cannot be overtaken any more.

>>> from plywise.engine.clock import TimeManager
>>> thinking = TimeManager(180.0, increment=2.0)
>>> 4 < thinking.soft < 8 < 30 < thinking.hard < 40
True
"""

from __future__ import annotations

import time

from plywise.game import Move
from plywise.result import Race, Result

OVERHEAD = 0.02
"""Seconds kept in reserve for the delay between the end of a search and the stop of the clock."""
MOVES_LEFT = 25
"""The number of our moves assumed to be left, at any stage of the game; so some time is always left."""
INCREMENT_SHARE = 0.8
"""The share of the increment that a move may use."""
SOFT_SHARE = 0.7
"""The soft limit, as a share of a move's fair time: a depth that starts before it usually ends after it."""
HARD_SHARE = 4.0
"""The hard limit, in fair shares: how much a difficult move may take."""
MOST_OF_IT = 0.5
"""The largest share of the remaining time for one move, unless a time control follows right after it."""
LEAST = 0.001
"""Seconds to think when no time is left: losing on time is no worse than losing by a blunder."""


class TimeManager:
    """The time for one move, counted from its creation.

    Use it as in ``Engine.search(state, seconds=manager.hard, enough=manager.enough)``.

    Args:
        remaining: seconds on the clock.
        increment: seconds added after every move.
        moves_to_go: moves until the next time control; None: the time is for the rest of the game.
        overhead: seconds to keep in reserve.
        begun: when the clock started (``time.perf_counter``); default: now.
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
        """Seconds after which to start no new depth, if the best move has not changed."""
        self.unrest = 0.0
        self._move: Move | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the clock started."""
        return time.perf_counter() - self.begun

    @property
    def limit(self) -> float:
        """Seconds after which to start no new depth."""
        return min(self.hard, self.soft * (1 + self.unrest))

    def enough(self, result: Result) -> bool:
        """Return whether to stop after the depth that gave ``result``."""
        changed = self._move is not None and result.move != self._move
        self._move = result.move
        if result.race is not None:
            return self.decided(result, result.race)
        self.unrest = self.unrest / 2 + changed
        return self.elapsed >= self.limit

    def decided(self, result: Result, race: Race) -> bool:
        """Return whether to stop Monte Carlo tree search: if the second move cannot catch up in time, or if time is up.

        There is more time while another move looks better than the one with the most rounds (Huang, Coulom and Lin
        2010, "Time management for Monte-Carlo tree search applied to the game of Go").
        """
        self.unrest = float(not race.agreed)
        left = self.limit - self.elapsed
        return left <= 0 or race.first - race.second > left * (result.leaves or 0) / max(result.seconds, LEAST)
