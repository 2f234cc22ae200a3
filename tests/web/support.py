"""Functions for worker processes to call, at top level so that they can be pickled."""

from __future__ import annotations

import os
import time
from typing import Any

from plywise.compiling.progress import Compiling, compile_notice
from plywise.errors import PositionError
from plywise.web.worker import Job


def double(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def complain() -> None:
    raise PositionError("this is no position")


def crash() -> None:
    raise RuntimeError("an unforeseen error")


def hoard(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def die() -> None:
    os._exit(3)


def count_until_stopped(job: Job) -> int:
    number = 0
    while not job.control.stopped:
        number += 1
        job.tell(number)
        time.sleep(0.01)
    return number


def never_stop(job: Job) -> None:
    job.tell("begun")
    time.sleep(60)


def remember(job: Job, word: str) -> Any:
    return job.kept.setdefault("word", word)


def compile_slowly(job: Job) -> str:
    compile_notice.get()(Compiling("the search", 0.5, 3.0))
    time.sleep(0.5)
    compile_notice.get()(None)
    return "compiled"


def count_on(job: Job, up_to: int) -> int:
    """Count up to a number, and go on after every interruption."""
    number: int = job.earlier or 0
    while number < up_to and not job.control.stopped:
        number += 1
        job.tell((number, os.getpid()))
        time.sleep(0.01)
    return number
