"""The review of a game: what each position was worth, and which moves were mistakes.

The positions are searched from the last to the first, so that the table already knows what came of a move, and the
verdict on it is ready at once.  Where the outcome is known, because it is proven or a win is in sight, a move is judged
by what it did to the outcome.  Elsewhere it is judged by how much of the expected score it lost, from 0 for a loss to 1
for a win: a pawn counts more in an even position than in one that is won.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from plywise.engine.network import Network
from plywise.errors import SearchError
from plywise.explain.titles import ending_in_words, value_in_words
from plywise.game import Game, Move, State, sign
from plywise.io.numbers import plain_number
from plywise.layers import CHANCE, is_solitaire
from plywise.match.ending import ends_by_repetition, final_scores
from plywise.result import Result

Verdict = Literal["inaccuracy", "mistake", "blunder", "missed win", "missed draw"]

LOSSES: Mapping[Verdict, float] = MappingProxyType({"blunder": 0.15, "mistake": 0.1, "inaccuracy": 0.05})
"""How much of the expected score a move must lose for a verdict, the worst first."""

SWINGS = 2.5
"""Swings of an evaluation (pawns in chess) that change the odds of a win by the factor e."""

STEPS = 8
"""The same in games whose evaluation has no swing: the largest score, divided by this."""

ON_AVERAGE = 0.0
"""The unit of games whose scores are at most 1."""

Search = Callable[[int, Sequence[State]], Result]
"""Searches the last of these positions, whose ply this is; the others led to it."""


class Reviewed(NamedTuple):
    """A position of a game, and what its player made of it."""

    ply: int
    state: State
    value: Any
    """For Max."""
    text: str
    """The value in the words of the game; at the end, how the game ended."""
    proven: bool
    outcome: int | None
    """1 if Max wins, 0 for a draw, -1 if Min wins, as far as that is known; None: not known."""
    expected: float | None
    """The expected score of Max, from 0 for a loss to 1 for a win; None if the game has no scale for it."""
    best: Move | None
    """The best move; None if the game is over or chance moves."""
    line: tuple[Move, ...]
    """Best play, starting with ``best``."""
    result: Result | None
    """What the search returned; None if the game is over."""
    played: Move | None = None
    """The move that was played; None in the last position."""
    loss: float = 0.0
    """How much of the expected score that move lost to its player."""
    verdict: Verdict | None = None
    comment: str = ""
    """The verdict as a sentence; empty if there is nothing to say."""


class Tally(NamedTuple):
    """How a player did."""

    player: str
    moves: int
    best: int
    """How many of them were the best move."""
    verdicts: dict[Verdict, int]
    loss: float
    """The share of the expected score that a move lost on average."""


def check_reviewable(game: Game) -> None:
    """Check that a game can be reviewed.

    Raises:
        SearchError: it is not a zero-sum game for two players.
    """
    if not game.is_zero_sum() or is_solitaire(game):
        raise SearchError(f"a review is for two players whose scores sum to zero, unlike {game!r}")


def review(
    game: Game, start: State, moves: Sequence[Move], search: Search, network: Network | None = None
) -> Iterator[Reviewed]:
    """Review a game, and yield its positions from the last to the first.

    Args:
        game: a zero-sum game for two players.
        start: its first position.
        moves: the moves played, those of chance too.
        search: finds the value and the best move of a position that is not over.
        network: the network that evaluates in these searches, which knows what a value is worth.

    Raises:
        SearchError: the game is not one for two players whose scores sum to zero.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> moves = [0, 1, 4, 3]  # O lets X win
    >>> search = lambda ply, states: pw.search(game, states[-1], depth=9)
    >>> next(each for each in review(game, game.initial(), moves, search) if each.ply == 1).comment
    'Missed draw: X now wins. Best was b2 (0).'
    """
    check_reviewable(game)
    states = [start]
    for move in moves:
        states.append(game.play(states[-1], move))
    expected = expected_curve(game, network)
    after: Reviewed | None = None
    for ply in range(len(moves), -1, -1):
        here = _looked_at(game, states[: ply + 1], search, expected)
        after = here if after is None else judged(game, here, moves[ply], after)
        yield after


def expected_curve(game: Game, network: Network | None = None) -> Callable[[float], float | None]:
    """Return the function from a value for Max to Max's expected score, from 0 to 1; None if there is no scale.

    >>> import plywise as pw
    >>> curve = expected_curve(pw.games.Chess())
    >>> [round(curve(value), 2) for value in (-300, 0, 100, 300)]
    [0.23, 0.5, 0.6, 0.77]
    """
    unit = float(network.scale) if network is not None and not network.most else _unit(game)
    if unit is None:
        return lambda value: None
    if unit == ON_AVERAGE:
        return lambda value: min(1.0, max(0.0, (value + 1) / 2))
    return lambda value: _logistic(value / unit)


def _unit(game: Game) -> float | None:
    """Return the value that changes the odds of a win by the factor e; ON_AVERAGE if values are averages of wins, draws
    and losses; None if the game does not tell.
    """
    if math.isfinite(game.swing):
        return SWINGS * float(game.swing)
    largest = max(abs(float(end)) for end in game.bounds(game.initial()))
    if not math.isfinite(largest) or math.isfinite(game.win_score):
        return None
    return ON_AVERAGE if largest <= 1 else largest / STEPS


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-700.0, min(700.0, logit))))


# One position --------------------------------------------------------------------------------------------------------


def _looked_at(
    game: Game, states: Sequence[State], search: Search, expected: Callable[[float], float | None]
) -> Reviewed:
    """Return the last of these positions, before the move played there is judged."""
    state, ply = states[-1], len(states) - 1
    repeated = ends_by_repetition(game, state, [game.recurring(each) for each in states])
    scores = final_scores(game, state, repeated)
    if scores is not None:
        final = _sign(scores[0])
        text = ending_in_words(game, state, scores, repeated)
        return Reviewed(ply, state, scores[0], text, True, final, (final + 1) / 2, None, (), None)
    result = search(ply, states)
    value, proven = plain_number(result.value), result.proven and result.bound == "exact"
    known = (proven and not result.expected) or game.plies_to_win(value) >= 0
    outcome: int | None = _sign(value) if known else None
    text = f"{result.relation}{value_in_words(game, value)}"
    share = expected(value) if outcome is None else (outcome + 1) / 2
    return Reviewed(ply, state, value, text, proven, outcome, share, result.move, result.line, result)


def judged(game: Game, here: Reviewed, played: Move, after: Reviewed) -> Reviewed:
    """Return a position with the verdict on the move that was played there, which led to ``after``."""
    here = here._replace(played=played)
    player = game.to_move(here.state)
    if player == CHANCE or here.best is None or played == here.best:
        return here
    turn = sign(player)
    loss = 0.0
    if here.expected is not None and after.expected is not None:
        loss = max(0.0, turn * (here.expected - after.expected))
    verdict = _verdict(here.outcome, after.outcome, turn, loss)
    comment = "" if verdict is None else _comment(game, verdict, here, after)
    return here._replace(loss=loss, verdict=verdict, comment=comment)


def _verdict(before: int | None, after: int | None, turn: int, loss: float) -> Verdict | None:
    """Return the verdict on a move, from the known outcomes before and after it, for Max, and the expected score that
    it lost.
    """
    had, has = (None if outcome is None else turn * outcome for outcome in (before, after))
    if had is not None and has is not None:
        if has >= had:
            return None
        return "blunder" if had - has == 2 else "missed win" if had == 1 else "missed draw"
    worst = next((verdict for verdict, least in LOSSES.items() if loss >= least), None)
    return "missed win" if worst == "blunder" and had == 1 else worst


def _comment(game: Game, verdict: Verdict, here: Reviewed, after: Reviewed) -> str:
    best = f"Best was {game.move_name(here.state, here.best)} ({_short(game, here)})."
    if after.outcome is None:
        now = f"{_short(game, here)} became {_short(game, after)}"
    elif after.outcome == 0:
        now = "it is now a draw"
    else:
        winner = game.player_name(0 if after.outcome > 0 else 1)
        now = f"{winner} wins" if after.result is None else f"{winner} now wins"
    return f"{verdict.capitalize()}: {now}. {best}"


def _short(game: Game, reviewed: Reviewed) -> str:
    return value_in_words(game, reviewed.value)


# All positions -------------------------------------------------------------------------------------------------------


def tallies(game: Game, reviewed: Iterable[Reviewed]) -> list[Tally]:
    """Return how both players did, Max first."""
    moves = [each for each in reviewed if each.played is not None]
    return [_tally(game, player, [each for each in moves if game.to_move(each.state) == player]) for player in (0, 1)]


def _tally(game: Game, player: int, moves: Sequence[Reviewed]) -> Tally:
    verdicts = Counter(each.verdict for each in moves if each.verdict is not None)
    return Tally(
        game.player_name(player), len(moves), sum(each.played == each.best for each in moves), dict(verdicts),
        sum(each.loss for each in moves) / max(1, len(moves)),
    )  # fmt: skip


def _sign(value: float) -> int:
    return int(value > 0) - int(value < 0)
