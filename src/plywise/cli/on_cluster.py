"""The options of commands that can work on a cluster, and what they show of it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.screen import Display, duration
from plywise.errors import SearchError

if TYPE_CHECKING:
    from plywise.cluster.executor import Crew, Executor

ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS",
        help="Work on a Dask cluster: the address of its scheduler, a scheduler file, or local, which starts one here; "
        "or on this machine without Dask: processes, or threads.",
    ),
]  # fmt: skip
TlsOption = Annotated[
    Path | None, typer.Option("--tls", metavar="FOLDER", help="The certificates of the cluster ('plywise cluster').")
]
InsecureOption = Annotated[
    bool, typer.Option("--insecure", help="Allow connections between machines without encryption.")
]


LINE_SECONDS = 10.0
"""How often to print a line of progress where there is no terminal."""


@contextlib.contextmanager
def executor_at(address: str | None, tls: Path | None, insecure: bool, display: Display) -> Iterator[Executor | None]:
    """Connect to the cluster that the options name; None if they name none."""
    if address is None:
        if tls is not None or insecure:
            raise SearchError("--tls and --insecure are for connections to a cluster: give --cluster ADDRESS")
        yield None
        return
    from plywise.cluster.addresses import HERE, connect

    for name in ("SIGTERM", "SIGHUP"):  # end as by Ctrl-C, and let nobody wait for us
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    display.say("Starting workers" if address in HERE else f"Connecting to {address}")
    with connect(address, tls=tls, insecure=insecure) as executor:
        if link := getattr(executor, "dashboard", ""):
            display.console.print(f"Dask shows what its workers do at {link}")
        try:
            yield executor
        finally:
            display.say("Stopping")


class Watch:
    """Shows how far a job on a cluster is, and who works on it; in plain lines where there is no terminal."""

    def __init__(self, display: Display, text: str, executor: Executor | None) -> None:
        self.display, self.executor = display, executor
        self.line_at = time.monotonic()
        self._say_again: Callable[[], None] = lambda: None
        if executor is not None:
            executor.on_wait = lambda: self._say_again()
        self.begin(text)

    def begin(self, text: str) -> None:
        """Go on to something else."""
        self.text, self.begun = text, time.monotonic()
        self.first: float | None = None
        self.display.begin(text)

    def tell(self, done: float, total: float) -> None:
        """Show how much is done; called when a job has ended."""
        self.first = done if self.first is None else self.first
        speed = (done - self.first) / max(time.monotonic() - self.begun, 1e-9)
        left = f", {duration((total - done) / speed)} left" if speed else ""
        if self.executor is not None:
            self.say(self.text, f"{done:,} of {total:,}", f", {speed:,.1f}/s{left}", ended=done < total)
            self._say_again = partial(self.tell, done, total)
        self.display.tell(done, total)

    def say(self, text: str, count: str = "", more: str = "", ended: bool = False) -> None:
        """Show a text and who is at work; where there is no bar, also a count and more.

        A job that has just ``ended`` counts as running: the next one is about to begin.
        """
        self._say_again = partial(self.say, text, count, more)
        if self.executor is None:
            self.display.say(text)
            return
        crew = self.executor.crew()
        words = _words(crew._replace(running=min(crew.slots, crew.running + ended)))
        if self.display.console.is_terminal:
            self.display.say(f"{text} · {words}{'' if self.display.counted else more}")
        elif time.monotonic() - self.line_at >= LINE_SECONDS:
            self.line_at = time.monotonic()
            count = f"{count}, " if count else ""
            self.display.console.print(f"{text} · {count}{words}{more}")


def _words(crew: Crew) -> str:
    """Return who is at work, in words.

    >>> from plywise.cluster.executor import Crew
    >>> _words(Crew(2, 8, 7, 1))
    '2 workers with 8 threads, 7 running, 1 retried'
    """
    workers = f"{crew.workers} worker{'s' if crew.workers != 1 else ''}"
    threads = f" with {crew.slots} threads" if crew.slots != crew.workers else ""
    return f"{workers}{threads}, {crew.running} running" + (f", {crew.retried} retried" if crew.retried else "")
