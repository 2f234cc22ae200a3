"""Time management: how long to think about each move of a game with a clock.

There are two limits.  After the *soft* limit no new depth starts: it would probably not finish.  At the *hard* limit
the search stops wherever it is.  The soft limit moves, up to the hard one: a move that keeps changing gets more time,
for there it pays (Hyatt 1984, "Using time wisely"); a move gets less if it has been the best one for many depths, or if
nearly all positions were searched for it alone, because the others fail at once.  Monte Carlo tree search has no
depths: it stops when the most visited move cannot be overtaken any more.

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
USUAL_EFFORT, EFFORT_WEIGHT = 0.68, 1.2
"""The share of positions that the best move usually takes; how much time a smaller or larger share is worth."""
EFFORT_DEPTH = 5
"""Shallower depths say nothing about effort."""
FRESH, STEADY, MOST_STEADY = 1.25, 0.06, 7
"""The time for a move that was not the best one at the depth before, in soft limits; how much less for each depth that
it has been; and for how many depths at most."""
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
        """Seconds after which to start no new depth, for a move that is neither easy nor difficult."""
        self.unrest = 0.0
        """How much the best move has changed lately."""
        self.steady = 0
        """For how many depths the best move has been the same."""
        self.ease = 1.0
        """How much time an easy move takes, as a share of the usual; a difficult one takes more."""
        self._move: Move | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the clock started."""
        return time.perf_counter() - self.begun

    @property
    def limit(self) -> float:
        """Seconds after which to start no new depth."""
        return min(self.hard, self.soft * (1 + self.unrest) * self.ease)

    def enough(self, result: Result) -> bool:
        """Return whether to stop after the depth that gave ``result``."""
        before, self._move = self._move, result.move
        if result.race is not None:
            return self.decided(result, result.race)
        self.unrest = self.unrest / 2 + (before is not None and result.move != before)
        self.steady = self.steady + 1 if result.move == before else 0
        self.ease = FRESH - STEADY * min(self.steady, MOST_STEADY)
        if result.effort is not None and (result.depth or 0) >= EFFORT_DEPTH:
            self.ease *= 1 + EFFORT_WEIGHT * (USUAL_EFFORT - result.effort)
        return self.elapsed >= self.limit

    def decided(self, result: Result, race: Race) -> bool:
        """Return whether to stop Monte Carlo tree search: if the second move cannot catch up in time, or if time is up.

        There is more time while another move looks better than the one with the most rounds (Huang, Coulom and Lin
        2010, "Time management for Monte-Carlo tree search applied to the game of Go").
        """
        self.unrest = float(not race.agreed)
        left = self.limit - self.elapsed
        return left <= 0 or race.first - race.second > left * (result.leaves or 0) / max(result.seconds, LEAST)
