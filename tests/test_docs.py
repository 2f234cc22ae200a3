"""The README and the docs show what really happens.

Every fenced block has a kind, and each kind has its check.  ``python`` blocks run, and print what the page says, in a
comment after each ``print`` or in a ``text`` block right below.  ``console`` blocks run as if typed, and show a
terminal's output.  ``sh`` blocks have no output; their commands must exist and have these options.  ``json`` is a tree,
and ``yaml`` holds settings of the chess engine.  There are no exceptions.  Seconds, rates, dates and checksums depend
on the machine, so only their form is checked.

Blocks run interpreted, which gives the same answers faster.  Only the first example, as a script, and the games of the
page on compiling are compiled.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main

from plywise.cli.commands import app
from plywise.games import Tree
from plywise.uci.engine_options import UCI_OPTIONS

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
KINDS = {"python", "text", "console", "sh", "json", "yaml"}


class Block(NamedTuple):
    place: str
    """The page and the line, to be found at once."""
    kind: str
    text: str
    shown: str | None
    """For Python: the ``text`` block right below, if there is one."""


FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$(?:(?=\s*^```text\n(.*?)^```$)|)", re.MULTILINE | re.DOTALL)


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in FENCED.finditer(text):
        yield Block(f"{page.name}:{text.count(chr(10), 0, found.start()) + 1}", *found.groups())


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def each(kind: str) -> pytest.MarkDecorator:
    chosen = [block for block in BLOCKS if block.kind == kind]
    return pytest.mark.parametrize("block", chosen, ids=[block.place for block in chosen])


VARYING = {
    r" *\b\d[\d.]*(e-\d+)? (s|ms|µs)\b": " <time>",
    r" *\b\d[\d.,]*[kMG]?(/s| a second)\b": " <rate>",
    r"\b\d{4}-\d\d-\d\d\b": "<date>",
    r'"seconds": \[[-\d.e, ]+\]': '"seconds": <times>',
    r'"rules": "[0-9a-f]{16}"': '"rules": <fingerprint>',  # of bytecode, which is another in every version of Python
    r'"check": "[0-9a-f]{8}"': '"check": <checksum>',
}


def lasting(text: str) -> str:
    """A text without blanks at the ends of lines, with what depends on the machine replaced by what it is."""
    for pattern, meaning in VARYING.items():
        text = re.sub(pattern, meaning, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    for block in BLOCKS:
        assert block.kind in KINDS, f"{block.place}: write one of {', '.join(sorted(KINDS))} after the backquotes"
    outputs = {block.shown for block in BLOCKS if block.kind == "python"}
    for block in BLOCKS:
        assert block.kind != "text" or block.text in outputs, f"{block.place}: no Python right above prints this"


@each("python")
def test_python_prints_what_the_page_shows(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled = block.place.startswith("games.md")  # where the page says what compiles
    monkeypatch.setenv("PLYWISE_INTERPRET", "0" if compiled else "1")
    monkeypatch.chdir(tmp_path)
    printed: list[tuple[int, str]] = []

    def note(*values: object) -> None:
        printed.append((sys._getframe(1).f_lineno, " ".join(map(str, values))))

    file = tmp_path / "block.py"
    file.write_text(block.text, encoding="utf-8")
    exec(compile(block.text, str(file), "exec"), {"__name__": "__main__", "print": note})
    if block.shown is not None:
        assert lasting("\n".join(text for _, text in printed)) == lasting(block.shown)
    else:
        lines = [(i, line) for i, line in enumerate(block.text.splitlines(), 1) if line.lstrip().startswith("print(")]
        assert printed == [(i, line.partition("  # ")[2].strip()) for i, line in lines]
    assert capsys.readouterr() == ("", ""), "something else was printed"


def test_the_example_of_the_readme_is_a_script(tmp_path: Path) -> None:
    first = next(block for block in BLOCKS if block.kind == "python")
    script = tmp_path / "take_away.py"
    script.write_text(first.text, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    assert lasting(done.stdout) == lasting(first.shown or "")
    assert done.stderr == ""


@each("console")
def test_a_terminal_shows_what_the_page_shows(block: Block, tmp_path: Path) -> None:
    plywise = tmp_path / "bin" / "plywise"
    plywise.parent.mkdir()
    plywise.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m plywise "$@"\n', encoding="utf-8")
    plywise.chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    first, *typed = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert first == "", f"{block.place}: begin with a command, '$ plywise ...'"
    for command, _, shown in (part.partition("\n") for part in typed):
        assert lasting(terminal(command, folder, plywise.parent)) == lasting(shown), command


def terminal(command: str, folder: Path, programs: Path) -> str:
    """What a simple terminal, 80 columns wide, shows of a command."""
    master, slave = os.openpty()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TERM": "dumb", "NO_COLOR": "1", "PLYWISE_INTERPRET": "1"}
    process = subprocess.Popen(
        ["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, cwd=folder, env=environment
    )
    os.close(slave)
    alarm = threading.Timer(120, process.kill)
    alarm.start()
    shown = b""
    while piece := _read(master):
        shown += piece
    process.wait()
    alarm.cancel()
    os.close(master)
    return shown.decode().replace("\r\n", "\n").replace("(interpreted, not compiled)\n", "")


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:  # Linux's word for the end
        return b""


@each("sh")
def test_commands_without_output_exist_with_their_options(block: Block) -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for line in block.text.splitlines():
        for command in re.split(" && ", line):
            program, *arguments = shlex.split(command, comments=True)
            if program == "plywise":
                name, *arguments = arguments
                commands[name].make_context(name, arguments)
            elif program == "make":
                assert arguments[0] in targets, command
            elif program == "python":
                assert arguments[0] == "-m" or (ROOT / arguments[0]).exists(), command
            else:
                assert program in ("curl", "pip", "nox", "pre-commit", "scp", "ssh", "sbatch", "kubectl"), command


@each("json")
def test_trees_in_the_docs_can_be_read(block: Block) -> None:
    assert Tree.from_json(json.loads(block.text))


@each("yaml")
def test_settings_of_the_chess_engine_are_options_that_it_has(block: Block) -> None:
    settings = re.search(r"uci_options:\n((?:    .*\n)+)", block.text)
    assert settings is not None
    options = {option.name: option for option in UCI_OPTIONS}
    for name, value in re.findall(r"^    ([^:]+): (\S+)", settings[1], re.MULTILINE):
        assert options[name].read(value) is not None


def test_every_command_in_the_tables_exists() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    commands = set(re.findall(r"^\| `plywise ([a-z-]+)", text, re.MULTILINE))
    assert commands == set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_contributing_lists_the_rooms_in_the_order_of_the_import_contract() -> None:
    contract = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("\nlayers = [")[2].partition("]")[0]
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| room |")[2].partition("\n\n")[0]
    first_cells = "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    rooms = re.findall(r"`(\w+)(?:/|\.py)`", first_cells)
    assert rooms == re.findall(r"plywise\.([a-z]\w*)", contract)
    assert set(rooms) == {path.stem for path in (ROOT / "src/plywise").iterdir() if path.stem[0] not in "_."} - {"py"}


LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    prose = FENCED.sub("", page.read_text(encoding="utf-8"))
    found = set[str]()
    for heading in re.findall(r"^#+ (.+)$", prose, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", LINK.sub("]", heading).lower()).replace(" ", "-")
        count = sum(1 for known in found if re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", known))
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        if ":" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors_of(target), f"{page.name}: {link}: there is no such heading"


def test_the_index_of_the_docs_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {link for link in LINK.findall(index.read_text(encoding="utf-8")) if "/" not in link}
    assert listed == {page.name for page in (ROOT / "docs").glob("*.md")} - {index.name}
