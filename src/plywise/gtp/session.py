"""A session with a GUI: reads its lines and carries out the commands, one after the other.

One thread reads and another works, so that ``quit``, the end of the input, Ctrl-C and GoGui's ``# interrupt`` reach a
search while it runs.  Scripts are written at once and end with ``quit``: so ``quit`` does not stop a search that has
only just begun, or that comes later.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple

from plywise import __version__
from plywise.errors import PlywiseError
from plywise.gtp.board import Board
from plywise.gtp.player import SEEDS, Player
from plywise.gtp.protocol import (
    Command,
    CommandError,
    failure,
    parse_command,
    read_colour,
    read_count,
    read_number,
    read_seconds,
    success,
)
from plywise.io.transcript import Transcript
from plywise.match.gtp_program import PASS

PATIENCE = 2.0
"""Seconds to wait at exit for the last search to stop."""
GRACE = 0.5
"""Seconds for which a search must have run to be stopped by ``quit``."""
INTERRUPT = "# interrupt"
RESIGN = "resign"
ANALYZE = (
    "string/Final Score/final_score",
    "plist/Legal Moves Black/all_legal black",
    "plist/Legal Moves White/all_legal white",
    "string/Value/plywise-value",
)
"""Commands that GoGui offers in its menu."""


class Entry(NamedTuple):
    """A command: what it does, and how many arguments it takes."""

    run: Callable[..., str | None]
    fewest: int = 0
    most: int = 0


class Session:
    """Carries out commands."""

    def __init__(self, board: Board, player: Player, transcript: Transcript) -> None:
        self.board, self.player, self.transcript = board, player, transcript
        self.lines: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="plywise gtp", daemon=True)
        self.value: float | None = None
        """The value of the last search, for Black."""
        self.begun = time.process_time()
        self.commands = {
            "all_legal": Entry(self._all_legal, 1, 1),
            "boardsize": Entry(self._boardsize, 1, 1),
            "clear_board": Entry(self._clear_board),
            "cputime": Entry(lambda: f"{time.process_time() - self.begun:.3f}"),
            "final_score": Entry(lambda: self.board.final_score()),
            "final_status_list": Entry(self._final_status_list, 1, 1),
            "fixed_handicap": Entry(self._fixed_handicap, 1, 1),
            "genmove": Entry(self._genmove, 1, 1),
            "get_komi": Entry(self._get_komi),
            "get_random_seed": Entry(lambda: str(self.player.seed)),
            "gogui-analyze_commands": Entry(lambda: "\n".join(ANALYZE)),
            "gogui-interrupt": Entry(lambda: None),
            "gogui-play_sequence": Entry(self._play_sequence, 0, sys.maxsize),
            "kgs-time_settings": Entry(self._kgs_time_settings, 1, 4),
            "known_command": Entry(lambda name: "true" if name in self.commands else "false", 1, 1),
            "komi": Entry(self._komi, 1, 1),
            "list_commands": Entry(lambda: "\n".join(self.commands)),
            "loadsgf": Entry(self._loadsgf, 1, 2),
            "name": Entry(lambda: "plywise"),
            "place_free_handicap": Entry(self._place_free_handicap, 1, 1),
            "play": Entry(self._play, 2, 2),
            "plywise-value": Entry(lambda: "unknown" if self.value is None else f"{self.value:+g}"),
            "printsgf": Entry(self._printsgf, 0, 1),
            "protocol_version": Entry(lambda: "2"),
            "query_boardsize": Entry(lambda: str(self.board.layout.columns)),
            "quit": Entry(lambda: None),
            "rectangular_boardsize": Entry(self._boardsize, 2, 2),
            "reg_genmove": Entry(self._reg_genmove, 1, 1),
            "set_free_handicap": Entry(self._set_free_handicap, 2, sys.maxsize),
            "set_random_seed": Entry(self._set_random_seed, 1, 1),
            "showboard": Entry(self._showboard),
            "time_left": Entry(self._time_left, 3, 3),
            "time_settings": Entry(self._time_settings, 3, 3),
            "undo": Entry(lambda: self.board.undo()),
            "version": Entry(lambda: __version__),
        }

    def listen(self) -> None:
        """Carry out commands until ``quit`` or the end of the input."""
        self.thread.start()
        for line in self.transcript.lines():
            if line.lower() == INTERRUPT:
                self.player.stop()
            command = parse_command(line)
            if command is not None:
                self.lines.put(command)
                if command.name == "quit":
                    break
        self.lines.put(None)
        self.player.stop(GRACE)
        while self.thread.is_alive():
            self.thread.join(PATIENCE)  # in steps, so that Ctrl-C is noticed

    def close(self) -> bool:
        """Stop the search and end the thread; return whether it has ended."""
        self.player.stop()
        self.lines.put(None)
        self.thread.join(PATIENCE)
        self.transcript.close()
        return not self.thread.is_alive()

    def _work(self) -> None:
        for command in iter(self.lines.get, None):
            self.transcript.say(self.answer(command))

    def answer(self, command: Command) -> str:
        """Carry out a command and return the answer."""
        entry = self.commands.get(command.name)
        try:
            if entry is None:
                raise CommandError("unknown command")
            if not entry.fewest <= len(command.arguments) <= entry.most:
                raise CommandError(f"syntax error: {command.name} takes {_count(entry)}")
            return success(command.number, entry.run(*command.arguments) or "")
        except (CommandError, PlywiseError) as error:
            return failure(command.number, str(error))
        except Exception as error:
            traceback.print_exc()
            return failure(command.number, f"internal error: {type(error).__name__}: {error}")

    # The board ------------------------------------------------------------------------------------------------------

    def _boardsize(self, *sides: str) -> None:
        width, *height = map(read_count, sides)
        self.board.resize(width, *height or [width])

    def _clear_board(self) -> None:
        self.board.clear()
        self.player.prepare(self.board.game, self.board.state)
        self.player.new_game()

    def _komi(self, komi: str) -> None:
        self.board.set_komi(read_number(komi))

    def _get_komi(self) -> str:
        return f"{getattr(self.board.game, 'komi', 0):g}"

    def _fixed_handicap(self, count: str) -> str:
        points = self.board.handicap_points(read_count(count))
        self.board.place_handicap(points)
        return " ".join(points)

    def _place_free_handicap(self, count: str) -> str:
        if read_count(count) < 2:
            raise CommandError("invalid number of stones")
        return self._fixed_handicap(str(min(read_count(count), self.board.most_handicap)))

    def _set_free_handicap(self, *vertices: str) -> None:
        self.board.place_handicap(vertices)

    def _play(self, colour: str, vertex: str) -> None:
        self.board.play(read_colour(colour), vertex)

    def _play_sequence(self, *words: str) -> None:
        if len(words) % 2:
            raise CommandError("syntax error: gogui-play_sequence takes pairs of a color and a vertex")
        played = len(self.board.past)
        try:
            for colour, vertex in zip(words[::2], words[1::2], strict=True):
                self._play(colour, vertex)
        except Exception:
            while len(self.board.past) > played:  # a command that fails changes nothing
                self.board.undo()
            raise

    def _all_legal(self, colour: str) -> str:
        return " ".join(self.board.legal(read_colour(colour)))

    def _showboard(self) -> str:
        game, state = self.board.game, self.board.state
        to_move = "" if game.is_terminal(state) else f"\n{game.player_name(game.to_move(state))} to move"
        return f"\n{game.board(state)}{to_move}"

    def _loadsgf(self, file: str, before: str = "") -> None:
        self.board.load(file, read_count(before) if before else None)

    def _printsgf(self, file: str = "") -> str | None:
        if not file:
            return self.board.record()
        self.board.save(file)
        return None

    def _final_status_list(self, status: str) -> str:
        if status not in ("alive", "seki", "dead"):
            raise CommandError("invalid status: alive, seki or dead")
        return "\n".join(map(" ".join, self.board.strings())) if status == "alive" else ""

    # The player -----------------------------------------------------------------------------------------------------

    def _genmove(self, colour: str) -> str:
        return self._choose(read_colour(colour), play=True)

    def _reg_genmove(self, colour: str) -> str:
        return self._choose(read_colour(colour), play=False)

    def _choose(self, player: int, play: bool) -> str:
        board = self.board
        state = board.turned(player)
        choice = self.player.choose(board.game, [*board.states[:-1], state], board.moves)
        self.value = choice.value
        move = choice.move
        if move is None:
            return RESIGN
        if board.is_forbidden(state, move):  # not all algorithms look at the moves before
            move = board.move_named(state, PASS)
        if play:
            board.add(state, move)
        return board.vertex(state, move)

    def _set_random_seed(self, seed: str) -> None:
        self.player.seed = read_count(seed) % SEEDS
        self.player.new_game()

    def _time_settings(self, main: str, period: str, moves: str) -> None:
        self.player.set_time(read_seconds(main), read_seconds(period), read_count(moves))

    def _kgs_time_settings(self, kind: str, *numbers: str) -> None:
        """Set the time as the server KGS tells it; of its Japanese periods, each is for one move."""
        times, counts = [read_seconds(number) for number in numbers[:2]], [read_count(number) for number in numbers[2:]]
        if (kind, len(numbers)) == ("none", 0):
            self.player.set_time(0, 1, 0)
        elif (kind, len(numbers)) == ("absolute", 1):
            self.player.set_time(times[0], 0, 0)
        elif (kind, len(numbers)) == ("byoyomi", 3):
            self.player.set_time(times[0], times[1], 1)
        elif (kind, len(numbers)) == ("canadian", 3):
            self.player.set_time(times[0], times[1], counts[0])
        else:
            raise CommandError("syntax error: none, absolute TIME, byoyomi TIME PERIOD COUNT or canadian TIME PERIOD "
                               "MOVES")  # fmt: skip

    def _time_left(self, colour: str, left: str, moves: str) -> None:
        self.player.set_time_left(read_colour(colour), read_seconds(left), read_count(moves))


def _count(entry: Entry) -> str:
    """Return how many arguments a command takes, in words."""
    if entry.most == sys.maxsize:
        return f"at least {entry.fewest} arguments" if entry.fewest else "any number of arguments"
    counts = f"{entry.fewest}" if entry.fewest == entry.most else f"{entry.fewest} to {entry.most}"
    return f"{counts} argument{'' if counts == '1' else 's'}"
