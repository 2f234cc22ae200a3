"""``plywise quiz`` in the terminal, in scripts and on paper."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plywise.explain import moodle_xml, qti_package, quiz_number, random_quiz
from plywise.games import Tree
from tests.cli.support import plywise, process

Capture = pytest.CaptureFixture[str]


def test_a_sitting_goes_on_until_every_answer_is_right_or_given_up() -> None:
    answer = process("quiz", text="-3\nx\ng\ng h\n\nR\nwhy\nB\n")
    assert answer.code == 0
    assert answer.err == ""
    lines = answer.out.splitlines()
    assert "Cut rule: alpha ≥ beta: a tie is cut.  Moves are tried in the order drawn." in lines
    assert "   ├─ B ▼ ◀" in lines
    assert "      └─ R ▢ 6  h" in lines
    assert "'x' is not a leaf; leaves are a b … h, or answer none" in lines
    hint = "Look again below node R (Max): with which window does alpha-beta enter it, and what does each move change?"
    assert f"  Hint: {hint}" in lines
    assert "Wrong: h (R R R) is never looked at." not in lines
    assert "window: (-∞, -3)" in lines
    assert "Wrong: R is not the right move." in lines
    assert lines[-1] == "2 of 4 right: 1 at the first try, 1 with a hint."


def test_before_a_wrong_answer_why_is_an_answer_like_any_other() -> None:
    assert "'why' is not a number, such as 3 or -inf" in process("quiz", text="why\nquit\n").out.splitlines()


def test_one_may_leave_at_any_time() -> None:
    assert process("quiz", text="-3\nquit\n").code == 0
    assert process("quiz", text="").code == 0


@pytest.mark.parametrize(("answers", "code"), [(["g,h", "h g"], 0), (["g,h", "h"], 1), (["none"], 1)])
def test_the_exit_code_says_whether_all_answers_are_right(answers: list[str], code: int, capsys: Capture) -> None:
    given = [word for text in answers for word in ("--answer", f"pruned={text}")]
    assert plywise(capsys, "quiz", *given).code == code


def test_json_has_the_quiz_the_grades_and_what_is_revealed(capsys: Capture) -> None:
    bare = json.loads(plywise(capsys, "quiz", "--json").out)
    assert "answers" not in bare
    assert "grades" not in bare
    answer = plywise(capsys, "quiz", "1", "-a", "value=6", "-q", "value", "-q", "move", "--reveal", "--json")
    report = json.loads(answer.out)
    assert answer.code == 1
    assert [question["name"] for question in report["questions"]] == ["value", "move"]
    assert report["grades"][0]["remarks"][0]["step"] == {"number": 33, "sentence": "The root (Min) returns -3."}
    assert {name: told["answer"] for name, told in report["answers"].items()} == {"value": "-3", "move": "B"}


def test_seed_and_wishes_make_a_quiz(capsys: Capture) -> None:
    words = ("--seed", "7", "--depth", "4", "--deep", "--no-ties", "--strict", "--first", "min", "--json")
    report = json.loads(plywise(capsys, "quiz", *words).out)
    assert report["recipe"]["wishes"]["deep"] is True
    assert report["rule"] == "Cut rule: alpha > beta (strict): a tie is not cut"
    assert report["tree"]["player"] == "Min"
    assert report == json.loads(plywise(capsys, "quiz", *words).out)


def test_without_a_seed_one_is_chosen_and_told(capsys: Capture) -> None:
    report = json.loads(plywise(capsys, "quiz", "--depth", "2", "--json").out)
    assert report["title"] == f"Quiz with seed {report['recipe']['seed']}"


def test_a_tree_goes_out_and_comes_in_again_in_berkeleys_format(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "quiz.test"
    assert plywise(capsys, "quiz", "5", "--export", str(file)).code == 0
    report = json.loads(plywise(capsys, "quiz", str(file), "--json").out)
    assert report["tree"] == quiz_number(5).to_json()["tree"]
    assert "✂" in plywise(capsys, "tree", str(file)).out
    begun_by_min = plywise(capsys, "quiz", "1", "--export", str(file))
    assert begun_by_min.code == 0
    assert plywise(capsys, "quiz", "1", "--export", str(tmp_path / "quiz.json")).code == 0
    assert len(Tree.load(tmp_path / "quiz.json").nodes) == 15


@pytest.mark.parametrize("form", ["html", "svg", "tex"])
def test_sheets_ask_and_answer_sheets_tell(form: str, tmp_path: Path, capsys: Capture) -> None:
    sheet, answers = tmp_path / f"quiz.{form}", tmp_path / f"answers.{form}"
    answer = plywise(capsys, "quiz", "--seed", "7", "--sheet", str(sheet), "--answers", str(answers))
    assert (answer.code, answer.err) == (0, "")
    assert "".join(answer.out.split()) == f"Quizwithseed7Wrote{sheet}Wrote{answers}"  # a narrow screen breaks names
    quiz, asked, told = random_quiz(7), sheet.read_text("utf-8"), answers.read_text("utf-8")
    for text in (asked, told):
        assert "Quiz with seed 7" in text
        assert "a tie is cut" in text
        assert "Which leaves does alpha-beta never look at?" in text
    step = quiz.why("pruned")[0]
    assert f"Step {step.number}:" not in asked
    assert f"Step {step.number}:" in told
    if form == "svg":
        assert {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(told)} >= {"g", "path", "text"}


def test_the_questions_go_out_for_moodle_and_as_qti(tmp_path: Path, capsys: Capture) -> None:
    moodle, qti = tmp_path / "quiz.xml", tmp_path / "quiz.zip"
    answer = plywise(capsys, "quiz", "2", "-q", "pruned", "--moodle", str(moodle), "--qti", str(qti))
    assert (answer.code, answer.err) == (0, "")
    assert moodle.read_text("utf-8") == moodle_xml(quiz_number(2), names=["pruned"])
    assert qti.read_bytes() == qti_package(quiz_number(2), names=["pruned"])


def test_what_students_hand_in_is_graded_and_one_bad_file_does_not_hide_the_others(
    tmp_path: Path, capsys: Capture
) -> None:
    answers = {"value": "-3", "pruned": "g h", "window": "x", "move": "B"}
    (tmp_path / "ada.json").write_text(json.dumps({"name": "Ada", "recipe": {"number": 1}, "answers": answers}))
    (tmp_path / "bob.json").write_text('{"name": "Bob", "recipe": {"number": 2}, "answers": {}}')
    (tmp_path / "eve.json").write_text('{"name": "Eve", "recipe": {"number": 1}, "answers": {"move": "R"}}')
    words = [word for name in ("ada", "bob", "eve") for word in ("--grade", str(tmp_path / f"{name}.json"))]
    answer = plywise(capsys, "quiz", "1", *words, "--json")
    assert answer.code == 1
    ada, bob, eve = json.loads(answer.out)["files"]
    assert (ada["name"], ada["right"], ada["of"]) == ("Ada", 3, 4)
    assert bob["error"] == "these are answers to another quiz, not to 'Quiz 1: RED-BLUE'"
    assert eve["right"] == 0
    lines = plywise(capsys, "quiz", "1", *words[:2], *words[4:])
    assert lines.out.splitlines() == [
        "Quiz 1: RED-BLUE", "Ada: 3 of 4 right; wrong: window", "Eve: 0 of 4 right; wrong: value, pruned, window, move",
    ]  # fmt: skip
    assert lines.code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["99"], "there is no quiz number 99: numbers are 1 to 9"),
        (["3", "--depth", "4"], "quiz 3 is fixed; leave out the number for a random tree"),
        (["red-blue", "--seed", "4"], "--seed and options such as --cuts are for random trees: leave out 'red-blue'"),
        (["--position", "BR"], "--position needs a game, such as tic-tac-toe"),
        (["--seed", "-1"], "seed=-1 must be a whole number from 0 to 2**53 - 1"),
        (["--depth", "3", "--deep"], "depth 3 is too small for a deep cut: it must be 4 or more"),
        (["--answer", "g"], "--answer 'g' is not NAME=TEXT, such as value=3 or pruned=c,d"),
        (["--answer", "depth=3"], "'depth' is not a question of this quiz; it asks value, pruned, window and move"),
        (["-q", "depth"], "'depth' is not a question of this quiz; it asks value, pruned, window and move"),
        (["--sheet", "quiz.doc"], "there is no sheet format 'doc'; there are: html, svg, tex"),
        (["--export", "quiz.txt"], "quiz.txt: a tree is written to a .json or .test file"),
        (["tic-tac-toe"], "this tree has more than 250 leaves: choose a smaller depth"),
        (["--grade", "ada.json", "--answer", "value=3"], "--grade grades files: leave out --answer"),
        (["--grade", "ada.json", "--reveal"], "--grade grades files: leave out --reveal"),
    ],
)
def test_what_makes_no_sense_is_one_line(words: list[str], message: str, capsys: Capture) -> None:
    assert plywise(capsys, "quiz", *words) == (2, "", f"plywise: {message}\n")


def test_a_position_of_a_game_can_be_asked_about(capsys: Capture) -> None:
    answer = plywise(capsys, "quiz", "tic-tac-toe", "-p", "XO./.X./..O", "--depth", "2", "--reveal")
    assert answer.code == 0
    assert "Tic-tac-toe, position XO./.X./..O" in answer.out
