"""The evaluation is symmetric, the same compiled and interpreted, and the sum of its features."""

from __future__ import annotations

import numpy as np

from plywise.games.chess import Position
from plywise.games.chess.evaluation import FULL_PHASE, FULL_SCALE, Trace, endgame_of, middlegame_of
from plywise.games.chess.features import FEATURES
from plywise.games.chess.weights import UNIT
from tests.games.chess.support import GAME, assert_compiled_evaluations_equal, random_boards, random_positions

SEED = 11


def traced(state: Position) -> tuple[np.ndarray, int]:
    """Return how often each feature is counted, White's minus Black's."""
    counts = np.zeros(FEATURES, dtype=np.int64)
    return counts, GAME.account(state, Trace(counts))


def test_a_position_with_colours_exchanged_is_worth_as_much_for_the_other_player() -> None:
    for board in random_boards(SEED, games=6):
        fen, mirrored = board.fen(), board.mirror().fen()
        assert GAME.evaluate(GAME.parse(fen)) == -GAME.evaluate(GAME.parse(mirrored)), fen


def test_compiled_and_interpreted_evaluations_are_equal() -> None:
    states = [*random_positions(SEED, games=8), *random_positions(SEED + 1, games=4, chess960=True)]
    assert_compiled_evaluations_equal(GAME, states)


def test_the_evaluation_is_the_sum_of_the_features() -> None:
    for state in random_positions(SEED, games=4):
        counts, _ = traced(state)
        total = int(counts @ GAME.weights)
        middlegame, endgame = middlegame_of(total), endgame_of(total)
        phase, scale = GAME.phase(state), GAME.scale(state, endgame)
        value = middlegame * phase / FULL_PHASE + endgame * (1 - phase / FULL_PHASE) * scale / FULL_SCALE
        assert GAME.evaluate(state) == int(value / UNIT + (1e-9 if value > 0 else -1e-9)), GAME.format(state)


def test_evaluations_are_far_from_mates() -> None:
    queens = "QQQQQQQQ/Q7/8/k7/8/8/8/7K b - - 0 1"
    assert 5000 < GAME.evaluate(GAME.parse(queens)) < GAME.win_score - 1000
