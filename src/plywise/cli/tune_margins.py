"""``plywise tune --search``: tune the margins of the search by playing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plywise.cli.failure import INTERRUPTED, complain
from plywise.cli.match import elo_text
from plywise.cli.screen import Display, busy, duration, output, print_json, print_table, table

if TYPE_CHECKING:
    from plywise.learning.search_tuning import News, SearchTuning


def tune_margins(game: str, out: Path, as_json: bool, options: dict[str, Any]) -> None:
    """Tune the margins for a game, and show what came of it."""
    from plywise.inputs.choose import choose_game

    with busy("Preparing") as display:
        chosen = choose_game(game)
        from plywise.engine.plan import has_margins
        from plywise.learning.search_tuning import tune_search

        found = tune_search(
            chosen, out, make_game=partial(choose_game, game), on_news=partial(_tell, display), **options
        )  # fmt: skip
    if as_json:
        print_json(found.to_json())
    else:
        _show(found, out)
        if not has_margins(chosen):
            output().print(f"{type(chosen).__name__} states no swing (Tactics.swing): no other margins matter in it.")
    if (games := options.get("games", 0)) % 2:
        complain(f"games are played in pairs, so {games - 1:,} instead of {games:,}")
    if found.faults:
        complain(f"pairs of games with a crash, which do not count: {found.faults:,}")
    if found.interrupted:
        complain(f"stopped after {2 * found.iterations:,} games; to resume, run the same command (without --fresh)")
        raise typer.Exit(INTERRUPTED)


def _tell(display: Display, news: News) -> None:
    """Show what is going on."""
    facts = [f"{news.games:,} games", f"{news.iterations:,} iterations", f"margins moved by {news.moved:.1%}"]
    if news.standing is None:
        facts.insert(0, f"Tuning {min(1.0, news.done / news.total):.0%}")
    elif news.standing.score is not None:
        facts = ["Comparing", f"{news.standing.score:.0%} of {news.standing.played} games against the margins before"]
    display.say(" · ".join(facts))


def _show(found: SearchTuning, out: Path) -> None:
    """Print the margins and what they are worth."""
    from plywise.engine.margins import MARGINS

    shown = table("margin", "before", "after", "meaning", right=("before", "after"))
    for name, before in found.start.items():
        shown.add_row(name, f"{before:g}", f"{found.tuned[name]:g}", MARGINS[name].meaning)
    print_table(shown)
    where = f"in {out}" if found.iterations else "not written: no pair of games was over"
    output().print(f"\nMargins {where}. {2 * found.iterations:,} games, {duration(found.seconds)}.")
    output().print(_verdict(found))


def _verdict(found: SearchTuning) -> str:
    """Return in words what the match has shown."""
    standing = found.standing
    if found.iterations and found.tuned == found.start:
        return "Nothing was learned: both engines scored alike in every pair of games. Try more --nodes."
    if standing is None or not any(standing.pairs):
        return "Nothing shows yet whether they are better: there was no match."
    about = standing.estimate
    result = f"{standing.score:.1%} of {standing.played:,} games against the margins before, Elo {elo_text(*about[:3])}"
    words = {
        "better": "They are better",
        "not better": "They are not better, or hardly: keep those before",
        "undecided": f"Undecided, so play more: they are better with a probability of {about.superiority:.0%}",
    }[found.verdict]
    return f"{words}. {result}."
