"""The number of nodes that the searches visit, one number per game.

A refactoring must not change these numbers.  A commit that changes the search on purpose says so and updates them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plywise import Engine
from plywise.compiling.reading import specialised
from plywise.engine.any_code import general, made_by
from plywise.games import ConnectFour
from plywise.uci.bench import bench

CHESS = 426_129
CONNECT_FOUR = 282_840
EXACT_DEPTHS = {12: 44_083, 16: 507_050}
"""Connect Four from the start, exactly to a depth: the order of moves is good only if table moves fit mirror images."""


pytestmark = pytest.mark.parametrize("maker", [specialised, general])


def test_chess_visits_what_it_did(maker: Callable[..., Any]) -> None:
    with made_by(maker):
        assert bench(lambda line: None) == CHESS


def test_connect_four_visits_what_it_did(maker: Callable[..., Any]) -> None:
    with made_by(maker):
        assert connect_four() == CONNECT_FOUR


def connect_four() -> int:
    nodes = 0
    for text in ("4444415256666", "52753311433677442422121"):
        nodes += Engine(ConnectFour(), table_mb=16).solve(text).nodes
    for text in (None, "44", "4453"):
        nodes += Engine(ConnectFour(), table_mb=16, network="none").search(text, depth=14, exact=False).nodes
        nodes += Engine(ConnectFour(), table_mb=16).search(text, depth=10).nodes
    return nodes


@pytest.mark.parametrize("depth", EXACT_DEPTHS)
def test_an_exact_search_to_a_depth_visits_what_it_did(maker: Callable[..., Any], depth: int) -> None:
    with made_by(maker):
        assert Engine(ConnectFour()).search(depth=depth).nodes == EXACT_DEPTHS[depth]
