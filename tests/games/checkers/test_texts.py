"""Checkers: positions, moves and whole games as text, and the drawn board."""

from __future__ import annotations

import pytest

import plywise as pw
from plywise.games import Checkers
from plywise.games.checkers.board import SQUARES, Position, place_of, square_on
from plywise.games.checkers.pdn import format_pdn, read_pdn
from plywise.games.records import PlayedMove, Record
from tests.games.support import check_refused, check_texts, random_game

GAME = Checkers()
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


@pytest.mark.parametrize("seed", range(3))
def test_texts_are_read_as_what_they_were_written_from(seed: int) -> None:
    check_texts(GAME, seed)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("", START),
        ("B:W21-32:B1-12", START),
        ("b:b1-12:w21-32.", START),
        ("W:BK31,2:WK1:H12:F30", "W:WK1:B2,K31:H12"),
        ("11-15 23-19 8-11", "W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15"),
        ("B:W18:B15 15x22", "W:W:B22"),
        ("B : W18: B15,  1 15x22", "W:W:B1,22"),
        ("W:W18,24:B12, 16", "W:W18,24:B12,16"),
    ],
)
def test_a_position_is_written_in_one_way_and_read_in_several(text: str, same: str) -> None:
    assert GAME.format(GAME.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X:W1:B2", "'X:W1:B2' is not a position: wanted the player to move"),
        ("nonsense", "'nonsense' is not a position: wanted the player to move"),
        (":", "':' is not a position: move 1: ':' is not a legal move here; legal are: 9-13"),
        ("B:W18", "'B:W18' is not a position: wanted the player to move, then the pieces of both"),
        ("B:W18:W19", "W has two lists of pieces"),
        ("B:W18:B18", "square 18 has two pieces"),
        ("B:W18,18:B1", "square 18 has two pieces"),
        ("B:W18:B33", "'33' is not on the board; squares are 1 to 32"),
        ("B:W18:B0", "'0' is not on the board"),
        ("B:W18:B9-4", "'9-4' is not on the board"),
        ("B:W18:BQ4", "'Q4' is not a piece; wanted the number of its square, with K before a king's"),
        ("B:W3:B1", "a man cannot stay a man on 3; a king is K3"),
        ("B:W18:B30", "a man cannot stay a man on 30; a king is K30"),
        ("B:W18:B1-13", "B has 13 pieces, more than 12"),
        ("B:WK18:BK1:H81", "H81: the game is over after 80 plies without progress"),
        ("11-15 11-16", "move 2: '11-16' is not a legal move here; legal are:"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    check_refused(message, GAME.parse, text)


def test_a_capture_needs_no_more_squares_than_make_it_clear() -> None:
    chosen = GAME.parse("B:W6,7,14,15,23:BK2")
    texts = {GAME.format_move(chosen, move): move for move in GAME.moves(chosen)}
    assert set(texts) == {"2x9x18x27", "2x11x18x27", "2x9x18x11x2"}
    assert GAME.parse_move(chosen, "2x2") == texts["2x9x18x11x2"]
    assert GAME.parse_move(chosen, "2x11x18x9x2") == texts["2x9x18x11x2"]
    assert GAME.parse_move(chosen, "2-9-27") == texts["2x9x18x27"]
    with pytest.raises(pw.PositionError, match="'2x27' may be several moves here: "):
        GAME.parse_move(chosen, "2x27")
    with pytest.raises(pw.PositionError, match="is not a legal move here; legal are: 2x"):
        GAME.parse_move(chosen, "2x9x11x27")


@pytest.mark.parametrize(
    ("text", "why"),
    [("27-23", ": you must capture, with the piece on 18 or 27"), ("18x11", ": the capture goes on"), ("27-32", "")],
)
def test_an_illegal_move_is_refused_with_the_reason(text: str, why: str) -> None:
    state = GAME.parse("W:W18,27:B15,8,24")
    with pytest.raises(pw.PositionError, match=f"'{text}' is not a legal move here{why}; legal are: 18x11x4 27x20"):
        GAME.parse_move(state, text)


# PDN ------------------------------------------------------------------------------------------------------------------

GAMES = """\
[Event "First"]
[Black "Tinsley, \\"M\\""]
[Result "0-1"]

1. 11-15 {a comment} 23-19 2. 8-11! (2. 9-14 22-17) 22-17 $2 3. 11-16 24-20 ; a remark
0-1

[Event "Second"]
[FEN "W:W18,24,K27:B12,16"]
[GameType "21"]
1... 24-19 2. 16x23x32 1/2-1/2
[Event "Third"]
1. 9-13 2-0
1. 10-15 *
[Event "Not over"] 1. 11-16
"""


def test_games_are_read_one_after_the_other() -> None:
    first, second, third, fourth, last = read_pdn(GAME, GAMES)
    assert (first.headers["Black"], first.result, len(first.played)) == ('Tinsley, "M"', "0-1", 6)
    assert first.played[0].comment == "a comment"
    assert (first.played[2].annotations, first.played[3].annotations) == ((1,), (2,))
    assert first.played[-1].comment == "a remark"
    assert GAME.format(second.start) == "W:W18,24,K27:B12,16"
    assert (second.result, len(second.played)) == ("1/2-1/2", 2)
    assert (third.result, fourth.result, last.result) == ("1-0", "*", "*")
    assert GAME.format(last.positions(GAME)[-1]) == GAME.format(GAME.parse("11-16"))


@pytest.mark.parametrize("seed", range(3))
def test_games_that_are_written_are_read_again(seed: int) -> None:
    state, played = GAME.initial(), []
    for after in random_game(GAME, seed)[1:]:
        played.append(PlayedMove(next(move for move in GAME.moves(state) if GAME.play(state, move) == after)))
        state = after
    (again,) = read_pdn(GAME, format_pdn(GAME, Record(GAME.initial(), played, "1-0", {"White": 'a "b"'})))
    assert list(again.played) == played
    assert (again.result, again.headers["White"], again.headers["GameType"]) == ("1-0", 'a "b"', "21")
    middle = random_game(GAME, seed)[11]
    (part,) = read_pdn(GAME, format_pdn(GAME, Record(middle, [], "*")))
    assert part.start == middle


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 11-15 23-19\n2. 8-12", "PDN, game 1, line 2, Black's move 2: '8-12' is not a legal move here; legal are:"),
        ("1. 11-15 *\n1. 11-15 )", "PDN, game 2, line 2: ')' without '('"),
        ("1. 11-15 (23-19", "PDN, game 1, line 1: '(' without ')'"),
        ("1. 11-15 { 23-19", "PDN, game 1, line 1: the comment does not end"),
        ('[FEN "junk:"]\n\n*', "PDN, game 1, line 3: 'junk:' is not a position"),
        ('[GameType "20"]\n1. 32-28 *', "PDN, game 1, line 2: GameType '20' is another kind of draughts"),
        (
            '[FEN "B:W6,7,14,15,23:BK2"]\n1. 2x27',
            "PDN, game 1, line 2, Black's move 1: '2x27' may be several moves",
        ),
    ],
)
def test_wrong_pdn_is_explained(text: str, message: str) -> None:
    check_refused(message, lambda: list(read_pdn(GAME, text)))


def test_a_saved_game_names_the_players_and_gives_whites_points_first() -> None:
    start = GAME.initial()
    about = {"max": "engine", "min": "Ann", "result": "1-0", "date": "2026-01-02", "reason": "no moves left"}
    text = GAME.record(start, [GAME.parse_move(start, "11-15")], about)
    for line in ('[Black "engine"]', '[White "Ann"]', '[Result "0-1"]', '[Date "2026.01.02"]', "1. 11-15 0-1"):
        assert line in text.splitlines()
    assert '[Result "*"]' in GAME.record(start, [], {})


# The board ------------------------------------------------------------------------------------------------------------


def test_the_board_has_numbers_and_pieces() -> None:
    state = GAME.parse("B:W18,24,K27:B12,K16")
    assert [square_on(place_of(square)) for square in range(1, SQUARES + 1)] == list(range(1, SQUARES + 1))
    assert [GAME.layout.name(place) for place in (0, 1, 8, 62)] == ["", "1", "5", "32"]
    assert [GAME.piece_at(state, place_of(square)) for square in (12, 18, 16, 27, 1)] == [1, 2, 3, 4, 0]
    assert GAME.piece_at(state, 0) == 0
    assert "13    14    15     B     13-16" in GAME.board(state).splitlines()


def test_pieces_that_must_capture_are_marked() -> None:
    assert GAME.marked(GAME.parse("B:W18:B15,1")) == [place_of(15)]
    assert GAME.marked(GAME.initial()) == []


def test_a_piece_that_may_not_capture_says_who_must() -> None:
    state = GAME.parse("B:W18,19:B1,14,15")
    assert GAME.why_illegal(state, "1") == "you must capture, with the piece on 14 or 15"
    assert [GAME.why_illegal(state, text) for text in ("14", "15", "18", "2")] == [""] * 4
    assert GAME.why_illegal(GAME.initial(), "1") == ""


def test_a_capture_tells_the_squares_of_all_its_routes() -> None:
    state = GAME.parse("B:W6,7,14,15,23:BK2")
    squares = {GAME.format_move(state, move): routes(state, move) for move in GAME.moves(state)}
    assert squares["2x9x18x11x2"] == ["2 9 18 11 2", "2 11 18 9 2"]
    assert squares["2x9x18x27"] == ["2 9 18 27"]
    step = GAME.parse_move(GAME.initial(), "11-15")
    assert routes(GAME.initial(), step) == ["11 15"]


def routes(state: Position, move: int) -> list[str]:
    return [" ".join(GAME.layout.name(place) for place in route) for route in GAME.routes(state, move)]


def test_values_are_shown_in_men() -> None:
    assert [GAME.score_text(score) for score in (125, -50, 29_997, -30_000)] == [
        "+1.25", "-0.50", "Black wins in 2", "White wins",
    ]  # fmt: skip
