"""The options of commands that can work on a cluster, and what they show of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.results import LINE_SECONDS
from plywise.cli.screen import Display, duration, messages

if TYPE_CHECKING:
    from plywise.cluster.executor import Crew, Executor

ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS",
        help="Work on a Dask cluster: the address of its scheduler, a scheduler file, or local, which starts one here.",
    ),
]  # fmt: skip
TlsOption = Annotated[
    Path | None, typer.Option("--tls", metavar="FOLDER", help="The certificates of the cluster ('plywise cluster').")
]
InsecureOption = Annotated[
    bool, typer.Option("--insecure", help="Reach a cluster on other machines without encryption.")
]


@contextlib.contextmanager
def executor_at(address: str | None, tls: Path | None, insecure: bool) -> Iterator[Executor | None]:
    """Connect to the cluster that the options name; None if they name none."""
    if address is None:
        yield None
        return
    from plywise.cluster.addresses import connect

    with connect(address, tls=tls, insecure=insecure) as executor:
        link = getattr(executor, "dashboard", "")
        if link and messages().is_terminal:
            messages().print(f"Dask shows what its workers do at {link}")
        yield executor


def searching_with(executor: Executor) -> str:
    """Return what to show while the workers of an executor search."""
    count = executor.crew().workers
    return f"Searching with {count} worker{'s' if count != 1 else ''}, which compile at first"


class Watch:
    """Shows how far a job on a cluster is, and who works on it; in plain lines where there is no terminal."""

    def __init__(self, display: Display, text: str, executor: Executor | None) -> None:
        self.display, self.text, self.executor = display, text, executor
        self.begun = self.line_at = time.monotonic()
        self.first: int | None = None

    def begin(self, text: str) -> None:
        """Go on to something else."""
        self.text, self.begun, self.first = text, time.monotonic(), None
        self.display.say(text)

    def tell(self, done: int, total: int) -> None:
        """Show that so much is done."""
        self.first = done if self.first is None else self.first
        if self.executor is not None:
            crew = self.executor.crew()
            self.display.say(f"{self.text}: {_words(crew)}")
            self._line(done, total, crew)
        self.display.tell(done, total)

    def _line(self, done: int, total: int, crew: Crew) -> None:
        now = time.monotonic()
        if self.display.console.is_terminal or now - self.line_at < LINE_SECONDS:
            return
        self.line_at = now
        speed = (done - (self.first or 0)) / (now - self.begun)
        left = f", {duration((total - done) / speed)} left" if speed else ""
        self.display.console.print(f"{self.text}: {done:,} of {total:,}, {_words(crew)}, {speed:,.1f}/s{left}")


def _words(crew: Crew) -> str:
    """Return who is at work, in words.

    >>> from plywise.cluster.executor import Crew
    >>> _words(Crew(2, 8, 7, 1))
    '2 workers with 8 threads, 7 running, 1 retried'
    """
    workers = f"{crew.workers} worker{'s' if crew.workers != 1 else ''}"
    threads = f" with {crew.slots} threads" if crew.slots != crew.workers else ""
    return f"{workers}{threads}, {crew.running} running" + (f", {crew.retried} retried" if crew.retried else "")
