"""Tests commands and parsers with random command lines and inputs, and reports failures with the input that shows them.

Run it with ``python benchmarks/fuzz.py`` (1,000 command lines, 100,000 inputs to each parser), or choose other numbers.
``--minutes`` continues with other seeds until the time is up.  A case depends only on the seed, its part and its
number, so ``--again commands:17 --seed 5`` repeats one.  Exit code 1 means that there were failures.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gc
import json
import os
import pkgutil
import random
import re
import resource
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # set before importing NumPy: threads do not survive a fork
os.environ["PLYWISE_INTERPRET"] = "1"

from fuzzing import box, commands, parsers
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

CHUNK = 1000
"""Parser inputs between two looks at the clock."""

SHOWN = 3
"""How many failures of a kind to print; the file has all."""

LONGEST_SHOWN = 150


class Failure(NamedTuple):
    """A case that failed."""

    seed: int
    part: str
    """``commands``, or the name of a parser."""
    number: int
    why: str
    given: str
    """The command line, or the repr of the input."""

    @property
    def kind(self) -> str:
        """The same text for similar failures."""
        return f"{self.part}: {re.sub('[0-9]+', '', self.why.partition(':')[0])}"

    def __str__(self) -> str:
        given = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in self.given)
        shown = given if len(given) <= LONGEST_SHOWN else f"{given[:LONGEST_SHOWN]}…"
        return f"{self.part}:{self.number} --seed {self.seed}: {self.why}\n    {shown}"


def chance_of(seed: int, part: str, number: int) -> random.Random:
    """Return the random generator of one case."""
    return random.Random(f"{seed} {part} {number}")


class Fuzz:
    """A run: its folder, its progress and its failures."""

    def __init__(self, folder: Path, progress: Progress, deadline: float | None) -> None:
        self.folder = folder
        self.progress = progress
        self.deadline = deadline
        self.failures: list[Failure] = []
        self.counts: collections.Counter[str] = collections.Counter()
        (folder / "parsers").mkdir()
        self.parsers = parsers.parsers(folder / "parsers")

    @property
    def is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def round(self, seed: int, lines: int, inputs: int) -> None:
        """Try the given number of command lines, and of inputs to each parser."""
        for part, count in {"commands": lines, **dict.fromkeys(self.parsers, inputs)}.items():
            task = self.progress.add_task(f"{part}, seed {seed}", total=count)
            step = 1 if part == "commands" else CHUNK
            for first in range(0, count, step):
                if self.is_late:
                    break
                end = min(count, first + step)
                found = self.command(seed, first) if part == "commands" else self.inputs(seed, part, first, end)
                self.failures += found
                self.counts[part] += end - first
                self.progress.update(task, completed=end)

    def command(self, seed: int, number: int) -> Iterator[Failure]:
        """Try one command line."""
        line = commands.random_line(chance_of(seed, "commands", number))
        _, why = commands.run_line(line, self.folder / "commands")
        if why:
            yield Failure(seed, "commands", number, why, shlex.join(["plywise", *line.words]))

    def inputs(self, seed: int, part: str, first: int, end: int) -> Iterator[Failure]:
        """Try inputs to a parser."""
        parser, folder = self.parsers[part], self.folder / "parsers"
        found = folder.with_suffix(".jsonl")
        found.write_text("")

        def attempt(number: int) -> None:
            why = parsers.complaint(parser, parser.input(chance_of(seed, part, number)), folder)
            if why:
                with found.open("a") as file:
                    print(json.dumps([number, why]), file=file)

        killers = list(box.run_many(attempt, first, end, folder))
        for number, why in [*map(json.loads, found.read_text().splitlines()), *killers]:
            yield Failure(seed, part, number, why, repr(parser.input(chance_of(seed, part, number))))

    def again(self, seed: int, part: str, number: int) -> int:
        """Run one case again and show everything."""
        if part == "commands":
            line = commands.random_line(chance_of(seed, part, number))
            print(shlex.join(["plywise", *line.words]), end="\n\n")
            outcome, why = commands.run_line(line, self.folder / "commands")
            print(f"{outcome.out}{outcome.err}\nexit code {outcome.code} after {outcome.seconds:.2f} s")
        else:
            given = self.parsers[part].input(chance_of(seed, part, number))
            print(repr(given), end="\n\n")
            why = next((each.why for each in self.inputs(seed, part, number, number + 1)), None)
        print(why or "nothing wrong")
        return int(why is not None)


def preload() -> None:
    """Import all of plywise, so that forked processes need not."""
    import plywise

    for module in pkgutil.walk_packages(plywise.__path__, "plywise."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ModuleNotFoundError):  # an extra that is not installed
                import_module(module.name)
    gc.freeze()


def report(fuzz: Fuzz, file: Path) -> int:
    """Print the failures, write all of them to a file, and return the exit code."""
    tried = ", ".join(f"{count:,} {part}" for part, count in fuzz.counts.items())
    if not fuzz.failures:
        print(f"Nothing wrong in {tried}.")
        return 0
    with file.open("w", encoding="utf-8") as out:
        for failure in fuzz.failures:
            print(json.dumps(failure._asdict()), file=out)
    print(f"{len(fuzz.failures):,} of {tried} failed:")
    kinds: collections.defaultdict[str, list[Failure]] = collections.defaultdict(list)
    for failure in fuzz.failures:
        kinds[failure.kind].append(failure)
    for alike in kinds.values():
        for failure in alike[:SHOWN]:
            print(f"  {failure}")
        if len(alike) > SHOWN:
            print(f"    and {len(alike) - SHOWN:,} more like these")
    print(f"All failures are in {file}. 'python benchmarks/fuzz.py --again PART:NUMBER --seed S' repeats one.")
    return 1


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--commands", type=int, default=1000, metavar="N", help="command lines (default: 1,000)")
    reader.add_argument("--inputs", type=int, default=100_000, metavar="N", help="inputs per parser (default: 100,000)")
    reader.add_argument("--seed", type=int, metavar="S", help="seed of the first round (default: random)")
    reader.add_argument("--minutes", type=float, metavar="M", help="run for M minutes")
    reader.add_argument("--out", type=Path, metavar="FILE", help="write all failures to FILE")
    reader.add_argument("--again", metavar="PART:NUMBER", help="repeat one case of --seed")
    wishes = reader.parse_args()
    seed = random.SystemRandom().randrange(1_000_000) if wishes.seed is None else wishes.seed
    print(f"seed {seed}", flush=True)
    preload()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    deadline = None if wishes.minutes is None else time.monotonic() + 60 * wishes.minutes
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with tempfile.TemporaryDirectory(prefix="plywise-fuzz-") as folder:
        progress = Progress(*columns, disable=not sys.stdout.isatty())
        fuzz = Fuzz(Path(folder), progress, deadline)
        if wishes.again:
            part, _, number = wishes.again.partition(":")
            return fuzz.again(seed, part, int(number))
        with progress:
            fuzz.round(seed, wishes.commands, wishes.inputs)
            while deadline is not None and not fuzz.is_late:
                seed += 1
                fuzz.round(seed, wishes.commands, wishes.inputs)
        return report(fuzz, wishes.out or Path(tempfile.gettempdir()) / f"plywise-fuzz-{os.getpid()}.jsonl")


if __name__ == "__main__":
    sys.exit(main())
