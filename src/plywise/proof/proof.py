"""A proof of a value: a strategy for each side that guarantees it; in memory and in a file.

A proof file is text, one JSON object a line; it is compressed if its name ends in ``.gz``.  The first line states what
is proved; every other line is a move of one strategy, in the game's own notation:

    {"plywise": "proof", "version": 1, "game": "red-blue", "rules": "RedBlue()", "position": "", "value": -3,
     "max": 2, "min": 3}
    {"player": "max", "position": "B", "move": "R"}
    ...

``game`` is the game's name on the command line, ``rules`` its class and parameters; ``max`` and ``min`` are the numbers
of moves of the strategies, so that a truncated file is noticed.  This module neither searches nor trusts what it reads:
``plywise.proof.verify`` checks it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from plywise.errors import PositionError, ProofError, SearchError
from plywise.game import MAX, MIN, Game, Move, State
from plywise.games import name_of
from plywise.io.files import written_whole

Strategy = Mapping[State, Move]
"""A move for every reachable position in which its owner is to move and ``bounds`` do not yet guarantee the value."""

Tell = Callable[[int, int], None]
"""Called with the number of moves done and their total."""

VERSION = 1
LONGEST_TEXT = 1 << 20
"""The most characters in a line."""
OWNERS = {"max": MAX, "min": MIN}


@dataclasses.dataclass(frozen=True)
class Proof:
    """A proof that a position has the value ``value``: a strategy for each side that guarantees it."""

    game: Game = dataclasses.field(repr=False)
    state: State
    value: Any
    proof: Strategy = dataclasses.field(repr=False)
    """MAX's strategy, which guarantees at least ``value``."""
    disproof: Strategy = dataclasses.field(repr=False)
    """MIN's strategy, which guarantees at most ``value``."""
    lines: Mapping[tuple[int, State], int] = dataclasses.field(default_factory=dict, repr=False, compare=False)
    """The line numbers in the file that the proof was read from, by owner and position."""

    def strategy(self, owner: int) -> Strategy:
        """Return the strategy of MAX or of MIN."""
        return self.proof if owner == MAX else self.disproof

    def __len__(self) -> int:
        return len(self.proof) + len(self.disproof)

    def summary(self) -> str:
        """Return one line: what each side guarantees, and the size of its strategy."""
        first, second = self.game.player_name(MAX), self.game.player_name(MIN)
        return (
            f"{first} gets at least {self.value} (a strategy of {len(self.proof):,} moves); "
            f"{second} keeps {first} to at most {self.value} (a strategy of {len(self.disproof):,})"
        )

    def __str__(self) -> str:
        return "\n".join(
            f"{self.game.player_name(owner)} has a strategy for {relation} {self.value}: "
            f"{len(self.strategy(owner))} positions"
            for owner, relation in ((MAX, "at least"), (MIN, "at most"))
        )

    def to_json(self) -> dict[str, Any]:
        """Return the proof with positions and moves as text."""

        def texts(strategy: Strategy) -> dict[str, str]:
            return {self.game.format(s): self.game.format_move(s, move) for s, move in strategy.items()}

        return {
            "position": self.game.format(self.state), "value": self.value,
            "proof": texts(self.proof), "disproof": texts(self.disproof),
        }  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Header:
    """The first line of a proof file: what is proved, and how many moves each strategy has."""

    game: str
    rules: str
    position: str
    value: float
    max: int
    min: int


def nobody(done: int, total: int) -> None:
    """Ignore progress."""


# Writing --------------------------------------------------------------------------------------------------------------


def write_proof(proof: Proof, file: str | Path, game: str | None = None, tell: Tell = nobody) -> None:
    """Write a proof to a file atomically.

    ``game`` is the game's name on the command line; default: the name of its class.
    """
    rules = proof.game
    header = Header(
        game or name_of(rules), repr(rules), rules.format(proof.state), proof.value, len(proof.proof),
        len(proof.disproof),
    )  # fmt: skip
    done = 0
    with _created(Path(file)) as out:
        out.write(_json({"plywise": "proof", "version": VERSION, **dataclasses.asdict(header)}))
        for side, owner in OWNERS.items():
            for state, move in proof.strategy(owner).items():
                out.write(_json({
                    "player": side, "position": rules.format(state), "move": rules.format_move(state, move)
                }))  # fmt: skip
                done += 1
                tell(done, len(proof))


def _json(item: Mapping[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False) + "\n"


@contextlib.contextmanager
def _created(file: Path) -> Iterator[IO[str]]:
    """Open a text file for writing that replaces ``file`` at the end, unless an exception is raised."""
    with written_whole(file) as raw:
        packed: Any = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if file.suffix == ".gz" else raw  # no name, no time
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()
            if packed is not raw:
                packed.close()


# Reading --------------------------------------------------------------------------------------------------------------


def read_header(file: str | Path) -> Header:
    """Return what a file claims to prove.

    Raises:
        ProofError: the file is not a proof, or its version is not supported.
        OSError: the file cannot be read.
    """
    for _, item in _items(Path(file)):
        if item.get("plywise") != "proof":
            break
        if item.get("version") != VERSION:
            raise ProofError(f"version {item.get('version')!r} of proof files is not supported, only {VERSION}", 1)
        kinds = {"game": str, "rules": str, "position": str, "value": (int, float), "max": int, "min": int}
        for name, kind in kinds.items():
            if not isinstance(item.get(name), kind) or isinstance(item.get(name), bool):  # type: ignore[arg-type]
                raise ProofError(f"{name!r} is missing or of the wrong type: {item.get(name)!r}", 1)
        return Header(**{name: item[name] for name in kinds})
    raise ProofError(f"{file} is not a plywise proof", 1)


def read_proof(file: str | Path, game: Game, tell: Tell = nobody) -> Proof:
    """Read a proof about ``game`` from a file, without checking it: see ``check_proof``.

    Raises:
        ProofError: the file is for another game, damaged, or has an invalid position or an illegal move; the message
            names the line.
        OSError: the file cannot be read.
    """
    header = read_header(file)
    if header.rules != repr(game):
        raise ProofError(f"this is a proof about {header.rules!r}, not about {game!r}", 1)
    total = header.max + header.min
    strategies: dict[int, dict[State, Move]] = {MAX: {}, MIN: {}}
    lines: dict[tuple[int, State], int] = {}
    start = None
    for line, item in _items(Path(file)):
        try:
            if start is None:
                start = game.parse(header.position)
                continue
            owner, state, move = _read_move(game, item)
        except (PositionError, ProofError) as error:
            raise ProofError(str(error), line) from None
        if (owner, state) in lines:
            raise ProofError(f"this position already has a move, in line {lines[owner, state]}", line)
        strategies[owner][state], lines[owner, state] = move, line
        tell(len(lines), total)
    found = {side: len(strategies[owner]) for side, owner in OWNERS.items()}
    for side, promised in (("max", header.max), ("min", header.min)):
        if found[side] != promised:
            raise ProofError(f"{file} is truncated or changed: line 1 promises {promised} moves of {side}, "
                             f"there are {found[side]}", 1 + len(lines))  # fmt: skip
    return Proof(game, start, header.value, strategies[MAX], strategies[MIN], lines)


def _read_move(game: Game, item: Mapping[str, Any]) -> tuple[int, State, Move]:
    """Return the owner, the position and the move of a line."""
    side, position, move = (item.get(name) for name in ("player", "position", "move"))
    if side not in OWNERS or not isinstance(position, str) or not isinstance(move, str):
        raise ProofError(f"wanted a player (max or min), a position and a move, as strings: {json.dumps(item):.100}")
    state = game.parse(position)
    if not game.is_terminal(state) and game.to_move(state) != OWNERS[side]:
        raise ProofError(f"{game.player_name(OWNERS[side])} is not to move in {position!r}")
    return OWNERS[side], state, game.parse_move(state, move)


def _items(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every line's number and content."""
    line = 0
    try:
        with _opened(file) as lines:
            for line, text in enumerate(_bounded(file, lines), 1):
                item = json.loads(text)
                if not isinstance(item, dict):
                    raise ProofError("this is not a JSON object", line)
                yield line, item
    except RecursionError:
        raise SearchError(f"{file} is not a plywise proof: line {line} is nested too deeply") from None
    except ValueError as error:  # no JSON, no UTF-8, or a number with thousands of digits
        if isinstance(error, SearchError):
            raise
        raise ProofError(f"{file} is truncated, or not a plywise proof: this is not JSON", max(line, 1)) from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ProofError(f"{file} is truncated or damaged: it cannot be decompressed", line + 1) from None
    except OSError as error:
        error.filename = error.filename or str(file)  # errors in reading do not name the file
        raise


def _bounded(file: Path, lines: IO[str]) -> Iterator[str]:
    """Yield lines; refuse a line that is too long for a proof, which might never end."""
    while text := lines.readline(LONGEST_TEXT):
        if len(text) == LONGEST_TEXT:
            raise SearchError(f"{file} is not a plywise proof: a line has more than {LONGEST_TEXT:,} characters")
        yield text


def _opened(file: Path) -> IO[str]:
    with file.open("rb") as raw:
        compressed = raw.read(2) == b"\x1f\x8b"
    return gzip.open(file, "rt", encoding="utf-8") if compressed else file.open(encoding="utf-8")
