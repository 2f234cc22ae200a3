"""Machine code is found again by the next process, and never answers for rules that have changed.

Files are edited behind the back of anything that trusts times and sizes: the new text is as long as the old one, and
gets its time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.bridge import entry
from plywise.cache import cache_directory, clear_cache
from tests.readings import compiled

RULES = """
from typing import NamedTuple
import numpy as np
import plywise as pw
import helpers
from helpers import gain

BONUS = 100

class Pile(NamedTuple):
    left: int
    turn: int = 0

class Take(pw.Game):
    size: int = 5
    TABLE = np.array([1000, 2000])

    def initial(self):
        return Pile(self.size)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return range(1, min(3, state.left) + 1)

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        won = 1 if state.turn == pw.MIN else -1
        return won * (1 + gain() + helpers.more() + BONUS + self.TABLE[0])
"""

HELPERS = """
def gain():
    return 20

def more():
    return 3 + deeper()

def deeper():
    return 0
"""

REPORT = """
import json
from numba.core import event
import plywise as pw

def report(game):
    with event.install_recorder("numba:compile") as compilations:
        result = pw.search(game, algorithm="minimax_single")
    print(json.dumps({"value": result.value, "compiled": result.compiled, "compilations": len(compilations.buffer)}))
"""

LONG_AGO = 1_000_000_000


class Project:
    """A folder with a game in it, and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        for name, text in (("rules", RULES), ("helpers", HELPERS), ("report", REPORT)):
            self.write(f"{name}.py", text)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text)
        os.utime(path, (LONG_AGO, LONG_AGO))

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert text.count(old) == 1
        assert len(old) == len(new)
        self.write(name, text.replace(old, new))

    def start(self, *command: str, program: str | None = None) -> subprocess.Popen[str]:
        """Start Python, without its own cache of modules: that one is fooled by times and sizes."""
        environment = {**os.environ, "PLYWISE_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("PLYWISE_INTERPRET", None)
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *command], cwd=self.folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        if program is not None:
            assert process.stdin is not None
            process.stdin.write(program)
            process.stdin.flush()
        return process

    def run(self, *command: str, program: str | None = None) -> dict[str, Any]:
        """Run Python; returns what the program reports."""
        return answer(self.start(*command, program=program))

    def solve(self) -> dict[str, Any]:
        return self.run("-c", "from report import report; import rules; report(rules.Take())")

    def files(self) -> list[Path]:
        return sorted(self.cache.iterdir()) if self.cache.exists() else []


def answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, f"{process.returncode}: {errors}"
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


# ---------------------------------------------------------------------------------------------------------------------
# Found again
# ---------------------------------------------------------------------------------------------------------------------

SINGLE = RULES.replace("import helpers\n", "").replace("from helpers import gain\n", HELPERS).replace("helpers.", "")


def test_machine_code_is_shared_by_all_ways_to_write_a_game(project: Project) -> None:
    program = SINGLE + REPORT + "\nreport(Take())\n"
    project.write("script.py", program)
    project.write("elsewhere.py", SINGLE)
    first = project.run("script.py")
    assert first["value"] == 1 + 20 + 3 + 100 + 1000
    assert first["compiled"]
    assert first["compilations"] > 0
    (file,) = project.files()
    by_path = (
        "import importlib.util as u; from report import report; "
        "s = u.spec_from_file_location('a_name', 'elsewhere.py'); m = u.module_from_spec(s); s.loader.exec_module(m); "
        "report(m.Take())"
    )
    in_a_function = f"def f():\n    scope = {{'__name__': '__main__'}}\n    exec({program!r}, scope)\nf()\n"
    typed = program.replace("\n    def", "\n\n    def")
    typed = "\n".join(line for line in typed.splitlines() if line.strip())  # the prompt ends a block at a blank line
    typed = typed.replace("\nclass", "\n\nclass").replace("\ndef", "\n\ndef").replace("\nreport(", "\n\nreport(")
    typed = typed.replace("BONUS", "\nBONUS", 1).replace("\nimport json", "\n\nimport json")
    for command, entered in (
        (["script.py"], None),
        (["-c", program], None),
        (["-c", by_path], None),
        (["-c", in_a_function], None),
        (["-c", "import elsewhere, report; report.report(elsewhere.Take())"], None),
        (["-"], program),
        (["-i", "-q"], typed + "\n\n"),
    ):
        again = project.run(*command, program=entered)
        assert again == {**first, "compilations": 0}, command
    assert project.files() == [file]


def test_two_processes_at_once_both_get_it_right(project: Project) -> None:
    command = ("-c", "from report import report; import rules; report(rules.Take())")
    running = [project.start(*command) for _ in range(2)]
    assert [answer(process)["value"] for process in running] == [1124, 1124]
    assert [file.suffix for file in project.files()] == [".machinecode"]
    assert project.run(*command)["compilations"] == 0


MUTUAL = """
import json
from numba.core import event
from plywise.bridge import entry
from plywise.diagnose import bare_state
from rules import Take

def even(game, state, number):
    return 1 if number == 0 else odd(game, state, number - 1)

def odd(game, state, number):
    return 0 if number == 0 else even(game, state, number - 1)

game = Take()
with event.install_recorder("numba:compile") as compilations:
    values = [entry(even)(game, bare_state(game, game.initial()), (number,)) for number in (10, 7)]
print(json.dumps({"values": values, "compilations": len(compilations.buffer)}))
"""


def test_functions_that_call_each_other_survive_the_disk(project: Project) -> None:
    first = project.run("-c", MUTUAL)
    assert first["compilations"] > 0
    assert project.run("-c", MUTUAL) == {"values": [1, 0], "compilations": 0}


# ---------------------------------------------------------------------------------------------------------------------
# Never stale
# ---------------------------------------------------------------------------------------------------------------------


def test_changed_rules_are_never_answered_by_old_code(project: Project) -> None:
    expected = project.solve()["value"]
    assert expected == 1124
    for file, old, new, difference in (
        ("rules.py", "(1 + gain()", "(2 + gain()", 1),
        ("helpers.py", "return 20", "return 30", 10),
        ("helpers.py", "return 3 +", "return 5 +", 2),
        ("helpers.py", "return 0", "return 7", 7),
        ("rules.py", "BONUS = 100", "BONUS = 400", 300),
    ):
        project.edit(file, old, new)
        expected += difference
        found = project.solve()
        assert found["value"] == expected, (file, new)
        assert found["compilations"] > 0
    kept = project.files()
    assert len(kept) == 6
    project.edit("rules.py", "[1000, 2000]", "[5000, 2000]")  # a table is read when the code runs
    assert project.solve() == {"value": expected + 4000, "compiled": True, "compilations": 0}
    project.edit("rules.py", "size: int = 5", "size: int = 4")  # in which Min takes the last one
    assert project.solve()["value"] == -expected - 4000
    project.edit("rules.py", "turn: int = 0", "turn: int = 1")
    assert project.solve()["value"] == expected + 4000
    project.edit("rules.py", "turn: int = 1", "turn: int = 0")  # all as before: found again
    project.edit("rules.py", "size: int = 4", "size: int = 5")
    assert project.solve()["compilations"] == 0


# ---------------------------------------------------------------------------------------------------------------------
# Nothing on the disk can do harm
# ---------------------------------------------------------------------------------------------------------------------


class Pile(NamedTuple):
    left: int
    turn: int


class Take(pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, 0)

    def score(self, state):
        return state.left

    def key(self, state):
        return (state.left, state.turn)


def weigh(game, state, factor):
    return game.score(state) * factor


def like_a_new_process(function: Any) -> Any:
    """Return a function that means the same, for which this process has no machine code yet."""
    return types.FunctionType(function.__code__, function.__globals__, function.__name__)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def hits(function: Any) -> int:
    return sum(entry(function).stats.cache_hits.values())


def test_damaged_files_are_made_anew(folder: Path) -> None:
    assert compiled(like_a_new_process(weigh), Take(), 3) == 15
    (file,) = folder.iterdir()
    sound = file.read_bytes()
    damages = {
        "empty": b"",
        "short": sound[:10],
        "truncated": sound[:-1],
        "longer": sound + b"x",
        "garbage": b"\x80\x05garbage" * 100,
        "one bit": sound[:2000] + bytes([sound[2000] ^ 1]) + sound[2001:],
    }
    for name, content in damages.items():
        file.write_bytes(content)
        again = like_a_new_process(weigh)
        assert compiled(again, Take(), 3) == 15, name
        assert hits(again) == 0, name
        healed = like_a_new_process(weigh)
        assert compiled(healed, Take(), 3) == 15, name
        assert hits(healed) == 1, name
    assert list(folder.iterdir()) == [file]


def test_a_file_that_names_what_is_gone_is_made_anew(folder: Path) -> None:
    import pickle

    from plywise.cache import _checksum

    assert compiled(like_a_new_process(weigh), Take(), 3) == 15
    (file,) = folder.iterdir()
    payload = pickle.dumps(("not", "what", "is", "expected"))
    file.write_bytes(_checksum(payload) + payload)
    again = like_a_new_process(weigh)
    assert compiled(again, Take(), 3) == 15
    assert hits(again) == 0


def test_a_folder_that_cannot_be_written_costs_time_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("a file, where a folder should be")
    assert compiled(like_a_new_process(weigh), Take(), 4) == 20
    monkeypatch.setenv("PLYWISE_CACHE_DIR", "/proc/nowhere" if sys.platform == "linux" else str(folder / "below"))
    assert compiled(like_a_new_process(weigh), Take(), 4) == 20
    assert clear_cache() == 0


def test_machine_code_that_means_something_to_this_process_only_is_not_kept(folder: Path) -> None:
    class Opaque:
        pass

    opaque = Opaque()

    class Private(Take):
        def key(self, state):
            return opaque

    assert compiled(like_a_new_process(weigh), Private(), 3) == 15
    assert not folder.exists()


def test_clearing_the_cache(folder: Path) -> None:
    assert clear_cache() == 0
    assert compiled(like_a_new_process(weigh), Take(), 5) == 25
    (file,) = folder.iterdir()
    file.with_name(f"{file.name}.0123.tmp").write_bytes(b"of a killed process")
    assert clear_cache() == 2
    assert list(folder.iterdir()) == []


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    assert cache_directory() == tmp_path
    monkeypatch.delenv("PLYWISE_CACHE_DIR")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg" / "plywise"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_directory() == tmp_path / "home" / ".cache" / "plywise"
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert cache_directory() == Path(os.devnull, "plywise")
