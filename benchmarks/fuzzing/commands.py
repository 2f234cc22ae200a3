"""Random command lines, generated from the options of the commands, and the checks on their outcome.

A command line is *bounded* if it has a small limit or needs none: it must end by itself.  Any other gets Ctrl-C after
``PATIENCE`` seconds and must then end.  No command compiles, listens to other machines, opens a browser or writes
outside its folder.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import stat
import webbrowser
from pathlib import Path
from typing import Any, NamedTuple

import typer

from fuzzing import box, nasty

PATIENCE = 1.0
LONGEST_LINE = 300
ALLOWED_CODES = (0, 1, 2)
INTERRUPTED = 130

GAMES = nasty.words("""
    tic-tac-toe nim nim:1,2 red-blue connect-four:4,4 mnk:3,2,2 dog-cat-mouse chess good.py good.py:Good:5 tree.json
    lists.json lecture.test
""")
WRONG_GAMES = nasty.words("""
    raises.py syntax.py leaves.py empty.py os:system good:Good missing.py missing.json nested.json binary folder
    /dev/null nim: nim:99999999 nim:-1 nim:1.5 mnk:0,0,0 mnk:9999,9999,3 connect-four:99,99 connect-four:nan,inf
    chess:weights_file=1 chess:weights_file=/nonexistent good.py:Good:x good.py:Bad tic-tac-toe:3
    good.py:Good:99999999999999999999 json:JSONDecoder plywise:Game plywise.game:Game
""")
READABLE = [
    *nasty.words(
        "answers.json positions.txt proof.json proof.gz cut.gz tree.json nested.json binary empty folder missing"
    ),
    *nasty.words("/dev/null /dev/zero data.epd results.jsonl good.py . / /proc/self/mem"),
    "",
    "x" * 5000,
]
WRITABLE = [
    *nasty.words("new.txt new.svg new.png new.tex new.csv new.json new.html new.gz new.jsonl"),
    *nasty.words("binary folder missing/new null . /nonexistent/new /proc/new results.jsonl 日"),
    *("", "\x1b[31m", "a\nb", "x" * 5000),
]
NEW_FILES = 9
"""The first NEW_FILES of WRITABLE are names of new files."""

WRITES = set(nasty.words("out proof csv plot svg png tikz dot sheet answers export moodle qti record folder name log"))
"""Parameters that name output files: they never get a path out of the folder."""

POSITIONS = ("44", "XO./.X./..O", "3,4,5", "5 0", "root", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR b - - 0 1", "k7/8/K7 w - -")
USUAL = {
    "position": POSITIONS,
    **{
        name: nasty.words(texts)
        for name, texts in {
            "algorithm": "alphabeta memo mcts maxn engine boolean scout nothing",
            "algorithms": "alphabeta,memo all engine ,",
            "answer": "value=3 pruned=A move=",
            "branching": "2 3",
            "clock": "0.1+0.01 40/1:00",
            "column": "1 2",
            "concurrency": "1 2",
            "cutoffs": "1,2 0",
            "cuts": "1 100",
            "depth": "0 1 2",
            "draw": "0,1,1 1,1",
            "first": "engine,nodes=5 random mcts,nodes=5 uci:missing alphabeta,depth=1 engine,game=x random,name=a",
            "games": "2 3",
            "host": "127.0.0.1 ::1 256.1.1.1 localhost 1.2.3",
            "iterations": "1",
            "margin": "0.1",
            "most_plies": "3",
            "name": "mygame my-game 1st class",
            "nodes": "1 50",
            "notation": "window edge interval blank",
            "option": "alpha=0 reductions=false memory_mb=1e12 seed=1 guess=nan threads=2 x=1 goal=0 policy=aged",
            "percentages": "0,50 101",
            "port": "0 80 65536",
            "positions": "1 10",
            "question": "value pruned window move",
            "random_plies": "1",
            "repeats": "1",
            "resign": "1,2 nan,1",
            "second": "random engine,nodes=5,killers=off xboard:missing engine,network=missing",
            "seconds": "0.05 0",
            "seed": "1",
            "side": "none max min 3",
            "sprt": "0,10 10,0 0,nan",
            "table_mb": "1 0.001 0",
            "threads": "1 2 0",
            "what": "1 tree.json red-blue 999999999",
            "widest": "1 3",
            "words": "isready go d quit",
        }.items()
    },
}
"""Usual values of parameters, by name."""

SMALL_LIMITS: dict[str, tuple[tuple[str, ...], ...]] = {
    "search": (("--seconds", "0.05"), ("--nodes", "30"), ("--depth", "1")),
    "perft": (("--depth", "1"),),
    "compare": (("--depth", "1"),),
    "tree": (("--depth", "1"),),
    "play": (("--depth", "1"),),
    "match": (("--games", "2", "--nodes", "10", "--most-plies", "4", "--concurrency", "1"),),
    "check": (("--games", "2"),),
    "tune-jamboree": (("--depth", "1", "--repeats", "1", "--threads", "1"),),
}
"""Options to append so that a command line is bounded."""

HUGE_GAMES = {"nim:99999999", "mnk:9999,9999,3"}
"""Games in which no limit is small enough: a position has a hundred million moves."""

NEEDS_NO_LIMIT = {"games", "algorithms", "new", "verify", "uci", "quiz"}
RARE = {"match", "tour", "warm", "serve", "tune", "tune-jamboree", "games", "algorithms"}
"""Commands that start slowly, that only Ctrl-C ends, or that can hardly fail."""


class Line(NamedTuple):
    """A command line."""

    words: list[str]
    bounded: bool


# Generating -----------------------------------------------------------------------------------------------------------


def random_line(chance: random.Random) -> Line:
    """Return a random command line.  Most have few mistakes, so that they get far."""
    from plywise.cli.commands import app

    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    name = chance.choices(list(commands), [0.2 if name in RARE else 1.0 for name in commands])[0]
    words = [name, *_parameters(chance, commands[name], chance.choice((0.0, 0.2, 0.2, 0.6)))]
    if chance.random() < 0.03:
        words.insert(chance.randint(0, len(words)), chance.choice(("--nothing", "-Z", "--help", nasty.value(chance))))
    bounded = name in NEEDS_NO_LIMIT
    if name in SMALL_LIMITS and chance.random() < 0.8:
        words += chance.choice(SMALL_LIMITS[name])
        bounded = "--" not in words  # options after it would not count
    return Line(words, bounded and not HUGE_GAMES & set(words))


def _parameters(chance: random.Random, command: Any, nastiness: float) -> list[str]:
    """Return arguments and options; ``nastiness`` is the probability that a value is nasty."""
    arguments: list[str] = []
    options: list[list[str]] = []
    for parameter in command.params:
        is_argument = not parameter.opts[0].startswith("-")
        likely = 0.98 if is_argument or parameter.required else 0.0 if parameter.name == "help" else 0.2
        for _ in range(chance.choice((1, 1, 2)) if parameter.multiple else 1):
            if chance.random() > likely:
                continue
            if is_argument:
                arguments.append(_value(chance, command.name, parameter, nastiness))
            elif parameter.is_flag:
                options.append([chance.choice([*parameter.opts, *parameter.secondary_opts])])
            else:
                options.append([chance.choice(parameter.opts), _value(chance, command.name, parameter, nastiness)])
    chance.shuffle(options)
    return [*arguments, *(word for option in options for word in option)]


def _value(chance: random.Random, command: str, parameter: Any, nastiness: float) -> str:
    """Return a usual or a nasty value for a parameter."""
    name, usual = parameter.name, chance.random() >= nastiness
    if name in WRITES:
        return _file_to_write(chance, name, usual)
    if name == "game" or (name == "games" and not parameter.opts[0].startswith("-")):
        return chance.choice(GAMES) if usual else chance.choice((*WRONG_GAMES, nasty.value(chance)))
    if name in ("file", "data", "grade", "openings", "start") or (name == "positions" and command == "analyse"):
        return chance.choice(READABLE) if usual or chance.random() < 0.7 else nasty.value(chance)
    if usual and name in USUAL:
        return chance.choice(USUAL[name])
    return nasty.value(chance)


def _file_to_write(chance: random.Random, name: str, usual: bool) -> str:
    if usual:
        return chance.choice(USUAL["name"] if name == "name" else WRITABLE[:NEW_FILES])
    text = chance.choice(WRITABLE) if chance.random() < 0.7 else nasty.value(chance)
    leads_out = text not in WRITABLE and (text.startswith(("/", "~")) or ".." in text)
    return "new.txt" if leads_out else text


# The folder -----------------------------------------------------------------------------------------------------------

GOOD = """
from typing import NamedTuple
import plywise as pw
class Pile(NamedTuple):
    left: int
    turn: int
class Good(pw.Game):
    size: int = 7
    def initial(self): return Pile(self.size, pw.MAX)
    def to_move(self, state): return state.turn
    def moves(self, state): return range(1, min(3, state.left) + 1)
    def play(self, state, move): return Pile(state.left - move, 1 - state.turn)
    def is_terminal(self, state): return state.left == 0
    def score(self, state): return 1 if state.turn == pw.MIN else -1
"""
LECTURE = '''class: "GraphGameTreeTest"
alg: "MinimaxAgent"
depth: "2"
num_agents: "2"
start_state: "A"
win_states: "D"
lose_states: "E"
successors: """
A l B
A r C
B l D
C l E
"""
evaluation: """
D 3
E -3
"""
'''
FILES: dict[str, bytes] = {
    "good.py": GOOD.encode(),
    "raises.py": GOOD.replace("state.left - move", "state.left - 1 // (move - 1)").encode(),
    "syntax.py": b"def (",
    "leaves.py": b"raise SystemExit(3)",
    "empty.py": b"",
    "answers.json": b'{"name": "A", "recipe": {"number": 1}, "answers": {"value": "-3", "pruned": "g,h"}}',
    "tree.json": b'{"player": "max", "children": [3, {"player": "min", "children": [5, 8]}]}',
    "lists.json": b"[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    "lecture.test": LECTURE.encode(),
    "nested.json": b"[" * 200_000,
    "binary": bytes(range(256)) * 20,
    "empty": b"",
    "positions.txt": b"44\n# remark\nXO./.X./..O\n5 0\n\xff\xfe\n" + b"x" * 3000 + b"\n",
    "proof.json": b'{"plywise": "proof", "version": 1, "game": "red-blue", "rules": "RedBlue()", "position": "", '
    b'"value": -3, "max": 0, "min": 0}\n',
    "data.epd": b'8/8/8/4k3/8/4K3/4P3/8 w - - c9 "1-0";\n' * 3,
    "results.jsonl": b'{"plywise": "analysis"}\n{"line": 1}\n',
}


def make_folder(folder: Path) -> None:
    """Create the folder in which a command runs, with its input files."""
    import gzip

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    packed = gzip.compress(FILES["proof.json"] * 100)
    (folder / "proof.gz").write_bytes(packed)
    (folder / "cut.gz").write_bytes(packed[: len(packed) // 2])
    (folder / "folder").mkdir()
    try:
        os.mknod(folder / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))  # a /dev/null that may be deleted
    except OSError:
        os.mkfifo(folder / "null")


# Running --------------------------------------------------------------------------------------------------------------


def run_line(line: Line, folder: Path) -> tuple[box.Outcome, str | None]:
    """Run a command line; return its outcome, and what is wrong with it or None."""
    make_folder(folder)
    outcome = box.run(lambda: _invoke(line.words, folder), folder, None if line.bounded else PATIENCE)
    return outcome, wrong(line, outcome)


def _invoke(words: list[str], folder: Path) -> int:
    """Run ``plywise`` in the sandbox."""
    from plywise.cli import run

    os.environ.update(
        PLYWISE_INTERPRET="1", PLYWISE_CACHE_DIR=str(folder / "cache"), HOME=str(folder), COLUMNS="100", BROWSER="true"
    )
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "PLYWISE_DEBUG"):
        os.environ.pop(name, None)
    webbrowser.open = lambda *arguments, **options: True
    _stay_at_home()
    return run(words)


def _stay_at_home() -> None:
    """Block name servers, and listen only on the loopback address."""
    bind, look_up = socket.socket.bind, socket.getaddrinfo

    def bind_here(this: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] in ("", "0.0.0.0", "::"):
            address = ("127.0.0.1", *address[1:])
        bind(this, address)

    def look_up_here(host: Any, *arguments: Any, **options: Any) -> Any:
        if host not in (None, "", "localhost", "127.0.0.1", "::1"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *arguments, **options)

    socket.socket.bind = bind_here  # type: ignore[assignment, method-assign]
    socket.getaddrinfo = look_up_here


def wrong(line: Line, outcome: box.Outcome) -> str | None:
    """Return what is wrong with an outcome, or None.

    An error is one line of at most ``LONGEST_LINE`` characters on stderr, with exit code 2.  Results on stdout may have
    longer lines: lines of best play, lists of moves, JSON.
    """
    both = outcome.out + outcome.err
    lines = outcome.err.splitlines()
    allowed = (*ALLOWED_CODES, INTERRUPTED) if outcome.interrupted else ALLOWED_CODES
    complaints = [text for text in lines if not text.startswith("plywise: warning: ")]
    longest = max(map(len, [*lines, *(outcome.out.splitlines() if outcome.code == 2 else ())]), default=0)
    faults = {
        f"hangs: not over after {box.HANG:.0f} s" + ", 19 of them after Ctrl-C" * outcome.interrupted: outcome.hung,
        "a traceback": "Traceback (most recent call last)" in both,
        "says that this should not happen": "should not happen" in both,
        f"exit code {outcome.code}": outcome.code not in allowed,
        f"a line of {longest} characters": longest > LONGEST_LINE,
        "a control character in the output": re.search(r"[\x00-\x08\x0b-\x1f\x7f]", both) is not None,
        "exit code 2 and no reason": outcome.code == 2 and not complaints,
        f"exit code 2 and {len(complaints)} lines": outcome.code == 2 and len(complaints) > 1,
    }
    return next((fault for fault, found in faults.items() if found), None)
