"""Static exchange evaluation compared with exchanges that are played out; noisy moves compared with all moves."""

from __future__ import annotations

import pytest

from plywise.games.chess import Position
from plywise.games.chess.board import kind_at
from plywise.games.chess.evaluation import VALUES
from plywise.games.chess.move import CASTLE, NOISY, PROMOTION, kind_of, source_of, target_of
from tests.games.chess.support import GAME, material, random_positions
from tests.readings import compiled

ORDER = (0, 0, 1, 2, 3, 5, 0, 4)
"""How dear the kinds of pieces are, the king the dearest."""


def played(state: Position, target: int) -> int:
    """Return what the player to move wins on a square by captures with the cheapest man, or by leaving it alone."""
    prize = VALUES[kind_at(state, target)]
    captures = [move for move in GAME.moves(state) if target_of(move) == target and kind_of(move) != CASTLE]
    if not captures:
        return 0
    move = min(captures, key=lambda move: (ORDER[kind_at(state, source_of(move))], source_of(move), -kind_of(move)))
    return max(0, prize - played(GAME.play(state, move), target))


def exchanges(seed: int, games: int) -> list[tuple[Position, int, int]]:
    """Return positions of random games with moves and what these win when the exchange is played."""
    found = []
    for state in random_positions(seed, games):
        for move in GAME.moves(state):
            kind, target = kind_of(move), target_of(move)
            after = GAME.play(state, move)
            if kind == CASTLE or kind & PROMOTION or target // 8 in (0, 7) or GAME.is_drawn(after):
                continue  # the last ranks: pawns that arrive there become queens in play
            before = material(state)
            taken = (material(after) - before) * (-1 if state.ply & 1 else 1)
            found.append((state, move, taken - played(after, target)))
    return found


def test_see_is_what_the_exchange_wins_when_it_is_played() -> None:
    samples = exchanges(seed=3, games=4)
    assert len(samples) > 3000
    for state, move, value in samples:
        assert GAME.see(state, move) == value, (GAME.format(state), GAME.format_move(state, move))
        for threshold in (value - 1, value, value + 1):
            assert GAME.see_at_least(state, move, threshold) == (value >= threshold)


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 800),
        ("r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "b7b8q", -100),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
    ],
)
def test_known_exchanges(fen: str, move: str, value: int) -> None:
    state = GAME.parse(fen)
    assert GAME.see(state, GAME.parse_move(state, move)) == value


def digest(game, state, seed):
    """Return a number that depends on what is said of all moves of a position."""
    total = seed
    for move in game.moves(state):
        total = 31 * total + game.see(state, move) & 0xFFFFFFFFFFFF
        total = 31 * total + game.gain(state, move) & 0xFFFFFFFFFFFF
        for threshold in range(-300, 301, 150):
            total = 2 * total + game.see_at_least(state, move, threshold) & 0xFFFFFFFFFFFF
    for move in game.noisy_moves(state):
        total = 31 * total + move & 0xFFFFFFFFFFFF
    return total


def test_compiled_and_interpreted_exchanges_agree() -> None:
    for state in list(random_positions(seed=8, games=4))[::8]:
        assert compiled(digest, GAME, 1, state=state) == digest(GAME, state, 1), GAME.format(state)


@pytest.mark.parametrize("chess960", [False, True])
def test_noisy_moves_are_the_captures_and_queens_or_all_evasions(chess960: bool) -> None:
    for state in random_positions(seed=21, games=12, chess960=chess960):
        moves = [move for move in GAME.moves(state) if not kind_of(move) & PROMOTION or kind_of(move) & 3 == 3]
        wanted = moves if state.checkers else [move for move in moves if kind_of(move) & NOISY]
        noisy = list(GAME.noisy_moves(state))
        assert sorted(noisy) == sorted(wanted), GAME.format(state)


def test_gain_is_the_victim_first_and_then_the_attacker_and_some_captures_win_nothing() -> None:
    state = GAME.parse("4k3/8/2p1q3/3p4/4PN2/8/3Q4/3K4 w - - 0 1")
    moves = {GAME.format_move(state, move): move for move in GAME.moves(state)}
    gains = {text: GAME.gain(state, move) for text, move in moves.items()}
    assert gains["f4e6"] > gains["e4d5"] > gains["f4d5"] > gains["d2d5"] > gains["d1c1"] == 0
    assert GAME.wins_at_least(state, moves["e4d5"], 100)
    assert not GAME.wins_at_least(state, moves["d2d5"], 0)
