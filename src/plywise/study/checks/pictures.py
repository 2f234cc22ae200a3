"""View: pieces and places fit the board, and texts fit one line."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from plywise.game import MAX, Move
from plywise.layers import CHANCE, View
from plywise.layers.layout import Layout, Piece, Pits, Sheet
from plywise.layers.setting_up import defines_set_up, has_squares
from plywise.layers.view import cells_of
from plywise.study.checks.part import Answers, Part, Place
from plywise.study.checks.texts import JUNK

ABOUT: Mapping[str, str] = MappingProxyType(
    {
        "event": "check", "date": "2000-01-01", "round": "1", "max": "a", "min": "b", "result": "*", "reason": "",
        "clock": "-",
    }
)  # fmt: skip
"""Facts about a game to call ``record`` with."""


class Pictures(Part):
    """What the View returns fits the board, and its texts fit one line."""

    layer = View

    def begin(self, start: Place) -> None:
        for name in ("title", "description", "estimated_size", "mark_name", "record_suffix"):
            value = getattr(self.game, name)
            if not _is_line(value):
                self.subject.found("view-text", f"{name} must be a text of one line, not {value!r}", subject=name)
        layout, pieces = self.game.layout, self.game.pieces
        if layout is not None and not isinstance(layout, Layout):
            self.subject.found("layout", f"layout must be a Grid, Points, Pits or a Sheet, not {layout!r}")
        elif not isinstance(pieces, tuple) or not all(isinstance(piece, Piece) for piece in pieces):
            self.subject.found("layout", f"pieces must be a tuple of Piece, not {pieces!r}")

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        self.check_board(place)
        if self.has_board and has_squares(self.game) and defines_set_up(self.game):
            self.check_set_up(place, answers.get("to_move", MAX))
        for move in answers.get("play", ()):
            if self.has_board:
                self.check_places(place, move)
            if answers.get("to_move") == CHANCE:
                self.check_dice(place, move)
            self.check_text("move_name", place, place.state, move)
        self.check_text("why_illegal", place, place.state, self.illegal_text(place, moves))

    def illegal_text(self, place: Place, moves: list[Move]) -> str:
        """Return the text of the move before if it is not legal now, else one that is never legal."""
        if place.above is not None:
            before = self.subject.move_text(place.above.state, place.move)
            if before not in [self.subject.move_text(place.state, move) for move in moves]:
                return before
        return JUNK

    def at_end(self, place: Place, answers: Answers) -> None:
        self.check_board(place)
        self.check_text("ending", place, place.state)
        if "score" in answers:
            self.check_text("score_text", place, answers["score"])
        line = place.lineage()
        self.asked("record", place, line[0].state, [each.move for each in line[1:]], ABOUT)

    @property
    def has_board(self) -> bool:
        """Whether there is a board, and its layout and pieces are in order."""
        return isinstance(self.game.layout, Layout) and ("layout", "") not in self.subject.findings

    def check_board(self, place: Place) -> None:
        """Check that every place is empty or holds a known piece, that marked places exist, and the texts."""
        self.check_text("tally", place, place.state)
        if not self.has_board:
            return
        pits, sheet, pieces = *(isinstance(self.game.layout, kind) for kind in (Pits, Sheet)), len(self.game.pieces)
        least, most = -math.inf if sheet else 0, math.inf if pits else pieces
        for where in range(self.game.layout.size):
            piece = self.asked("piece_at", place, place.state, where)
            if not isinstance(piece, numbers.Integral) or not least <= int(piece) <= most:
                allowed = "a whole number of stones" if pits else f"{'Sheet.written(n) or ' * sheet}0 to {pieces}"
                message = f"piece_at must return {allowed}, not {piece!r}, at {where}"
                raise self.subject.wrong("piece-at", message, place)
        self.check_numbers("marked", place, self.asked("marked", place, place.state), least=0)

    def check_set_up(self, place: Place, player: int) -> None:
        """Check that ``set_up`` makes a position with the same board and the same player to move."""
        cells = cells_of(self.game, place.state)
        again = self.asked("set_up", place, cells, player)
        shown = cells_of(self.game, again)
        other = next((where for where in range(len(cells)) if shown[where] != cells[where]), None)
        if other is not None:
            message = f"set_up puts piece {shown[other]} on place {other}, where piece_at is {cells[other]}"
            raise self.subject.wrong("set-up", message, place)
        if self.game.to_move(again) != player:
            message = f"set_up must return a position where player {player} is to move, not {self.game.to_move(again)}"
            raise self.subject.wrong("set-up", message, place)

    def check_places(self, place: Place, move: Move) -> None:
        found = self.asked("places", place, place.state, move)
        if not isinstance(found, tuple) or len(found) != 2:
            text = self.subject.move_text(place.state, move)
            raise self.subject.wrong("places", f"places must return two places, not {found!r}, for {text}", place)
        self.check_numbers("places", place, found, least=-1)
        for way in self.asked("routes", place, place.state, move):
            self.check_numbers("routes", place, way, least=0)
        selected = self.asked("selection", place, place.state, move)
        if selected is not None:
            self.check_numbers("selection", place, selected, least=0)

    def check_dice(self, place: Place, move: Move) -> None:
        for face in self.asked("dice_shown", place, place.state, move):
            if not isinstance(face, numbers.Integral) or not 1 <= int(face) <= 6:
                message = f"dice_shown must return faces from 1 to 6, not {face!r}"
                raise self.subject.wrong("dice-shown", message, place)

    def check_numbers(self, method: str, place: Place, found: Iterable[Any], least: int) -> None:
        last = self.game.layout.size - 1
        for number in found:
            if not isinstance(number, numbers.Integral) or not least <= int(number) <= last:
                allowed = f"0 to {last}{', or -1 for nowhere' if least < 0 else ''}"
                message = f"{method} must return places from {allowed}, not {number!r}"
                raise self.subject.wrong("places", message, place)

    def check_text(self, method: str, place: Place, *arguments: Any) -> None:
        text = self.asked(method, place, *arguments)
        if not _is_line(text):
            message = f"{method} must return a text of one line, not {text!r}"
            raise self.subject.wrong("view-text", message, place, method)

    def asked(self, method: str, place: Place, *arguments: Any) -> Any:
        return self.subject.ask(method, *arguments, place=place, rule="view-raises")


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and "\n" not in text
