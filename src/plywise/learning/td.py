"""Learn an evaluation from the ends of games of self-play: TD(λ) (Sutton 1988), the way of TD-Gammon (Tesauro 1992).

Both players choose, of all positions that can follow their turn, the one that the network likes best for them; dice
make the games differ.  After each game, every position that was chosen learns from what came after it:

    target(t) = (1 - λ) * value(t + 1) + λ * target(t + 1)

and the last one from the score.  Values and targets are scores scaled to 0 (the worst for MAX) to 1.  Now and then a
player tries any turn, because what is never tried is never learned; the position before it learns from the value of the
best one instead.  Several threads change the same weights without locks (Hogwild; Recht et al. 2011): they rarely meet,
and a lost step is small.
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
from plywise.engine.network import MOST_WEIGHT
from plywise.engine.trail import Trail, new_trail
from plywise.errors import GameError, SearchError
from plywise.game import MIN, Game, State, sign
from plywise.layers.chance import CHANCE
from plywise.layers.playouts import rolled
from plywise.learning.gradients import ONE, ZERO, to_inputs, to_view
from plywise.learning.lessons import Subject, largest_bound
from plywise.learning.weights import Weights

RATES = (0.03, 0.0005)
"""The learning rate at the beginning and at the end."""
LAMBDA = 0.5
EXPLORE = 0.02
"""How often a player tries any turn."""
ROOM = 1 << 12
"""The most positions of one turn, with those on the way; others are ignored."""
SLOTS = 4 * ROOM
ENDLESS = "a player has no moves, or the first 4,096 positions of a turn do not end it"
LONGEST_GAME = 1 << 11
"""The most turns of a game; after them, its last position stands for the result."""
STEP_SECONDS, STEPS = 0.5, 100
"""The longest time between two reports, and the least number of them; the learning rate falls at each."""
LANES = 16
"""How many parts a sum has, so that a processor adds them at once."""
UNKNOWN, KNOWN, MET = range(3)
"""What ``Desk.marks`` say of a feature."""
RATE, TRACE, TRIES, LARGEST = range(4)
"""Places in ``Desk.settings``: the learning rate, λ, how often to try any turn, and the largest score."""
STOP, STAMP, TURNS, GAMES = range(4)
"""Places in ``Desk.now``: 1 to stop after the current game; the stamp of the current turn; the numbers of turns and of
games played.
"""


class Desk(Native):
    """What a thread works with."""

    seen: np.ndarray
    """The features of the position on the desk, usually that before a turn: a row for each player."""
    count: np.ndarray
    """How many there are."""
    marks: np.ndarray
    """Whether each feature is there, and while a player looks at another position, whether it is there too."""
    sums: np.ndarray
    """The sums of their weights."""
    views: np.ndarray
    """The hidden numbers of the position looked at: the viewer's, then the opponent's."""
    lanes: np.ndarray
    """Parts of a sum."""
    turn: np.ndarray
    """The positions that can follow a turn, and those on the way, in rows."""
    slots: np.ndarray
    """A hash table of these rows: for each slot the stamp of the turn, and the row."""
    path: np.ndarray
    """The positions chosen in a game, in rows."""
    values: np.ndarray
    """The values of the best positions instead of which they were chosen; usually they are these."""
    tried: np.ndarray
    """Whether they were chosen by chance."""
    settings: np.ndarray
    now: np.ndarray


def new_desk(game: Game, weights: Weights, compiled: bool, trace: float = LAMBDA, explore: float = EXPLORE) -> Desk:
    """Return a thread's place to work."""
    start = game.initial()
    row = rows_of([start], start, compiled)
    return Desk(
        seen=np.zeros((2, game.feature_count), dtype=np.int64),
        count=np.zeros(2, dtype=np.int64),
        marks=np.zeros((2, game.feature_count), dtype=np.uint8),
        sums=np.zeros((2, len(weights.biases)), dtype=weights.biases.dtype),
        views=np.zeros(2 * len(weights.biases), dtype=weights.biases.dtype),
        lanes=np.zeros(LANES, dtype=weights.biases.dtype),
        turn=np.repeat(row, ROOM, axis=0),
        slots=np.zeros((SLOTS, 2), dtype=np.int64),
        path=np.repeat(row, LONGEST_GAME, axis=0),
        values=np.zeros(LONGEST_GAME),
        tried=np.zeros(LONGEST_GAME, dtype=np.bool_),
        settings=np.array([RATES[0], trace, explore, largest_score(game)], dtype=np.float64),
        now=np.zeros(4, dtype=np.int64),
    )


def largest_score(game: Game) -> float:
    """Return the largest score of a game, of either player.

    Raises:
        SearchError: the game does not say.
    """
    largest = largest_bound(game)
    if not math.isfinite(largest):
        raise SearchError(f"{game!r} needs bounds(): learning divides scores by the largest")
    return largest


def seen(game: Game, weights: Weights) -> Game:
    """Return a game whose features compiled code knows: of other games it does not compile them."""
    subject = Subject(game, len(weights.biases))
    return subject.judged(subject.blank())


# The network ----------------------------------------------------------------------------------------------------------


def put_down(game: Game, state: State, weights: Weights, desk: Desk) -> None:
    """Put a position on the desk: both players' features, and the sums of their weights."""
    for player in range(2):
        seen, marks, sums, count = desk.seen[player], desk.marks[player], desk.sums[player], 0
        for index in range(desk.count[player]):
            marks[seen[index]] = UNKNOWN
        for index in range(len(sums)):
            sums[index] = weights.biases[index]
        for feature in game.features(state, player):
            seen[count], marks[feature] = feature, KNOWN
            add(sums, weights.inputs, feature, ONE)
            count += 1
        desk.count[player] = count


def look(game: Game, state: State, player: int, weights: Weights, desk: Desk, view: np.ndarray) -> None:
    """Fill a player's view of a position, by what differs from the position on the desk."""
    marks, sums = desk.marks[player], desk.sums[player]
    for index in range(len(view)):
        view[index] = sums[index]
    for feature in game.features(state, player):
        if marks[feature] == UNKNOWN:
            add(view, weights.inputs, feature, ONE)
        else:
            marks[feature] = MET
    for index in range(desk.count[player]):
        feature = desk.seen[player, index]
        if marks[feature] == KNOWN:
            add(view, weights.inputs, feature, -ONE)
        marks[feature] = KNOWN
    for index in range(len(view)):
        view[index] = min(max(view[index], ZERO), ONE)


@inlined
def add(sums: np.ndarray, inputs: np.ndarray, feature: int, sign: np.float32) -> None:
    """Add the weights of a feature to sums, or subtract them."""
    for index in range(len(sums)):
        sums[index] += sign * inputs[feature, index]


def logit_of(game: Game, state: State, weights: Weights, desk: Desk) -> float:
    """Return the logit of a position for its viewer; both views stay on the desk."""
    viewer, bucket, hidden = game.viewer(state), game.bucket(state), len(weights.biases)
    look(game, state, viewer, weights, desk, desk.views[:hidden])
    look(game, state, 1 - viewer, weights, desk, desk.views[hidden:])
    logit = float(weights.offsets[bucket]) + output(desk.views, weights.outputs[bucket], desk.lanes)
    if len(weights.direct):
        for feature in game.features(state, viewer):
            logit += weights.direct[feature, bucket]
    return logit


def output(views: np.ndarray, outputs: np.ndarray, lanes: np.ndarray) -> float:
    """Return the sum of the squares of hidden numbers, times their weights."""
    lanes[:] = 0
    whole = len(views) - len(views) % LANES
    for first in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] += views[first + lane] * views[first + lane] * outputs[first + lane]
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    for index in range(whole, len(views)):
        total += views[index] * views[index] * outputs[index]
    return total


def correct(game: Game, state: State, weights: Weights, desk: Desk, target: float) -> float:
    """Take one step towards ``target``, the value of a position for its viewer, and return the error.

    The loss is the cross-entropy, whose slope by the logit is the error itself.
    """
    put_down(game, state, weights, desk)
    error = sigmoid(logit_of(game, state, weights, desk)) - target
    step, bucket, hidden = np.float32(-desk.settings[RATE] * error), game.bucket(state), len(weights.biases)
    weights.offsets[bucket] += step
    for view in range(2):
        player, span = game.viewer(state) ^ view, slice(view * hidden, (view + 1) * hidden)
        slopes, outputs = desk.views[span], weights.outputs[bucket, span]
        to_view(step, slopes, outputs, outputs, weights.biases)
        to_inputs(slopes, desk.seen[player], 0, desk.count[player], weights.inputs)
        if view == 0 and len(weights.direct):
            for index in range(desk.count[player]):
                weights.direct[desk.seen[player, index], bucket] += step
    return error


def sigmoid(logit: float) -> float:
    """Return the expected result that a logit stands for."""
    return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))


# Games ----------------------------------------------------------------------------------------------------------------


def value_of(game: Game, state: State, weights: Weights, desk: Desk) -> float:
    """Return the expected score of a position, from 0 to 1 for MAX."""
    if game.is_terminal(state):
        return float((1 + game.score(state) / desk.settings[LARGEST]) / 2)
    value = sigmoid(logit_of(game, state, weights, desk))
    return 1 - value if game.viewer(state) == MIN else value


def find_turns(game: Game, state: State, desk: Desk) -> int:
    """Write the positions that can follow the player's turn, and those on the way, to the desk; return how many."""
    desk.now[STAMP] += 1
    player, size, row = game.to_move(state), add_row(desk, state, 0), 0
    while row < size:
        here = state_at(game, desk.turn, row)
        if goes_on(game, here, player):
            for move in game.moves(here):
                size = add_row(desk, game.play(here, move), size)
        row += 1
    return size


def goes_on(game: Game, state: State, player: int) -> bool:
    """Return whether a player's turn goes on."""
    return not game.is_terminal(state) and game.to_move(state) == player


def add_row(desk: Desk, state: State, size: int) -> int:
    """Add a position to the turn unless it is there already or there is no room; return how many there are."""
    slots, stamp, slot = desk.slots, desk.now[STAMP], signature(state) & SLOTS - 1
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
    put_down(game, state, weights, desk)
    for row in range(find_turns(game, state, desk)):
        after = state_at(game, desk.turn, row)
        if not goes_on(game, after, player):
            value = value_of(game, after, weights, desk)
            if best < 0 or sign(player) * value > sign(player) * most:
                best, most = row, value
    if best < 0:
        raise GameError(ENDLESS)
    return best, most


def any_turn(game: Game, state: State, desk: Desk, trail: Trail) -> int:
    """Return the row of a position that can follow the player's turn, all equally likely."""
    player, count, chosen = game.to_move(state), 0, 0
    for row in range(find_turns(game, state, desk)):
        if not goes_on(game, state_at(game, desk.turn, row), player):
            count += 1
            if trail.below(count) == 0:
                chosen = row
    return chosen


def self_play(game: Game, state: State, games: int, weights: Weights, desk: Desk, trail: Trail) -> float:
    """Play games from a position and learn from each; return the sum of the squared errors."""
    total = 0.0
    for _ in range(games):
        if desk.now[STOP]:
            break
        turns = play_game(game, state, weights, desk, trail)
        total += learn_from(game, turns, weights, desk)
        desk.now[TURNS] += turns
        desk.now[GAMES] += 1
    return total


def play_game(game: Game, state: State, weights: Weights, desk: Desk, trail: Trail) -> int:
    """Play a game, write the chosen positions and their values to the desk, and return how many there are."""
    turns = 0
    while turns < LONGEST_GAME and not game.is_terminal(state):
        tried = False
        if game.to_move(state) == CHANCE:
            state = game.play(state, rolled(game, state, trail))
            if not game.is_terminal(state):
                continue
            value = value_of(game, state, weights, desk)
        else:
            row, value = best_turn(game, state, weights, desk)
            tried = trail.fraction() < desk.settings[TRIES]
            if tried:
                row = any_turn(game, state, desk, trail)
            state = state_at(game, desk.turn, row)
        put(desk.path, turns, 0, state)
        desk.values[turns], desk.tried[turns] = value, tried
        turns += 1
    return turns


def learn_from(game: Game, turns: int, weights: Weights, desk: Desk) -> float:
    """Correct the values of a game's positions, from the last to the first; return the sum of the squared errors."""
    total, target = 0.0, desk.values[turns - 1]
    for turn in range(turns - 2, -1, -1):
        trace = 0.0 if desk.tried[turn + 1] else desk.settings[TRACE]
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
    """The weights, which change until learning ends."""
    interrupted: bool = False


def learn(
    game: Game,
    weights: Weights,
    seconds: float = math.inf,
    games: float = math.inf,
    rates: tuple[float, float] = RATES,
    trace: float = LAMBDA,
    explore: float = EXPLORE,
    threads: int = 1,
    seed: int = 0,
    on_step: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Learn by self-play, for some time or for some games.  Ctrl-C stops early.

    Args:
        game: a game for two with the layers ``Features`` and, so that games differ, ``Chance``.
        weights: where to start, random or from learning before; they do not change.
        seconds: how long to learn, without compiling.
        games: about how many games to play.
        rates: the learning rates at the beginning and at the end; between, the rate falls exponentially.
        trace: λ: 0 learns from the next position, 1 from the end of the game alone.
        explore: how often a player tries any turn.
        threads: how many threads play and learn.  With more than one, the result depends on chance.
        seed: for the dice.
        on_step: called at least every half second or so.

    Raises:
        SearchError: the game's scores have no known bounds.
    """
    crew = Crew(game, weights, trace, explore, threads, seed)
    begun = time.perf_counter()
    progress, count, share = Progress(0, 0, 0.0, 0.0, crew.weights), 1, 0.0
    try:
        while share < 1:
            total = crew.play(count, rates[0] * (rates[1] / rates[0]) ** share, begun + seconds)
            spent, positions = time.perf_counter() - begun, crew.count(TURNS)
            fresh = positions - progress.positions
            error = math.sqrt(total / fresh) if fresh else progress.error
            pace = min(STEP_SECONDS, seconds / STEPS) / (spent - progress.seconds)
            progress = Progress(crew.count(GAMES), positions, spent, error, crew.weights)
            on_step(progress)
            share = max(spent / seconds, progress.games / games)
            count = max(1, int(min(count * min(4.0, pace), games / STEPS / len(crew.desks))))
    except KeyboardInterrupt:
        progress = dataclasses.replace(progress, interrupted=True)
    return progress


class Crew:
    """The threads that learn, and the weights that they share."""

    def __init__(self, game: Game, weights: Weights, trace: float, explore: float, threads: int, seed: int) -> None:
        self.game, self.start = seen(game, weights), game.initial()
        self.weights = Weights(*(part.copy() for part in weights))

        def example() -> tuple[Any, ...]:
            return 1, self.weights, new_desk(game, weights, True), new_trail(0, 0, 0, False)

        self.compiled = prepare(self_play, self.game, self.start, example)
        compiled = self.compiled is not None
        threads = threads if compiled else 1  # plain Python runs one thread at a time
        self.desks = [new_desk(game, weights, compiled, trace, explore) for _ in range(threads)]
        self.trails = [new_trail(seed, thread, 0, False) for thread in range(threads)]

    def count(self, what: int) -> int:
        """Return how many turns or games the threads have played."""
        return sum(int(desk.now[what]) for desk in self.desks)

    def play(self, games: int, rate: float, deadline: float) -> float:
        """Play this many games in each thread, or until the deadline; return the sum of the squared errors."""
        for desk in self.desks:
            desk.settings[RATE] = rate
        arguments = [(games, self.weights, *pair) for pair in zip(self.desks, self.trails, strict=True)]
        call = call_of(self_play, self.game, self.start, arguments[0], self.compiled)

        def lead() -> float:
            with ThreadPoolExecutor(len(arguments)) as pool:
                return float(sum(pool.map(lambda each: call(*each), arguments)))

        total: float = supervised(lead, self.stop, LONGEST_GAME, self.compiled is not None, deadline)
        for part in (self.weights.inputs, self.weights.biases, self.weights.outputs):
            part.clip(-MOST_WEIGHT, MOST_WEIGHT, out=part)
        return total

    def stop(self) -> None:
        """Let each thread end after its current game."""
        for desk in self.desks:
            desk.now[STOP] = 1
