"""Make the pictures of the page for the docs: ``python docs/images/make_pictures.py [NAME...]``.

It starts a server, drives Chromium through the rooms and saves what is seen, in few colours.  It needs what
``make_page.py`` needs.  Without names, all pictures are made.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.browser.conftest import CHROMIUM, serving  # noqa: E402

COLOURS = 128
PATIENCE = 180_000
"""Milliseconds for a search, and for the compiler before it."""

SETUP = {"parameters": "", "side": "0", "level": "Club", "seconds": 1, "clock": "", "sounds": False}
"""A person against the level Club."""

IMMORTAL = """[White "Anderssen"] [Black "Kieseritzky"] 1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6
7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 *"""
"""The beginning of the Immortal Game, London 1851."""


class Picture(NamedTuple):
    """A picture: the address to open, the size of the window, and what to do before the picture is taken."""

    path: str
    width: int
    height: int
    act: Callable[[Page], None] = lambda page: None
    dark: bool = False
    scale: float = 1.0
    whole: bool = False
    """Whether it shows the whole page, not only the window."""


# What is done ---------------------------------------------------------------------------------------------------------


def pressed(*keys: str) -> Callable[[Page], None]:
    """Press some keys when the tree is there."""

    def act(page: Page) -> None:
        page.locator(".pw-view").first.wait_for()
        for key in keys:
            page.keyboard.press(key)

    return act


def analysed(page: Page) -> None:
    """Wait until an analysis has come far."""
    deep = "() => Number(/depth (\\d+)/.exec(document.querySelector('.figures')?.textContent ?? '')?.[1]) >= 12"
    page.wait_for_function(deep)


def lines_seen(page: Page) -> None:
    """Wait until an analysis shows its lines, and some seconds more."""
    page.locator(".best-lines li").first.wait_for()
    page.wait_for_timeout(4000)


def asked_why(page: Page) -> None:
    """Analyse, then ask why."""
    analysed(page)
    page.get_by_role("button", name="Why?").click()
    page.locator(".pw-view").first.wait_for()


def four_moves(page: Page) -> None:
    """Play some moves of Connect Four."""
    for column in (3, 3, 2, 4):
        page.locator(".column").nth(column).click()
        page.locator(".turn", has_text="Your move").wait_for()
        page.wait_for_timeout(300)


def reviewed(page: Page) -> None:
    """Open a game, have it reviewed, and look at the last bad move."""
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_label("Paste games").fill(IMMORTAL)
    page.get_by_role("button", name="Read").click()
    page.locator(".remark", has_text="Anderssen").wait_for()
    page.get_by_role("button", name="Review", exact=True).click()
    page.get_by_role("button", name="Stop", exact=True).wait_for()
    page.get_by_role("button", name="Review", exact=True).wait_for()
    page.locator(".moves .judged").last.click()


def answered(page: Page) -> None:
    """Give a right answer and a wrong one, which gets a hint."""
    page.locator("[data-question=value] input").fill("-3")
    page.locator("[data-question=value] .primary").click()
    page.locator("[data-question=value] .quiz-right").wait_for()
    for leaf in "hf":
        page.locator(f"[data-leaf={leaf}]").click()
    page.locator("[data-question=pruned] .primary").click()
    page.locator("[data-question=pruned] .quiz-hint").wait_for()
    page.locator("[data-question=pruned]").scroll_into_view_if_needed()


def answered_above(page: Page) -> None:
    """The same, seen from the top."""
    answered(page)
    page.evaluate("scrollTo(0, 0)")


def filled_in(page: Page) -> None:
    """Fill in the sheet of a student."""
    page.locator("[data-leaf=e]").click()
    page.locator("[data-question=value] input").fill("-4")
    page.get_by_label("Your name").fill("Ada")


# The pictures ---------------------------------------------------------------------------------------------------------

LECTURE = "/#explain?example=three-by-three&algorithm=minimax&beside=alphabeta&view=lecture"
RUY_LOPEZ = "e2e4+e7e5+g1f3+b8c6+f1b5+g8f6"

PICTURES = {
    "play-light": Picture(f"/#play?game=chess&moves={RUY_LOPEZ}&analyse=on", 1440, 900, analysed),
    "play-wide": Picture(
        "/#play?game=chess&moves=e2e4+c7c5+g1f3+d7d6+d2d4&analyse=on", 1920, 1080, analysed, dark=True
    ),
    "play-review": Picture("/#play?game=chess", 1440, 900, reviewed),
    "play-dark": Picture("/#play?game=connect-four", 1280, 800, four_moves, dark=True),
    "play-narrow": Picture("/#play?game=connect-four&moves=4+4+3&analyse=on", 360, 780, lines_seen, scale=2),
    "explain": Picture("/#explain?game=red-blue", 1180, 900, pressed("n"), whole=True),
    "explain-lecture": Picture(LECTURE, 1280, 720, pressed(*["ArrowRight"] * 17)),
    "explain-engine": Picture(f"/#play?game=chess&moves={RUY_LOPEZ}&analyse=on", 1180, 900, asked_why, whole=True),
    "explain-two-dark": Picture(
        "/#explain?example=ties&beside=alphabeta&beside-strict=true", 1180, 900, pressed("n"), dark=True, whole=True
    ),
    "explain-narrow": Picture("/#explain?game=red-blue", 360, 800, pressed("n"), whole=True),
    "quiz-light": Picture("/#quiz", 1440, 900, answered_above),
    "quiz-dark": Picture("/#quiz", 1440, 900, answered_above, dark=True),
    "quiz-wide": Picture("/#quiz", 1920, 1080, answered_above),
    "quiz-narrow": Picture("/#quiz", 360, 740, answered),
    "quiz-students": Picture("/#quiz?number=2&for=students", 1440, 1100, filled_in, whole=True),
}


def taken(browser: Browser, address: str, picture: Picture) -> Image.Image:
    """Return a picture."""
    shape: Any = {"viewport": {"width": picture.width, "height": picture.height}, "device_scale_factor": picture.scale}
    context = browser.new_context(
        base_url=address, color_scheme="dark" if picture.dark else "light", reduced_motion="reduce", **shape
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto("/")
    page.evaluate("play => localStorage.setItem('plywise', JSON.stringify({play}))", SETUP)
    page.goto(picture.path.replace("/#", "/?again#"))
    page.locator("main h1, main .board, main svg").first.wait_for()
    picture.act(page)
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    shot = page.screenshot(full_page=picture.whole)
    context.close()
    return Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS)


def main() -> None:
    wanted = sys.argv[1:] or list(PICTURES)
    if unknown := [name for name in wanted if name not in PICTURES]:
        sys.exit(f"there is no picture {', '.join(unknown)}; there are: {', '.join(PICTURES)}")
    with serving() as (address, _), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in wanted:
            path = HERE / f"{name}.png"
            taken(browser, address, PICTURES[name]).save(path, optimize=True)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
