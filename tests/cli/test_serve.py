"""``plywise serve``, from its address to Ctrl-C."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("uvicorn", reason="the page needs the extra web")

from plywise.cli import serve as module
from plywise.web.workers import Workers
from tests.cli.support import plywise


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
    assert "--port" in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("games", "fragment"), [([], ""), (["Sowing", "Subtraction"], "#play?game=Sowing")], ids=["none", "own"]
)
def test_the_browser_opens_with_the_users_game(
    games: list[str], fragment: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import uvicorn

    opened: list[str] = []

    class Timer:
        def __init__(self, _: float, action: Callable[[str], object], arguments: tuple[str]) -> None:
            opened.extend(arguments)

        def start(self) -> None:
            pass

    own = Path(__file__).parents[1] / "web" / "own_game.py"
    monkeypatch.setattr(module, "_has_display", lambda: True)
    monkeypatch.setattr("plywise.cli.serve.threading.Timer", Timer)
    monkeypatch.setattr(Workers, "warm_up", lambda workers: None)
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: sockets[0].close())
    options = [word for game in games for word in ("--game", f"{own}:{game}")]
    assert plywise(capsys, "serve", "--port", "0", *options).code == 0
    assert [re.sub(r"\d+/", "PORT/", address) for address in opened] == [f"http://127.0.0.1:PORT/{fragment}"]
