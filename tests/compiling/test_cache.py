"""Later processes find machine code again, and it never serves rules that have changed.

Tests edit files in a way that times and sizes do not show: the new text has the old length and gets the old time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import types
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.compiling import cache, cache_folder
from plywise.compiling.bridge import entry
from plywise.compiling.cache_folder import cache_directory, clear_cache
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

    def says(self, *command: str) -> str:
        """Run Python; returns what the program prints."""
        return printed(self.start(*command))

    def solve(self) -> dict[str, Any]:
        return self.run("-c", "from report import report; import rules; report(rules.Take())")

    def files(self) -> list[Path]:
        files = self.cache.iterdir() if self.cache.exists() else ()
        return sorted(file for file in files if file.name != "compile-times.json")


def answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(process).splitlines()[-1])
    return found


def printed(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, f"{process.returncode}: {errors}"
    return output


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


COMMAND = ("-m", "plywise", "search", "takeaway.py", "--algorithm", "minimax-single", "--depth", "2")
SCRIPT = SINGLE + "\nif __name__ == '__main__':\n    print(pw.search(Take(), algorithm='minimax_single', depth=2))\n"
"""A game that is searched by ``plywise search`` as well as by running it."""


def test_the_command_line_and_a_script_share_machine_code(project: Project) -> None:
    project.write("takeaway.py", SCRIPT)
    project.write("renamed.py", SCRIPT.replace("Take", "Renamed"))
    project.write("copied.py", f"import math\n{SINGLE}")
    commands = [
        COMMAND,
        ("takeaway.py",),
        ("renamed.py",),
        (*COMMAND[:3], "renamed.py", *COMMAND[4:]),
        ("-c", "import copied, plywise as pw; print(pw.search(copied.Take(), algorithm='minimax_single', depth=2))"),
    ]
    for first, *others in (commands, commands[1:] + commands[:1]):
        clean(project.cache)
        project.says(*first)
        (made,) = kept(project.cache)
        for command in others:
            project.says(*command)
            assert kept(project.cache) == [made], command


def clean(folder: Path) -> None:
    for file in folder.glob("*"):
        file.unlink()


def kept(folder: Path) -> list[tuple[str, int, int]]:
    """The machine code in a folder: name, number and time of each file, which change when one is written anew."""
    files = folder.glob("*.machinecode")
    return sorted((file.name, file.stat().st_ino, file.stat().st_mtime_ns) for file in files)


def test_two_processes_at_once_both_get_it_right(project: Project) -> None:
    command = ("-c", "from report import report; import rules; report(rules.Take())")
    running = [project.start(*command) for _ in range(2)]
    assert [answer(process)["value"] for process in running] == [1124, 1124]
    assert [file.suffix for file in project.files()] == [".machinecode"]
    assert project.run(*command)["compilations"] == 0


MUTUAL = """
import json
from numba.core import event
from plywise.compiling.bridge import entry
from plywise.compiling.diagnose import bare_state
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

    from plywise.compiling.cache import _checksum

    assert compiled(like_a_new_process(weigh), Take(), 3) == 15
    (file,) = folder.iterdir()
    payload = pickle.dumps(("not", "what", "is", "expected"))
    file.write_bytes(_checksum(payload) + payload)
    again = like_a_new_process(weigh)
    assert compiled(again, Take(), 3) == 15
    assert hits(again) == 0


def test_the_folder_and_its_files_are_for_their_owner_only(folder: Path) -> None:
    usual = os.umask(0)
    try:
        assert compiled(like_a_new_process(weigh), Take(), 3) == 15
    finally:
        os.umask(usual)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]


@pytest.mark.skipif(os.name != "posix", reason="modes mean something on POSIX only")
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to_is_neither_read_nor_written(folder: Path, mode: int) -> None:
    assert compiled(like_a_new_process(weigh), Take(), 3) == 15
    (file,) = folder.iterdir()
    content = file.read_bytes()
    folder.chmod(mode)
    again = like_a_new_process(weigh)
    assert compiled(again, Take(), 3) == 15
    assert hits(again) == 0
    assert compiled(like_a_new_process(weigh), Take(6), 3) == 18
    assert [other.read_bytes() for other in folder.iterdir()] == [content]
    folder.chmod(0o755)  # others may read what they like
    again = like_a_new_process(weigh)
    assert compiled(again, Take(), 3) == 15
    assert hits(again) == 1


@pytest.mark.skipif(os.name != "posix", reason="modes mean something on POSIX only")
def test_a_file_that_others_may_write_to_is_not_read_but_replaced(folder: Path) -> None:
    for mode, expected in ((0o600, 1), (0o620, 0), (0o600, 1), (0o602, 0)):
        compiled(like_a_new_process(weigh), Take(), 3)
        (file,) = folder.iterdir()
        file.chmod(mode)
        again = like_a_new_process(weigh)
        assert compiled(again, Take(), 3) == 15
        assert hits(again) == expected, oct(mode)
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_folder_of_another_user_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(like_a_new_process(weigh), Take(), 3)
    owner = folder.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr(cache_folder, "ROOT_USER", owner + 2)
    again = like_a_new_process(weigh)
    assert compiled(again, Take(), 3) == 15
    assert hits(again) == 0
    (sentence,) = cache_folder.complaints()
    assert sentence.startswith(f"{folder} belongs to another user (number {owner}), so plywise does not use ")
    assert sentence.endswith(": set PLYWISE_CACHE_DIR to a folder of your own")
    monkeypatch.setattr(cache_folder, "ROOT_USER", owner)  # who may do everything anyway
    again = like_a_new_process(weigh)
    assert compiled(again, Take(), 3) == 15
    assert hits(again) == 1
    assert cache_folder.complaints() == []


def test_one_warning_says_that_a_folder_is_not_used(folder: Path) -> None:
    class Unseen(pw.games.RedBlue):
        """No test before this one has compiled it."""

        def evaluate(self, state):
            return state.plies

    folder.mkdir()
    folder.chmod(0o777)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for depth in (1, 2):
            assert pw.search(Unseen(), algorithm="minimax_single", depth=depth).compiled
    (warning,) = caught
    assert warning.category is pw.CacheWarning
    assert warning.filename == __file__
    assert str(warning.message).startswith(f"other users may write to {folder}, so plywise does not use ")
    assert str(warning.message).endswith(f", or run 'chmod 700 {folder}' if you trust its files")
    assert list(folder.iterdir()) == []


def sizes(folder: Path, monkeypatch: pytest.MonkeyPatch, megabytes: float) -> set[str]:
    """Fill the folder with files that were last used 1, 2, ... hours and a minute ago; return what is left of them."""
    monkeypatch.setenv("PLYWISE_CACHE_MB", str(megabytes))
    folder.mkdir(mode=0o700, exist_ok=True)
    for hours in range(5):
        for name in (f"{hours}.machinecode", f"{hours}.machinecode.0123.tmp"):
            file = folder / name
            file.write_bytes(b"x" * 100_000)
            file.chmod(0o600)
            used = time.time() - 3600 * hours - 60
            os.utime(file, (used, used))
    (folder / "other").write_bytes(b"somebody's")
    cache_folder.trim(folder)
    return {file.name for file in folder.iterdir()}


def test_the_folder_is_kept_under_its_size_by_age(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    always = {"0.machinecode", "0.machinecode.0123.tmp", "other"}  # used a minute ago, so perhaps still in use
    assert sizes(folder, monkeypatch, 1) == always | {f"{hours}.machinecode" for hours in (1, 2, 3, 4)}
    assert sizes(folder, monkeypatch, 0.45) == always | {"1.machinecode", "2.machinecode"}
    assert sizes(folder, monkeypatch, 0.001) == always
    with monkeypatch.context() as change:
        change.setattr(cache_folder, "_used", {folder / "3.machinecode"})
        assert sizes(folder, monkeypatch, 0.001) == always | {"3.machinecode"}  # this process uses it
    assert cache_folder.cache_size_mb() == pytest.approx(0.3)


def test_what_is_loaded_counts_as_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "_used", set())
    compiled(like_a_new_process(weigh), Take(), 3)
    compiled(like_a_new_process(weigh), Take(6), 3)
    for file in folder.iterdir():
        os.utime(file, (LONG_AGO, LONG_AGO))
    compiled(like_a_new_process(weigh), Take(), 3)
    old = {file for file in folder.iterdir() if file.stat().st_mtime == LONG_AGO}
    assert len(old) == 1
    monkeypatch.setattr(cache_folder, "_used", set())
    monkeypatch.setattr(cache_folder, "_last_trim", {})
    monkeypatch.setenv("PLYWISE_CACHE_MB", "0.000001")
    compiled(like_a_new_process(weigh), Take(7), 3)  # what is written trims the folder
    assert len(list(folder.iterdir())) == 2
    assert not any(file.exists() for file in old)


@pytest.mark.parametrize("text", ["much", "0", "-3", "nan"])
def test_a_size_that_is_none_is_complained_of(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_MB", text)
    assert cache_folder.complaints() == [
        f"PLYWISE_CACHE_MB is {text!r}, but must be a positive number of megabytes: plywise uses 1,000"
    ]
    assert cache_folder.size_limit_mb() == 1000


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


# ---------------------------------------------------------------------------------------------------------------------
# What machine code depends on
# ---------------------------------------------------------------------------------------------------------------------

ONLY_INTRINSICS = {"atomic", "hashing", "rows", "rules", "vectors"}
"""Other modules use only the twins in these.  A fingerprint includes their source where it reaches a twin."""

NO_CODE = {"diagnose", "machine_code", "plain_errors", "progress"}
"""Modules that know Numba, but only say why it fails or how far it is, or find what it made."""


def test_a_change_to_a_module_that_generates_code_makes_old_machine_code_unreachable() -> None:
    room = Path(cache.__file__).parent
    generating = {
        file.stem
        for file in room.glob("*.py")
        if re.search(r"^(from|import) (llvmlite|numba)", file.read_text(), re.MULTILINE)
    }
    listed = {name.removeprefix("plywise.compiling.") for name in cache._CODE_MAKERS}
    assert generating - ONLY_INTRINSICS - NO_CODE <= listed
    assert generating >= ONLY_INTRINSICS | NO_CODE


def test_the_bridge_alone_imports_all_modules_that_generate_code() -> None:
    program = (
        "import sys, plywise.compiling.bridge, plywise.compiling.cache as cache; "
        "print(sorted(set(cache._CODE_MAKERS) - set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
