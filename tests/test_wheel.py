"""The wheel is complete: it works in an empty environment, far from the checkout.

Dependencies come from the environment of the tests, so nothing is downloaded; only plywise comes from the wheel.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("hatchling", reason="building the wheel needs hatchling: pip install -e '.[dev]'")

ROOT = Path(__file__).parents[1]


class Installed(NamedTuple):
    wheel: Path
    programs: Path
    folder: Path
    """Where to work: nothing of plywise is there."""

    def environment(self) -> dict[str, str]:
        return {**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, "PLYWISE_INTERPRET": "1"}

    def run(self, program: str, *arguments: str) -> str:
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("plywise-*.whl")
    venv.create(folder / "venv", symlinks=os.name != "nt", with_pip=False)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, timeout=120)
    (packages,) = (folder / "venv").rglob("site-packages")
    others = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages / "dependencies.pth").write_text("\n".join(others), encoding="utf-8")
    (folder / "work").mkdir()
    return Installed(wheel, programs, folder / "work")


def test_every_file_of_the_package_is_in_the_wheel(installed: Installed) -> None:
    files = {str(file.relative_to(ROOT / "src")) for file in (ROOT / "src/plywise").rglob("*") if file.is_file()}
    packed = {name for name in zipfile.ZipFile(installed.wheel).namelist() if name.startswith("plywise/")}
    assert packed == {name for name in files if "__pycache__" not in name}


def test_plywise_is_the_one_of_the_wheel(installed: Installed) -> None:
    where = Path(installed.run("python", "-c", "import plywise; print(plywise.__file__)").strip())
    assert where.is_relative_to(installed.programs.parent)


def test_a_search_runs(installed: Installed) -> None:
    assert "move      3" in installed.run("plywise", "search", "connect-four", "--position", "4455", "--depth", "3")
    assert "move " in installed.run("plywise", "search", "chess", "--depth", "1")  # reads its weights


def test_a_new_game_can_be_begun_and_solved(installed: Installed) -> None:
    installed.run("plywise", "new", "mygame")
    assert "(proven)" in installed.run("plywise", "solve", "mygame.py")


def test_a_quiz_is_graded(installed: Installed) -> None:
    assert installed.run("plywise", "quiz", "1", "--answer", "pruned=g,h", "--answer", "value=-3").count("Right.") == 2


def test_the_page_is_served_with_its_files_and_its_api(installed: Installed) -> None:
    pytest.importorskip("uvicorn", reason="the page needs the extra web")
    pytest.importorskip("fastapi", reason="the page needs the extra web")
    command = [str(installed.programs / "plywise"), "serve", "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        command, cwd=installed.folder, env=installed.environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address is not None
        page = fetch(address[0])
        linked = re.findall(r'(?:src|href)="/?([^":#]+\.(?:js|css|svg))"', page)
        assert len(linked) >= 3, page
        for asset in linked:
            assert fetch(address[0] + asset), asset
        position = json.loads(fetch(f"{address[0]}api/play/position", {"game": "connect-four", "moves": ["4", "4"]}))
        assert position["moves"] == ["4", "4"]
    finally:
        process.terminate()
        process.wait()


def fetch(address: str, body: dict[str, object] | None = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, {"Content-Type": "application/json"}), timeout=30) as answer:
        return str(answer.read().decode())
