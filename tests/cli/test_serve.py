"""``plywise serve``, from its address to Ctrl-C."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from tests.cli.support import plywise

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("uvicorn", reason="the page needs the extra web")


def test_it_prints_its_address_and_ends_with_ctrl_c() -> None:
    command = [sys.executable, "-m", "plywise", "serve", "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(address[0], timeout=20) as page:
            assert b"plywise" in page.read()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert complaints == ""


def test_a_game_that_is_not_there_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "serve", "--game", "nothing.py")
    assert answer.code == 2
    assert answer.err == "plywise: there is no file 'nothing.py'\n"


def test_a_port_that_is_taken_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = plywise(capsys, "serve", "--no-browser", "--port", str(port))
    assert answer.code == 2
    assert answer.err.startswith(f"plywise: cannot listen on 127.0.0.1, port {port}: ")
