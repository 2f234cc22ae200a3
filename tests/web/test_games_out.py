"""Games that are saved: the file says what the page shows, and opened again it shows the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

from fastapi.testclient import TestClient

from plywise.web.offered_games import Games
from plywise.web.score_sheet import ScoreSheet, read_sheet
from tests.web.serving import OWN, interpreting, post

OWN_GAMES = [f"{OWN}:{name}" for name in ("Noted", "Tosses", "Faulty")]
GAMES = Games(OWN_GAMES)
COMMENTS = ["", "", "good", 'a "quote", [brackets] (and these): 1. e4 e5; 100 % \\', "word " * 40 + "end", "½–½ 妙手"]
TAGS = {
    "chess": {"Event": 'A "cup"', "Date": "2024.01.02", "White": "Ann", "Black": "Bob", "Größe-1": "ä"},
    "checkers": {"White": "Ann", "Black": "Bob \\ Cy"},
    "go": {"PB": "Ann", "PW": "Bob", "EV": "Cup [1]: a\\b", "RU": "Japanese"},
    "connect-four": {"Event": "Cup", "X": "Ann", "O": "Bob"},
    "pig": {"Max": "Ann"},
}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with interpreting(*OWN_GAMES) as made:
        yield made


class Trees:
    """Makes random games with comments, annotations and variations, which begin with other moves than they replace."""

    def __init__(self, chance: random.Random, nags: list[list[int]]) -> None:
        self.chance, self.nags = chance, nags

    def line(self, sheet: ScoreSheet, most: int, depth: int = 2) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = []
        while sheet.over is None and len(moves) < most:
            few = self.chance.sample(sheet.legal, min(3, len(sheet.legal)))
            text, *others = (sheet.game.format_move(sheet.state, move) for move in few)
            branches = depth > 0 and self.chance.random() < 0.3
            variations = [
                [self.move(other), *self.line(sheet.play(other), 4, depth - 1)] for other in others if branches
            ]
            moves.append({**self.move(text), "variations": variations})
            sheet = sheet.play(text)
        return moves

    def move(self, text: str) -> dict[str, Any]:
        comment, nags = self.chance.choice(COMMENTS), self.chance.choice(self.nags)
        return {"text": text, "comment": comment, "nags": nags, "variations": []}


def without_names(line: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a line that was read as requests have it."""
    return [
        {
            **{name: move[name] for name in ("text", "comment", "nags")},
            "variations": [without_names(variation) for variation in move["variations"]],
        }
        for move in line
    ]


@pytest.mark.parametrize(
    "name", ["chess", "checkers", "go", "connect-four", "othello", "kalah", "pig", "backgammon", "Tosses"]
)
@pytest.mark.parametrize("number", range(4))
def test_what_is_saved_is_read_again(client: TestClient, name: str, number: int) -> None:
    chance = random.Random(f"{name} {number}")
    seed = chance.randrange(1000) if GAMES.has_dice(name) else None
    nags = [[], [], [1], [2], [3], [4], [5], [6]] if name == "go" else [[], [], [2], [6, 16], [300]]
    line = Trees(chance, nags).line(read_sheet(GAMES.make(name), None, [], seed), 12)
    comment, tags = chance.choice(COMMENTS), TAGS.get(name, {})
    saved = post(client, "record", game=name, moves=line, comment=comment, tags=tags, seed=seed).json()
    answer = post(client, "read", game=name, text=saved["text"]).json()
    (again,) = answer["games"]
    assert (answer["game"], again["problem"], again["notes"]) == (name, None, [])
    assert without_names(again["line"]) == line
    assert again["comment"] == comment
    assert again["tags"].items() >= tags.items()
    known = {name: again[name] for name in ("parameters", "start", "seed", "comment", "tags", "result")}
    assert post(client, "record", game=name, moves=again["line"], **known).json() == saved


def test_a_review_and_the_names_are_in_the_file(client: TestClient) -> None:
    f5 = {"text": "f5", "nags": [4], "comment": "Blunder. Best was e5 (0.2).", "variations": [["e5", "Nf3"], ["c5"]]}
    file = post(client, "record", game="chess", moves=["e4", f5, "exf5"], names=["Person", "plywise"]).json()
    assert '[White "Person"]\n[Black "plywise"]\n[Result "*"]' in file["text"]
    words = " ".join(file["text"].split())
    assert words.endswith("1. e4 f5 $4 {Blunder. Best was e5 (0.2).} (1... e5 2. Nf3) (1... c5) 2. exf5 *")


def test_the_result_of_the_file_counts_unless_it_is_not_known(client: TestClient) -> None:
    mate = ["f3", "e5", "g4", "Qh4#"]
    cases = ((mate, "*", "0-1"), (mate, "1-0", "0-1"), (mate[:2], "1-0", "1-0"), (mate[:2], "", "*"))
    for moves, result, written in cases:  # what the rules decide is decided
        tags = {"White": "Ann", "FEN": "8"}
        file = post(client, "record", game="chess", moves=moves, tags=tags, result=result).json()
        assert file["text"].endswith(f" {written}\n")
        assert f'[Result "{written}"]' in file["text"]
        assert '[Black "?"]' in file["text"]
        assert "FEN" not in file["text"]
    black = post(client, "record", game="checkers", moves=["11-15"], tags={"White": "Ann"}, result="1-0").json()
    assert black["text"].endswith("1. 11-15 1-0\n")
    for told, written in (("B+R", "B+R"), ("?", "W+7")):
        known = {"tags": {"PB": "Ann", "RE": told, "SZ": "99"}, "result": told}
        go = post(client, "record", game="go", moves=["pass", "pass"], **known).json()
        assert f"RE[{written}]" in go["text"]
        assert "SZ[9]" in go["text"]
    four = post(client, "record", game="connect-four", moves=["4"], result="O resigned.", tags={"X": "Ann"}).json()
    content = json.loads(four["text"])
    assert (content["result"], content["players"]) == ("O resigned.", ["Ann", "O"])


def test_a_resignation_and_a_loss_on_time_are_saved(client: TestClient) -> None:
    for winner, written in ((0, "1-0"), (1, "0-1")):
        lost: dict[str, Any] = {"winner": winner, "reason": "resignation"}
        chess = post(client, "record", game="chess", moves=["e4"], **lost).json()["text"]
        assert f'[Result "{written}"]' in chess
        assert chess.endswith(f" {written}\n")
        checkers = post(client, "record", game="checkers", moves=["11-15"], **lost).json()["text"]
        assert checkers.endswith(" 0-1\n" if winner == 0 else " 1-0\n")  # there White moves second
        assert f"RE[{'BW'[winner]}+R]" in post(client, "record", game="go", moves=["pass"], **lost).json()["text"]
    late = {"winner": 1, "reason": "time"}
    assert "RE[W+T]" in post(client, "record", game="go", **late).json()["text"]
    for game, move in (("connect-four", "4"), ("othello", "f5")):
        content = json.loads(post(client, "record", game=game, moves=[move], **late).json()["text"])
        assert content["result"].endswith(" wins by time.")
    refused = post(client, "record", game="chess", winner=2)
    assert (refused.status_code, refused.json()["detail"]) == (
        422, "player 2 cannot have won: there are 2, from 0 on",
    )  # fmt: skip


def test_only_what_tells_about_a_game_is_a_header(client: TestClient) -> None:
    text = "(;GM[1]FF[4]SZ[9]PB[Ann]LB[aa:1][bb:2]TR[cc][dd]ZZ[private];B[cc])"
    (game,) = post(client, "read", game="go", text=text).json()["games"]
    assert game["tags"] == {"PB": "Ann"}


def test_long_comments_are_kept(client: TestClient) -> None:
    said = "word " * 1000 + "end"
    (game,) = post(client, "read", game="chess", text=f"1. e4 {{{said}}} *").json()["games"]
    assert game["line"][0]["comment"] == said


def test_a_game_with_only_a_format_for_moves_saves_its_main_line(client: TestClient) -> None:
    one = {"text": "1", "comment": "careful", "variations": [["3"]]}
    file = post(client, "record", game="Noted", moves=["2", one], names=["Ann"]).json()
    assert (file["name"].split(".")[-1], file["text"]) == ("txt", "Ann took 2 of 21, then [1]")
    file = post(client, "record", game="Noted", moves=["2", one], tags={"Event": "here"}).json()
    assert file["text"] == " took 2 of 21, then [1]"
    assert post(client, "record", game="othello", moves=["f5", "d6"]).json()["text"] == "f5d6\n"


def nested(depth: int) -> dict[str, Any]:
    """Return a move with variations in variations."""
    move: dict[str, Any] = {"text": "e5"}
    for _ in range(depth):
        move = {"text": "e5", "variations": [[move]]}
    return move


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"moves": ["e4", "e4"]}, "move 2: 'e4' is not a legal move here"),
        ({"moves": ["e4", {"text": "e5", "variations": [["c5", "z"]]}]},
         "in a variation, move 3: 'z' is not a legal move here"),
        ({"moves": ["e4", nested(21)]}, "variations are nested more than 20 deep"),
        ({"moves": ["e4", {"text": "e5", "variations": [[]]}]}, "at least 1 item"),
        ({"moves": ["e4", {"text": "e5", "nags": [0]}]}, "greater than or equal to 1"),
        ({"moves": ["e4", {"text": "e5", "glyph": "?"}]}, "Extra inputs"),
        ({"moves": [{"text": "e4", "variations": [["d4"]] * 5000}]}, "at most 5,000 moves"),
        ({"tags": {'a"b': "c"}}, "cannot be the name of a PGN header"),
        ({"tags": {"White": 1}}, "should be a valid string"),
        ({"tags": {"White": "half \ud800"}}, "unable to parse raw data as a unicode string"),
        ({"comment": "\ud800"}, "unable to parse raw data as a unicode string"),
        ({"moves": [{"text": "e4", "comment": "\ud800"}]}, "unable to parse raw data as a unicode string"),
        ({"comment": "x" * 100_001}, "at most 100000 characters"),
    ],
)  # fmt: skip
def test_what_cannot_be_saved_is_refused_in_a_sentence(client: TestClient, body: dict[str, Any], message: str) -> None:
    content = json.dumps({"game": "chess", **body})
    answer = client.post("/api/play/record", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert message in answer.json()["detail"]


def test_no_depth_is_too_much_for_the_server(client: TestClient) -> None:
    for depth, status in ((20, 200), (100, 422), (10_000, 400)):
        body = '{"text": "e5", "variations": [[' * depth + '{"text": "e5"}' + "]]}" * depth
        answer = client.post("/api/play/record", content=f'{{"game": "chess", "moves": ["e4", {body}]}}',
                             headers={"Content-Type": "application/json"})  # fmt: skip
        assert answer.status_code == status


def test_a_fault_in_a_game_of_the_users_own_is_blamed_on_it(client: TestClient) -> None:
    answer = post(client, "record", game="Faulty", moves=["2", {"text": "3", "variations": [["1"]]}])
    assert answer.status_code == 422
    assert "the game Faulty failed: ZeroDivisionError" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("line", "moves", "problem", "note"),
    [
        (["4", "9"], ["4"], "move 2: '9' is not a legal move", ""),
        ([{"text": "4", "variations": [["3", "9"]]}], ["4"], "",
         "in a variation, move 2: '9' is not a legal move"),
    ],
)  # fmt: skip
def test_a_damaged_file_keeps_its_moves_up_to_the_fault(
    client: TestClient, line: Any, moves: list[str], problem: str, note: str
) -> None:
    saved = {**json.loads(post(client, "record", game="connect-four").json()["text"]), "line": line}
    (game,) = post(client, "read", game="chess", text=json.dumps(saved)).json()["games"]
    assert [move["text"] for move in game["line"]] == moves
    assert (game["problem"] or "").startswith(problem)
    assert "".join(game["notes"]).startswith(note)


def test_half_a_character_in_a_file_becomes_a_question_mark(client: TestClient) -> None:
    saved = {
        **json.loads(post(client, "record", game="connect-four").json()["text"]),
        "comment": "\ud800",
        "line": ["4"],
    }
    (game,) = post(client, "read", game="chess", text=json.dumps(saved)).json()["games"]
    assert (game["comment"], len(game["line"])) == ("?", 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"line": 3}, "line: Input should be a valid list"),
        ({"line": [{"text": 4}]}, "line.0.text: Input should be a valid string"),
        ({"tags": ["a"]}, "tags must be texts by name, not ['a']"),
    ],
)
def test_a_file_in_another_form_is_refused(client: TestClient, changes: dict[str, Any], message: str) -> None:
    saved = {**json.loads(post(client, "record", game="connect-four").json()["text"]), **changes}
    answer = post(client, "read", game="chess", text=json.dumps(saved))
    assert (answer.status_code, answer.json()["detail"]) == (422, message)
