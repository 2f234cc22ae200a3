"""Playouts: they follow the rules, and what guides them is made of sensible numbers."""

from __future__ import annotations

import dataclasses
import math
import numbers
import warnings
from typing import Any

from plywise.compiling.reading import interpreted, interpreting
from plywise.engine.mcts import mcts_search
from plywise.engine.trail import Trail, new_trail
from plywise.errors import CompileWarning
from plywise.game import Move
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import Playouts
from plywise.study.checks.part import Answers, Part, Place, close, is_interval

NODES = 300
"""The positions of the searches that are compared, including those of playouts."""
MOST = 30
"""The most playouts to check: each takes as long as a game."""


class Notes(Trail):
    """A trail that also keeps the moves, for plain Python."""

    moves: list[tuple[int, Move]] = dataclasses.field(default_factory=list)

    def note(self, player: int, move: Move) -> None:
        super().note(player, move)
        self.moves.append((player, move))


class PlayingOut(Part):
    """``playout`` plays by the rules; ``prior`` and ``reward`` return numbers that a search can use."""

    layer = Playouts

    def __init__(self, subject: Any) -> None:
        super().__init__(subject)
        self.playouts = 0
        self.rewards: dict[float, float] = {}

    def begin(self, start: Place) -> None:
        """Compile the playouts, and compare a short search with an interpreted one."""
        if interpreting() or self.subject.interpreted_only or self.game.is_terminal(start.state):
            return
        for move in self.subject.moves(start):
            self.check_prior(start, move)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CompileWarning)
            compiled = mcts_search(self.game, start.state, nodes=NODES)
        if not compiled.compiled:
            for warning in caught:
                self.subject.found("compile", str(warning.message).removesuffix("; it runs interpreted, which is slow"))
            return
        with interpreted():
            plain = mcts_search(self.game, start.state, nodes=NODES)
        self.subject.comparisons += 1
        if (compiled.line, compiled.leaves) != (plain.line, plain.leaves) or not close(compiled.value, plain.value):
            message = f"playouts give {compiled.value} compiled, but {plain.value} interpreted"
            self.subject.found("differs", message, start, "playout")

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        for move in moves:
            self.check_prior(place, move)
        if self.playouts < MOST:
            self.playouts += 1
            self.check_playout(place)

    def at_end(self, place: Place, answers: Answers) -> None:
        score: Any = answers.get("score")
        if not is_number(score):
            return
        reward = self.subject.ask("reward", score, place=place)
        if not is_number(reward):
            raise self.subject.wrong("reward", f"reward({score}) must be a finite number, not {reward!r}", place)
        for other, known in self.rewards.items():
            if (other < score and known > reward) or (other > score and known < reward):
                message = f"reward({score}) is {reward}, but reward({other}) is {known}"
                raise self.subject.wrong("reward", message, place)
        self.rewards[float(score)] = float(reward)

    def check_prior(self, place: Place, move: Move) -> None:
        prior = self.subject.ask("prior", place.state, move, place=place)
        if (
            not isinstance(prior, tuple)
            or not is_interval((0, *prior[:1]))
            or not is_interval(prior)
            or not is_number(prior[1])
        ):
            text = self.subject.move_text(place.state, move)
            message = f"prior({text}) must be two numbers, 0 <= won <= all, not {prior!r}"
            raise self.subject.wrong("prior", message, place)

    def check_playout(self, place: Place) -> None:
        """Play a game out, and make its moves once more by the rules."""
        pattern = new_trail(self.playouts, 0, LONGEST_LINE, remembers=False)
        trail = Notes(**{field.name: getattr(pattern, field.name) for field in dataclasses.fields(pattern)})
        trail.start()
        score = self.subject.ask("playout", place.state, trail, place=place)
        if not is_number(score):
            raise self.subject.wrong("playout", f"playout must return a finite number, not {score!r}", place)
        state = place.state
        for number, (player, move) in enumerate(trail.moves, 1):
            if player != self.game.to_move(state) or move not in list(self.game.moves(state)):
                text = self.subject.move_text(state, move)
                message = f"move {number} of a playout, {text} by player {player}, is not legal there"
                raise self.subject.wrong("playout", message, place)
            state = self.game.play(state, move)
        if self.game.is_terminal(state) and not close(score, self.game.score(state)):
            message = (
                f"a playout of {len(trail.moves)} moves returned {score}, but its score is {self.game.score(state)}"
            )
            raise self.subject.wrong("playout", message, place)


def is_number(thing: Any) -> bool:
    """Return whether this is a finite number."""
    return isinstance(thing, numbers.Real) and math.isfinite(thing)
