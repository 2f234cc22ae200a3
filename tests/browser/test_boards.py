"""Boards in a browser: how they move, fit the window, ask, sound, and are drawn upon."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import serious_findings
from tests.browser.play_room import Opener, board_and_controls, in_window, played, room, type_moves, wait_for_moves

MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}

HOLD = """
    const animate = Element.prototype.animate;
    window.held = [];
    Element.prototype.animate = function (...how) {
      const made = animate.apply(this, how);
      made.pause();
      window.held.push(made);
      return made;
    };
"""
"""Stops all motion at its beginning and keeps it in ``held``."""

PROMOTION = "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"


def moving_room(open_page: Opener, game: str, **more: Any) -> Any:
    """Return a page with a game for all sides, whose motion is held."""
    page = open_page("/", **MOTION, **WIDE)
    page.context.add_init_script(HOLD)
    return room(lambda *_, **__: page, game, side="both", **more)


def in_motion(page: Any) -> list[tuple[str, int]]:
    """Return what moves: the place that it is drawn on, and how many steps it goes."""
    return [
        tuple(each)
        for each in page.evaluate("""() => held.map((each) => [
          each.effect.target.closest("[data-at]")?.dataset.at ?? each.effect.target.className,
          each.effect.getKeyframes().length - 1,
        ])""")
    ]


def finish(page: Any) -> None:
    """End all motion, and check that nothing of it stays."""
    page.evaluate("() => { for (const each of held.splice(0)) each.finish(); }")
    page.wait_for_function("() => !document.querySelector('.leaving, .leaving-thing, .flying, .moving')")


def centre(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def draw_on(page: Any, start: str, end: str) -> None:
    """Drag with the right button."""
    page.mouse.move(*centre(page, start))
    page.mouse.down(button="right")
    page.mouse.move(*centre(page, end))
    page.mouse.up(button="right")


def boxes(page: Any, *selectors: str) -> list[dict[str, float]]:
    """Return where elements are, all at the same moment: arrows are drawn anew whenever the board changes its size."""
    return page.evaluate("all => all.map((each) => document.querySelector(each).getBoundingClientRect().toJSON())",
                         list(selectors))  # fmt: skip


# Motion -------------------------------------------------------------------------------------------------------------


def test_a_piece_slides_and_what_it_takes_vanishes_and_a_castling_moves_two(open_page: Opener) -> None:
    page = moving_room(open_page, "chess", start="4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")
    type_moves(page, "exd5")
    assert in_motion(page) == [("d5", 1), ("d5", 1)]  # the white pawn, and the black one
    assert page.locator("[data-at=d5] .leaving").count() == 1
    assert page.locator("[data-at=d5]").get_attribute("aria-label") == "d5, white pawn"
    type_moves(page, "Kd7")  # nobody waits for motion
    assert page.locator(".leaving").count() == 0
    page.evaluate("() => held.splice(0)")
    type_moves(page, "O-O")
    assert sorted(in_motion(page)) == [("f1", 1), ("g1", 1)]
    finish(page)


def test_a_man_that_jumps_several_times_goes_by_all_squares(open_page: Opener) -> None:
    page = moving_room(open_page, "checkers", start="B:W6,7,14,15,23:BK2")
    type_moves(page, "2x11x18x27")
    assert sorted(in_motion(page)) == [("15", 1), ("23", 1), ("27", 3), ("7", 1)]
    delays = page.evaluate("""() => held.map(({ effect }) => [
      effect.target.closest("[data-at]").dataset.at, effect.getTiming().delay,
    ])""")
    taken = {at: delay for at, delay in delays if at != "27"}
    assert taken["7"] < taken["15"] < taken["23"]
    finish(page)


def test_a_disc_falls_and_others_turn_over(open_page: Opener) -> None:
    page = moving_room(open_page, "connect-four")
    type_moves(page, "4")
    assert in_motion(page) == [("4", 3)]  # down, up and down again
    high = page.evaluate("() => held[0].effect.target.getBoundingClientRect().bottom")
    finish(page)
    low = page.locator(".hole > .disc").evaluate("e => e.getBoundingClientRect().bottom")
    assert low - high > 300
    page = moving_room(open_page, "othello")
    type_moves(page, "f5")
    assert sorted(in_motion(page)) == [("e5", 1), ("e5", 1), ("f5", 1)]  # both sides of one disc, and the new one
    finish(page)


def test_stones_are_sown_one_by_one(open_page: Opener) -> None:
    page = moving_room(open_page, "kalah", start="4,4,4,4,4,4,0/4,4,4,4,4,4,0 S")
    pit = page.locator("[data-at='Pit D']")
    pit.click()
    wait_for_moves(page, 1)
    assert pit.get_attribute("aria-label") == "Pit D: 0 stones"
    assert in_motion(page) == [("flying", 2)] * 4
    delays = page.evaluate("() => held.map(({ effect }) => effect.getTiming().delay)")
    assert delays == sorted(set(delays))  # one after the other
    page.wait_for_function("() => document.querySelector(`[data-at='Pit a'] .count`).textContent === '5'")
    finish(page)
    assert [page.locator(f"[data-at='Pit {name}'] .count").inner_text() for name in "DEFab"] == [
        "0", "5", "5", "5", "4",
    ]  # fmt: skip


def test_men_slide_to_their_stack_and_a_man_that_is_hit_to_the_bar(open_page: Opener) -> None:
    page = moving_room(open_page, "backgammon", start="-b--a-E-C---dE---c-e----B- white 32", more="&seed=7")
    type_moves(page, "6/4*")
    assert in_motion(page) == [("4", 1), ("bar", 1)]
    finish(page)


def test_a_piece_that_was_dragged_does_not_slide_again(open_page: Opener) -> None:
    page = moving_room(open_page, "chess")
    page.locator("[data-at=e2]").drag_to(page.locator("[data-at=e4]"))
    wait_for_moves(page, 1)
    assert in_motion(page) == []
    page.locator("[data-at=e7]").click()
    page.locator("[data-at=e5]").click()
    wait_for_moves(page, 2)
    assert in_motion(page) == [("e5", 1)]
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => held.length === 2")
    assert in_motion(page)[1] == ("e7", 1)  # and back


def test_nothing_moves_for_readers_who_prefer_reduced_motion(open_page: Opener) -> None:
    page = open_page("/", **WIDE)
    page.context.add_init_script(HOLD)
    for game, move in (("chess", "e4"), ("connect-four", "4"), ("othello", "f5"), ("kalah", "D")):
        room(lambda *_, **__: page, game, side="both")
        type_moves(page, move)
        assert in_motion(page) == []


def test_a_piece_goes_back_if_its_move_is_refused(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both")
    page.route("**/api/play/position", lambda route: route.fulfill(status=422, json={"detail": "no"}))
    page.locator("[data-at=e2]").drag_to(page.locator("[data-at=e4]"))
    page.wait_for_selector(".controls .error:not(:empty)")
    page.wait_for_selector("[data-at=e2] .piece")
    assert page.locator("[data-at=e4] .piece").count() == 0


# Keyboard -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "first", "keys", "ended"),
    [
        ("chess", "e2", ["Enter", "ArrowUp", "ArrowUp", "Enter"], "e4"),
        ("connect-four", "4", ["ArrowRight", "Enter"], "5"),
        ("nim", "b4", ["ArrowRight", "ArrowRight", "Enter"], "b2"),
    ],
)
def test_tab_leads_on_from_where_a_move_ended(
    open_page: Opener, game: str, first: str, keys: list[str], ended: str
) -> None:
    page = room(open_page, game, side="both")
    page.locator(f"[data-at='{first}']").focus()
    for key in keys:
        page.keyboard.press(key)
    wait_for_moves(page, 1)
    focused = "() => document.activeElement.dataset.at ?? document.activeElement.textContent"
    assert page.evaluate(focused) == ended
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "Undo"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == ended


# Choices ------------------------------------------------------------------------------------------------------------


def test_a_promotion_is_chosen_over_its_square_by_keyboard_and_escape_cancels_it(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both", start=PROMOTION)
    page.locator("[data-at=e7]").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    choice = page.get_by_role("dialog", name="Which move")
    queen, rook, bishop, knight = choice.get_by_role("button").all()
    assert [each.locator(".piece").count() for each in (queen, rook, bishop, knight)] == [1] * 4
    assert knight.get_attribute("aria-label") == "e8=N, white knight"
    assert serious_findings(page) == []
    square, first = page.locator("[data-at=e8]").bounding_box(), queen.bounding_box()
    assert abs(square["x"] - first["x"]) < 4
    assert abs(square["y"] - first["y"]) < 4
    page.keyboard.press("Escape")
    choice.wait_for(state="detached")
    assert page.locator("[data-at=e7] .piece").count() == 1
    assert page.evaluate("() => document.activeElement.dataset.at") == "e8"
    assert played(page) == []
    page.locator("[data-at=e7]").click()
    page.locator("[data-at=e8]").click()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    wait_for_moves(page, 1)
    assert played(page) == ["e8=B"]


def test_a_choice_at_the_lower_edge_of_a_narrow_window_opens_upwards(open_page: Opener) -> None:
    narrow: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}
    page = room(open_page, "chess", side="both", start="4k3/8/8/8/8/2K5/7p/8 b - - 0 1", **narrow)
    page.locator("[data-at=h2]").drag_to(page.locator("[data-at=h1]"))
    choice = page.get_by_role("dialog")
    assert page.locator("[data-at=h1] .piece").count() == 1  # the pawn waits there
    square, box, first = (
        each.bounding_box() for each in (page.locator("[data-at=h1]"), choice, choice.get_by_role("button").first)
    )
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
    assert box["y"] < square["y"]
    assert first["y"] > box["y"] + box["height"] / 2  # the queen is nearest to the square
    assert first["width"] >= 44
    page.mouse.click(5, 5)  # outside
    page.wait_for_selector("[data-at=h2] .piece")
    assert played(page) == []


def test_a_choice_between_routes_shows_each_on_the_board(open_page: Opener) -> None:
    page = room(open_page, "checkers", side="both", start="B:W6,7,14,15,23:BK2")
    page.locator("[data-at='2']").click()
    page.locator("[data-at='27']").click()
    ways = "() => [...document.querySelectorAll('.way')].map((each) => each.dataset.at)"
    page.get_by_role("button", name="2x9x18x27").hover()
    assert sorted(page.evaluate(ways), key=int) == ["2", "9", "18", "27"]
    page.get_by_role("button", name="2x11x18x27").focus()
    assert sorted(page.evaluate(ways), key=int) == ["2", "11", "18", "27"]
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.way')")


# Looks --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height", "least"), [(1280, 720, 480), (1440, 900, 650), (1920, 1080, 830)])
@pytest.mark.parametrize("game", ["chess", "connect-four", "go"])
def test_a_board_uses_the_window(open_page: Opener, game: str, width: int, height: int, least: int) -> None:
    page = room(open_page, game, side="both", viewport={"width": width, "height": height})
    board, side = page.locator(".surface > div").first.bounding_box(), page.locator(".setup").bounding_box()
    assert board["height"] >= least - (60 if game == "go" else 0)  # a pass is below it
    assert in_window(page, ".board")
    assert in_window(page, ".controls")
    assert board["x"] + board["width"] <= side["x"]
    assert 300 <= side["width"] <= 480
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 700, 1000, 1280])
def test_nothing_moves_when_a_move_can_be_asked_for(open_page: Opener, width: int) -> None:
    page = room(open_page, "chess", side="0", viewport={"width": width, "height": 740})
    before = board_and_controls(page)
    page.route("**/api/play/think", lambda route: None)  # the search thinks for ever
    page.locator("[data-at=e2]").click()
    page.locator("[data-at=e4]").click()
    page.get_by_role("button", name="Move now").wait_for()
    assert board_and_controls(page) == before
    page.unroute_all(behavior="ignoreErrors")


def test_a_column_shows_where_the_disc_goes_but_not_while_the_search_thinks(open_page: Opener) -> None:
    page = room(open_page, "connect-four", side="0", **WIDE)
    page.wait_for_function("() => document.querySelectorAll('.coming').length === 7")
    seen = "e => getComputedStyle(e).opacity"
    column = page.locator(".column").nth(2)
    page.mouse.move(5, 5)
    assert column.locator(".coming").evaluate(seen) == "0"
    column.hover()
    assert float(column.locator(".coming").evaluate(seen)) > 0.3
    lit = column.locator(".plate").evaluate("e => getComputedStyle(e).fill")
    page.route("**/api/play/think", lambda route: None)
    column.click()
    page.get_by_role("button", name="Move now").wait_for()
    assert column.locator(".coming").count() == 0
    assert column.evaluate("e => e.matches(':hover')")
    assert column.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    plain = page.locator(".column").nth(5).locator(".plate").evaluate("e => getComputedStyle(e).fill")
    assert column.locator(".plate").evaluate("e => getComputedStyle(e).fill") == plain != lit
    page.unroute_all(behavior="ignoreErrors")


GAMES = ["chess", "connect-four", "othello", "checkers", "go", "kalah", "backgammon", "tic-tac-toe"]


@pytest.mark.parametrize("game", GAMES)
def test_boards_fit_a_narrow_screen_in_the_dark(open_page: Opener, game: str) -> None:
    more = "&seed=7" if game == "backgammon" else ""
    page = room(open_page, game, side="both", more=more, color_scheme="dark", viewport={"width": 360, "height": 740})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert page.locator(".surface > div").first.bounding_box()["width"] >= 280
    assert serious_findings(page) == []


IS_INSIDE = """all => all.map((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  const board = each.closest(".surface").getBoundingClientRect();
  return width > 5 && left >= board.left - 5 && right <= board.right + 5;
})"""


# Arrows and marks ---------------------------------------------------------------------------------------------------


def test_the_reader_draws_arrows_and_marks_with_the_right_button(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both", **WIDE)
    page.evaluate("() => addEventListener('contextmenu', (event) => { window.menu = !event.defaultPrevented; })")
    draw_on(page, "[data-at=g1]", "[data-at=f3]")
    draw_on(page, "[data-at=d5]", "[data-at=d5]")
    assert page.evaluate("() => window.menu") is False
    assert page.locator(".arrows .arrow.mine").count() == page.locator(".arrows .ring.mine").count() == 1
    tip, target = boxes(page, ".arrow.mine", "[data-at=f3]")
    assert abs(tip["y"] - (target["y"] + target["height"] / 2)) < target["height"] / 4
    page.get_by_role("button", name="Flip").click()  # they turn with the board
    flipped, target = boxes(page, ".arrow.mine", "[data-at=f3]")
    assert abs(flipped["y"] + flipped["height"] - (target["y"] + target["height"] / 2)) < target["height"] / 4
    draw_on(page, "[data-at=g1]", "[data-at=f3]")  # again
    assert page.locator(".arrow.mine").count() == 0
    draw_on(page, "[data-at=a1]", ".turn")  # outside
    assert page.locator(".arrow.mine").count() == 0
    assert page.locator("[data-at=g1].chosen").count() == 0
    type_moves(page, "e4")
    assert page.locator(".arrows .mine").count() == 0


@pytest.mark.parametrize(
    ("game", "arrows", "shapes"),
    [
        ("chess", [("best", 52, 36), ("second", 62, 45), ("third", 51, None)], ["ring", "arrow", "arrow"]),
        ("connect-four", [("best", None, 38), ("second", None, 39)], ["ring", "ring"]),
        ("go", [("best", None, 40)], ["ring"]),
        ("kalah", [("best", 8, None), ("second", 9, 13)], ["arrow", "ring"]),
        ("nim", [("best", 1, None)], ["ring"]),
        ("yahtzee", [("best", None, 3)], ["ring"]),
        ("tic-tac-toe", [("best", None, 99)], []),  # there is no such place
    ],
)
def test_moves_are_pointed_out_on_any_board(
    open_page: Opener, game: str, arrows: list[tuple[str, int | None, int | None]], shapes: list[str]
) -> None:
    page = room(open_page, game, side="both", more="&seed=7" if game == "yahtzee" else "", **WIDE)
    given = [
        {"kind": kind, **({} if start is None else {"from": start}), **({} if end is None else {"to": end})}
        for kind, start, end in arrows
    ]
    page.locator("[tabindex='0'][data-at]").first.focus()
    page.evaluate(
        """async (arrows) => {
          const { point } = await import("/static/boards.js");
          point(document.querySelector(".table"), arrows);
        }""",
        given,
    )
    drawn = page.locator(".arrows > *")
    assert [each.get_attribute("class").split()[0] for each in drawn.all()] == shapes
    opacities = drawn.evaluate_all("all => all.map((each) => Number(getComputedStyle(each).opacity))")
    assert opacities == sorted(opacities)  # the best is drawn last, and strongest
    assert page.evaluate("() => Boolean(document.activeElement.dataset.at)")  # the board was not drawn again
    assert all(drawn.evaluate_all(IS_INSIDE))
    page.set_viewport_size({"width": 1280, "height": 700})
    page.wait_for_function(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    assert all(drawn.evaluate_all(IS_INSIDE))  # they fit the smaller board


# Flipping -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opened",
    [
        "moves=f2f3+e7e5+g2g4+d8h4",
        "position=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR+w+KQkq+-+1+3",
    ],
)
def test_a_finished_game_that_is_opened_can_be_flipped(open_page: Opener, opened: str) -> None:
    page = open_page(f"/#play?game=chess&{opened}")
    page.wait_for_selector(".turn.over")
    first = page.locator(".cells [data-at]").first
    assert first.get_attribute("data-at") == "a8"
    page.get_by_role("button", name="Flip").click()
    assert first.get_attribute("data-at") == "h1"


def test_a_board_on_which_nothing_moves_is_not_flipped(open_page: Opener) -> None:
    assert room(open_page, "othello").get_by_role("button", name="Flip").is_hidden()


# Sounds -------------------------------------------------------------------------------------------------------------

COUNT_NOTES = """() => {
    window.notes = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.notes++; return start.apply(this, when); };
}"""


def test_moves_are_heard_only_if_the_reader_wants_it(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both", start="4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")
    page.evaluate(COUNT_NOTES)
    assert heard(page, lambda: type_moves(page, "Ke2")) == 0
    page.get_by_label("Sounds").check()
    assert heard(page, lambda: type_moves(page, "Kd7")) == 1
    assert heard(page, lambda: type_moves(page, "exd5")) == 2  # a capture
    assert heard(page, lambda: page.get_by_role("button", name="Flip").click()) == 0
    said = page.evaluate(
        "async () => { const { sound } = await import('/static/sounds.js'); return ['end', 'low'].map(sound); }"
    )
    assert said == [True, True]
    page.get_by_label("Sounds").uncheck()
    assert heard(page, lambda: type_moves(page, "Kd6")) == 0


def heard(page: Any, action: Any) -> int:
    """Return how many notes an action starts."""
    before = page.evaluate("() => window.notes")
    action()
    return int(page.evaluate("() => window.notes") - before)
