"""For tests of the Play room in a browser: open it with a game, play, and look at what it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

Opener = Callable[..., Any]

OVER = ".turn.over"

FAKED = """(faked) => {
  const fetched = window.fetch;
  window.fetch = (path, request) => {
    if (path !== faked) return fetched(path, request);
    const body = new ReadableStream({ start(stream) {
      window.tell = (name, data) => {
        stream.enqueue(new TextEncoder().encode(`event: ${name}\\ndata: ${JSON.stringify(data)}\\n\\n`));
      };
    } });
    return Promise.resolve(new Response(body));
  };
}"""
"""Puts a stream of one's own in the place of a search: ``tell`` sends an event."""


def room(
    open_page: Opener, game: str, side: str = "0", start: str = "", more: str = "", ready: str = ".board",
    **properties: Any,
) -> Any:  # fmt: skip
    """Return a page with a game on it, against a quick beginner; ``more`` is added to its address."""
    page = open_page("/", **properties)
    page.wait_for_selector(".board")
    setup = {"game": game, "parameters": "", "side": side, "level": "Beginner", "seconds": 0.1}
    page.evaluate("setup => localStorage.setItem('plywise', JSON.stringify({play: setup}))", setup)
    page.goto(f"/?again#play?game={game}&position={start}{more}")
    page.wait_for_selector(ready)
    return page


def played(page: Any) -> list[str]:
    return page.locator(".moves .move").all_inner_texts()


def wait_for_moves(page: Any, count: int) -> None:
    page.wait_for_function("n => document.querySelectorAll('.moves .move').length >= n", arg=count)


def type_moves(page: Any, *moves: str) -> None:
    for move in moves:
        count = len(played(page))
        page.get_by_label("Type a move").fill(move)
        page.get_by_label("Type a move").press("Enter")
        wait_for_moves(page, count + 1)


def wait_for_turn(page: Any) -> None:
    """Wait until it is the person's turn, or the game is over."""
    page.wait_for_function(
        "() => /^Your move|^You (won|lost)|wins|draw|over/.test(document.querySelector('.turn').textContent)"
    )


def in_window(page: Any, selector: str) -> bool:
    return page.locator(selector).evaluate("""(element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && bottom > top && scrollY === 0;
    }""")


def board_and_controls(page: Any) -> list[Any]:
    return [page.locator(each).bounding_box() for each in (".cells", ".controls")]


def address(page: Any) -> dict[str, str]:
    """Return the parameters of the address."""
    return {name: values[0] for name, values in parse_qs(page.url.partition("#play?")[2]).items()}


def wait_for_address(page: Any, **wanted: str | None) -> None:
    script = """wanted => {
      const params = new URLSearchParams(location.hash.split("?")[1]);
      return Object.entries(wanted).every(([name, value]) => params.get(name) === value);
    }"""
    page.wait_for_function(script, arg=wanted)


def choose_clock(page: Any, clock: str) -> None:
    page.get_by_text("Set up a position").click()
    page.get_by_label("Clock").select_option(clock)


def focused(page: Any) -> str:
    """Return the text or the name of what has the focus."""
    return page.evaluate("() => document.activeElement.name || document.activeElement.textContent")


def open_text(page: Any, text: str) -> None:
    page.get_by_role("button", name="Open", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Paste games").fill(text)
    dialog.get_by_role("button", name="Read").click()
    dialog.wait_for(state="hidden")


def tell(page: Any, name: str, /, **data: Any) -> None:
    """Send an event of a faked search, as soon as the page listens."""
    page.wait_for_function("() => window.tell")
    page.evaluate("([name, data]) => window.tell(name, data)", [name, data])
