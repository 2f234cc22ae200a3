"""The standing of a match: wins, draws, pairs, faults and what follows from them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from typing import Any

from plywise.match.arena import FAULTS
from plywise.match.elo import OUTCOMES, SPRT, Estimate, estimate

BOTS = ("first", "second")
"""The names of the two bots in records."""


@dataclasses.dataclass
class Standing:
    """The games of a match so far, from the first bot's point of view.

    >>> standing = Standing(("new", "old"), games=2)
    >>> standing.add({"line": 1, "score": 1.0, "reason": "game over"})
    >>> standing.add({"line": 2, "score": 0.5, "reason": "repetition"})
    >>> standing.wins, standing.draws, standing.pairs
    (1, 1, [0, 0, 0, 1, 0])
    """

    names: tuple[str, str]
    games: int
    """How many games to play."""
    sprt: SPRT | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = dataclasses.field(default_factory=lambda: [0] * len(OUTCOMES))
    """How many pairs of games scored 0, 1/2, 1, 1 1/2 and 2 points."""
    reasons: Counter[str] = dataclasses.field(default_factory=Counter)
    """Why games ended, and how often."""
    faults: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    """Games lost by a fault: number, bot, reason and detail."""
    seconds: float = 0.0
    """How long this run took."""
    points: float = 0.0
    """The sum of the first bot's scores by the rules, in games with dice that ended by them; see ``mean``."""
    scored: int = 0
    """How many games that were."""
    damaged: int = 0
    """Damaged lines of the file; their games were played again."""
    _half: dict[int, float] = dataclasses.field(default_factory=dict)

    def add(self, record: Mapping[str, Any]) -> None:
        """Count a game."""
        number, score = record["line"], record["score"]
        self.wins += score == 1
        self.draws += score == 0.5
        self.losses += score == 0
        self.reasons[record["reason"]] += 1
        if record["reason"] in FAULTS:
            bot = BOTS[int(score)]  # the loser
            self.faults.append({"game": number, "bot": bot, "reason": record["reason"], "detail": record["detail"]})
        if record.get("points") is not None:
            self.points += record["points"]
            self.scored += 1
        pair = (number + 1) // 2
        if pair in self._half:
            self.pairs[round(2 * (self._half.pop(pair) + score))] += 1
        else:
            self._half[pair] = score

    @property
    def played(self) -> int:
        """How many games are over."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The share of the points that the first bot scored; None before the first game."""
        return (self.wins + self.draws / 2) / self.played if self.played else None

    @property
    def mean(self) -> float | None:
        """The first bot's mean score by the rules, in which a win may count more than 1; None without dice."""
        return self.points / self.scored if self.scored else None

    @property
    def estimate(self) -> Estimate:
        """The Elo difference, from complete pairs."""
        return estimate(self.pairs)

    @property
    def ratio(self) -> float | None:
        """The log-likelihood ratio of the sequential test, if there is one."""
        return None if self.sprt is None else self.sprt.ratio(self.pairs)

    @property
    def verdict(self) -> str | None:
        """The hypothesis that the sequential test accepts; None if undecided, or without a test."""
        return None if self.sprt is None else self.sprt.verdict(self.pairs)

    def fault_counts(self) -> Counter[tuple[str, str]]:
        """Return how often each bot lost by each kind of fault."""
        return Counter((fault["bot"], fault["reason"]) for fault in self.faults)

    def to_json(self) -> dict[str, Any]:
        """Return the standing, ready for JSON."""
        about = self.estimate
        report: dict[str, Any] = {
            "first": self.names[0], "second": self.names[1], "games": self.played, "wins": self.wins,
            "draws": self.draws, "losses": self.losses, "score": self.score, "pairs": self.pairs,
            "elo": about.elo, "elo_low": about.low, "elo_high": about.high, "superiority": about.superiority,
            "reasons": dict(self.reasons), "faults": self.faults, "seconds": self.seconds,
            "damaged": self.damaged,
        }  # fmt: skip
        if self.mean is not None:
            report["mean"] = self.mean
        if self.sprt is not None:
            report["sprt"] = {**self.sprt._asdict(), "ratio": self.ratio, "verdict": self.verdict}
        return report
