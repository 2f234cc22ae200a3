"""Exact values of many positions in one call of compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plywise.algorithms.common import check_value
from plywise.compiling.reading import run
from plywise.compiling.rows import rows_of
from plywise.compiling.scores import number_kind
from plywise.engine.any_code import prepare
from plywise.engine.exact import exact_many
from plywise.game import MAX, Move, State

if TYPE_CHECKING:
    from plywise.engine.engine import Engine


class Solved(NamedTuple):
    """The result of ``Engine.solve_many`` for one position."""

    value: Any
    """The value for Max."""
    move: Move | None
    """A best move; None if the game is over."""
    nodes: int
    moves: dict[Move, Any] | None = None
    """The value of every move, if requested."""


def solve_rows(engine: Engine, states: list[State]) -> list[Solved]:
    """Solve positions; the game may be over in some of them."""
    if not states:
        return []
    compiled = ready_for_rows(engine, states)
    engine.use_table_for_proofs(compiled)
    arguments = row_arguments(engine, states, compiled)
    work = engine.works(compiled)[0]
    work.begin(None)
    run(exact_many, engine.game, states[0], arguments, work, compiled)
    _, values, moves, nodes, *_ = arguments
    check_value(engine.game, np.abs(values).max())
    found = zip(values.tolist(), moves.tolist(), nodes.tolist(), strict=True)
    return [Solved(value, move if count else None, count) for value, move, count in found]


def solve_moves(engine: Engine, positions: list[State]) -> list[Solved]:
    """Solve positions by solving those after every move."""
    game = engine.game
    moves = [[] if game.is_terminal(state) else list(game.moves(state)) for state in positions]
    pairs = [(s, move) for s, available in zip(positions, moves, strict=True) for move in available]
    found = iter(solve_rows(engine, [game.play(s, move) for s, move in pairs]))
    answers = []
    for state, available in zip(positions, moves, strict=True):
        if not available:
            answers.append(Solved(game.score(state), None, 0, {}))
            continue
        below = {move: next(found) for move in available}
        choose = max if game.to_move(state) == MAX else min
        move = choose(below, key=lambda move: below[move].value)
        nodes = sum(solved.nodes for solved in below.values())
        answers.append(Solved(below[move].value, move, nodes, {m: solved.value for m, solved in below.items()}))
    return answers


def ready_for_rows(engine: Engine, states: list[State]) -> Any:
    """Compile what ``solve_rows`` runs."""
    return prepare(exact_many, engine.game, states[0], lambda: row_arguments(engine, states[:1], True))


def row_arguments(engine: Engine, states: list[State], compiled: Any) -> tuple[Any, ...]:
    """Return the arguments of ``exact_many`` after the game and an example of a position."""
    count = len(states)
    kind: Any = object if compiled is None else number_kind(engine.game)
    return (
        rows_of(states, engine.game.initial(), compiled is not None), np.zeros(count, dtype=kind),
        np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64), engine.table, engine.works(compiled)[0],
    )  # fmt: skip
