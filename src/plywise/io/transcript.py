"""Reads lines from stdin, writes lines to stdout, and logs both to a file."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO


class Transcript:
    """Reads and writes lines, from any thread, and logs them to a file if there is one: ``>`` read, ``<`` written."""

    def __init__(self, file: str | None = None) -> None:
        self.lock = threading.Lock()
        self.begun = time.perf_counter()
        self.file: TextIO | None = None
        if file is not None:
            self.file = open(file, "a", encoding="utf-8", buffering=1)  # noqa: SIM115  (closed by ``close``)

    def lines(self) -> Iterator[str]:
        """Yield lines until the end of the input.  Bytes that are not UTF-8 are replaced."""
        for line in iter(sys.stdin.buffer.readline, b""):
            text = line.decode(errors="replace").strip()
            self._keep(">", text)
            yield text

    def say(self, text: str) -> None:
        """Write one or more lines."""
        with self.lock, contextlib.suppress(OSError, ValueError):  # the reader is gone
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
        self._keep("<", text)

    def _keep(self, mark: str, text: str) -> None:
        if self.file is not None:
            with self.lock, contextlib.suppress(OSError, ValueError):
                for line in text.splitlines() or [""]:
                    self.file.write(f"{time.perf_counter() - self.begun:10.3f} {mark} {line}\n")

    def close(self) -> None:
        """Close the log."""
        with self.lock:
            if self.file is not None:
                self.file.close()
