"""Search threads are kept for the next search.  They hold nothing, and neither Ctrl-C nor fork leaves one too few."""

from __future__ import annotations

import contextvars
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import weakref

import pytest

from plywise.compiling import threads
from plywise.compiling.threads import SearchThread, in_thread
from plywise.errors import Stopped


@pytest.fixture(autouse=True)
def own_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_waiting", [threads._Waiting()])


def test_one_search_after_the_other_runs_in_the_same_thread() -> None:
    assert len({in_thread(threading.get_ident, lambda: None, None) for _ in range(50)}) == 1


def test_searches_at_the_same_time_run_in_different_threads() -> None:
    together = threading.Barrier(5)
    for _ in range(3):
        searches = [SearchThread(lambda: together.wait(10), lambda: None) for _ in range(5)]
        for search in searches:
            search.start()
        for search in searches:
            search.wait(None)
        assert sorted(search.result for search in searches) == [0, 1, 2, 3, 4]
    assert len(threads._waiting[0].tokens) == 5


def test_a_search_within_a_search_gets_a_thread() -> None:
    assert in_thread(lambda: in_thread(lambda: 7, lambda: None, None), lambda: None, None) == 7


def test_a_waiting_thread_holds_nothing_of_the_last_search() -> None:
    class Table:
        pass

    table = Table()
    gone = weakref.ref(table)
    in_thread(lambda held=table: None, lambda: None, None)  # type: ignore[misc]
    del table
    for _ in range(100):
        gc.collect()
        if gone() is None:
            return
        time.sleep(0.01)
    raise AssertionError("the thread holds its last search")


def test_each_search_sees_the_context_of_its_caller() -> None:
    variable: contextvars.ContextVar[int] = contextvars.ContextVar("variable", default=0)
    in_thread(lambda: variable.set(5), lambda: None, None)
    for value in (1, 2):
        variable.set(value)
        assert in_thread(variable.get, lambda: None, None) == value


def test_an_error_reaches_the_caller_and_the_thread_goes_on() -> None:
    with pytest.raises(ZeroDivisionError):
        in_thread(lambda: 1 // 0, lambda: None, None)
    assert in_thread(lambda: 7, lambda: None, None) == 7
    assert len(threads._waiting[0].tokens) == 1


def test_a_deadline_stops_the_search() -> None:
    over = threading.Event()
    begun = time.perf_counter()
    in_thread(lambda: over.wait(10), over.set, begun + 0.05)
    assert 0.04 < time.perf_counter() - begun < 5


def interrupted_after(seconds: float) -> None:
    """Press Ctrl-C some seconds after the search began.  The search must have ended when the exception comes."""
    over, searching = threading.Event(), threading.Event()

    def body() -> None:
        searching.set()
        over.wait(10)
        searching.clear()

    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT))
    try:
        timer.start()
        in_thread(body, over.set, None)
    finally:
        timer.join()
        assert not searching.is_set()


def test_ctrl_c_at_any_time_ends_the_search_and_the_next_one_runs() -> None:
    for number in range(40):
        with pytest.raises(KeyboardInterrupt):
            interrupted_after(number * 25e-6)
        assert in_thread(lambda: 7, lambda: None, None) == 7


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_starts_its_own_threads() -> None:
    in_thread(lambda: None, lambda: None, None)
    assert len(threads._waiting[0].tokens) == 1
    child = multiprocessing.get_context("fork").Process(
        target=lambda: os._exit(in_thread(lambda: 7, lambda: None, None))
    )
    child.start()
    child.join(20)
    if child.is_alive():
        child.kill()
    assert child.exitcode == 7


def test_an_error_does_not_keep_what_the_search_held() -> None:
    class Held:
        pass

    def search() -> None:
        held = Held()
        there.append(weakref.ref(held))
        raise Stopped

    there: list[weakref.ref[Held]] = []
    gc.disable()  # memory comes back at once, not some day
    try:
        with pytest.raises(Stopped) as caught:
            in_thread(search, lambda: None, None)
        del caught
        assert there[0]() is None
    finally:
        gc.enable()
