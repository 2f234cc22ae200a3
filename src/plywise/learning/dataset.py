"""Positions with the results of their games, read from an EPD file, and the features of each.

A line holds a position, the result as ``c9 "1-0";`` and optionally an engine's opinion in centipawns for White as
``ce 35;``.  There may be millions of lines, so compiled code reads them.  A line that it cannot read goes to the strict
EPD reader for an error message.
"""

from __future__ import annotations

import dataclasses
import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from plywise.compiling.reading import prepare, wants_compiled
from plywise.compiling.rows import rows_of, state_at
from plywise.errors import PositionError, SearchError
from plywise.game import State
from plywise.games.chess.board import Position
from plywise.games.chess.chess import Chess
from plywise.games.chess.epd import parse_epd
from plywise.games.chess.evaluation import FULL_PHASE, FULL_SCALE, Evaluation, Trace
from plywise.games.chess.features import FEATURES
from plywise.io.files import text_of

OnStep = Callable[[int, int], None]

MOST_BYTES = 16 << 30
"""The largest file to read: some hundred million positions."""
CHUNK = 1 << 14
"""Positions between two reports of progress."""
MOST_ACTIVE = 400
"""More features than any position has."""
NO_OPINION = 1 << 15
"""Stands for a missing opinion of an engine."""

NEWLINE, SPACE, SLASH, MINUS = 10, 32, 47, 45
WHITE_WON, BLACK_WON, DRAWN = (tuple(text.encode()) for text in ('"1-0"', '"0-1"', '"1/2-1/2"'))
OPINION = tuple(b" ce ")
LETTERS = tuple(b"pnbrqk")


@dataclasses.dataclass(frozen=True)
class Dataset:
    """Positions as sparse rows of features, with results and opinions."""

    places: np.ndarray
    """The features of all positions, one position after the other."""
    counts: np.ndarray
    """The count of each of these features: White's minus Black's."""
    starts: np.ndarray
    """Where the features of each position start, and finally where those of the last one end."""
    taper: np.ndarray
    """Three weights per position: of the middlegame, of the endgame if White is ahead, of the endgame if Black is."""
    results: np.ndarray
    """1 if White won, 0 if Black won, 1/2 for a draw."""
    opinions: np.ndarray
    """An engine's opinion in centipawns for White; NaN if there is none."""
    games: np.ndarray
    """The number of the game that each position comes from."""

    def __len__(self) -> int:
        return len(self.results)


def read_dataset(
    game: Chess, path: Path, most: int | None = None, seed: int = 0, on_step: OnStep = lambda done, total: None
) -> Dataset:
    """Read a file of positions, plain or gzipped, and find their features.

    Positions in check are left out, and so are those in which a capture or promotion wins something.

    Args:
        game: chess.
        path: the file.
        most: how many positions to choose at random; None for all.
        seed: for the random choice.
        on_step: called with the number of positions done, and the total.

    Raises:
        SearchError: the file cannot be read or has no usable positions.
        PositionError: a line is not a position with a result; the message says which and why.
    """
    text = np.frombuffer(_bytes(path), dtype=np.uint8)
    rows, outcomes = _read(game, path, text)
    del text
    if len(rows) == 0:
        raise SearchError(f"{str(path)!r} has no quiet positions to learn from")
    games = _games(rows, outcomes)
    if most is not None and most < len(rows):
        chosen = np.sort(np.random.default_rng(seed).choice(len(rows), most, replace=False))
        rows, outcomes, games = rows[chosen], outcomes[chosen], games[chosen]
    places, counts, starts, taper = _features(game, rows, on_step)
    opinions = np.where(outcomes[:, 1] == NO_OPINION, np.nan, outcomes[:, 1])
    return Dataset(places, counts, starts, taper, outcomes[:, 0] / 2, opinions, games)


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            packed = file.peek(2).startswith(b"\x1f\x8b")
            return text_of(gzip.GzipFile(fileobj=file) if packed else file, path, MOST_BYTES)  # type: ignore[arg-type]
    except (OSError, EOFError, zlib.error) as wrong:
        raise SearchError(f"cannot read positions from {str(path)!r}: {wrong}") from None


def call(function: Any, game: Chess, *arguments: Any) -> Any:
    """Return ``function(game, state, *arguments)`` with any position, compiled if possible."""
    start = game.initial()
    compiled = prepare(function, game, start, lambda: arguments)
    return function(game, start, *arguments) if compiled is None else compiled(game, tuple(start), arguments)


def _games(rows: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Return the number of each position's game.  More men than before, or another result, mean a new game."""
    men = np.array([bin(word).count("1") for word in (rows[:, 0] | rows[:, 1]).view(np.uint64).tolist()])
    return np.concatenate(([0], np.cumsum((np.diff(men) > 0) | (np.diff(outcomes[:, 0]) != 0))))


# Reading --------------------------------------------------------------------------------------------------------------


def _read(game: Chess, path: Path, text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions as rows of words, and for each the result in half points and the opinion."""
    lines = int(np.count_nonzero(text == NEWLINE)) + 1
    rows = np.zeros((lines, len(Position._fields)), dtype=np.int64)
    outcomes = np.zeros((lines, 2), dtype=np.int64)
    wrong = np.zeros(2, dtype=np.int64)
    found = call(read_lines, game, text, rows, outcomes, wrong)
    if found < 0:
        number, begin = wrong.tolist()
        line = bytes(text[begin:]).split(b"\n", 1)[0].decode(errors="replace")
        try:
            parse_epd(game, line)
            raise PositionError(f'{line.strip()!r} has no result, such as c9 "1-0"; or c9 "1/2-1/2";')
        except PositionError as reason:
            raise PositionError(f"{str(path)!r}, line {number}: {reason}") from None
    return rows[:found], outcomes[:found]


def read_lines(
    game: Chess, state: State, text: np.ndarray, rows: np.ndarray, outcomes: np.ndarray, wrong: np.ndarray
) -> int:
    """Read positions and results from lines of text; returns the number of quiet positions.

    At a line that cannot be read it returns -1, with the line's number and offset in ``wrong``.
    """
    found, number, begin = 0, 0, 0
    while begin < len(text):
        number += 1
        end = begin
        while end < len(text) and text[end] != NEWLINE:
            end += 1
        if end - begin > 1:
            result = result_in(text, begin, end)
            place = read_position(text, begin, end, rows, found)
            if result < 0 or place < 0:
                wrong[0], wrong[1] = number, begin
                return -1
            outcomes[found, 0], outcomes[found, 1] = result, opinion_in(text, place, end)
            here = Position(
                int(rows[found, 0]), int(rows[found, 1]), int(rows[found, 2]), int(rows[found, 3]),
                int(rows[found, 4]), int(rows[found, 5]), int(rows[found, 6]), 0, 0, 0, int(rows[found, 10]), 0,
            )  # fmt: skip
            if game.find_checkers(here) == 0 and is_quiet(game, here):
                found += 1
        begin = end + 1
    return found


def is_quiet(game: Chess, state: State) -> bool:
    """Return whether no capture or promotion wins anything, so that the static evaluation can be trusted."""
    for move in game.noisy_moves(state):  # noqa: SIM110
        if game.see_at_least(state, move, 1):
            return False
    return True


def read_position(text: np.ndarray, begin: int, end: int, rows: np.ndarray, row: int) -> int:
    """Read the men and the side to move; returns the place after them, or -1 if they cannot be read."""
    for word in range(rows.shape[1]):
        rows[row, word] = 0
    square, place = 56, begin
    while place < end and text[place] != SPACE:
        letter = int(text[place])
        place += 1
        if letter == SLASH:
            square -= 16
            continue
        if 49 <= letter <= 56:
            square += letter - 48
            continue
        kind = -1
        for number in range(6):
            if letter | 32 == LETTERS[number]:
                kind = number
        if kind < 0 or square < 0 or square > 63:
            return -1
        here = 1 << square if square < 63 else -(1 << 63)
        rows[row, 1 if letter & 32 else 0] |= here
        if kind != 4:
            rows[row, 2 + kind if kind < 4 else 6] |= here
        else:
            rows[row, 4] |= here
            rows[row, 5] |= here
        square += 1
    kings = rows[row, 6]
    white, black = kings & rows[row, 0], kings & rows[row, 1]
    if square != 8 or place + 1 >= end or white == 0 or black == 0 or white & white - 1 or black & black - 1:
        return -1
    rows[row, 10] = 1 if text[place + 1] == 98 else 0
    return place + 2


def result_in(text: np.ndarray, begin: int, end: int) -> int:
    """Return the half points that White scored; -1 if the line has no result."""
    if find(text, begin, end, DRAWN) >= 0:
        return 1
    if find(text, begin, end, WHITE_WON) >= 0:
        return 2
    return 0 if find(text, begin, end, BLACK_WON) >= 0 else -1


def opinion_in(text: np.ndarray, begin: int, end: int) -> int:
    """Return an engine's opinion in a line; ``UNKNOWN`` if there is none."""
    place = find(text, begin, end, OPINION)
    if place < 0:
        return NO_OPINION
    place += len(OPINION)
    negative = place < end and text[place] == MINUS
    value = 0
    if negative:
        place += 1
    while place < end and 48 <= text[place] <= 57:
        value = min(10 * value + int(text[place]) - 48, NO_OPINION - 1)
        place += 1
    return -value if negative else value


def find(text: np.ndarray, begin: int, end: int, wanted: tuple[int, ...]) -> int:
    """Return the first place of some letters; -1 if they do not occur."""
    for place in range(begin, end - len(wanted) + 1):
        same = 0
        while same < len(wanted) and text[place + same] == wanted[same]:
            same += 1
        if same == len(wanted):
            return place
    return -1


# Features -------------------------------------------------------------------------------------------------------------


def _features(game: Chess, rows: np.ndarray, on_step: OnStep) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    trace = Trace(np.zeros(FEATURES, dtype=np.int64))
    places = np.zeros(CHUNK * MOST_ACTIVE, dtype=np.uint16)
    counts = np.zeros(CHUNK * MOST_ACTIVE, dtype=np.int16)
    active = np.zeros(len(rows), dtype=np.int64)
    taper = np.zeros((len(rows), 3), dtype=np.float32)
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    if not wants_compiled(game):
        rows = rows_of([Position(*row) for row in rows.tolist()], game.initial(), compiled=False)
    for first in range(0, len(rows), CHUNK):
        last = min(first + CHUNK, len(rows))
        used = call(find_features, game, rows[first:last], trace, places, counts, active[first:last], taper[first:last])
        parts.append((places[:used].copy(), counts[:used].copy()))
        on_step(last, len(rows))
    starts = np.concatenate(([0], np.cumsum(active)))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]), starts, taper


def find_features(
    game: Evaluation, state: State, rows: np.ndarray, trace: Trace, places: np.ndarray, counts: np.ndarray,
    active: np.ndarray, taper: np.ndarray,
) -> int:  # fmt: skip
    """Write the features of the positions one after the other; returns how many there are."""
    used = 0
    for index in range(len(rows)):
        here = state_at(game, rows, index)
        game.account(here, trace)
        before = used
        for place in range(FEATURES):
            if trace.counts[place] != 0:
                places[used], counts[used] = place, trace.counts[place]
                used += 1
                trace.counts[place] = 0
        active[index] = used - before
        middlegame = game.phase(here) / FULL_PHASE
        taper[index, 0] = middlegame
        taper[index, 1] = (1 - middlegame) * game.scale(here, 1) / FULL_SCALE
        taper[index, 2] = (1 - middlegame) * game.scale(here, -1) / FULL_SCALE
    return used
