"""The searches of the simulation on real workers: they find the same values."""

from __future__ import annotations

import plywise as pw
from plywise.cluster.executor import Executor
from plywise.cluster.real_time import solve_in_real_time
from plywise.game import sign
from plywise.games import ConnectFour
from plywise.search import solve


def test_real_workers_find_the_value(executor: Executor) -> None:
    game = ConnectFour(4, 4)
    for text in ("", "12", "2231"):
        state = game.parse(text)
        with pw.interpreted():
            expected = sign(game.to_move(state)) * solve(game, text).value
        for workers in (None, executor):
            value, _, nodes = solve_in_real_time(workers, game, state, guess=1, notable=1)
            assert value == expected
            assert nodes > 0
