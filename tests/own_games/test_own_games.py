"""Each game in this folder goes through every feature of plywise, and everything gives the oracle's value.

Impossible requests, such as a proof for three players, are refused in one sentence.  Commands run in this process and
interpreted, except in tests named "compiled" and for ``check``, which compares both readings.  The tests of one game
form a group, so that ``--dist loadgroup`` gives whole games to a worker.
"""

from __future__ import annotations

import functools
import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.inputs.choose import choose_game
from plywise.study.check import check_game
from tests.cli.support import Answer, plywise
from tests.oracle import end_of, solution_of, value_of

FOLDER = Path(__file__).parent
NAMES = sorted(file.stem for file in FOLDER.glob("[a-z]*.py") if not file.stem.startswith("test_"))
THREE_PLAYERS = "coins"
TWO_PLAYERS = [name for name in NAMES if name != THREE_PLAYERS]
LONGEST_REFUSAL = 300

KNOWN = {
    "chomp": 1,  # the first player wins, by strategy stealing (Gale 1974)
    "hex": 1,  # the same (Nash)
    "othello": -8,  # 4x4: 3 to 11
    "gomoku": 1,  # three in a row on more than 3x3
}
"""Published values: they check the rules, which the oracle believes."""

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def each(names: list[str]) -> pytest.MarkDecorator:
    """Run a test with the games of these names."""
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names])


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    if "compiled" not in request.function.__name__:
        monkeypatch.setenv("PLYWISE_INTERPRET", "1")


def file_of(name: str) -> str:
    return str(FOLDER / f"{name}.py")


@functools.cache
def game_of(name: str) -> pw.Game:
    """The game as a command finds it: machine code is made once for both."""
    return choose_game(file_of(name))


@functools.cache
def known_positions(name: str) -> dict[Any, Any]:
    return {}


def oracle(name: str, state: Any = None) -> Any:
    """A position's value by the oracle: Max's score, or everybody's in the game for three."""
    game = game_of(name)
    scores = solution_of(game, game.initial() if state is None else state, known_positions(name))
    return scores if name == THREE_PLAYERS else scores[0]


def line_of_play(name: str) -> list[Any]:
    """The positions of a game in which everybody takes the middle one of the moves."""
    game, states = game_of(name), [game_of(name).initial()]
    while not game.is_terminal(states[-1]):
        moves = list(game.moves(states[-1]))
        states.append(game.play(states[-1], moves[len(moves) // 2]))
    return states


def refused(answer: Answer) -> str:
    """Check that a command says no in one line, and return what it says."""
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert len(answer.err) <= LONGEST_REFUSAL
    assert "should not happen" not in answer.err
    return answer.err


# Check ----------------------------------------------------------------------------------------------------------------


@each(NAMES)
def test_check_finds_nothing_wrong_also_compiled(name: str) -> None:
    report = check_game(game_of(name), games=20, seconds=None)
    assert not report.findings, str(report)
    assert report.games == 20
    assert report.comparisons > 0


@each(sorted(KNOWN))
def test_the_rules_give_the_value_that_is_known_of_the_game(name: str) -> None:
    assert oracle(name) == KNOWN[name]


def test_somebody_moves_twice_in_a_row() -> None:
    """Or these games would not show what a page or a list of moves makes of it."""
    for name in ("dots_and_boxes", "kalah", "othello"):
        players = [game_of(name).to_move(state) for state in line_of_play(name)[:-1]]
        assert any(one == other for one, other in itertools.pairwise(players)), name


# Search and solve -----------------------------------------------------------------------------------------------------


@each(TWO_PLAYERS)
def test_a_search_to_a_depth_gives_minimax_at_that_depth(name: str) -> None:
    game = game_of(name)
    wanted = value_of(game, game.initial(), 3)
    for algorithm in ("engine", "alphabeta", "pvs", "mtdf"):
        assert pw.search(game, depth=3, algorithm=algorithm).value == wanted, algorithm


@each(NAMES)
def test_a_search_to_the_end_by_an_algorithm_of_the_textbook(name: str) -> None:
    result = pw.search(game_of(name), algorithm="maxn" if name == THREE_PLAYERS else "memo")
    assert result.value == oracle(name)


@each(NAMES)
@pytest.mark.parametrize("limit", [{"seconds": 0.2}, {"nodes": 300}, {"depth": 2}], ids=str)
def test_every_limit_gives_a_line_that_can_be_played(name: str, limit: dict[str, Any]) -> None:
    game = game_of(name)
    result = pw.search(game, **limit)
    assert result.move == result.line[0]
    end_of(game, game.initial(), result.line)
    if result.proven:
        assert result.value == oracle(name)


def test_an_algorithm_for_two_refuses_three_players() -> None:
    with pytest.raises(pw.SearchError) as error:
        pw.search(game_of(THREE_PLAYERS), depth=3, algorithm="alphabeta")
    assert "players" in str(error.value)
    assert len(str(error.value)) <= LONGEST_REFUSAL


@each(NAMES)
def test_solve_gives_the_value_and_the_line_that_earns_it(name: str) -> None:
    game = game_of(name)
    result = pw.solve(game)
    assert (result.value, result.proven) == (oracle(name), True)
    end = end_of(game, game.initial(), result.line)
    if game.is_terminal(end):
        assert (tuple(game.scores(end)) if name == THREE_PLAYERS else game.score(end)) == result.value


@each(NAMES)
def test_compiled_search_and_solve_give_the_same(name: str) -> None:
    """The only test that compiles searches: the engine's two, or max^n for three."""
    game = game_of(name)
    with pw.interpreted():
        wanted = pw.search(game, depth=3).value
    assert pw.search(game, depth=3).value == wanted
    for state in line_of_play(name)[:-1]:
        assert pw.solve(game, state).value == oracle(name, state), game.format(state)


# Proofs ---------------------------------------------------------------------------------------------------------------


@each(TWO_PLAYERS)
def test_a_proof_is_written_and_verified(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    solved = plywise(capsys, "solve", file_of(name), "--proof", "proof.gz", "--json")
    assert (solved.code, solved.err) == (0, "")
    assert json.loads(solved.out)["value"] == oracle(name)
    verified = plywise(capsys, "verify", "proof.gz", "--game", file_of(name), "--json")
    report = json.loads(verified.out)
    assert (verified.code, report["ok"], report["value"]) == (0, True, oracle(name))
    refusal = plywise(capsys, "verify", "proof.gz", "--game", "tic-tac-toe")
    assert refusal.code == 1
    assert refusal.err.count("\n") == 1


@each(TWO_PLAYERS)
def test_a_proof_in_python_holds(name: str) -> None:
    proof = pw.solve(game_of(name), proof=True).proof
    assert proof is not None
    assert proof.value == oracle(name)
    assert pw.check_proof(proof).ends > 0


def test_a_proof_for_three_players_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--prove"], ["--proof", "proof.gz"]):
        assert "players" in refused(plywise(capsys, "solve", file_of(THREE_PLAYERS), *option))
    assert not Path("proof.gz").exists()


# Files of positions ---------------------------------------------------------------------------------------------------


@each(TWO_PLAYERS)
def test_a_file_of_positions_is_analysed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game, states = game_of(name), line_of_play(name)
    Path("positions.txt").write_text("".join(f"{game.format(state)}\n" for state in states))
    answer = plywise(capsys, "analyse", file_of(name), "positions.txt", "--out", "results.jsonl", "--all-moves")
    assert (answer.code, answer.err) == (0, "")
    _, *results = map(json.loads, Path("results.jsonl").read_text().splitlines())
    assert [result["value"] for result in results] == [oracle(name, state) for state in states]
    for state, result in zip(states, results, strict=True):
        assert result["moves"] == {
            game.format_move(state, move): oracle(name, game.play(state, move)) for move in game.moves(state)
        }


def test_positions_of_three_players_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("positions.txt").write_text("0 8 0,0,0 0\n")
    answer = plywise(capsys, "analyse", file_of(THREE_PLAYERS), "positions.txt", "--out", "results.jsonl")
    assert "players" in refused(answer)


# Matches --------------------------------------------------------------------------------------------------------------


@each(TWO_PLAYERS)
def test_two_bots_that_see_everything_play_to_the_value(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["-1", "engine,depth=40", "-2", "engine,depth=40,name=other"]
    report = json.loads(plywise(capsys, "match", file_of(name), *bots, "-n", "2", "--json").out)
    drawn = oracle(name) == 0
    assert (report["wins"], report["draws"], report["losses"]) == ((0, 2, 0) if drawn else (1, 0, 1))
    assert report["faults"] == []


def test_a_match_of_three_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "players" in refused(plywise(capsys, "match", file_of(THREE_PLAYERS), "--nodes", "10", "-n", "2"))


# Play -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(name: str, typed: str, *arguments: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return plywise(capsys, "play", file_of(name), *arguments, "--depth", "40")

    return run


@each(NAMES)
def test_the_search_plays_itself_to_the_value(name: str, play: Any) -> None:
    answer = play(name, "", "--side", "none")
    game, value = game_of(name), oracle(name)
    if name == THREE_PLAYERS:
        ending = "The game is over: Anna gets 16, Ben 16 and Carla 7."
    else:
        ending = f"{game.player_name(0 if value > 0 else 1)} wins" if value else "A draw"
    assert answer.out.splitlines()[-1].startswith(ending)
    assert answer.err == ""


@each(NAMES)
def test_a_person_gets_help_moves_takes_back_and_leaves(name: str, play: Any) -> None:
    game, start = game_of(name), game_of(name).initial()
    best = game.format_move(start, pw.solve(game).move)
    answer = play(name, f"moves\nhint\nnonsense\n{best}\nundo\nquit\n")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{game.title}\nYou are {game.player_name(game.to_move(start))}.")
    assert f"Legal moves: {' '.join(game.format_move(start, move) for move in game.moves(start))}." in answer.out
    said = pw.solve(game).said()
    assert f": value {oracle(name)}{f', {said}' if said else ''}, solved in" in answer.out
    assert "'nonsense' is not a legal move" in answer.out
    assert answer.out.count(game.board(start)) >= 2  # at first, and when the move was taken back
    assert answer.out.endswith("Good-bye.\n")


# The page -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    pytest.importorskip("fastapi", reason="the page needs the extra web")
    pytest.importorskip("httpx", reason="the tests of the page need httpx")
    from fastapi.testclient import TestClient

    from plywise.web.app import create_app

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        with TestClient(create_app(map(file_of, NAMES), workers=1), base_url="http://127.0.0.1") as client:
            yield client


@each(NAMES)
def test_a_game_on_the_page(name: str, page: Any) -> None:
    game, title = game_of(name), type(game_of(name)).__name__
    state, moves = game.initial(), list[str]()
    for _ in range(3):  # more than one move each, unless a player moves twice
        answer = page.post("/api/play/position", json={"game": title, "moves": moves})
        assert answer.status_code == 200, answer.text
        legal = [move["text"] for move in answer.json()["legal"]]
        assert legal == [game.format_move(state, move) for move in game.moves(state)]
        assert answer.json()["to_move"] == game.to_move(state)
        thought = page.post("/api/play/think", json={"game": title, "moves": moves, "seconds": 60}).text
        event, data = thought.strip().split("\n\n")[-1].split("\n")
        assert event == "event: done", thought
        done = json.loads(data.removeprefix("data: "))
        assert done["move"] in legal
        after = game.play(state, game.parse_move(state, done["move"]))
        assert oracle(name, after) == oracle(name, state)
        moves, state = [*moves, done["move"]], after


def test_a_wrong_move_on_the_page_is_refused(page: Any) -> None:
    answer = page.post("/api/play/position", json={"game": "Hex", "moves": ["b2", "b2"]})
    assert answer.status_code == 422
    assert "'b2' is not a legal move" in answer.json()["detail"]
