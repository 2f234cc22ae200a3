"""The number of nodes that the searches visit, one number per game.

A refactoring must not change these numbers.  A commit that changes the search on purpose says so and updates them.
"""

from __future__ import annotations

import pytest

from plywise import Engine
from plywise.games import ConnectFour
from plywise.uci.bench import bench

CHESS = 277_633
CONNECT_FOUR = 278_164
EXACT_DEPTHS = {12: 44_083, 16: 507_050}
"""Connect Four from the start, exactly to a depth: the order of moves is good only if table moves fit mirror images."""


def test_chess_visits_what_it_did() -> None:
    assert bench(lambda line: None) == CHESS


def test_connect_four_visits_what_it_did() -> None:
    nodes = 0
    for text in ("4444415256666", "52753311433677442422121"):
        nodes += Engine(ConnectFour(), table_mb=16).solve(text).nodes
    for text in (None, "44", "4453"):
        nodes += Engine(ConnectFour(), table_mb=16).search(text, depth=14, exact=False).nodes
        nodes += Engine(ConnectFour(), table_mb=16).search(text, depth=10).nodes
    assert nodes == CONNECT_FOUR


@pytest.mark.parametrize("depth", EXACT_DEPTHS)
def test_an_exact_search_to_a_depth_visits_what_it_did(depth: int) -> None:
    assert Engine(ConnectFour()).search(depth=depth).nodes == EXACT_DEPTHS[depth]
