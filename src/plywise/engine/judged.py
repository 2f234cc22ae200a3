"""Games that a network evaluates.

Everything is as in the game itself, except ``evaluate``.  So every search can use a network, and knows nothing of it.

The accumulators of the last position that was evaluated are kept.  For the next one, only the features that have come
or gone since are added or subtracted: positions that a search evaluates one after the other have most in common.  So a
game with a network has memory, and each thread must use a copy of its own (``in_thread``).
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any

import numpy as np

from plywise.bits import lowest, popcount, rest, shift_left, shift_right
from plywise.compiling.native import COMPILED, inlined
from plywise.compiling.vectors import LANES, add_lanes, subtract_lanes
from plywise.engine.network import INPUT_UNIT, UNIT, Network
from plywise.errors import GameError
from plywise.game import Game, State, sign
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import Features, Recurrence, Symmetry
from plywise.layers.seen import MOST_BOARDS, gives_boards, gives_words, how_it_is_seen

CURVE_STEPS, CURVE_END = 128, 16
"""The curve from logits to expected scores: its steps for each logit, and the largest logit."""

CURVE_STEP = UNIT // CURVE_STEPS

FINE = 16
"""Whole scores that go so far are fine enough for evaluations.  Fractions need other code of the engine, which takes
ten seconds to compile.
"""

FIELDS = ("net", "net_of")
MEMORY = ("net_sums", "net_before", "net_seen", "net_views")
"""What a thread must have for itself."""

LOOKED_AT = ("features", "feature_words", "feature_boards", "feature_view", "bucket", "viewer")
"""The methods that a network needs."""

USED = frozenset((*LOOKED_AT, "feature_count", "buckets", "seen_pieces", "seen_numbers", "piece_at"))
"""The members that compiled code needs only for a network."""


def with_network(game: Game, network: Network) -> Game:
    """Return a game that a network evaluates; it must be one for this game (``network_for``).

    Raises:
        GameError: the game's ``feature_count`` does not fit its ``feature_boards``.
    """
    check_boards(game)
    given = {field.name: getattr(game, field.name) for field in dataclasses.fields(game) if field.init}
    rules: Any = _judged(type(game), _judge(game, network), how_it_is_seen(game))  # type: ignore[arg-type]  # mypy: a class is not hashable
    judged: Game = rules(**given, net=network, net_of=game)
    return judged


def check_boards(game: Game) -> None:
    """Check that a game with ``feature_boards`` says how many features they have.

    Raises:
        GameError: it does not.
    """
    if gives_boards(type(game)):
        boards = len(list(game.feature_boards(game.initial())))
        if game.feature_count != 64 << boards or boards > MOST_BOARDS:
            raise GameError(
                f"{type(game).__name__}.feature_count is {game.feature_count}, but feature_boards() yields {boards} "
                f"boards: it must be 64 << {boards}, and at most {MOST_BOARDS} boards are allowed"
            )


def in_thread(game: Game) -> Game:
    """Return a copy of a game for another thread, with memory of its own; most games have none and need no copy."""
    return game.net_copy() if isinstance(game, Judged) else game


def in_threads(game: Game, count: int) -> list[Game]:
    """Return the game for each thread."""
    return [game, *(in_thread(game) for _ in range(1, count))]


def _judge(game: Game, network: Network) -> Any:
    """Return the method ``evaluate`` for a game with a network."""
    if network.most:
        return whole_score if game.whole_scores() and network.most >= FINE else expected_score
    return whole_points if game.whole_scores() else points


@functools.cache
def _judged(rules: type[Game], judge: Any, how_seen: Any) -> type[Game]:
    """Return the class of games that a network evaluates."""
    own: dict[str, Any] = {}
    if rules.features is Features.features:
        own["features"] = how_seen
        given = gives_boards(rules) or gives_words(rules)
        if not (given or rules.key is Symmetry.key or issubclass(rules, Recurrence)):
            own["key"] = Game.key  # positions that share another one may look different
    if gives_boards(rules):
        own["net_look"] = look_at_boards
    elif gives_words(rules):
        own["net_see"] = see_words
    return type(
        rules.__name__, (Judged, rules),
        {
            "__module__": rules.__module__, "__doc__": rules.__doc__, "__annotations__": dict.fromkeys(FIELDS, Any),
            **{name: dataclasses.field(default=None, metadata={COMPILED: False}) for name in FIELDS},
            "ENTRY_POINTS": (*(rules.ENTRY_POINTS or ()), *LOOKED_AT),
            "UNSEEN": rules.UNSEEN - USED, "own_evaluate": rules.evaluate, "evaluate": judge,
            "__repr__": Judged.__repr__, **own,
        },
    )  # fmt: skip


class Judged(Features):
    """What a game with a network has besides."""

    net: Network
    net_of: Game
    """The game itself."""

    def __repr__(self) -> str:
        return repr(self.net_of)

    def __reduce__(self) -> Any:
        return with_network, (self.net_of, self.net)

    # Weights --------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def net_hidden(self) -> int:
        """The number of hidden units, rounded up: those added do nothing."""
        return -(-self.net.hidden // LANES) * LANES

    def net_padded(self, weights: np.ndarray) -> np.ndarray:
        """Return weights with the added units, which are 0, at the end of the last axis."""
        more = [(0, 0)] * (weights.ndim - 1) + [(0, self.net_hidden - self.net.hidden)]
        return np.ascontiguousarray(np.pad(weights, more))

    @functools.cached_property
    def net_corrects(self) -> bool:
        return bool(self.net.corrects)

    @functools.cached_property
    def net_inputs(self) -> np.ndarray:
        return self.net_padded(self.net.inputs)

    @functools.cached_property
    def net_biases(self) -> np.ndarray:
        return self.net_padded(self.net.biases)

    @functools.cached_property
    def net_outputs(self) -> np.ndarray:
        return np.concatenate([self.net_padded(half) for half in np.split(self.net.outputs, 2, axis=1)], axis=1)

    @functools.cached_property
    def net_offsets(self) -> np.ndarray:
        return np.ascontiguousarray(self.net.offsets)

    @functools.cached_property
    def net_direct(self) -> np.ndarray:
        return np.ascontiguousarray(self.net.direct)

    @functools.cached_property
    def net_curve(self) -> np.ndarray:
        """The expected score at each step of the logit; without a curve, the points of a logit, times UNIT, and the
        limit.
        """
        if not self.net.most:
            return np.array([round(self.net.scale * UNIT), evaluation_limit(self)], dtype=np.float64)
        logits = np.arange(-CURVE_END * CURVE_STEPS, CURVE_END * CURVE_STEPS + 2) / CURVE_STEPS
        return np.ascontiguousarray(self.net.most * np.tanh(logits / 2))

    # Memory ---------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def net_sums(self) -> np.ndarray:
        """The accumulators, as each player sees the last position."""
        return np.stack((self.net_biases, self.net_biases))

    @functools.cached_property
    def net_before(self) -> np.ndarray:
        """The features of that position as sets of bits, as each player sees them."""
        return np.zeros((2, -(-self.feature_count // 64)), dtype=np.int64)

    @functools.cached_property
    def net_seen(self) -> np.ndarray:
        """The features of the position to evaluate."""
        return np.zeros(-(-self.feature_count // 64), dtype=np.int64)

    @functools.cached_property
    def net_boards(self) -> int:
        """The number of ``feature_boards``, if the game gives its features so."""
        return int(self.feature_count // 64).bit_length() - 1

    @functools.cached_property
    def net_views(self) -> np.ndarray:
        """How each player saw the boards of the last position (``feature_view``)."""
        return np.zeros((2, 2), dtype=np.int64)

    def net_copy(self) -> Any:
        fresh: Any = with_network(self.net_of, self.net)
        return self.with_arrays(**{name: getattr(fresh, name) for name in MEMORY})

    # Evaluating -----------------------------------------------------------------------------------------------------

    def net_logit(self, state: State) -> int:
        """Return the logit of the viewer's expected result, times UNIT."""
        state = self.image(state)
        own, bucket = self.viewer(state), self.bucket(state)
        total = self.net_offsets[bucket]
        if self.net_hidden == 0:
            for feature in self.features(state, own):
                total += self.net_direct[feature, bucket]
            return int(total)
        self.net_look(state)
        return int(
            total + (self.net_half(own, bucket, 0) + self.net_half(1 - own, bucket, self.net_hidden)) // INPUT_UNIT
        )

    def net_look(self, state: State) -> None:
        """Bring both accumulators up to date."""
        self.net_look_as(state, 0)
        self.net_look_as(state, 1)

    def net_look_as(self, state: State, player: int) -> None:
        """Bring a player's accumulator up to date."""
        seen, before = self.net_seen, self.net_before
        self.net_see(state, player)
        changes, count = 0, 0
        for word in range(len(seen)):
            changes += popcount(int(seen[word]) ^ int(before[player, word]))
            count += popcount(int(seen[word]))
        if changes > count:
            for unit in range(self.net_hidden):
                self.net_sums[player, unit] = self.net_biases[unit]
            for word in range(len(seen)):
                before[player, word] = 0
        for word in range(len(seen)):
            now, changed = int(seen[word]), int(seen[word]) ^ int(before[player, word])
            before[player, word] = now
            while changed:
                place = lowest(changed)
                changed = rest(changed)
                if shift_right(now, place) & 1:
                    self.net_add(player, 64 * word + place)
                else:
                    self.net_subtract(player, 64 * word + place)

    @inlined
    def net_see(self, state: State, player: int) -> None:
        """Find the features of a position, as bits."""
        for word in range(len(self.net_seen)):
            self.net_seen[word] = 0
        for feature in self.features(state, player):
            self.net_seen[feature >> 6] |= shift_left(1, feature & 63)

    @inlined
    def net_add(self, player: int, feature: int) -> None:
        for unit in range(0, self.net_hidden, LANES):
            add_lanes(self.net_sums, self.net_hidden * player + unit, self.net_inputs, self.net_hidden * feature + unit)

    @inlined
    def net_subtract(self, player: int, feature: int) -> None:
        for unit in range(0, self.net_hidden, LANES):
            subtract_lanes(
                self.net_sums, self.net_hidden * player + unit, self.net_inputs, self.net_hidden * feature + unit
            )

    @inlined
    def net_half(self, player: int, bucket: int, first: int) -> int:
        """Return what one player's accumulator adds to the logit, times UNIT * INPUT_UNIT."""
        total = np.int32(0)
        for unit in range(self.net_hidden):
            level = min(max(self.net_sums[player, unit], np.int16(0)), np.int16(INPUT_UNIT))
            weighed = np.int16(level * self.net_outputs[bucket, first + unit])
            total = np.int32(total + np.int32(weighed) * np.int32(level))
        return int(total)


def look_at_boards(self: Any, state: State) -> None:
    """Bring both accumulators up to date, if the game gives its features as boards: where a square has changed, or a
    player sees all of them in another way.
    """
    now, before, views = self.net_seen, self.net_before[0], self.net_views
    changed, occupied = 0, 0
    for place, board in enumerate(self.feature_boards(state)):
        now[place] = board
        changed |= board ^ int(before[place])
        occupied |= board
    afresh = 2 * popcount(changed) > popcount(occupied)
    stale = 0
    for player in range(2):
        codes, squares = self.feature_view(state, player)
        if afresh or codes != views[player, 0] or squares != views[player, 1]:
            stale |= 1 << player
            views[player, 0], views[player, 1] = codes, squares
            for unit in range(self.net_hidden):
                self.net_sums[player, unit] = self.net_biases[unit]
    wanted = occupied | changed if stale else changed
    while wanted:
        square = lowest(wanted)
        wanted = rest(wanted)
        code = old = 0
        for place in range(self.net_boards):
            code |= (shift_right(int(now[place]), square) & 1) << place
            old |= (shift_right(int(before[place]), square) & 1) << place
        for player in range(2):
            was = 0 if stale >> player & 1 else old
            if code != was:
                codes, there = int(views[player, 0]), square ^ int(views[player, 1])
                if code:
                    self.net_add(player, 64 * (code ^ codes) + there)
                if was:
                    self.net_subtract(player, 64 * (was ^ codes) + there)
    for place in range(self.net_boards):
        before[place] = now[place]


@inlined
def see_words(self: Any, state: State, player: int) -> None:
    """Find the features of a position, if the game gives them as bits."""
    for word, bits in enumerate(self.feature_words(state, player)):
        self.net_seen[word] = bits


def whole_points(self: Any, state: State) -> int:
    """Evaluate a position by the network, in whole points for MAX."""
    curve = self.net_curve
    value = sign(self.viewer(state)) * (self.net_logit(state) * int(curve[0]) // (UNIT * UNIT))
    if self.net_corrects:
        value += self.own_evaluate(state)
    limit = int(curve[1])
    return max(-limit, min(limit, value))  # type: ignore[no-any-return]


def points(self: Any, state: State) -> float:
    """Evaluate a position by the network, in points for MAX."""
    curve = self.net_curve
    value = sign(self.viewer(state)) * (self.net_logit(state) / UNIT * (curve[0] / UNIT))
    if self.net_corrects:
        value += self.own_evaluate(state)
    return max(-curve[1], min(curve[1], float(value)))  # type: ignore[no-any-return]


def expected_score(self: Any, state: State) -> float:
    """Evaluate a position by the network: the expected score, for MAX."""
    low, high = self.bounds(state)
    return float(max(low, min(high, sign(self.viewer(state)) * on_curve(self, state))))


def whole_score(self: Any, state: State) -> int:
    """Evaluate a position by the network: the expected score, rounded, for MAX."""
    low, high = self.bounds(state)
    return int(max(low, min(high, sign(self.viewer(state)) * math.floor(on_curve(self, state) + 0.5))))


@inlined
def on_curve(self: Any, state: State) -> float:
    """Return the expected score, for the viewer."""
    place = min(max(self.net_logit(state), -CURVE_END * UNIT), CURVE_END * UNIT) + CURVE_END * UNIT
    step, beyond = place // CURVE_STEP, place % CURVE_STEP
    curve = self.net_curve
    return float(curve[step] + (curve[step + 1] - curve[step]) * (beyond / CURVE_STEP))


def evaluation_limit(game: Any) -> float:
    """Return the largest evaluation: below all scores that stand for a win at some distance."""
    return game.win_score - 2 * LONGEST_LINE if math.isfinite(game.win_score) else 2.0**31
