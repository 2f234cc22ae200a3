"""Make ``page.webp``, the moving picture of the page in the README: Explain, then a game against the engine.

``python docs/images/make_page.py`` starts a server, drives Chromium through the page and joins the screenshots.  It
needs the extra ``dev`` (Playwright, and Pillow by way of matplotlib) and Chromium, found as the browser tests find it.
"""

from __future__ import annotations

import io
import subprocess
import sys
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.browser.conftest import CHROMIUM, free_port, wait_for  # noqa: E402

VIEWPORT, SCALE = {"width": 1080, "height": 740}, 1.25
COLOURS = 128
TREE = "[[[3, 5], [6, 9]], [[1, 2], [0, 7]]]"
STEP, CUT, SCENE = 130, 1400, 1400
"""Milliseconds that a step, a cut and the end of a scene stay."""

COLUMNS = (4, 4, 3, 5, 2)
"""What the person plays against the engine, as long as the columns are open."""

SETUP = {"game": "connect-four", "parameters": "", "side": "0", "level": "Full strength", "seconds": 3}
"""X against full strength, three seconds a move."""
GLANCES = (200, 1500)
"""Milliseconds before each look at a search that thinks."""


class Film:
    """Screenshots of a page, each with how long it stays."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []

    def take(self, milliseconds: int) -> None:
        """Add what is seen now; if it is the last picture again, that one stays longer."""
        frame = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        if self.frames and frame == self.frames[-1]:
            self.durations[-1] += milliseconds
        else:
            self.frames.append(frame)
            self.durations.append(milliseconds)

    def save(self, path: Path) -> None:
        """Write an animated WebP: few colours, and nothing lost beyond that."""
        palette = stacked(self.frames[:: len(self.frames) // 8]).quantize(COLOURS)
        few = [frame.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB") for frame in self.frames]
        few[0].save(
            path, save_all=True, append_images=few[1:], duration=self.durations, loop=0, lossless=True, quality=80,
            method=4, kmin=0, kmax=0,
        )  # fmt: skip
        seconds = sum(self.durations) / 1000
        print(f"{path.name}: {len(few)} frames, {seconds:.1f} s, {path.stat().st_size / 1000:.0f} kB")


def stacked(frames: list[Image.Image]) -> Image.Image:
    """Return pictures below each other: one palette for all keeps what does not change the same."""
    width, height = frames[0].size
    whole = Image.new("RGB", (width, height * len(frames)))
    for place, frame in enumerate(frames):
        whole.paste(frame, (0, place * height))
    return whole


def explain(film: Film) -> None:
    """Step through alpha-beta on a tree; cuts stay longer."""
    page = film.page
    page.goto(f"/#explain?tree={urllib.parse.quote(TREE)}&algorithm=alphabeta")
    page.wait_for_selector(".pw-canvas")
    film.take(SCENE)
    page.locator(".pw-view").evaluate("view => view.scrollIntoView()")
    page.locator(".pw-slider").focus()
    while not page.locator(".pw-sentence", has_text="The end:").count():
        page.keyboard.press("ArrowRight")
        cut = page.locator(".pw-sentence").inner_text().startswith("Cut")
        film.take(CUT if cut else STEP)
    film.take(SCENE)


def play(film: Film) -> None:
    """Play some moves of Connect Four and watch the search."""
    page = film.page
    page.evaluate("play => localStorage.setItem('plywise', JSON.stringify({play}))", SETUP)
    page.goto("/?again#play?game=connect-four")
    page.wait_for_selector(".column")
    film.take(SCENE // 2)
    for column in COLUMNS:
        page.locator(".column").nth(column - 1).hover()
        film.take(2 * STEP)
        page.locator(".column").nth(column - 1).click()
        for wait in GLANCES:
            page.wait_for_timeout(wait)
            film.take(2 * STEP)
        page.locator(".turn", has_text="Your move").wait_for()
        film.take(3 * STEP)
    film.take(SCENE)


def filmed(address: str, scenes: list[Callable[[Film], None]]) -> Film:
    """Return the film of these scenes, one after the other."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        shape: Any = {"viewport": VIEWPORT, "device_scale_factor": SCALE}
        context = browser.new_context(base_url=address, color_scheme="light", reduced_motion="reduce", **shape)
        page = context.new_page()
        film = Film(page)
        for scene in scenes:
            scene(film)
        browser.close()
    return film


def main() -> None:
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", str(port)])
    try:
        wait_for(f"http://127.0.0.1:{port}", server)
        filmed(f"http://127.0.0.1:{port}", [explain, play]).save(HERE / "page.webp")
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main()
