"""Processes that work for another one."""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.connection import Connection

import pytest

from plywise.processes import start


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
