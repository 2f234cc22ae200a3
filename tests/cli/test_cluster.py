"""The command line on a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")


def plywise(*arguments: str, code: int = 0) -> str:
    """Run a command; returns what it printed."""
    ended = subprocess.run([sys.executable, "-m", "plywise", *arguments], capture_output=True, text=True, timeout=120)
    assert ended.returncode == code, ended.stderr
    return ended.stderr if code else ended.stdout


def test_a_cluster_can_be_started_used_and_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "plywise", "cluster", "start", "--workers", "1", "--port", "0"]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert running.stdout is not None
        first = running.stdout.readline()
        assert first.startswith("A cluster of 1 worker is at tcp://127.0.0.1:")
        address = running.stdout.readline().split()[-1]
        (tmp_path / "positions").write_text("XX./OO./...\nX../.O./...\n")
        told = plywise(
            "analyse", "tic-tac-toe", str(tmp_path / "positions"), "--out", str(tmp_path / "out"), "--cluster", address
        )
        assert told.startswith("2 positions; ")
        found = json.loads(plywise("solve", "tic-tac-toe", "--cluster", address, "--json"))
        assert (found["value"], found["proven"]) == (0, True)
        found = json.loads(plywise("search", "tic-tac-toe", "--depth", "6", "--cluster", address, "--json"))
        assert (found["value"], found["depth"]) == (0, 6)
        made = plywise("tabulate", "tic-tac-toe", "--out", str(tmp_path / "table"), "--cluster", address)
        assert "5,478" in made
        assert interrupted(running) == (0, "")
    finally:
        running.kill()
        running.wait()
    assert "no scheduler answers" in plywise("solve", "tic-tac-toe", "--cluster", address, code=2)


def interrupted(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Press Ctrl-C as in a terminal, where all processes hear it; return the exit code and what was said."""
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    return process.returncode, err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("delay", [0.0, 1.0])
def test_ctrl_c_while_a_cluster_starts_or_a_position_is_solved_prints_no_traceback(delay: float) -> None:
    command = [sys.executable, "-m", "plywise", "solve", "connect-four", "--cluster", "local"]
    running = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    psutil: Any = pytest.importorskip("psutil")
    try:
        while not psutil.Process(running.pid).children(recursive=True):
            time.sleep(0.05)
        time.sleep(delay)
        code, err = interrupted(running)
    finally:
        running.kill()
        running.wait()
    assert code == 130
    assert "Traceback" not in err


def test_a_worker_ends_without_a_word_by_ctrl_c_and_with_one_when_its_scheduler_ends() -> None:
    def run(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "plywise", "cluster", *arguments]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        running.append(process)
        return process

    from plywise.cluster.addresses import client_of

    running: list[subprocess.Popen[str]] = []
    try:
        started = run("start", "--workers", "0", "--port", "0")
        assert started.stdout is not None
        address = [started.stdout.readline(), started.stdout.readline()][-1].split()[-1]
        leaving, left = (run("work", address, "--threads", "1") for _ in range(2))
        with client_of(address, None) as client:
            client.wait_for_workers(2, timeout=60)
        assert interrupted(leaving) == (0, "")
        assert interrupted(started) == (0, "")
        out, err = left.communicate(timeout=30)
        assert (left.returncode, out.splitlines()[1:], err) == (0, ["The scheduler has ended."], "")
    finally:
        for process in running:
            process.kill()
            process.communicate()


def hosts_of(process: subprocess.Popen[str]) -> list[str]:
    """Return the addresses at which a process and those that it has started listen."""
    psutil: Any = pytest.importorskip("psutil")
    tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    return [each.laddr.ip for one in tree for each in one.net_connections() if each.status == psutil.CONN_LISTEN]


def test_without_certificates_nothing_listens_beyond_this_machine() -> None:
    from plywise.cluster.addresses import client_of

    def run(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "plywise", "cluster", *arguments]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        return running[-1]

    running: list[subprocess.Popen[str]] = []
    try:
        started = run("start", "--workers", "1", "--port", "0")
        assert started.stdout is not None
        address = [started.stdout.readline(), started.stdout.readline()][-1].split()[-1]
        joined = run("work", address.replace("127.0.0.1", "localhost"), "--threads", "1")
        with client_of(address, None) as client:
            client.wait_for_workers(2, timeout=60)
            for process in running:
                assert set(hosts_of(process)) == {"127.0.0.1"}
        assert len(hosts_of(joined)) >= 2, "a worker, and the nanny that looks after it"
    finally:
        for process in running:
            process.send_signal(signal.SIGINT)
        for process in running:
            process.wait(30)


def test_certificates_are_made(tmp_path: Path) -> None:
    assert "keep it secret" in plywise("cluster", "keys", str(tmp_path / "keys"))
    assert sorted(file.name for file in (tmp_path / "keys").iterdir()) == [
        "authority.pem",
        "certificate.pem",
        "key.pem",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cluster", "stop"], "there is no 'stop': choose start, work or keys"),
        (["cluster", "start", "extra"], "'plywise cluster start' takes no TARGET"),
        (["cluster", "start", "--threads", "3"], "takes no --threads"),
        (["cluster", "work", "tcp://10.0.0.5:8786", "--workers", "0"], "takes no --workers"),
        (["cluster", "keys", "folder", "--port", "0"], "takes no --port"),
        (["solve", "tic-tac-toe", "--cluster", "local", "--tls", "keys"], "'local' uses no certificates"),
        (["solve", "tic-tac-toe", "--tls", "keys"], "give --cluster ADDRESS"),
        (["cluster", "work", "127.0.0.1:99999"], "'127.0.0.1:99999' is not the address of a scheduler"),
        (["cluster", "work"], "give the address of a scheduler"),
        (["cluster", "work", "tcp://10.0.0.5:8786"], "not safe to join tcp://10.0.0.5:8786"),
        (["cluster", "start", "--host", "0.0.0.0"], "not safe to listen at"),
        (["solve", "tic-tac-toe", "--cluster", "nonsense"], "nor its file, nor 'local', 'processes' or 'threads'"),
        (["solve", "tic-tac-toe", "--threads", "2", "--cluster", "local"], "with --cluster each worker's engine"),
        (["search", "tic-tac-toe", "-d", "9", "--threads", "2", "--cluster", "local"], "so leave out --threads"),
        (["search", "tic-tac-toe", "--nodes", "9", "--cluster", "local"], "give --depth, or --seconds and --exact"),
        (["search", "tic-tac-toe", "--seconds", "1", "--cluster", "local"], "give --depth, or --seconds and --exact"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], message: str) -> None:
    assert message in plywise(*arguments, code=2)
