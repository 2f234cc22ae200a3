"""The result of a search."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from plywise.errors import one_line
from plywise.game import Game, Move, State
from plywise.io.wording import NOISE, number, signed
from plywise.layers import Chance

Bound = Literal["exact", "lower", "upper", "estimate"]

RELATION: Mapping[Bound, str] = MappingProxyType(
    {"exact": "", "lower": "at least ", "upper": "at most ", "estimate": "about "}
)
"""The words before a value, by bound."""


ESTIMATE = "estimate: "
"""The words before the meaning of a value that is not proven."""

LONGEST_NAME = 60
"""The most characters shown of a network's name."""


def meaning(game: Game, value: Any) -> str:
    """Return a value for Max in the game's own words; empty if they add nothing to the number."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return ""
    text: str = game.score_text(value)
    return "" if text in (signed(value), number(value)) else text


def guessed(game: Game, value: Any, proven: bool) -> bool:
    """Return whether a value is a guess: it is neither proven nor a win that the search saw to its end."""
    return not proven and not (isinstance(value, Real) and game.plies_to_win(float(value)) >= 0)


class Race(NamedTuple):
    """How close the choice of a move was, in Monte Carlo tree search with the layer ``Playouts``."""

    first: int
    """The rounds that began with the best move."""
    second: int
    """The rounds that began with the one after it."""
    agreed: bool
    """Whether no other move with as many rounds as the second has a better mean reward."""
    reward: float
    """The mean reward of the best move, for Max; see ``Playouts.reward``."""


@dataclasses.dataclass(frozen=True)
class Result:
    """The answer of a search, and its cost.  ``print`` shows a summary; ``to_json`` is for programs."""

    game: Game = dataclasses.field(repr=False)
    state: State
    """The position that was searched."""
    value: Any
    """The value of the position for Max; in max^n, the scores of all players."""
    move: Move | None
    """The best move; None if no move reaches the window, or the goal of a boolean search, or if chance moves."""
    line: tuple[Move, ...]
    """The principal variation: best play by both sides, starting with ``move``, to where chance decides."""
    bound: Bound
    """Whether ``value`` is exact, a lower bound or an upper bound (each at the depth searched), or an estimate from
    random games (``mcts``)."""
    proven: bool
    """Whether every leaf was the end of a game, so that ``value`` holds at any depth."""
    depth: int | None
    """The depth of the search in plies; None: to the end of the game, or, for an estimate, no fixed depth."""
    nodes: int
    """Positions visited."""
    leaves: int | None
    """How many of these were scored or evaluated; None if not counted."""
    seconds: float
    algorithm: str
    compiled: bool
    """Whether machine code ran, as opposed to plain Python."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search before its limits did."""
    table_fill: float | None = None
    """How full the transposition table is, from 0 to 1; None without a table."""
    moves: dict[Move, Any] | None = None
    """The value of every root move, if requested."""
    rank: int = 1
    """1 for the best move, 2 for the second best, and so on, if several lines were requested."""
    lines: tuple[Result, ...] | None = dataclasses.field(default=None, repr=False)
    """The best moves, best first, each with its value and line, if requested."""
    deepest: int | None = None
    """The longest line searched, in plies, if counted."""
    events: tuple[Any, ...] | None = dataclasses.field(default=None, repr=False)
    """Every event of the last, deepest search, if recorded; ``plywise.explain`` draws them."""
    strict: bool = False
    """Whether the search cut off only on ``alpha > beta``; in a boolean search, whether it asked for more than the
    goal."""
    effort: float | None = None
    """The share of the positions of the last depth that the best move took, if counted."""
    expected: bool = False
    """Whether chance moved somewhere in the search, so that ``value`` may be an average over what it does."""
    race: Race | None = None
    """How close the choice was, if playouts made it."""
    proof: Any = dataclasses.field(default=None, repr=False)
    """The ``plywise.proof.proof.Proof`` of an exact value, if requested."""
    network: str | None = None
    """The file of the network that evaluated, without its folder; its digest if it is in no file; None: no network."""

    def __post_init__(self) -> None:
        judged: Any = self.game
        if hasattr(judged, "net_of"):  # by a network
            object.__setattr__(self, "network", judged.net.name or judged.net.digest)

    @property
    def nodes_per_second(self) -> float:
        """Positions visited per second."""
        return self.nodes / max(self.seconds, 1e-9)

    def line_text(self) -> list[str]:
        """Return the principal variation in the game's notation."""
        return self._line_as(self.game.format_move)

    def line_names(self) -> list[str]:
        """Return the principal variation as players write it."""
        return self._line_as(self.game.move_name)

    def _line_as(self, text: Callable[[State, Move], str]) -> list[str]:
        """Return the text of every move of the principal variation."""
        texts, state = [], self.state
        for move in self.line:
            texts.append(text(state, move))
            state = self.game.play(state, move)
        return texts

    @property
    def relation(self) -> str:
        """What stands before the value in words: one that evaluations or random games gave must not sound like the
        result of the game.
        """
        if self.bound in ("exact", "estimate") and guessed(self.game, self.value, self.proven):
            return ESTIMATE
        return RELATION[self.bound]

    def said(self) -> str:
        """Return what an exact value means in the game's own words; empty if they add nothing to the number."""
        words = meaning(self.game, self.value) if self.bound == "exact" else ""
        return f"{self.relation}{words}" if words else ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields for programs, with positions and moves as text."""
        line = self.line_text()
        report: dict[str, Any] = {
            "game": repr(self.game),
            "position": self.game.format(self.state),
            "algorithm": self.algorithm,
            "network": self.network,
            "value": list(self.value) if isinstance(self.value, tuple) else self.value,
            "move": None if self.move is None else self.game.format_move(self.state, self.move),
            "line": line,
            "bound": self.bound,
            "proven": self.proven,
            "depth": self.depth,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "seconds": round(self.seconds, 6),
            "nodes_per_second": round(self.nodes_per_second),
            "compiled": self.compiled,
            "interrupted": self.interrupted,
        }
        if isinstance(self.game, Chance):
            report["expected"] = self.expected
        if self.table_fill is not None:
            report["table_fill"] = round(self.table_fill, 4)
        if self.moves is not None:
            report["moves"] = {self.game.format_move(self.state, move): value for move, value in self.moves.items()}
        if self.proof is not None:
            report["proof"] = self.proof.to_json()
        return report

    def _repr_svg_(self) -> str | None:
        """Return the tree of a recorded search, for notebooks; None without a record, so that they show the text."""
        if self.events is None:
            return None
        from plywise.explain import grow
        from plywise.explain.figure import notebook_svg

        return notebook_svg(grow(self))

    def __str__(self) -> str:
        depth = "to the end " if self.depth is None else f"to depth {self.depth} "
        if self.bound == "estimate":
            depth = ""
        proven = " (proven)" if self.proven and self.bound == "exact" else ""
        said = f", {self.said()}" if self.said() else ""
        network = "" if self.network is None else f" with {one_line(self.network, LONGEST_NAME)}"
        lines = [
            f"value     {RELATION[self.bound]}{value_text(self.value)}{' expected' * self.expected}{proven}{said}",
            f"move      {'none' if self.move is None else self.game.format_move(self.state, self.move)}",
            f"line      {' '.join(self.line_text())}",
            f"searched  {depth}by {self.algorithm}{network}: {self.nodes:,} nodes, "
            f"{'' if self.leaves is None else f'{self.leaves:,} leaves, '}{self.seconds:.3g} s"
            f"{' (interrupted)' if self.interrupted else ''}",
        ]
        if self.moves is not None:
            values = (
                f"{self.game.format_move(self.state, move)}: {value_text(value)}" for move, value in self.moves.items()
            )
            lines.append(f"moves     {', '.join(values)}")
        return "\n".join(lines)


def value_text(value: Any) -> str:
    """Return a score as text, a float to six digits: an estimate is no more accurate."""
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))})"
    if not isinstance(value, float):
        return str(value)
    return "0" if abs(value) < NOISE else f"{value:.6g}"
