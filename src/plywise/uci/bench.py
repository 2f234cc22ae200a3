"""A signature of the search: the nodes it takes to search some positions to a fixed depth, with one thread.

A refactoring must not change this number.  A commit that changes the search should say so.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from plywise.engine.engine import Engine
from plywise.games.chess.chess import Chess
from plywise.inputs.limits import LONGEST_LINE

BENCH_DEPTH = 10
TABLE_MB = 16

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "6k1/5p1p/p5p1/8/1P6/P4P2/5KPP/8 w - - 0 1",
)
"""Well-known openings, middlegames and endgames: the perft positions, Fine's 70 and others."""


def bench(say: Callable[[str], None], depth: int | None = None) -> int:
    """Search all positions, report on each with ``say``, and return the number of nodes."""
    game = Chess()
    engine = Engine(game, table_mb=TABLE_MB)
    engine.search(nodes=1)
    engine.clear()
    nodes, begun = 0, time.perf_counter()
    for number, fen in enumerate(POSITIONS, 1):
        result = engine.search(fen, depth=min(depth or BENCH_DEPTH, LONGEST_LINE), exact=False)
        nodes += result.nodes
        say(f"info string position {number} of {len(POSITIONS)}: {result.nodes} nodes, {result.line_text()[0]}")
    say(f"{nodes} nodes {nodes / (time.perf_counter() - begun):.0f} nps")
    return nodes
