"""Every command does what it says, for people and, with --json, for programs."""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
import re
import shlex
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from plywise.cli.app import GROUPS
from plywise.engine.progress import Progress
from plywise.games import RedBlue
from plywise.games import catalogue as game_catalogue
from plywise.proof.verify import check_proof
from plywise.study.compare import Comparison, Disagreement, compare
from tests.cli.support import plywise, process
from tests.inputs.test_choose import OWN


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "games")
    assert answer.code == 0
    assert "4,531,985,219,092" in answer.out
    assert all(line == line.rstrip() for line in answer.out.splitlines())
    entries = {entry["name"]: entry for entry in json.loads(plywise(capsys, "games", "--json").out)}
    assert set(entries) == set(game_catalogue())
    assert entries["tic-tac-toe"]["positions"] == 5478
    assert [name for name, entry in entries.items() if not entry["positions"]] == ["chess"]


def test_algorithms(capsys: pytest.CaptureFixture[str]) -> None:
    assert "alphabeta_hard" in plywise(capsys, "algorithms").out
    entries = {entry["name"]: entry for entry in json.loads(plywise(capsys, "algorithms", "--json").out)}
    assert entries["aspiration"]["options"]["margin"] == 1.0
    assert entries["boolean"]["options"]["goal"] is None
    assert entries["engine"]["options"]["reductions"] is True
    assert entries["mcts"]["options"]["seed"] == 0


def test_every_algorithm_of_the_list_solves_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    for entry in json.loads(plywise(capsys, "algorithms", "--json").out):
        options = ["-o", "goal=-3"] if entry["name"] == "boolean" else []
        answer = plywise(capsys, "solve", "red-blue", "--algorithm", entry["name"], *options, "--json")
        assert answer.code == 0, answer.err
        report = json.loads(answer.out)
        assert report["algorithm"] == entry["name"]
        assert report["value"] == ([-3, 3] if entry["name"] == "maxn" else -3)
        assert not report["interrupted"]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals to threads")
@pytest.mark.parametrize("algorithm", ["engine", "mcts", "alphabeta"])
def test_an_interrupted_search_says_so_as_json(algorithm: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert plywise(capsys, "search", "connect-four", "-n", "1", "-a", algorithm).code == 0  # all is imported now
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    answer = plywise(capsys, "search", "connect-four", "-s", "30", "-a", algorithm, "--json")
    timer.join()
    assert answer.code == 130
    assert json.loads(answer.out)["interrupted"]


def test_search(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "tic-tac-toe", "-p", "XO./.X./..O", "--depth", "5", "--all-moves")
    assert answer.code == 0
    assert answer.err == ""
    assert "3 X O ." in answer.out
    assert "value     1" in answer.out
    assert "moves     c3:" in answer.out


@pytest.mark.parametrize("limit", ["--depth=2", "--seconds=0.2", "--nodes=50", "--algorithm=alphabeta"])
def test_search_as_json_with_any_limit(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "red-blue", limit, "--json")
    assert answer.code == 0
    report = json.loads(answer.out)
    assert {"value", "move", "line", "bound", "depth", "nodes", "leaves", "seconds"} <= set(report)


def test_search_options_reach_the_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "red-blue", "-a", "alphabeta", "-o", "beta=-4", "-o", "strict=true", "--json")
    assert json.loads(answer.out)["bound"] == "lower"


def test_search_and_solve_take_the_options_of_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    engine = ("--threads", "2", "--table-mb", "1", "-o", "killers=false")
    searched = json.loads(plywise(capsys, "search", "red-blue", "-n", "50", "--exact", *engine, "--json").out)
    assert (searched["algorithm"], searched["value"], searched["proven"]) == ("engine", -3, True)
    assert 0 < searched["table_fill"] < 1
    assert searched["nodes_per_second"] > 0
    selective = ("search", "red-blue", "-n", "50", "-o", "reductions=true")
    assert plywise(capsys, *selective, "--no-exact").code == 0
    assert "needs exact=False" in plywise(capsys, *selective, "--exact").err
    solved = json.loads(plywise(capsys, "solve", "red-blue", *engine, "--json").out)
    assert (solved["algorithm"], solved["value"]) == ("engine", -3)
    assert json.loads(plywise(capsys, "solve", "red-blue", "--weak", "--json").out)["value"] == -1


def test_search_by_random_games(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(
        capsys, "search", "tic-tac-toe", "-p", "XX./OO./...", "-a", "mcts", "-n", "2000", "-o", "seed=3", "--json"
    )
    report = json.loads(answer.out)
    assert (report["algorithm"], report["move"], report["value"]) == ("mcts", "c3", 1)


def test_games_of_more_players_are_searched_by_maxn(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(plywise(capsys, "search", "dog-cat-mouse", "-d", "9", "--json").out)["value"] == [5, 8, 2]
    assert json.loads(plywise(capsys, "solve", "dog-cat-mouse", "--json").out)["line"] == ["sleep", "hunt", "hide"]


def test_solve_with_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "solve", "tic-tac-toe", "-p", "XO./.X./..O", "--prove")
    assert answer.code == 0
    assert "value     1 (proven)" in answer.out
    assert "proof     checked" in answer.out
    report = json.loads(plywise(capsys, "solve", "red-blue", "--prove", "--json").out)
    assert report["proof"]["disproof"] == {"": "B", "BB": "R", "BR": "R"}


@pytest.mark.parametrize("name", ["proof.jsonl", "proof.gz"])
def test_a_proof_in_a_file_is_verified(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / name
    written = plywise(capsys, "solve", "mnk:3,3,3", "-p", "X../.O./...", "--proof", str(file))
    assert written.code == 0
    assert f"written   to {file}" in written.out
    answer = plywise(capsys, "verify", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert "game      MNK(m=3, n=3, k=3), position X../.O./..." in answer.out
    moves = r"\(a strategy of [\d,]+(?: moves)?\)"
    assert re.search(rf"proof     right: X gets at least 0 {moves}; O keeps X to at most 0 {moves}\n", answer.out)
    report = json.loads(plywise(capsys, "verify", str(file), "--json").out)
    assert report["ok"] is True
    assert report["positions"] > report["ends"] > 0
    again = json.loads(plywise(capsys, "solve", "mnk:3,3,3", "-p", "X../.O./...", "--proof", str(file), "--json").out)
    assert again["proof"] == {"file": str(file), "max": report["max"], "min": report["min"]}


def test_verify_names_what_is_wrong_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "proof.jsonl"
    plywise(capsys, "solve", "red-blue", "--proof", str(file))
    good = file.read_text()
    for old, new, arguments, line, message in (
        ('"move": "R"', '"move": "B"', (), 3, "wrong proof: Max's strategy can end at -5 in 'BBR'"),
        ('"move": "R"', '"move": "G"', (), 3, "'G' is not a legal move here; legal are: B R"),
        ('"value": -3', '"value": -2', (), 3, "wrong proof: Max's strategy can end at -3"),
        ("}", "", (), 1, "cut short, or no proof of plywise's"),
        ("red-blue", "red-blue", ("--game", "tic-tac-toe"), 1, "about 'RedBlue()', not about TicTacToe()"),
        ("red-blue", "own.py", (), 1, "about 'own.py', none of plywise's games: say where that is, with --game"),
    ):
        file.write_text(good.replace(old, new))
        answer = plywise(capsys, "verify", str(file), *arguments)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith(f"plywise: {file}: line {line}: ")
        assert message in answer.err
        assert answer.err.count("\n") == 1
        report = json.loads(plywise(capsys, "verify", str(file), *arguments, "--json").out)
        assert (report["ok"], report["line"]) == (False, line)


def test_a_proof_about_a_game_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my games").mkdir()
    game, file = tmp_path / "my games" / "own.py", str(tmp_path / "my games" / "proof.gz")
    game.write_text(OWN)
    written = plywise(capsys, "solve", str(game), "--proof", file)
    assert written.code == 0
    assert plywise(capsys, "verify", file).code == 1
    command = shlex.split(written.out.splitlines()[-1].partition("check it again with: ")[2])
    assert command == ["plywise", "verify", file, "--game", str(game)]
    assert plywise(capsys, *command[1:]).code == 0


def test_the_command_that_verifies_a_proof_about_a_game_of_plywise_s(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = plywise(capsys, "solve", "red-blue", "--proof", str(tmp_path / "proof"))
    assert written.out.splitlines()[-1].endswith(f"check it again with: plywise verify {tmp_path / 'proof'}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dog-cat-mouse"], "proofs are for two players whose scores sum to zero"),
        (["chess"], "positions of Chess(draws=True, weights_file='', chess960=False) may recur"),
        (["tic-tac-toe", "--weak"], "finds only who wins"),
        (["tic-tac-toe", "--algorithm", "maxn"], "maxn finds no exact value for Max"),
    ],
)
@pytest.mark.parametrize("wish", ["--prove", "--proof"])
def test_what_cannot_be_proved_is_refused_before_the_search(
    arguments: list[str], message: str, wish: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def begun(*arguments: object, **options: object) -> None:
        raise AssertionError("a search has begun")

    monkeypatch.setattr(importlib.import_module("plywise.search"), "solve", begun)
    file = [str(tmp_path / "proof")] if wish == "--proof" else []
    answer = plywise(capsys, "solve", *arguments, wish, *file)
    assert (answer.code, answer.out) == (2, "")
    assert f"plywise: no proof: {message}" in answer.err or f"plywise: no proof: weak=True {message}" in answer.err
    assert answer.err.count("\n") == 1


def test_a_proof_is_checked_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("plywise.proof.prove")
    checked = []

    def check(proof: Any, *rest: Any) -> Any:
        checked.append(proof)
        return check_proof(proof, *rest)

    monkeypatch.setattr(module, "check_proof", check)
    assert plywise(capsys, "solve", "red-blue", "--prove").code == 0
    assert len(checked) == 1


@pytest.mark.parametrize(
    ("progress", "value", "bounds"),
    [
        (Progress(-3, math.inf, 5000, 2.5), "at least -3 (proven)", (-3, None)),
        (Progress(-math.inf, math.inf, 5000, 2.5), "unknown", (None, None)),
        (Progress(1, 1, 5000, 2.5), "1 (proven)", (1, 1)),
    ],
)
def test_ctrl_c_prints_what_is_proven_so_far(
    progress: Progress, value: str, bounds: tuple[Any, Any], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def interrupted(*arguments: Any, on_progress: Any, **options: Any) -> None:
        on_progress(progress)
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("plywise.search"), "solve", interrupted)
    answer = plywise(capsys, "solve", "tic-tac-toe")
    assert (answer.code, answer.err) == (130, "")
    assert f"\nvalue     {value}\nsearched  by engine: 5,000 nodes, 2.5 s (interrupted)\n" in answer.out
    report = json.loads(plywise(capsys, "solve", "tic-tac-toe", "--json").out)
    assert ((report["low"], report["high"]), report["nodes"], report["interrupted"]) == (bounds, 5000, True)


def test_ctrl_c_during_the_proof_prints_the_value(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("plywise.proof.prove"), "with_proof", interrupted)
    answer = plywise(capsys, "solve", "red-blue", "--prove")
    assert answer.code == 130
    assert "value     -3 (proven)" in answer.out
    assert "(interrupted)" in answer.out
    assert "proof" not in answer.out


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "compare", "red-blue", "--algorithms", "minimax,alphabeta,pvs")
    assert answer.code == 0
    rows = {line.split()[0]: line.split() for line in answer.out.splitlines() if line.strip()}
    assert rows["minimax"][1:5] == ["-3", "B", "15", "8"]
    assert rows["alphabeta"][1:5] == ["-3", "B", "12", "6"]
    assert "b = 2, d = 3" in answer.out
    report = json.loads(plywise(capsys, "compare", "red-blue", "-a", "all", "--json").out)
    assert report["agree"] is True
    assert report["theory"] == {"exact": True, "depth": 3, "branching": 2, "most_leaves": 8, "fewest_leaves": 5}
    assert len(report["algorithms"]) >= 16


def test_a_disagreement_is_loud(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    honest = compare(RedBlue(), algorithms=["minimax", "alphabeta"])
    wrong = dataclasses.replace(honest.results[1], value=7)

    def disagree(*_: object, **__: object) -> Comparison:
        raise Disagreement(dataclasses.replace(honest, results=(honest.results[0], wrong)))

    monkeypatch.setattr(sys.modules["plywise.study.compare"], "compare", disagree)
    answer = plywise(capsys, "compare", "red-blue")
    assert answer.code == 1
    assert "DISAGREE" in answer.err
    assert "minimax -3, alphabeta 7" in answer.err


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "perft", "connect-four", "--depth", "4")
    assert answer.code == 0
    assert [line.split()[1] for line in answer.out.splitlines()[2:]] == ["7", "49", "343", "2,401"]
    report = json.loads(plywise(capsys, "perft", "tic-tac-toe", "-d", "3", "--divide", "--json").out)
    assert [row["count"] for row in report["moves"]] == [56] * 9


def test_tree(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tree", "red-blue")
    assert answer.code == 0
    assert "└─ R ▲ (-∞, -3) ≥ -2" in answer.out
    assert "Cut rule: alpha ≥ beta." in answer.out
    assert "\x1b" not in answer.out
    assert "value -3, best play B R R; 12 nodes visited, 6 of them leaves" in answer.out


def test_tree_from_a_file_strictly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lecture.json"
    file.write_text("[[3, 8], [3, 9]]")
    assert "✂ 2  alpha 3 = beta 3" in plywise(capsys, "tree", str(file)).out
    strict = plywise(capsys, "tree", str(file), "--strict").out
    assert "alpha > beta (strict)" in strict
    assert "✂ 2" not in strict


def test_tree_in_steps_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = plywise(capsys, "tree", "red-blue", "--steps").out
    assert "  1. Enter the root (Min) with the window (-∞, ∞)." in told
    assert " 33. The root (Min) returns -3." in told
    report = json.loads(plywise(capsys, "tree", "red-blue", "--steps", "--json").out)
    assert len(report["steps"]) == 33
    assert report["passes"][0]["alpha"] is None
    assert report["result"]["value"] == -3


def test_a_big_tree_is_drawn_as_deep_as_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tree", "connect-four")
    assert "to depth 2" in answer.out
    assert len(answer.out.splitlines()) < 100


def test_new_and_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    made = plywise(capsys, "new", "mygame")
    assert made.code == 0
    assert "plywise check mygame.py" in made.out
    again = plywise(capsys, "new", "mygame")
    assert again.code == 2
    assert again.err.count("\n") == 1
    checked = plywise(capsys, "check", "mygame.py", "--games", "5")
    assert checked.code == 0, checked.out
    Path("mygame.py").write_text(Path("mygame.py").read_text().replace("def is_terminal", "def is_over"))
    assert plywise(capsys, "check", "mygame.py", "--games", "5").code == 1


def test_warm_makes_machine_code_and_clear_deletes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    answer = process("warm", "red-blue", "--algorithms", "alphabeta")
    assert answer.code == 0, answer.err
    assert "Ready: 2 functions for 1 game" in answer.out
    assert len(list(tmp_path.glob("*.machinecode"))) == 2
    assert "Deleted 2 files" in process("warm", "--clear").out
    assert not list(tmp_path.glob("*.machinecode"))


def test_tour_without_a_terminal_asks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tour")
    assert answer.code == 0
    for promised in ("value     0 (proven)", "proof     checked", "depth   3", "✂ R", "Where to go next"):
        assert promised in answer.out


@pytest.mark.parametrize("log", [[], ["--log", "transcript.txt"]])
def test_uci_introduces_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    answer = process("uci", *log, "uci")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("id name plywise")
    assert answer.out.endswith("uciok\n")
    assert ("transcript.txt" in [file.name for file in tmp_path.iterdir()]) == bool(log)
    assert process("uci", "--nonsense").code == 2


def test_every_command_is_tested() -> None:
    tested = "".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py"))
    assert all(f'"{name}"' in tested for group in GROUPS.values() for name in group)


def test_tune_jamboree_measures_every_setting_and_recommends_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = tmp_path / "sweep.csv"
    settings = ("--percentages", "0,50", "--cutoffs", "2", "--repeats", "1", "--csv", str(sweep))
    answer = plywise(capsys, "tune-jamboree", "tic-tac-toe", "--depth", "4", *settings, "--json")
    report = json.loads(answer.out)
    assert report["percentage_sequential"] in (0, 50)
    assert report["cutoff"] == 2
    measured = {(row["threads"], row["percentage_sequential"]) for row in report["measurements"]}
    assert measured == {(1, 100), (2, 0), (2, 50)}
    assert len(sweep.read_text().splitlines()) == 1 + len(report["measurements"])


def test_tune_learns_weights_that_chess_can_play_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.games.chess.test_tuning import epd

    data, weights = tmp_path / "positions.epd", tmp_path / "weights.txt"
    data.write_text(epd(seed=8, games=40))
    answer = plywise(capsys, "tune", "chess", str(data), "--iterations", "5", "--out", str(weights), "--json")
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    assert report["after"] < report["before"]
    assert "plywise tune chess positions.epd --iterations 5 --out weights.txt" in weights.read_text()
    answer = plywise(capsys, "tune", "chess", str(data), "--iterations", "1")
    assert "loss " in answer.out
    assert "--out FILE writes them" in answer.out
    answer = plywise(capsys, "tune", "tic-tac-toe", str(data))
    assert (answer.code, answer.err) == (2, "plywise: tic-tac-toe has no weights to tune; chess has\n")
