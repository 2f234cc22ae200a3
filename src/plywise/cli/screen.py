"""Output of commands: results go to stdout, progress to stderr, and only a terminal gets decoration."""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from plywise.cli.failure import INTERRUPTED, complain
from plywise.errors import concise, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from plywise.compiling.progress import Compiling

PULSE = 0.2
"""Seconds after which a wait for input looks for Ctrl-C."""


CLOCK, COUNTS = 14, 50
"""How wide a display is without its text and bar: with a clock alone, and with counts, speed and the time left."""

LEAST_BAR = 4


def output() -> Console:
    """Return the console for results.  In a file or a pipe, lines are not wrapped."""
    return _console(stderr=False)


def messages() -> Console:
    """Return the console for everything but results."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    from rich.console import Console

    class PlainConsole(Console):
        """Prints escape sequences as text, because names may contain them."""

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(printable(text), **options)

    console = PlainConsole(stderr=stderr, highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = 10_000
    return console


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table; the columns in ``right`` are right-aligned."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def print_table(made: Table) -> None:
    """Print a table; in a pipe, without trailing blanks."""
    console = output()
    if console.is_terminal:
        console.print(made)
        return
    with console.capture() as capture:
        console.print(made)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def print_json(report: Any) -> None:
    """Print JSON.  JSON has no infinity, so infinite numbers become null."""
    print(json.dumps(plain(report), indent=2, ensure_ascii=False))


def plain(value: Any) -> Any:
    """Return a value converted to types that JSON has."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # a NumPy value
        return plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


class Display:
    """Progress of a command.  This base class shows nothing; it serves where there is no terminal."""

    counted = False
    """Whether it shows counts, the speed and the time left by itself."""

    def __init__(self, console: Console) -> None:
        self.console = console
        """Print here while the display is active; other output would garble it."""

    def say(self, text: str) -> None:
        """Change the text."""

    def begin(self, text: str) -> None:
        """Go on to something else, with another bar."""

    def tell(self, done: float, total: float) -> None:
        """Show how much is done.  May be called often."""

    def compiling(self, news: Compiling | None) -> None:
        """Show what is being compiled and how far it is, or None when that is done."""


class ShownDisplay(Display):
    """A spinner, a clock and, for long jobs that report progress, a bar.

    With ``counted``, the bar appears at once, with the count, the speed and the time left.
    """

    PATIENCE = 2.0
    """Seconds before the bar appears."""

    def __init__(self, console: Console, text: str, counted: bool = False) -> None:
        from rich import progress
        from rich.table import Column
        from rich.text import Text

        class Description(progress.ProgressColumn):
            """Gives way to the numbers where a line is too short for all."""

            def render(self, task: progress.Task) -> Text:
                return Text(task.description, no_wrap=True, overflow="ellipsis")

        class LateBar(progress.BarColumn):
            """Takes what the others leave."""

            def render(self, task: progress.Task) -> Any:
                room = console.width - len(task.description) - (COUNTS if counted else CLOCK)
                if room < LEAST_BAR or not task.fields["bar"]:
                    return Text()
                self.bar_width = min(room, 20 if counted else 40)
                return super().render(task)

        class Speed(progress.ProgressColumn):
            def render(self, task: progress.Task) -> Text:
                return Text(f"{task.speed:,.{0 if task.speed >= 10 else 1}f}/s" if task.speed else "")

        super().__init__(console)

        def whole() -> Column:
            return Column(no_wrap=True)

        counts = (progress.MofNCompleteColumn(table_column=whole()), Speed(whole())) if counted else ()
        left = (progress.TimeRemainingColumn(table_column=whole()), progress.TextColumn("left")) if counted else ()
        columns = (
            progress.SpinnerColumn(table_column=whole()), Description(), LateBar(table_column=whole()), *counts,
            progress.TimeElapsedColumn(whole()), *left,
        )  # fmt: skip
        self.progress = progress.Progress(*columns, console=console, transient=True)
        self.task = self.progress.add_task(text, total=None, bar=counted)
        self.counted = counted
        self.is_compiling = False
        """Then the text says what, and how long that takes."""
        self.begin(text)

    def say(self, text: str) -> None:
        self.text = text
        if not self.is_compiling:
            self.progress.update(self.task, description=text)

    def begin(self, text: str) -> None:
        self.say(text)
        self.bar_from = time.monotonic() + (0.0 if self.counted else self.PATIENCE)
        self.progress.update(self.task, bar=self.counted)

    def tell(self, done: float, total: float) -> None:
        if time.monotonic() >= self.bar_from:
            self.progress.update(self.task, completed=done, total=total, bar=True)

    def compiling(self, news: Compiling | None) -> None:
        self.is_compiling = news is not None
        if news is None:
            self.begin(self.text)
        else:
            self.progress.update(self.task, description=compiling_text(news), completed=news.done, total=1, bar=True)


def compiling_text(news: Compiling) -> str:
    """Return a sentence for the display.

    >>> from plywise.compiling.progress import Compiling
    >>> compiling_text(Compiling("the engine for Nim", 0.2, 7.6))
    'Compiling the engine for Nim, once: about 8 s left'
    >>> compiling_text(Compiling("memo for Nim", 0.9, 0.0, elsewhere=True))
    'Waiting for another process that compiles memo for Nim: about 1 s left'
    """
    left = f"about {max(1, round(news.left))} s left"
    if news.elsewhere:
        return f"Waiting for another process that compiles {news.what}: {left}"
    return f"Compiling {news.what}, once: {left}"


@contextlib.contextmanager
def busy(text: str, counted: bool = False) -> Iterator[Display]:
    """Show a ``ShownDisplay`` while the block runs, if stderr is a terminal."""
    console = messages()
    if console.is_terminal:
        display = ShownDisplay(console, concise(text), counted)
        with display.progress, watched_compiling(display.compiling, display.progress.stop):
            yield display
    else:
        with watched_compiling():
            yield Display(console)


@contextlib.contextmanager
def watched_compiling(
    tell: Callable[[Compiling | None], None] = lambda news: None, tidy: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """Call ``tell`` when compilation starts and ends, and let Ctrl-C end the program at once during it.

    Nothing is lost by that, whereas a KeyboardInterrupt inside LLVM may get lost or cause other errors.
    """
    from plywise.compiling.progress import compile_notice
    from plywise.io.processes import leave as leave_process

    usual = signal.getsignal(signal.SIGINT)

    def leave(*_: Any) -> None:
        tidy()
        complain("interrupted")
        sys.stdout.flush()
        leave_process(INTERRUPTED)

    def notice(news: Compiling | None) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, leave if news else usual)
        tell(news)

    token = compile_notice.set(notice)
    try:
        yield
    finally:
        compile_notice.reset(token)
        signal.signal(signal.SIGINT, usual)


def live(console: Console) -> bool:
    """Return whether both the console and stdin are a terminal."""
    return console.is_terminal and sys.stdin.isatty()


def ask(prompt: str) -> str | None:
    """Return a line of input, from the terminal or a pipe; None at the end of the input."""
    try:
        text = _typed(prompt) if sys.stdin.isatty() and os.name == "posix" else input(prompt)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()  # start a new line
        raise typer.Exit(INTERRUPTED) from None  # without a message: the user meant it
    if not sys.stdin.isatty():
        print(text)  # as a terminal would have shown it
    return text.strip()


def _typed(prompt: str) -> str:
    """Return a line from the terminal.

    ``input`` alone misses a Ctrl-C that comes between its prompt and its reading: it would wait for Enter.
    """
    print(prompt, end="", flush=True)
    while not select.select([sys.stdin], [], [], PULSE)[0]:
        pass
    return input()


def short(count: float) -> str:
    """Return a large number with three digits and a letter.

    >>> short(950), short(12_345), short(3_400_000), short(999_999), short(2.5e12)
    ('950', '12.3k', '3.40M', '1.00M', '2500G')
    """
    if count < 999.5:
        return f"{count:.0f}"
    for letter in "kMG":
        count /= 1000
        if count < 999.5 or letter == "G":
            break
    return f"{count:.{2 if count < 9.995 else 1 if count < 99.95 else 0}f}{letter}"


def duration(seconds: float) -> str:
    """Return a duration with a unit that suits it.

    >>> duration(0.0000042), duration(0.0123), duration(75.3)
    ('4.2 µs', '12.3 ms', '75.3 s')
    """
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"
