"""Games that come from elsewhere: what is read from texts, and what is set up on a board, is legal for the page."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

from fastapi.testclient import TestClient

import plywise as pw
from plywise.games import catalogue
from plywise.layers import CHANCE, setting_up
from plywise.layers import view as view_layer
from plywise.layers.view import cells_of
from plywise.web import reading
from plywise.web.app import create_app
from plywise.web.offered_games import Games
from plywise.web.reading import read
from plywise.web.score_sheet import read_sheet
from plywise.web.worker import Job

TESTS = Path(__file__).parents[1]
OWN = [str(TESTS / "own_games" / file) for file in ("othello.py", "gomoku.py")]
GAMES = Games(OWN)
PGN = """\ufeff[Event "A "quoted" cup"]\r
[White-Elo "2100"]\r
[White "Ann"]\r
[Black "Bob"]\r
\r
1.e4 e5 2.♘f3 $300 ♞c6! {solid} (2... d6 3. d4 (3. Bc4 Be7) 3... exd4) 3. Bb5 ± a6 4. O-O ; a remark\r
Nf6 5. e1g1 1-0\r

[Event "Null"]
1. d4 d5 2. -- Nf6 ½-½

[Event "En passant"]
1. e2e4 d5 2. e5 f5 3. exf6 e.p. Nxf6 4. Bc4+- ½-½
"""


@pytest.fixture(autouse=True, scope="module")
def interpreted() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        yield


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(OWN, workers=1), base_url="http://127.0.0.1") as made:
        yield made


def given(name: str, text: str, parameters: str = "") -> dict[str, Any]:
    """Return what a worker reads from a text, and check that all of it is legal."""
    with pw.interpreted():
        answer = json.loads(read(Job(GAMES, print, {}), name, parameters, text))
        for game in answer["games"]:
            check_legal(answer["game"], game)
    return answer


def check_legal(name: str, game: dict[str, Any]) -> None:
    """Check that a line and its variations can be played on the page, and that names are those of the moves."""

    def check(line: list[dict[str, Any]], before: list[str], rolls: bool) -> None:
        texts = [move["text"] for move in line]
        sheet = read_sheet(GAMES.make(name, game["parameters"]), game["start"], [*before, *texts], game["seed"])
        names = [text for text, mover in zip(sheet.names, sheet.movers, strict=True) if mover != CHANCE]
        assert [move["name"] for move in line] == names[len(before) :]
        for number, move in enumerate(line):
            for variation in move["variations"]:
                assert variation
                check(variation, [*before, *texts[:number]], rolls)

    check(game["line"], [], game["seed"] is not None)


def names(game: dict[str, Any]) -> str:
    return " ".join(move["name"] for move in game["line"])


# Texts ----------------------------------------------------------------------------------------------------------------


def test_pgn_is_read_as_it_is_found() -> None:
    first, null, passing = given("chess", PGN)["games"]
    assert first["title"] == 'Ann – Bob, A "quoted" cup'
    assert first["tags"]["White-Elo"] == "2100"
    assert names(first) == "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6"
    assert [move["nags"] for move in first["line"][2:5]] == [[300], [1], [16]]
    assert (first["line"][3]["comment"], first["line"][6]["comment"]) == ("solid", "a remark")
    (line,) = first["line"][3]["variations"]
    assert [move["name"] for move in line] == ["d6", "d4", "exd4"]
    assert [move["name"] for move in line[1]["variations"][0]] == ["Bc4", "Be7"]
    assert first["result"] == "1-0"
    assert first["problem"].startswith("line 7, White's move 5: 'e1g1' is not a legal move here; did you mean ")
    assert names(null) == "d4 d5"
    assert null["problem"] == "line 10, White's move 2: '--' is a null move, which is not legal here"
    assert (names(passing), passing["result"]) == ("e4 d5 e5 f5 exf6 Nxf6 Bc4", "1/2-1/2")
    assert passing["problem"] is None


@pytest.mark.parametrize(
    ("chosen", "text", "game", "moves", "notice"),
    [
        ("connect-four", '[White "A"]\n1. e4 e5 *', "chess", "e4 e5", "This is Chess, not Connect Four."),
        ("connect-four", "1. e4 e5", "chess", "e4 e5", "This is Chess, not Connect Four."),
        ("chess", "(;SZ[9];B[cc];W[dd])", "go", "C7 D6", "This is Go, not Chess."),
        ("chess", '[Event "x"]\n1. 11-15 23-19', "checkers", "11-15 23-19", "This is Checkers, not Chess."),
        ("go", '{"game": "Nim(heaps=(3,))", "start": "3 max", "moves": ["a1"]}', "nim", "a1", "This is Nim, not Go."),
        ("connect-four", "4455", "connect-four", "4 4 5 5", ""),
        ("connect-four", "1. 4 4 2. 5 {why?} 5!", "connect-four", "4 4 5 5", ""),
        ("othello", "F5d6 c3", "othello", "f5 d6 c3", ""),
        ("kalah", "CFb", "kalah", "C F b", ""),
        ("chess", "position startpos moves e2e4 e7e5", "chess", "e4 e5", ""),
        ("tic-tac-toe", "1. a1 b2 2. c3", "tic-tac-toe", "a1 b2 c3", ""),
        ("Othello", "(;GM[1]SZ[9];B[cc])", "go", "C7", "This is Go, not Othello (yours)."),
    ],
)  # fmt: skip
def test_a_text_is_read_as_the_game_that_it_is_of(chosen: str, text: str, game: str, moves: str, notice: str) -> None:
    answer = given(chosen, text)
    assert (answer["game"], answer["notice"]) == (game, notice)
    assert [names(each) for each in answer["games"]] == [moves]
    assert answer["games"][0]["problem"] is None


def test_the_board_of_a_file_is_that_of_its_game() -> None:
    (game,) = given(
        "go", "(;SZ[9]KM[5.5]PB[Lee]PW[Cho]RE[B+2.5]HA[2]AB[cc][gg];W[ee]C[hm]BM[1];W[dd](;B[aa])(;B[bb]))"
    )["games"]
    assert (game["parameters"], game["result"], game["title"]) == ("komi=5.5", "B+2.5", "Lee – Cho")
    assert game["start"].endswith("white")
    assert names(game) == "E5 pass D6 A9"
    assert (game["line"][0]["comment"], game["line"][0]["nags"]) == ("hm", [2])
    assert [names({"line": line}) for line in game["line"][3]["variations"]] == ["B8"]
    (large,) = given("go", "(;SZ[13];B[cc])")["games"]
    assert "width=13" in large["parameters"]


def test_positions_are_read_line_by_line() -> None:
    fens = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\n\n# a comment\nnonsense\n8/8/8/8/8/8/4k3/K7 w - - 0 1\n"
    first, second, third = given("chess", fens)["games"]
    assert (first["start"], third["start"]) == ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 40", "8/8/8/8/8/8/4k3/K7 w - - 0 1")
    assert "this is no list of moves" in second["problem"]
    (exercise,) = given("chess", '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "x";')["games"]
    assert (exercise["start"], exercise["problem"]) == ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None)
    assert exercise["comment"] == 'bm e4; id "x";'
    assert given("tic-tac-toe", "X../.O./...")["games"][0]["start"] == "X../.O./..."


SAVED_PIG = '{"game": "Pig(goal=100)", "start": "0-0 max 0", "moves": [], "seed": %s, "players": %s}'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("nim", " \n", "there is nothing to read"),
        ("go", "(;GM[40];B[cc])", "this SGF file is of another game .GM.40.., but only Go is read from SGF"),
        ("go", "(;GM[2];B[cc])", "this SGF file is of Othello .GM.2.., but only Go is read from SGF"),
        ("chess", "x" * 1_000_001, "the text has 1,000,001 characters; at most 1,000,000 are read at a time"),
        ("chess", '{"game": "Halma()", "moves": []}', "this is a game of Halma, which is not on offer here"),
        ("chess", '{"game": "Nim(", "moves": []}', "is no game such as"),
        ("chess", '{"game": "Nim(heaps=__import__(1))", "moves": []}', "is no game such as"),
        ("chess", '{"game": "Pig()", "moves": []}', "a game with dice has the seed of its dice"),
        ("pig", SAVED_PIG % (-1, '["A", "B"]'), "seed must be a number from 0 to 1,000,000,000,000,000, not -1"),
        ("pig", SAVED_PIG % (10**15 + 1, '["A", "B"]'), "seed must be a number from 0 to"),
        ("pig", SAVED_PIG % (3, "3"), "players must be a list of names, not 3"),
        ("pig", SAVED_PIG % (3, "[3]"), r"players must be a list of names, not \[3\]"),
    ],
)
def test_what_is_no_game_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(pw.PlywiseError, match=message):
        given(name, text)


def test_only_so_many_games_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_GAMES", 3)
    answer = given("chess", "1. e4 * " * 5)
    assert (len(answer["games"]), answer["notice"]) == (3, "These are only the first 3 games: 3 are read at a time.")
    monkeypatch.setattr(reading, "SECONDS", -1.0)
    assert given("chess", "1. e4 *")["notice"] == (
        "These are only the first 0 games: reading the others would take too long."
    )


def test_a_line_ends_where_the_game_is_over_on_the_page() -> None:
    (repeated,) = given("chess", f"{'Nf3 Nf6 Ng1 Ng8 ' * 3} e4")["games"]
    assert len(repeated["line"]) == 8
    assert repeated["problem"] == "move 9: the game is over before it: the position has been repeated"
    (mate,) = given("chess", "f3 e5 g4 Qh4 a3")["games"]
    assert "the game is over" in mate["problem"]
    (over,) = given("go", "(;SZ[5];B[];W[];B[cc])")["games"]
    assert names(over) == "pass pass"
    assert "the game goes on after two passes" in over["problem"]


def test_deep_nesting_is_cut_off() -> None:
    (game,) = given("chess", "1. e4 " + "(1. d4 " * 5000)["games"]
    assert names(game) == "e4"
    assert "nested more than 20 deep" in game["notes"][0]
    (tree,) = given("go", "(;SZ[5];B[aa]" + "(;W[bb])(;W[cc]" * 3000)["games"]
    assert names(tree) == "A5 B4"


# Fuzz and round trips -------------------------------------------------------------------------------------------------


def played(name: str, chance: random.Random, plies: int) -> tuple[list[str], int | None]:
    """Return the moves of a random game, and the seed of its dice."""
    game = GAMES.make(name)
    seed = chance.randrange(1000) if isinstance(game, pw.Chance) else None
    moves: list[str] = []
    sheet = read_sheet(game, None, [], seed)
    while sheet.over is None and len(moves) < plies:
        moves.append(game.format_move(sheet.state, chance.choice(list(islice(sheet.legal, 400)))))
        sheet = sheet.play(moves[-1])
    return moves, seed


@pytest.mark.parametrize("name", [*catalogue(), "Othello", "Gomoku"])
def test_a_game_that_is_saved_is_read_again(client: TestClient, name: str) -> None:
    for number in range(3):
        chance = random.Random(f"{name} {number}")
        moves, seed = played(name, chance, 12 * (number + 1))
        saved = client.post("/api/play/record", json={"game": name, "moves": moves, "seed": seed}).json()
        other = "nim" if name != "nim" and saved["name"].endswith(("json", "pgn", "pdn", "sgf")) else name
        answer = given(other, saved["text"])
        assert answer["game"] == name
        (game,) = answer["games"]
        assert ([move["text"] for move in game["line"]], game["seed"]) == (moves, seed)
        assert (game["problem"], game["start"]) == (None, None)


def test_a_game_from_a_position_and_with_parameters_is_read_again(client: TestClient) -> None:
    for name, parameters, start, moves in (
        ("connect-four", "width=6,height=5", "3344", ["1", "2"]),
        ("chess", "", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40", ["e8d7"]),
        ("mnk", "4,4,3", "X.../.O../..../....", ["d1"]), ("go", "9", "D4 E5", ["C3", "pass"]),
    ):  # fmt: skip
        body = {"game": name, "parameters": parameters, "start": start, "moves": moves}
        saved = client.post("/api/play/record", json=body).json()
        (game,) = given("nim", saved["text"])["games"]
        made = GAMES.make(name, game["parameters"])
        assert made == GAMES.make(name, parameters)
        assert cells_of(made, made.parse(game["start"])) == cells_of(made, made.parse(start))
        assert [move["text"] for move in game["line"]] == moves


SEEDS = [
    PGN, "(;SZ[9]HA[2]AB[cc][gg];W[ee];B[dd](;W[aa])(;W[bb];B[ba]))(;SZ[5];B[])", "1. 11-15 22-18 {x} (22-17) 15x22 *",
    '{"game": "Pig(goal=100)", "start": "0-0 max 0", "moves": ["roll", "4"], "movers": [0, -1], "seed": 3}',
    "f5d6c3", "4455 3", "X../.O./...", "W:W18,24,K27:B12,16", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40",
]  # fmt: skip


def damaged(chance: random.Random) -> str:
    """Return a text that was cut, doubled and sprinkled with signs."""
    text = chance.choice(SEEDS)
    for _ in range(chance.randrange(6)):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.randrange(1, 20))
        signs = "(){}[];$!?.-+=\\\"'\0\n\ufeff♘½…0123456789abxNQ "
        new = chance.choice(["", text[at:to] * 2, chance.choice(SEEDS)[:50], *chance.choices(signs, k=3)])
        text = text[:at] + new + text[to:]
    return text


@pytest.mark.parametrize(
    "name", ["chess", "checkers", "go", "othello", "connect-four", "tic-tac-toe", "pig", "Othello"]
)
def test_whatever_is_read_is_legal(name: str) -> None:
    """``given`` checks that; here nothing else than a refusal may come of any text."""
    for seed in range(60):
        text = damaged(random.Random(f"{name} {seed}"))
        try:
            answer = given(name, text)
        except pw.PlywiseError:
            continue
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}: {text!r}") from error
        assert answer["games"], (name, seed)
        json.dumps(answer)


# The requests ---------------------------------------------------------------------------------------------------------


def test_a_text_is_read_by_a_worker(client: TestClient) -> None:
    answer = client.post("/api/play/read", json={"game": "chess", "text": PGN})
    assert answer.status_code == 200
    assert answer.json() == given("chess", PGN)
    empty = client.post("/api/play/read", json={"game": "chess", "text": ""})
    assert (empty.status_code, empty.json()["detail"]) == (422, "there is nothing to read")


@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "mnk", "connect-four", "chess", "checkers", "othello", "go", "Othello"]
)
def test_a_board_that_was_reached_can_be_set_up(client: TestClient, name: str) -> None:
    moves, _ = played(name, random.Random(name), 11)
    for number in range(len(moves) + 1):
        shown = client.post("/api/play/position", json={"game": name, "moves": moves[:number]}).json()
        assert shown["view"]["editable"]
        if shown["to_move"] is None:
            continue
        body = {"game": name, "cells": shown["view"]["cells"], "player": shown["to_move"]}
        again = client.post("/api/play/set-up", json=body).json()
        assert (again["view"]["cells"], again["to_move"]) == (shown["view"]["cells"], shown["to_move"])
        assert client.post("/api/play/position", json={"game": name, "start": again["text"]}).json() == again


@pytest.mark.parametrize(
    ("name", "changes", "player", "message"),
    [
        ("chess", {60: 0}, 0, "White has no king"),
        ("chess", {52: 0, 3: 0, 44: 11}, 1, "White, who is not to move, is in check"),
        ("checkers", {0: 1}, 0, "pieces stand on the dark squares only"),
        ("checkers", {62: 1}, 0, "a man cannot stay a man on 32; a king is K32"),
        ("connect-four", {0: 1}, 1, "a stone hangs in the air in column 1"),
        ("connect-four", {35: 1}, 0, "with these stones O is to move, because X moved first"),
        ("connect-four", {35: 1, 36: 1}, 0, "X moves first, so there must be as many X as O, or one more"),
        ("tic-tac-toe", {0: 2}, 0, "X moves first, so there must be as many X as O, or one more"),
        ("tic-tac-toe", {0: 1}, 0, "with these marks O is to move, because X moved first"),
        ("go", {0: 1, 1: 2, 9: 2}, 0, "the stones at A9 have no liberty"),
        ("Othello", {}, 5, "White cannot be to move here"),
        ("nim", {}, 0, "positions of Nim cannot be set up on the board"),
        ("Gomoku", {}, 0, "positions of Small Gomoku cannot be set up on the board"),
        ("tic-tac-toe", {0: 9}, 0, "there is no piece 9; 0 is none, and pieces are 1 to 2"),
    ],
)
def test_an_impossible_board_is_refused_in_a_sentence(
    client: TestClient, name: str, changes: dict[int, int], player: int, message: str
) -> None:
    cells = client.post("/api/play/position", json={"game": name}).json()["view"]["cells"]
    for place, piece in changes.items():
        cells[place] = piece
    answer = client.post("/api/play/set-up", json={"game": name, "cells": cells, "player": player})
    assert (answer.status_code, answer.json()["detail"]) == (422, message)


def test_the_server_makes_no_experiments(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would hold up everybody; a worker makes them when a board is set up."""

    def experiment(game: Any) -> None:
        raise AssertionError(game)

    for module in (setting_up, view_layer):
        monkeypatch.setattr(module, "inferred", experiment)
    shown = client.post("/api/play/position", json={"game": "Othello"}).json()
    assert shown["view"]["editable"]
    body = {"game": "Othello", "cells": shown["view"]["cells"], "player": 0}
    assert client.post("/api/play/set-up", json=body).json()["view"] == shown["view"]


def test_a_board_must_have_all_places(client: TestClient) -> None:
    answer = client.post("/api/play/set-up", json={"game": "chess", "cells": [0], "player": 0})
    assert (answer.status_code, answer.json()["detail"]) == (422, "the board has 64 places, not 1")
