"""The rules proper: when the game is over, who moves, which moves are legal, and where they lead."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
from collections.abc import Iterable

import numpy as np

from plywise.game import Move, State
from plywise.inputs.limits import MOST_MOVES
from plywise.layers import CHANCE, Chance
from plywise.study.checks.part import Answers, Hopeless, Part, Place, Subject, Unanswered
from plywise.study.checks.states import is_a_position, lasting_copy


class Ends(Part):
    """``is_terminal`` returns True or False, and a terminal position has no moves."""

    def anywhere(self, place: Place, answers: Answers) -> Answers:
        over = self.subject.ask("is_terminal", place.state, place=place)
        if not isinstance(over, (bool, int, np.bool_)):
            raise self.subject.wrong("is-terminal", f"is_terminal must return True or False, not {over!r}", place)
        return {"is_terminal": over}

    def at_end(self, place: Place, answers: Answers) -> None:
        if moves := self.subject.moves(place):
            text = self.subject.move_text(place.state, moves[0])
            self.subject.found("moves-after-end", f"the game is over, but moves yields {text}", place)


class Movers(Part):
    """``to_move`` names a player or, until the game is over and with the layer ``Chance``, chance."""

    def at_end(self, place: Place, answers: Answers) -> Answers:
        players = self.subject.players
        player = self.subject.ask("to_move", place.state, place=place)
        if player == CHANCE and isinstance(self.game, Chance):
            if answers["is_terminal"]:
                raise self.subject.wrong("chance-at-end", "the game is over, but to_move returns CHANCE", place)
            return {"to_move": player}
        if not isinstance(player, (int, np.integer)) or not 0 <= player < players:
            allowed = "0 (Max) or 1 (Min)" if players == 2 else f"0 to {players - 1}"
            hint = ": inherit pw.Chance, if that is chance" if player == CHANCE else ""
            raise self.subject.wrong("to-move", f"to_move must return {allowed}, not {player!r}{hint}", place)
        self.subject.ask("player_name", player, place=place)
        return {"to_move": player}

    in_middle = at_end


class Moves(Part):
    """``moves`` yields integers, each once, and the same ones every time."""

    def in_middle(self, place: Place, answers: Answers) -> Answers:
        subject = self.subject
        moves = subject.moves(place)
        if not moves:
            raise subject.wrong("no-moves", "the game is not over, but there is no move", place)
        if len(moves) == MOST_MOVES:
            raise subject.wrong("too-many-moves", f"moves yields {MOST_MOVES} moves or more", place)
        for move in [] if subject.interpreted_only else moves:
            if not isinstance(move, (int, np.integer)):
                raise subject.wrong("move-type", f"a move must be an integer, not {move!r}", place)
            if not -(1 << 63) <= move < 1 << 63:
                raise subject.wrong("overflow", f"move {move} does not fit a signed 64-bit integer", place, "move")
        if len(set(moves)) < len(moves):
            twice = collections.Counter(moves).most_common(1)[0][0]
            subject.found("duplicate-move", f"moves yields {subject.move_text(place.state, twice)} twice", place)
        if moves != subject.moves(place):
            subject.differs("moves", place)
        return {"moves": moves}


class Plays(Part):
    """``play`` accepts every move, leaves the position as it was, and returns a position."""

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers:
        return {"play": positions_after(self.subject, place, moves)}


def positions_after(subject: Subject, place: Place, moves: Iterable[Move]) -> dict[Move, State]:
    """Return the positions after the moves, without those that cannot be played."""
    after, before = {}, lasting_copy(place.state)
    for move in moves:
        with contextlib.suppress(Unanswered):
            state = subject.ask("play", place.state, move, place=place, rule="play-rejects")
            if before is not None and place.state != before:
                unchanged = dataclasses.replace(place, state=before)
                text = subject.move_text(before, move)
                subject.found("play-changes-state", f"play({text}) changes the position it is given", unchanged)
                raise Hopeless
            if is_a_position(subject, state, place.after(move, state)):
                if state != subject.ask("play", place.state, move, place=place, rule="play-rejects"):
                    subject.differs("play", place)
                after[move] = state
    return after
