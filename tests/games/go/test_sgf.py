"""Go records as SGF: what programs and servers write is read, games are written and read again, errors say where."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywise.errors import PositionError
from plywise.games import Go
from plywise.games.go.sgf import Record, _is_legal, format_sgf, read_sgf


def read(text: str | bytes) -> Record:
    (record,) = read_sgf(Go(), text)
    return record


def last(text: str) -> str:
    """The last position of a game."""
    record = read(text)
    return record.game.format(record.states[-1])


# Reading --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "game"),
    [
        ("", Go(19)),
        ("SZ[9]", Go(9)),
        ("SZ[9:7]", Go(9, 7)),
        ("SZ[9:9]", Go(9)),
        ("SiZe[13]KM[6.5]", Go(13, komi=6.5)),
        ("SZ[]KM[]", Go(19)),
        ("SZ[ 9 ]KM[0]HA[0]", Go(9, komi=0)),
        ("SZ[9]KM[-3,5]", Go(9, komi=-3.5)),
        ("SZ[19]KM[375]RU[Chinese]", Go(19, komi=7.5)),
        ("GaMe[1]VieW[]SZ[5]", Go(5)),
    ],
)
def test_size_and_komi(header: str, game: Go) -> None:
    assert read(f"(;{header})").game == game


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("(;SZ[3];B[aa];W[cc];B[])", "X../.../..O white pass"),
        ("(;SZ[3];B[ba];W[tt])", ".X./.../... black pass"),
        ("(;SZ[3]AB[aa][bb]AW[cc]PL[W])", "X../.X./..O white"),
        ("(;SZ[3]AB[aa:cb]AE[ba])", "X.X/XXX/... black"),
        ("(;SZ[3]HA[2]AB[aa][cc];W[bb])", "X../.O./..X black B2"),
        ("(;SZ[3]HA[2]AB[aa][cc])", "X../.../..X white"),
        ("(;SZ[3];B[aa];B[bb])", "X../.X./... white B2"),
        ("(;SZ[3];B[];W[];B[aa])", "X../.../... white A3"),
        ("(;SZ[3];B[bb];AE[bb]AW[aa]PL[B];B[cc])", "O../.../..X white C1"),
        ("(;SZ[3];B[aa](;W[bb])(;W[cc]))", "X../.O./... black B2"),
        ("(;SZ[3];W[aa])", "O../.../... black A3"),
    ],
)
def test_moves_and_set_up(text: str, position: str) -> None:
    assert last(text) == position


def test_headers_in_their_encoding() -> None:
    headers = read("(;CA[windows-1252]SZ[9]PB[Müller \\[9d\\]]RE[B+R];B[aa])".encode("cp1252")).headers
    assert headers == {"PB": "Müller [9d]", "RE": "B+R"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[2]SZ[8])", "line 1, column 2: GM[2] is not Go, which is GM[1]"),
        ("(;SZ[9x9])", "SZ[9x9] is not a size, such as SZ[9] or SZ[9:7]"),
        ("(;SZ[25])", "width and height must be whole numbers from 2 to 19"),
        ("(;KM[about six])", "KM[about six] is not a komi, such as KM[6.5]"),
        ("(;SZ[5]\n;B[aa]\n;W[ff])", "line 3, column 1: W[ff] is not a point of a board of 5 by 5"),
        ("(;SZ[5];B[a1])", "B[a1] is not a point of a board of 5 by 5"),
        ("(;SZ[5];B[aa];W[aa])", "line 1, column 14: W[aa] is not legal: White at A5"),
        ("(;SZ[3]AB[ba][ab];W[aa])", "W[aa] is not legal: White at A3"),
        ("(;SZ[3]AB[aa]AW[ba][ab])", "the stones at A3 have no liberty"),
        ("(;SZ[5]\n;B[aa]B[bb])", "line 2, column 1: B[aa][bb] is more than one move: each needs its own node"),
        ("(;SZ[3]PL[X])", "PL[x] is not a player: PL[B] or PL[W]"),
        ("(;SZ[3]AB[zz])", "AB[zz] is not a point of a board of 3 by 3"),
    ],
)
def test_errors_say_where(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("SGF, line ")


def test_one_bad_game_does_not_hide_the_others() -> None:
    errors: list[PositionError] = []
    records = list(read_sgf(Go(), "(;SZ[3]C[1])(;SZ[3];B[zz])(;SZ[3]C[3])(;SZ[3", errors.append))
    assert [record.headers["C"] for record in records] == ["1", "3"]
    assert ["column 34" in str(error) or "B[zz]" in str(error) for error in errors] == [True, False]


@settings(max_examples=50)
@given(st.lists(st.sampled_from([*"()[];:\\ ", "AB", "AW", "AE", "PL", "B", "W", "SZ", "KM", "[aa]", "[2:3]", "[tt]"])))
def test_any_text_is_read_or_refused(words: list[str]) -> None:
    for text in ("".join(words), f"(;SZ[3]{''.join(words)})"):
        errors: list[PositionError] = []
        records = list(read_sgf(Go(), text, errors.append))
        assert records or errors


@pytest.mark.parametrize("seed", range(3))
def test_moves_of_records_are_legal_as_the_rules_say(seed: int) -> None:
    chance = random.Random(seed)
    game = Go(4, 3)
    state = game.initial()
    for _ in range(60):
        moves = list(game.moves(state))
        assert [move for move in range(game.size + 1) if _is_legal(game, state, move)] == moves
        state = game.with_turn(game.play(state, chance.choice(moves)), chance.randrange(2))


# Writing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_games_are_written_and_read_again(seed: int) -> None:
    chance = random.Random(seed)
    game = Go(chance.randint(2, 19), chance.randint(2, 19), komi=chance.choice([0, 7, 6.5]))
    states, moves = [game.initial()], []
    for _ in range(60):
        if chance.random() < 0.1:
            states[-1] = game.with_turn(states[-1], chance.randrange(2))
        moves.append(chance.choice(list(game.moves(states[-1])) or [game.size]))
        states.append(game.play(states[-1], moves[-1]))
        if game.is_terminal(states[-1]):
            break
    record = Record(game, states, moves, {"PB": "A\\B", "C": "a ] and : and\nmore"})
    again = read(format_sgf(record))
    assert (again.game.width, again.game.rows, again.game.komi) == (game.width, game.rows, game.komi)
    assert (again.states, again.moves) == (states, moves)
    assert again.headers == {**record.headers, "RU": "Chinese"}


def test_a_start_with_stones_is_set_up() -> None:
    text = Go(3, komi=0).record(Go(3).parse("X.O/.../..X white"), [4, 9, 9], {"max": "A", "result": "1/2-1/2"})
    assert text == ("(;FF[4]GM[1]CA[UTF-8]AP[plywise]SZ[3]KM[0]RU[Chinese]PB[A]RE[0]AB[aa][cc]AW[ca]PL[W]\n"
                    ";W[bb];B[];W[])\n")  # fmt: skip
    assert last(text) == "X.O/.O./..X black pass pass"


def test_black_may_move_first_after_a_handicap() -> None:
    record = read("(;SZ[3]HA[2]AB[aa][cc]PL[B];B[bb])")
    assert read(format_sgf(record)).states == record.states


@pytest.mark.parametrize(
    ("result", "reason", "moves", "written"),
    [
        ("1-0", "game over", [4, 9, 9], "RE[B+2]"),
        ("0-1", "resignation", [4], "RE[W+R]"),
        ("1-0", "time: 3.2 s for a move", [4], "RE[B+T]"),
        ("1-0", "illegal move: a1", [4], "RE[B+F]"),
        ("1/2-1/2", "move limit", [4], "RE[0]"),
        ("", "", [4], "RE[?]"),
    ],
)
def test_results(result: str, reason: str, moves: list[int], written: str) -> None:
    game = Go(3)
    assert written in game.record(game.initial(), moves, {"result": result, "reason": reason})
