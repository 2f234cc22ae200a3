"""Learn an evaluation from the ends of games of self-play: TD(λ) (Sutton 1988), the way of TD-Gammon (Tesauro 1992).

Both players choose, of all positions that can follow their turn, the one that the network likes best for them; dice
make the games differ.  After each game, every position that was chosen learns from what came after it:

    target(t) = (1 - λ) * value(t + 1) + λ * target(t + 1)

and at the end of the game from its score.  Values and targets are scores scaled to 0 (the worst for MAX) to 1.  Several
threads change the same weights without locks (Hogwild; Recht et al. 2011): they rarely meet, and a lost step is small.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from plywise.compiling.hashing import signature
from plywise.compiling.native import Native, inlined
from plywise.compiling.reading import call_of, prepare, supervised
from plywise.compiling.rows import put, row_has, rows_of, state_at
from plywise.engine.trail import Trail, new_trail
from plywise.errors import SearchError
from plywise.game import MIN, Game, State, sign
from plywise.layers.chance import CHANCE
from plywise.layers.playouts import rolled

LARGEST_WEIGHT = 127 / 64
"""The limit of all weights but the offsets, so that they can be stored as small integers."""
RATES = (0.05, 0.0005)
"""The learning rate at the beginning and at the end."""
LAMBDA = 0.7
ROOM = 1 << 11
"""The most positions of one turn; others are ignored."""
SLOTS = 4 * ROOM
LANES = 16
"""Hidden units come in multiples of this number, which processors handle together."""
LONGEST_GAME = 1 << 11
"""The most turns of a game; after them, its last position stands for the result."""
STEP_SECONDS = 0.5
"""Between two reports."""
RATE, TRACE, LARGEST = range(3)
"""Places in ``Desk.settings``: the learning rate, λ, and the largest score."""
STOP, FRESH, TURNS, STAMP = range(4)
"""Places in ``Desk.now``: 1 to stop after the current game; the stamp of the current turn; how many turns were played.
"""


class Weights(Native):
    """A network with weights that can change: one hidden layer for each player's view, clipped to 0 to 1 and squared.

    The result is a logit for the player whose view comes first (``Features.viewer``): its own view has the first half
    of the output weights.
    """

    inputs: np.ndarray
    """A row for each feature, a column for each hidden unit."""
    biases: np.ndarray
    outputs: np.ndarray
    """A row for each bucket."""
    offsets: np.ndarray
    hidden: int

    def copied(self) -> Weights:
        """Return weights that can be changed without changing these."""
        arrays = {name: array.copy() for name, array in self.arrays.items()}
        return Weights(**arrays, hidden=self.hidden)


def new_weights(game: Game, hidden: int, seed: int = 0) -> Weights:
    """Return small random weights for a game with the layer ``Features``.

    Raises:
        SearchError: the number of hidden units is not a multiple of 16.
    """
    if hidden < 1 or hidden % LANES:
        raise SearchError(f"hidden={hidden} must be a multiple of {LANES}, such as {4 * LANES}")
    chance = np.random.default_rng(seed)

    def spread(shape: tuple[int, int], fan: int) -> np.ndarray:
        return chance.uniform(-1, 1, shape).astype(np.float32) / np.float32(math.sqrt(fan))

    return Weights(
        inputs=spread((game.feature_count, hidden), 32),
        biases=np.full(hidden, 0.25, dtype=np.float32),
        outputs=spread((game.buckets, 2 * hidden), 4 * hidden),
        offsets=np.zeros(game.buckets, dtype=np.float32),
        hidden=hidden,
    )


class Desk(Native):
    """What a thread works with."""

    seen: np.ndarray
    """The features of a position, a row for each player."""
    count: np.ndarray
    """How many there are."""
    stamps: np.ndarray
    """For each feature, when it was last seen."""
    sums: np.ndarray
    """The hidden units before clipping, a row for each player."""
    base_seen: np.ndarray
    """The same for the position that others are compared with, usually that before a turn."""
    base_count: np.ndarray
    in_base: np.ndarray
    """Whether each feature is among them."""
    base_sums: np.ndarray
    lanes: np.ndarray
    """Parts of a sum."""
    slopes: np.ndarray
    """The derivatives of the loss by one player's sums."""
    turn: np.ndarray
    """The positions that can follow a turn, and those on the way, in rows."""
    slots: np.ndarray
    """A hash table of these rows: for each slot the stamp of the turn, and the row."""
    path: np.ndarray
    """The positions chosen in a game, in rows."""
    values: np.ndarray
    """Their values."""
    settings: np.ndarray
    now: np.ndarray


def new_desk(game: Game, hidden: int, compiled: bool, trace: float = LAMBDA) -> Desk:
    """Return a thread's place to work."""
    start = game.initial()
    row = rows_of([start], start, compiled)
    return Desk(
        seen=np.zeros((2, game.feature_count), dtype=np.int64),
        count=np.zeros(2, dtype=np.int64),
        stamps=np.zeros(game.feature_count, dtype=np.int64),
        sums=np.zeros((2, hidden), dtype=np.float32),
        base_seen=np.zeros((2, game.feature_count), dtype=np.int64),
        base_count=np.zeros(2, dtype=np.int64),
        in_base=np.zeros((2, game.feature_count), dtype=np.bool_),
        base_sums=np.zeros((2, hidden), dtype=np.float32),
        lanes=np.zeros(LANES, dtype=np.float32),
        slopes=np.zeros(hidden, dtype=np.float32),
        turn=np.repeat(row, ROOM, axis=0),
        slots=np.zeros((SLOTS, 2), dtype=np.int64),
        path=np.repeat(row, LONGEST_GAME, axis=0),
        values=np.zeros(LONGEST_GAME),
        settings=np.array([RATES[0], trace, max(map(abs, game.bounds(start)))], dtype=np.float64),
        now=np.zeros(4, dtype=np.int64),
    )


# The network ----------------------------------------------------------------------------------------------------------


def logit_of(game: Game, state: State, weights: Weights, desk: Desk) -> float:
    """Return the logit of a position for its viewer; features and sums stay on the desk."""
    for player in range(2):
        see(game, state, player, weights, desk)
    return output(weights, desk, game.bucket(state), game.viewer(state))


def see(game: Game, state: State, player: int, weights: Weights, desk: Desk) -> None:
    """Add up the weights of the features that a player sees, from the base, by what differs from it."""
    sums, base, inputs, hidden = desk.sums[player], desk.base_sums[player], weights.inputs, weights.hidden
    seen, stamps, in_base = desk.seen[player], desk.stamps, desk.in_base[player]
    count, stamp = 0, desk.now[STAMP] + 1
    for unit in range(hidden):
        sums[unit] = base[unit]
    for feature in game.features(state, player):
        seen[count] = feature
        count += 1
        stamps[feature] = stamp
        if not in_base[feature]:
            for unit in range(hidden):
                sums[unit] += inputs[feature, unit]
    for index in range(desk.base_count[player]):
        feature = desk.base_seen[player, index]
        if stamps[feature] != stamp:
            for unit in range(hidden):
                sums[unit] -= inputs[feature, unit]
    desk.count[player], desk.now[STAMP] = count, stamp


def start_from(weights: Weights, desk: Desk, nothing: bool) -> None:
    """Let the next positions be compared with the one on the desk, or with nothing: then all features count."""
    for player in range(2):
        for index in range(desk.base_count[player]):
            desk.in_base[player, desk.base_seen[player, index]] = False
        desk.base_count[player] = 0 if nothing else desk.count[player]
        for index in range(desk.base_count[player]):
            feature = desk.seen[player, index]
            desk.base_seen[player, index] = feature
            desk.in_base[player, feature] = True
        for unit in range(weights.hidden):
            desk.base_sums[player, unit] = weights.biases[unit] if nothing else desk.sums[player, unit]


def output(weights: Weights, desk: Desk, bucket: int, viewer: int) -> float:
    """Return the logit for the sums on the desk, added up in lanes, as a processor can."""
    outputs, lanes, hidden = weights.outputs, desk.lanes, weights.hidden
    for lane in range(LANES):
        lanes[lane] = np.float32(0)
    for view in range(2):
        sums = desk.sums[viewer if view == 0 else 1 - viewer]
        for first in range(0, hidden, LANES):
            for lane in range(LANES):
                active = clipped(sums[first + lane])
                lanes[lane] += outputs[bucket, view * hidden + first + lane] * active * active
    total = weights.offsets[bucket]
    for lane in range(LANES):
        total += lanes[lane]
    return float(total)


@inlined
def clipped(number: Any) -> Any:
    return min(max(number, np.float32(0)), np.float32(1))


@inlined
def within(number: Any) -> Any:
    return min(max(number, np.float32(-LARGEST_WEIGHT)), np.float32(LARGEST_WEIGHT))


def sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))


def correct(game: Game, state: State, weights: Weights, desk: Desk, target: float) -> float:
    """Take one step towards ``target``, the value of a position for its viewer, and return the error.

    The loss is the cross-entropy, whose derivative by the logit is the error itself.
    """
    start_from(weights, desk, nothing=True)
    error = sigmoid(logit_of(game, state, weights, desk)) - target
    step, bucket = np.float32(desk.settings[RATE] * error), game.bucket(state)
    inputs, outputs, biases = weights.inputs, weights.outputs, weights.biases
    slopes, hidden, viewer = desk.slopes, weights.hidden, game.viewer(state)
    weights.offsets[bucket] -= step
    for view in range(2):
        player, first = viewer if view == 0 else 1 - viewer, view * hidden
        sums = desk.sums[player]
        for unit in range(hidden):
            active = clipped(sums[unit])
            inside = active if active < np.float32(1) else np.float32(0)
            slopes[unit] = np.float32(2) * step * inside * outputs[bucket, first + unit]
            outputs[bucket, first + unit] = within(outputs[bucket, first + unit] - step * active * active)
            biases[unit] = within(biases[unit] - slopes[unit])
        for index in range(desk.count[player]):
            feature = desk.seen[player, index]
            for unit in range(hidden):
                inputs[feature, unit] = within(inputs[feature, unit] - slopes[unit])
    return error


# Games ----------------------------------------------------------------------------------------------------------------


def value_of(game: Game, state: State, weights: Weights, desk: Desk) -> float:
    """Return the expected score of a position, from 0 to 1 for MAX."""
    if game.is_terminal(state):
        return (1 + game.score(state) / desk.settings[LARGEST]) / 2
    value = sigmoid(logit_of(game, state, weights, desk))
    return 1 - value if game.viewer(state) == MIN else value


def find_turns(game: Game, state: State, desk: Desk) -> int:
    """Write the positions that can follow the player's turn, and those on the way, to the desk; return how many."""
    desk.now[FRESH] += 1
    player, size, row = game.to_move(state), add_row(desk, state, 0), 0
    while row < size:
        here = state_at(game, desk.turn, row)
        if not game.is_terminal(here) and game.to_move(here) == player:
            for move in game.moves(here):
                size = add_row(desk, game.play(here, move), size)
        row += 1
    return size


def add_row(desk: Desk, state: State, size: int) -> int:
    """Add a position to the turn unless it is there already or there is no room; return how many there are."""
    slots, stamp, slot = desk.slots, desk.now[FRESH], signature(state) & SLOTS - 1
    while slots[slot, 0] == stamp:
        if row_has(desk.turn, slots[slot, 1], 0, state):
            return size
        slot = slot + 1 & SLOTS - 1
    if size == ROOM:
        return size
    slots[slot, 0], slots[slot, 1] = stamp, size
    put(desk.turn, size, 0, state)
    return size + 1


def best_turn(game: Game, state: State, weights: Weights, desk: Desk) -> tuple[int, float]:
    """Return the row of the best position that can follow the player's turn, and its value."""
    player, best, most = game.to_move(state), -1, 0.0
    start_from(weights, desk, nothing=True)
    logit_of(game, state, weights, desk)
    start_from(weights, desk, nothing=False)
    for row in range(find_turns(game, state, desk)):
        after = state_at(game, desk.turn, row)
        if game.is_terminal(after) or game.to_move(after) != player:
            value = value_of(game, after, weights, desk)
            if best < 0 or sign(player) * value > sign(player) * most:
                best, most = row, value
    return best, most


def self_play(game: Game, state: State, games: int, weights: Weights, desk: Desk, trail: Trail) -> float:
    """Play games from a position and learn from each; return the sum of the squared errors."""
    total = 0.0
    for _ in range(games):
        if desk.now[STOP]:
            break
        turns = play_game(game, state, weights, desk, trail)
        total += learn_from(game, turns, weights, desk)
        desk.now[TURNS] += turns
    return total


def play_game(game: Game, state: State, weights: Weights, desk: Desk, trail: Trail) -> int:
    """Play a game, write the chosen positions and their values to the desk, and return how many there are."""
    turns = 0
    while turns < LONGEST_GAME and not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            state = game.play(state, rolled(game, state, trail))
            if not game.is_terminal(state):
                continue
            value = value_of(game, state, weights, desk)
        else:
            row, value = best_turn(game, state, weights, desk)
            state = state_at(game, desk.turn, row)
        put(desk.path, turns, 0, state)
        desk.values[turns] = value
        turns += 1
    return turns


def learn_from(game: Game, turns: int, weights: Weights, desk: Desk) -> float:
    """Correct the values of a game's positions, from the last to the first; return the sum of the squared errors."""
    total, trace = 0.0, desk.settings[TRACE]
    target = desk.values[turns - 1]
    for turn in range(turns - 2, -1, -1):
        target = (1 - trace) * desk.values[turn + 1] + trace * target
        here = state_at(game, desk.path, turn)
        wanted = 1 - target if game.viewer(here) == MIN else target
        total += correct(game, here, weights, desk, wanted) ** 2
    return total


# Learning -------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far learning has come."""

    games: int
    positions: int
    seconds: float
    error: float
    """The root of the mean square of the latest errors, as a share of the range of scores."""
    weights: Weights


def learn(
    game: Game,
    weights: Weights,
    seconds: float = math.inf,
    games: float = math.inf,
    rates: tuple[float, float] = RATES,
    trace: float = LAMBDA,
    threads: int = 1,
    seed: int = 0,
    on_step: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Learn by self-play, for some time or for some games.  Ctrl-C stops early.

    Args:
        game: a game for two with the layers ``Features`` and, so that games differ, ``Chance``.
        weights: where to start, from ``new_weights`` or from learning before; they do not change.
        seconds: how long to learn, without compiling.
        games: about how many games to play.
        rates: the learning rates at the beginning and at the end; between, the rate falls exponentially.
        trace: λ: 0 learns from the next position, 1 from the end of the game alone.
        threads: how many threads play and learn.  With more than one, the result depends on chance.
        seed: for the dice.
        on_step: called every half second.

    Raises:
        SearchError: the game's scores have no known bounds.
    """
    crew = Crew(game, weights.copied(), trace, threads, seed)
    begun = time.perf_counter()
    progress, count, share = Progress(0, 0, 0.0, 0.0, crew.weights), 1, 0.0
    try:
        while share < 1:
            total = crew.play(count, rates[0] * (rates[1] / rates[0]) ** share, begun + seconds)
            spent, learned = time.perf_counter() - begun, crew.positions
            error = math.sqrt(total / max(1, learned - progress.positions))
            pace = STEP_SECONDS / (spent - progress.seconds)
            progress = Progress(progress.games + count * len(crew.desks), learned, spent, error, crew.weights)
            on_step(progress)
            share = max(spent / seconds, progress.games / games)
            count = max(1, int(count * min(4.0, pace)))
    except KeyboardInterrupt:
        pass
    return progress


class Crew:
    """The threads that learn, and the weights that they share."""

    def __init__(self, game: Game, weights: Weights, trace: float, threads: int, seed: int) -> None:
        self.game, self.weights, self.start = game, weights, game.initial()
        if not math.isfinite(max(map(abs, game.bounds(self.start)))):
            raise SearchError(f"{game!r} needs bounds(): learning divides scores by the largest")

        def example() -> tuple[Any, ...]:
            return 1, weights, new_desk(game, weights.hidden, True), new_trail(0, 0, 0, False)

        self.compiled = prepare(self_play, game, self.start, example)
        compiled = self.compiled is not None
        threads = threads if compiled else 1  # plain Python runs one thread at a time
        self.desks = [new_desk(game, weights.hidden, compiled, trace) for _ in range(threads)]
        self.trails = [new_trail(seed, thread, 0, False) for thread in range(threads)]

    @property
    def positions(self) -> int:
        """How many positions the threads have learned from."""
        return int(sum(desk.now[TURNS] for desk in self.desks))

    def play(self, games: int, rate: float, deadline: float) -> float:
        """Play this many games in each thread, or until the deadline; return the sum of the squared errors."""
        for desk in self.desks:
            desk.settings[RATE] = rate
        arguments = [(games, self.weights, *pair) for pair in zip(self.desks, self.trails, strict=True)]
        call = call_of(self_play, self.game, self.start, arguments[0], self.compiled)

        def lead() -> float:
            with ThreadPoolExecutor(len(arguments)) as pool:
                return sum(pool.map(lambda each: call(*each), arguments))

        return float(supervised(lead, self.stop, LONGEST_GAME, self.compiled is not None, deadline))

    def stop(self) -> None:
        """Let each thread end after its current game."""
        for desk in self.desks:
            desk.now[STOP] = 1
