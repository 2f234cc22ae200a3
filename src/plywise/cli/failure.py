"""What a person sees when a command does not work: one line that says why, and never a traceback.

An exception in somebody's own rules names the file, the line, the class and the method.  One in plywise itself asks to
be reported; ``PLYWISE_DEBUG=1`` shows where it came from.
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
"""Characters of a complaint."""

if TYPE_CHECKING:
    from plywise.game import Game

_OptionError: Any = typer.BadParameter.__mro__[2]  # Click's base of all complaints about a command line


def guarded(arguments: list[str]) -> int:
    """Run a command and turn whatever it raises into one line and an exit code."""
    from plywise.cli.commands import app

    _tame_streams()
    warnings.showwarning = _show_warning
    command = typer.main.get_command(app)
    try:
        with command.make_context("plywise", arguments) as context:  # its ``main`` takes EOFError for Ctrl-C
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
        complain(f"{error.format_message()} ({path} --help says what is allowed)")
    except PlywiseError as error:
        complain(str(error))
    except (Exception, SystemExit) as error:
        if isinstance(error, (BrokenPipeError, SystemExit)) and where(error) is None:
            _print_nowhere()  # the reader of our output has left; Rich exits then
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
    """Print the first of many complaints, and how many more there are: ``what`` is what they are about."""
    for message in messages[:most]:
        complain(message)
    if len(messages) > most:
        complain(f"and {len(messages) - most:,} more {what} like these")


def stopped(what: str, done: int, total: int, out: Path | None, fresh: bool) -> str:
    """Return what to say after Ctrl-C when the results so far are, or could have been, in a file.

    >>> stopped("games", 12, 1000, Path("games.jsonl"), fresh=True)
    'stopped with 12 of 1,000 games in games.jsonl; the same command, without --fresh, goes on'
    """
    if out is None:
        return f"stopped after {done:,} of {total:,} {what}; with --out FILE, they would be kept"
    again = ", without --fresh," if fresh else ""
    return f"stopped with {done:,} of {total:,} {what} in {out}; the same command{again} goes on"


def _own_game(error: BaseException) -> Game | None:
    """Return the game of somebody's own that was searched when an exception arose in compiled code, which has no
    frames: the innermost frame is the one that called it.
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
        return f"a file or a connection failed: {error.strerror}"  # while it was read, say
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    while isinstance(error.__cause__, StopIteration):  # a generator between made another exception of it
        error = error.__cause__
    place = own_place(error)
    if place:
        return f"{place}: {kind_and_message(error)}"
    if game := _own_game(error):
        raised = f"the compiled rules of {type(game).__name__} raised {kind_and_message(error)}"
        return f"{raised}; with PLYWISE_INTERPRET=1 the same command says where"
    if isinstance(error, MemoryError):
        return f"there is not enough memory for this: {error or 'ask for less'}"
    return f"this should not happen: {kind_and_message(error)} ({DEBUG_VARIABLE}=1 shows where; please report it)"


def _show_warning(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
    complain(f"warning: {message}")


def _tame_streams() -> None:
    """Make a stream that cannot say ▲ say ? instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _print_nowhere() -> None:
    """Let nothing that is still to be printed fail, now that nobody reads it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
