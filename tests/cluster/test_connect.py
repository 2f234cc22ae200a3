"""Addresses, certificates, and what is refused."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster import addresses
from plywise.cluster.addresses import connect, scheduler_address, start_cluster
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Job, done_in_turn
from plywise.cluster.keys import make_keys
from plywise.games import Nim
from tests.cluster.jobs import add, engine


@pytest.mark.parametrize("text", ["nonsense", "http://127.0.0.1:80", "127.0.0.1", ""])
def test_what_is_no_address_is_explained(text: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(pw.SearchError, match="is not the address of a scheduler, such as tcp://127"):
        connect(text)


def test_a_scheduler_file_names_its_address(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"address": "tcp://127.0.0.1:4242"}')
    assert scheduler_address(str(file)) == "tcp://127.0.0.1:4242"
    file.write_text("[]")
    with pytest.raises(pw.SearchError, match="is not a scheduler file"):
        scheduler_address(str(file))


@pytest.mark.parametrize(
    ("address", "options", "message"),
    [
        ("tcp://10.255.0.1:8786", {}, "not safe to connect to tcp://10.255.0.1:8786"),
        ("10.255.0.1:8786", {}, "not safe to connect"),
        ("tls://127.0.0.1:8786", {}, "needs certificates"),
        ("tcp://127.0.0.1:8786", {"tls": "keys"}, "with certificates it is tls://127.0.0.1:8786"),
        (
            "tls://127.0.0.1:8786",
            {"tls": "no such folder"},
            "there is no folder 'no such folder': 'plywise",
        ),
        ("tls://127.0.0.1:8786", {"tls": "."}, "'.' has no key.pem"),
    ],
)
def test_unsafe_connections_are_refused(address: str, options: dict[str, Any], message: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(pw.SearchError, match=message):
        connect(address, **options)


def test_a_cluster_does_not_listen_beyond_this_machine_without_certificates() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(pw.SearchError, match=r"not safe to listen at tcp://0\.0\.0\.0"):
        start_cluster(1, "0.0.0.0", 0, None, False)


def test_with_certificates_it_works_and_without_them_nobody_gets_in(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    folder = tmp_path / "keys"
    make_keys(folder)
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())
    with pytest.raises(pw.SearchError, match="exists"):
        make_keys(folder)
    running = start_cluster(1, "127.0.0.1", 0, folder, False)
    try:
        address = running.scheduler_address
        assert address.startswith("tls://")
        with connect(address, tls=folder) as executor:
            outcome = next(done_in_turn(executor, [Job(Kit(Nim(), engine), add, (1, 2))]))
            assert outcome.answer() == 3
        make_keys(tmp_path / "others")
        with pytest.raises(pw.SearchError, match="no scheduler answers"):
            connect(address, tls=tmp_path / "others")
        with pytest.raises(OSError, match=r"[Tt]imed out|closed|connect"):
            distributed.Client(address.replace("tls://", "tcp://"), timeout="2s")
    finally:
        running.close()


def test_a_script_without_a_guard_ends_with_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "script.py").write_text("from plywise.cluster import connect\nwith connect('local', workers=1): pass")
    ended = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=240)
    # the oldest Dask tries for more than a minute
    assert "a script that starts workers must do so below: if __name__ ==" in ended.stderr.splitlines()[-1]
    assert ended.stderr.count("Traceback") == 1


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 100, None], ids=["end", "web", "silence"]
)
def test_what_is_no_scheduler_is_not_waited_for(answer: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither if it hangs up, nor if it answers in another language, nor if it says nothing."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(addresses, "PATIENCE", "1s")

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                came = listening.accept()[0]
                kept.append(came)
                if answer is not None:
                    came.sendall(answer)
                    came.close()

    kept: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, daemon=True).start()
        begin = time.monotonic()
        with pytest.raises(
            pw.SearchError, match=r"no scheduler answers at .* \(with certificates it is tls://...\): \w+"
        ):
            connect(f"127.0.0.1:{listening.getsockname()[1]}")
        assert time.monotonic() - begin < 10
        listening.shutdown(socket.SHUT_RDWR)
    for each in kept:
        each.close()


def test_certificates_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    make_keys(tmp_path / "keys")
    (tmp_path / "keys" / "key.pem").write_text("no key")
    with pytest.raises(pw.SearchError, match=r"^the certificates in '.*keys' cannot be used: "):
        connect("tls://127.0.0.1:8786", tls=tmp_path / "keys")


def test_a_folder_is_no_address(tmp_path: Path) -> None:
    with pytest.raises(pw.SearchError, match="is a folder: name the scheduler file in it"):
        connect(str(tmp_path))


def test_a_connection_that_cannot_be_made_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(addresses, "PATIENCE", "0.2s")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    threads = threading.active_count()
    for _ in range(3):
        with pytest.raises(pw.SearchError, match="no scheduler answers"):
            connect(f"127.0.0.1:{port}")
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    ("address", "options", "message"),
    [
        ("local", {"insecure": True}, "'local' needs no --insecure"),
        ("processes", {"tls": "certificates"}, "'processes' uses no certificates"),
        ("127.0.0.1:8786", {"workers": 3}, "has its own workers: leave out workers="),
    ],
)
def test_options_without_effect_are_refused(address: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        connect(address, **options)


def test_a_dask_that_works_in_another_way_is_refused() -> None:
    pytest.importorskip("distributed")
    program = (
        "import distributed; del distributed.Client._handle_report; "
        "from plywise.cluster.addresses import connect; connect('local')"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "a cluster needs Dask" in ended.stderr
    assert "which has no Client._handle_report" in ended.stderr


def test_without_dask_it_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['distributed'] = None; from plywise.cluster.addresses import connect; connect('local')"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "a cluster needs Dask: pip install 'plywise[cluster]'" in ended.stderr


def test_nothing_of_dask_is_imported_unless_asked_for() -> None:
    program = (
        "import sys, plywise as pw; pw.solve(pw.games.TicTacToe(), 'XO./.X./..O'); import plywise.cli.commands; "
        "print([name for name in sys.modules if name.partition('.')[0] in ('dask', 'distributed', 'tornado')])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


def test_a_cluster_of_ones_own_starts_and_ends_without_a_word() -> None:
    pytest.importorskip("distributed")
    program = "from plywise.cluster.addresses import connect\nwith connect('local', workers=1): pass"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout + ended.stderr == ""
