"""Texts that people paste: what is read from them, and what is said about their faults."""

from __future__ import annotations

import contextlib
import random
import re
import time
from itertools import islice
from typing import Any

import pytest

import plywise as pw
from plywise.games.chess.pgn import Pgn, format_pgn, read_pgn
from plywise.games.reading import game_guessed, game_told, read_games
from plywise.games.records import PlayedMove, Record, read_damaged

CHESS = pw.games.Chess()


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with pw.interpreted():
        yield


def names(game: pw.Game, record: Record) -> str:
    """Return the moves of a record as players write them."""
    texts, state = [], record.start
    for played in record.played:
        texts.append(game.move_name(state, played.move))
        state = game.play(state, played.move)
    return " ".join(texts)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.e4 e5 2.♘f3 ♞c6", "e4 e5 Nf3 Nc6"),
        ("1. e2e4 e7e5 2. g1-f3", "e4 e5 Nf3"),
        ("1. P-e4", "e4"),
        ("1. Pe4 nf6", "e4 Nf6"),
        ("1... e5", ""),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0", "e4 e5 Nf3 Nc6 Bb5 a6 O-O"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. o-o", "e4 e5 Nf3 Nc6 Bb5 a6 O-O"),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. Nxf6", "e4 d5 e5 f5 exf6 Nxf6"),
        ("1. e4 d5 2. e5 f5 3. exf6ep Nxf6", "e4 d5 e5 f5 exf6 Nxf6"),
        ("1. e4 ! e5 ?? 2. Nf3 += Nc6 $1234", "e4 e5 Nf3 Nc6"),
        ("1. e4 0000 e5", "e4"),
        ("1. e4 0000", "e4"),
        ("1. e4 {a\nb} e5 ; rest of the line\n2. Nf3", "e4 e5 Nf3"),
        ("1… e4 e5", "e4 e5"),
        ("% a line for others\n1. e4", "e4"),
    ],
)
def test_chess_is_read_in_many_spellings(text: str, moves: str) -> None:
    (record,) = read_damaged(Pgn(CHESS), text)
    assert names(CHESS, record) == moves
    assert bool(record.problem) == (not moves or "0000" in text)
    assert ("'0000' is a null move" in record.problem) == ("0000" in text)


@pytest.mark.parametrize("result", ["½-½", "1/2", "½", "1/2–1/2", "0.5-0.5"])
def test_a_draw_is_spelt_in_many_ways(result: str) -> None:
    (in_moves, in_headers) = read_pgn(CHESS, f'1. e4 e5 {result}\n[Result "{result}"]\n1. d4')
    assert (in_moves.result, in_headers.result) == ("1/2-1/2", "1/2-1/2")


def test_one_bad_game_does_not_hide_the_others() -> None:
    text = '[A "1"]\n1. e4 e5 2. Ke3 (2. junk) Nf6 {x\n[no header} 1-0\n[A "2"]\n1. d4 {open\n\n[A "3"]\n1. c4 *'
    first, second, third = read_damaged(Pgn(CHESS), text)
    assert (names(CHESS, first), first.result) == ("e4 e5", "1-0")
    assert first.problem == "line 2, White's move 2: 'Ke3' is not a legal move here; did you mean Ke2?"
    assert (names(CHESS, second), second.problem) == ("d4", "line 5: the comment does not end, } is missing")
    assert (names(CHESS, third), third.problem) == ("c4", "")
    records = list(read_damaged(Pgn(CHESS), '[A "1"]\n1. e4 +x e5\n[A "2"]\n1. c4 *'))
    assert [names(CHESS, record) for record in records] == ["e4", "c4"]
    assert records[0].problem == "line 2: '+x' cannot be read"


@pytest.mark.parametrize(
    ("sign", "annotation"),
    [("+/=", 14), ("=/+", 15), ("+=", 14), ("=+", 15), ("-/+", 17), ("+/-", 16), ("-+", 19), ("+-", 18), ("=", 10),
     ("~", 13), ("N", 146), ("D", 220), ("±", 16), ("=/∞", 44)],
)  # fmt: skip
def test_signs_judge_the_move_before_them(sign: str, annotation: int) -> None:
    (record,) = read_pgn(CHESS, f"1. e4 {sign} (1. d4 {sign}) 1... e5 {sign}{{so}} 2. Nf3 {sign}")
    assert names(CHESS, record) == "e4 e5 Nf3"
    line = (*record.played, *record.played[0].variations[0])
    assert [played.annotations for played in line] == [(annotation,)] * 4
    (glued,) = read_pgn(CHESS, f"1. e4{sign} e5") if not sign.isalpha() else [record]
    assert glued.played[0].move == record.played[0].move


def test_a_sign_that_is_not_known_is_left_out() -> None:
    (record,) = read_pgn(CHESS, "1. e4 ¤ e5 !?! 2. Nf3 /// (2. Nc3 ^^ Nc6) Nc6")
    assert names(CHESS, record) == "e4 e5 Nf3 Nc6"
    assert len(record.played[2].variations[0]) == 2
    assert record.notes == tuple(f"line 1: '{sign}' cannot be read" for sign in ("¤", "!?!", "///", "^^"))


@pytest.mark.parametrize("promotion", ["a8(Q)", "a8(Q)+", "a8(Q)+!", "a8(q)", "a8/Q", "a8Q", "a8=Q+"])
def test_promotions_are_written_in_many_ways(promotion: str) -> None:
    text = f'[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. {promotion} (1. {promotion}) Kd7 *'
    (record,) = read_pgn(CHESS, text)
    assert names(CHESS, record) == "a8=Q+ Kd7"
    assert len(record.played[0].variations) == 1


def test_files_may_be_put_together() -> None:
    text = '\ufeff[Event "1"]\n\n1. e4 *\n\n'
    records = list(read_pgn(CHESS, text * 3 + "\ufeff\x1a"))  # DOS ends files with 1a
    assert [(record.headers, names(CHESS, record)) for record in records] == [({"Event": "1"}, "e4")] * 3
    assert len(list(read_games(CHESS, "{to begin with}\n" + text))) == 1


def test_a_comment_that_does_not_end_takes_no_other_game_with_it() -> None:
    text = '[Event "1"]\n1. e4 { oops e5 2. Nf3 1-0\n\n [Event "2"]\n1. d4 {a\n[good] one} d5 2. c4 0-1'
    open_ended, good = read_damaged(Pgn(CHESS), text)
    assert (names(CHESS, open_ended), open_ended.result, open_ended.headers["Event"]) == ("e4", "1-0", "1")
    assert open_ended.problem == "line 2: the comment does not end, } is missing"
    assert (names(CHESS, good), good.result, good.problem) == ("d4 d5 c4", "0-1", "")
    assert good.played[0].comment == "a [good] one"
    with pytest.raises(pw.PositionError, match="PGN, game 1, line 2: the comment does not end"):
        list(read_pgn(CHESS, text))


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ('[Event "1"]\n[FEN "F"]\n\n[Event "2"]\n1. e4 e5', [{"Event": "1", "FEN": "F"}, {"Event": "2"}]),
        ('[Event "1"]\n[FEN "F"]\n[Event "2"]\n1. e4 e5', [{"Event": "1", "FEN": "F"}, {"Event": "2"}]),
        ('[FEN "F"]\n\n[Event "2"]\n1. e4 e5', [{"FEN": "F"}, {"Event": "2"}]),
        ('[Site "1"]\n[FEN "F"]\n \n[Site "2"]\n1. e4 e5', [{"Site": "1", "FEN": "F"}, {"Site": "2"}]),
        ('[Event "1"]\n\n[Site "x"]\n\n[White "y"]\n\n1. e4 e5', [{"Event": "1", "Site": "x", "White": "y"}]),
        ('[ECO "A"]\n[Event "1"]\n[ECO "B"]\n\n1. e4 e5', [{"Event": "1", "ECO": "B"}]),
        ('[Event "1"]\n(\n[Event "2"]\n1. e4 e5', [{"Event": "1"}, {"Event": "2"}]),
    ],
)  # fmt: skip
def test_a_game_without_moves_is_a_game(text: str, games: list[dict[str, str]]) -> None:
    records = list(read_damaged(Pgn(CHESS), text.replace('"F"', '"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40"')))
    assert [set(record.headers) for record in records] == [set(headers) for headers in games]
    assert [record.headers.get("Event") for record in records] == [headers.get("Event") for headers in games]
    assert (names(CHESS, records[-1]), records[-1].problem) == ("e4 e5", "")


@pytest.mark.parametrize(
    ("damaged", "value"),
    [
        ('[Event "a]', "a"),
        ('[Event "a"', "a"),
        ('[Event a"]', "a"),
        ('[Event "a', "a"),
        ('  [ Event "a" "b]', 'a" "b'),
    ],
)
def test_a_damaged_header_takes_only_its_own_line(damaged: str, value: str) -> None:
    for before, line in (("", 1), ("1. c4 *\n\n", 3), ("1. c4\n", 2)):
        *_, record = read_damaged(Pgn(CHESS), f'{before}{damaged}\n[White "b"]\n\n1. e4 e5')
        assert (record.headers["White"], names(CHESS, record), record.problem) == ("b", "e4 e5", "")
        assert record.headers["Event"] == value
        assert record.notes == (f"line {line}: the header Event is damaged; it is read as {value!r}",)


def test_a_remark_in_brackets_is_no_header() -> None:
    (record,) = read_damaged(Pgn(CHESS), '1. e4 [see "x" there] e5 2. Nf3 *')
    assert (names(CHESS, record), record.problem) == ("e4", "line 1: '[see' cannot be read")


@pytest.mark.parametrize(
    ("before", "problem"),
    [
        ("Hi,\n\n", "line 1, White's move 1: 'Hi,' is not a legal move here"),
        ("1. Ke2 e5 *\n\n", "line 1, White's move 1: 'Ke2' is not a legal move here"),
        ("Here {is\n", "line 1, White's move 1: 'Here' is not a legal move here"),
        ("[Event]\n", "line 1: '[Event]' cannot be read"),
    ],
)
def test_what_is_wrong_before_a_game_does_not_hide_it(before: str, problem: str) -> None:
    text = f'{before}[Event "1"]\n[White "A"]\n\n1. e4 e5 *\n\n[Event "2"]\n\n1. d4 *'
    assert game_told(text) == "chess"
    wrong, first, second = read_games(CHESS, text)
    assert wrong.problem.startswith(problem)
    assert (names(CHESS, first), names(CHESS, second)) == ("e4 e5", "d4")


def test_another_variant_is_not_read_as_chess() -> None:
    (record,) = read_damaged(Pgn(CHESS), '[Variant "Atomic"]\n1. e4 *')
    assert (record.start, record.played) == (None, ())
    assert record.problem == "line 2: Variant 'Atomic' is another game than chess"


def test_a_fault_in_a_variation_ends_only_the_variation() -> None:
    (record,) = read_pgn(CHESS, "1. e4 (1. d4 Z0 2. c4) (1. Ke2) (1. c4 (1. b4)) 1... e5 *")
    assert names(CHESS, record) == "e4 e5"
    assert [len(line) for line in record.played[0].variations] == [1, 1]
    null, illegal = record.notes
    assert null == "a variation ends early: line 1, Black's move 1: 'Z0' is a null move, which is not legal here"
    assert illegal.startswith("a variation ends early: line 1, White's move 1: 'Ke2' is not a legal move")


@pytest.mark.parametrize("result", ["1-0 ", "*", "1/2-1/2"])
def test_a_result_in_a_variation_does_not_end_the_game(result: str) -> None:
    (record,) = read_pgn(CHESS, f"1. e4 e5 (1... c5 (1... e6 {result}) {result}) 2. Nf3 Nc6 0-1")
    assert (names(CHESS, record), record.result, record.notes) == ("e4 e5 Nf3 Nc6", "0-1", ())
    (sicilian,) = record.played[1].variations
    assert [len(line) for line in (sicilian, *sicilian[0].variations)] == [1, 1]


def random_line(chance: random.Random, state: Any, depth: int) -> tuple[PlayedMove, ...]:
    """Return random moves with comments, annotations and variations."""
    line = []
    for _ in range(chance.randrange(1, 6)):
        moves = list(CHESS.moves(state))
        if not moves:
            break
        more = tuple(random_line(chance, state, depth - 1) for _ in range(chance.randrange(3) if depth else 0))
        comment = chance.choice(["", "", "a comment (with 1. e4)", "x"])
        line.append(PlayedMove(chance.choice(moves), comment, tuple(chance.choices((1, 16, 300), k=1)), more))
        state = CHESS.play(state, line[-1].move)
    return tuple(line)


@pytest.mark.parametrize("seed", range(8))
def test_variations_are_read_as_they_were_written(seed: int) -> None:
    record = Record(CHESS.initial(), random_line(random.Random(seed), CHESS.initial(), 3), "*", {"A-b": "c"})
    (again,) = read_pgn(CHESS, format_pgn(CHESS, record))
    assert again.played == record.played
    assert again.headers["A-b"] == "c"


@pytest.mark.parametrize("word", ["%", "%x", '[Event "1"]', "[", ";", "1-0", "(", "{"])
def test_no_line_of_a_comment_is_taken_for_something_else(word: str) -> None:
    for length in range(60, 80):
        comment = f"{'x' * length} {word} y {word}"
        text = format_pgn(
            CHESS, Record(CHESS.initial(), random_line(random.Random(1), CHESS.initial(), 0), "*", {}, comment)
        )
        assert not re.search(r"(?m)^%", text)
        (again,) = read_pgn(CHESS, text)
        assert again.comment == comment


@pytest.mark.parametrize(
    ("text", "told", "guessed"),
    [
        ('[White "A"]\n1. e4', "chess", None),
        ('[FEN "B:W18:B1"]\n*', "checkers", None),
        ('[GameType "21"]\n*', "checkers", None),
        ('\ufeff[White "A"]\n\n1. 11-15 1-0', "checkers", None),
        ('[White "11-15"]\n\n1. e4 {11-15} 0-1', "chess", None),
        ('[White "A"]\n1. e4 ; team 3-2 up', "chess", None),
        ('[White "A"]\n1. e4 {open 11-15', "chess", None),
        ('[GameType "rated"]\n*', "chess", None),
        ('[GameType "21"]\n1. e4 e5', "chess", None),
        ('[GameType "25"]\n1. c3-d4 d6-c5', "checkers", None),
        ('[Event "3x4"]\n1. 11x18x25 5-9', "checkers", None),
        ('Found here:\n\n[White "A"]\n1. 11-15 23-19', "checkers", None),
        ("( ;SZ[9] )", "go", None),
        ("1. Nf3 d5", None, "chess"),
        ("1. 11-15 23-19", None, "checkers"),
        ("4455", None, None),
    ],
)
def test_the_format_tells_the_game(text: str, told: str | None, guessed: str | None) -> None:
    assert (game_told(text), game_guessed(text)) == (told, guessed)


@pytest.mark.parametrize(
    "part",
    ["{\n", '{\n[A "b"]\n', '[A "', "[A ", "[A x\n", '[A "\\', "~", "1", " ", "\n", "moves ", "bm e4;"],
)
def test_a_long_text_is_read_at_once(part: str) -> None:
    many = part * (100_000 // len(part))
    begun = time.process_time()
    for text in (f"{many}x", f"1. e4 {{{many}", f'[A "{many}', f"4k3/8/8/8/8/8/4P3/4K3 w - - {many}"):
        with contextlib.suppress(pw.PositionError):
            game_told(text)
            game_guessed(text)
            list(islice(read_games(CHESS, text), 100))
    assert time.process_time() - begun < 10.0  # it would be minutes if the time grew with the square of the length


def test_forced_moves_may_be_left_out() -> None:
    game = pw.games.Othello(4)
    chance, found = random.Random(3), 0
    for _ in range(30):
        state, moves = game.initial(), []
        while not game.is_terminal(state):
            moves.append(chance.choice(list(game.moves(state))))
            state = game.play(state, moves[-1])
        found += 16 in moves[:-1]
        (record,) = read_games(game, game.record(game.initial(), moves, {}) or "")
        while moves and moves[-1] == 16:
            moves.pop()
        assert [played.move for played in record.played] == moves
    assert found > 3  # some of them had passes


@pytest.mark.parametrize("before", ["", "position ", "fen ", "position fen ", "# a comment\n"])
@pytest.mark.parametrize("after", ["", " moves e2e4", " moves e4"])
def test_a_position_may_be_written_as_a_command(before: str, after: str) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"
    (record,) = read_games(CHESS, before + fen + after)
    assert record.problem == ""
    assert CHESS.format(record.start) == fen
    assert names(CHESS, record) == ("e4" if after else "")


def test_a_line_of_epd_is_a_position_with_a_comment() -> None:
    lines = [
        '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "x; y";',
        "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9 ;D1 16 ;D2 71",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 17;",
        "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 7; fmvn 30;",
    ]
    records = list(read_games(CHESS, "\n".join(lines)))
    assert [record.comment for record in records] == [
        'bm e4; id "x; y";', "", "D1 16; D2 71;", "", "hmvc 7; fmvn 30;"
    ]  # fmt: skip
    assert records[3].problem.endswith("is not EPD: '17;' is not an operation, such as bm e4;)")
    assert CHESS.format(records[4].start).endswith("b - - 7 30")
    (alone,) = read_games(CHESS, lines[0])
    assert (alone.start, alone.comment) == (records[0].start, records[0].comment)


def test_a_text_that_is_nothing_says_what_it_is_not() -> None:
    (record,) = read_games(pw.games.TicTacToe(), "hello")
    assert record.problem.startswith("this is no list of moves (line 1, move 1: 'hello' is not a legal move here")
    assert "and no position ('hello' is not a position: it needs 3 rows" in record.problem
