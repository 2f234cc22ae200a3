"""Every GTP command, answered as the protocol says; a bot that moves at random plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywise.errors import SearchError
from plywise.game import Game
from plywise.games import ConnectFour, Go, TicTacToe
from plywise.gtp.board import Board
from plywise.gtp.player import Player
from plywise.gtp.protocol import parse_command
from plywise.gtp.session import Session
from plywise.gtp.timing import Timer
from plywise.io.transcript import Transcript
from plywise.match.bots import Bot, BotSpec, Choice, Turn
from tests.own_games.go import Go as NewcomersGo


class Talk:
    """Says commands to a session, and hears answers."""

    def __init__(self, game: Game | None = None) -> None:
        game = game or Go(5)
        self.session = Session(Board(game), Player(game, BotSpec("random"), seed=1), Transcript())

    def hear(self, line: str) -> str:
        """The whole answer."""
        command = parse_command(line)
        assert command is not None
        return self.session.answer(command)

    def __call__(self, *lines: str) -> str:
        """What the last command answers; all must be carried out."""
        answer = ""
        for line in lines:
            answer = self.hear(line)
            assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()

    def refused(self, *lines: str) -> str:
        """What the last command is refused with; all others must be carried out."""
        self(*lines[:-1])
        answer = self.hear(lines[-1])
        assert answer.startswith("? ")
        return answer[2:].strip()

    @property
    def position(self) -> str:
        board = self.session.board
        return board.game.format(board.state)


@pytest.fixture
def talk() -> Talk:
    return Talk()


# Lines ----------------------------------------------------------------------------------------------------------------


def test_numbers_comments_and_control_characters(talk: Talk) -> None:
    assert talk.hear("7 protocol_version") == "=7 2\n"
    assert talk.hear("\x07name\t# what is it?\x7f") == "= plywise\n"
    assert talk.hear("12 no_such") == "?12 unknown command\n"
    assert talk.hear("play black") == "? syntax error: play takes 2 arguments\n"
    assert parse_command(" \t\x00 # 1 quit") is None


def test_what_it_is(talk: Talk) -> None:
    assert talk("protocol_version") == "2"
    assert talk("name") == "plywise"
    assert talk("version")
    commands = talk("list_commands").splitlines()
    assert commands == sorted(commands)
    assert all(talk(f"known_command {name}") == "true" for name in commands)
    assert talk("known_command gg-undo") == "false"
    for line in talk("gogui-analyze_commands").splitlines():
        assert talk(f"known_command {line.split('/')[2].split()[0]}") == "true"


WORDS = (
    "boardsize clear_board komi play genmove undo fixed_handicap set_free_handicap time_left time_settings final_score "
    "showboard loadsgf kgs-time_settings final_status_list rectangular_boardsize black w pass C3 a1 Z9 5 2 -1 "
    "7.5 inf nan 1e400 9999999999999999999999 absolute byoyomi canadian dead é # \x00"
)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(WORDS.split(" ")), min_size=1, max_size=5))
def test_any_line_gets_one_answer(words: list[str]) -> None:
    talk = Talk(Go(3))
    command = parse_command(" ".join(words))
    if command is not None:
        answer = talk.session.answer(command)
        assert answer[0] in "=?"
        assert answer.endswith("\n")
        assert "\n\n" not in answer
        assert "internal error" not in answer


# The board ------------------------------------------------------------------------------------------------------------


def test_sizes(talk: Talk) -> None:
    talk("boardsize 19", "rectangular_boardsize 9 7")
    assert talk.session.board.game == Go(9, 7)
    assert talk("query_boardsize") == "9"
    for size in ("1", "20", "0", "999999999999999999"):
        assert talk.refused(f"boardsize {size}") == "unacceptable size"
    assert talk.refused("boardsize nine") == "syntax error: 'nine' is not a number"
    assert talk("boardsize 7", "showboard").count("\n") == 8


def test_moves(talk: Talk) -> None:
    assert talk("play black C3", "play w c2") == ""
    assert talk.position == "...../...../..X../..O../..... black C2"
    assert talk.refused("play b C3") == "illegal move"
    assert talk.refused("play b I3") == "invalid coordinate 'I3'"
    assert talk.refused("play x C3") == "invalid color 'x': black or white"
    assert talk("play b a1", "play b PASS", "play w pass", "play w e5") == ""
    assert talk.position == "....O/...../..X../..O../X.... black E5"
    assert talk("undo", "undo", "undo", "undo", "undo") == ""
    assert talk.position == "...../...../..X../...../..... white C3"
    assert talk.refused("undo", "undo") == "cannot undo"
    talk("gogui-play_sequence b a1 w b1 b c1")
    assert talk.refused("all_legal white", "gogui-play_sequence b") == (
        "syntax error: gogui-play_sequence takes pairs of a color and a vertex"
    )


def test_a_sequence_is_played_whole_or_not_at_all(talk: Talk) -> None:
    talk("play b c3")
    before = talk("printsgf")
    for sequence, message in (("w A1 b Z9", "invalid coordinate 'Z9'"), ("w A1 b B1 w A1", "illegal move")):
        assert talk.refused(f"gogui-play_sequence {sequence}") == message
        assert talk("printsgf") == before
    assert talk("undo", "printsgf").count(";") == 1


def test_a_ko_may_not_be_retaken() -> None:
    talk = Talk()
    talk("gogui-play_sequence b b1 b a2 b b3 w c1 w d2 w c3 w b2 b c2")
    assert talk.refused("play w b2") == "illegal move"
    assert "B2" not in talk("all_legal white").split()
    assert "B2" in talk("all_legal black").split()


def test_with_superko_a_position_may_not_be_repeated() -> None:
    cycle = "gogui-play_sequence b a2 w b2 b a1 w b1 b a2 w a1"  # Black at A2 takes all, which leaves the first board
    talk = Talk(Go(2, superko=True))
    assert "A2" not in talk(cycle, "all_legal b").split()
    assert talk.refused("play b a2") == "illegal move"
    for _ in range(3):
        talk("play b pass", "play w pass")
    assert Talk(Go(2))(cycle, "play b a2") == ""


class Repeater(Bot):
    """Plays A2, whatever was played before."""

    def choose(self, turn: Turn) -> Choice:
        return Choice(3)


def test_no_bot_breaks_superko() -> None:
    talk = Talk(Go(3, superko=True))
    talk("gogui-play_sequence b c1 w b3 b a2 w a1 b b1 w b2 b a3 w a1")
    assert {talk("reg_genmove b") for _ in range(30)} == {"A3", "C3", "C2", "pass"}  # A2 would repeat a board
    talk.session.player.bot = Repeater()
    assert talk("reg_genmove b") == "pass"


@pytest.mark.parametrize(
    ("size", "count", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (9, 3, "C3 G7 C7"),
        (13, 8, "D4 K10 D10 K4 D7 K7 G4 G10"),
        (8, 4, "C3 F6 C6 F3"),
    ],
)
def test_handicaps(size: int, count: int, points: str) -> None:
    talk = Talk(Go(size))
    assert talk(f"fixed_handicap {count}") == points
    assert talk.position.split()[1] == "white"
    assert talk.position.count("X") == count
    assert talk("clear_board", f"set_free_handicap {points.lower()}") == ""
    assert talk.refused(f"set_free_handicap {points}") == "board not empty"


def test_handicaps_that_are_refused() -> None:
    talk = Talk(Go(9))
    for line in ("fixed_handicap 1", "fixed_handicap 10", "place_free_handicap 1"):
        assert talk.refused(line) == "invalid number of stones"
    assert talk.refused("set_free_handicap C3 C3") == "bad vertex list"
    assert talk.refused("play b C3", "fixed_handicap 2") == "board not empty"
    assert len(talk("clear_board", "place_free_handicap 20").split()) == 9
    assert talk.refused("boardsize 8", "fixed_handicap 5") == "invalid number of stones"
    assert talk.refused("boardsize 5", "fixed_handicap 2") == "invalid number of stones"


def test_scores_and_stones(talk: Talk) -> None:
    assert talk("komi 0.5", "get_komi") == "0.5"
    assert talk("final_score") == "W+0.5"
    assert talk("play b c3", "final_score") == "B+24.5"
    assert talk("komi 25", "final_score") == "0"
    assert talk("play w b1", "play w c1", "final_status_list alive").splitlines() == ["C3", "B1 C1"]
    assert talk("final_status_list dead") == ""
    assert talk.refused("final_status_list sleeping") == "invalid status: alive, seki or dead"
    for komi in ("inf", "7.3"):
        assert "komi must be a whole number or a half" in talk.refused(f"komi {komi}")
    assert talk.refused("komi x") == "syntax error: 'x' is not a number"


def test_a_board_is_shown(talk: Talk) -> None:
    assert talk.hear("3 showboard") == (
        "=3 \n5 . . . . .\n4 . . . . .\n3 . . + . .\n2 . . . . .\n1 . . . . .\n  A B C D E\nBlack to move\n"
    )


def test_records(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9]KM[6.5];B[cc];W[gg];B[gc];W[cg])")
    talk(f"loadsgf {file}")
    assert talk.session.board.game == Go(9, komi=6.5)
    assert talk("printsgf").endswith(";B[cc];W[gg];B[gc];W[cg])")
    talk("undo")
    assert talk("printsgf").endswith(";B[cc];W[gg];B[gc])")
    talk(f"loadsgf {file} 3")
    assert talk("printsgf").endswith(";B[cc];W[gg])")
    talk(f"loadsgf {file} 1")
    assert talk("showboard").count("X") == 0
    for encoding in ("utf-16", "utf-8-sig"):
        file.write_text("(;SZ[9]PB[Müller];B[cc])", encoding)
        assert talk(f"loadsgf {file}", "printsgf").endswith(";B[cc])")
    file.write_bytes(b"(;SZ[9]\0)")
    assert "contains zero bytes" in talk.refused(f"loadsgf {file}")
    file.write_text("(;SZ[9];B[zz])")
    assert "column 8: B[zz] is not a point of a board of 9 by 9" in talk.refused(f"loadsgf {file}")
    assert "cannot open 'no such.sgf'" in talk.refused("loadsgf no_such.sgf").replace("_", " ")


def test_a_game_is_written_to_a_file_which_is_read_again(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    assert talk("play b c3", "play w d4", f"printsgf {file}") == ""
    record = talk("printsgf")
    assert file.read_text() == record + "\n"
    assert talk("clear_board", f"loadsgf {file}", "printsgf") == record
    missing = tmp_path / "missing" / "game.sgf"
    assert (
        talk.refused(f"printsgf {missing}") == f"'{missing}' cannot be written: there is no folder '{missing.parent}'"
    )
    assert talk.refused(f"printsgf {tmp_path}") == f"'{tmp_path}' cannot be written: it is a folder, not a file"


# The player -----------------------------------------------------------------------------------------------------------


def test_moves_are_found(talk: Talk) -> None:
    move = talk("reg_genmove white")
    assert talk.position == Go(5).format(Go(5).initial())
    played = talk("set_random_seed 5", "genmove white")
    assert played in talk("undo", "all_legal w").split()
    assert talk("set_random_seed 5", "genmove white") == played
    assert talk("get_random_seed") == "5"
    assert move


def test_a_game_goes_on_after_two_passes(talk: Talk) -> None:
    talk("play b pass", "play w pass")
    assert talk("genmove b")


def test_other_games_on_points_can_be_played() -> None:
    talk = Talk(TicTacToe())
    assert talk("play b b2", "play w a1", "showboard").splitlines()[-1] == "X to move"
    assert talk.refused("play w a2") == "it is not O's turn"
    assert talk.refused("komi 7") == "Tic-tac-toe has no komi"
    assert talk.refused("fixed_handicap 2") == "invalid number of stones"
    assert talk.refused("printsgf") == "Tic-tac-toe has no SGF"
    assert talk.refused("boardsize 4") == "unacceptable size"
    assert talk.refused("final_score") == "cannot score: the game is not over"
    assert talk("gogui-play_sequence b b3 w c3 b b1", "final_score") == "B+1"
    assert talk.refused("genmove w") == "the game is over"


@pytest.mark.parametrize("game", [ConnectFour(), NewcomersGo()])
def test_other_games_are_refused(game: Game) -> None:
    with pytest.raises(SearchError, match="does not name its moves by the points of a board"):
        Talk(game)


class Pessimist(Bot):
    """A bot that finds its position worth -10, and remembers its clock."""

    def choose(self, turn: Turn) -> Choice:
        self.clock = turn.clocks[turn.state.turn]
        return Choice(turn.state.turn, value=-10.0 if turn.state.turn == 0 else 10.0)


@pytest.mark.parametrize(("resign", "answers"), [(9, 2), (11, 4), (None, 4)])
def test_it_resigns_when_its_value_stays_bad(resign: float | None, answers: int) -> None:
    game = Go(5)
    player = Player(game, BotSpec("random"), resign=resign)
    player.bot, player.warm = Pessimist(), True
    moves = [player.choose(game, [game.initial()], []).move for _ in range(4)]
    assert moves == [0] * answers + [None] * (4 - answers)


def test_it_resigns_only_below_zero() -> None:
    with pytest.raises(SearchError, match="must be above 0"):
        Player(Go(5), BotSpec("random"), resign=-3)


# Time -----------------------------------------------------------------------------------------------------------------


def test_clocks_reach_the_bot(talk: Talk) -> None:
    bot = talk.session.player.bot = Pessimist()
    talk.session.player.warm = True
    for lines, left, moves in (
        (["time_settings 300 0 0"], 300, None),
        (["time_settings 300 0 0", "time_left black 100 0"], 100, None),
        (["time_settings 0 30 5"], 30, 5),
        (["time_settings 60 30 5", "time_left b 12 3"], 12, 3),
        (["kgs-time_settings byoyomi 0 20 5"], 20, 1),
        (["kgs-time_settings canadian 60 30 5"], 60, None),
        (["kgs-time_settings absolute 90"], 90, None),
    ):
        talk(*lines, "reg_genmove black")
        assert (bot.clock.remaining, bot.clock.moves_to_go) == (left, moves)
    for line in ("time_settings 300 30 0", "kgs-time_settings none"):
        talk(line, "reg_genmove black")
        assert bot.clock.control is None
    for line, message in (
        ("kgs-time_settings canadian 60 30 1e400", "syntax error: '1e400' is not a number"),
        ("kgs-time_settings canadian 60 30 -3", "syntax error: '-3' is not a number"),
        ("kgs-time_settings byoyomi 60 30 2.5", "syntax error: '2.5' is not a number"),
        ("kgs-time_settings absolute 1e400", "syntax error: '1e400' is not a time below 1,000,000,000 seconds"),
        ("time_settings inf 0 0", "syntax error: 'inf' is not a time below 1,000,000,000 seconds"),
    ):
        assert talk.refused(line) == message
    assert talk.refused("kgs-time_settings fischer 1 2").startswith("syntax error: none, absolute TIME")


def test_periods_follow_the_main_time() -> None:
    timer = Timer(10, 30, 2)
    seen = []
    for seconds in (4, 7, 20, 5, 31):
        timer.spend(seconds)
        seen.append((timer.left, timer.moves_left))
    assert seen == [(6, 0), (30, 2), (10, 1), (30, 2), (30, 2)]
