"""Jobs for tests; in a module of their own, because other processes must find them."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import plywise as pw
from plywise.cluster.bench import Desk
from plywise.engine.control import Control


def engine(game: pw.Game, share: float) -> pw.Engine:
    return pw.Engine(game, table_mb=16 * share)


def add(desk: Desk, a: int, b: int) -> int:
    return a + b


def fail(desk: Desk, text: str) -> None:
    raise pw.PositionError(text) if text else KeyError("oops")


def search_for_ever(desk: Desk, mark: str) -> None:
    """Search until it is stopped, and report each depth; then write the time to a file."""
    solver: pw.Engine = desk.tools
    control = Control()
    try:
        with desk.heeding(control.stop):
            solver.search(control=control, on_info=lambda result: desk.report(result.depth))
    finally:
        with open(mark, "w") as file:
            file.write(str(time.time()))


def listen(desk: Desk, seconds: float) -> list[Any]:
    """Return what it is told, and say that it listens."""
    heard: list[Any] = []
    with desk.heeding(lambda: None, heard.append):
        desk.report("listening")
        end = time.monotonic() + seconds
        while len(heard) < 2 and time.monotonic() < end:
            time.sleep(0.005)
    return heard


def die(desk: Desk, deaths: str) -> None:
    """Die, after noting it in a file."""
    with open(deaths, "a") as file:
        file.write(".")
    time.sleep(0.1)  # the news that it has begun are on their way
    os.kill(os.getpid(), signal.SIGKILL)


def deadly_tools(game: pw.Game, share: float, deaths: str) -> None:
    die(Desk(print), deaths)


def die_once(desk: Desk, mark: str) -> str:
    """Die, but not again."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return "alive"
    time.sleep(0.3)  # the news that it has begun are on their way
    os.kill(os.getpid(), signal.SIGKILL)
    return "dead"
