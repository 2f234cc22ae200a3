"""Two boolean questions prove a value: ``v >= m`` holds and ``v > m`` does not.

The first answer gives a proof tree: MAX's strategy, one move at each of MAX's positions and all replies, which ends at
m or more whatever MIN plays.  The second gives a disproof tree: MIN's strategy, which ends at m or less whatever MAX
plays.  If both sides follow their strategies, they play a line of best play.

Df-pn answers the questions.  It prefers short proofs and remembers them, so it then knows the move for each position of
a strategy.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from plywise.algorithms import Algorithm, algorithm_named
from plywise.engine.dfpn import Solver
from plywise.errors import ProofError, SearchError
from plywise.game import MAX, MIN, Game, Move, State
from plywise.inputs.chance import check_certain, refuse_chance
from plywise.inputs.positions import check_zero_sum
from plywise.layers import FastestWin, Recurrence
from plywise.proof.proof import Proof, Tell, nobody
from plywise.proof.verify import check_proof, is_settled
from plywise.result import Result

__all__ = ["Proof", "check_proof", "check_provable", "prove", "with_proof"]


def prove(game: Game, state: State, value: Any) -> Proof:
    """Prove that ``value`` is the value of ``state``, and return both strategies.

    Raises:
        SearchError: it is not; the message says whether the value is less or more.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> proof = pw.algorithms.prove(game, game.initial(), 0)
    >>> pw.check_proof(proof).ends > 100, len(proof.proof) < 500
    (True, True)
    """
    check_certain(game, "a proof")
    refuse_chance(game, state)
    at_least, above = Solver(game, value), Solver(game, value, strict=True)
    if not at_least.holds(state):
        raise SearchError(f"the value is not {value}: it is less, because v >= {value} is false")
    if above.holds(state):
        raise SearchError(f"the value is not {value}: it is more, because v > {value} is true")
    return Proof(game, state, value, _strategy(at_least, state, MAX), _strategy(above, state, MIN))


def check_provable(game: Game, algorithm: str | Algorithm | None = None, weak: bool = False) -> None:
    """Check, before the search, that a proof is possible.

    Raises:
        SearchError: it is not; the message says why.
    """
    check_certain(game, "no proof: a proof")
    check_zero_sum(game, "no proof: a proof")
    if isinstance(game, Recurrence):
        raise SearchError(f"no proof: positions of {game!r} may recur, and a strategy must end")
    if isinstance(game, FastestWin):
        raise SearchError(f"no proof: values of {game!r} count the plies to a win, which strategies do not")
    if weak:
        raise SearchError("no proof: weak=True finds only who wins, and a proof needs the exact value")
    chosen = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
    if chosen is not None and not chosen.finds_value:
        raise SearchError(f"no proof: {chosen.name} finds no exact value for Max; choose another algorithm, or none")


def with_proof(result: Result, tell: Tell = nobody) -> Result:
    """Return a result with a checked proof of its value; ``tell`` is called with the progress of the check.

    Raises:
        SearchError: the value is not exact, or the searches for the proof find another value.
        ProofError: the proof is wrong, because ``bounds`` or ``key`` is.
    """
    if result.bound != "exact" or isinstance(result.value, tuple):
        raise SearchError(f"no proof: {result.algorithm} found no exact value for Max, only {result.value}")
    proof = prove(result.game, result.state, result.value)
    try:
        check_proof(proof, tell)
    except ProofError as error:
        raise ProofError(f"{error}; bounds() or key() may be wrong: run 'plywise check'") from None
    return dataclasses.replace(result, proof=proof)


def _strategy(solver: Solver, start: State, owner: int) -> dict[State, Move]:
    """Return the owner's moves in all positions that can arise when it plays them."""
    game = solver.game
    strategy: dict[State, Move] = {}
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state) or is_settled(game, state, solver.goal, owner):
            continue
        if game.to_move(state) == owner:
            strategy[state] = solver.move(state)
            children = [game.play(state, strategy[state])]
        else:
            children = [game.play(state, move) for move in game.moves(state)]
        waiting += [child for child in children if child not in seen]
        seen.update(children)
    return strategy
