"""Talks to the real UCI program."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

COMMAND = [sys.executable, "-m", "plywise", "uci"]
COMPILING = 300.0
"""Seconds that anything may take that may have to compile first."""


class Talk:
    """Says lines and hears lines."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )  # fmt: skip
        self.heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.put(line.decode().rstrip("\n"))
        self.heard.put(None)

    def say(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else f"{line}\n".encode())
        self.process.stdin.flush()

    def until(self, beginning: str, seconds: float = 30.0) -> list[str]:
        """Return what is heard up to the first line that begins so."""
        lines: list[str] = []
        deadline = time.perf_counter() + seconds
        while not lines or not lines[-1].startswith(beginning):
            try:
                line = self.heard.get(timeout=max(0.001, deadline - time.perf_counter()))
            except queue.Empty:
                raise AssertionError(f"no {beginning!r} within {seconds} s, but {lines[-5:]}") from None
            assert line is not None, f"the program left after {lines[-5:]}: {self.errors()}"
            lines.append(line)
        return lines

    def ready(self) -> list[str]:
        """Wait until everything that was said is done."""
        self.say("isready")
        return self.until("readyok", COMPILING)

    def settle(self) -> list[str]:
        """Wait until everything that was said is done, searches too: ``isready`` does not wait for those."""
        self.say("setoption name of no option")
        return self.until("info string there is no option 'of no option'", COMPILING)

    def go(self, line: str, seconds: float = 30.0) -> tuple[str, list[str]]:
        """Return the best move and what was heard before it."""
        self.say(line)
        *before, answer = self.until("bestmove", seconds)
        return answer.split()[1], before

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def leave(self, seconds: float = 10.0) -> int:
        """Close the input, wait for the end and return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(seconds)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.listener.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue


def infos(lines: Sequence[str]) -> list[dict[str, str]]:
    """Return what the lines about finished depths say, by name; ``pv`` and ``score`` have several words."""
    found = []
    for line in lines:
        words = line.split()
        if words[:2] != ["info", "depth"] or "pv" not in words:
            continue
        facts = {"pv": " ".join(words[words.index("pv") + 1 :])}
        for name in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"):
            facts[name] = words[words.index(name) + 1]
        score = words.index("score")
        facts["score"] = " ".join(words[score + 1 : score + 3])
        facts["bound"] = words[score + 3] if words[score + 3].endswith("bound") else "exact"
        found.append(facts)
    return found
