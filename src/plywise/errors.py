"""The exceptions of plywise.  Each message says what was given, what is allowed, and where."""

from __future__ import annotations


class PlywiseError(Exception):
    """Base of everything that plywise raises on purpose."""


class GameError(PlywiseError):
    """A game's definition is wrong: the message names the class, the method and what to change."""


class PositionError(PlywiseError, ValueError):
    """A text or a value does not describe a position or a move of this game."""


class SearchError(PlywiseError, ValueError):
    """A search was asked for something that it cannot do."""


class ProofError(SearchError):
    """A proof proves nothing: it is wrong, incomplete, or of another game."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line
        """Where in the proof file."""


class QuizError(PlywiseError, ValueError):
    """A quiz cannot be made as wished, or an answer to one cannot be read."""


class CompileWarning(UserWarning):
    """A game runs interpreted because Numba cannot compile it."""


class CacheWarning(UserWarning):
    """Machine code is not kept on disk, or not as wished: the message says why and what to do."""


class Stopped(Exception):
    """Raised inside a running search when its clock, its node limit or the user says stop."""

    def __init__(self, nodes: int = 0, leaves: int = 0) -> None:
        super().__init__(nodes, leaves)
        self.nodes, self.leaves = nodes, leaves
