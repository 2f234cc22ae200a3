"""Errors of commands: one line that says why, and never a traceback.

For an exception in a user's rules, the line names the file, the line number, the class and the method.  For one in
plywise itself, it asks for a report; ``PLYWISE_DEBUG=1`` prints the traceback.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plywise.errors import LONGEST_QUOTE, PlywiseError, concise, one_line
from plywise.inputs.own_code import game_in, is_own, kind_and_message, own_place, where

DEBUG_VARIABLE = "PLYWISE_DEBUG"
OK, WRONG, MISUSED, INTERRUPTED = 0, 1, 2, 130
LONGEST_COMPLAINT = 300
"""The most characters in an error message."""

if TYPE_CHECKING:
    from plywise.game import Game

_OptionError: Any = typer.BadParameter.__mro__[2]  # Click's base class of command-line errors


def guarded(arguments: list[str]) -> int:
    """Run a command.  Turn any exception into one line and an exit code."""
    from plywise.cli.commands import app

    _tame_streams()
    warnings.showwarning = _show_warning
    command = typer.main.get_command(app)
    try:
        with command.make_context("plywise", arguments) as context:  # ``main`` would treat EOFError as Ctrl-C
            code = command.invoke(context)
        return code if isinstance(code, int) else OK
    except typer.Exit as leaving:
        return int(leaving.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
        return INTERRUPTED
    except _OptionError as error:
        asked = getattr(error, "ctx", None)
        path = asked.command_path if asked else "plywise"
        complain(f"{error.format_message()} (see {path} --help)")
    except PlywiseError as error:
        complain(str(error))
    except (Exception, SystemExit) as error:
        if isinstance(error, (BrokenPipeError, SystemExit)) and where(error) is None:
            _print_nowhere()  # the reader of our output is gone; Rich exits in that case
            return WRONG
        complain(_describe(error))
    return MISUSED


def complain(message: str) -> None:
    """Print one line to stderr."""
    line = f"plywise: {' '.join(concise(message).split())}"
    for longest in (LONGEST_QUOTE // 2, LONGEST_QUOTE // 4):
        if len(line) > LONGEST_COMPLAINT:
            line = concise(line, longest)
    print(one_line(line, LONGEST_COMPLAINT), file=sys.stderr)


def complain_of(messages: Sequence[str], most: int, what: str) -> None:
    """Print the first ``most`` messages and how many more ``what`` (lines, games) have one."""
    for message in messages[:most]:
        complain(message)
    if len(messages) > most:
        complain(f"and {len(messages) - most:,} more {what} like these")


def stopped(what: str, done: int, total: int, out: Path | None, fresh: bool) -> str:
    """Return the message after Ctrl-C of a command that can resume from a file.

    >>> stopped("games", 12, 1000, Path("games.jsonl"), fresh=True)
    'stopped with 12 of 1,000 games in games.jsonl; to resume, run the same command without --fresh'
    """
    if out is None:
        return f"stopped after {done:,} of {total:,} {what}; use --out FILE to keep them"
    again = " without --fresh" if fresh else ""
    return f"stopped with {done:,} of {total:,} {what} in {out}; to resume, run the same command{again}"


def _own_game(error: BaseException) -> Game | None:
    """Return the user's game if its compiled rules raised an exception.

    Compiled code has no frames, so the innermost frame is the one that called it.
    """
    from plywise.compiling import reading

    game, innermost = None, ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        innermost = frame.f_code.co_filename
        game = game_in(frame) or game
    if game is None or innermost != reading.__file__:
        return None
    return game if is_own(getattr(sys.modules.get(type(game).__module__), "__file__", None) or "<prompt>") else None


def _describe(error: BaseException) -> str:
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exception(error)
    if isinstance(error, OSError) and error.strerror and not error.filename and where(error) is None:
        return f"a file or a connection failed: {error.strerror}"  # for example while reading
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    while isinstance(error.__cause__, StopIteration):  # a generator in between turned it into another exception
        error = error.__cause__
    place = own_place(error)
    if place:
        return f"{place}: {kind_and_message(error)}"
    if game := _own_game(error):
        raised = f"the compiled rules of {type(game).__name__} raised {kind_and_message(error)}"
        return f"{raised}; run the same command with PLYWISE_INTERPRET=1 to see where"
    if isinstance(error, MemoryError):
        return f"not enough memory: {error or 'try a smaller limit'}"
    return f"this should not happen: {kind_and_message(error)} (please report it; {DEBUG_VARIABLE}=1 shows where)"


def _show_warning(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
    complain(f"warning: {message}")


def _tame_streams() -> None:
    """Print ? for characters that a stream cannot encode, such as ▲, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _print_nowhere() -> None:
    """Send all further output to the null device, so that it cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
