"""Reads single keys from the terminal, and always restores the terminal's state."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

KEY_MEANINGS = {
    " ": "forward", "\r": "forward", "\n": "forward", "\x1b[C": "forward", "\x1bOC": "forward", "l": "forward",
    "\x1b[B": "forward", "\x1bOB": "forward", "n": "forward", "\x7f": "back", "\b": "back", "\x1b[D": "back",
    "\x1bOD": "back", "h": "back", "p": "back", "\x1b[A": "back", "\x1bOA": "back", "\x1b[H": "home", "\x1bOH": "home",
    "\x1b[1~": "home", "g": "home", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "G": "end", "q": "quit",
    "Q": "quit", "\x1b": "quit", "\x04": "quit", "": "quit",
    "\xe0M": "forward", "\xe0K": "back", "\xe0G": "home", "\xe0O": "end",
}  # fmt: skip
"""The meaning of what a key sends: on Unix an escape sequence, on Windows a prefix and a letter."""

SEQUENCE_SECONDS = 0.05
"""How long to wait for the rest of an escape sequence before taking it for the Escape key."""


@contextlib.contextmanager
def key_reader() -> Iterator[Callable[[], str]]:
    """Yield a function that waits for a key and returns its meaning, or "" if it has none."""
    read = _windows_key if sys.platform == "win32" else _unix_key
    with contextlib.nullcontext() if sys.platform == "win32" else _unbuffered():
        yield lambda: KEY_MEANINGS.get(read(), "")


@contextlib.contextmanager
def _unbuffered() -> Iterator[None]:
    """Switch off line buffering and echo; Ctrl-C still interrupts."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _unix_key() -> str:
    """Read one key, even if more are waiting: after Escape, read on only while a known sequence can follow."""
    import select

    terminal = sys.stdin.fileno()
    key = os.read(terminal, 1).decode(errors="replace")
    while any(known.startswith(key) for known in KEY_MEANINGS if known != key) and key:
        if not select.select([terminal], [], [], SEQUENCE_SECONDS)[0]:
            break
        key += os.read(terminal, 1).decode(errors="replace")
    return key


def _windows_key() -> str:
    import msvcrt

    key = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
    if key == "\x03":
        raise KeyboardInterrupt
    return f"\xe0{msvcrt.getwch()}" if key in "\x00\xe0" else str(key)  # type: ignore[attr-defined,unused-ignore]
