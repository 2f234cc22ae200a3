"""``plywise quiz``: questions about alpha-beta on a tree, in the terminal, in scripts and on paper."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plywise.cli.failure import WRONG
from plywise.cli.options import JsonOption, PositionOption
from plywise.cli.screen import ask, output, print_json
from plywise.errors import QuizError
from plywise.io.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from plywise.explain import Grade, Quiz, Visit
    from plywise.explain.terminal import TerminalLine


MOST_BYTES = 1 << 20
"""The most bytes of a file of answers."""


def quiz(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[WHAT]", help="The number of a quiz (default: 1), a file with a tree, or a game."),
    ] = None,
    position: PositionOption = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Ask about random tree N.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", metavar="N", help="Depth of the tree.")] = None,
    branching: Annotated[int | None, typer.Option("--branching", metavar="N", help="Moves at every node.")] = None,
    cuts: Annotated[int | None, typer.Option("--cuts", metavar="N", help="At least N cuts.")] = None,
    inner: Annotated[bool, typer.Option("--inner", help="At least one cut that skips an inner node.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="At least one deep cut.")] = False,
    ties: Annotated[
        bool | None, typer.Option("--ties/--no-ties", help="A tie that matters; or no two equal leaves.")
    ] = None,
    ragged: Annotated[bool, typer.Option("--ragged", help="Vary the number of moves and the depth of leaves.")] = False,
    first: Annotated[str | None, typer.Option("--first", metavar="SIDE", help="Who moves first: max or min.")] = None,
    strict: Annotated[
        bool | None, typer.Option("--strict/--no-strict", help="Cut only on alpha > beta, or also on a tie.")
    ] = None,
    question: Annotated[
        list[str] | None,
        typer.Option(
            "--question", "-q", metavar="NAME", help="Ask only about value, pruned, window or move; repeatable."
        ),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", "-a", metavar="NAME=TEXT", help="Grade this answer, ask nothing; repeatable."),
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Print the answers, ask nothing.")] = False,
    sheet: Annotated[
        Path | None, typer.Option("--sheet", metavar="FILE", help="Write a printable quiz: .html, .svg or .tex.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Write the same sheet with the answers.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the tree: .json, or Berkeley's .test.")
    ] = None,
    moodle: Annotated[
        Path | None, typer.Option("--moodle", metavar="FILE", help="Write the questions as Moodle XML.")
    ] = None,
    qti: Annotated[
        Path | None, typer.Option("--qti", metavar="FILE", help="Write the questions as a QTI 2.1 package (.zip).")
    ] = None,
    grade: Annotated[
        list[Path] | None,
        typer.Option("--grade", metavar="FILE", help="Grade answers that a student handed in; repeatable."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer questions about alpha-beta on a tree.

    What is the value of the root?  Which leaves does alpha-beta never visit?  With which window does it enter the
    marked node?  Which move does it choose?  A wrong answer gets a hint; type why for the step of the search that shows
    the mistake.  The rule for ties is always stated.

    Quiz 1 is RED-BLUE.  With --seed or any option from --depth to --first, the tree is random; the same seed and
    options give the same tree.  With --answer, the exit code is 1 if an answer is wrong.

    \b
    plywise quiz
    plywise quiz 5
    plywise quiz --depth 4 --branching 3 --deep --no-ties
    plywise quiz lecture.test --strict
    plywise quiz tic-tac-toe -p XO./.X./..O --depth 2
    plywise quiz 1 --answer pruned=g,h --answer value=-3 --json
    plywise quiz --seed 7 --sheet quiz.html --answers answers.html
    plywise quiz 5 --moodle quiz.xml --qti quiz.zip
    plywise quiz 5 --grade ada.json --grade alan.json
    """
    wishes = {
        "depth": depth, "branching": branching, "cuts": cuts, "inner": inner or None, "deep": deep or None,
        "ties": ties, "ragged": ragged or None, "first": first,
    }  # fmt: skip
    asked = {name: value for name, value in wishes.items() if value is not None}
    if grade and (answer or reveal):
        raise QuizError(f"--grade grades files: leave out {'--answer' if answer else '--reveal'}")
    made = _made(what, position, seed, asked, strict)
    names = _asked(made, question)
    for file, with_answers in ((sheet, False), (answers, True)):
        if file is not None:
            _write_sheet(made, names, file, with_answers)
    if export is not None:
        _export(made, export)
    _for_platforms(made, names, moodle, qti)
    given = [_split(text) for text in answer or []]
    if grade:
        _grade_files(made, grade, as_json)
    elif given or reveal or as_json:
        _report(made, names, given, reveal, as_json)
    elif files := [file for file in (sheet, answers, export, moodle, qti) if file is not None]:
        output().print("\n".join([made.title, *(f"Wrote {file}" for file in files)]), highlight=False)
    else:
        _Sitting(output(), made, names).hold()


# Which quiz ----------------------------------------------------------------------------------------------------------


def _made(
    what: str | None, position: str | None, seed: int | None, wishes: dict[str, Any], strict: bool | None
) -> Quiz:
    """Return the quiz that the arguments describe."""
    from plywise.explain import quiz_about, quiz_number, quiz_of
    from plywise.inputs.choose import choose_game

    number = None if what is None else whole_number(what)
    if what is not None and number is None:
        depth = wishes.pop("depth", None)
        if seed is not None or wishes:
            raise QuizError(f"--seed and options such as --cuts are for random trees: leave out {what!r}")
        game = choose_game(what)
        return quiz_about(game, position, depth=depth, strict=bool(strict), title=None if position else what)
    if position is not None:
        raise QuizError("--position needs a game, such as tic-tac-toe")
    if seed is None and not wishes:
        return quiz_number(1 if number is None else number, strict=strict)
    if what is not None:
        raise QuizError(f"quiz {what} is fixed; leave out the number for a random tree")
    chosen = random.randrange(1_000_000) if seed is None else seed
    return quiz_of({"seed": chosen, "wishes": wishes, "strict": bool(strict)})


def _asked(made: Quiz, names: list[str] | None) -> list[str]:
    """Return the names of the questions to ask, in their order."""
    wanted = {made.question(name).name for name in names or []}
    return [question.name for question in made.questions if not wanted or question.name in wanted]


# On the terminal -----------------------------------------------------------------------------------------------------


class _Sitting:
    """A quiz in the terminal."""

    def __init__(self, out: Console, made: Quiz, names: list[str]) -> None:
        self.out, self.quiz, self.names = out, made, names

    def hold(self) -> None:
        """Ask each question until the answer is right or the user gives up."""
        show(self.out, self.quiz)
        outcomes = []
        for name in self.names:
            question = self.quiz.question(name)
            self.out.print(f"\n{question.text}", style="bold")
            self.out.print(f"({question.form}; press Enter to give up, type quit to end the quiz)", style="dim")
            outcome = self._answered(name)
            if outcome is None:
                return
            outcomes.append(outcome)
        first, hinted = outcomes.count("first"), outcomes.count("hint")
        score = f"{first + hinted} of {len(outcomes)} right: {first} at the first try, {hinted} with a hint."
        self.out.print(f"\n{score}", style="bold")

    def _answered(self, name: str) -> Literal["first", "hint", "shown"] | None:
        """Ask one question.  Return how it was answered, or None if the user quits."""
        wrong: Grade | None = None
        shown = False
        while True:
            text = ask("> ")
            if text is None or text.lower() == "quit":  # q is the name of a leaf
                return None
            if not text:
                show_answer(self.out, self.quiz, name)
                return "shown"
            if text.lower() == "why" and wrong is not None:
                show_reasons(self.out, wrong)
                shown = True
                continue
            try:
                grade = self.quiz.grade(name, text)
            except QuizError as error:
                self.out.print(str(error))
                continue
            if grade.right:
                show_grade(self.out, grade)
                return "shown" if shown else "first" if wrong is None else "hint"
            wrong = grade
            show_hint(self.out, grade)


def show(out: Console, made: Quiz) -> None:
    """Print the tree and the rule for ties."""
    out.print(made.title, style="bold")
    out.print(f"{made.rule}.  Moves are tried in the order drawn.\n")
    width = out.width if out.is_terminal else None
    for line in bare_drawing(made):
        for piece in line.fitted(width):
            out.print(piece)
    out.print("\n▲ Max  ▼ Min  ▢ leaf  ◀ marked node", style="dim")


def show_hint(out: Console, grade: Grade) -> None:
    """Print that an answer is wrong, and where to look again."""
    out.print("Wrong.", style="red")
    out.print(f"  Hint: {grade.hint}")
    out.print("  (try again, or type why to see what is wrong)", style="dim")


def show_grade(out: Console, grade: Grade) -> None:
    """Print whether an answer is right, or why not."""
    if grade.right:
        out.print("Right.", style="green")
    show_reasons(out, grade)


def show_reasons(out: Console, grade: Grade) -> None:
    """Print the mistakes in an answer, with the steps that show them."""
    for remark in grade.remarks:
        out.print(f"Wrong: {remark.text}", style="red")
        out.print(f"  step {remark.step.number}: {remark.step.sentence}")


def show_answer(out: Console, made: Quiz, name: str) -> None:
    """Print the right answer with the steps that show it."""
    out.print(f"{name}: {made.answer(name)}", style="bold")
    for step in made.why(name):
        out.print(f"  step {step.number}: {step.sentence}")


def bare_drawing(made: Quiz) -> list[TerminalLine]:
    """Return the tree as lines of text that give no answer away."""
    from plywise.explain.terminal import TerminalLine

    letter = {leaf: name for name, leaf in made.leaves.items()}

    def draw(visit: Visit, branch: str, indent: str) -> Iterator[TerminalLine]:
        yield TerminalLine(branch, _bare(made, visit, letter), visit)
        for i, child in enumerate(visit.children, 1):
            last = i == len(visit.children)
            yield from draw(child, f"{indent}{'└─ ' if last else '├─ '}", f"{indent}{'   ' if last else '│  '}")

    return list(draw(made.root, "", ""))


def _bare(made: Quiz, visit: Visit, letter: dict[Visit, str]) -> Any:
    from rich.text import Text

    from plywise.explain.terminal import DOWN, LEAF, UP
    from plywise.explain.text import number
    from plywise.game import MAX

    move = "" if visit.parent is None else f"{made.whole.move_label(visit.parent, visit.move)} "
    if visit in letter:
        name = "" if made.is_lettered else f"  {letter[visit]}"
        return Text.assemble(move, (LEAF, "cyan"), f" {number(visit.value)}", (name, "bold"))
    sign = (UP, "green") if visit.player == MAX else (DOWN, "magenta")
    return Text.assemble(move, sign, (" ◀", "bold yellow") if made.is_marked(visit) else "")


# For programs --------------------------------------------------------------------------------------------------------


def _split(text: str) -> tuple[str, str]:
    name, equals, given = text.partition("=")
    if not equals:
        raise QuizError(f"--answer {text!r} is not NAME=TEXT, such as value=3 or pruned=c,d")
    return name.strip(), given


def _report(made: Quiz, names: list[str], given: list[tuple[str, str]], reveal: bool, as_json: bool) -> None:
    """Grade the given answers, print the report, and exit with 1 if one is wrong."""
    grades = [made.grade(name, text) for name, text in given]
    if as_json:
        report = made.to_json()
        report["questions"] = [question for question in report["questions"] if question["name"] in names]
        if given:
            report["grades"] = [grade.to_json() for grade in grades]
        if reveal:
            report["answers"] = {
                name: {"answer": made.answer(name), "why": [step._asdict() for step in made.why(name)]}
                for name in names
            }
        print_json(report)
    else:
        _print_report(output(), made, names, grades, reveal)
    if not all(grade.right for grade in grades):
        raise typer.Exit(WRONG)


def _print_report(out: Console, made: Quiz, names: list[str], grades: list[Grade], reveal: bool) -> None:
    show(out, made)
    for grade in grades:
        out.print(f"\n{made.question(grade.name).text}  {grade.given}")
        show_grade(out, grade)
    if reveal:
        out.print()
        for name in names:
            show_answer(out, made, name)


def _grade_files(made: Quiz, files: list[Path], as_json: bool) -> None:
    """Grade what students handed in, a line each; exit with 1 if a file cannot be graded."""
    from plywise.errors import PlywiseError
    from plywise.explain import marks
    from plywise.io.files import read_text_file

    reports: list[dict[str, Any]] = []
    for file in files:
        try:
            told = marks(made, read_text_file(file, MOST_BYTES))
        except PlywiseError as error:
            reports.append({"file": str(file), "error": str(error)})
            continue
        reports.append({"file": str(file), **told.to_json()})
    if as_json:
        print_json({"title": made.title, "files": reports})
    else:
        output().print("\n".join([made.title, *map(_graded_line, reports)]), highlight=False)
    if any("error" in report for report in reports):
        raise typer.Exit(WRONG)


def _graded_line(report: dict[str, Any]) -> str:
    if "error" in report:
        return f"{report['file']}: {report['error']}"
    wrong = [name for name, grade in report["grades"].items() if grade is None or not grade["right"]]
    return f"{report['name']}: {report['right']} of {report['of']} right{'; wrong: ' * bool(wrong)}{', '.join(wrong)}"


# Files ---------------------------------------------------------------------------------------------------------------


def _write_sheet(made: Quiz, names: list[str], file: Path, answers: bool) -> None:
    """Write the sheet, with or without answers, in the format of the file's suffix."""
    from plywise.explain import sheet

    _write(file, sheet(made, file.suffix.lstrip(".").lower(), answers=answers, names=names))


def _for_platforms(made: Quiz, names: list[str], moodle: Path | None, qti: Path | None) -> None:
    """Write the questions for learning platforms."""
    from plywise.explain import moodle_xml, qti_package

    if moodle is not None:
        _write(moodle, moodle_xml(made, names=names))
    if qti is not None:
        _write(qti, qti_package(made, names=names))


def _write(file: Path, content: str | bytes) -> None:
    from plywise.io.files import written_whole

    with written_whole(file) as out:
        out.write(content.encode() if isinstance(content, str) else content)


def _export(made: Quiz, file: Path) -> None:
    """Write the tree in the format of the file's suffix."""
    import json

    tree = made.to_tree()
    if file.suffix == ".test":
        text = tree.to_berkeley("AlphaBetaAgent")
    elif file.suffix == ".json":
        text = json.dumps(tree.to_json(), indent=2) + "\n"
    else:
        raise QuizError(f"{file}: a tree is written to a .json or .test file")
    _write(file, text)
