"""Who applies the rules to many positions: threads of this process, or an executor, such as a cluster.

An executor gets the codes of some positions and returns those of their successors; looking them up and everything else
is done here.  So what travels is small, about 60 bytes a position, and the large arrays stay where they are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.game import Game
from plywise.tables.crew import Crew
from plywise.tables.expansion import Expanded, Rules, plain_value
from plywise.tables.packing import Envelope, Packing, pack, unpack
from plywise.tables.sets import as_set
from plywise.tables.table import narrow_values

if TYPE_CHECKING:
    from plywise.cluster.bench import Desk, Kit
    from plywise.cluster.executor import Executor, Outcome

CHUNK = 1 << 13
"""Positions that a thread expands at a time."""

PLAIN_CHUNK = 1 << 8
"""The same in plain Python, which is a hundred times slower."""

MOST_SENT = 1 << 18
"""The most positions that a job gets: the answer may take some 20 MB."""

Successors = tuple[Envelope, Packing | None, np.ndarray]
"""Successors of some positions: a set of codes in a packing or, if that has no room for them, words."""

Part = tuple[int, int, Any]
"""The first and the last position of a part, plus one, and what is known about it."""


class Expander:
    """Threads of this process."""

    def __init__(self, rules: Rules, crew: Crew) -> None:
        self.rules, self.crew = rules, crew

    def successors(self, codes: np.ndarray, packing: Packing, room: Callable[[], Packing]) -> Iterator[Part]:
        """Yield all successors of positions, as lists of ``Successors``; ``room`` returns the packing for them."""

        def work(first: int) -> Part:
            last = min(len(codes), first + CHUNK)
            return first, last, successors_of(self.rules, codes[first:last], packing, room())

        yield from self.crew.each(work, range(0, len(codes), CHUNK))

    def expanded(self, codes: np.ndarray, packing: Packing) -> Iterator[Part]:
        """Yield what the rules say about positions, as iterables of ``Expanded`` that any thread may read."""
        for first in range(0, len(codes), CHUNK):
            last = min(len(codes), first + CHUNK)
            yield first, last, self.rules.expansions(unpacked(self.rules, codes[first:last], packing))


class FarExpander(Expander):
    """An executor.  Small sets of positions are not worth being sent."""

    def __init__(self, rules: Rules, crew: Crew, executor: Executor) -> None:
        super().__init__(rules, crew)
        self.executor = executor
        self.kit: Kit = executor.kit(rules.game, rules_from, rules.row(rules.example))
        self.least = CHUNK if rules.compiled is not None else PLAIN_CHUNK
        """The fewest positions that are worth being sent."""
        self.size = self.least

    def close(self) -> None:
        """Let the workers go."""
        self.executor.release(self.kit)

    def successors(self, codes: np.ndarray, packing: Packing, room: Callable[[], Packing]) -> Iterator[Part]:
        if len(codes) <= self.least:
            return super().successors(codes, packing, room)
        return self._sent(send_successors, codes, lambda part: (part, packing, room()))

    def expanded(self, codes: np.ndarray, packing: Packing) -> Iterator[Part]:
        if len(codes) <= self.least:
            return super().expanded(codes, packing)
        return self._sent(send_expanded, codes, lambda part: (part, packing))

    def _sent(
        self, work: Callable[..., Any], codes: np.ndarray, given: Callable[[np.ndarray], tuple[Any, ...]]
    ) -> Iterator[Part]:
        """Yield the answers to ``work(desk, *given(part))`` for all parts, as they come."""
        parts: list[tuple[int, int]] = []

        def cut() -> Iterator[tuple[Any, ...]]:
            first = 0
            while first < len(codes):
                fair = -(-(len(codes) - first) // (2 * max(1, self.executor.slots)))  # so that all finish together
                last = min(len(codes), first + max(self.least, min(self.size, fair)))
                parts.append((first, last))
                yield given(codes[first:last])
                first = last

        label = f"a part of the table of {self.rules.game!r}"
        with contextlib.closing(self.executor.each(self.kit, work, cut(), label)) as answers:
            for place, outcome in answers:
                first, last = parts[place]
                self._learn(last - first, outcome)
                yield first, last, outcome.answer()

    def _learn(self, count: int, outcome: Outcome) -> None:
        """Choose the size of the next jobs: each should take a while, but not too long."""
        wanted = count * self.executor.job_seconds / max(outcome.seconds, 1e-6)
        self.size = int(max(self.least, min(MOST_SENT, 2 * self.size, wanted)))


def successors_of(rules: Rules, codes: np.ndarray, packing: Packing, room: Packing) -> list[Successors]:
    """Return the successors of positions; ``room`` is the packing for them."""
    found: list[Successors] = []
    for each in rules.expansions(unpacked(rules, codes, packing)):
        if len(each.after):
            envelope = Envelope.of(each.after)
            if room.envelope.covers(envelope):
                found.append((envelope, room, as_set(packed(rules, each.after, room))))
            else:
                found.append((envelope, None, each.after.copy()))
    return found


# ---------------------------------------------------------------------------------------------------------------------
# On a worker
# ---------------------------------------------------------------------------------------------------------------------


def rules_from(game: Game, share: float, example: list[int]) -> Rules:
    """Return the rules of a game, for the positions that are like an example: the tools of a worker."""
    return Rules(game, plain_value(iter(example), game.initial()))


def send_successors(desk: Desk, codes: np.ndarray, packing: Packing, room: Packing) -> list[Successors]:
    """Find successors: a job.  Equal ones are sent once."""
    rules: Rules = desk.tools
    found: list[Successors] = []
    sets: list[tuple[Envelope, np.ndarray]] = []
    for first in range(0, len(codes), CHUNK):
        desk.check()
        for envelope, where, each in successors_of(rules, codes[first : first + CHUNK], packing, room):
            if where is None:
                found.append((envelope, None, each))
            else:
                sets.append((envelope, each))
    if sets:
        envelope = sets[0][0]
        for other, _ in sets[1:]:
            envelope = envelope.with_others(other)
        found.append((envelope, room, as_set(np.concatenate([each for _, each in sets]))))
    return found


def send_expanded(desk: Desk, codes: np.ndarray, packing: Packing) -> list[Expanded]:
    """Say what the rules say about positions: a job.  Successors are sent as codes, and all numbers in few bytes."""
    rules: Rules = desk.tools
    found = []
    for first in range(0, len(codes), CHUNK):
        desk.check()
        for each in rules.expansions(unpacked(rules, codes[first : first + CHUNK], packing)):
            found.append(_to_send(each, first, packed(rules, each.after, packing)))
    return found


def _to_send(found: Expanded, first: int, codes: np.ndarray) -> Expanded:
    """Return what is known about positions in few bytes: for a range of a larger part, which begins at ``first``."""
    return Expanded(
        first + found.first, first + found.last, found.players.astype(np.int8), found.ends.astype(np.int32),
        narrow_values(found.scores), narrow_values(found.repeated), codes,
        found.chances.copy() if found.chances.any() else found.chances[:0], is_packed=True,
    )  # fmt: skip


def received(found: Expanded) -> Expanded:
    """Return what was sent, in the types that kernels take."""
    if not found.is_packed:
        return found
    chances = found.chances if len(found.chances) else np.zeros(len(found.after))
    return found._replace(
        players=found.players.astype(np.int64), ends=found.ends.astype(np.int64),
        scores=found.scores.astype(np.float64), repeated=found.repeated.astype(np.float64), chances=chances,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# Between words and codes
# ---------------------------------------------------------------------------------------------------------------------


def packed(rules: Rules, words: np.ndarray, packing: Packing) -> np.ndarray:
    """Return the codes of positions."""
    codes = np.empty((len(words), packing.words), dtype=np.int64)
    rules.kernel(pack)(words, len(words), packing.plan, codes)
    return codes


def unpacked(rules: Rules, codes: np.ndarray, packing: Packing) -> np.ndarray:
    """Return the positions of codes."""
    words = np.empty((len(codes), len(packing.bases)), dtype=np.int64)
    rules.kernel(unpack)(codes, packing.plan, words)
    return words
