"""All positions that can be reached from given ones: breadth first, a layer at a time.

Layer 0 holds the roots.  Every other layer holds the successors of the layer before that are in no earlier one.  While
no successor has been met before, each move leads from a layer to the next one.  Such a game is *graded*, as Connect
Four is, where the layer is the number of stones, and can be solved a layer at a time.  Once a position is met again the
layers mean nothing and are merged, so that few sets are searched for the successors.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from plywise.errors import SearchError
from plywise.game import State
from plywise.tables.crew import Crew
from plywise.tables.expander import Expander, packed
from plywise.tables.expansion import Rules
from plywise.tables.packing import Envelope, Packing, repack
from plywise.tables.sets import as_set, ordered, united

MANY_CODES = 1 << 24
"""Successors of a layer are united when there are this many, and whenever they have doubled since the last time."""

MOST_LAYERS = 256
"""A game with more layers is not solved layer by layer."""

MOST_POSITIONS = (1 << 31) - 1
"""More than this many positions are not solved: the number of a position takes four bytes."""


@dataclasses.dataclass
class Layer:
    """A set of positions, as codes."""

    codes: np.ndarray
    envelope: Envelope


class Positions:
    """The positions found so far."""

    def __init__(self, rules: Rules, packing: Packing, layers: list[Layer], graded: bool, frontier: Layer) -> None:
        self.rules, self.packing = rules, packing
        self.layers = layers
        """Disjoint sets: the layers in order if the game is graded so far."""
        self.graded = graded
        self.frontier = frontier
        """The positions whose successors are yet to be found."""

    @staticmethod
    def at(rules: Rules, roots: Iterable[State]) -> Positions:
        """Return the first layer: the roots."""
        words = rules.all_words(roots)
        envelope = Envelope.of(words)
        packing = Packing.of(envelope)
        layer = Layer(as_set(packed(rules, words, packing)), envelope)
        return Positions(rules, packing, [layer], True, layer)

    def __len__(self) -> int:
        return sum(len(layer.codes) for layer in self.layers)

    def advance(self, expander: Expander, tell: Callable[[int], None] = lambda done: None) -> None:
        """Add the next layer.  ``tell`` hears how many positions have been expanded."""
        found, crew = _Successors(self, expander), expander.crew
        for done in found.collect():
            tell(done)
        if found.envelope is None:
            self.frontier = Layer(self.frontier.codes[:0], self.frontier.envelope)
            return
        known = [layer.codes for layer in self.layers if not layer.envelope.apart_from(found.envelope)]
        codes, again = united(found.pieces, self.packing.bits, crew, known)
        if len(self) + len(codes) > MOST_POSITIONS:
            raise SearchError(f"{self.rules.game!r} has more than {MOST_POSITIONS:,} positions, the most in a table")
        self.frontier = Layer(codes, found.envelope)
        if len(codes):
            self.layers.append(self.frontier)
        self.graded = self.graded and again == 0 and len(self.layers) <= MOST_LAYERS
        if not self.graded:
            self._merge_small(crew)

    def _merge_small(self, crew: Crew) -> None:
        """Merge the last sets until each is twice as large as the next: a few remain, and each code moves seldom."""
        while len(self.layers) > 1 and len(self.layers[-2].codes) < 2 * len(self.layers[-1].codes):
            last = self.layers.pop()
            other = self.layers.pop()
            codes, _ = united([other.codes, last.codes], self.packing.bits, crew)
            self.layers.append(Layer(codes, other.envelope.with_others(last.envelope)))

    def merged(self, crew: Crew) -> np.ndarray:
        """Return all positions as one set."""
        return united([layer.codes for layer in self.layers], self.packing.bits, crew)[0]

    def grow(self, envelope: Envelope) -> None:
        """Change the packing so that it has room for more positions."""
        before = self.packing
        self.packing = Packing.of(before.envelope.with_others(envelope))
        changed = {id(layer): layer for layer in (*self.layers, self.frontier)}
        for layer in changed.values():
            layer.codes = ordered(repacked(self.rules, layer.codes, before, self.packing))


class _Successors:
    """The successors of the frontier."""

    def __init__(self, positions: Positions, expander: Expander) -> None:
        self.positions, self.expander = positions, expander
        self.pieces: list[np.ndarray] = []
        self.envelope: Envelope | None = None
        self.count = 0
        self.enough = MANY_CODES

    def collect(self) -> Iterator[int]:
        """Find them; yield how many positions of the frontier are done."""
        # The packing may grow meanwhile.  The frontier is read with the packing that it has now.
        frontier, packing, done = self.positions.frontier.codes, self.positions.packing, 0
        for first, last, found in self.expander.successors(frontier, packing, lambda: self.positions.packing):
            for each in found:
                self._add(*each)
            if self.count > self.enough:
                self._unite()
            done += last - first
            yield done

    def _add(self, envelope: Envelope, packing: Packing | None, found: np.ndarray) -> None:
        positions = self.positions
        if not positions.packing.envelope.covers(envelope):
            before = positions.packing
            positions.grow(envelope)
            self.pieces = [
                ordered(repacked(positions.rules, piece, before, positions.packing)) for piece in self.pieces
            ]
        if packing is None:
            found = as_set(packed(positions.rules, found, positions.packing))
        elif not packing.equals(positions.packing):
            found = ordered(repacked(positions.rules, found, packing, positions.packing))
        self.pieces.append(found)
        self.count += len(found)
        self.envelope = envelope if self.envelope is None else self.envelope.with_others(envelope)

    def _unite(self) -> None:
        codes, _ = united(self.pieces, self.positions.packing.bits, self.expander.crew)
        self.pieces, self.count = [codes], len(codes)
        self.enough = max(MANY_CODES, 2 * len(codes))


def repacked(rules: Rules, codes: np.ndarray, packing: Packing, changed: Packing) -> np.ndarray:
    """Return the codes, in another packing, of the positions of ``codes``; not in order."""
    scratch = np.empty((1, len(packing.bases)), dtype=np.int64)
    result = np.empty((len(codes), changed.words), dtype=np.int64)
    rules.kernel(repack)(codes, packing.plan, changed.plan, scratch, result)
    return result
