"""Workers that would compile something else are passed over, as long as there are others."""

from __future__ import annotations

import warnings

import pytest

import plywise as pw
from plywise.cluster.addresses import connect, start_cluster
from plywise.cluster.bench import Kit, PackedKit
from plywise.cluster.executor import Job, done_in_turn
from plywise.cluster.parcel import Refused
from plywise.games import Nim
from tests.cluster import worker_state
from tests.cluster.jobs import add, engine


def test_who_refuses_is_passed_over_and_named_once() -> None:
    pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")
    running = start_cluster(2, "127.0.0.1", 0, None, False)
    try:
        with connect(running.scheduler_address) as executor, running.get_client() as client:
            refusing, willing = client.nthreads()
            client.run(worker_state.become_another_plywise, workers=[refusing])
            kit = Kit(Nim(), engine)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                outcomes = list(done_in_turn(executor, [Job(kit, add, (number, 0)) for number in range(40)]))
            assert sorted(outcome.answer() for outcome in outcomes) == list(range(40))
            assert {outcome.worker for outcome in outcomes} == {willing}
            assert [str(one.message).partition(" is passed")[0] for one in said] == [f"the worker at {refusing}"]
            assert executor.retried == 0
            client.run(worker_state.become_another_plywise, workers=[willing])
            outcomes = list(done_in_turn(executor, [Job(Kit(Nim(), engine), add, (1, 2))]))
            with pytest.raises(pw.GameError, match="refuses: Nim has other rules there"):
                outcomes[0].answer()
    finally:
        running.close()


def test_a_kit_of_what_is_not_here_is_refused() -> None:
    content = Kit(Nim(), engine).content.replace(b"tests.cluster.jobs", b"tests.cluster.gone")
    with pytest.raises(Refused, match=r"there, plywise is another one: No module named 'tests.clus"):
        _ = PackedKit(content).opened
