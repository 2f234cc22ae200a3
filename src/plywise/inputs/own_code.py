"""Locate an exception in the user's own rules: file, line, class and method.

The command line imports this before it knows the command, so the contract, which needs NumPy, is imported late.
"""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.game import Game


def where(error: BaseException, file: Path | None = None) -> str | None:
    """Return the file and line of the user's own code (or of ``file``) that raised an exception."""
    if isinstance(error, SyntaxError) and error.filename and not error.filename.startswith("<"):
        return f"{_short(error.filename)}, line {error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename) == file if file else is_own(frame.filename):
            return f"{_short(frame.filename)}, line {frame.lineno}"
    return None


def kind_and_message(error: BaseException) -> str:
    """Return an exception in a few words: ``NameError: name 'x' is not defined``."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}{f': {error.text.strip()}' if error.text else ''}"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def own_place(error: BaseException) -> str | None:
    """Return where in the user's own code, and in which rule, an exception arose: ``own.py, line 12, in MyGame.play``.

    A frame of compiled code has no variables, so the game is taken from the plywise frame that called it.  The frame's
    file and line may belong to equal rules that were compiled earlier in another file: they are used only if they lie
    within the method's own source.
    """
    game: Game | None = None
    place, rule = where(error), ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        game = game_in(frame) or game
        if not is_own(frame.f_code.co_filename):
            continue
        place = f"{_short(frame.f_code.co_filename)}, line {line}"
        code = getattr(getattr(type(game), frame.f_code.co_name, None), "__code__", None)
        if code is not None:
            rule = f", in {type(game).__name__}.{code.co_name}"
            lines = [number for _, _, number in code.co_lines() if number]
            if frame.f_code.co_filename != code.co_filename or not min(lines) <= line <= max(lines):
                place = f"{_short(code.co_filename)}, line {code.co_firstlineno}"
    return place and f"{place}{rule}"


def game_in(frame: FrameType) -> Game | None:
    """Return the game that a frame holds as ``self`` or ``game``."""
    from plywise.game import Game  # late: ``plywise --help`` needs none of it

    held = (frame.f_locals.get(name) for name in ("self", "game"))
    return next((value for value in held if isinstance(value, Game)), None)


def is_own(file: str) -> bool:
    """Return whether a file belongs neither to plywise nor to an installed library."""
    path = Path(file)
    if file.startswith("<") or "site-packages" in path.parts or path.is_relative_to(Path(os.__file__).parent):
        return False
    return not path.is_relative_to(Path(__file__).parent.parent)


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
