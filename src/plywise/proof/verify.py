"""The checker of proofs.  It uses only the rules of a game, no search.

It follows a strategy against every reply.  A line may end where the game does, with a score that keeps the promise, or
where ``bounds`` already guarantee it.  Everywhere else the strategy must have a legal move, and no position may repeat,
or the game might go on forever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from plywise.errors import ProofError
from plywise.game import MAX, MIN, Game, Number, State
from plywise.proof.proof import Proof, Tell, nobody


class Verdict(NamedTuple):
    """The counts of a successful check, over both strategies."""

    positions: int
    """Positions visited."""
    ends: int
    """Positions where the game is over."""
    bounded: int
    """Positions where ``bounds`` already guarantee the value."""


def check_proof(proof: Proof, tell: Tell = nobody) -> Verdict:
    """Check a proof by the rules alone.

    Raises:
        ProofError: the proof is wrong; the message says where.

    >>> import plywise as pw
    >>> pw.check_proof(pw.solve(pw.games.RedBlue(), proof=True).proof)
    Verdict(positions=15, ends=6, bounded=0)
    """
    for_max = _follow(proof, MAX, lambda done: tell(done, len(proof)))
    for_min = _follow(proof, MIN, lambda done: tell(len(proof.proof) + done, len(proof)))
    return Verdict(*map(sum, zip(for_max, for_min, strict=True)))


def is_settled(game: Game, state: State, value: Number, owner: int) -> bool:
    """Return whether ``bounds`` alone guarantee the value to the owner: at least it for MAX, at most it for MIN."""
    low, high = game.bounds(state)
    return low >= value if owner == MAX else high <= value


def _follow(proof: Proof, owner: int, tell: Callable[[int], None]) -> Verdict:
    """Follow a strategy against every reply and check that it keeps its promise at every end."""
    game, strategy = proof.game, proof.strategy(owner)

    def wrong(what: str, last: State | None) -> ProofError:
        line = proof.lines.get((owner, last), 1) if proof.lines else None
        return ProofError(f"wrong proof: {game.player_name(owner)}'s strategy {what} {game.format(state)!r}", line)

    seen: set[State] = set()
    on_line: set[State] = set()  # from the first position to the current one
    used = ends = bounded = 0
    waiting: list[tuple[State, State | None, bool]] = [(proof.state, None, False)]
    while waiting:
        state, last, is_done = waiting.pop()
        if is_done:
            on_line.remove(state)
        elif state in on_line:
            raise wrong("can go on forever: it repeats", last)
        elif state not in seen:
            seen.add(state)
            if game.is_terminal(state):
                score = game.score(state)
                if not (score >= proof.value if owner == MAX else score <= proof.value):
                    raise wrong(f"can end at {score} in", last)
                ends += 1
                continue
            if is_settled(game, state, proof.value, owner):
                bounded += 1
                continue
            on_line.add(state)
            waiting.append((state, last, True))
            if game.to_move(state) != owner:
                waiting += [(game.play(state, move), last, False) for move in game.moves(state)]
                continue
            if state not in strategy:
                raise wrong("has no move in", last)
            if strategy[state] not in set(game.moves(state)):
                raise wrong("has an illegal move in", state)
            waiting.append((game.play(state, strategy[state]), state, False))
            used += 1
            tell(used)
    return Verdict(len(seen), ends, bounded)
