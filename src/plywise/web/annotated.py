"""Games with comments, annotations and variations, as they come from a request or from a file that the page saved.

All moves are checked by the rules.  In a game with dice the rolls are made here, in variations too, so neither requests
nor files have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from plywise.errors import PlywiseError, SearchError
from plywise.game import Game, State
from plywise.games.records import DEEPEST, PlayedMove
from plywise.layers import CHANCE
from plywise.web.bodies import Body
from plywise.web.score_sheet import ScoreSheet

MOST_MOVES = 5000
"""The most moves of a game with all its variations."""

LARGEST_NAG = 999_999_999

LONGEST_REMARK = 100_000

Remark = Annotated[str, StringConstraints(max_length=LONGEST_REMARK)]
"""What is said about a game or a move.  The limit also keeps out halves of characters, such as ``\\ud800``."""


class AnnotatedMove(Body):
    """A move that was read from a file or will be saved in one.  In requests its text is enough.

    >>> AnnotatedMove.model_validate("e4") == AnnotatedMove(text="e4")
    True
    """

    text: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    """For ``moves`` in requests."""
    name: Remark = ""
    """In the game's usual notation; requests need not have it."""
    comment: Remark = ""
    nags: list[Annotated[int, Field(ge=1, le=LARGEST_NAG)]] = Field(default=[])
    """Annotations by their numbers in PGN: 1 is !, 2 is ?."""
    variations: list[Annotated[list[AnnotatedMove], Field(min_length=1)]] = Field(default=[])
    """Lines that replace this move."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        return {"text": given} if isinstance(given, str) else given


class Checked:
    """A game whose moves are legal: a line ends at its first illegal move."""

    def __init__(self, start: ScoreSheet, moves: Sequence[AnnotatedMove]) -> None:
        """Check the moves of a game and of its variations.

        Args:
            start: the game before the first move of a player.
            moves: the moves of the players.

        Raises:
            SearchError: there are too many moves.
        """
        if _count(moves) > MOST_MOVES:
            raise SearchError(f"a game may have at most {MOST_MOVES:,} moves with its variations")
        self.problem = ""
        """What is wrong with the main line, and where; empty if nothing is."""
        self.notes: list[str] = []
        """What is wrong with variations."""
        self.sheet, line = self._line(start, moves, 1, 0)
        """The end of the main line."""
        self.played = (*map(PlayedMove, start.moves), *line)
        """The main line, with its variations and with all rolls."""

    def _line(
        self, sheet: ScoreSheet, moves: Sequence[AnnotatedMove], first: int, depth: int
    ) -> tuple[ScoreSheet, tuple[PlayedMove, ...]]:
        """Return the end of a line, whose first move has this number, and its moves."""
        line: list[PlayedMove] = []
        for number, move in enumerate(moves, first):
            try:
                after = sheet.play(move.text)
            except PlywiseError as wrong:
                if depth:
                    self.notes.append(f"in a variation, move {number}: {wrong}")
                else:
                    self.problem = f"move {number}: {wrong}"
                break
            made, *rolls = after.moves[len(sheet.moves) :]
            variations = self._variations(sheet, move.variations, number, depth + 1)
            line += [PlayedMove(made, move.comment, tuple(move.nags), variations), *map(PlayedMove, rolls)]
            sheet = after
        return sheet, tuple(line)

    def _variations(
        self, sheet: ScoreSheet, variations: Sequence[Sequence[AnnotatedMove]], first: int, depth: int
    ) -> tuple[tuple[PlayedMove, ...], ...]:
        if variations and depth > DEEPEST:
            self.notes.append(f"variations are nested more than {DEEPEST} deep")
            return ()
        return tuple(line for moves in variations if (line := self._line(sheet, moves, first, depth)[1]))


def _count(moves: Sequence[AnnotatedMove]) -> int:
    """Return the number of moves, with all variations."""
    return len(moves) + sum(_count(line) for move in moves for line in move.variations)


def annotated_moves(game: Game, state: State, line: Iterable[PlayedMove]) -> list[AnnotatedMove]:
    """Return a line of legal moves that starts here, for requests and files: without rolls."""
    moves: list[AnnotatedMove] = []
    for played in line:
        if game.to_move(state) != CHANCE:
            text, name = game.format_move(state, played.move), game.move_name(state, played.move)
            nags, variations = list(played.annotations), [annotated_moves(game, state, v) for v in played.variations]
            moves.append(AnnotatedMove(text=text, name=name, comment=played.comment, nags=nags, variations=variations))
        state = game.play(state, played.move)
    return moves
