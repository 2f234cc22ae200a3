"""Files of positions give back what was written, survive crashes and refuse what is not theirs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plywise.errors import SearchError
from plywise.learning.positions import (
    BESIDE,
    FIRST,
    MARK,
    PositionFile,
    Positions,
    hashes_in,
    joined,
    read_chunks,
    read_header,
    read_positions,
)

GAME = ("Some(3)", "abc", 4)


def some(seed: int, count: int = 50) -> Positions:
    """Return made-up positions: the last word is a hash, the others change a little from row to row."""
    random = np.random.default_rng(seed)
    rows = np.cumsum(random.integers(-3, 4, (count, 4)), axis=0)
    rows[:, 3] = random.integers(-(1 << 63), (1 << 63) - 1, count)
    flags = random.choice([0, 1, 4, BESIDE, BESIDE | 1], count).astype(np.uint8)
    flags[:: count // 5] |= FIRST
    results = random.choice([-1, 0, 1, np.nan], count).astype(np.float32)
    return Positions(
        rows, random.integers(-900, 900, count).astype(np.float32), results, np.arange(count, dtype=np.uint16), flags
    )


def assert_same(one: Positions, other: Positions) -> None:
    for name in ("rows", "values", "results", "plies", "flags"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
        assert getattr(one, name).dtype == getattr(other, name).dtype, name


def write(path: Path, *parts: Positions) -> None:
    with PositionFile(path, *GAME) as file:
        for part in parts:
            file.append(part)


def test_a_file_gives_back_what_was_written_in_several_sessions(tmp_path: Path) -> None:
    path, parts = tmp_path / "p", [some(seed, 7 * seed) for seed in range(1, 5)]
    for part in parts:
        write(path, part)
    assert_same(read_positions(path, *GAME[:2]), joined(parts))
    with PositionFile(path, *GAME) as file:
        assert file.count == sum(map(len, parts))


@pytest.mark.parametrize("values", [[0.0, 1.0], [-128.0, 5.0], [40000.0, np.nan], [0.5, 3e9], [-(2.0**31), np.inf]])
def test_values_of_any_size_are_kept_exactly(tmp_path: Path, values: list[float]) -> None:
    part = some(1, 20)
    part = Positions(part.rows, np.array(values * 10, dtype=np.float32), part.results, part.plies, part.flags)
    write(tmp_path / "p", part)
    assert_same(read_positions(tmp_path / "p"), part)


def test_game_numbers_count_all_games_of_a_file(tmp_path: Path) -> None:
    write(tmp_path / "p", some(1), some(2))
    games = read_positions(tmp_path / "p").games
    assert games.tolist() == sorted(games)
    assert games[-1] + 1 == 10


def test_a_torn_chunk_is_dropped_and_nothing_else(tmp_path: Path) -> None:
    path, parts = tmp_path / "p", [some(1), some(2)]
    write(path, parts[0])
    complete = path.read_bytes()
    write(path, parts[1])
    whole = path.read_bytes()
    for size in range(len(complete), len(whole), 17):
        path.write_bytes(whole[:size])
        assert_same(read_positions(path), parts[0])
        write(path, parts[1])
        assert path.read_bytes() == whole


def test_a_torn_header_is_written_again(tmp_path: Path) -> None:
    write(tmp_path / "p")
    whole = (tmp_path / "p").read_bytes()
    for size in range(0, len(whole), 9):
        (tmp_path / "p").write_bytes(whole[:size])
        write(tmp_path / "p", some(1))
        assert_same(read_positions(tmp_path / "p"), some(1))


def test_a_damaged_chunk_is_skipped(tmp_path: Path) -> None:
    path, parts = tmp_path / "p", [some(1), some(2), some(3)]
    write(path, *parts)
    content = bytearray(path.read_bytes())
    content[content.find(MARK, content.find(MARK) + 1) + 40] ^= 1
    path.write_bytes(content)
    write(path, some(4))
    assert_same(read_positions(path), joined([parts[0], parts[2], some(4)]))


KILLED = """
import sys
from pathlib import Path
from tests.learning.test_positions import GAME, PositionFile, some
with PositionFile(Path(sys.argv[1]), *GAME) as file:
    for seed in range(1, 1 << 30):
        file.append(some(seed))
        print(seed, flush=True)
"""


def test_a_killed_writer_loses_at_most_the_chunk_it_was_writing(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path / "p")], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    for _ in range(20):
        told = int(writer.stdout.readline())
    os.kill(writer.pid, signal.SIGKILL)
    told = int(([str(told), *writer.stdout.read().split()])[-1])
    writer.wait()
    write(tmp_path / "p")
    chunks = list(read_chunks(tmp_path / "p"))
    assert told <= len(chunks) <= told + 1
    assert_same(joined(chunks), joined(map(some, range(1, len(chunks) + 1))))


def test_one_program_writes_at_a_time(tmp_path: Path) -> None:
    with PositionFile(tmp_path / "p", *GAME), pytest.raises(SearchError, match="another program is writing to"):
        PositionFile(tmp_path / "p", *GAME)
    write(tmp_path / "p")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (("Some(3)", "abd", 4), r"those of Some\(3\), .*fingerprint differs"),
        (("Some(3)", "abc", 5), "words differs"),
    ],
)
def test_positions_of_another_game_are_refused(tmp_path: Path, other: tuple[str, str, int], message: str) -> None:
    write(tmp_path / "p", some(1))
    content = (tmp_path / "p").read_bytes()
    with pytest.raises(SearchError, match=message):
        PositionFile(tmp_path / "p", *other)
    if other[2] == GAME[2]:
        with pytest.raises(SearchError, match=message):
            read_positions(tmp_path / "p", *other[:2])
    assert (tmp_path / "p").read_bytes() == content


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", b'{"plywise": "positions 1"}\n00000000\n', b"[1]\n2\n", b"\xff" * 99]
)
def test_a_damaged_header_is_explained(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p").write_bytes(content)
    with pytest.raises(SearchError, match="is not a file of positions of this version, or its header is damaged"):
        read_positions(tmp_path / "p")
    if content:
        with pytest.raises(SearchError, match="header is damaged"):
            PositionFile(tmp_path / "p", *GAME)
        assert (tmp_path / "p").read_bytes() == content


def test_hashes_are_found_and_may_be_left_out(tmp_path: Path) -> None:
    part = some(1, 500)
    assert hashes_in(part) == (3,)
    write(tmp_path / "whole", part)
    for _ in range(2):  # the second time the file has its own words to leave out
        with PositionFile(tmp_path / "p", *GAME, left_out=(3,), settings={"nodes": 5}) as file:
            file.append(part)
    assert read_header(tmp_path / "p")["settings"] == {"nodes": 5}
    part.rows[:, 3] = 0
    assert_same(read_positions(tmp_path / "p"), joined([part, part]))
    assert (tmp_path / "p").stat().st_size / 2 < (tmp_path / "whole").stat().st_size - 7 * len(part)


def test_games_compress_well(tmp_path: Path) -> None:
    """Rows of which one bit changes take about two bytes, not the eight of a word."""
    random = np.random.default_rng(1)
    rows = np.bitwise_xor.accumulate(np.left_shift(1, random.integers(0, 62, (4000, 1))), axis=0)
    zeros = np.zeros(4000, dtype=np.float32)
    write_to = tmp_path / "p"
    with PositionFile(write_to, "One()", "x", 1) as file:
        file.append(Positions(rows, zeros, zeros, zeros.astype(np.uint16), zeros.astype(np.uint8)))
    assert write_to.stat().st_size < 2 * 4000
