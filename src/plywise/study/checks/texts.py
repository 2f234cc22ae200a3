"""Texts: ``parse`` and ``parse_move`` read what is written, and raise PositionError for anything else."""

from __future__ import annotations

from plywise.errors import PositionError
from plywise.game import Move
from plywise.inputs.limits import MOST_MOVES
from plywise.study.checks.part import Answers, Part, Place, described, written

JUNK = "?!"
"""Neither a position nor a move in any game."""


class Texts(Part):
    """``parse`` reads what ``format`` writes."""

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
        if subject.defines("board"):  # the View's part checks boards drawn from a layout
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
    """Each move has its own text, without spaces, and ``parse_move`` reads it."""

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
