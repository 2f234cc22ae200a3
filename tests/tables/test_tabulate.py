"""Tables of whole games: how many positions, what they are worth, and files that survive."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import plywise as pw
from plywise.games import Chess, ConnectFour, Nim, TicTacToe
from tests.oracle import value_of
from tests.tables.graphs import random_walk
from tests.tables.killing import WORKS
from tests.take_away import TakeAway


@pytest.mark.parametrize(
    ("game", "positions"),
    [(TicTacToe(), 5_478), (ConnectFour(4, 4), 161_029), (ConnectFour(4, 5), 1_706_255)],
    ids=repr,
)
def test_every_position_is_counted_once(game, positions):
    assert len(pw.tabulate(game)) == positions


@pytest.mark.parametrize("game", [TicTacToe(), Nim((1, 2, 3)), Nim((2, 2), misere=True)], ids=repr)
def test_values_are_those_of_minimax_and_best_moves_keep_them(game):
    table = pw.tabulate(game)
    chosen = random.Random(1)
    for state in chosen.sample(list(table.positions()), min(len(table), 150)):
        found = table[state]
        assert found.value == value_of(game, state), state
        if game.is_terminal(state):
            assert (found.move, found.distance) == (None, 0)
        else:
            after = table[game.play(state, found.move)]
            assert (after.value, after.distance) == (found.value, found.distance - 1)


@pytest.mark.parametrize(
    ("game", "count"), [(TicTacToe(), 5_478), (ConnectFour(4, 4), 10_000), (ConnectFour(4, 5), 1_000)], ids=repr
)
def test_values_are_those_of_the_engine(game, count):
    table, engine = pw.tabulate(game), pw.Engine(game)
    rows = random.Random(2).sample(range(len(table)), count)
    states = [table.state(row) for row in rows]
    for state, solved in zip(states, engine.solve_many(states), strict=True):
        assert table[state].value == solved.value, game.format(state)


def test_what_is_not_reachable_is_not_in_the_table():
    game = ConnectFour(4, 4)
    table = pw.tabulate(game, ["1122", "12"])
    assert "1122" in table
    assert "121" in table
    assert "11" not in table
    assert "nonsense" not in table
    with pytest.raises(pw.PositionError, match="not in this table"):
        table["1"]


def test_roots_may_be_given_twice_and_lead_to_one_another():
    game = TicTacToe()
    apart = ["XX./OO./...", "X.O/.XO/..."]
    for roots in (["XXO/OOX/X.."] * 2, [*apart, *apart], ["XX./OO./...", "XX./OOX/...", "XX./OO./X..", *apart]):
        table = pw.tabulate(game, roots)
        assert len(table) == len(set(table.positions()))
        assert set(table.positions()) == {state for root in roots for state in pw.tabulate(game, root).positions()}
        assert all(table[root] == pw.tabulate(game, root)[root] for root in roots)


def test_the_clock_and_the_move_number_of_chess_are_history():
    # The pawns block each other and guard all squares between the kings, which have 16 and 24 squares.
    game = Chess()
    blocked = "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 37 90"
    table = pw.tabulate(game, blocked)
    assert len(table) == 16 * 24 * 2
    assert table.summary.drawn == len(table)
    assert table[blocked].distance is None
    assert table["4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/3K4/8 b - - 99 3"].value == 0


def test_king_and_rook_win_in_sixteen_moves_at_most():
    game = Chess()
    table = pw.tabulate(game, "8/8/8/4k3/8/8/8/K6R w - - 0 1")
    assert table.summary.longest_win == 32
    assert table.summary.lost == 0
    longest = table[table.summary.longest_position]
    assert game.score_text(longest.value) == "White mates in 16"
    assert len(table.line(table.summary.longest_position)) == 32


def test_the_number_of_threads_changes_nothing(tmp_path):
    for threads in (1, 3):
        pw.tabulate(ConnectFour(4, 4), out=tmp_path / str(threads), threads=threads)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()


def test_plain_python_makes_the_same_table(tmp_path):
    for game in (TicTacToe(), Nim((1, 2, 3)), random_walk(5, 60, dice=True, forward=0.0)):
        pw.tabulate(game).save(tmp_path / "compiled")
        with pw.interpreted():
            pw.tabulate(game).save(tmp_path / "interpreted")
        assert (tmp_path / "compiled").read_bytes() == (tmp_path / "interpreted").read_bytes()


def test_a_file_opens_again_and_is_not_made_again(tmp_path):
    game, file = ConnectFour(4, 4), tmp_path / "table"
    made = pw.tabulate(game, out=file)
    written = file.stat().st_mtime_ns
    again = pw.tabulate(game, out=file)
    assert file.stat().st_mtime_ns == written
    assert again.summary == made.summary == pw.tables.load(file, game).summary
    assert made["1122"] == again["1122"]
    assert not (tmp_path / "table.part").exists()


def test_damaged_and_foreign_files_are_refused(tmp_path):
    file = tmp_path / "table"
    pw.tabulate(TicTacToe()).save(file)
    content = file.read_bytes()
    for cut in (0, 10, 100, 5000, len(content) - 1):
        file.write_bytes(content[:cut])
        with pytest.raises(pw.SearchError, match=r"not a table|damaged"):
            pw.tables.load(file, TicTacToe())
    file.write_bytes(content.replace(b'"positions"', b'"positionz"'))
    with pytest.raises(pw.SearchError, match="checksum"):
        pw.tables.load(file, TicTacToe())
    file.write_bytes(content)
    with pytest.raises(pw.SearchError, match=r"a table of TicTacToe\(\), not of"):
        pw.tables.load(file, ConnectFour(4, 4))
    with pytest.raises(pw.SearchError, match="another table"):
        pw.tabulate(TicTacToe(), "X../.../...", out=file)


def test_a_table_made_with_other_rules_is_refused(tmp_path):
    class Misere(TicTacToe):
        def score(self, state) -> int:
            return -TicTacToe.score(self, state)

    Misere.__name__ = Misere.__qualname__ = "TicTacToe"
    pw.tabulate(TicTacToe()).save(tmp_path / "table")
    with pytest.raises(pw.SearchError, match="other rules"):
        pw.tables.load(tmp_path / "table", Misere())


def test_other_rules_are_told_by_their_digest_alone(tmp_path):
    class Renamed(TicTacToe):
        def score(self, state) -> int:
            result = TicTacToe.score(self, state)
            return result + result - result

    Renamed.__name__ = Renamed.__qualname__ = "TicTacToe"
    file = tmp_path / "table"
    pw.tabulate(TicTacToe()).save(file)
    with pytest.raises(pw.SearchError, match=r"other rules of TicTacToe\(\)"):
        pw.tables.load(file, Renamed())
    with pytest.raises(pw.SearchError, match="other rules"):
        pw.tables.verify(file, Renamed())
    assert pw.tables.load(file, Renamed(), check=False)["XX./OO./..."].value == 1


def test_an_altered_file_is_found_out_by_verify(tmp_path):
    file = tmp_path / "table"
    pw.tabulate(TicTacToe(), out=file)
    assert pw.tables.verify(file, TicTacToe())["positions"] == 5478
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    pw.tables.load(file, TicTacToe())
    with pytest.raises(pw.SearchError, match="the checksum of its content is wrong"):
        pw.tables.verify(file)


def test_a_second_program_is_told_that_the_file_is_being_written(tmp_path):
    file = tmp_path / "table"
    refusals = []

    def second(*_: object) -> None:
        with pytest.raises(pw.SearchError, match="another program is writing to") as refusal:
            pw.tabulate(TicTacToe(), out=file, fresh=True)
        refusals.append(refusal)

    assert len(pw.tabulate(TicTacToe(), out=file, on_progress=second)) == 5478
    assert refusals
    assert [each.name for each in tmp_path.iterdir()] == ["table"]
    (tmp_path / "table.lock").touch()  # as a killed program leaves it
    assert len(pw.tabulate(TicTacToe(), out=file)) == 5478


def test_a_finished_game_is_a_table_too():
    for text in ("XXX/OO./...", "XXO/OOX/XOX"):
        table = pw.tabulate(TicTacToe(), text)
        assert len(table) == 1
        assert table[text] == (TicTacToe().score(TicTacToe().parse(text)), None, 0)


def test_a_game_for_three_is_refused():
    with pytest.raises(pw.SearchError, match="two players"):
        pw.tabulate(pw.games.DogCatMouse())


@pytest.mark.parametrize("tolerance", [0, -1e-9, float("inf"), float("nan")])
def test_a_tolerance_is_a_number_above_zero(tolerance):
    with pytest.raises(pw.SearchError, match="must be a number above zero"):
        pw.tabulate(TicTacToe(), tolerance=tolerance)


class Race(pw.FastestWin, TakeAway):
    """Scores ignore speed, so each ply to the win costs a point."""

    win_score = 10_000

    def score(self, state) -> int:
        return 10_000 * TakeAway.score(self, state)


def test_with_fastest_win_values_are_those_of_the_search():
    game = Race()
    table, engine = pw.tabulate(game), pw.Engine(game)
    for state in table.positions():
        if not game.is_terminal(state):
            solved = engine.solve(state, all_moves=True)
            found = table.search(state, all_moves=True)
            assert (found.value, found.moves) == (solved.value, solved.moves)
            assert found.value == table[state].value == found.moves[found.move]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_interrupted_work_that_began_afresh_does_not_leave_the_old_table(tmp_path):
    file = tmp_path / "table"
    pw.tabulate(TicTacToe(), out=file)
    written = file.stat().st_ino, file.stat().st_mtime_ns
    with pytest.raises(KeyboardInterrupt):
        pw.tabulate(TicTacToe(), out=file, fresh=True, on_progress=interrupted)
    assert not file.exists()
    pw.tabulate(TicTacToe(), out=file)
    assert (file.stat().st_ino, file.stat().st_mtime_ns) != written


def test_what_a_killed_program_left_is_removed_and_nothing_else(tmp_path):
    file, digits = tmp_path / "table", "0123456789abcdef" * 2
    others = {".table.2." + digits + ".tmp", f".table.{digits[1:]}.tmp", ".table.notes.tmp", f"table.{digits}.tmp"}
    torn = {f".table.{digits}.tmp", f".table.part.{digits}.tmp"}
    for left in (torn, torn | {"table.part"}):  # the table is unfinished, then finished
        for name in others | left:
            (tmp_path / name).touch()
        pw.tabulate(TicTacToe(), out=file)
        assert {each.name for each in tmp_path.iterdir()} == others | {"table"}


def test_a_damaged_or_foreign_checkpoint_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("plywise.tables.checkpoint.LEAST_SECONDS", 0)
    monkeypatch.setattr("plywise.tables.checkpoint.SHARE", 0)
    file, part = tmp_path / "table", tmp_path / "table.part"

    def interrupt_solving(what: str, done: int, total: int) -> None:
        if what == "Solving":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pw.tabulate(TicTacToe(), out=file, on_progress=interrupt_solving)
    content = part.read_bytes()
    line = content.index(b"\n")
    foreign = [b"", b"[]\n", b"{}\n", b"\xff\xfe\n", b"notes\n"]
    renamed = [content.replace(f'"{key}"'.encode(), b'"other"') for key in ("arrays", "envelopes", "packing", "graded")]
    for wrong in (*foreign, *renamed, *(content[:cut] for cut in (9, line + 1, line + 40, len(content) - 1))):
        part.write_bytes(wrong)
        with pytest.raises(pw.SearchError, match=r"table\.part.*--fresh"):
            pw.tabulate(TicTacToe(), out=file)
    part.write_bytes(content)
    with pytest.raises(pw.SearchError, match="unfinished work on another table"):
        pw.tabulate(TicTacToe(), "X../.../...", out=file)
    assert len(pw.tabulate(TicTacToe(), out=file)) == 5478


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("work", [work for work in WORKS if work != "king and rook"])  # which takes a minute
def test_killed_work_resumes_and_ends_in_the_same_file(tmp_path, work):
    whole, file = tmp_path / "whole", tmp_path / "file"
    game, root = WORKS[work]()
    pw.tabulate(game, root, out=whole)
    killing = [sys.executable, "-m", "tests.tables.killing", work, str(file)]
    answer = subprocess.run(killing, stdout=subprocess.PIPE, check=True, timeout=300)
    assert file.read_bytes() == whole.read_bytes()
    assert {each.name for each in tmp_path.iterdir()} == {"file", "whole"}
    kills, resumed = map(int, answer.stdout.split())
    assert kills >= 5
    assert resumed >= 5


def test_progress_and_need_are_told():
    told: list[tuple] = []
    needs: list = []
    pw.tabulate(ConnectFour(4, 4), on_progress=lambda *news: told.append(news), on_need=needs.append)
    assert {what.split(":")[0] for what, _, _ in told} == {"Finding positions", "Solving"}
    (need,) = needs
    assert 161_029 / 3 < need.positions < 161_029 * 3
    assert np.isfinite(need.megabytes)
