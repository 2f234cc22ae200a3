"""Training: rounds of play, learning and comparison, which go on where they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.engine.network import Network, fingerprint
from plywise.learning import train as training
from plywise.learning.positions import PositionFile, read_header, read_positions
from plywise.learning.self_play import SelfPlay, SelfPlayOptions
from plywise.learning.train import News, train

QUICK = SelfPlayOptions(nodes=50, least_opening=2, most_opening=4, walk_nodes=20)
SECOND = 1 / 3600
GAME = pw.games.MNK(5, 4, 4)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make rounds and matches short."""
    monkeypatch.setattr(training, "SHORTEST_ROUND", 1.0)
    monkeypatch.setattr(training, "LEAST_GAMES", 2)
    monkeypatch.setattr(training, "MOST_GAMES", 20)
    monkeypatch.setattr(training, "ROUNDS", 100)


@pytest.mark.usefixtures("short")
def test_a_game_is_learned_and_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, stages = tmp_path / "game.net", []

    def note(news: News) -> None:
        stages.append(news.stage)

    monkeypatch.setattr(training, "LIKELY", 0.0)  # any network will do
    options: dict[str, Any] = {"options": QUICK, "hidden": 4, "match_nodes": 50, "threads": 1}
    found = train(GAME, out, hours=3 * SECOND, on_news=note, **options)
    assert list(dict.fromkeys(stages)) == ["playing", "learning", "comparing"]
    assert found.rounds[0].held_out[-1] < found.rounds[0].held_out[0]
    assert found.network is not None
    assert Network.load(out) == found.network
    assert found.network.about["fingerprint"] == fingerprint(GAME)
    file = tmp_path / "game.net.positions"
    assert len(read_positions(file)) == found.positions
    assert read_header(file)["game"] == repr(GAME)
    more = train(GAME, out, hours=2 * SECOND, **options)
    assert more.positions > found.positions
    alone = train(GAME, tmp_path / "other.net", hours=2 * SECOND, data=file, **options)
    assert alone.positions == more.positions
    assert len(alone.rounds) == 1
    assert json.dumps(alone.to_json())
    found.write_plot(tmp_path / "plot.svg")
    assert "Elo" in (tmp_path / "plot.svg").read_text()
    with pytest.raises(pw.SearchError, match="was made for MNK"):
        train(pw.games.MNK(4, 4, 4), out)
    with pytest.raises(pw.SearchError, match="has other positions"):
        train(pw.games.MNK(4, 4, 4), tmp_path / "third.net", data=file)


def test_training_does_not_begin_with_the_network_that_comes_with_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file, players = pw.games.ConnectFour(), tmp_path / "four.positions", []
    assert pw.Engine(game).network is not None
    monkeypatch.setattr(training, "match", lambda game, *bots, **rest: players.extend(bots))
    monkeypatch.setattr(training, "LEAST_LEARNED", -1.0)  # there is too little to learn from
    with pw.interpreted():
        play = SelfPlay(game, SelfPlayOptions(nodes=1, most_opening=4, walks=0))
        with PositionFile(file, repr(game), fingerprint(game, seen=False), play.words) as positions:
            for chunk in play.chunks(positions=training.FEW):
                positions.append(chunk)
        train(game, tmp_path / "four.net", data=file, hidden=4, epochs=1, threads=1)
    assert players[1].options == {"network": "none"}


def test_a_network_that_has_learned_nothing_plays_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = pw.games.TicTacToe(), tmp_path / "positions"
    monkeypatch.setattr(training, "match", None)
    monkeypatch.setattr(training, "LEAST_LEARNED", 1.0)
    with pw.interpreted():
        play = SelfPlay(game, SelfPlayOptions(nodes=1, most_opening=4, walks=0))
        with PositionFile(file, repr(game), fingerprint(game, seen=False), play.words) as positions:
            for chunk in play.chunks(positions=training.FEW):
                positions.append(chunk)
        found = train(game, tmp_path / "none.net", data=file, hidden=4, epochs=1, threads=1)
    assert [(each.games, each.is_better) for each in found.rounds] == [(0, False)]
    assert found.network is None
    assert not (tmp_path / "none.net").exists()


@pytest.mark.usefixtures("short")
def test_a_game_with_dice_is_learned(tmp_path: Path) -> None:
    game = pw.games.Pig(10)
    found = train(game, tmp_path / "pig.net", hours=3 * SECOND, hidden=4, match_nodes=20, threads=1)
    assert len(found.rounds) == 1
    assert found.positions > 1000
    (left,) = tmp_path.iterdir()
    assert left.name == ("pig.net.part" if found.network is None else "pig.net")


@pytest.mark.usefixtures("short")
def test_training_with_dice_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    game = pw.games.Pig(10)

    def interrupt(news: News) -> None:
        if news.positions > 500:
            raise KeyboardInterrupt

    found = train(game, tmp_path / "pig.net", hidden=4, match_nodes=20, threads=1, on_news=interrupt)
    assert found.interrupted
    part = Network.load(tmp_path / "pig.net.part")
    assert part.most == 1.0
    assert pw.Engine(game, network=part).search(nodes=100).value != 0
    more = train(game, tmp_path / "pig.net", hours=2 * SECOND, match_nodes=20, threads=1)
    assert more.positions > found.positions > 500


@pytest.mark.usefixtures("short")
def test_ctrl_c_keeps_the_positions(tmp_path: Path) -> None:
    def interrupt(news: News) -> None:
        if news.positions > 500:
            raise KeyboardInterrupt

    found = train(GAME, tmp_path / "game.net", options=QUICK, hidden=4, threads=1, on_news=interrupt)
    assert found.interrupted
    assert found.network is None
    assert len(read_positions(tmp_path / "game.net.positions")) == found.positions > 500
