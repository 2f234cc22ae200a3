"""Work that survives an interruption: from time to time, everything that is known so far goes to a file.

The file stands beside the table's own, with ``.part`` at its end.  It is replaced as a whole, so that it is complete
whenever the program is killed.  Writing takes at most a small share of the time.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import SearchError
from plywise.io.files import written_whole
from plywise.tables.file import read_header

LEAST_SECONDS = 1.0
"""The least time between two checkpoints."""

SHARE = 20
"""Work goes on for this many times as long as the last checkpoint took."""

VERSION = 2

Content = tuple[dict[str, Any], list[np.ndarray]]


class Checkpoint:
    """The file of unfinished work on a table, and what is known about the table's own file.

    Raises:
        SearchError: the table's file, or the checkpoint, is something else.
    """

    def __init__(self, out: str | Path | None, meaning: dict[str, Any], rules: dict[str, str], fresh: bool) -> None:
        self.active = out is not None
        self.path = Path(out or "table")
        self.part = self.path.with_name(f"{self.path.name}.part")
        self.meaning = {"version": VERSION, "rules": rules, **meaning}
        self.saved, self.cost = time.perf_counter(), 0.0
        self.is_done = False
        if not self.active:
            return
        if fresh:
            self.path.unlink(missing_ok=True)  # the old table must not pass for the new one after an interruption
            self.forget()
        elif self.path.exists():
            made = read_header(self.path)[0]["meaning"]
            if made != meaning:
                raise SearchError(f"{str(self.path)!r} is another table, of {made['game']} from other roots or with "
                                  "another tolerance: choose another file, or start over (fresh)")  # fmt: skip
            self.is_done = True
            self.forget()
        self._remove_torn()

    def offer(self, content: Callable[[], Content]) -> None:
        """Write a checkpoint, if the last one is old enough."""
        begun = time.perf_counter()
        if not self.active or begun - self.saved < max(LEAST_SECONDS, SHARE * self.cost):
            return
        facts, arrays = content()
        with written_whole(self.part) as file:
            file.write(json.dumps({"meaning": self.meaning, "arrays": len(arrays), **facts}).encode() + b"\n")
            for array in arrays:
                np.lib.format.write_array(file, array, allow_pickle=False)
        self.saved = time.perf_counter()
        self.cost = self.saved - begun

    def read(self) -> Content | None:
        """Return what the last checkpoint holds; None if there is none.

        Raises:
            SearchError: it belongs to another table, or is damaged.
        """
        if not self.active or not self.part.exists():
            return None
        with self.part.open("rb") as file, self.intact():
            facts = json.loads(file.readline())
            if facts["meaning"] != self.meaning:
                raise SearchError(f"{str(self.part)!r} is unfinished work on another table: finish it, or start over "
                                  "(--fresh)")  # fmt: skip
            return facts, [np.lib.format.read_array(file, allow_pickle=False) for _ in range(facts["arrays"])]

    @contextlib.contextmanager
    def intact(self) -> Iterator[None]:
        """Say of a checkpoint that cannot be understood that it is damaged.

        Raises:
            SearchError: it is.
        """
        try:
            yield
        except SearchError:
            raise
        except (ValueError, LookupError, TypeError, EOFError):
            raise SearchError(f"{str(self.part)!r} is damaged, or no unfinished work on a table: start over "
                              "(--fresh)") from None  # fmt: skip

    def forget(self) -> None:
        """Delete the checkpoint."""
        if self.active:
            self.part.unlink(missing_ok=True)

    def _remove_torn(self) -> None:
        """Delete what a killed program was writing: the files of ``written_whole`` for the table and checkpoint."""
        torn = re.compile(rf"\.{re.escape(self.path.name)}(\.part)?\.[0-9a-f]{{32}}\.tmp")
        for each in self.path.absolute().parent.iterdir():
            if torn.fullmatch(each.name):
                each.unlink(missing_ok=True)
