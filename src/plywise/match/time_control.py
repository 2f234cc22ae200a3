"""How long a bot may think: a clock for the game, or a limit for each move."""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple

import numpy as np

from plywise.errors import SearchError
from plywise.inputs.limits import check_limits
from plywise.io.numbers import read_real, read_whole

_WHOLE = "[0-9]{1,9}"
_REAL = rf"{_WHOLE}(?:\.[0-9]{{1,17}})?"
_CONTROL = re.compile(
    rf"(?:(?P<moves>{_WHOLE})/)?(?:(?:(?P<hours>{_WHOLE}):)?(?P<minutes>{_WHOLE}):)?(?P<seconds>{_REAL})"
    rf"(?:\+(?P<increment>{_REAL}))?"
)

TOO_LONG_A_TIME = 10**9
"""Seconds: 31 years, and one more digit than ``parse`` reads."""


class TimeControl(NamedTuple):
    """Seconds for a game, or for every ``moves`` moves, and an increment per move."""

    base: float
    increment: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Return the time control that a text such as ``3:00+2``, ``10+0.1`` or ``40/5:00`` describes.

        Raises:
            SearchError: the text is not a time control.

        >>> TimeControl.parse("3:00+2")
        TimeControl(base=180.0, increment=2.0, moves=None)
        """
        found = _CONTROL.fullmatch(text.strip())
        if not found:
            raise SearchError(f"{text!r} is not a time control, such as 3:00+2 (3 minutes plus 2 s per move), 10+0.1 "
                              "(10 s plus 0.1 s per move) or 40/5:00 (5 minutes for every 40 moves)")  # fmt: skip
        hours, minutes, seconds, increment = (
            read_real(found[part] or "0") for part in ("hours", "minutes", "seconds", "increment")
        )
        moves = read_whole(found["moves"]) if found["moves"] else None
        control = cls(3600 * hours + 60 * minutes + seconds, increment, moves)
        if control.base <= 0 or control.moves == 0:
            raise SearchError(f"the time control {text!r} leaves no time to think")
        if control.base >= TOO_LONG_A_TIME:
            raise SearchError(f"the time control {text!r} is too long: it must be below {TOO_LONG_A_TIME:,} seconds")
        return control

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        base, increment = (np.format_float_positional(float(time), trim="-") for time in (self.base, self.increment))
        return f"{moves}{base}+{increment}"


@dataclasses.dataclass(frozen=True)
class Limits:
    """A bot's limits for a move, or for a game (``clock``)."""

    clock: TimeControl | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        check_limits(self.depth, self.seconds, self.nodes)
        if self.clock is not None and self.seconds is not None:
            raise SearchError("a bot has a clock for the game or seconds for each move, not both")

    def __bool__(self) -> bool:
        return bool(self.given())

    def given(self) -> dict[str, TimeControl | float | int]:
        """Return the limits that are set, by name."""
        return {name: limit for name, limit in vars(self).items() if limit is not None}


UNLIMITED = Limits()


class Clock:
    """One player's clock during a game."""

    def __init__(self, limits: Limits) -> None:
        self.control = limits.clock
        self.each = limits.seconds
        self.remaining = self.control.base if self.control else 0.0
        self.moves_to_go = self.control.moves if self.control else None

    @property
    def allowed(self) -> float | None:
        """How many seconds the next move may take; None: no limit."""
        return self.remaining if self.control else self.each

    def spend(self, seconds: float, margin: float) -> bool:
        """Stop the clock after a move that took ``seconds``; returns whether it was at most ``margin`` late."""
        if self.allowed is not None and seconds > self.allowed + margin:
            return False
        if self.control is not None:
            self.remaining = max(0.0, self.remaining - seconds) + self.control.increment
            if self.moves_to_go is not None:
                self.moves_to_go -= 1
                if self.moves_to_go == 0:
                    self.moves_to_go = self.control.moves
                    self.remaining += self.control.base
        return True
