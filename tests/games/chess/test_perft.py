"""The rules give the published perft counts."""

from __future__ import annotations

import pytest

import plywise as pw
from plywise.algorithms import perft
from tests.games.chess.support import GAME, data_file

KNOWN = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (20, 400, 8902, 197281, 4865609)),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2039, 97862, 4085603)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238, 674624)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467, 422333)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379, 2103487)),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2079, 89890, 3894594)),
]
"""The six positions of the Chess Programming Wiki's page on perft results."""

TOO_SLOW = 500_000


@pytest.mark.parametrize(("fen", "counts"), KNOWN)
def test_counts_of_move_sequences_are_the_known_ones(fen: str, counts: tuple[int, ...]) -> None:
    assert tuple(perft(GAME, fen, depth) for depth in range(1, len(counts) + 1)) == counts
    with pw.interpreted():
        assert perft(GAME, fen, 2) == counts[1]


@pytest.mark.parametrize("name", ["standard.epd", "fischer.epd"])
def test_counts_of_published_positions_are_the_known_ones(name: str) -> None:
    for line in data_file(f"perft/{name}").read_text().splitlines():
        fen, *counts = line.split(";")
        known = [(int(number), int(depth[1:])) for depth, number in map(str.split, counts)]
        number, depth = max([row for row in known if row[0] < TOO_SLOW], default=min(known))
        assert perft(GAME, fen, depth) == number, (fen, depth)


def test_perft_counts_on_after_a_draw_by_rule() -> None:
    bare, worn = "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90"
    assert perft(GAME, bare, 1) == 5
    assert perft(GAME, worn, 1) == 16
    assert list(GAME.moves(GAME.parse(bare))) == list(GAME.moves(GAME.parse(worn))) == []
