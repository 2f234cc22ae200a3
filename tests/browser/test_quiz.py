"""The Quiz room in a browser: right and wrong answers to RED-BLUE by mouse and keyboard, and other quizzes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from plywise.explain import marks, moodle_xml, qti_package, quiz_number, quiz_of
from plywise.games import Tree
from tests.browser.conftest import serious_findings

CUT = "Step 31: Cut at R (Max): alpha -2 > beta -3: Min already has -3, so will not come here; R is left out."


@pytest.fixture
def quiz(open_page: Callable[..., Any]) -> Any:
    return opened(open_page, "/#quiz")


def opened(open_page: Callable[..., Any], path: str, **properties: Any) -> Any:
    page = open_page(path, **{"viewport": {"width": 1280, "height": 900}, **properties})
    page.wait_for_selector(".quiz-figure .leaf")
    return page


def card(page: Any, name: str) -> Any:
    return page.locator(f"[data-question={name}]")


def leaf(page: Any, letter: str) -> Any:
    return page.locator(f".quiz-figure [data-leaf={letter}]")


def check(page: Any, name: str) -> str:
    """Have an answer checked; returns the verdict."""
    verdict = card(page, name).locator(".quiz-verdict")
    before = verdict.inner_text()
    with page.expect_response("**/api/quiz/grade"):
        card(page, name).get_by_role("button", name="Check").click()
    page.wait_for_function("([node, before]) => node.innerText !== before", arg=[verdict.element_handle(), before])
    return str(verdict.inner_text())


def why(page: Any, name: str) -> str:
    """Ask what is wrong with the last answer; returns the reasons."""
    with page.expect_response("**/api/quiz/grade"):
        card(page, name).get_by_role("button", name="Show why").click()
    card(page, name).get_by_role("button", name="Show why").wait_for(state="detached")
    return str(card(page, name).locator(".quiz-verdict").inner_text())


def score(page: Any) -> str:
    return str(page.locator(".quiz-score p").inner_text())


def test_red_blue_answered_wrongly_and_then_rightly(quiz: Any) -> None:
    assert "Quiz 1: RED-BLUE" in quiz.locator("#quiz-title").inner_text()
    assert "alpha ≥ beta: a tie is cut" in quiz.locator(".quiz-rule").inner_text()

    leaf(quiz, "h").click()
    leaf(quiz, "f").click()
    verdict = check(quiz, "pruned")
    assert "Not right yet." in verdict
    assert "Hint: Look again below node R B (Min): with which window does alpha-beta enter it" in verdict
    assert "Step" not in verdict
    assert quiz.locator(".leaf.wrong").count() == 0
    verdict = why(quiz, "pruned")
    assert "f (R B R) is looked at." in verdict
    assert "Leaf R B R: the game is over, score -2." in verdict
    assert "g (R R B) is never looked at." in verdict
    assert CUT in verdict
    assert quiz.locator(".leaf.wrong").count() == 2
    leaf(quiz, "f").click()
    leaf(quiz, "g").click()
    assert card(quiz, "pruned").locator(".quiz-marks").inner_text() == "g h"
    assert check(quiz, "pruned") == "✓ Right."
    assert quiz.locator(".leaf.wrong").count() == 0

    card(quiz, "value").get_by_label("A number").fill("6")
    assert "6 is not right.\n\nHint: 6 does not get past node R R: Min has a better move there." in check(quiz, "value")
    card(quiz, "value").get_by_label("A number").fill("-3")
    assert check(quiz, "value") == "✓ Right."

    card(quiz, "window").get_by_label("Alpha").fill("-inf")
    card(quiz, "window").get_by_label("Beta").fill("inf")
    assert "Alpha is right. Beta is what Min has secured above node R B" in check(quiz, "window")
    assert "Beta is not ∞." in why(quiz, "window")
    card(quiz, "window").get_by_label("Beta").fill("-3")
    assert check(quiz, "window") == "✓ Right."

    card(quiz, "move").get_by_label("B", exact=True).check()
    assert check(quiz, "move") == "✓ Right."
    assert quiz.locator(".quiz-question[data-right=true]").count() == 4
    assert score(quiz) == "Series: 2 of 4 right, 1 at the first try, 1 with a hint."  # the reasons of two were shown
    assert serious_findings(quiz) == []


def test_a_series_has_a_score_and_can_be_started_again(quiz: Any) -> None:
    assert score(quiz) == "Series: no answers yet."
    card(quiz, "value").get_by_label("A number").fill("-3")
    check(quiz, "value")
    quiz.get_by_role("button", name="Next quiz").click()
    quiz.get_by_role("heading", name="Quiz 2: First cuts").wait_for()
    assert card(quiz, "value").get_by_label("A number").input_value() == ""
    card(quiz, "value").get_by_label("A number").fill("6")
    check(quiz, "value")
    assert score(quiz) == "Series: 1 of 2 right, 1 at the first try, 0 with a hint."
    quiz.get_by_role("button", name="Show the solution").click()
    quiz.get_by_role("region", name="Solution").wait_for()
    assert score(quiz) == "Series: 1 of 5 right, 1 at the first try, 0 with a hint."
    quiz.get_by_role("button", name="New series").click()
    quiz.get_by_role("button", name="Undo").wait_for()
    assert score(quiz) == "Series: no answers yet."
    assert card(quiz, "value").get_by_label("A number").input_value() == ""
    quiz.get_by_role("button", name="Undo").click()
    quiz.get_by_role("button", name="Undo").wait_for(state="hidden")
    quiz.wait_for_function("() => document.querySelector('[data-question=value] input').value === '6'")
    assert score(quiz) == "Series: 1 of 5 right, 1 at the first try, 0 with a hint."


def test_answers_survive_a_reload_finished_or_not(quiz: Any) -> None:
    leaf(quiz, "h").click()
    card(quiz, "value").get_by_label("A number").fill("6")
    check(quiz, "value")
    card(quiz, "window").get_by_label("Beta").fill("-")
    card(quiz, "move").get_by_label("R", exact=True).check()
    quiz.reload()
    quiz.wait_for_selector(".quiz-figure .leaf")
    assert leaf(quiz, "h").get_attribute("aria-pressed") == "true"
    assert card(quiz, "pruned").locator(".quiz-marks").inner_text() == "h"
    assert card(quiz, "value").get_by_label("A number").input_value() == "6"
    assert "6 does not get past node R R" in card(quiz, "value").locator(".quiz-verdict").inner_text()
    assert card(quiz, "window").get_by_label("Alpha").input_value() == ""
    assert card(quiz, "window").get_by_label("Beta").input_value() == "-"
    assert card(quiz, "move").get_by_label("R", exact=True).is_checked()
    assert score(quiz) == "Series: 0 of 1 right, 0 at the first try, 0 with a hint."
    quiz.goto("/#quiz?number=1&strict=true")
    quiz.locator(".quiz-rule", has_text="a tie is not cut").wait_for()
    assert card(quiz, "value").get_by_label("A number").input_value() == ""  # another rule, another quiz


def test_two_tabs_keep_their_own_answers_and_share_the_score(quiz: Any) -> None:
    other = quiz.context.new_page()
    other.goto("/#quiz?number=2")
    other.wait_for_selector(".quiz-figure .leaf")
    card(other, "value").get_by_label("A number").fill("-4")
    check(other, "value")
    card(quiz, "value").get_by_label("A number").fill("-3")
    check(quiz, "value")
    assert score(quiz) == "Series: 2 of 2 right, 2 at the first try, 0 with a hint."
    other.reload()
    other.wait_for_selector(".quiz-figure .leaf")
    assert card(other, "value").locator(".quiz-verdict").inner_text() == "✓ Right."


def test_a_browser_that_stores_nothing_says_so(open_page: Callable[..., Any]) -> None:
    page = opened(open_page, "/#quiz")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    leaf(page, "h").click()
    page.get_by_text("This browser cannot store your answers").wait_for()
    assert check(page, "pruned").startswith("✗ Not right yet.")


# For students --------------------------------------------------------------------------------------------------------


def test_a_link_without_the_solution_opens_the_same_quiz(open_page: Callable[..., Any], tmp_path: Path) -> None:
    page = opened(
        open_page, "/#quiz?tree=[[3,12,8],[2,4,6],[14,5,2]]", permissions=["clipboard-read", "clipboard-write"]
    )
    page.get_by_role("button", name="Link without the solution").click()
    address = page.get_by_label("Address for students").input_value()
    assert address.endswith("&for=students")
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == address
    assert serious_findings(page) == []

    student, received = open_page("/"), dict[str, str]()

    def overhear(route: Any) -> None:
        response = route.fetch()
        received[route.request.url.rpartition("/api/")[2]] = response.text()
        route.fulfill(response=response)

    student.goto("about:blank")
    student.route("**/api/**", overhear)
    student.goto(address)
    student.wait_for_selector(".quiz-figure .leaf")
    assert student.locator("#quiz-title").inner_text() == "Your tree"
    assert student.locator(".leaf").count() == 9
    assert student.url == address
    for name in (
        "Check",
        "Show the solution",
        "Step through it",
        "Answer sheet",
        "Moodle XML",
        "Next quiz",
        "New series",
    ):
        assert student.get_by_role("button", name=name).count() == 0, name

    leaf(student, "e").click()
    card(student, "value").get_by_label("A number").fill("3")
    card(student, "value").get_by_label("A number").press("Enter")
    card(student, "move").get_by_label("B", exact=True).check()
    student.get_by_label("Your name").fill("Ada")
    assert serious_findings(student) == []
    student.reload()
    student.wait_for_selector(".quiz-figure .leaf")
    with student.expect_download() as waiting:
        student.get_by_role("button", name="Download answers").click()
    waiting.value.save_as(tmp_path / "ada.json")
    student.get_by_text("Downloaded answers.json. Without an answer: “With which window").wait_for()
    with student.expect_download():
        student.get_by_role("button", name="Printable sheet").click()

    told = marks(quiz_of({"tree": "[[3,12,8],[2,4,6],[14,5,2]]"}), (tmp_path / "ada.json").read_text("utf-8"))
    assert (told.name, [grade and grade.right for grade in told.grades.values()]) == ("Ada", [True, False, None, True])
    (tmp_path / "other.json").write_text('{"name": "Bob", "recipe": {"number": 1}, "answers": {}}')
    page.get_by_label("Grade answers that students handed in").set_input_files(
        [tmp_path / "ada.json", tmp_path / "other.json"]
    )
    grades = page.get_by_label("Grades").locator("li")
    grades.nth(1).wait_for()
    assert grades.all_inner_texts() == [
        "Ada: 2 of 4 right; wrong: pruned, window",
        "other.json: These are answers to another quiz, not to 'Your tree'.",
    ]
    assert serious_findings(page) == []
    assert received.keys() == {"quiz", "quiz/new", "quiz/sheet"}
    given_away = ("<strong>", '"why"', '"answers"', '"hint"', "is left out")
    assert not any(words in text for words in given_away for text in received.values())


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_hints_links_and_the_page_for_students_are_accessible_in_both_themes(
    open_page: Callable[..., Any], colours: str
) -> None:
    page = opened(open_page, "/#quiz", color_scheme=colours, viewport={"width": 360, "height": 740})
    check(page, "pruned")
    page.get_by_role("button", name="Link without the solution").click()
    address = page.get_by_label("Address for students").input_value()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert serious_findings(page) == []
    student = opened(open_page, address, color_scheme=colours, viewport={"width": 360, "height": 740})
    student.get_by_role("form", name="Hand in").wait_for()
    assert student.evaluate("document.documentElement.scrollWidth") <= 360
    assert serious_findings(student) == []


def test_a_link_for_students_with_a_slip_of_the_pen_tells_no_solution_either(open_page: Callable[..., Any]) -> None:
    page = opened(open_page, "/#quiz?number=2&for=student")
    assert page.get_by_role("button", name="Show the solution").count() == 0
    assert page.url.endswith("#quiz?number=2&for=students")


def test_a_page_that_may_not_copy_says_so(open_page: Callable[..., Any]) -> None:
    page = opened(open_page, "/#quiz")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.get_by_role("button", name="Link without the solution").click()
    page.get_by_text("Copy the address from the field").wait_for()
    assert (
        page.evaluate("document.getSelection().toString()") == page.get_by_label("Address for students").input_value()
    )


def test_the_tree_is_saved_in_berkeleys_form(quiz: Any) -> None:
    with quiz.expect_download() as download:
        quiz.get_by_role("button", name="Tree as .test").click()
    assert download.value.suggested_filename == "tree.test"
    assert 'class: "GraphGameTreeTest"' in download.value.path().read_text()


def test_leaves_are_marked_by_keyboard(quiz: Any) -> None:
    leaf(quiz, "a").focus()
    for key in ("End", "Space", "ArrowLeft", "Enter", "ArrowLeft", "Space", "Space", "Home"):
        quiz.keyboard.press(key)
    pressed = quiz.locator(".leaf[aria-pressed=true]")
    assert [each.get_attribute("data-leaf") for each in pressed.all()] == ["g", "h"]
    assert quiz.evaluate("document.activeElement.dataset.leaf") == "a"
    assert quiz.locator(".leaf[tabindex='0']").count() == 1
    assert leaf(quiz, "a").get_attribute("aria-label") == "Leaf a, value 1, at B B B"  # marked or not
    assert check(quiz, "pruned") == "✓ Right."


def test_an_empty_answer_is_told_what_is_wanted(quiz: Any) -> None:
    for name, wanted in (("value", "Answer with a number."), ("move", "Answer with one of B, R.")):
        card(quiz, name).get_by_role("button", name="Check").click()
        assert card(quiz, name).locator(".error").inner_text() == wanted


def test_a_tie_is_graded_by_the_rule_in_force(open_page: Callable[..., Any]) -> None:
    page = opened(open_page, "/#quiz?number=6")
    for letter in ["h", "i", "p", "q", "r", "z", "aa"]:
        leaf(page, letter).click()
    assert check(page, "pruned") == "✓ Right."
    page.get_by_label("Rule for ties").select_option("yes")
    page.locator(".quiz-rule", has_text="a tie is not cut").wait_for()
    assert page.url.endswith("#quiz?number=6&strict=true")
    for letter in ["h", "i", "p", "q", "r", "z", "aa"]:
        leaf(page, letter).click()
    check(page, "pruned")
    assert "z is looked at." in why(page, "pruned")


def test_a_wished_tree_is_made_again_from_its_address(open_page: Callable[..., Any]) -> None:
    page = opened(open_page, "/#quiz")
    page.get_by_text("Custom tree").click()
    page.get_by_label("Depth").fill("4")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("checkbox", name="a deep cut").check()
    page.locator("select[name=ties]").select_option("no")
    page.get_by_role("button", name="Make tree").click()
    page.get_by_role("heading", name="Quiz with seed 7").wait_for()
    values = page.locator(".leaf text.value").all_inner_texts()
    assert len(values) == 16
    again = opened(open_page, f"/#{page.url.partition('#')[2]}")
    assert again.locator("#quiz-title").inner_text() == "Quiz with seed 7"
    assert again.locator(".leaf text.value").all_inner_texts() == values


def test_a_tree_of_ones_own_can_be_in_the_address(open_page: Callable[..., Any]) -> None:
    page = opened(open_page, "/#quiz?tree=[[3,12],[2,4]]")
    assert page.locator("#quiz-title").inner_text() == "Your tree"
    assert page.locator(".leaf").count() == 4


def test_an_address_with_a_tree_that_is_none_says_so_and_offers_to_mend_it(open_page: Callable[..., Any]) -> None:
    page = open_page("/#quiz?tree=[[3,12],[2,4]")
    page.get_by_role("alert").get_by_text("this is not a tree").wait_for()
    assert page.locator(".quiz-sheet").is_hidden()
    assert page.locator("textarea").input_value() == "[[3,12],[2,4]"
    page.locator("textarea").fill("[[3,12],[2,4]]")
    page.get_by_role("button", name="Start quiz").click()
    page.wait_for_selector(".quiz-figure .leaf")
    assert page.locator(".leaf").count() == 4
    assert page.get_by_role("alert").first.inner_text() == ""


def test_a_large_tree_of_ones_own_survives_a_reload_too(open_page: Callable[..., Any]) -> None:
    tree = json.dumps([[[1000 * i + 10 * j + k for k in range(5)] for j in range(6)] for i in range(8)])
    page = opened(open_page, f"/#quiz?{urlencode({'tree': tree})}")
    page.get_by_role("button", name="Link without the solution").click()
    page.get_by_text("some programs cut long addresses off").wait_for()
    page.reload()
    page.wait_for_selector(".quiz-figure .leaf")
    assert page.locator(".leaf").count() == 240


def test_a_tree_that_is_none_leaves_the_quiz_before_to_be_answered(quiz: Any) -> None:
    quiz.get_by_text("Custom tree").click()
    quiz.locator("textarea").fill("[[3, 12], [2, 4]")
    quiz.get_by_role("button", name="Start quiz").click()
    quiz.wait_for_function("() => document.querySelector('.error').textContent")
    card(quiz, "value").locator("input").fill("-3")
    assert check(quiz, "value") == "✓ Right."


def test_the_rule_that_was_chosen_holds_for_the_next_random_tree(quiz: Any) -> None:
    quiz.get_by_label("Rule for ties").select_option("yes")
    quiz.wait_for_function("() => document.querySelector('.quiz-rule').textContent.includes('a tie is not cut')")
    quiz.get_by_role("button", name="Random tree").click()
    quiz.wait_for_function("() => !document.querySelector('#quiz-title').textContent.includes('RED-BLUE')")
    assert "a tie is not cut" in quiz.locator(".quiz-rule").inner_text()


def test_the_solution_and_what_can_be_downloaded(quiz: Any, tmp_path: Path) -> None:
    quiz.get_by_role("button", name="Show the solution").click()
    solution = quiz.get_by_role("region", name="Solution")
    solution.wait_for()
    assert CUT in solution.inner_text()
    assert solution.locator(".edge.cut").count() == 1
    assert serious_findings(quiz) == []
    texts = {}
    for name in ("Printable sheet", "Answer sheet", "Tree as JSON"):
        with quiz.expect_download() as waiting:
            quiz.get_by_role("button", name=name).click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        texts[name] = file.read_text(encoding="utf-8")
    assert "g h" not in texts["Printable sheet"]
    assert "<strong>g h</strong>" in texts["Answer sheet"]
    assert len(Tree.from_text(texts["Tree as JSON"]).nodes) == 15


def test_the_questions_can_be_downloaded_for_moodle_and_as_qti(quiz: Any, tmp_path: Path) -> None:
    for name, expected in (
        ("Moodle XML", moodle_xml(quiz_number(1)).encode()),
        ("QTI 2.1", qti_package(quiz_number(1))),
    ):
        with quiz.expect_download() as waiting:
            quiz.get_by_role("button", name=name).click()
        waiting.value.save_as(tmp_path / waiting.value.suggested_filename)
        assert (tmp_path / waiting.value.suggested_filename).read_bytes() == expected
    assert sorted(file.name for file in tmp_path.iterdir()) == ["quiz.xml", "quiz.zip"]


def test_a_file_that_cannot_be_had_is_told_beside_its_button(quiz: Any) -> None:
    quiz.route("**/api/quiz/questions", lambda route: route.fulfill(status=422, json={"detail": "this went wrong"}))
    quiz.get_by_role("button", name="Moodle XML").click()
    quiz.get_by_role("region", name="Hand out").get_by_text("This went wrong.").wait_for()


def test_the_tree_is_taken_to_the_room_that_explains(quiz: Any) -> None:
    quiz.get_by_role("button", name="Step through it").click()
    quiz.wait_for_url("**/#explain?tree=*algorithm=alphabeta*")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_room_is_usable_on_a_narrow_screen(open_page: Callable[..., Any], colours: str) -> None:
    page = opened(open_page, "/#quiz", viewport={"width": 360, "height": 740}, color_scheme=colours)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    leaf(page, "h").scroll_into_view_if_needed()
    leaf(page, "h").click()
    assert leaf(page, "h").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("region", name="Solution").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert serious_findings(page) == []


def test_a_tree_of_eight_leaves_fits_a_phone(open_page: Any) -> None:
    page = open_page("/#quiz", viewport={"width": 360, "height": 740})
    page.wait_for_selector(".quiz-figure .leaf")
    assert page.locator(".leaf").count() == 8
    box = page.locator(".quiz-tree").first
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    sizes = page.locator(".leaf text.value").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().d)"
    )
    assert min(sizes) >= 9


def test_on_a_narrow_screen_a_large_tree_scrolls_and_the_page_does_not(open_page: Any) -> None:
    tree = "[[[3,5],[6,9],[1,2]],[[0,7],[4,8],[2,2]],[[5,1],[3,3],[6,4]]]"
    page = open_page(f"/#quiz?tree={tree}", viewport={"width": 360, "height": 740})
    page.wait_for_selector(".quiz-figure .leaf")
    box = page.locator(".quiz-tree").first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".quiz-figure .leaf").last.focus()
    assert box.evaluate("box => box.scrollLeft > 0")  # what has the focus comes into sight


def test_the_styles_of_another_room_stay_there(page: Any) -> None:
    page.goto("/#quiz")
    page.wait_for_selector(".quiz-figure .leaf")
    assert page.evaluate("""() => {
        const probe = document.querySelector("#room").appendChild(document.createElement("span"));
        probe.className = "ghost value mark";
        const { position, fontSize } = getComputedStyle(probe);
        probe.remove();
        return [position, fontSize];
    }""") == ["static", "16px"]
