"""Tables made by many workers: the same file, byte for byte, whoever applies the rules and whoever is killed."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.cluster.executor import Executor, Threads
from plywise.cluster.processes import Processes
from plywise.games import ConnectFour, Pig, TicTacToe
from plywise.tables import checkpoint, enumeration, expander
from plywise.tables.packing import Packing
from tests.tables.graphs import random_walk


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send even small sets of positions."""
    monkeypatch.setattr(expander, "CHUNK", 1 << 6)
    monkeypatch.setattr(expander, "PLAIN_CHUNK", 1 << 6)


def same_file(executor: Executor, game: pw.Game, folder: Path) -> None:
    pw.tabulate(game, out=folder / "alone")
    before = len(sent)
    pw.tabulate(game, out=folder / "together", executor=executor)
    assert len(sent) > before
    assert (folder / "together").read_bytes() == (folder / "alone").read_bytes()


sent: list[str] = []


@pytest.fixture(autouse=True)
def listened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write down what is sent."""
    usual = Executor.each

    def each(self: Executor, kit: Any, work: Any, *rest: Any) -> Any:
        sent.append(work.__name__)
        return usual(self, kit, work, *rest)

    monkeypatch.setattr(Executor, "each", each)


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(4, 4), Pig(20)], ids=["layers", "more layers", "dice"])
def test_the_file_is_the_same(executor: Executor, game: pw.Game, tmp_path: Path) -> None:
    same_file(executor, game, tmp_path)


def test_codes_that_fit_are_not_made_anew(executor: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An equal packing comes back from another process as another object."""

    def repacked(rules: Any, codes: Any, packing: Packing, changed: Packing) -> Any:
        assert packing.envelope.to_json() != changed.envelope.to_json()
        return usual(rules, codes, packing, changed)

    usual = enumeration.repacked
    monkeypatch.setattr(enumeration, "repacked", repacked)
    pw.tabulate(ConnectFour(4, 4), out=tmp_path / "table", executor=executor)


def test_a_graph_with_cycles_too(tmp_path: Path) -> None:
    """A game made in a test cannot travel, so threads make its table."""
    with connect("threads", workers=2) as executor:
        same_file(executor, random_walk(2, 20_000, dice=False, forward=0.0), tmp_path)
    assert {"send_successors", "send_expanded"} <= set(sent)


def test_plain_python_goes_to_the_workers(tmp_path: Path) -> None:
    with pw.interpreted(), connect("processes", workers=2) as own:
        pw.tabulate(TicTacToe(), out=tmp_path / "together", executor=own)
    pw.tabulate(TicTacToe(), out=tmp_path / "alone")
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()


def test_workers_that_are_killed_cost_nothing(executor: Executor, tmp_path: Path) -> None:
    if isinstance(executor, Threads):
        pytest.skip("threads die with the process")
    killed: dict[str, int] = {}

    def kill(what: str, done: int, total: int) -> None:
        """In each step, kill one of the workers."""
        step = what.partition(":")[0]
        if step not in killed and done > 1000:
            killed[step] = random.choice(processes_of(executor))
            os.kill(killed[step], signal.SIGKILL)

    pw.tabulate(ConnectFour(4, 4), out=tmp_path / "together", executor=executor, on_progress=kill)
    assert len(killed) > 1
    assert not set(killed.values()) & set(processes_of(executor))
    pw.tabulate(ConnectFour(4, 4), out=tmp_path / "alone")
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()


def processes_of(executor: Any) -> list[int]:
    """Return the numbers of the processes of the workers."""
    if isinstance(executor, Processes):
        return [worker.process.pid or 0 for worker in executor._workers]
    return list(executor.client.run(os.getpid).values())


def test_interrupted_work_goes_on_with_or_without_workers(
    executor: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "LEAST_SECONDS", 0)
    monkeypatch.setattr(checkpoint, "SHARE", 0)
    game, file = ConnectFour(4, 4), tmp_path / "file"

    def interrupt(what: str, done: int, total: int) -> None:
        if what == "Solving" and done > 20_000:
            raise KeyboardInterrupt

    for workers in (executor, None):
        with pytest.raises(KeyboardInterrupt):
            pw.tabulate(game, out=file, executor=workers, on_progress=interrupt)
        assert file.with_name("file.part").exists()
        assert not executor.jobs
        file.with_name("file.part").replace(tmp_path / f"{workers is None}.part")
    for name, workers in (("True", executor), ("False", None)):
        (tmp_path / f"{name}.part").replace(file.with_name("file.part"))
        pw.tabulate(game, out=file, executor=workers)
        pw.tabulate(game, out=tmp_path / "whole")
        assert file.read_bytes() == (tmp_path / "whole").read_bytes()
        file.unlink()
