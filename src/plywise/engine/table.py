"""The transposition table of an engine: a fixed size, shared by threads without locks.

An entry is two words:

    first     the position's signature, scrambled by the second word
    second    value (32 bits) | move (16) | depth (10) | generation (3) | proven (1) | bound (2)

Two threads may write an entry at once, and a third may then read one word of each.  The first word reveals this: it
matches the signature only together with the second word it was written with (an idea of Hyatt and Mann, 2002).  Such an
entry is ignored.

A bucket is four entries, 64 bytes: one cache line.  The table forgets rather than distorts: a move that does not fit is
dropped, a value that does not fit is not stored, and a real number that 32 bits cannot hold is stored as a bound,
rounded to the safe side.

Positions that share a key may call their moves differently, as mirror images do.  An entry holds a move by its
name in the image (``layers.Symmetry``): ``packed`` and ``table_move`` translate.

Positions that differ only in points already won share an entry too (``layers.Banked``).  Their key is ``rest_key``; the
entry holds the value of the rest of the game.  ``packed`` subtracts the points, and ``table_value`` adds them again.

The signature of a single-number key is the key itself, so such positions are never confused.  Longer keys get a 64-bit
signature that is independent of the bucket.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from plywise.algorithms.memo_table import EXACT, LOWER, UPPER
from plywise.compiling.atomic import fetch_ahead, load, store
from plywise.compiling.hashing import bucket, signature
from plywise.compiling.instructions import INT32, WORD, word
from plywise.compiling.native import Native, inlined
from plywise.compiling.scores import number_type
from plywise.compiling.twins import twin
from plywise.errors import GameError, SearchError
from plywise.game import Game, Move, Number, State, sign

NO_MOVE = (1 << 16) - 1
"""Stored if there is no move, or if it does not fit."""

MOST_DEPTH = (1 << 10) - 1
GENERATIONS = 8

ALWAYS, DEEPEST, TWO_TIER, AGED = range(4)
POLICIES = {"always": ALWAYS, "deepest": DEEPEST, "two-tier": TWO_TIER, "aged": AGED}
"""Replacement policies.  always: replace the entry in the position's one place.  deepest: likewise, but keep a deeper
entry of this search.  two-tier: one place of each kind.  aged: replace the shallowest of the four entries in the
bucket, preferring those of earlier searches."""

SEARCHES, POLICY = range(2)
"""Places in ``Table.settings``."""

ENTRY_WORDS, BUCKET = 2, 8
"""Words in an entry and in a bucket."""

AGE = 4
"""With ``aged``, an entry counts as this many plies shallower for each search since it was made."""


class Table(Native):
    """A transposition table.  Made by ``table_of``."""

    slots: np.ndarray
    settings: np.ndarray
    """The number of searches so far, and the policy."""

    @inlined
    def find(self, key: Any, salt: int) -> int:
        """Return the second word of the entry for ``key``; 0 if there is none.

        ``salt`` distinguishes positions with the same key, where the path to them matters.
        """
        first = BUCKET * bucket(key, len(self.slots) // BUCKET)
        mark = signature(key) ^ salt
        for place in range(first, first + BUCKET, ENTRY_WORDS):
            entry = load(self.slots, place + 1)
            if load(self.slots, place) ^ entry == mark:
                return entry
        return 0

    @inlined
    def expect(self, key: Any) -> None:
        """Prefetch the bucket of ``key``."""
        fetch_ahead(self.slots, BUCKET * bucket(key, len(self.slots) // BUCKET))

    def keep(self, key: Any, salt: int, entry: int) -> None:
        """Store an entry made by ``packed`` where the policy allows it; 0 is ignored."""
        if entry == 0:
            return
        mark = signature(key) ^ salt
        first = BUCKET * bucket(key, len(self.slots) // BUCKET)
        entry |= (self.settings[SEARCHES] % GENERATIONS) << 3
        place = self.place_for(first, mark, entry)
        if place >= 0:
            store(self.slots, place + 1, entry)
            store(self.slots, place, mark ^ entry)

    def place_for(self, first: int, mark: int, entry: int) -> int:
        """Return the place in the bucket for an entry; -1 for none."""
        policy = self.settings[POLICY]
        if policy == AGED:
            return self.weakest(first, BUCKET, mark)
        if policy == TWO_TIER:
            place = first + 2 * ENTRY_WORDS * (mark & 1)
            return place if self.yields(place, mark, entry) else place + ENTRY_WORDS
        place = first + ENTRY_WORDS * (mark & 3)
        return place if policy == ALWAYS or self.yields(place, mark, entry) else -1

    def weakest(self, first: int, words: int, mark: int) -> int:
        """Return a place that is empty or holds this position, else the place of the least valuable entry."""
        chosen, least = first, 1 << 30
        for place in range(first, first + words, ENTRY_WORDS):
            old = load(self.slots, place + 1)
            if old == 0 or load(self.slots, place) ^ old == mark:
                return place
            worth = depth_of(old) - AGE * self.age(old)
            if worth < least:
                chosen, least = place, worth
        return chosen

    def yields(self, place: int, mark: int, entry: int) -> bool:
        """Return whether the entry at ``place`` may be replaced: same position, earlier search, or not deeper."""
        old = load(self.slots, place + 1)
        same = load(self.slots, place) ^ old == mark
        return same or self.age(old) > 0 or depth_of(entry) >= depth_of(old)

    @inlined
    def age(self, entry: int) -> int:
        """Return how many searches ago the entry was made, modulo GENERATIONS."""
        return (self.settings[SEARCHES] - (entry >> 3)) % GENERATIONS  # type: ignore[no-any-return]

    # From Python ----------------------------------------------------------------------------------------------------

    def begin_search(self) -> None:
        """Start a new generation: all entries grow older."""
        self.settings[SEARCHES] += 1

    def clear(self) -> None:
        """Remove all entries."""
        self.slots[:] = 0

    @property
    def fill(self) -> float:
        """The share of places in use, from a sample of 4000."""
        return float(
            np.count_nonzero(self.slots[1 : 1 + 4000 * ENTRY_WORDS : ENTRY_WORDS])
            / min(4000, len(self.slots) // ENTRY_WORDS)
        )


def table_of(megabytes: float, policy: str = "aged") -> Table:
    """Return an empty table of at most ``megabytes``; it has at least one bucket.

    Raises:
        SearchError: there is no such policy, or not enough memory.
    """
    if policy not in POLICIES:
        raise SearchError(f"there is no replacement policy {policy!r}; there are: {', '.join(POLICIES)}")
    buckets = max(1, int(megabytes * (1 << 20)) // (8 * BUCKET))
    try:
        words = np.zeros((buckets + 1) * BUCKET, dtype=np.int64)
    except (MemoryError, ValueError):
        raise SearchError(f"a table of {megabytes} MB does not fit in memory") from None
    start = -words.ctypes.data // 8 % BUCKET  # align buckets with cache lines
    slots = words[start : start + buckets * BUCKET]
    return _PATTERN.with_arrays(slots=slots, settings=np.array([0, POLICIES[policy]], dtype=np.int64))


_PATTERN = Table(slots=np.zeros(BUCKET, dtype=np.int64), settings=np.zeros(2, dtype=np.int64))


def check_hashable(game: Game, state: State) -> None:
    """Check that a table can hold positions of ``game`` such as ``state``.

    Raises:
        GameError: it cannot; the message says why.
    """
    try:
        hash(game.rest_key(state))
    except TypeError as error:
        raise GameError(f"a table cannot hold the positions of {game!r}: {error}; use tuples in them") from None


# An entry's parts ----------------------------------------------------------------------------------------------------


@inlined
def bound_of(entry: int) -> int:
    """Return EXACT, LOWER or UPPER; 0 if there is no entry."""
    return entry & 3


@inlined
def is_proven(entry: int) -> bool:
    """Return whether the value holds at any depth."""
    return entry & 4 != 0


@inlined
def depth_of(entry: int) -> int:
    """Return the depth of the search that made the entry."""
    return entry >> 6 & MOST_DEPTH


@inlined
def table_move(game: Game, state: State, entry: int) -> Move:
    """Return the best move of ``state``, whose entry this is; NO_MOVE for none."""
    name = entry >> 16 & NO_MOVE
    return NO_MOVE if entry == 0 or name == NO_MOVE else game.move_from_image(state, name)


@inlined
def packed(game: Game, state: State, value: Number, bound: int, proven: bool, depth: int, move: Move) -> int:
    """Return the second word of an entry for ``state``; 0 if the value does not fit."""
    bits, kept = packed_value(game, value - banked(game, state), bound)
    name = NO_MOVE if move == NO_MOVE else game.move_in_image(state, move)
    if not 0 <= name < NO_MOVE:
        name = NO_MOVE
    if kept == 0:
        return 0
    parts: int = bits << 32 | name << 16 | min(depth, MOST_DEPTH) << 6 | (4 if proven else 0) | kept
    return parts


@inlined
def table_value(game: Game, state: State, entry: int) -> Number:
    """Return the value in the entry of ``state``, for the player to move."""
    return value_of(game, entry) + banked(game, state)


@inlined
def banked(game: Game, state: State) -> Number:
    """Return the points that the player to move has banked (``layers.Banked``); entries hold values without them."""
    return sign(game.to_move(state)) * game.banked(state)


# Values in 32 bits, compiled and in Python ---------------------------------------------------------------------------


@intrinsic
def _packed_value(typing_context, game, value, bound):
    number = number_type(typing_context, game)
    result = types.UniTuple(types.int64, 2)

    def generate(context, builder, signature, arguments):
        kept = arguments[2]
        given = context.cast(builder, arguments[1], value, number)
        if number == types.int64:
            bits = given
            narrow = builder.sext(builder.trunc(bits, INT32), WORD)
            kept = builder.select(builder.icmp_signed("==", narrow, bits), kept, word(0))
        else:
            bits, kept = _rounded(builder, given, kept)
        return context.make_tuple(builder, result, [bits, kept])

    return result(game, value, types.int64), generate


def _rounded(builder, real, bound):
    """Return the bits of a 32-bit float on the safe side of ``real``, and the kind of bound it is."""
    upper = builder.icmp_signed("==", bound, word(UPPER))
    narrow = builder.fptrunc(real, ir.FloatType())
    back = builder.fpext(narrow, ir.DoubleType())
    fits = builder.fcmp_ordered("==", back, real)
    wrong_side = builder.select(upper, builder.fcmp_ordered("<", back, real), builder.fcmp_ordered(">", back, real))
    bits = builder.bitcast(narrow, INT32)
    negative = builder.icmp_signed("<", bits, ir.Constant(INT32, 0))
    outward = builder.select(builder.xor(negative, upper), ir.Constant(INT32, 1),
                             ir.Constant(INT32, -1))  # fmt: skip
    tiny = builder.icmp_signed("==", builder.shl(bits, ir.Constant(INT32, 1)), ir.Constant(INT32, 0))
    moved = builder.select(wrong_side, builder.add(bits, outward), bits)
    kept = builder.select(builder.icmp_signed("==", bound, word(EXACT)), word(LOWER), bound)
    kept = builder.select(fits, bound, builder.select(builder.and_(tiny, wrong_side), word(0), kept))
    return builder.zext(moved, WORD), kept


@twin(_packed_value)
def packed_value(game: Game, value: Number, bound: int) -> tuple[int, int]:
    """Return a value in 32 bits, and the kind of bound it is then: EXACT, LOWER or UPPER; 0 if it does not fit.

    In plain Python the 32 bits are always a float's.
    """
    try:
        narrow = struct.unpack("f", struct.pack("f", value))[0]
    except struct.error:  # an integer beyond all floats
        return 0, 0
    if narrow != value:
        bound = UPPER if bound == UPPER else LOWER
        if narrow > value if bound == LOWER else narrow < value:
            narrow = float(np.nextafter(np.float32(narrow), np.float32(math.inf if bound == UPPER else -math.inf)))
    return struct.unpack("i", struct.pack("f", narrow))[0], bound


@intrinsic
def _value_of(typing_context, game, entry):
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        if number == types.int64:
            return builder.ashr(arguments[1], word(32))
        bits = builder.trunc(builder.lshr(arguments[1], word(32)), INT32)
        return builder.fpext(builder.bitcast(bits, ir.FloatType()), ir.DoubleType())

    return number(game, types.int64), generate


@twin(_value_of)
def value_of(game: Game, entry: int) -> Number:
    """Return the value of an entry, as a number of the game's own type."""
    value = struct.unpack("f", struct.pack("i", entry >> 32))[0]
    return int(value) if value.is_integer() else float(value)
