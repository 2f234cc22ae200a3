"""The folder of a process for files that came from elsewhere: it goes with its process, however that ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = "from plywise.io.own_folder import own_folder; (own_folder() / 'file').touch(); print(own_folder(), flush=True)"


def run(folder: Path, program: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder)}
    return subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    "end", ["", "; raise SystemExit(3)", "; from plywise.io.processes import leave; leave(0)"], ids=repr
)
def test_it_is_removed_when_the_process_ends(tmp_path: Path, end: str) -> None:
    said, _ = run(tmp_path, HERE + end).communicate(timeout=30)
    assert Path(said.strip()).parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_a_killed_process_leaves_it_to_the_next_which_spares_others(tmp_path: Path) -> None:
    wait = "; import time; time.sleep(100)"
    killed, alive = run(tmp_path, HERE + wait), run(tmp_path, HERE + wait)
    folders = [Path(process.stdout.readline().strip()) for process in (killed, alive)]
    assert (folders[0] / "file").exists()
    killed.kill()
    killed.wait()
    run(tmp_path, HERE).communicate(timeout=30)
    assert list(tmp_path.iterdir()) == [folders[1]]
    alive.kill()
    alive.wait()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_fork_does_not_remove_that_of_its_parent(tmp_path: Path) -> None:
    forking = "; import os; os.fork() or exit(); os.wait(); print((own_folder() / 'file').exists())"
    said, _ = run(tmp_path, HERE + forking).communicate(timeout=30)
    assert said.splitlines()[-1] == "True"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("who", ["1", "2"], ids=["one game at a time", "two"])
def test_a_match_with_a_game_from_a_file_leaves_no_files(tmp_path: Path, who: str) -> None:
    game = tmp_path / "tiny.py"
    game.write_text("import plywise as pw\n\nclass Tiny(pw.games.Nim):\n    pass\n")
    folder = tmp_path / "temporary"
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder), "PLYWISE_INTERPRET": "1"}
    command = [sys.executable, "-m", "plywise", "match", str(game), "-1", "random", "-2", "random", "--games", "4"]
    ended = subprocess.run([*command, "--concurrency", who], env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert [each.name for each in folder.glob("plywise-*")] == []
