"""Texts: what ``format`` and ``format_move`` write can be read again, and anything else is refused in words."""

from __future__ import annotations

from plywise.errors import PositionError
from plywise.game import Move
from plywise.inputs.limits import MOST_MOVES
from plywise.study.checks.part import Answers, Part, Place, described, written

JUNK = "?!"
"""No position and no move of any game."""


class Texts(Part):
    """Positions have texts that can be read again."""

    def settle(self, start: Place) -> None:
        if len(self.subject.moves(start)) == MOST_MOVES:
            return  # listing them would take forever
        for method, arguments in (("parse", (JUNK,)), ("parse_move", (start.state, JUNK))):
            try:
                getattr(self.game, method)(*arguments)
            except PositionError:
                continue
            except Exception as error:
                told = described(type(self.game), error)
                message = f"{method}({JUNK!r}) must raise PositionError, not {told}"
                self.subject.found("text-error", message, subject=method)

    def anywhere(self, place: Place, answers: Answers) -> None:
        subject = self.subject
        if subject.defines("board"):  # what a layout draws is checked with the View
            subject.ask("board", place.state, place=place)
        if not isinstance(place.state, tuple) and not subject.defines("parse"):
            raise subject.wrong("no-text", "these positions have no text form: define parse and format", place)
        text = subject.ask("format", place.state, place=place)
        if not isinstance(text, str):
            raise subject.wrong("text", f"format must return a text, not {text!r}", place)
        try:
            again = self.game.parse(text)
        except Exception as error:
            message = f"format writes {text!r}, but parse raised {described(type(self.game), error)}"
            raise subject.wrong("text", message, place) from error
        if again != place.state:
            message = f"format writes {written(place.state)} as {text!r}, but parse reads that as {written(again)}"
            subject.found("text", message, place)


class MoveTexts(Part):
    """Moves have texts without spaces, each its own, that can be read again."""

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        subject = self.subject
        texts: dict[str, Move] = {}
        for move in dict.fromkeys(moves):
            text = subject.ask("format_move", place.state, move, place=place)
            if not isinstance(text, str) or text.split() != [text]:
                message = f"the text of a move must be a word without spaces, not {text!r}"
                raise subject.wrong("move-text", message, place, "word")
            if text in texts:
                message = f"the moves {texts[text]!r} and {move!r} have the same text {text!r}"
                raise subject.wrong("move-text", message, place, "same")
            texts[text] = move
        for text in subject.chance.sample(list(texts), min(len(texts), 20)):
            try:
                again = written(self.game.parse_move(place.state, text))
            except Exception as error:
                again = described(type(self.game), error)
            if again != written(texts[text]):
                message = f"format_move writes {text!r} for {written(texts[text])}, but parse_move gives {again}"
                raise subject.wrong("move-text", message, place, "parse")
