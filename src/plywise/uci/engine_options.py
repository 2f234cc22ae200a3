"""The options of the UCI engine, how they are declared, and how their values are parsed."""

from __future__ import annotations

import dataclasses
from typing import Any

from plywise.engine.strength import STRONGEST, WEAKEST
from plywise.io.numbers import WORDS, whole_number


@dataclasses.dataclass(frozen=True)
class Option:
    """An option: a number from ``least`` to ``most``, a switch, or a button."""

    name: str
    default: int | bool | None
    """None for a button, which has no value."""
    least: int = 0
    most: int = 0

    def declaration(self) -> str:
        """Return the line that declares the option to a GUI."""
        if self.default is None:
            return f"option name {self.name} type button"
        if isinstance(self.default, bool):
            return f"option name {self.name} type check default {str(self.default).lower()}"
        return f"option name {self.name} type spin default {self.default} min {self.least} max {self.most}"

    def read(self, text: str) -> Any:
        """Return the value of a text.

        Raises:
            ValueError: the text is not a value; the message says what is allowed.
        """
        if self.default is None:
            return None
        if isinstance(self.default, bool):
            if text.lower() in WORDS:
                return WORDS[text.lower()]
            raise ValueError(f"{self.name} must be true or false, not {text!r}")
        number = whole_number(text)
        if number is None or not self.least <= number <= self.most:
            raise ValueError(f"{self.name} must be a number from {self.least} to {self.most}, not {text!r}")
        return number


UCI_OPTIONS = (
    Option("Hash", 64, 1, 65536),
    Option("Clear Hash", None),
    Option("Threads", 1, 1, 256),
    Option("MultiPV", 1, 1, 256),
    Option("Ponder", False),
    Option("Move Overhead", 30, 0, 5000),
    Option("UCI_Chess960", False),
    Option("UCI_LimitStrength", False),
    Option("UCI_Elo", 1500, WEAKEST, STRONGEST),
)


def option_named(name: str) -> Option | None:
    """Return the option with this name, ignoring case."""
    return next((option for option in UCI_OPTIONS if option.name.lower() == name.lower()), None)


def defaults() -> dict[str, Any]:
    """Return the default values of all options, by name."""
    return {option.name: option.default for option in UCI_OPTIONS if option.default is not None}
