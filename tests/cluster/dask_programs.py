"""A cluster of real processes, as Dask's own programs ``dask scheduler`` and ``dask worker`` start them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 30.0
WITHOUT_PLYWISE = "import sys; sys.modules['plywise'] = None"


class DaskPrograms:
    """A scheduler and its workers, of one thread each.

    Args:
        folder: where the scheduler writes its file.
        workers: how many to begin with.
    """

    def __init__(self, folder: Path, workers: int = 1) -> None:
        self.file = folder / "scheduler.json"
        self.running: list[subprocess.Popen[bytes]] = []
        self.open()
        self.workers = [self.hire() for _ in range(workers)]

    def open(self, port: int = 0, before: str = "pass") -> None:
        """Start a scheduler, which executes something before."""
        self.file.unlink(missing_ok=True)
        self.scheduler = self._start("scheduler", before, "--port", str(port))
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"))

    def hire(self, before: str = "pass") -> subprocess.Popen[bytes]:
        """Start a worker, which executes something before."""
        return self._start("worker", before, "--no-nanny", "--nthreads", "1")

    def _start(self, program: str, before: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", f"{before}; from distributed.cli.dask_{program} import main; main()"]
        command += ["--scheduler-file", str(self.file), "--host", "127.0.0.1", "--no-dashboard", *arguments]
        self.running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self.running[-1]

    @property
    def port(self) -> int:
        """The scheduler's."""
        return int(json.loads(self.file.read_text())["address"].rpartition(":")[2])

    def close(self) -> None:
        """Kill all programs, the scheduler first."""
        for process in (self.scheduler, *self.running):
            process.kill()
        for process in self.running:
            process.wait()


def wait_until(ready: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)
