"""Measures the engine's strength at chess by matches against other programs, and against itself with an option off.

``python benchmarks/strength.py ladder`` (or ``make strength``) plays programs with known ratings and some others.
``features`` plays the engine against itself with one option off, to measure the gain of the option.  ``report`` only
writes the document again.  You can stop a match at any time; it resumes where it was, because its games are kept in a
file named after the search's signature (``bench`` in ``plywise uci``).  Another search starts new matches.  Each match
updates the results and ``docs/chess-strength.md``; the results of other matches are kept.

Openings come from ``../shared/data/chess/books``, or ``chess/books`` in the folder ``$PLYWISE_DATA``, or else from
``benchmarks/openings.txt``.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine import HERE, Row, data, table
from plywise.cli.on_cluster import executor_at
from plywise.cli.screen import Display, messages
from plywise.errors import PlywiseError
from plywise.games import Chess
from plywise.io.files import written_whole
from plywise.match.arena import USUAL, Conditions, Decision
from plywise.match.bots import BotSpec
from plywise.match.elo import estimate
from plywise.match.external import ExternalBot
from plywise.match.match import match
from plywise.match.rating import Match, Rating, rate
from plywise.match.standing import Standing
from plywise.match.time_control import Limits, TimeControl
from plywise.uci.bench import bench

DOCUMENT = HERE.parent / "docs" / "chess-strength.md"
RESULTS = HERE / "results" / "strength"
FIGURES = "strength.json"

SKILL = {5: 2204, 6: 2363, 7: 2500, 8: 2596, 9: 2703, 10: 2788}
"""What Stockfish's Skill Levels are rated."""
STASH = """\
## Against Stash

| opponent | CCRL blitz | games | points | performance |
|---|---|---|---|---|
| Stash v21 | 2714 | 60 | 58 | 3299 |
| Stash v25 | 2937 | 60 | 50 | 3217 |
| Stash v29 | 3137 | 60 | 31.5 | 3154 |
| Stash v33, against the engine with its network | 3282 | 100 | 52.5 | **3299** |

Measured on two-core shared machines at 8 s + 0.08 s. The first three matches were played by commit 44d8157, before
chess had a network; the nearest opponent, v29, gave about 3150. The last one was played with the network and the time
management of today, from unbalanced openings with both colours: 38 won, 29 drawn, 33 lost, no game lost on time, 3252
to 3349 at 95 % confidence, for our games alone. CCRL's ratings are for longer games, and have errors of their own.

The next section rates a nearly identical search 2831. The two scales disagree; this one compares with rated engines at
full strength, so it is the more direct one.
"""
"""Matches against a program that is not in Debian; these were not played by this file."""
SCALE = """\
Here Stockfish plays at reduced strength. Its developers rated its Skill Levels in games against versions of Stash,
which the Computer Chess Rating Lists (CCRL) rate
([commit a08b8d4](https://github.com/official-stockfish/Stockfish/commit/a08b8d4)). Those ratings have errors of about
30, belong to a version slightly newer than Debian's, and may not hold for other clocks. The error bars below are for
our games alone."""

OPTIONS = (
    "null_move", "reductions", "exchanges", "late_pruning", "futility", "killers", "singular", "internal",
    "razoring", "quiescence", "extensions", "probcut",
)  # fmt: skip
"""The options of ``plywise.engine.plan`` that matter in chess; those that matter most in other programs come first."""

WITH_NETWORK = """\
## What was tried when the network came

Most matches above were played before chess had a [network](learning.md#the-networks-that-come-with-plywise). With it,
the engine scores 71.2 % of 99 games at 8 s + 0.08 s against itself without, +159 Elo (+105 to +213).

The engine with its network of 15.5 million positions against itself without the idea, in games from unbalanced openings
with both colours.

| idea | nodes per move | games | Elo |
|---|--:|--:|--:|
| late moves are reduced by a ply more where a cutoff is expected | 3,000 | 800 | +6 (-14 to +26) |
| ProbCut | 3,000 | 600 | -1 (-26 to +24) |
| these two; another depth after a surprise; singular extensions of two plies | 5,000 | 200 | +2 (-35 to +38) |
| the same four | 20,000 | 300 | +33 (+4 to +62) |
| reductions of 1.3 plies instead of 0.8, at first | 3,000 | 321 | -14 (-49 to +20) |

Together the four gain, the more the deeper the search; they are in it. One by one they are too small for so few games.
Larger reductions are not in it.

**Time.** A move that has been the best one for many depths gets less time, and so does one that took nearly all
positions of the last depth. 1,200 games with a clock that counts positions (8 s + 0.08 s at 50,000 a second, so that
the load of the machine does not matter), 600 openings from both sides: +21 (+6 to +35), with as many positions in all.
With the share of positions alone: -6 (-32 to +20) in 350 games.

**Margins.** [Tuning](engine.md#margins) at few nodes does not carry over to many:

| margins against the usual ones | nodes per move | games | Elo |
|---|--:|--:|--:|
| five margins, tuned at 1,000 nodes | 1,000 | 200 | +76 (+31 to +121) |
| the same | 5,000 | 120 | +29 (-25 to +83) |
| all 23, tuned at 4,000 nodes in 3,760 games, against those they began with | 4,000 | 860 | +29 (+10 to +48) |
| the same, against the usual ones | 20,000 | 400 | -24 (-48 to -1) |

So the usual margins stay. Tuning them for real games takes as many games at 20,000 nodes or more.

**Tried with the network, and not kept:**

- Correction history by pawns, by the other men and by the last two moves: +11 (-12 to +33), 600 games at 5,000 nodes.
  It costs time and a hook.
- The table's move before the others are generated, even without a check that it is legal: 2 % slower.
- The static evaluation kept for the next visit (by key, in a cache of 32,768 positions; the table's entries have no
  room): 4 % faster. A game's `key` would have to promise equal evaluations for that.
"""

NOT_KEPT = """\
## Ideas that were tried and dropped

Search 342174 against itself with the idea, as above.

- Correction history by pawn structure: the row `correction`. Learning from the evaluation alone, without the table's
  corrections: -10 (-38 to +19), 400 games at 5,000 nodes.
- Quiet checks in the first ply of quiescence, and checks neither reduced nor pruned: -7 (-46 to +31), 200 games at
  8,000 nodes. It solves 277 of 299 Win at Chess positions in a million nodes (without: 275 in 800,000) and finds 639
  of the 2,000 mates in 100,000 nodes (without: 600).
- The same, with reverse futility only in the last four plies: -38 (-78 to +0), 200 games at 8,000 nodes. Win at Chess
  is solved sooner (247 positions in 50,000 nodes, not 205), but hardly more of it in the end (278).
- Caching evaluations: 4 to 7 % faster, but `key` would then have to promise equal evaluations too.
"""

DECIDED = Conditions(resign=Decision.parse("1000,4"), draw=Decision.parse("8,8,80"))
"""When to end games of the engine against itself early."""
TABLE_MB = 64


# Opponents ------------------------------------------------------------------------------------------------------------


class Program(NamedTuple):
    """A program to play against."""

    command: str
    install: str
    arguments: str = ""
    options: str = ""

    def found(self) -> str | None:
        """Return how to start it, or None.  Also looks where Debian and virtual environments put programs."""
        folders = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent), "/usr/games"])
        path = shutil.which(self.command, path=folders)
        return path and " ".join(filter(None, (path, self.arguments)))


STOCKFISH = Program("stockfish", "sudo apt install stockfish", "", f"Hash={TABLE_MB}")
OTHERS = (
    Program("gnuchess", "sudo apt install gnuchess", "--uci", f"Hash={TABLE_MB},OwnBook=off"),
    Program("sunfish-uci", "pip install sunfish"),
)


class Rung(NamedTuple):
    """An opponent."""

    name: str
    bot: str
    rating: int | None


def rungs(levels: Sequence[int]) -> Iterator[Rung]:
    """Yield the installed opponents; print how to install the others."""
    for program in (STOCKFISH, *OTHERS):
        command = program.found()
        if command is None:
            print(f"{program.command} is not installed: {program.install}")
            continue
        name, bot = named(command), ",".join(filter(None, (f"uci:{command}", program.options)))
        if program is STOCKFISH:
            for level in levels:
                yield Rung(f"{name}, Skill Level {level}", f"{bot},Skill Level={level}", SKILL[level])
        else:
            yield Rung(name, bot, None)


def named(command: str) -> str:
    """Return a UCI program's own name."""
    bot = ExternalBot(Chess(), BotSpec.parse(f"uci:{command}", Limits(nodes=1)))
    try:
        return bot.engine.id.get("name", command)
    finally:
        bot.close()


# Matches --------------------------------------------------------------------------------------------------------------


class Lab:
    """Plays matches and keeps their results.

    Args:
        folder: for the games and the results.
        document: the file to write from the results.
        search: the signature of the search.
    """

    def __init__(self, folder: Path, document: Path, search: int) -> None:
        self.folder = folder
        self.document = document
        self.search = search
        folder.mkdir(parents=True, exist_ok=True)

    def play(self, part: str, about: Row, first: str, second: str, limits: Limits, **how: Any) -> None:
        """Play a match, or the rest of it, and keep its results, even if it is stopped."""
        words = f"{part} {self.search} {' '.join(str(value) for value in about.values())}"
        file = self.folder / (
            "-".join("".join(c if c.isalnum() or c in ".+" else " " for c in words).split()) + ".jsonl"
        )
        latest: Standing | None = None

        def tell(standing: Standing) -> None:
            nonlocal latest
            latest = standing
            print(f"\r{words}: {progress(standing)}", end="", flush=True)

        try:
            match(Chess(), first, second, limits=limits, openings=openings(), out=file, on_game=tell, **how)
        finally:
            print()
            if latest is not None and latest.played:
                self.keep(part, {**about, **figures(latest), "search": self.search})

    def keep(self, part: str, row: Row) -> None:
        """Add a match to the results, in place of an earlier one of the same kind, and write the document."""
        kept = read(self.folder)
        rows = kept.setdefault(part, [])
        same = [i for i, other in enumerate(rows) if identity(other) == identity(row)]
        if same:
            rows[same[0]] = row
        else:
            rows.append(row)
        with written_whole(self.folder / FIGURES) as file:
            file.write((json.dumps(kept, indent=1) + "\n").encode())
        self.write()

    def write(self) -> None:
        """Write the document from the results."""
        with written_whole(self.document) as file:
            file.write(document(read(self.folder)).encode())


def read(folder: Path) -> dict[str, list[Row]]:
    """Return the results of all matches so far, by part."""
    file = folder / FIGURES
    return dict(json.loads(file.read_text())) if file.exists() else {}


def identity(row: Row) -> tuple[Any, ...]:
    """Return what identifies a measurement; of two matches with the same identity, the later counts."""
    return tuple(row.get(name) for name in ("rung", "option", "limit"))


def figures(standing: Standing) -> Row:
    """Return the result of a match for the results file."""
    return {
        "games": standing.played, "wins": standing.wins, "draws": standing.draws, "losses": standing.losses,
        "pairs": standing.pairs, "our faults": sum(fault["bot"] == "first" for fault in standing.faults),
        "their faults": sum(fault["bot"] == "second" for fault in standing.faults),
        "date": str(datetime.date.today()),
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
                   f"Python {platform.python_version()}",
    }  # fmt: skip


def progress(standing: Standing) -> str:
    """Return the standing of a match in one line."""
    return (f"{standing.played} of {standing.games}, +{standing.wins} ={standing.draws} -{standing.losses}, "
            f"{difference(standing.pairs)}")  # fmt: skip


def openings() -> Path:
    """Return the file with the openings."""
    folder = data("chess/books")
    return HERE / "openings.txt" if folder is None else folder / "noob_2moves.epd"


def ladder(lab: Lab, given: argparse.Namespace) -> None:
    """Play the installed opponents."""
    opponents = list(rungs(given.levels))
    if not opponents:
        raise SystemExit("no opponent is installed")
    limits = Limits(TimeControl.parse(given.clock))
    for name, bot, rating in opponents:
        about = {"rung": name, "rating": rating, "limit": str(limits.clock)}
        lab.play("ladder", about, f"engine,table_mb={TABLE_MB}", bot, limits, games=given.games,
                 concurrency=given.concurrency, executor=given.executor, conditions=USUAL)  # fmt: skip


def features(lab: Lab, given: argparse.Namespace) -> None:
    """Play the engine against itself, with one option off in each match."""
    limits = Limits(nodes=given.nodes) if given.time is None else Limits(TimeControl.parse(given.time))
    limit = f"{given.nodes} nodes" if given.time is None else str(limits.clock)
    for option in given.options or OPTIONS:
        lab.play("features", {"option": option, "limit": limit}, "engine", f"engine,{option}=off", limits,
                 games=given.games, concurrency=given.concurrency, executor=given.executor,
                 conditions=DECIDED)  # fmt: skip


# The document ---------------------------------------------------------------------------------------------------------


def document(parts: dict[str, list[Row]]) -> str:
    """Return the document about all matches."""
    return "\n".join([*head(), *ladder_text(parts.get("ladder", [])), *features_text(parts.get("features", []))])


def head() -> Iterator[str]:
    yield """\
# How strong the engine is at chess

About 3150 on the CCRL blitz scale. This page is written by `python benchmarks/strength.py` from the figures in
`benchmarks/results/strength`. `make strength` plays the ladder, `python benchmarks/strength.py features` measures the
search options. [Matches](matches.md) explains how games are played and what the error bars mean. "Search" is the
signature of the search that played: the node count that `plywise uci bench` prints.
"""
    yield STASH


def ladder_text(rows: list[Row]) -> Iterator[str]:
    """Return the part about other programs: of the search that played last, by clock."""
    yield "## Against Stockfish's Skill Levels\n"
    yield SCALE + "\n"
    if not rows:
        yield "Not played yet.\n"
    latest = [row for row in rows if row["search"] == rows[-1]["search"]]
    for limit in dict.fromkeys(row["limit"] for row in latest):
        chosen = [row for row in latest if row["limit"] == limit]
        rated = [Match(row["rating"], row["pairs"]) for row in chosen if row["rating"]]
        yield f"### {limit} seconds\n"
        yield rating_text(rate(rated)) + "\n"
        yield table([ladder_row(row) for row in sorted(chosen, key=lambda row: -(row["rating"] or 0))]) + "\n"
        yield (f"{sum(row['games'] for row in chosen)} games, one thread each. Faults are games lost on time, by an "
               f"illegal move or a crash; they count. Search {chosen[-1]['search']}; {when(chosen)}.\n")  # fmt: skip


def rating_text(found: Rating | None) -> str:
    """Return a sentence about a rating."""
    if found is None:
        return "No games against opponents with known ratings."
    agree = "agree" if found.agreement >= 0.05 else "do not agree well"
    return (f"**Rating {found.rating:.0f}** ({bounded(found.low)} to {bounded(found.high)} at 95 % confidence), "
            f"the likeliest given all games against rated opponents. The opponents {agree} with each other "
            f"(p = {found.agreement:.2g}).")  # fmt: skip


def ladder_row(row: Row) -> Row:
    """Return a row of the table of opponents."""
    about, rating = estimate(row["pairs"]), row["rating"]
    performance = (
        rating and f"{bounded(rating + about.elo)} ({bounded(rating + about.low)} to {bounded(rating + about.high)})"
    )
    return {"opponent": row["rung"], "rating": str(rating or ""), **result(row), "performance": performance or "",
            "faults, ours and theirs": f"{row['our faults']}, {row['their faults']}"}  # fmt: skip


def features_text(rows: list[Row]) -> Iterator[str]:
    """Return the part about options, by limit."""
    yield "## What the search options are worth\n"
    yield """\
The engine plays itself with one [option](engine.md#options) off, from the same openings with both colours. Elo is what
the option gains: it *helps* or *hurts* if the error bars exclude zero, otherwise the question is *open*. A node limit
does not count the time that an option costs. Games end early when both sides agree that they are won (1000 or more for
four moves) or drawn (within 8 of zero for eight moves, from ply 80). `killers` covers everything learned about moves,
which late pruning and reductions use too.
"""
    if not rows:
        yield "Not played yet.\n"
    for limit in dict.fromkeys(row["limit"] for row in rows):
        chosen = [row for row in rows if row["limit"] == limit]
        yield f"### {limit} per move\n" if "nodes" in limit else f"### {limit} seconds\n"
        yield table([{"option": f"`{row['option']}`", **result(row), "": verdict(row), "search": str(row["search"])}
                     for row in sorted(chosen, key=lambda row: -estimate(row["pairs"]).elo)]) + "\n"  # fmt: skip
        yield f"{when(chosen)}.\n"
    yield WITH_NETWORK
    yield NOT_KEPT


def result(row: Row) -> Row:
    """Return the columns that all tables have."""
    score = (row["wins"] + row["draws"] / 2) / row["games"]
    return {"games": row["games"], "won": row["wins"], "drawn": row["draws"], "lost": row["losses"],
            "score": f"{score:.1%}", "Elo": difference(row["pairs"])}  # fmt: skip


def verdict(row: Row) -> str:
    """Return whether an option helps, hurts, or is open."""
    about = estimate(row["pairs"])
    return "helps" if about.low > 0 else "hurts" if about.high < 0 else "open"


def difference(pairs: Sequence[float]) -> str:
    """Return a difference in Elo with its error bars."""
    about = estimate(pairs)
    return f"{bounded(about.elo, '+')} ({bounded(about.low, '+')} to {bounded(about.high, '+')})"


def bounded(number: float, plus: str = "") -> str:
    """Return a whole number, or infinity."""
    if math.isinf(number):
        return f"{'-' if number < 0 else plus}∞"
    return f"{number:{plus}.0f}"


def when(rows: Iterable[Row]) -> str:
    """Return the dates and machines of matches."""
    rows = list(rows)
    days = sorted(row["date"] for row in rows)
    machines = dict.fromkeys(row["machine"] for row in rows)
    return f"{days[0]}{f' to {days[-1]}' if days[-1] != days[0] else ''}, {' and '.join(machines)}"


# The command line -----------------------------------------------------------------------------------------------------


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="for games and results")
    parser.add_argument("--document", type=Path, default=DOCUMENT, metavar="FILE", help="the document to write")
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("report", help="write the document from the results")
    climb = parts.add_parser("ladder", help="play other programs")
    climb.add_argument("--clock", default="10+0.1", help="in seconds; default: 10+0.1")
    climb.add_argument(
        "--levels", type=int, nargs="*", default=[6, 7, 8, 9], choices=SKILL, help="Stockfish Skill Levels"
    )
    switch = parts.add_parser("features", help="play the engine against itself with an option off")
    switch.add_argument("options", nargs="*", metavar="OPTION", help=f"some of: {', '.join(OPTIONS)}")
    switch.add_argument("--nodes", type=int, default=8000, help="per move; default: 8000")
    switch.add_argument("--time", metavar="CLOCK", help="use a clock, such as 2+0.02, instead of nodes")
    for part in (climb, switch):
        part.add_argument("--games", type=int, default=100, help="per match; default: 100")
        part.add_argument("--concurrency", type=int, default=1, help="games at once; default: 1")
        part.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster; local starts one here")
        part.add_argument("--tls", type=Path, metavar="FOLDER", help="the certificates of the cluster")
        part.add_argument("--insecure", action="store_true", help="reach other machines without encryption")
    given = parser.parse_args()
    for option in getattr(given, "options", ()):
        if option not in OPTIONS:
            parser.error(f"there is no option {option!r}; there are: {', '.join(OPTIONS)}")
    return given


def main() -> None:
    """Run the command line."""
    given = arguments()
    if given.part == "report":
        Lab(given.results, given.document, 0).write()
        return
    lab = Lab(given.results, given.document, bench(lambda line: None))
    try:
        with executor_at(given.cluster, given.tls, given.insecure, Display(messages())) as given.executor:
            (ladder if given.part == "ladder" else features)(lab, given)
    except PlywiseError as error:
        raise SystemExit(f"error: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; run the same command to resume") from None


if __name__ == "__main__":
    main()
