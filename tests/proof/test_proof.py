"""A proof file reads back as it was written, and every change to it is detected and named."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import prove
from plywise.games import ConnectFour, Nim, RedBlue, TicTacToe, Tree
from plywise.proof.proof import Proof, read_header, read_proof, write_proof
from tests.oracle import random_position, real_leaves, trees, value_of, whole_leaves

CORNER = "XO./.X./..O"
"""X, to move, wins."""


@pytest.fixture
def proof() -> Proof:
    with pw.interpreted():
        return prove(TicTacToe(), TicTacToe().parse(CORNER), 1)


@pytest.fixture
def file(proof: Proof, tmp_path: Path) -> Path:
    write_proof(proof, tmp_path / "proof.jsonl")
    return tmp_path / "proof.jsonl"


def change(file: Path, line: int, **fields: Any) -> None:
    """Change fields of a line, counted from 1; None takes a field away."""
    lines = file.read_text().splitlines()
    item = {**json.loads(lines[line - 1]), **fields}
    lines[line - 1] = json.dumps({name: value for name, value in item.items() if value is not None})
    file.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("name", ["proof.jsonl", "proof.jsonl.gz"])
@pytest.mark.parametrize("game", [TicTacToe(), Nim((2, 3, 1)), ConnectFour(4, 4), RedBlue()])
def test_what_is_written_is_read(game: pw.Game, name: str, tmp_path: Path) -> None:
    for seed in range(3):
        state = random_position(game, seed)
        with pw.interpreted():
            proof = prove(game, state, value_of(game, state))
        write_proof(proof, tmp_path / name, "its name")
        assert read_header(tmp_path / name).game == "its name"
        again = read_proof(tmp_path / name, game)
        assert again == proof
        assert pw.check_proof(again) == pw.check_proof(proof)
        assert [file.name for file in tmp_path.iterdir()] == [name]


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)))
@settings(max_examples=50)
def test_real_values_come_back_exactly(tree: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    game = Tree.from_json(tree)
    file = tmp_path_factory.getbasetemp() / "tree.gz"
    with pw.interpreted():
        proof = prove(game, game.initial(), value_of(game, game.initial()))
    write_proof(proof, file)
    assert read_proof(file, game) == proof


def test_one_proof_is_the_same_bytes_compressed_or_not(proof: Proof, tmp_path: Path) -> None:
    for name in ("a", "a.gz", "b.gz"):
        write_proof(proof, tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == (tmp_path / "a").read_bytes()


def test_the_file_is_lines_of_texts(file: Path) -> None:
    header, *moves = map(json.loads, file.read_text().splitlines())
    assert header["game"] == "tic-tac-toe"
    assert header["position"] == CORNER
    assert len(moves) == header["max"] + header["min"]
    assert moves[0] == {"player": "max", "position": CORNER, "move": moves[0]["move"]}


@pytest.mark.parametrize("old", [None, "an older proof"])
def test_an_interrupted_writer_leaves_the_file_as_it_was(proof: Proof, old: str | None, tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "proof.gz"
    if old:
        file.write_text(old)
    with pytest.raises(KeyboardInterrupt):
        write_proof(proof, file, tell=interrupt)
    assert list(tmp_path.iterdir()) == ([file] if old else [])
    assert not old or file.read_text() == old


def test_progress_is_told(proof: Proof, file: Path) -> None:
    for work in (
        lambda tell: read_proof(file, TicTacToe(), tell),
        lambda tell: pw.check_proof(proof, tell),
    ):
        told: list[tuple[int, int]] = []
        work(lambda done, total, told=told: told.append((done, total)))
        assert told == [(i, len(proof)) for i in range(1, len(proof) + 1)]


@pytest.mark.parametrize(
    ("line", "fields", "message"),
    [
        (1, {"plywise": None}, "line 1: .* is not a plywise proof"),
        (1, {"version": 2}, "line 1: version 2 of proof files is not supported, only 1"),
        (1, {"rules": "MNK(m=4, n=4, k=3)"}, r"line 1: this is a proof about 'MNK\(m=4, n=4, k=3\)', not about Tic"),
        (1, {"value": "1"}, "line 1: 'value' is missing or of the wrong type: '1'"),
        (1, {"value": True}, "line 1: 'value' is missing"),
        (1, {"position": "XO"}, "line 1: 'XO' is not a position"),
        (1, {"max": 3}, "truncated or changed: line 1 promises 3 moves of max"),
        (2, {"player": None}, "line 2: wanted a player"),
        (2, {"player": "min"}, "line 2: O is not to move in"),
        (2, {"position": "nowhere"}, "line 2: 'nowhere' is not a position"),
        (2, {"move": "a3"}, "line 2: 'a3' is not a legal move here"),
        (2, {"move": 3}, "line 2: wanted a player"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(file: Path, line: int, fields: dict[str, Any], message: str) -> None:
    change(file, line, **fields)
    with pytest.raises(pw.ProofError, match=message) as error:
        read_proof(file, TicTacToe())
    assert "\n" not in str(error.value)


def test_a_number_of_thousands_of_digits_is_no_traceback(file: Path) -> None:
    first, _, rest = file.read_text().partition("\n")
    file.write_text(first.replace('"version": 1', '"version": ' + 5000 * "9") + "\n" + rest)
    with pytest.raises(pw.ProofError, match=r"line 1: .* this is not JSON"):
        read_proof(file, TicTacToe())


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that can be opened, but not read")
def test_a_file_that_cannot_be_read_is_named() -> None:
    with pytest.raises(OSError, match="/proc/self/mem"):
        read_proof("/proc/self/mem", TicTacToe())


def without_last_line(content: bytes) -> bytes:
    return content[: content.rindex(b"\n", 0, -1) + 1]


@pytest.mark.parametrize("cut", [without_last_line, lambda content: content[:-9], lambda content: content[:40]])
def test_a_file_that_was_cut_short_is_noticed(file: Path, cut: Callable[[bytes], bytes]) -> None:
    file.write_bytes(cut(file.read_bytes()))
    with pytest.raises(pw.ProofError, match="truncated"):
        read_proof(file, TicTacToe())


@pytest.mark.parametrize("length", [-9, 40])
def test_a_compressed_file_that_was_cut_short_is_noticed(file: Path, length: int) -> None:
    file.write_bytes(gzip.compress(file.read_bytes())[:length])
    with pytest.raises(pw.ProofError, match="truncated or damaged: it cannot be decompressed"):
        read_proof(file, TicTacToe())


def test_a_position_has_one_move(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines, lines[1]]))
    with pytest.raises(pw.ProofError, match=f"line {len(lines) + 1}: this position already has a move, in line 2"):
        read_proof(file, TicTacToe())


def test_every_move_that_breaks_the_promise_is_found_with_a_line(tmp_path: Path) -> None:
    game, file = TicTacToe(), tmp_path / "proof"
    with pw.interpreted():
        write_proof(prove(game, game.parse("X../.O./..."), 0), file)
    original, broken = file.read_text(), {"max": 0, "min": 0}
    for line, text in enumerate(original.splitlines()[1:], 2):
        item = json.loads(text)
        state = game.parse(item["position"])
        for move in game.moves(state):
            after = value_of(game, game.play(state, move))
            if after < 0 if item["player"] == "max" else after > 0:
                change(file, line, move=game.format_move(state, move))
                with pytest.raises(pw.ProofError, match=r"^line \d+: wrong proof: [XO]'s strategy"):
                    pw.check_proof(read_proof(file, game))
                file.write_text(original)
                broken[item["player"]] += 1
    assert min(broken.values()) > 10


def test_a_wrong_value_is_found(file: Path) -> None:
    for value in (-1, 0, 0.5, 2):
        change(file, 1, value=value)
        with pytest.raises(pw.ProofError, match="wrong proof"):
            pw.check_proof(read_proof(file, TicTacToe()))


class Place(NamedTuple):
    at: int


class Ring(pw.Game):
    """Max walks around or goes home, which is worth 0; no position is the end unless Max wants it to be."""

    def initial(self) -> Place:
        return Place(1)

    def to_move(self, state: Place) -> int:
        return pw.MAX

    def moves(self, state: Place) -> Iterator[int]:
        yield 0
        yield 1 + state.at % 3

    def play(self, state: Place, move: int) -> Place:
        return Place(move)

    def is_terminal(self, state: Place) -> bool:
        return state.at == 0

    def score(self, state: Place) -> int:
        return 0


def test_a_strategy_that_never_ends_proves_nothing() -> None:
    walk = {Place(1): 2, Place(2): 3, Place(3): 1}
    with pytest.raises(pw.ProofError, match="wrong proof: Max's strategy can go on forever: it repeats '1'"):
        pw.check_proof(Proof(Ring(), Place(1), 5, walk, {}))
    with pytest.raises(pw.ProofError, match="wrong proof: Max's strategy can end at 0 in '0'"):
        pw.check_proof(Proof(Ring(), Place(1), 5, {**walk, Place(3): 0}, {}))


def test_the_bounds_of_the_rules_end_a_strategy() -> None:
    game = ConnectFour()
    with pw.interpreted():
        proof = prove(game, game.parse("445566"), 18)  # no win is worth more: there is nothing for O to prove
    assert len(proof.disproof) == 0
    assert pw.check_proof(proof).bounded >= 1


def test_a_checker_shares_nothing_with_the_search() -> None:
    code = (
        "import sys, plywise.proof.verify\n"
        "rooms = {name.split('.')[1] for name in sys.modules if name.startswith('plywise.')}\n"
        "print(*rooms - {'cells', 'compiling', 'errors', 'game', 'games', 'io', 'layers', 'proof'})"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "\n"
