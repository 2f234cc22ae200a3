"""The first of several best moves, in the game's own order.

Which best move a search finds depends on its table, and so on earlier searches.  The first best move depends only on
the rules: the same position always has the same answer.

It costs one more question for each move listed before the known one: is it as good?  On the usual Connect Four
benchmark positions, these questions visit 3 to 10 percent of the nodes of the search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.compiling.reading import run, specialised
from plywise.compiling.rows import rows_of, state_at
from plywise.engine.any_code import made_by, prepare
from plywise.engine.engine import Engine
from plywise.engine.exact import exact_many, first_worth
from plywise.engine.many import Solved, row_arguments
from plywise.engine.table import Table
from plywise.engine.work import Work
from plywise.game import MAX, Game, Move, Number, State
from plywise.layers import path_matters


def compile_ahead(engine: Engine) -> None:
    """Compile, in the calling thread, what ``solve_first_best`` runs; for this game alone, because files are long."""
    start = engine.game.initial()
    with made_by(specialised):
        if not path_matters(engine.game):
            prepare(exact_many, engine.game, start, lambda: row_arguments(engine, [start], True))
            prepare(first_best_many, engine.game, start, lambda: _arguments(engine, [start], [Solved(0, 0, 0)], True))
        elif not engine.game.is_terminal(start):
            engine.search(start, depth=1, exact=True)


def solve_first_best(engine: Engine, states: list[State], all_moves: bool = False) -> list[Solved]:
    """Return what ``engine.solve_many`` does, with the first of the best moves."""
    if all_moves or path_matters(engine.game):
        return [
            _first_of(engine.game, s, f) for s, f in zip(states, engine.solve_many(states, all_moves=True), strict=True)
        ]
    found = engine.solve_many(states)
    if not states:
        return found
    compiled = prepare(first_best_many, engine.game, states[0], lambda: _arguments(engine, states[:1], found[:1], True))
    arguments = _arguments(engine, states, found, compiled is not None)
    work = engine.works(compiled)[0]
    work.begin(None)
    run(first_best_many, engine.game, states[0], arguments, work, compiled)
    moves = arguments[2].tolist()
    return [f._replace(move=None if f.move is None else move) for f, move in zip(found, moves, strict=True)]


def _first_of(game: Game, state: State, found: Solved) -> Solved:
    """Choose by the values of all moves, which are in the game's order."""
    if not found.moves:
        return found
    choose = max if game.to_move(state) == MAX else min
    return found._replace(move=choose(found.moves, key=found.moves.__getitem__))


def _arguments(engine: Engine, states: list[State], found: list[Solved], compiled: bool) -> tuple[Any, ...]:
    _, values, moves, _, table, work = row_arguments(engine, states, compiled or None)
    if not compiled:
        moves = np.zeros(len(states), dtype=object)
    values[:] = [solved.value for solved in found]
    moves[:] = [0 if solved.move is None else solved.move for solved in found]
    return rows_of(states, engine.game.initial(), compiled), values, moves, table, work


def first_best_many(game: Game, state: State, rows: Any, values: Any, moves: Any, table: Table, work: Work) -> None:
    """Replace each of ``moves`` by the first best one; ``values`` are MAX's, ``state`` is an example of a position."""
    for index in range(len(rows)):
        here = state_at(game, rows, index)
        if not game.is_terminal(here):
            value = values[index] if game.to_move(here) == MAX else -values[index]
            moves[index] = first_best(game, here, value, moves[index], table, work)


def first_best(game: Game, state: State, value: Number, known: Move, table: Table, work: Work) -> Move:
    """Return the first move that is worth at least ``value`` to the player to move; ``known`` is such a move."""
    end = 0
    for move in game.moves(state):
        if move == known:
            break
        end = work.push(end, move)
    place = first_worth(game, state, value, end, table, work)
    return known if place == end else work.stack[place + 1]
