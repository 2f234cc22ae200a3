"""Networks: what a learned evaluation knows, and the file that it comes in.

A network has one row of input weights for each feature of a game (``plywise.layers.Features``).  The rows of the
features that a player sees add up to an *accumulator*, one for each player.  Its numbers, clipped to the range from 0
to 1 and squared, are weighted by the output weights, the viewer's own first.  The sum is the *logit* of the viewer's
expected result.  Without hidden units, a network is linear: each feature has one weight.

All weights are small integers, so that machine code adds many at once, and plain Python finds the same numbers.  The
form is that of the networks of computer shogi and chess (NNUE, Nasu 2018), with the features of any game.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import io
import json
import math
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plywise.compiling.words import leaves
from plywise.errors import SearchError
from plywise.game import Game
from plywise.io.files import written_whole

INPUT_UNIT, OUTPUT_UNIT = 256, 64
"""What stands for 1 in the weights of inputs and of outputs."""

UNIT = INPUT_UNIT * OUTPUT_UNIT
"""What stands for 1 in a logit."""

MOST_WEIGHT = 127 / OUTPUT_UNIT
"""The largest weight of an input or output: an accumulator times an output weight fits 16 bits."""

NONE = "none"
"""Instead of a file: no network, not even the one that comes with the game."""

SAMPLE_GAMES, SAMPLE_PLIES = 4, 20
"""How much of a game its fingerprint looks at."""

ARRAYS = {"inputs": np.int16, "biases": np.int16, "outputs": np.int16, "offsets": np.int64, "direct": np.int32}
NUMBERS = ("scale", "most", "corrects")


@dataclasses.dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network."""

    inputs: np.ndarray
    """One row of weights for each feature, one column for each hidden unit, times INPUT_UNIT."""
    biases: np.ndarray
    """What an accumulator begins with, times INPUT_UNIT."""
    outputs: np.ndarray
    """One row for each bucket: the weights of the viewer's accumulator, then those of the other, times OUTPUT_UNIT."""
    offsets: np.ndarray
    """What the logit begins with, for each bucket, times UNIT."""
    direct: np.ndarray
    """Without hidden units: the weights of the viewer's features, one column for each bucket, times UNIT."""
    scale: float
    """What a logit of 1 is worth, in points of the game, if the evaluation is proportional to it."""
    most: float = 0.0
    """The largest score of the game, if the evaluation is the expected score; else 0."""
    corrects: bool = False
    """Whether the evaluation adds to the game's own."""
    about: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Where the network comes from: the game, its ``fingerprint``, the number of positions, and so on."""
    name: str = ""
    """The name of the file that it was read from; empty if there is none."""

    @property
    def hidden(self) -> int:
        """The number of hidden units of one accumulator."""
        return len(self.biases)

    @property
    def buckets(self) -> int:
        """The number of kinds of positions."""
        return len(self.offsets)

    @property
    def feature_count(self) -> int:
        """The number of features."""
        return len(self.inputs) if self.hidden else len(self.direct)

    def __repr__(self) -> str:
        return f"<network of {self.feature_count} features and {self.hidden} hidden units, {self.digest}>"

    @functools.cached_property
    def digest(self) -> str:
        """A hash of everything that the evaluation depends on."""
        whole = hashlib.sha256(repr([getattr(self, name) for name in NUMBERS]).encode())
        for name in ARRAYS:
            whole.update(np.ascontiguousarray(getattr(self, name)).tobytes())
        return whole.hexdigest()[:12]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def save(self, path: Path) -> None:
        """Write the network to a file."""
        content = io.BytesIO()
        numbers = {name: getattr(self, name) for name in NUMBERS}
        text = json.dumps({**numbers, "about": dict(self.about)}).encode()
        np.savez_compressed(
            content, text=np.frombuffer(text, np.uint8), **{name: getattr(self, name) for name in ARRAYS}
        )
        with written_whole(path) as file:
            file.write(content.getvalue())

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a network from a file.

        Raises:
            SearchError: the file cannot be read, or is not a network.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays: dict[str, Any] = {name: np.ascontiguousarray(file[name], kind) for name, kind in ARRAYS.items()}
                network = cls(**arrays, **json.loads(file["text"].tobytes()), name=Path(path).name)
                network._check_shapes()
        except OSError as wrong:
            raise SearchError(f"cannot read a network from {str(path)!r}: {wrong.strerror or wrong}") from None
        except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile):
            raise SearchError(f"{str(path)!r} is not a network: plywise train writes them") from None
        return network

    def _check_shapes(self) -> None:
        """Check that the arrays fit each other.

        Raises:
            ValueError: they do not.
        """
        hidden, buckets = self.hidden, self.buckets
        features = self.feature_count
        shapes = {"inputs": (features if hidden else 0, hidden), "outputs": (buckets, 2 * hidden),
                  "direct": (0 if hidden else features, buckets)}  # fmt: skip
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(name)
        if not (buckets and math.isfinite(self.scale) and math.isfinite(self.most)):
            raise ValueError("numbers")


def fingerprint(game: Game, evaluated: bool = False, seen: bool = True) -> str:
    """Return a hash of a game's rules and features: of what they do in a few games by chance.  With ``evaluated``, it
    depends on the game's own evaluation too, which a network may correct.  With ``seen=False``, the words of positions
    count instead of their features.

    It is the same with every version of Python, and after every change of the code that changes no answer.
    """
    whole = hashlib.sha256(f"{game.feature_count} {game.buckets}".encode() if seen else b"")
    luck = 1
    for _ in range(SAMPLE_GAMES):
        state = game.initial()
        for _ in range(SAMPLE_PLIES):
            if game.is_terminal(state):
                whole.update(f"{game.score(state)}".encode())
                break
            moves = sorted(game.moves(state), key=repr)
            whole.update(f"{len(moves)}".encode())
            if not seen:
                whole.update(f" {list(leaves(state))}".encode())
            else:
                views = [sorted(map(int, game.features(state, player))) for player in range(2)]
                whole.update(f" {game.viewer(state)} {game.bucket(state)} {views}".encode())
            if evaluated:
                whole.update(f"{game.evaluate(state)}".encode())
            luck = luck * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
            state = game.play(state, moves[(luck >> 33) % len(moves)])
    return whole.hexdigest()[:16]


def network_for(game: Game, given: str | Path | Network | None) -> Network | None:
    """Return the network of a game: the given one, or else the one that comes with it; None for none.

    Raises:
        SearchError: there is no such file, or it is for other rules or features.
    """
    if given == NONE or hasattr(game, "net_of"):  # it has one already
        return None
    if given is None:
        return _shipped(game)
    network = given if isinstance(given, Network) else Network.load(Path(given))
    name = "this network" if isinstance(given, Network) else f"the network {str(given)!r}"
    _check_size(game, network, name)
    if network.about.get("fingerprint") != fingerprint(game, network.corrects):
        raise SearchError(_of_another(game, network, name))
    return network


def _check_size(game: Game, network: Network, name: str) -> None:
    if (network.feature_count, network.buckets) != (game.feature_count, game.buckets):
        raise SearchError(_of_another(game, network, name))


def _of_another(game: Game, network: Network, name: str) -> str:
    about, here = network.about.get("game", "another game"), repr(game)
    what = "rules, features or evaluation" if network.corrects else "rules or features"
    if about == here:
        return f"{name} does not fit {here}: its {what} have changed since; train it again, with another file"
    return f"{name} was made for {about}, with other {what} than {here}"


def _shipped(game: Game) -> Network | None:
    """Return the network that comes with a game."""
    name = game.network_file()
    if not name:
        return None
    home = next(cls for cls in type(game).__mro__ if "network_file" in vars(cls))
    module = getattr(sys.modules.get(home.__module__), "__file__", None)
    if module is None:
        raise SearchError(f"{home.__name__} is in no file, so there is no folder with {name!r}: leave out network_file")
    path = Path(module).with_name(name)
    if not path.is_file():
        raise SearchError(f"{game!r} has no file {str(path)!r}, which network_file() names")
    facts = path.stat()
    known = (path, facts.st_mtime_ns, facts.st_size)
    if known not in _loaded:
        _loaded[known] = Network.load(path)
    _check_size(game, _loaded[known], f"the network {str(path)!r}")
    return _loaded[known]


_loaded: dict[tuple[Path, int, int], Network] = {}
