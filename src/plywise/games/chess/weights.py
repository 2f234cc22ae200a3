"""The file of weights: one line per feature, with its name and its weights in centipawns.

    mobility-knight 3    -12.4    -8.1

The first number is for the middlegame, the second for the endgame.  Lines that start with # are comments.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from plywise.errors import GameError
from plywise.games.chess.features import GROUPS
from plywise.io.files import read_text_file, written_whole
from plywise.io.numbers import read_real

WEIGHTS_FILE = Path(__file__).with_name("weights.txt")
"""The default weights of chess."""

UNIT = 16
"""Units of packed weights per centipawn."""
MOST = 20_000
"""The largest weight allowed, in centipawns."""


@functools.cache
def feature_names() -> tuple[str, ...]:
    """Return the names of all features, in the order of their places."""
    return tuple(
        " ".join((group.name, *labels)) for group in GROUPS for labels in itertools.product(*group.labels)
    )  # fmt: skip


@functools.cache
def packed_weights(path: Path) -> np.ndarray:
    """Return the weights in a file, one word per feature."""
    return packed(read_weights(path))


def packed(weights: np.ndarray) -> np.ndarray:
    """Return pairs of centipawns packed into words: the endgame in the upper half, the middlegame in the lower."""
    units = np.rint(weights * UNIT).astype(np.int64)
    words: np.ndarray = (units[:, 1] << 32) + units[:, 0]
    return words


def read_weights(path: Path) -> np.ndarray:
    """Return two weights, in centipawns, for every feature.

    Raises:
        GameError: the file cannot be read, or a line is wrong; the message says where.
    """
    try:
        lines = read_text_file(path).decode().splitlines()
    except OSError as wrong:
        raise GameError(f"cannot read weights from {str(path)!r}: {wrong.strerror}") from None
    except ValueError as wrong:
        raise GameError(f"cannot read weights from {str(path)!r}: {wrong}") from None
    found = dict(_read_lines(path, lines))
    missing = [name for name in feature_names() if name not in found]
    if missing:
        raise GameError(f"{str(path)!r} has no weights for {missing[0]!r}" + _and_others(len(missing) - 1))
    return np.array([found[name] for name in feature_names()])


def _read_lines(path: Path, lines: Iterable[str]) -> Iterator[tuple[str, tuple[float, float]]]:
    known = set(feature_names())
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        *words, middlegame, endgame = line.split() if len(line.split()) > 2 else ("", "", "")
        name = " ".join(words)
        where = f"{str(path)!r}, line {number}"
        if name not in known:
            raise GameError(f"{where}: {line.strip()!r} is not a chess feature with its two weights")
        try:
            values = read_real(middlegame), read_real(endgame)
        except ValueError:
            raise GameError(f"{where}: {name!r} needs two numbers, not {middlegame!r} and {endgame!r}") from None
        if not all(abs(value) <= MOST for value in values):
            raise GameError(f"{where}: the weights of {name!r} must be from -{MOST} to {MOST}")
        yield name, values


def _and_others(count: int) -> str:
    return f" and {count} other features" if count > 1 else " and another feature" if count else ""


def write_weights(path: Path, weights: np.ndarray, comments: Iterable[str]) -> None:
    """Write weights, in centipawns, with comments above them."""
    width = max(map(len, feature_names()))
    with written_whole(path) as file:
        for comment in comments:
            file.write(f"# {comment}\n".encode())
        for name, (middlegame, endgame) in zip(feature_names(), weights, strict=True):
            file.write(f"{name:{width}} {middlegame:8.1f} {endgame:8.1f}\n".encode())
