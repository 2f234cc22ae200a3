"""A session with a GUI: reads its lines and dispatches the commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from plywise import __version__
from plywise.io.transcript import Transcript
from plywise.uci.engine_options import UCI_OPTIONS
from plywise.uci.going import Going
from plywise.uci.protocol import parse_go, parse_position, parse_setoption, remark
from plywise.uci.thinker import Thinker

PATIENCE = 2.0
"""Seconds to wait at exit for the last search to stop."""

Words = Sequence[str]


class Session:
    """Runs commands.  Only ``quit`` and the end of the input end a session."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.say = transcript.say
        self.thinker = Thinker(self.say)
        self.going: Going | None = None
        """The latest search."""
        self.over = False
        self.commands: dict[str, Callable[[Words], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "ucinewgame": lambda words: self.thinker.put(self.thinker.new_game),
            "setoption": lambda words: self.thinker.put(partial(self.thinker.set_option, *parse_setoption(words))),
            "position": lambda words: self.thinker.put(partial(self.thinker.set_position, *parse_position(words))),
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "quit": self._quit,
            "bench": lambda words: self.thinker.put(partial(self.thinker.bench, *words[:1])),
            "d": lambda words: self.thinker.put(self.thinker.show),
            "debug": lambda words: None,
            "register": lambda words: None,
        }

    def listen(self) -> None:
        """Run commands until ``quit`` or the end of the input.  At the end of the input, finish earlier commands."""
        for line in self.transcript.lines():
            self.do_line(line)
            if self.over:
                return
            self.thinker.begin()
        self._stop(())
        self.thinker.close(None)

    def do(self, line: str) -> None:
        """Run one command and wait for it to finish."""
        self.do_line(line)
        if not self.thinker.jobs.empty():
            self.thinker.begin()
            self.thinker.close(None)

    def do_line(self, line: str) -> None:
        """Run the command in a line.  As the protocol requires, ignore the words before the first known command."""
        words = line.split()
        known = next((i for i, word in enumerate(words) if word in self.commands), None)
        if known is not None:
            self.commands[words[known]](words[known + 1 :])
        elif words:
            self.say(remark(f"unknown command: {line[:80]!r}"))

    def close(self) -> bool:
        """Stop the search and end the thinker; return whether it has ended."""
        if self.going is not None:
            self.going.stop()
        ended = self.thinker.close(PATIENCE if self.thinker.loaded else 0.0)
        self.transcript.close()
        return ended

    # Commands -------------------------------------------------------------------------------------------------------

    def _uci(self, words: Words) -> None:
        options = "\n".join(option.declaration() for option in UCI_OPTIONS)
        self.say(f"id name plywise {__version__}\nid author the plywise developers\n{options}\nuciok")

    def _isready(self, words: Words) -> None:
        """Answer when all earlier commands are done; during a search, as soon as the engine is loaded."""
        wait = self.thinker.when_loaded if self._searching() else self.thinker.put
        wait(partial(self.say, "readyok"))

    def _searching(self) -> bool:
        return self.going is not None and not self.going.done.is_set()

    def _go(self, words: Words) -> None:
        go = parse_go(words)
        for complaint in go.complaints:
            self.say(remark(complaint))
        self._stop(())  # only one search at a time
        self.going = Going(go)
        self.thinker.put(partial(self.thinker.think, self.going))

    def _quit(self, words: Words) -> None:
        self.over = True

    def _stop(self, words: Words) -> None:
        if self.going is not None:
            self.going.stop()

    def _ponderhit(self, words: Words) -> None:
        if self.going is not None:
            self.going.ponderhit()
