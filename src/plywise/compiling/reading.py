"""Choose whether an algorithm runs compiled or interpreted, and run it so that it can be stopped.

Compiled code runs in its own thread without Python's global lock, while the calling thread watches the clock and
handles Ctrl-C.  Interpreted code runs in the calling thread, where a debugger expects it.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import math
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from plywise.compiling.fingerprint import class_fingerprint
from plywise.compiling.native import Native, RoundedUp
from plywise.compiling.threads import in_thread, seconds_until
from plywise.errors import CacheWarning, CompileWarning, PlywiseError, SearchError

INTERPRET_VARIABLE = "PLYWISE_INTERPRET"

_forced: contextvars.ContextVar[bool] = contextvars.ContextVar("interpreted", default=False)
_refused: set[tuple[type[Native], str]] = set()  # rules that Numba could not compile
_warned: set[tuple[type[Native], str] | str] = set()  # subjects of warnings: rules, or sentences


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Run everything in this context as plain Python, for debuggers and profilers, or to rule out the compiler.

    >>> import plywise as pw
    >>> with pw.interpreted():
    ...     result = pw.solve(pw.games.RedBlue())
    >>> result.compiled
    False
    """
    token = _forced.set(True)
    try:
        yield
    finally:
        _forced.reset(token)


class Stoppable(Protocol):
    """An object that can stop a running search: a tally, or an engine's workspace."""

    @property
    def length(self) -> Any:
        """An array with an item for every ply of the longest line of play."""

    def stop(self) -> None:
        """Stop the running search."""


class CannotCompile(Exception):
    """A game cannot be compiled; the message says where and why."""


def interpreting() -> bool:
    """Return whether ``interpreted``, ``$PLYWISE_INTERPRET`` or Numba's own switch requests plain Python."""
    if _forced.get() or os.environ.get(INTERPRET_VARIABLE, "0") not in ("", "0"):
        return True
    import numba

    return bool(numba.config.DISABLE_JIT)


def wants_compiled(game: Native) -> bool:
    """Return whether to try to compile for ``game``."""
    return not (interpreting() or getattr(type(game), "INTERPRETED_ONLY", False) or _rules(game) in _refused)


def _rules(game: Native) -> tuple[type[Native], str]:
    """Return the key of a refusal: the class and its code, which may change at the prompt."""
    return type(game), class_fingerprint(type(game), type(game).ENTRY_POINTS)


def prepare(function: Any, game: Native, state: Any, arguments: Callable[[], tuple[Any, ...]]) -> Any:
    """Compile ``function(game, state, *arguments())`` for ``run``, unless that is done already.

    Returns the compiled function, or None if it must run interpreted: on request, or because the game cannot be
    compiled, which causes one warning.
    """
    if not wants_compiled(game):
        return None
    from numba import typeof

    from plywise.compiling.bridge import entry
    from plywise.compiling.cache import compile_notice
    from plywise.compiling.cache_folder import complaints
    from plywise.compiling.diagnose import bare_state, blame
    from plywise.compiling.machine_code import machine_code
    from plywise.compiling.plain_errors import without_warnings

    try:
        fields = bare_state(game, state)
    except CannotCompile as refusal:  # only this position: one of a smaller board may fit
        _warn(game, str(refusal))
        return None
    inputs = (game, fields, arguments())
    try:
        compiled = entry(function)
        if machine_code(compiled, inputs) is None:
            for complaint in complaints():
                _warn_once(complaint, complaint, CacheWarning)
            with without_warnings():
                compiled.compile(tuple(map(typeof, inputs)))
    except PlywiseError:  # the rules lack something, such as a file, that plain Python needs too
        raise
    except Exception as error:  # Numba raises many kinds besides its own errors
        _refused.add(_rules(game))
        reason = blame(game, error)
        compile_notice.get()(None)  # compiling is over: from now on Ctrl-C stops the search
        _warn(game, reason)
        return None
    return compiled


def _warn(game: Native, reason: str) -> None:
    """Warn once that ``game`` runs interpreted."""
    _warn_once(_rules(game), f"{reason}; it runs interpreted, which is slow", CompileWarning)


def _warn_once(subject: tuple[type[Native], str] | str, text: str, category: type[Warning]) -> None:
    """Warn once about a subject, at the line outside plywise that called it."""
    if subject not in _warned:
        _warned.add(subject)
        here = __name__.partition(".")[0]
        level, frame = 1, sys._getframe()
        while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == here:
            level, frame = level + 1, frame.f_back
        warnings.warn(text, category, stacklevel=level)


def run(
    function: Any,
    game: Native,
    state: Any,
    arguments: tuple[Any, ...],
    tally: Stoppable,
    compiled: Any,
    deadline: float | None = None,
) -> Any:
    """Run ``function(game, state, *arguments)``, compiled or not as ``prepare`` chose, until it ends or is stopped.

    Raises:
        Stopped: ``deadline`` or another limit stopped the search.
        KeyboardInterrupt: the user pressed Ctrl-C; the search has ended by then.
    """
    body = functools.partial(call_of(function, game, state, arguments, compiled), *arguments)
    return supervised(body, tally.stop, len(tally.length), compiled is not None, deadline)


def call_of(function: Any, game: Native, state: Any, example: tuple[Any, ...], compiled: Any) -> Callable[..., Any]:
    """Return a function of the other arguments, compiled or not as ``prepare`` chose.  Call it under ``supervised``.

    The machine code is looked up here once, for arguments of the same types as ``example``.
    """
    if compiled is None:
        return functools.partial(function, game, state)
    from plywise.compiling.diagnose import bare_state
    from plywise.compiling.machine_code import machine_code

    fields = bare_state(game, state)
    code = machine_code(compiled, (game, fields, example)) or compiled
    return lambda *arguments: code(game, fields, arguments)


def supervised(
    body: Callable[[], Any], stop: Callable[[], None], plies: int, compiled: bool, deadline: float | None = None
) -> Any:
    """Run ``body``, which may call the function from ``call_of``, until it ends.  Call ``stop`` at ``deadline``.

    Compiled code runs in its own thread.  Interpreted code, with lines of up to ``plies`` plies, runs in this one.

    Raises:
        KeyboardInterrupt: the user pressed Ctrl-C; ``body`` has ended by then.
    """
    if compiled:
        return in_thread(body, stop, deadline)
    with _deep_recursion(plies), _alarm(stop, deadline):
        try:
            return body()
        except RecursionError:
            raise SearchError("a line of play is too long for plain Python: give depth=") from None


def goal_argument(goal: float, strict: bool) -> float | RoundedUp:
    """Return the goal of a boolean search for compiled code, rounded so that integer scores give the same answer."""
    return float(goal) if strict and goal != math.floor(goal) else RoundedUp(float(goal))


@contextlib.contextmanager
def _deep_recursion(plies: int) -> Iterator[None]:
    """Allow plain Python to recurse ``plies`` deep; each ply takes a function, a generator, and their calls."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(usual + 4 * plies)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


@contextlib.contextmanager
def _alarm(stop: Callable[[], None], deadline: float | None) -> Iterator[None]:
    """Stop the search at ``deadline``."""
    if deadline is None:
        yield
        return
    timer = threading.Timer(seconds_until(deadline), stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
