"""A game known only by the addresses of its rules, so that the engine's machine code serves every game.

A position is an address.  Each position on the path has its own place in memory, and ``play`` writes the new position
one place further.  So a position overwrites its siblings: a search may hold one child of a position at a time.

Only compiled code calls these methods.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from plywise.compiling.hashing import HashedKey
from plywise.compiling.native import WHOLE_INFINITY, Native
from plywise.compiling.rules import ask, ask_two, bits_of, ceiling_of, floor_of, load_word, real_in
from plywise.errors import SearchError
from plywise.game import MAX, Move, Number
from plywise.inputs.limits import TOO_LONG_A_LINE

SOLVING = (
    "start", "play", "moves", "is_terminal", "score", "key", "order", "evaluate", "bounds", "proven_bounds",
    "candidates", "nearly_over", "move_in_image", "move_from_image", "banked", "rest_key",
)  # fmt: skip
"""The rules that solving needs; ``evaluate`` only because it may make scores floats, for all searches alike."""

RULES = (
    *SOLVING, "noisy_moves", "gain", "wins_at_least", "extension", "pass_move", "trait", "reversible", "repetition",
    "recurring", "probability",
)  # fmt: skip
"""All rules, in the order of their addresses."""

(
    START, PLAY, MOVES, IS_TERMINAL, SCORE, KEY, ORDER, EVALUATE, BOUNDS, PROVEN_BOUNDS, CANDIDATES, NEARLY_OVER,
    IN_IMAGE, FROM_IMAGE, BANKED, REST_KEY, NOISY_MOVES, GAIN, WINS_AT_LEAST, EXTENSION, PASS_MOVE, TRAIT, REVERSIBLE,
    REPETITION, RECURRING, PROBABILITY,
) = range(len(RULES))  # fmt: skip

REQUIRED = 6
"""The number of rules, from the first on, that have no default here."""

MOST_MOVES = 1 << 16
"""The most moves of a position."""


class AnyGame(Native):
    """Some game, whose scores are whole numbers."""

    OPEN: ClassVar[bool] = True

    addresses: np.ndarray
    """The address of each of ``RULES``; 0 where the game has the default."""
    reals: np.ndarray
    """For each of ``RULES``, which of its results are floats, as bits."""
    positions: np.ndarray
    found: np.ndarray
    """The moves of the position that was asked for them last."""
    block: int
    """The address of the game's own block."""
    stride: int
    """The bytes of a position."""
    last_root: int
    """The address of the last position that ``play`` must not overwrite."""
    end: int
    """The address after the last place for a position."""
    moves_at: int
    """The address of ``found``."""
    swing: float
    win_score: float

    def initial(self) -> int:
        return 0

    def asked(self, rule: int, state: int, word: int) -> int:
        return int(ask(self.addresses[rule], self.block, state, word, 0))

    def next_place(self, state: int) -> int:
        child = max(state, self.last_root) + self.stride
        if child >= self.end:
            raise SearchError(TOO_LONG_A_LINE)
        return child

    # The rules ------------------------------------------------------------------------------------------------------

    def to_move(self, state: int) -> int:
        return int(load_word(state))

    def play(self, state: int, move: Move) -> int:
        child = self.next_place(state)
        ask(self.addresses[PLAY], self.block, state, move, child)
        return child

    def collected(self, rule: int, state: int) -> int:
        return int(ask(self.addresses[rule], self.block, state, MOST_MOVES, self.moves_at))

    def moves(self, state: int) -> Iterator[Move]:
        for place in range(self.collected(MOVES, state)):
            yield self.found[place]

    def candidates(self, state: int) -> Iterator[Move]:
        for place in range(self.collected(CANDIDATES if self.addresses[CANDIDATES] else MOVES, state)):
            yield self.found[place]

    def noisy_moves(self, state: int) -> Iterator[Move]:
        if self.addresses[NOISY_MOVES]:
            for place in range(self.collected(NOISY_MOVES, state)):
                yield self.found[place]

    def is_terminal(self, state: int) -> bool:
        return self.asked(IS_TERMINAL, state, 0) != 0

    def nearly_over(self, state: int) -> bool:
        return self.asked(NEARLY_OVER, state, 0) != 0 if self.addresses[NEARLY_OVER] else False

    def key(self, state: int) -> HashedKey:
        return self.hashes(KEY, state)

    def rest_key(self, state: int) -> HashedKey:
        return self.hashes(REST_KEY if self.addresses[REST_KEY] else KEY, state)

    def hashes(self, rule: int, state: int) -> HashedKey:
        mixed, signature = ask_two(self.addresses[rule], self.block, state, 0, 0)
        return HashedKey(mixed, signature)

    def banked(self, state: int) -> int:
        return self.asked(BANKED, state, 0) if self.addresses[BANKED] else 0

    def order(self, state: int, move: Move) -> int:
        return self.asked(ORDER, state, move) if self.addresses[ORDER] else 0

    def gain(self, state: int, move: Move) -> int:
        return self.asked(GAIN, state, move) if self.addresses[GAIN] else 0

    def trait(self, state: int, move: Move) -> int:
        return self.asked(TRAIT, state, move) if self.addresses[TRAIT] else move

    def move_in_image(self, state: int, move: Move) -> Move:
        return self.asked(IN_IMAGE, state, move) if self.addresses[IN_IMAGE] else move

    def move_from_image(self, state: int, move: Move) -> Move:
        return self.asked(FROM_IMAGE, state, move) if self.addresses[FROM_IMAGE] else move

    def wins_at_least(self, state: int, move: Move, amount: float) -> bool:
        if self.addresses[WINS_AT_LEAST]:
            return bool(ask(self.addresses[WINS_AT_LEAST], self.block, state, move, bits_of(float(amount))))
        return self.gain(state, move) >= amount

    def extension(self, state: int) -> int:
        return self.asked(EXTENSION, state, 0) if self.addresses[EXTENSION] else 0

    def reversible(self, state: int) -> int:
        return self.asked(REVERSIBLE, state, 0) if self.addresses[REVERSIBLE] else 0

    def recurring(self, state: int) -> tuple[HashedKey, int]:
        if self.addresses[RECURRING]:
            return self.hashes(RECURRING, state), MAX  # it has the player in it
        return self.key(state), self.to_move(state)

    def probability(self, state: int, move: Move) -> float:
        word = self.asked(PROBABILITY, state, move)
        return real_in(word) if self.reals[PROBABILITY] else float(word)

    def pass_move(self, state: int) -> int:
        if not self.addresses[PASS_MOVE]:
            return state
        child = self.next_place(state)
        ask(self.addresses[PASS_MOVE], self.block, state, 0, child)
        return child

    # Scores ---------------------------------------------------------------------------------------------------------

    def number(self, word: int, rule: int) -> Number:
        """Return the number in a word that a rule returned."""
        return word

    def score(self, state: int) -> Number:
        return self.number(self.asked(SCORE, state, 0), SCORE)

    def evaluate(self, state: int) -> Number:
        return self.number(self.asked(EVALUATE, state, 0) if self.addresses[EVALUATE] else 0, EVALUATE)

    def repetition(self, state: int) -> Number:
        return self.number(self.asked(REPETITION, state, 0) if self.addresses[REPETITION] else 0, REPETITION)

    def bounds(self, state: int) -> tuple[Number, Number]:
        return self.limits(BOUNDS, state)

    def proven_bounds(self, state: int) -> tuple[Number, Number]:
        return self.limits(PROVEN_BOUNDS if self.addresses[PROVEN_BOUNDS] else BOUNDS, state)

    def limits(self, rule: int, state: int) -> tuple[Number, Number]:
        if not self.addresses[rule]:
            return -WHOLE_INFINITY, WHOLE_INFINITY
        low, high = ask_two(self.addresses[rule], self.block, state, 0, 0)
        reals = self.reals[rule]
        return floor_of(low) if reals & 1 else low, ceiling_of(high) if reals & 2 else high


class AnyRealGame(AnyGame):
    """Some game, whose scores are floats."""

    def number(self, word: int, rule: int) -> Number:
        return real_in(word) if self.reals[rule] else float(word)

    def limits(self, rule: int, state: int) -> tuple[Number, Number]:
        if not self.addresses[rule]:
            return -math.inf, math.inf
        low, high = ask_two(self.addresses[rule], self.block, state, 0, 0)
        reals = self.reals[rule]
        return real_in(low) if reals & 1 else float(low), real_in(high) if reals & 2 else float(high)
