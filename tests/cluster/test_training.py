"""Training whose games are played by workers, of every kind."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Desk
from plywise.cluster.executor import Lost
from plywise.engine.network import Network
from plywise.games import MNK, Pig, TicTacToe
from plywise.learning import far_play, train
from plywise.learning.far_play import far_chunks, play_for
from plywise.learning.lessons import Subject
from plywise.learning.self_play import SelfPlayOptions


@pytest.mark.parametrize("kind", ["threads", "processes", "local"])
def test_workers_play_and_a_network_is_learned(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python, where nothing is compiled."""
    if kind == "local":
        pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")
    monkeypatch.setattr(train, "SHORTEST_ROUND", 1.0)
    monkeypatch.setattr(train, "FEW", 20)
    options = SelfPlayOptions(nodes=10)
    networks: list[Network | None] = [None, Subject(TicTacToe(), 8, False).blank()]
    with pw.interpreted(), connect(kind, workers=2) as executor:
        for network in networks:
            assert sum(map(len, far_chunks(executor, TicTacToe(), network, options, 0.5, seed=1))) > 10
        stages: set[str] = set()
        found = pw.train(
            MNK(4, 3, 3), tmp_path / "network", hours=4 / 3600, options=options, executor=executor,
            on_news=lambda news: stages.add(news.stage),
        )  # fmt: skip
        assert found.positions > 20
        assert {"playing", "learning"} <= stages
        assert not executor.jobs
        with pytest.raises(pw.SearchError, match="learns on this machine alone"):
            pw.train(Pig(), tmp_path / "pig", executor=executor)


@pytest.mark.filterwarnings("ignore:self-play. its worker died")
@pytest.mark.parametrize(("deadly", "survives"), [({0, 2, 3, 5}, True), ({1, 2, 3}, False)])
def test_self_play_goes_on_after_jobs_that_killed_their_workers_unless_three_did_in_a_row(
    deadly: set[int], survives: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = itertools.count()

    def play(desk: Desk, seed: int, seconds: float) -> Any:
        if next(numbers) in deadly:
            raise Lost("self-play: its worker died again and again; it is left out")
        return play_for(desk, seed, seconds)

    monkeypatch.setattr(far_play, "play_for", play)
    monkeypatch.setattr(far_play, "JOB_SECONDS", 0.1)
    with pw.interpreted(), connect("threads", workers=1) as executor:
        found = far_chunks(executor, TicTacToe(), None, SelfPlayOptions(nodes=10), 1.5, seed=1)
        if survives:
            assert sum(map(len, found)) > 10
            assert next(numbers) > max(deadly)
        else:
            with pytest.raises(pw.SearchError, match="self-play cannot go on: self-play: its worker died"):
                list(found)
    assert not executor.jobs
