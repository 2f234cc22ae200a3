"""The time of a player, as GTP tells it: main time, then a number of moves in each period (Canadian byo-yomi)."""

from __future__ import annotations

from plywise.match.time_control import Clock, Limits, TimeControl

LEAST = 0.001
"""Seconds on a clock that has run out."""


class Timer:
    """One player's time.

    Args:
        main: seconds before the first period.
        period: seconds of a period.
        moves: how many moves each period is for; 0: there are no periods.
    """

    def __init__(self, main: float, period: float = 0.0, moves: int = 0) -> None:
        self.period, self.moves = period, moves
        self.left, self.moves_left = main, 0
        self.next_period()

    def next_period(self) -> None:
        """Begin a period if the main time or the last period is over."""
        if self.left <= 0 and self.moves:
            self.left, self.moves_left = self.period, self.moves

    def set(self, left: float, moves_left: int) -> None:
        """Set what is left: of the main time if ``moves_left`` is 0, else of a period."""
        self.left, self.moves_left = left, moves_left
        self.next_period()

    def spend(self, seconds: float) -> None:
        """Stop the clock after a move that took this long."""
        self.left -= seconds
        if self.moves_left:
            self.moves_left -= 1
            if self.moves_left == 0:
                self.left = 0.0
        self.next_period()

    def clock(self) -> Clock:
        """Return the clock as bots know it.  In the main time, a move's share of a period is as good as an increment.

        >>> clock = Timer(60, 30, 5).clock()
        >>> clock.remaining, clock.control.increment, clock.moves_to_go
        (60, 6.0, None)
        """
        share = self.period / self.moves if self.moves and not self.moves_left else 0.0
        left = max(LEAST, self.left)
        return Clock(Limits(TimeControl(left, share, self.moves_left or None)))
