"""The kinds of mistakes in a game's definition, and the report of a check."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]

KINDS: Mapping[str, tuple[Severity, str]] = MappingProxyType(
    {
        "parameter": ("error", "every parameter has a default, or a game is given instead of a class"),
        "missing-method": ("error", "the required methods are defined"),
        "misspelt": ("warning", "no method that nothing uses is named almost like an optional one"),
        "exception": ("error", "no method raises an exception"),
        "state-immutable": ("error", "a position cannot change"),
        "state-hash": ("error", "a position can be hashed"),
        "state-type": ("error", "play, image and pass_move return what initial returns"),
        "field-type": ("warning", "a field of a position is of one type: int, float or bool"),
        "overflow": ("error", "positions and moves fit 64 bits, the limit of compiled code"),
        "to-move": ("error", "to_move returns a player, even when the game is over: 0 or 1; more with scores"),
        "chance-at-end": ("error", "chance does not move when the game is over"),
        "probability": ("error", "the probability of an outcome is a number above 0, at most 1"),
        "probability-sum": ("error", "the probabilities of all outcomes sum to one"),
        "playout": ("error", "a playout makes legal moves, notes them, and returns the score that they lead to"),
        "prior": ("error", "prior returns two numbers: playouts won, and playouts in all"),
        "reward": ("error", "reward returns a finite number that never falls when the score rises"),
        "is-terminal": ("error", "is_terminal returns True or False"),
        "move-type": ("error", "a move is an integer"),
        "duplicate-move": ("error", "no move is yielded twice"),
        "too-many-moves": ("error", "moves comes to an end"),
        "no-moves": ("error", "there is a move until the game is over"),
        "moves-after-end": ("error", "there is no move when the game is over"),
        "play-rejects": ("error", "play accepts every move that moves yields"),
        "play-changes-state": ("error", "play leaves the given position as it was"),
        "not-deterministic": ("error", "the same question gets the same answer"),
        "compile": ("warning", "Numba can compile the rules"),
        "differs": ("error", "compiled and interpreted rules give the same answers"),
        "score": ("error", "a score is a finite number; scores has one for each player"),
        "zero-sum": ("error", "where score is defined, scores agrees with it and adds up to zero"),
        "evaluate": ("error", "evaluate returns a finite number between the bounds, or 0"),
        "bounds": ("error", "bounds returns two numbers; every score that can still be reached lies between them"),
        "win-score": ("error", "win_score is above every other score and every evaluation by more than 1000"),
        "estimates": ("error", "estimates returns a finite number for each player"),
        "sum-bounds": ("error", "sum_bounds are two numbers that hold for all scores and estimates"),
        "key": (
            "error",
            "positions with the same key have the same value and evaluation for the player to move",
        ),
        "key-moves": (
            "warning",
            "moves with one name in the image lead to the same, in positions with one key",
        ),
        "rest-key": (
            "error",
            "positions with the same rest_key have the same value and evaluation less banked for the player to move",
        ),
        "banked": ("error", "banked is a whole number"),
        "swing": ("error", "swing is a number above 0"),
        "noisy-moves": ("error", "noisy moves are legal; where extension is above 0, all moves are noisy"),
        "gain": ("error", "gain is a whole number, and not 0 for a noisy move"),
        "wins-at-least": (
            "error",
            "wins_at_least returns True or False; a move that wins some amount also wins any smaller one",
        ),
        "pass-move": ("error", "after a pass another player moves"),
        "extension-type": ("error", "extension returns a whole number from 0 up"),
        "extension": ("warning", "extension is 0 on most positions of a game"),
        "candidates": ("error", "candidates are legal moves and include a best one"),
        "proven-bounds": ("error", "the value lies between the proven bounds"),
        "image": ("error", "an image is its own image and plays like the position it stands for"),
        "reversible": ("error", "a position recurs only within the plies that reversible allows"),
        "repetition": ("error", "repetition returns a finite number"),
        "without_history": ("error", "a position without its history has the same moves, to the same positions"),
        "repetitions": ("error", "repetitions is a whole number from 2 up"),
        "counted": ("error", "counted returns a game"),
        "count-moves": ("error", "count_moves is the number of moves"),
        "features": ("error", "features are below feature_count, each at most once; bucket and viewer are in range"),
        "features-agree": (
            "error",
            "what one player sees tells what the other sees; positions with one key look the same",
        ),
        "no-text": ("warning", "positions have a text form"),
        "text": ("error", "parse reads what format writes"),
        "move-text": ("error", "parse_move reads what format_move writes, which has no spaces and is unique"),
        "text-error": ("warning", "parse and parse_move raise PositionError for text they cannot read"),
        "layout": ("error", "layout is a Grid, Points, Pits, a Sheet or None; pieces is a tuple of Piece"),
        "piece-at": ("error", "piece_at returns 0, the number of a piece, stones in a pit, or Sheet.written(n)"),
        "set-up": ("error", "set_up makes a position whose board is the one given, with the player to move"),
        "dice-shown": ("error", "dice show faces from 1 to 6"),
        "places": (
            "error",
            "places of moves and routes, marked and selected places are on the board; a move may have -1",
        ),
        "view-text": ("error", "titles, names of moves, score texts, endings and reasons are texts of one line"),
        "view-raises": ("error", "the methods of the View work in every position"),
        "endless": ("note", "games end"),
    }
)
"""Every check by name: its severity, and what should hold."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """One mistake, and a position that shows it."""

    rule: str
    """A name from ``KINDS``."""
    message: str
    position: str | None = None
    """The position in its text form, or its ``repr``; None if the mistake concerns no position."""
    path: tuple[str, ...] = ()
    """The moves that lead there from the initial position."""

    @property
    def severity(self) -> Severity:
        return KINDS[self.rule][0]

    def to_json(self) -> dict[str, Any]:
        """Return the fields and the severity, ready for JSON."""
        return {"severity": self.severity, **dataclasses.asdict(self), "path": list(self.path)}

    def __str__(self) -> str:
        lines = [f"{self.severity} [{self.rule}] {self.message}"]
        if self.position is not None:
            lines.append(f"    position  {self.position}")
            lines.append(f"    moves     {' '.join(self.path) or 'none: this is the initial position'}")
        return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class Report:
    """What a check examined and found.  Print it for a readable text."""

    game: str
    findings: tuple[Finding, ...]
    games: int = 0
    """Random games played to the end."""
    positions: int = 0
    """Distinct positions examined."""
    comparisons: int = 0
    """Answers of compiled methods compared with interpreted ones."""
    wanted: int = 0
    """Random games requested."""
    out_of_time: float | None = None
    """The time limit in seconds, if it ended the check early; else None."""

    @property
    def ok(self) -> bool:
        """Whether a game ended and there are no errors.  There may be warnings and notes."""
        return self.games > 0 and not any(finding.severity == "error" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the fields and ``ok``, ready for JSON."""
        return {"ok": self.ok, **dataclasses.asdict(self), "findings": [each.to_json() for each in self.findings]}

    def __str__(self) -> str:
        of_all = "" if self.out_of_time is None else f" of {self.wanted}"
        looked = f"{self.games}{of_all} games, {self.positions:,} positions, "
        looked += f"{self.comparisons:,} compiled answers compared"
        counts = collections.Counter(finding.severity for finding in self.findings)
        found = ", ".join(f"{count} {severity}{'s' * (count > 1)}" for severity, count in counts.items())
        verdict = f"{found or 'nothing wrong'} in {looked}"
        if not (self.games or counts["error"]):
            seen = f"{found} in" if found else "looked at"
            verdict = f"no verdict, because no game was finished: {seen} {looked}"
        lines = [f"{self.game}: {verdict}", *map(str, self.findings)]
        if self.out_of_time is not None:
            more = f"{6 * self.out_of_time:g}"
            lines.append(f"time ran out after {self.out_of_time:g} s: allow more with --seconds {more} "
                         f"(in Python, seconds={more})")  # fmt: skip
        return "\n".join(lines)
