"""The lecture view of the Explain room, two searches of one tree, and a lecturer's way through the page."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, quote

import pytest

from tests.browser.conftest import serious_findings

OpenPage = Callable[..., Any]

NINE = "[[3,12,8],[2,4,6],[14,5,2]]"
TWENTY_SEVEN = "[[[3,12,8],[2,4,6],[14,5,2]],[[1,7,9],[4,4,11],[10,0,5]],[[6,13,2],[8,3,7],[5,9,15]]]"
LECTURE = f"/#explain?tree={NINE}&algorithm=alphabeta&view=lecture"
BOTH = f"{LECTURE}&beside=minimax"


@pytest.fixture
def lecture(open_page: OpenPage) -> OpenPage:
    """Opens an address at the size of a projector, and waits for the search."""

    def opened(path: str = LECTURE, **properties: Any) -> Any:
        page = open_page(path, **{"viewport": {"width": 1280, "height": 720}, **properties})
        page.locator(".pw-view").first.wait_for()
        return page

    return opened


def sentences(page: Any) -> list[str]:
    return page.locator(".pw-sentence").all_inner_texts()


def places(page: Any, view: int) -> dict[str, tuple[float, float]]:
    """By place in the joint tree: where its shape is on the screen, relative to its drawing."""
    return page.evaluate(
        """(view) => {
          const box = document.querySelectorAll(".pw-canvas")[view], frame = box.getBoundingClientRect();
          return Object.fromEntries([...box.querySelectorAll(".pw-node")].map((node) => {
            const { left, top, width } = node.querySelector(".pw-shape").getBoundingClientRect();
            return [node.dataset.place, [Math.round(left + width / 2 - frame.left), Math.round(top - frame.top)]];
          }));
        }""",
        view,
    )


def test_a_link_opens_the_lecture_view_and_its_keys_work_at_once(lecture: OpenPage) -> None:
    page = lecture()
    page.keyboard.press("ArrowRight")  # without a click
    assert sentences(page) == ["Enter the root (Max) with the window (-∞, ∞)."]
    for name in (".top", "h1", ".explain-form", ".explain-exports", ".pw-side", ".pw-legend", ".pw-facts", ".pw-zoom"):
        assert not page.locator(name).first.is_visible()
    for name in (".pw-canvas", ".pw-sentence", ".pw-controls", ".pw-headline"):
        assert page.locator(name).is_visible()
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.pw-sentence')).fontSize)") >= 20
    page.keyboard.press("Escape")
    assert page.locator(".explain-form").is_visible()
    assert "view=" not in page.url
    page.keyboard.press("l")
    assert not page.locator(".explain-form").is_visible()
    assert "view=lecture" in page.url
    page.keyboard.press("n")
    assert sentences(page)[0].startswith("Cut at C (Min)")
    page.keyboard.press("L")
    assert page.locator(".explain-form").is_visible()
    page.get_by_role("button", name="Lecture view").click()
    page.get_by_role("button", name="Leave the lecture view").click()
    page.get_by_label("Tree", exact=True).press_sequentially("l")  # a letter like any other in a text
    assert page.locator(".explain-form").is_visible()


@pytest.mark.parametrize(("path", "width", "height"), [(LECTURE, 360, 740), (BOTH, 360, 740), (BOTH, 1280, 720)])
def test_every_sentence_fits_its_box(lecture: OpenPage, path: str, width: int, height: int) -> None:
    page = lecture(path, viewport={"width": width, "height": height})
    found = set()
    for _ in range(40):
        found |= set(
            page.locator(".pw-sentence").evaluate_all(
                "(all) => all.filter((e) => e.scrollHeight > e.clientHeight).map((e) => e.textContent)"
            )
        )
        page.keyboard.press("ArrowRight")
    assert not found
    if width > 960:  # side by side
        size = "(all) => Math.min(...all.map((e) => parseFloat(getComputedStyle(e).fontSize)))"
        assert page.locator(".pw-sentence").evaluate_all(size) >= 22


def type_size(page: Any, texts: str) -> float:
    """The smallest size in which any of these texts of the drawing is on the screen, in pixels."""
    return page.locator(texts).evaluate_all(
        "(texts) => Math.min(...texts.map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().d))"
    )


LARGE = f"/#explain?tree={quote(TWENTY_SEVEN)}&algorithm=alphabeta&view=lecture"
LEAVES, WINDOWS, MOVES = ".pw-box .pw-value", ":is(.pw-entry, .pw-now)", ".pw-move"


@pytest.mark.parametrize(("path", "leaves", "labels"), [(LARGE, 22, 15), (f"{LARGE}&beside=minimax", 16, 11)])
def test_trees_of_27_leaves_with_their_cuts_fit_a_screen_in_large_type(
    lecture: OpenPage, path: str, leaves: float, labels: float
) -> None:
    page = lecture(path)
    page.keyboard.press("End")
    views = page.locator(".pw-view").all()
    for view in views:
        canvas = view.locator(".pw-canvas").bounding_box()
        assert view.locator(".pw-node").count() == 40
        for shape in view.locator(".pw-node .pw-shape").all():
            box = shape.bounding_box()
            for at, size in (("x", "width"), ("y", "height")):
                assert canvas[at] <= box[at] <= box[at] + box[size] <= canvas[at] + canvas[size]
        for part in (".pw-headline", ".pw-sentence"):
            box = view.locator(part).bounding_box()
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 1280
            assert 0 <= box["y"] <= box["y"] + box["height"] <= 720
    assert page.locator(".pw-strokes").count() > 3
    assert page.evaluate("[scrollX, scrollY, document.documentElement.scrollHeight]") == [0, 0, 720]
    controls = page.locator(".pw-controls").first.bounding_box()
    assert controls["y"] + controls["height"] <= 720
    assert type_size(page, LEAVES) >= leaves
    assert type_size(page, WINDOWS) >= labels
    assert type_size(page, MOVES) >= labels
    shown = [view.locator(".pw-canvas").bounding_box() for view in views]
    assert all(box["width"] > 1200 for box in shown)  # each has the whole width


def test_the_count_in_the_corner_of_a_tree_covers_nothing(lecture: OpenPage) -> None:
    page = lecture(f"{LARGE}&beside=minimax")
    page.keyboard.press("End")
    for view in page.locator(".pw-view").all():
        count = view.locator(".pw-headline").bounding_box()
        assert not [box for box in boxes_of(view.locator(".pw-shape, .pw-svg text")) if overlap(count, box)]


def boxes_of(elements: Any) -> list[dict[str, float]]:
    return elements.evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().toJSON())")


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def test_space_plays_on_a_page_that_was_just_opened(lecture: OpenPage) -> None:
    page = lecture(f"/#explain?tree={NINE}", viewport={"width": 1280, "height": 500})
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play").wait_for()
    page.keyboard.press("End")
    page.get_by_text("The end: value 3").wait_for()
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Explain", exact=True).click()
    page.get_by_text("The search has not started yet").wait_for()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause").wait_for()


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("view", ["", "&view=lecture"])
def test_the_reason_of_a_cut_covers_no_window(lecture: OpenPage, width: int, view: str) -> None:
    page = lecture(
        f"/#explain?tree={quote(TWENTY_SEVEN)}&algorithm=alphabeta{view}", viewport={"width": width, "height": 720}
    )
    boxes = 0
    for _ in range(4):
        page.keyboard.press("n")
        for why in page.locator(".pw-why rect").all():
            boxes += 1
            reason = why.bounding_box()
            assert not [label for label in boxes_of(page.locator(WINDOWS)) if overlap(reason, label)]
    assert boxes or width == 360  # on a phone, cuts at leaves are collapsed


def test_two_searches_share_their_places_and_meet_at_nodes(lecture: OpenPage) -> None:
    page = lecture(BOTH)
    assert places(page, 0) == places(page, 1)
    assert len(places(page, 0)) == 13
    page.keyboard.press("n")
    assert sentences(page)[0].startswith("Cut at C (Min): alpha 3 > beta 2")
    assert sentences(page)[1].startswith("At C (Min): d is the best so far")
    page.keyboard.press("ArrowRight")
    assert sentences(page) == ["C (Min) returns at most 2, which is outside its window.", "C (Min) returns 2."]
    page.keyboard.press("End")
    assert page.locator(".pw-headline").all_inner_texts() == [
        "Alpha-beta saw 11 of 13 nodes",
        "Minimax saw 13 of 13 nodes",
    ]
    assert places(page, 0) == places(page, 1)


def test_what_the_other_search_skips_is_shown_as_skipped(lecture: OpenPage) -> None:
    page = lecture(f"/#explain?tree={NINE}&algorithm=minimax&beside=alphabeta&view=lecture")
    skipped = page.locator(".pw-skipped")
    for _ in range(15):
        page.keyboard.press("ArrowRight")
    assert skipped.count() == 0
    page.keyboard.press("ArrowRight")
    assert sentences(page)[0].startswith("Enter C e")
    assert sentences(page)[1].startswith("Skipped here. Cut at C (Min)")
    assert skipped.count() == 1
    assert skipped.locator(".pw-value").text_content() == "4"
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert sentences(page)[0] == "C (Min) returns 2."
    assert sentences(page)[1].startswith("C (Min) returns at most 2")
    assert skipped.count() == 0


def look(page: Any) -> list[Any]:
    """Everything that is drawn of nodes not visited yet: the place on the screen, the kind, the texts."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".pw-node")].map((node) => {
          const { left, top, width, height } = node.querySelector(".pw-shape").getBoundingClientRect();
          return [left, top, width, height, node.getAttribute("class"), node.textContent].join(" ");
        })"""
    )


def test_the_drawing_does_not_give_away_where_cuts_will_come(lecture: OpenPage) -> None:
    looks = []
    for algorithm in ("minimax", "alphabeta"):  # the first cuts nothing
        page = lecture(f"/#explain?tree={NINE}&algorithm={algorithm}&beside=alphabeta&view=lecture")
        first = page.locator(".pw-canvas").first
        assert first.locator(".pw-gone, .pw-cut, .pw-strokes, .pw-brief, .pw-why").count() == 0
        looks.append(look(page)[:13])
    assert looks[0] == looks[1]
    page = lecture()
    spaces = page.evaluate(
        "[...document.querySelectorAll('.pw-box .pw-shape')].map((e) => e.getBoundingClientRect().left)"
    )
    gaps = {round(right - left) for left, right in pairwise(sorted(spaces))}
    assert max(gaps) - min(gaps) <= 12  # boxes differ in width only by their own numbers
    edges = page.locator(".pw-edge").evaluate_all("(edges) => edges.map((edge) => edge.getAttribute('class'))")
    assert set(edges) == {"pw-edge pw-ahead"}


def test_pruned_branches_fade_and_the_reason_lies_over_the_edges(lecture: OpenPage) -> None:
    page = lecture()
    page.keyboard.press("n")
    assert page.locator(".pw-node.pw-gone").count() == 2
    assert float(page.locator(".pw-node.pw-gone").first.evaluate("(e) => getComputedStyle(e).opacity")) < 0.6
    layer = page.locator(".pw-svg > g > *")
    assert layer.last.get_attribute("class") == "pw-why"  # above everything else, with a ground of its own
    assert layer.last.text_content() == "alpha 3 > beta 2: Max already has3, so will not come here"
    assert page.locator(".pw-why rect").evaluate("(e) => getComputedStyle(e).fill") == "rgb(255, 255, 255)"
    page.keyboard.press("End")
    assert page.locator(".pw-why").count() == 0
    assert page.locator(".pw-brief").all_text_contents() == ["α 3 > β 2"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_current_node_and_the_best_line_differ_in_more_than_colour(lecture: OpenPage, scheme: str) -> None:
    page = lecture(color_scheme=scheme)
    page.keyboard.press("n")
    current = page.locator(".pw-current .pw-shape").evaluate("(e) => getComputedStyle(e).fill")
    line = page.locator(".pw-edge.pw-line").first.evaluate("(e) => getComputedStyle(e).stroke")
    assert current != line
    assert page.locator(".pw-current .pw-halo").count() == 1  # a ring, which no other node has
    assert page.locator(".pw-halo").count() == 1


def test_edges_touch_the_shapes(lecture: OpenPage) -> None:
    page = lecture()
    page.keyboard.press("End")
    gaps = page.evaluate(
        """() => {
          const ends = [...document.querySelectorAll(".pw-edge")].map((edge) => {
            const at = (length) => edge.getPointAtLength(length).matrixTransform(edge.getScreenCTM());
            return [at(0), at(edge.getTotalLength())];
          }).flat();
          const boxes = [...document.querySelectorAll(".pw-shape")].map((shape) => shape.getBoundingClientRect());
          return ends.map(({ x, y }) => Math.min(...boxes.map((box) => Math.hypot(
            Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)))));
        }"""
    )
    assert len(gaps) == 24
    assert max(gaps) < 1.5


def test_stepping_back_pauses_the_playback(lecture: OpenPage) -> None:
    page = lecture()
    for key in ("ArrowRight",) * 5:
        page.keyboard.press(key)
    page.get_by_label("Speed").select_option("slow")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("button", name="Play").is_visible()
    assert page.locator(".pw-counter").inner_text() == "4 / 30"


def test_my_own_tree_opens_with_an_example_and_a_mistake_is_marked(lecture: OpenPage) -> None:
    page = lecture("/#explain?game=red-blue")
    page.locator("[name=from]").select_option("My own tree")
    page.get_by_text("Alpha-beta on a tree of 13 nodes").wait_for()
    tree = page.get_by_label("Tree", exact=True)
    assert tree.input_value() == "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
    tree.fill("[[3, 12, 8],\n [2, four, 6]]")
    page.get_by_role("button", name="Explain", exact=True).click()
    page.get_by_role("alert").filter(
        has_text="line 2, column 6: a number, a list or an object is missing here"
    ).wait_for()
    assert page.locator(".explain-fault").inner_text() == "Line 2, column 6:\n [2, four, 6]]\n     ^^^^"
    assert tree.evaluate("(e) => e.value.slice(e.selectionStart, e.selectionEnd)") == "four"
    assert tree.get_attribute("aria-invalid") == "true"
    assert serious_findings(page) == []
    tree.fill("[[3, 12, 8], [2, 4, 6]]")
    assert not page.locator(".explain-fault").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_lecture_view(lecture: OpenPage, scheme: str) -> None:
    for path in (LECTURE, BOTH):
        page = lecture(path, color_scheme=scheme)
        page.keyboard.press("n")
        assert serious_findings(page) == []
        page.keyboard.press("Escape")
        assert serious_findings(page) == []


def test_a_lecturer_s_path(lecture: OpenPage) -> None:
    page = lecture("/#explain")
    page.locator("[name=from]").select_option("My own tree")
    page.get_by_label("Tree", exact=True).fill(NINE)
    page.locator("[name=beside]").select_option("minimax")  # this searches, too
    page.locator(".pw-view").nth(1).wait_for()
    page.locator("h1").click()
    page.keyboard.press("l")
    page.keyboard.press("n")
    assert sentences(page)[0].startswith("Cut at C (Min): alpha 3 > beta 2: Max already has 3")
    assert page.locator(".pw-headline").first.inner_text() == "Alpha-beta has seen 7 of 13 nodes"
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export TikZ (first search)").click()
    assert "tikzpicture" in download.value.path().read_text(encoding="utf-8")
    page.get_by_role("link", name="Quiz of this tree").click()
    page.get_by_role("heading", name="Your tree").wait_for()
    assert parse_qs(page.url.partition("?")[2])["tree"] == [NINE]
    page.get_by_role("button", name="Link without the solution").click()
    shared = page.get_by_label("Address for students").input_value()
    asked = parse_qs(shared.partition("#quiz?")[2])
    assert (asked["tree"], asked["for"]) == ([NINE], ["students"])
