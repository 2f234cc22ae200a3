"""Learned weights predict held-out results better; files stay complete; errors in data are explained."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from plywise.errors import GameError, PositionError, SearchError
from plywise.games import Chess
from plywise.games.chess.features import FEATURES, MATERIAL
from plywise.games.chess.weights import UNIT, WEIGHTS_FILE, feature_names, packed, read_weights, write_weights
from plywise.learning.dataset import Dataset, is_quiet, read_dataset
from plywise.learning.prior import prior_weights
from plywise.learning.tuning import tune
from tests.games.chess.support import GAME, material, random_positions

POSITION = "4k3/8/8/8/8/8/4P3/4K3 w - -"


def epd(seed: int, games: int) -> str:
    """Return quiet positions of random games, won by the side with more material."""
    lines = []
    for state in random_positions(seed, games):
        result = '"1-0"' if material(state) > 0 else '"0-1"' if material(state) < 0 else '"1/2-1/2"'
        lines.append(f"{' '.join(GAME.format(state).split()[:4])} c9 {result}; ce {material(state)};")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    file = tmp_path_factory.mktemp("data") / "positions.epd.gz"
    file.write_bytes(gzip.compress(epd(seed=5, games=60).encode()))
    return read_dataset(GAME, file)


def test_a_dataset_has_the_quiet_positions_and_their_features(tmp_path: Path) -> None:
    file = tmp_path / "positions.epd"
    file.write_text(epd(seed=6, games=3))
    dataset = read_dataset(GAME, file)
    states = [state for state in random_positions(6, games=3) if not state.checkers and is_quiet(GAME, state)]
    assert len(dataset) == len(states)
    for index, state in enumerate(states):
        counts = np.zeros(FEATURES, dtype=np.int64)
        span = slice(*dataset.starts[index : index + 2])
        counts[dataset.places[span]] = dataset.counts[span]
        middlegame, white_ahead, black_ahead = dataset.taper[index]
        weights = prior_weights()
        endgame = counts @ weights[:, 1]
        value = middlegame * (counts @ weights[:, 0]) + (white_ahead if endgame > 0 else black_ahead) * endgame
        game = Chess(weights_file=str(tmp_path / "prior.txt"))
        if index == 0:
            write_weights(tmp_path / "prior.txt", weights, ["before anything was learned"])
        assert game.evaluate(state) == pytest.approx(value, abs=8), GAME.format(state)
        assert dataset.opinions[index] == material(state)


def test_learned_weights_predict_results_that_were_held_out_better(data: Dataset) -> None:
    fit = tune(GAME, data, prior_weights(), iterations=20)
    assert fit.after < fit.before
    assert fit.held_out > 0
    assert fit.learned_from + fit.held_out == len(data)
    assert fit.weights[MATERIAL, 1] == pytest.approx(100)


def test_ctrl_c_keeps_the_best_weights_so_far(data: Dataset) -> None:
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    fit = tune(GAME, data, prior_weights(), iterations=20, on_step=stop)
    assert fit.interrupted
    assert fit.iterations == 3
    assert fit.after < fit.before


def test_positions_of_one_game_are_held_out_together(data: Dataset) -> None:
    assert data.games[-1] + 1 >= 50
    assert (np.diff(data.games) >= 0).all()


def test_the_weights_of_chess_are_complete_and_sensible() -> None:
    weights = read_weights(WEIGHTS_FILE)
    assert weights.shape == (FEATURES, 2) == (len(set(feature_names())), 2)
    assert weights[MATERIAL, 1] == pytest.approx(100, abs=1)
    assert WEIGHTS_FILE.read_text().splitlines()[1].startswith("#     plywise tune chess ")


def test_packed_weights_hold_both_halves() -> None:
    word = int(packed(np.array([[-3.5, 7.25]]))[0])
    assert word == round(7.25 * UNIT) * (1 << 32) - round(3.5 * UNIT)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[1:], "has no weights for 'tempo'"),
        (lambda lines: [*lines, "tempi 1 2"], "'tempi 1 2' is not a chess feature with its two weights"),
        (lambda lines: ["tempo one 2", *lines[1:]], "line 1: 'tempo' needs two numbers, not 'one' and '2'"),
        (lambda lines: ["tempo nan 2", *lines[1:]], "needs two numbers"),
        (lambda lines: ["tempo", *lines[1:]], "'tempo' is not a chess feature with its two weights"),
    ],
)
def test_a_wrong_file_of_weights_is_refused_with_its_reason(tmp_path: Path, change: object, message: str) -> None:
    file = tmp_path / "weights.txt"
    write_weights(file, prior_weights(), [])
    file.write_text("\n".join(change(file.read_text().splitlines())))  # type: ignore[operator]
    with pytest.raises(GameError) as error:
        read_weights(file)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{POSITION} c9 "1-0";\n{POSITION} ce 3;\n', "line 2: '4k3/8/8/8/8/8/4P3/4K3 w - - ce 3;' has no result"),
        ('4k3/8/8/8/8/8/4P3/4X3 w - - c9 "1-0";\n', "line 1: "),
        ('4k3/8/8/8/8/8/4P3/4KK2 w - - c9 "1-0";\n', "line 1: "),
    ],
)
def test_a_wrong_line_of_data_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "positions.epd"
    file.write_text(text)
    with pytest.raises(PositionError) as error:
        read_dataset(GAME, file)
    assert message in str(error.value)


def test_data_that_is_not_there_or_too_little_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match="cannot read positions"):
        read_dataset(GAME, tmp_path / "nowhere.epd")
    file = tmp_path / "positions.epd"
    file.write_text("\n")
    with pytest.raises(SearchError, match="has no quiet positions to learn from"):
        read_dataset(GAME, file)
    file.write_text(f'{POSITION} c9 "1-0";\n')
    with pytest.raises(SearchError, match="1 positions from 1 games are too few"):
        tune(GAME, read_dataset(GAME, file), prior_weights())
