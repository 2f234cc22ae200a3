"""``plywise play``, through a pipe."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from plywise.cli.play import END, TerminalGame
from plywise.games import Go
from tests.cli.support import Answer, plywise
from tests.match.support import RingWalk


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(typed: str, *arguments: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return plywise(capsys, "play", *arguments)

    return run


def test_a_whole_game(play) -> None:
    answer = play("a2\nc2\n", "tic-tac-toe", "-p", "XO./.X./..O", "--depth", "9")
    assert answer.code == 0
    assert answer.out.endswith(f"\nX wins.\n{END}\n")


def test_the_end_of_a_game_of_go(play) -> None:
    typed = "Z9\na1\npass\nwhat\nundo\npass\n\n"
    answer = play(typed, "go:3,komi=0", "-p", "XX./.XX/XXX black pass", "--depth", "1")
    assert "'Z9' is not a legal move here; legal are: C3 A2 pass" in answer.out
    assert "'a1' is not a legal move here: there is a stone already; legal are: C3 A2 pass" in answer.out
    assert answer.out.count("\nBlack wins by 9.\n") == 2  # the first end is taken back
    assert answer.out.count(END) == 3
    assert answer.out.endswith(f"\nBlack wins by 9.\n{END}\n")


def test_repetition_ends_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    game = RingWalk()
    TerminalGame(game, game.initial(), None, {"depth": 1}).play()
    out = capsys.readouterr().out
    assert out.count(" plays 1") == 4
    assert out.endswith("\nMax wins by repetition.\n")


def test_a_forbidden_repetition_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    game = Go(3, superko=True)
    match = TerminalGame(game, game.initial(), 0, {"depth": 1})
    for text in ["C1", "B3", "A2", "A1", "B1", "B2", "A3", "A1"]:
        match._make(game.parse_move(match.state, text))
    assert match._legal() == ["A3", "C3", "C2", "pass"]
    assert match._understood("a2") is None
    assert "'a2' is not a legal move here: it repeats an earlier position" in capsys.readouterr().out
    assert match._understood("a3") == 0


def test_the_discs_of_each_player_are_counted_below_the_board(play) -> None:
    answer = play("", "othello:4", "-p", "b1a1")
    assert "4 . . . .\nBlack 3, White 3\n" in answer.out


def test_the_search_plays_its_side_and_ends_with_the_result(play) -> None:
    answer = play("R\n", "red-blue", "--side", "max", "--depth", "3")
    assert "You are Max." in answer.out
    assert "Min plays B: value -3, solved in" in answer.out
    assert answer.out.endswith(f"\nMin wins by 3.\n{END}\n")


def test_bad_input_is_explained_and_asked_again(play) -> None:
    answer = play("green\n\nB\n", "red-blue", "--depth", "3")
    assert "'green' is not a legal move here; legal are: B R" in answer.out
    assert "Legal moves: B R." in answer.out
    assert answer.out.count("Min to move: ") == 4


def test_undo_hint_and_quit(play) -> None:
    answer = play("undo\nhint\nB\nundo\nquit\n", "red-blue", "--depth", "3")
    assert answer.code == 0
    assert "Nothing to take back" in answer.out
    assert "The search would play B: value -3" in answer.out
    assert answer.out.count(". . .") == 2
    assert answer.out.endswith("Good-bye.\n")


def test_the_end_of_the_input_is_a_good_bye(play) -> None:
    answer = play("", "red-blue")
    assert answer.code == 0
    assert answer.out.endswith("Good-bye.\n")


@pytest.mark.parametrize("side", ["none", "2", "Min", "min"])
def test_sides(play, side: str) -> None:
    answer = play("", "red-blue", "--side", side, "--depth", "3")
    assert answer.code == 0
    assert ("You are Min." in answer.out) == (side != "none")
    assert ("Min wins by 3." in answer.out) == (side == "none")


def test_three_players(play) -> None:
    answer = play("climb\n", "dog-cat-mouse", "--side", "cat", "--depth", "3")
    assert answer.out.endswith(f"The game is over: dog gets 1, cat 5 and mouse 8.\n{END}\n")


def test_a_clock(play) -> None:
    assert "Min wins by 3." in play("", "red-blue", "--side", "none", "--seconds", "0.1").out


def test_the_first_reply_comes_from_plain_python_and_fast_code_takes_over(
    play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plywise.compiling import background

    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    typed = iter(["b2", "a1", "quit"])

    def type_next(prompt: str) -> str:
        for task in background._tasks.values():
            assert task.ended.wait(120)
        return next(typed)

    monkeypatch.setattr("builtins.input", type_next)
    file = tmp_path / "boxes.py"
    rule = "def order(self, state, move): return 8 - move"  # so that no test before it has compiled these rules
    file.write_text(f"from plywise.games import TicTacToe\n\nclass Boxes(TicTacToe):\n    {rule}\n")
    lines = play("", f"{file}:Boxes", "--seconds", "0.2").out.splitlines()
    said = [line for line in lines if line.startswith("(") or " plays " in line]
    assert said[0] == "(Thinking in plain Python while the fast code is made.)"
    assert said[1].startswith("O plays ")
    assert said[2] == "(The fast code has taken over.)"
    assert said[3].startswith("O plays ")


OWN_TEXTS = """
import plywise as pw
from plywise.games import Nim


class Hasty(Nim):
    def parse_move(self, state, text):
        return -1 if text == "none" else list(self.moves(state))[int(text)]
"""


def test_a_value_error_of_a_games_own_parse_move_or_an_illegal_move_is_bad_input(play, tmp_path) -> None:
    file = tmp_path / "hasty.py"
    file.write_text(OWN_TEXTS)
    answer = play("x\nnone\nquit\n", str(file), "--depth", "1")
    assert (answer.code, answer.err) == (0, "")
    for text in ("x", "none"):
        assert f"'{text}' is not a legal move here; some of the 12 legal moves are: a1" in answer.out
    assert answer.out.endswith("Good-bye.\n")
    assert play("99\nquit\n", str(file), "--depth", "1").code != 0  # any other exception is a mistake in the rules


# Dice ---------------------------------------------------------------------------------------------------------------


def rolls(answer: Answer) -> list[str]:
    return [line for line in answer.out.splitlines() if line.startswith("Dice: ")]


def test_the_umpire_rolls_from_a_seed_that_is_shown_and_can_be_given(play) -> None:
    typed = "roll\nroll\nroll\nroll\n"
    first = play(typed, "pig", "--depth", "1")
    assert (first.code, first.err) == (0, "")
    seed = first.out.partition("from seed ")[2].partition(";")[0]
    assert f"Dice are rolled from seed {seed}; --seed {seed} repeats the rolls." in first.out
    assert len(rolls(first)) >= 4
    assert rolls(play(typed, "pig", "--depth", "1", "--seed", seed)) == rolls(first)
    others = [rolls(play(typed, "pig", "--depth", "1", "--seed", str(other))) for other in range(5)]
    assert len({tuple(other[:4]) for other in others}) > 1


def test_undo_goes_back_before_the_roll_and_the_dice_fall_as_before(play) -> None:
    answer = play("roll\nundo\nroll\nquit\n", "pig", "--depth", "1", "--seed", "1")
    assert answer.out.count("Max to move: ") == 4
    assert rolls(answer) == 2 * rolls(answer)[:1]
    assert answer.out.endswith("Good-bye.\n")


def test_real_dice_are_asked_for_also_when_the_search_rolls(play) -> None:
    typed = "roll\n7\nhint\n\n5\nhint\nhold\n1\nquit\n"
    answer = play(typed, "pig", "--depth", "2", "--real-dice")
    assert (answer.code, answer.err) == (0, "")
    assert "seed" not in answer.out
    assert "'7' is not a legal move here; legal are: 1 2 3 4 5 6" in answer.out
    assert "Nobody chooses here: type what the dice show." in answer.out
    assert "Legal moves: 1 2 3 4 5 6." in answer.out
    assert "The search would play roll: value " in answer.out
    assert "Min plays roll: value " in answer.out
    assert answer.out.endswith("Max to move: quit\nGood-bye.\n")


def test_a_mistyped_roll_can_be_taken_back(play) -> None:
    answer = play("roll\n5\nundo\n3\nhold\nquit\n", "pig", "--depth", "2", "--real-dice", "-p", "4-9 max")
    assert (answer.code, answer.err) == (0, "")
    assert "The roll is taken back: type again what the dice show, or undo to take back more.\nDice: 3\n" in answer.out
    assert "kept   7   9" in answer.out  # 4 kept and 3 of the turn
    assert "9       9" not in answer.out


def test_a_mistyped_roll_of_the_search_is_taken_back_with_its_answer(play) -> None:
    answer = play("2\nundo\n6\nundo\nundo\nquit\n", "pig", "--depth", "2", "--real-dice", "-p", "0-9 min 0 rolling",
                  "--side", "max")  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.count("The roll is taken back") == 2
    assert "Nothing to take back." in answer.out


def test_undo_goes_from_the_roll_to_the_move_before_it(play) -> None:
    answer = play("roll\n5\nundo\nundo\nroll\nquit\n", "pig", "--depth", "2", "--real-dice")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.count("Max to move: ") == 3
    assert answer.out.endswith("Dice: quit\nGood-bye.\n")


def test_a_mistyped_roll_that_ends_the_game_can_be_taken_back(play) -> None:
    answer = play("roll\n6\nundo\n3\nquit\n", "pig", "--depth", "2", "--real-dice", "-p", "95-9 max")
    assert (answer.code, answer.err) == (0, "")
    assert END in answer.out
    assert answer.out.endswith("Max to move: quit\nGood-bye.\n")
    for typed in ("roll\n6\n\n", "roll\n6\n"):
        answer = play(typed, "pig", "--depth", "2", "--real-dice", "-p", "95-9 max")
        assert (answer.code, answer.err) == (0, "")
        assert answer.out.endswith(f"Max wins.\n{END}\n")


def test_before_a_roll_the_user_is_the_first_player(play) -> None:
    answer = play("", "backgammon", "--depth", "1", "--seed", "3")
    assert (answer.code, answer.err) == (0, "")
    assert "You are White." in answer.out
    assert len(rolls(answer)) == 1


@pytest.mark.parametrize(
    ("game", "ending"),
    [
        (["pig:20"], " wins."),
        (["yahtzee:1", "-p", "xxxxxxxxxxxx- 8 200; max 1 33361"], "The game is over: Max gets 216."),
        (["backgammon"], " wins"),
    ],
    ids=str,
)
def test_the_search_plays_games_with_dice_to_the_end(play, game: list[str], ending: str) -> None:
    answer = play("", *game, "--side", "none", "--depth", "1", "--seed", "5")
    assert (answer.code, answer.err) == (0, "")
    assert ending in answer.out.splitlines()[-1]


def test_the_search_plays_a_game_of_checkers_to_the_end(play) -> None:
    answer = play("", "checkers", "--side", "none", "--depth", "1")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines()[-1].startswith(("Black wins by ", "White wins by ", "A draw by "))


def test_alone_there_is_no_other_side(play) -> None:
    answer = play("", "yahtzee:1", "--side", "min")
    assert answer.code == 2
    assert "--side 'min' is not a player of this game; allowed are: none, 1, max" in answer.err.replace("\n", " ")


THREE = """{"player": "chance", "children": [
    {"values": [1, 2, 3]}, {"player": 2, "children": [{"values": [3, 2, 1]}, {"values": [1, 1, 5]}]}
]}"""


def test_three_players_with_dice(play, tmp_path: Path) -> None:
    file = tmp_path / "three.json"
    file.write_text(THREE)
    answer = play("2\n", str(file), "--real-dice", "--depth", "2")
    assert "player 3 plays " in answer.out
    assert answer.out.endswith(f"The game is over: player 1 gets 1, player 2 1 and player 3 5.\n{END}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["red-blue", "--seed", "1"], "--seed is for games with chance, unlike RedBlue()"),
        (["red-blue", "--real-dice"], "--real-dice is for games with chance, unlike RedBlue()"),
        (["pig", "--real-dice", "--seed", "1"], "with --real-dice you roll, so leave out --seed"),
    ],
)
def test_options_for_dice_are_refused_where_they_make_no_sense(play, arguments: list[str], said: str) -> None:
    answer = play("", *arguments)
    assert answer.code != 0
    assert said in answer.err
