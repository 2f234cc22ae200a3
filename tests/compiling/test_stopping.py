"""A search is stopped from another thread, compiled or not, whatever its algorithm."""

from __future__ import annotations

import threading
import time

import pytest

import plywise as pw
from plywise.compiling.stopping import Stopper, stoppable
from plywise.errors import Stopped


@pytest.mark.parametrize("algorithm", ["minimax", "mcts", "engine"])
def test_a_stopped_search_returns_what_it_has(algorithm: str) -> None:
    stopper, begun = Stopper(), time.monotonic()

    def stop_elsewhere(_: pw.Result) -> None:
        threading.Thread(target=stopper.stop).start()

    with stopper, pw.interpreted():
        result = pw.search(pw.games.ConnectFour(), algorithm=algorithm, seconds=600, on_info=stop_elsewhere)
    assert result.move is not None
    assert time.monotonic() - begun < 60


def test_who_is_stopped_before_is_stopped_at_once() -> None:
    stopper = Stopper()
    stopper.stop()
    with stopper, pw.interpreted(), pytest.raises(Stopped):
        pw.search(pw.games.ConnectFour(), algorithm="minimax", seconds=600)


def test_only_the_searches_of_the_context_are_stopped() -> None:
    heard: list[str] = []
    stopper = Stopper()
    with stopper:
        pass
    with stoppable(lambda: heard.append("other")):
        stopper.stop()
    assert heard == []
