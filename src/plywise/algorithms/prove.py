"""Two boolean questions prove a value: ``v >= m`` holds and ``v > m`` does not.

The first answer leaves a proof tree: MAX's strategy, one move at each of MAX's positions and all replies, which ends at
m or more whatever MIN does.  The second leaves a disproof tree: MIN's strategy, which ends at m or less whatever MAX
does.  Where they meet lies the line of best play.

The questions are answered by df-pn, which goes for short proofs and remembers them: asked again for a position of a
strategy, it has the move at hand.
"""

from __future__ import annotations

from typing import Any

from plywise.chance import refuse_chance
from plywise.engine.dfpn import Solver
from plywise.errors import SearchError
from plywise.game import MAX, MIN, Game, Move, State
from plywise.proof import Proof
from plywise.verify import check_proof, is_settled

__all__ = ["Proof", "check_proof", "prove"]


def prove(game: Game, state: State, value: Any) -> Proof:
    """Prove that ``value`` is the value of ``state``, and keep both strategies.

    Raises:
        SearchError: it is not; the message says on which side the value lies.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> proof = pw.algorithms.prove(game, game.initial(), 0)
    >>> pw.check_proof(proof).ends > 100, len(proof.proof) < 500
    (True, True)
    """
    refuse_chance(game, state)
    at_least, above = Solver(game, value), Solver(game, value, strict=True)
    if not at_least.holds(state):
        raise SearchError(f"the value is not {value}: it is less, because v >= {value} is false")
    if above.holds(state):
        raise SearchError(f"the value is not {value}: it is more, because v > {value} is true")
    return Proof(game, state, value, _strategy(at_least, state, MAX), _strategy(above, state, MIN))


def _strategy(solver: Solver, start: State, owner: int) -> dict[State, Move]:
    """Collect the owner's moves in all positions that can arise when it plays them."""
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
