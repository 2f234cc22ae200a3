"""Which reading of an algorithm to run, compiled or interpreted, and running it so that it can be stopped.

Compiled code runs in a thread of its own that holds no lock of Python's: the calling thread keeps the clock and hears
Ctrl-C.  Interpreted code runs in the calling thread, where a debugger expects it.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from plywise.errors import CompileWarning
from plywise.game import Game, State
from plywise.watch import Tally

INTERPRET_VARIABLE = "PLYWISE_INTERPRET"
_STACK_BYTES = 64 << 20  # for deep recursion; only the pages that are used cost anything

_forced: contextvars.ContextVar[bool] = contextvars.ContextVar("interpreted", default=False)
_refused: dict[type[Game], str] = {}  # classes that Numba could not compile, and why


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Within this context everything runs as plain Python: for debuggers, profilers and doubt.

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


class CannotCompile(Exception):
    """A game cannot be compiled; the message says where and why."""


def wants_compiled(game: Game) -> bool:
    """Return whether to try the compiled reading for ``game``."""
    if _forced.get() or os.environ.get(INTERPRET_VARIABLE, "0") not in ("", "0"):
        return False
    if getattr(type(game), "INTERPRETED_ONLY", False) or type(game) in _refused:
        return False
    import numba

    return not numba.config.DISABLE_JIT


def refuse(game: Game, reason: str) -> None:
    """Remember that ``game`` cannot be compiled, and say so once."""
    if type(game) not in _refused:
        _refused[type(game)] = reason
        warnings.warn(f"{reason}; it runs interpreted, which is slow", CompileWarning, stacklevel=2)


def run_compiled(function: Any, game: Game, state: State, arguments: tuple[Any, ...], tally: Tally,
                 deadline: float | None = None) -> Any:  # fmt: skip
    """Run ``function(game, state, *arguments)`` as machine code until it ends, ``deadline`` passes, or Ctrl-C.

    Raises:
        CannotCompile: Numba refuses the game's rules.
        Stopped: the search was stopped by its limits.
        KeyboardInterrupt: the user stopped it; the search has ended by then.
    """
    from numba.core.errors import NumbaError

    from plywise.bridge import entry
    from plywise.diagnose import bare_state, blame

    fields = bare_state(game, state)
    try:
        return _in_thread(lambda: entry(function)(game, fields, arguments), tally, deadline)
    except NumbaError as error:
        raise CannotCompile(blame(game, error)) from error


def run_interpreted(function: Any, game: Game, state: State, arguments: tuple[Any, ...], tally: Tally,
                    deadline: float | None = None) -> Any:  # fmt: skip
    """Run ``function(game, state, *arguments)`` as plain Python until it ends or ``deadline`` passes."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, before + 4 * len(tally.length)))
    timer = None
    if deadline is not None:
        timer = threading.Timer(max(0.0, deadline - time.perf_counter()), tally.stop)
        timer.daemon = True
        timer.start()
    try:
        return function(game, state, *arguments)
    finally:
        sys.setrecursionlimit(before)
        if timer is not None:
            timer.cancel()


def _in_thread(work: Callable[[], Any], tally: Tally, deadline: float | None) -> Any:
    result: list[Any] = []
    failure: list[BaseException] = []
    done = threading.Event()

    def body() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    context = contextvars.copy_context()
    usual = threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=lambda: context.run(body), name="plywise search", daemon=True)
        thread.start()
    finally:
        threading.stack_size(usual)
    interrupted = False
    while not done.is_set():
        try:
            if deadline is None:
                done.wait()
            elif not done.wait(max(0.0, deadline - time.perf_counter())):
                tally.stop()
                deadline = None
        except KeyboardInterrupt:
            interrupted = True
            tally.stop()
            deadline = None
    thread.join()
    if interrupted:
        raise KeyboardInterrupt
    if failure:
        raise failure[0]
    return result[0]
