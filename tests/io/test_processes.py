"""Worker processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import pytest

from plywise.io.processes import start, uninterrupted


def answer(connection: Connection, what: str) -> None:
    connection.send(what)
    connection.recv()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_is_not_heard_even_while_a_process_starts(capfd: pytest.CaptureFixture[str]) -> None:
    process, connection = start(answer, "here")
    assert process.pid is not None
    while not connection.poll(0.001):  # from its first moment until it answers
        os.kill(process.pid, signal.SIGINT)
        assert process.is_alive()
    os.kill(process.pid, signal.SIGINT)
    assert connection.recv() == "here"
    connection.send("thank you")
    process.join()
    assert process.exitcode == 0
    assert capfd.readouterr().err == ""
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_while_a_process_is_started_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[SpawnProcess] = []
    begin = SpawnProcess.start

    def interrupted(process: SpawnProcess) -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        begin(process)
        started.append(process)

    monkeypatch.setattr(SpawnProcess, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start(answer, "here")
    started[0].join()
    assert started[0].exitcode == -signal.SIGKILL


def work_for_ever(connection: Connection) -> None:
    connection.send("begun")
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        pass


PARENT = """
from tests.io.test_processes import start, work_for_ever

process, connection = start(work_for_ever)
print(connection.recv(), flush=True)
process.join()
"""


def test_a_worker_ends_with_its_parent_whatever_it_does() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "begun\n"
        parent.kill()
        assert parent.communicate(timeout=60)[0] == ""  # the worker has inherited standard output: it has ended


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_waits_for_the_end_of_what_must_not_be_interrupted() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
        done.append("to the end")
    assert done == ["to the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_what_fails_there_fails_once() -> None:
    with pytest.raises(ZeroDivisionError), uninterrupted():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        raise ZeroDivisionError
