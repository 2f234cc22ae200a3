"""The Explain room in a browser: stepping, panning, comparing, exporting, and trees drawn where Python placed them."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from itertools import pairwise
from typing import Any

import pytest

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.explain import figure, grow, story
from plywise.explain.arrangement import GAP
from plywise.explain.figure import MARGIN
from plywise.explain.intervals import LEAF_KINDS, interval_text, known_intervals
from plywise.explain.story import look
from plywise.explain.widget import module_source
from plywise.games import Tree
from tests.browser.conftest import serious_findings

RED_BLUE = "/#explain?game=red-blue&algorithm=alphabeta"
OpenPage = Callable[..., Any]


@pytest.fixture
def explain(open_page: OpenPage) -> OpenPage:
    """Opens the room and waits for its first search."""

    def opened(path: str = RED_BLUE, **properties: Any) -> Any:
        page = open_page(path, **{"viewport": {"width": 1280, "height": 900}, **properties})
        page.locator(".pw-view").first.wait_for()
        return page

    return opened


def told(**options: Any) -> dict[str, Any]:
    with pw.interpreted():
        return story(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True, **options))


def test_a_search_is_stepped_forward_and_back_by_keyboard(explain: OpenPage) -> None:
    page, steps = explain(), told()["steps"]
    sentence = page.locator(".pw-sentence")
    rows = page.locator(".pw-outline [role=treeitem]")
    assert sentence.get_attribute("aria-live") == "polite"
    page.locator(".pw-canvas").focus()
    seen = []
    for step in steps[:-1]:
        page.keyboard.press("ArrowRight")
        assert sentence.inner_text() == step["text"]
        seen.append(page.locator(".pw-svg").inner_html())
    page.keyboard.press("ArrowRight")
    assert sentence.inner_text().startswith(f"{steps[-1]['text']} The end: value -3, best play B R R")
    assert rows.count() == 12
    assert page.locator(".pw-edge.pw-cut").count() == 1
    assert page.locator(".pw-edge.pw-line").count() == 3
    for drawn in reversed(seen):  # back to the same drawings
        page.keyboard.press("ArrowLeft")
        assert page.locator(".pw-svg").inner_html() == drawn
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # there is nothing before the beginning
    assert sentence.inner_text().startswith("The search has not started")
    assert rows.count() == 0
    page.keyboard.press("End")
    assert rows.count() == 12
    page.keyboard.press("Home")
    assert rows.count() == 0
    page.keyboard.press("n")
    assert sentence.inner_text().startswith("Cut at R (Max)")


def test_a_cut_of_star1_at_a_roll_of_the_dice_is_stepped_through(explain: OpenPage) -> None:
    page = explain()
    page.locator("[name=from]").select_option("A roll of the dice")
    page.get_by_text("Star1 on a tree of 18 nodes, 13 leaves, to the end").wait_for()
    sentence = page.locator(".pw-sentence")
    page.locator(".pw-canvas").focus()
    heard = []
    for _ in range(29):
        page.keyboard.press("ArrowRight")
        heard.append(sentence.inner_text())
    assert "At roll (Chance): 2 adds 0.25 · 0 = 0 to the average, which is at most 1.75." in heard
    assert (
        "Cut at roll (Chance): 0.5 · (-1) + 0.25 · 0 + at most 2.25 = at most 1.75 ≤ alpha 2: "
        "Max already has 2, so will not come here; 3 is left out."
    ) in heard
    assert "value 2 expected" in heard[-1]
    assert page.get_by_role("treeitem", name="roll: Chance, (2, ∞), ≤ 1.75, ✂ 3 · 0.25").count() == 1
    assert page.locator(".pw-edge.pw-cut").count() == 4  # three leaves of the second roll, and the third roll
    assert serious_findings(page) == []


def test_the_slider_and_the_timer_step_too(explain: OpenPage) -> None:
    page = explain()
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("End")
    assert "The end" in page.locator(".pw-sentence").inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("n")
    assert page.locator(".pw-sentence").inner_text().startswith("Cut at R (Max)")
    page.keyboard.press("p")
    assert page.locator(".pw-counter").inner_text() == "0 / 33"
    page.keyboard.press("ArrowRight")
    assert page.locator(".pw-counter").inner_text() == "1 / 33"  # one step, not two
    page.keyboard.press("Home")
    page.get_by_label("Speed").select_option("very fast")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("The end: value -3").wait_for()
    assert page.get_by_role("button", name="Play").is_visible()  # it has stopped by itself


def test_the_list_and_the_drawing_show_the_same_visit(explain: OpenPage) -> None:
    page = explain()
    page.locator(".pw-canvas").focus()
    page.keyboard.press("End")
    page.get_by_role("treeitem", name="root").focus()
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator("[role=treeitem]:focus").get_attribute("data-visit") == "2"
    chosen = page.locator("[role=treeitem][data-visit='2']")
    assert chosen.get_attribute("aria-label") == "B: Min, (-∞, ∞), -5"
    assert chosen.get_attribute("aria-selected") == "true"
    assert page.locator(".pw-node:has(.pw-ring)").get_attribute("data-visit") == "2"
    page.keyboard.press("ArrowLeft")
    assert chosen.get_attribute("aria-expanded") == "false"
    assert page.locator(".pw-hidden").text_content() == "+ 2"
    page.locator(".pw-hidden").click()
    assert chosen.get_attribute("aria-expanded") == "true"
    page.locator(".pw-node[data-visit='2'] .pw-value").dblclick()
    assert chosen.get_attribute("aria-expanded") == "false"
    page.locator(".pw-node[data-visit='2'] .pw-value").dblclick()
    assert chosen.get_attribute("aria-expanded") == "true"
    page.locator(".pw-node[data-visit='5'] .pw-value").click()
    assert page.locator("[aria-selected=true]").get_attribute("data-visit") == "5"
    assert "(-5, ∞)" in page.locator(".pw-details").inner_text()


def test_zoom_and_pan_by_keyboard_and_wheel(explain: OpenPage) -> None:
    page = explain()
    canvas = page.locator(".pw-canvas")
    place = page.locator(".pw-svg > g")
    canvas.focus()
    seen = {place.get_attribute("transform")}
    for key in ("+", "Shift+ArrowLeft", "Shift+ArrowUp", "-", "-"):
        page.keyboard.press(key)
        seen.add(place.get_attribute("transform"))
    canvas.hover()
    page.mouse.wheel(0, -200)
    seen.add(place.get_attribute("transform"))
    assert len(seen) == 7


def test_two_algorithms_step_side_by_side(explain: OpenPage) -> None:
    page = explain("/#explain?example=ties&algorithm=alphabeta&beside=alphabeta&beside-strict=true")
    views = page.locator(".pw-view")
    assert views.count() == 2
    assert ["alpha ≥ beta" in views.nth(0).inner_text(), "(strict)" in views.nth(1).inner_text()] == [True, True]
    counters = page.locator(".pw-counter")
    page.locator(".pw-canvas").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert [text.split(" /")[0] for text in counters.all_inner_texts()] == ["3", "3"]
    page.get_by_label("Step both together").uncheck()
    page.locator(".pw-canvas").first.focus()
    page.keyboard.press("ArrowRight")
    assert [text.split(" /")[0] for text in counters.all_inner_texts()] == ["4", "3"]


def test_a_tree_of_ones_own_is_searched_and_what_is_wrong_with_it_said(explain: OpenPage) -> None:
    page = explain()
    page.locator("[name=from]").select_option("My own tree")
    page.locator("[name=tree]").fill("[[1, 2], [3")
    page.get_by_role("button", name="Explain").click()
    page.get_by_role("alert").filter(has_text="This is not a tree").wait_for()
    page.locator("[name=tree]").fill("[[1, 2], [3, 4]]")
    page.get_by_role("button", name="Explain").click()
    page.get_by_text("Alpha-beta on a tree of 7 nodes, 4 leaves, to the end").wait_for()
    assert page.get_by_role("alert").inner_text() == ""
    assert "tree=%5B%5B1" in page.url  # the address leads here again


@pytest.mark.parametrize(("leaves", "named"), [(800, True), (3200, False)])
def test_a_large_tree_is_in_the_address_or_the_page_says_that_it_is_not(
    explain: OpenPage, leaves: int, named: bool
) -> None:
    page = explain()
    page.locator("[name=from]").select_option("My own tree")
    page.locator("[name=tree]").fill(str([[7] * 80] * (leaves // 80)))
    page.get_by_role("button", name="Explain").click()
    page.get_by_text(f", {leaves:,} leaves, to the end").wait_for()
    assert ("tree=%5B%5B7" in page.url) == named
    assert page.get_by_text("too long for the address").count() == (not named)
    page.reload()
    page.get_by_text(f", {leaves:,} leaves, to the end").wait_for()


def test_games_have_the_same_titles_in_every_room(open_page: OpenPage) -> None:
    found = []
    for room, choice in (("play", "select[name=game]"), ("explain", "select[name=from] optgroup[label=Games]")):
        page = open_page(f"/#{room}")
        page.wait_for_selector(f"{choice} option", state="attached")
        found.append(page.locator(f"{choice} option").all_inner_texts())
    assert found[0] == found[1]
    assert {"Connect Four", "RED-BLUE", "Subtraction (yours)"} < set(found[0])


def test_a_position_comes_from_play(explain: OpenPage) -> None:
    page = explain("/#explain?game=tic-tac-toe&position=XO./.X./..O&depth=2")
    assert page.locator(".pw-title").inner_text() == "Alpha-beta on Tic-tac-toe, to depth 2"
    assert page.locator("svg.pw-picture .pw-sign").all_text_contents() == ["X", "O", "X", "O"]


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize(
    "search", ["game=tic-tac-toe&depth=3", "game=chess&depth=2", "game=connect-four&depth=3&algorithm=minimax"]
)
def test_a_large_tree_fits_at_first_and_can_be_read(explain: OpenPage, search: str, width: int) -> None:
    page = explain(f"/#explain?{search}", viewport={"width": width, "height": 800})
    canvas = page.locator(".pw-canvas").bounding_box()
    shapes = page.locator(".pw-shape").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().toJSON())")
    assert min(box["left"] for box in shapes) >= canvas["x"]
    assert max(box["right"] for box in shapes) <= canvas["x"] + canvas["width"]
    assert max(box["bottom"] for box in shapes) <= canvas["y"] + canvas["height"]
    assert page.locator(".pw-far").count() == 0 or (width == 360 and "chess" in search)  # twenty moves


def test_on_a_phone_the_sentence_the_tree_and_the_controls_are_on_one_screen(explain: OpenPage) -> None:
    page = explain("/#explain", viewport={"width": 360, "height": 740})
    page.keyboard.press("n")
    page.locator(".pw-title").evaluate("(title) => title.scrollIntoView()")
    boxes = [page.locator(part).bounding_box() for part in (".pw-title", ".pw-sentence", ".pw-canvas", ".pw-controls")]
    for above, below in pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"]
    assert boxes[-1]["y"] + boxes[-1]["height"] <= 740
    assert boxes[2]["height"] >= 300


def test_large_trees_stay_usable(explain: OpenPage) -> None:
    page = explain("/#explain?game=tic-tac-toe&depth=5&algorithm=minimax")
    assert page.locator(".pw-counter").inner_text() == "0 / 42,404"
    assert page.locator(".pw-node").count() < 300  # most is collapsed
    page.locator(".pw-canvas").focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Expand the whole tree").click()
    assert page.locator(".pw-far").count() > 0  # from afar, a few paths
    page.locator(".pw-canvas").focus()
    before = page.evaluate("performance.now()")
    for _ in range(30):
        page.keyboard.press("+")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("performance.now()") - before < 5000
    assert 0 < page.locator(".pw-node").count() < 1500  # near, only what the window shows


def test_the_mark_at_a_skipped_node_opens_one_level_more(explain: OpenPage) -> None:
    tree = [[5, 6, 7, 8, 9, 5, 6, 7, 8, 9, 5], [2, [[1, 2], [3, 4]]]]
    page = explain(f"/#explain?tree={json.dumps(tree)}&algorithm=alphabeta")
    page.locator(".pw-canvas").focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Collapse all but the top of the tree").click()
    marks = page.locator(".pw-hidden")
    assert marks.all_text_contents() == ["+ 11", "+ 1"]
    marks.last.click()
    assert marks.all_text_contents() == ["+ 11", "+ 6"]
    marks.last.click()
    assert marks.all_text_contents() == ["+ 11", "+ 2", "+ 2"]
    marks.last.click()
    assert marks.all_text_contents() == ["+ 11"]
    assert page.locator(".pw-node.pw-gone").count() == 7


def test_exports_are_files(explain: OpenPage) -> None:
    page = explain()
    page.locator(".pw-canvas").focus()
    page.keyboard.press("End")
    begins = {"SVG": "<svg", "TikZ": "\\documentclass", "DOT": "digraph", "This view": "<svg", "JSON": "{"}
    with page.expect_download() as download:
        page.get_by_role("button", name="Export PNG").click()  # made by the browser: the server needs nothing for it
    picture = download.value.path().read_bytes()
    assert download.value.suggested_filename == "plywise-alphabeta.png"
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") > 600  # pixels wide
    assert len(picture) > 10_000  # not an empty sheet
    for name, beginning in begins.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Export {name}").click()
        text = download.value.path().read_text(encoding="utf-8")
        assert text.startswith(beginning)
        if name == "This view":
            assert "class=" not in text
            assert ">≥ -2</text>" in text
        if name == "JSON":
            assert json.loads(text) == json.loads(json.dumps(told()))


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_of_a_small_tree_is_behind_the_buttons(explain: OpenPage, width: int) -> None:
    page = explain(viewport={"width": width, "height": 800})
    page.locator(".pw-canvas").focus()
    page.keyboard.press("0")
    buttons = page.locator(".pw-zoom").bounding_box()
    boxes = [shape.bounding_box() for shape in page.locator(".pw-node .pw-shape").all()]
    assert max(box["y"] + box["height"] for box in boxes) <= buttons["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(explain: OpenPage, scheme: str, width: int) -> None:
    page = explain(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.locator(".pw-canvas").focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert serious_findings(page) == []
    page.keyboard.press("End")
    page.locator(".explain-wish summary").click()
    assert serious_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# What Python told ----------------------------------------------------------------------------------------------------


def scene_of(page: Any, told: dict[str, Any], collapsed: list[int], step: int = 0, boards: bool = False) -> Any:
    """What the page draws of the last pass of a story: a list of nodes, parents before their children."""
    return page.evaluate(
        """async ([story, collapsed, step, boards]) => {
          const { Replay } = await import("/static/view/story.js");
          const { scene } = await import("/static/view/scene.js");
          const replay = new Replay(story);
          replay.go(step);
          const { items } = scene(replay, story.drawings[Number(boards)], replay.roots.at(-1), new Set(collapsed));
          return items.map(({ visit, facts, form, level, x, y, above, points }) => (
            { node: visit ?? facts.node, form, level, x, y, above: above ? items.indexOf(above) : null, points }));
        }""",
        [told, collapsed, step, boards],
    )


@pytest.mark.parametrize("boards", [False, True])
def test_the_page_draws_nodes_and_edges_where_python_arranged_them(page: Any, boards: bool) -> None:
    game = pw.games.TicTacToe()
    with pw.interpreted():
        result = pw.search(game, game.parse("XO./.X./..O"), depth=2, algorithm="minimax", record=True)
    tree = grow(result)
    # Of a search without windows, a drawing has all labels that the story keeps room for, but for the intervals.
    drawn = figure(tree, notation="interval", boards=boards, captions=False)
    items = scene_of(page, story(result), [], boards=boards)
    assert len(items) == len(drawn.nodes)
    nodes = {node.visit: node for node in drawn.nodes}
    for item in items:
        node = nodes[item["node"]]
        assert item["x"] == pytest.approx(node.x - MARGIN, abs=0.11)
        if not boards:  # else the room for a value makes houses higher
            assert item["y"] == pytest.approx(node.y - MARGIN, abs=0.11)
    if not boards:
        drawn_edges = {drawn.nodes[edge.nodes[1]].visit: edge for edge in drawn.edges if edge.nodes}
        for item in items[1:]:
            points = [(x - MARGIN, y - MARGIN) for x, y in drawn_edges[item["node"]].points]
            assert [value for point in item["points"] for value in point] == pytest.approx(
                [value for point in points for value in point], abs=0.21
            )


@pytest.mark.parametrize("step", [0, 300])
def test_where_branches_are_collapsed_the_rest_moves_together_and_stays_tidy(page: Any, step: int) -> None:
    with pw.interpreted():
        result = pw.search(pw.games.TicTacToe(), depth=4, algorithm="alphabeta", record=True)
    told, chance = story(result), random.Random(step)
    inner = sorted({facts["parent"] for facts in told["visits"]} - {None})
    whole = max(item["x"] + item["form"]["width"] / 2 for item in scene_of(page, told, [], step))
    for share in (0.1, 0.5, 0.9):
        collapsed = [visit for visit in inner[1:] if chance.random() < share]
        items = scene_of(page, told, collapsed, step)
        rows: dict[int, list[Any]] = {}
        below: dict[int, list[Any]] = {}
        for number, item in enumerate(items):
            rows.setdefault(item["level"], []).append(item)
            below.setdefault(item["above"], []).append(item)
            item["number"] = number
        for row in rows.values():
            for left, right in pairwise(row):
                apart = (left["form"]["width"] + right["form"]["width"]) / 2 + GAP
                assert right["x"] - left["x"] >= apart - 0.11
        for item in items:
            if children := below.get(item["number"]):
                assert item["x"] == pytest.approx((children[0]["x"] + children[-1]["x"]) / 2, abs=0.11)
        assert min(item["x"] - item["form"]["width"] / 2 for item in items) == pytest.approx(0)
        assert max(item["x"] + item["form"]["width"] / 2 for item in items) < (1 - share / 2) * whole


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_replay_of_the_page_is_the_tree_grown_so_far(page: Any, name: str) -> None:
    game = Tree.from_text("[[[2, 4], [3, 1]], [[6, [7, 0]], [5, 8]], [[1, 2], [9, 3], 4]]")
    options: dict[str, Any] = {"goal": 3} if name == "boolean" else {}
    with pw.interpreted():
        result = pw.search(game, algorithm=name, record=True, **options)
    moments = page.evaluate(
        """async (story) => {
          const { Replay } = await import("/static/view/story.js");
          const replay = new Replay(story);
          const moment = (count) => {
            replay.go(count);
            return { looks: [...replay.looks], current: replay.current, line: replay.line };
          };
          const forward = story.steps.map((_, count) => moment(count)).concat([moment(story.steps.length)]);
          const back = forward.map((_, i) => moment(story.steps.length - i)).reverse();
          return [forward, back];
        }""",
        story(result),
    )
    assert moments[0] == moments[1]
    final = grow(result)
    for count, moment in enumerate(moments[0]):
        tree = grow(result, steps=count)
        looks = {number: look(tree, visit) for number, visit in tree.visits.items()}
        intervals = {} if tree.algorithm.many_players else known_intervals(tree)
        for number, interval in intervals.items():
            if final.visits[number].kind not in LEAF_KINDS:
                looks[number]["interval"] = interval_text(interval)
        assert dict(moment["looks"]) == looks
        assert moment["current"] == (None if tree.current is None else tree.current.number)
        assert moment["line"] == [visit.number for visit in tree.line]


def test_the_widget_is_the_view(page: Any) -> None:
    source = module_source()
    page.route("**/static/bundle.js", lambda route: route.fulfill(body=source, content_type="text/javascript"))
    page.evaluate(
        """async (story) => {
          const { default: widget } = await import("/static/bundle.js");
          const traits = { story, step: 0 }, heard = {};
          window.model = {
            get: (name) => traits[name], set: (name, value) => { traits[name] = value; },
            save_changes: () => {}, on: (name, hear) => { heard[name] = hear; }, off: () => {}, heard,
          };
          const el = document.querySelector("main");
          el.replaceChildren();
          window.clear = widget.render({ model: window.model, el });
        }""",
        told(),
    )
    page.locator(".pw-canvas").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("model.get('step')") == 1
    page.evaluate("model.set('step', 33); model.heard['change:step']()")
    assert "The end" in page.locator(".pw-sentence").inner_text()
    page.get_by_label("Notation").select_option("bounds on edges")
    assert page.evaluate("model.get('notation')") == "edge"
    assert page.locator(".pw-bound").count() == 6
    page.evaluate("model.set('notation', 'interval'); model.heard['change:notation']()")
    assert page.locator(".pw-interval").count() == 6
    page.evaluate("clear()")
    assert page.locator(".pw-view").count() == 0


@pytest.mark.parametrize("algorithm", ["scout", "pvs"])
def test_an_edge_is_called_a_test_from_the_step_on_that_says_so(explain: OpenPage, algorithm: str) -> None:
    with pw.interpreted():
        told = story(pw.search(pw.games.RedBlue(), algorithm=algorithm, record=True))
    page = explain(f"/#explain?game=red-blue&algorithm={algorithm}")
    page.locator(".pw-canvas").focus()
    page.keyboard.press("0")
    words, asked = page.locator(".pw-move"), 0
    for step in told["steps"]:
        page.keyboard.press("ArrowRight")
        asked += step["kind"] in ("null window", "re-search")
        assert sum(word.endswith((" test", " again")) for word in words.all_text_contents()) == asked
    assert asked > 3


LABELS = ("value", "entry", "now", "interval", "bound")


def labels_of(drawing: str) -> Counter[tuple[str, str]]:
    """What is written in an SVG file at nodes and edges, but for moves and reasons."""
    return Counter(re.findall(rf'<text class="({"|".join(LABELS)})"[^>]*>([^<]*)</text>', unescape(drawing)))


@pytest.mark.parametrize("notation", ["window", "edge", "interval"])
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("red-blue", "alphabeta"), ("red-blue", "pvs"), ("red-blue", "scout"), ("dog-cat-mouse", "maxn")],
)
def test_the_view_writes_what_the_drawing_of_the_same_step_does(
    explain: OpenPage, game: str, algorithm: str, notation: str
) -> None:
    with pw.interpreted():
        result = pw.search(pw.games.catalogue()[game](), algorithm=algorithm, record=True)
    steps, tree = story(result)["steps"], grow(result)
    page = explain(f"/#explain?game={game}&algorithm={algorithm}&notation={notation}")
    page.locator(".pw-canvas").focus()
    page.keyboard.press("0")
    for count, step in enumerate(steps, 1):
        page.keyboard.press("ArrowRight")
        if step["kind"] == "enter" and tree.visits[step["visit"]].kind in LEAF_KINDS:
            continue  # the view knows by its shape that this will be a leaf; a drawing does not
        seen = page.evaluate(
            """(styles) => styles.flatMap((style) =>
              [...document.querySelectorAll(`.pw-svg .pw-${style}`)].filter((text) => !text.closest(".pw-ahead"))
                .map((text) => [style, text.textContent]))""",
            LABELS,
        )
        drawing = figure(grow(result, steps=count), notation=notation).svg()
        assert Counter(map(tuple, seen)) == labels_of(drawing), (count, step["text"])


def test_a_notation_is_chosen_for_both_views_remembered_and_exported(explain: OpenPage) -> None:
    page = explain("/#explain?game=red-blue&algorithm=alphabeta&beside=alphabeta")
    page.get_by_label("Notation").first.select_option("book intervals")
    assert [choice.input_value() for choice in page.get_by_label("Notation").all()] == ["interval", "interval"]
    assert "notation=interval" in page.url
    assert page.get_by_text("Above a node: the interval").count() == 2
    page.locator(".pw-canvas").first.focus()
    page.keyboard.press("End")
    assert page.locator("[role=treeitem][data-visit='1']").first.get_attribute("aria-label") == "B: Max, [-3, -3], -3 ★"
    with page.expect_download() as download:
        page.get_by_role("button", name="Export SVG (first search)").click()
    assert labels_of(download.value.path().read_text(encoding="utf-8"))["interval", "[-3, -3]"] > 0
    page.goto("/?again#explain?game=red-blue")
    page.locator(".pw-view").wait_for()
    assert page.get_by_label("Notation").input_value() == "interval"


def test_stepping_together_is_offered_only_where_there_are_two(open_page: Any) -> None:
    page = open_page("/#explain?game=dog-cat-mouse")
    together = page.get_by_label("Step both together")
    page.wait_for_selector(".pw-view")
    assert not together.is_visible()
    assert page.locator("select[name=algorithm]").input_value() == "maxn"  # what suits a game of three
    page.locator("select[name=from]").select_option("game:red-blue")
    page.locator("select[name=beside]").select_option("scout")
    together.wait_for(state="visible")
    assert page.locator("select[name=algorithm]").input_value() == "alphabeta"


WHY = "/#explain?game=tic-tac-toe&position=X../.O./...&search=engine&nodes=2000&seconds=10"


def test_the_engines_own_tree_opens_whole_with_boards_and_is_stepped_through(explain: OpenPage) -> None:
    page = explain(WHY)
    sentence = page.locator(".pw-sentence")
    assert sentence.inner_text().startswith("So X plays ")
    assert page.locator(".pw-svg .pw-miniature .pw-last").count() > 5
    assert page.locator(".pw-outline .pw-line").count() > 3
    assert page.get_by_label("Algorithm").input_value() == "engine"
    assert page.get_by_label("Compare with").is_disabled()
    page.locator(".pw-canvas").focus()
    page.keyboard.press("Home")
    for beginning in ("X is to move. The search went ", "Best play: X plays ", "Best play: O plays "):
        page.keyboard.press("ArrowRight")
        assert sentence.inner_text().startswith(beginning)
    assert page.locator(".pw-details .pw-picture .pw-last").count() == 1
    assert not serious_findings(page)


def test_the_address_of_an_engines_search_names_it_without_the_session(explain: OpenPage) -> None:
    page = explain(f"{WHY}&session=abc")
    assert "search=engine" in page.url
    assert "nodes=2000" in page.url
    assert "session" not in page.url
    page.get_by_text("Search settings").click()
    page.get_by_label("Algorithm").select_option("minimax")
    page.wait_for_url(re.compile("algorithm=minimax"))
    assert "search=engine" not in page.url
    assert page.get_by_label("Compare with").is_enabled()


def test_the_moves_that_led_to_a_position_are_sent_and_kept_while_it_is_the_same(explain: OpenPage) -> None:
    page = explain(f"{WHY}&played=game%3Dtic-tac-toe%26moves%3Da1%2Bb2")
    address = page.url
    assert "played=" in address
    position = page.locator("input[name=position]")
    page.get_by_text("Search settings").click()
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.method == "POST" else None)
    for text in ("X../.O./...", "X../.../..."):
        position.fill(text)
        with page.expect_response("**/api/explain/engine"):
            page.get_by_role("button", name="Explain", exact=True).click()
    page.wait_for_url(lambda url: url != address)
    assert (sent[0]["position"], sent[0]["moves"]) == (None, ["a1", "b2"])
    assert sent[1]["position"] == "X../.../..."
    assert "moves" not in sent[1]
    assert "played=" not in page.url


def test_a_tree_of_ones_own_is_not_for_the_engine(explain: OpenPage) -> None:
    page = explain(WHY)
    page.get_by_text("Search settings").click()
    page.get_by_label("Game or tree").select_option("own")
    page.wait_for_url(re.compile("algorithm=alphabeta"))
    assert page.get_by_label("Algorithm").input_value() == "alphabeta"
