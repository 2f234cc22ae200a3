"""Training whose games are played by workers, of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.engine.network import Network
from plywise.games import MNK, Pig, TicTacToe
from plywise.learning import train
from plywise.learning.far_play import far_chunks
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
