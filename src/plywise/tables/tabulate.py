"""``tabulate``: find all positions of a game, and the value of each."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plywise.errors import GameError, SearchError
from plywise.game import Game, State
from plywise.inputs.limits import check_executor, check_threads, check_whole, memory_mb
from plywise.inputs.positions import check_zero_sum, position
from plywise.io.files import check_target, content_digest
from plywise.io.locks import only_writer
from plywise.layers import Chance
from plywise.tables.checkpoint import Checkpoint
from plywise.tables.choosing import ENDLESS
from plywise.tables.crew import Crew
from plywise.tables.enumeration import MOST_LAYERS, Layer, Positions
from plywise.tables.expander import Expander, FarExpander, Part, received, unpacked
from plywise.tables.expansion import Expanded, Rules
from plywise.tables.file import load
from plywise.tables.graph import Connected, Solved, Solving
from plywise.tables.need import ENOUGH, Need, estimated
from plywise.tables.packing import Envelope, Packing, find_all, find_codes
from plywise.tables.sets import PART, order_of
from plywise.tables.solving import back_up
from plywise.tables.table import (
    Table,
    described,
    narrow_choices,
    narrow_distances,
    narrow_values,
    summarised,
    unlimited,
)

if TYPE_CHECKING:
    from plywise.cluster.executor import Executor

TOLERANCE = 1e-12
"""How far a value may be from the exact one, where dice make cycles; relative to the highest score if that is above 1.
"""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and the total."""


def tabulate(
    game: Game,
    roots: State | str | Iterable[State | str] | None = None,
    *,
    pieces: int | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    on_progress: Progress | None = None,
    on_need: Callable[[Need], None] | None = None,
    executor: Executor | None = None,
) -> Table:
    """Find all positions that can be reached, and the value of each, the distance to the end and a best move.

    Args:
        game: a zero-sum game for two players, with or without dice.  Positions may recur: a game that never ends is
            worth what ``Recurrence.repetition`` says, which must be the same for all positions of a cycle.
        roots: positions to start from, or their texts; default: the initial position.
        pieces: instead of roots, start from all positions with at most this many pieces (``Recurrence.endings``).
        out: a file for the table, which is then read from there.  The work survives an interruption, even ``kill -9``:
            the same call resumes it.  If the file is complete, it is only opened.
        threads: how many threads to use; default: one per processor.  The table does not depend on it.
        tolerance: how exact values must be where dice make cycles; all others are exact.
        fresh: start over: ``out`` is deleted first, whatever it holds.
        on_progress: called with a text, how much is done, and the total.
        on_need: called with an estimate of the memory, after the first positions.
        executor: who applies the rules to positions, besides this process: ``plywise.cluster.connect("local")``.  Worth
            it for slow rules; the table does not depend on it.

    Raises:
        SearchError: the game cannot be tabulated, ``out`` holds something else, or another program is writing to it.

    >>> import plywise as pw
    >>> table = pw.tabulate(pw.games.ConnectFour(4, 4))
    >>> len(table), table["1122"]
    (161029, Entry(value=0, move=0, distance=12))
    """
    check_zero_sum(game, "tabulate")
    check_executor(executor)
    threads = (os.cpu_count() or 1) if threads is None else threads
    check_threads(threads)
    if not 0 < tolerance < math.inf:
        raise SearchError(f"tolerance={tolerance!r} must be a number above zero")
    starts = _roots(game, roots) if pieces is None else _endings(game, roots, pieces)
    meaning = {"game": repr(game), "tolerance": tolerance, "roots": starts.digest}
    with contextlib.ExitStack() as held:
        if out is not None:
            check_target(Path(out))
            held.enter_context(only_writer(Path(out)))
        checkpoint = Checkpoint(out, meaning, described(game), fresh)
        if checkpoint.is_done:
            return load(checkpoint.path, game)
        rules = Rules(game, starts.example)
        crew = held.enter_context(Crew(threads if rules.compiled is not None else 1))
        expander = Expander(rules, crew)
        if executor is not None:
            expander = held.enter_context(contextlib.closing(FarExpander(rules, crew, executor)))
        work = Work(game, expander, checkpoint, meaning, on_progress or _ignore)
        positions = work.find_positions(starts.states, on_need)
        table = work.layer_by_layer(positions) if positions.graded else work.as_graph(positions)
        if out is None:
            return table
        table.save(checkpoint.path)
        checkpoint.forget()
        return load(checkpoint.path, game)


def _ignore(what: str, done: int, total: int) -> None:
    """Ignore progress."""


class Roots(NamedTuple):
    """Where a table starts."""

    states: Iterable[State]
    """The positions, without history; there may be many, so they are read once."""
    example: State
    digest: str
    """What stands for them in the description of a table."""


def _roots(game: Game, roots: State | str | Iterable[State | str] | None) -> Roots:
    """Return the roots, each checked."""
    one = roots is None or isinstance(roots, (str, type(game.initial())))
    listed: list[Any] = [roots] if one else list(roots)  # type: ignore[arg-type]
    if not listed:
        raise SearchError("tabulate needs at least one root")
    states = [game.without_history(position(game, root)) for root in listed]
    texts = sorted({repr(root) for root in states})
    return Roots(states, states[0], content_digest("\n".join(texts).encode()))


def _endings(game: Game, roots: Any, pieces: int) -> Roots:
    """Return all positions with at most this many pieces as roots."""
    if roots is not None:
        raise SearchError("tabulate starts from roots or from all positions with some pieces, not from both")
    check_whole("pieces", pieces, 1)
    states = itertools.chain.from_iterable(game.endings(count) for count in range(1, pieces + 1))
    first = next(states, None)
    if first is None:
        advice = ": define endings()" if type(game).endings is Game.endings else ""
        raise SearchError(f"{game!r} has no endings with at most {pieces} pieces{advice}")
    return Roots(itertools.chain([first], states), first, f"at most {pieces} pieces")


class Work:
    """The making of one table."""

    def __init__(
        self, game: Game, expander: Expander, checkpoint: Checkpoint, meaning: dict[str, Any], tell: Progress
    ) -> None:
        self.game, self.expander, self.checkpoint = game, expander, checkpoint
        self.rules, self.crew = expander.rules, expander.crew
        self.meaning, self.tell = meaning, tell
        self.solved: list[np.ndarray] = []
        """What a checkpoint had: values and distances of the last layer, of the one before it, and so on; or those of a
        graph (``Solved``).
        """

    # Enumeration ------------------------------------------------------------------------------------------------------

    def find_positions(self, roots: Iterable[State], on_need: Callable[[Need], None] | None) -> Positions:
        """Find all positions, from the checkpoint on."""
        positions = self._resumed() or Positions.at(self.rules, roots)
        sizes = [len(layer.codes) for layer in positions.layers]
        while len(positions.frontier.codes):
            if on_need and (sum(sizes) >= ENOUGH or len(sizes) > MOST_LAYERS):
                on_need(Need(estimated(sizes), bytes_each(positions.packing)))
                on_need = None
            size, found = len(positions.frontier.codes), len(positions)
            what = f"Finding positions: {found:,}"
            self.tell(what, 0, size)
            positions.advance(self.expander, lambda done: self.tell(what, done, size))  # noqa: B023 (called at once)
            sizes.append(len(positions.frontier.codes))
            self._check_memory(positions)
            self.checkpoint.offer(lambda: self._state(positions))
        return positions

    def _check_memory(self, positions: Positions) -> None:
        """Stop before the machine runs out of memory."""
        room, needed = memory_mb(), len(positions) * bytes_each(positions.packing) / (1 << 20)
        if room is not None and needed > room:
            raise SearchError(f"{self.game!r} has more than {len(positions):,} positions, which need more than "
                              f"{needed:,.0f} MB; this machine has {room:,.0f} MB")  # fmt: skip

    def _state(self, positions: Positions) -> tuple[dict[str, Any], list[np.ndarray]]:
        """Return what a checkpoint must hold."""
        frontier = [i for i, layer in enumerate(positions.layers) if layer is positions.frontier]
        layers = positions.layers if frontier else [*positions.layers, positions.frontier]
        facts = {
            "packing": positions.packing.envelope.to_json(), "graded": positions.graded,
            "envelopes": [layer.envelope.to_json() for layer in layers], "frontier": frontier[0] if frontier else -1,
        }  # fmt: skip
        return facts, [layer.codes for layer in layers]

    def _resumed(self) -> Positions | None:
        saved = self.checkpoint.read()
        if saved is None:
            return None
        facts, arrays = saved
        with self.checkpoint.intact():
            envelopes = map(Envelope.from_json, facts["envelopes"])
            layers = [Layer(codes, envelope) for codes, envelope in zip(arrays, envelopes, strict=False)]
            self.solved = arrays[len(layers) :]
            frontier = layers[facts["frontier"]]
            if facts["frontier"] < 0:
                layers.pop()
            packing = Packing.of(Envelope.from_json(facts["packing"]))
            return Positions(self.rules, packing, layers, facts["graded"], frontier)

    # Layer by layer ---------------------------------------------------------------------------------------------------

    def layer_by_layer(self, positions: Positions) -> Table:
        """Solve a graded game from the last layer to the first."""
        solved = list(self.solved)
        count, done = len(positions), sum(map(len, solved[::2]))
        for layer in list(reversed(positions.layers))[len(solved) // 2 :]:
            following = positions.layers[-(len(solved) // 2)].codes if solved else layer.codes[:0]
            values, distances = (solved[-2], solved[-1]) if solved else (np.zeros(0), np.zeros(0, np.uint8))
            solved += self._solve_layer(positions.packing, layer.codes, following, values, distances, done, count)
            done += len(layer.codes)
            self.checkpoint.offer(lambda: self._state_with(positions, solved))  # noqa: B023 (called at once)
        columns = [solved[0::2][::-1], solved[1::2][::-1]]
        return self._assembled(positions, *columns)

    def _state_with(self, positions: Positions, solved: list[np.ndarray]) -> tuple[dict[str, Any], list[np.ndarray]]:
        facts, arrays = self._state(positions)
        return facts, [*arrays, *solved]

    def _solve_layer(
        self, packing: Packing, codes: np.ndarray, following: np.ndarray, values_after: np.ndarray,
        distances_after: np.ndarray, done: int, total: int,
    ) -> list[np.ndarray]:  # fmt: skip
        """Return the values and the distances of a layer, by those of the next one."""
        values, distances = np.empty(len(codes)), np.empty(len(codes), dtype=np.int32)
        after = values_after.astype(np.float64), widened(distances_after)

        def solve_part(part: Part) -> int:
            first, last, expanded = part
            for found in map(received, expanded):
                places = slice(first + found.first, first + found.last)
                rows = self._rows_in(following, found, packing)
                self.rules.kernel(back_up)(
                    found.players, found.ends, found.scores, found.repeated, found.chances, rows, *after,
                    values[places], distances[places],
                )  # fmt: skip
            return last - first

        for count in self.crew.each(solve_part, self.expander.expanded(codes, packing)):
            self.tell("Solving", done, total)
            done += count
        return [narrow_values(values), narrow_distances(distances)]

    def _rows_in(self, codes: np.ndarray, found: Expanded, packing: Packing) -> np.ndarray:
        """Return the rows of successors in a set that holds them all."""
        rows = np.empty(len(found.after), dtype=np.int64)
        if found.is_packed:
            self.rules.kernel(find_codes)(found.after, packing.bits, codes, rows)
        else:
            scratch = np.empty((1, packing.words), dtype=np.int64)
            self.rules.kernel(find_all)(found.after, len(found.after), packing.plan, codes, scratch, rows)
        if len(rows) and rows.min() < 0:
            raise GameError(f"the rules of {self.game!r} vary: play() returned another position than before")
        return rows

    def _assembled(self, positions: Positions, values: list[np.ndarray], distances: list[np.ndarray]) -> Table:
        """Return the table of all layers: their positions in one order."""
        packing, count = positions.packing, len(positions)
        codes = np.empty((count, packing.words), dtype=np.int64)
        all_values = np.empty(count, dtype=np.result_type(*values))
        most = max(int(np.where(each == unlimited(each), 0, each).max(initial=0)) for each in distances)
        all_distances = np.empty(count, dtype=narrow_distances(np.array([most])).dtype)
        parts = max(1, count // PART)
        limits = np.array([part * (1 << packing.bits) // parts for part in range(parts)] + [1 << packing.bits])
        cuts = [np.searchsorted(layer.codes[:, 0], limits) for layer in positions.layers]
        firsts = np.sum(cuts, axis=0)

        def part_of(part: int) -> None:
            def joined(columns: list[np.ndarray]) -> np.ndarray:
                return np.concatenate([c[cut[part] : cut[part + 1]] for c, cut in zip(columns, cuts, strict=True)])

            found = joined([layer.codes for layer in positions.layers])
            order = order_of(found)
            places = slice(firsts[part], firsts[part + 1])
            codes[places] = found[order]
            all_values[places] = joined(values)[order]
            far = joined([np.where(d == unlimited(d), unlimited(all_distances), d) for d in distances])
            all_distances[places] = far[order]

        self.crew.do(part_of, range(parts))
        return self._finished(packing, codes, all_values, all_distances, "backward induction, layer by layer", 0.0)

    # As a graph -------------------------------------------------------------------------------------------------------

    def as_graph(self, positions: Positions) -> Table:
        """Solve a game in which moves do not lead from one layer to the next."""
        codes, packing = positions.merged(self.crew), positions.packing
        positions.layers = [Layer(codes, packing.envelope)]
        positions.frontier = Layer(codes[:0], packing.envelope)
        with self.checkpoint.intact():
            saved = Solved.from_lists(self.solved)
        self.solved = []
        connected, tolerance = self._connected(codes, packing), self.meaning["tolerance"]
        solving = Solving(connected, isinstance(self.game, Chance), tolerance, saved)
        for _ in solving.steps(self.rules.kernel, lambda done: self.tell("Solving", done, len(codes))):
            self.checkpoint.offer(lambda: self._state_with(positions, solving.solved.to_lists()))
        if solving.problem is not None:
            row, why, so = solving.problem
            state = self.rules.state(unpacked(self.rules, codes[row : row + 1], packing)[0].tolist())
            raise SearchError(f"{self.game!r} cannot be tabulated: {why}, as in {self.game.format(state)!r}, so {so}")
        solved = solving.solved
        return self._finished(
            packing, codes, narrow_values(solved.values), narrow_distances(solved.distances), solving.method,
            solving.exactness, narrow_choices(solved.choices) if solving.has_choices else None,
        )  # fmt: skip

    def _connected(self, codes: np.ndarray, packing: Packing) -> Connected:
        """Return what the rules say about all positions, with the successors as rows of the table."""
        count, dice = len(codes), isinstance(self.game, Chance)
        players, degrees = np.zeros(count, dtype=np.int8), np.zeros(count, dtype=np.int64)
        scores, rests = np.zeros(count), np.zeros(count)
        edges: dict[int, np.ndarray] = {}
        chances: dict[int, np.ndarray] = {}
        """By the first position of a range."""

        def follow(part: Part) -> int:
            first, last, expanded = part
            for found in map(received, expanded):
                places = slice(first + found.first, first + found.last)
                players[places], scores[places], rests[places] = found.players, found.scores, found.repeated
                degrees[places] = np.diff(found.ends, prepend=0)
                edges[places.start] = self._rows_in(codes, found, packing).astype(np.int32)
                if dice:
                    chances[places.start] = found.chances.copy()
            return last - first

        done = 0
        for more in self.crew.each(follow, self.expander.expanded(codes, packing)):
            self.tell("Connecting positions", done, count)
            done += more
        starts = np.concatenate([[0], np.cumsum(degrees)])
        after, odds = ([each[first] for first in sorted(each)] for each in (edges, chances))
        return Connected(
            players, scores, rests, starts, np.concatenate(after), np.concatenate(odds) if dice else np.zeros(0)
        )

    def _finished(
        self, packing: Packing, codes: np.ndarray, values: np.ndarray, distances: np.ndarray, method: str,
        exactness: float, choices: np.ndarray | None = None,
    ) -> Table:  # fmt: skip
        rules = described(self.game)
        facts = {"meaning": self.meaning, "method": method, "tolerance": exactness, "rules": rules}
        table = Table(self.game, packing, codes, values, distances, facts, choices)
        table.facts["summary"] = summarised(table)
        return table


def widened(distances: np.ndarray) -> np.ndarray:
    """Return the distances of ``narrow_distances`` as they were."""
    return np.where(distances == unlimited(distances), ENDLESS, distances.astype(np.int32)).astype(np.int32)


def bytes_each(packing: Packing) -> int:
    """Return how many bytes a position takes, at least, while a table is made: its code, once as it was found and once
    in the order of the table, its value and its distance.
    """
    return 2 * (8 * packing.words + 2)
