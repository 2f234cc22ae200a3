"""What a person sees when a command does not work: one line that says why, and never a traceback.

An exception in somebody's own rules names the file and the line.  One in plywise itself asks to be reported;
``PLYWISE_DEBUG=1`` shows where it came from.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any, TextIO

import typer

from plywise.errors import PlywiseError

DEBUG_VARIABLE = "PLYWISE_DEBUG"
OK, WRONG, MISUSED, INTERRUPTED = 0, 1, 2, 130

_OptionError: Any = typer.BadParameter.__mro__[2]  # Click's base of all complaints about a command line


def guarded(arguments: list[str]) -> int:
    """Run a command and turn whatever it raises into one line and an exit code."""
    from plywise.cli.app import app

    _tame_streams()
    warnings.showwarning = _show_warning
    try:
        code = typer.main.get_command(app).main(arguments, prog_name="plywise", standalone_mode=False)
        return code if isinstance(code, int) else OK
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
        return INTERRUPTED
    except _OptionError as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "plywise"
        complain(f"{error.format_message()} ({command} --help says what is allowed)")
    except PlywiseError as error:
        complain(str(error))
    except Exception as error:
        complain(_describe(error))
    return MISUSED


def complain(message: str) -> None:
    """Print one line to stderr."""
    print(f"plywise: {' '.join(message.split())}", file=sys.stderr)


def where(error: BaseException, file: Path | None = None) -> str | None:
    """Return the file and line of somebody's own code (or of ``file``) in which an exception arose."""
    if isinstance(error, SyntaxError) and error.filename and not error.filename.startswith("<"):
        return f"{_short(error.filename)}, line {error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename) == file if file else _is_own(frame.filename):
            return f"{_short(frame.filename)}, line {frame.lineno}"
    return None


def kind_and_message(error: BaseException) -> str:
    """Return an exception in a few words: ``NameError: name 'x' is not defined``."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}{f': {error.text.strip()}' if error.text else ''}"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _describe(error: Exception) -> str:
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exception(error)
    if isinstance(error, OSError) and error.strerror and not error.filename and where(error) is None:
        return f"a file or a connection failed: {error.strerror}"  # while it was read, say
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    place = where(error)
    if place:
        return f"{place}: {kind_and_message(error)}"
    return f"this should not happen: {kind_and_message(error)} ({DEBUG_VARIABLE}=1 shows where; please report it)"


def _is_own(file: str) -> bool:
    """Return whether a file is neither plywise's nor an installed library's."""
    path = Path(file)
    if file.startswith("<") or "site-packages" in path.parts or path.is_relative_to(Path(os.__file__).parent):
        return False
    return not path.is_relative_to(Path(__file__).parent.parent)


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _show_warning(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
    complain(f"warning: {message}")


def _tame_streams() -> None:
    """Make a stream that cannot say ▲ say ? instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIO) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
