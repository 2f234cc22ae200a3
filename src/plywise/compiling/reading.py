"""Choose whether an algorithm runs compiled or interpreted, and run it so that it can be stopped.

Compiled code runs in its own thread without Python's global lock, while the calling thread watches the clock and
handles Ctrl-C.  Interpreted code runs in the calling thread, where a debugger expects it.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import gc
import math
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from plywise.compiling.fingerprint import class_fingerprint
from plywise.compiling.native import Native, RoundedUp
from plywise.compiling.stopping import stoppable
from plywise.compiling.threads import in_thread, seconds_until
from plywise.errors import CacheWarning, CompileWarning, PlywiseError, SearchError

T = TypeVar("T")

INTERPRET_VARIABLE = "PLYWISE_INTERPRET"

_forced: contextvars.ContextVar[bool] = contextvars.ContextVar("interpreted", default=False)
_only_ready: contextvars.ContextVar[bool] = contextvars.ContextVar("only_ready", default=False)
_only_compile: contextvars.ContextVar[bool] = contextvars.ContextVar("only_compile", default=False)
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


@contextlib.contextmanager
def only_ready() -> Iterator[None]:
    """Compile nothing in this context: use machine code that is in memory or on disk, and raise NotReady if there is
    none.  A search needs all its code before it starts, so nothing is lost then.
    """
    token = _only_ready.set(True)
    try:
        yield
    finally:
        _only_ready.reset(token)


def may_compile() -> bool:
    """Return whether this context may compile; see ``only_ready``."""
    return not _only_ready.get()


class NotReady(Exception):
    """There is no machine code for this search yet; see ``only_ready``."""

    def __init__(self, compiled: Any, kinds: tuple[Any, ...]) -> None:
        super().__init__()
        self.code = (compiled, kinds)
        """What is missing: an entry, and the types of its arguments."""

    @property
    def is_there(self) -> bool:
        """Whether it is there by now, in memory or on disk."""
        compiled, kinds = self.code
        return kinds in compiled.overloads or compiled._cache.holds(kinds, compiled.targetctx)


def as_ready(search: Callable[[], T], compile: Callable[[NotReady], object] = lambda missing: None) -> T:
    """Return ``search()``, compiled if its machine code is there; else interpreted, after a call of ``compile``, which
    has the code made elsewhere.
    """
    try:
        with only_ready():
            return search()
    except NotReady as missing:
        compile(missing)
    with interpreted():
        return search()


def compile_only(search: Callable[[], object]) -> None:
    """Compile everything that ``search()`` needs, and do not run it."""
    token = _only_compile.set(True)
    try:
        search()
    except _Compiled:
        pass
    finally:
        _only_compile.reset(token)


def only_compiling() -> bool:
    """Return whether this is a call of ``compile_only``: a search may then prepare for later ones too."""
    return _only_compile.get()


class _Compiled(Exception):
    """Everything is compiled; see ``compile_only``."""


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


Arguments = Callable[[], tuple[Any, ...]]


def specialised(function: Any, game: Native, fields: Any, arguments: Arguments) -> Any:
    """Return ``function(game, fields, *arguments())`` compiled for this game alone."""
    from plywise.compiling.bridge import entry, kinds_of
    from plywise.compiling.machine_code import machine_code

    compiled, inputs = entry(function), (game, fields, arguments())
    if machine_code(compiled, inputs) is None:
        compile_for(compiled, kinds_of(*inputs))
    return compiled


def compile_for(compiled: Any, kinds: tuple[Any, ...]) -> None:
    """Compile an entry for arguments of these types, or load its code from disk, unless that is done already."""
    from plywise.compiling.cache_folder import complaints
    from plywise.compiling.plain_errors import without_warnings

    if kinds in compiled.overloads:
        return
    if not may_compile() and not compiled._cache.holds(kinds, compiled.targetctx):
        raise NotReady(compiled, kinds)
    for complaint in complaints():
        _warn_once(complaint, complaint, CacheWarning)
    with compiled._cache.making(kinds, compiled.targetctx), without_warnings(), _without_collecting():
        compiled.compile(kinds)


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Collect no garbage in this context: it would take a tenth of the time that a compilation takes."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def prepare(
    function: Any, game: Native, state: Any, arguments: Arguments, compiled: Callable[..., Any] = specialised
) -> Any:
    """Compile ``function(game, state, *arguments())`` for ``run``, unless that is done already.

    Returns the compiled function, or None if it must run interpreted: on request, or because the game cannot be
    compiled, which causes one warning.
    """
    if not wants_compiled(game):
        return None
    from plywise.compiling.diagnose import bare_state, blame
    from plywise.compiling.progress import watched

    try:
        fields = bare_state(game, state)
    except CannotCompile as refusal:  # only this position: one of a smaller board may fit
        _warn(game, str(refusal))
        return None
    try:
        return compiled(function, game, fields, arguments)
    except (PlywiseError, NotReady):  # the rules lack something, such as a file, that plain Python needs too
        raise
    except Exception as error:  # Numba raises many kinds besides its own errors
        with watched("", f"what keeps {type(game).__name__} from compiling"):
            reason = blame(game, error)
    _refused.add(_rules(game))
    _warn(game, reason)
    return None


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
    """Run ``body``, which may call the function from ``call_of``, until it ends.  Call ``stop`` at ``deadline``, or if
    the ``Stopper`` of this context says so.

    Compiled code runs in its own thread.  Interpreted code, with lines of up to ``plies`` plies, runs in this one.

    Raises:
        KeyboardInterrupt: the user pressed Ctrl-C; ``body`` has ended by then.
    """
    if _only_compile.get():
        raise _Compiled
    if compiled:
        with stoppable(stop):
            return in_thread(body, stop, deadline)
    with stoppable(stop), _deep_recursion(plies), _alarm(stop, deadline):
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
