"""What the README and the docs show really runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import plywise as pw
from plywise.study.check import check_game

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


SNIPPETS = {f"{page.name} {i}": code for page in PAGES for i, code in enumerate(blocks(page, "python"), 1)}


@pytest.mark.parametrize("place", SNIPPETS)
def test_python_in_the_docs_runs(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(SNIPPETS[place], place, "exec"), {"__name__": "__main__"})
    for line in re.findall(r"print\(.*\)  # (\d+)$", SNIPPETS[place], re.MULTILINE):
        assert line in capsys.readouterr().out


def test_the_example_of_the_readme_prints_what_the_readme_says(tmp_path: Path) -> None:
    readme = ROOT / "README.md"
    script = tmp_path / "take_away.py"
    script.write_text(blocks(readme, "python")[0], encoding="utf-8")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    without_time = [re.sub(r"[\d.e-]+ s$", "", line) for line in result.stdout.splitlines()]
    promised = [re.sub(r"[\d.e-]+ s$", "", line) for line in blocks(readme, "text")[0].splitlines()]
    assert without_time == promised
    assert result.stderr == ""


def test_the_example_of_a_view_draws_the_board_that_the_docs_show(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    section = page.partition("## View")[2].partition("\n## ")[0]
    (code,) = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    (board,) = re.findall(r"^```text\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {"__name__": "__main__"}
    exec(compile(code, "games.md", "exec"), names)
    assert capsys.readouterr().out == board
    with pw.interpreted():
        assert not check_game(names["game"], games=5).findings  # type: ignore[arg-type]


def test_every_command_in_the_docs_exists() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    commands = set(re.findall(r"^(?:\| `)?plywise ([a-z-]+)", text, re.MULTILINE))
    listed = subprocess.run(
        [sys.executable, "-m", "plywise", "--help"], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    assert len(commands) > 10
    for command in commands:
        assert re.search(rf"^  {command} ", listed, re.MULTILINE), command


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
