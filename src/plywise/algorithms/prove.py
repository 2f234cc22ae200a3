"""Two boolean searches prove a value: ``v >= m`` holds and ``v > m`` does not.

The first leaves a proof tree: MAX's strategy, one move at each of MAX's positions and all replies, which ends at m or
more whatever MIN does.  The second leaves a disproof tree: MIN's strategy, which ends at m or less whatever MAX does.
Where they meet lies the line of best play.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from plywise.algorithms.boolean import boolean
from plywise.errors import SearchError
from plywise.game import MAX, MIN, Game, Move, State
from plywise.reading import goal_argument, prepare, run
from plywise.watch import LONGEST_LINE, Tally, tally_arrays

Strategy = dict[State, Move]
"""One move for every position in which its owner is to move and which can arise."""


@dataclasses.dataclass(frozen=True)
class Proof:
    """That the value of a position is ``value``: a strategy for each side that guarantees it."""

    game: Game = dataclasses.field(repr=False)
    state: State
    value: Any
    proof: Strategy = dataclasses.field(repr=False)
    """MAX's strategy: at least ``value``."""
    disproof: Strategy = dataclasses.field(repr=False)
    """MIN's strategy: at most ``value``."""

    def __str__(self) -> str:
        sides = ((MAX, "at least", self.proof), (MIN, "at most", self.disproof))
        return "\n".join(
            f"{self.game.player_name(owner)} has a strategy for {relation} {self.value}: {len(strategy)} positions"
            for owner, relation, strategy in sides
        )

    def to_json(self) -> dict[str, Any]:
        """Return the proof with positions and moves in their text forms."""

        def texts(strategy: Strategy) -> dict[str, str]:
            return {self.game.format(s): self.game.format_move(s, move) for s, move in strategy.items()}

        return {
            "position": self.game.format(self.state), "value": self.value,
            "proof": texts(self.proof), "disproof": texts(self.disproof),
        }  # fmt: skip


def prove(game: Game, state: State, value: Any) -> Proof:
    """Prove by two boolean searches that ``value`` is the value of ``state``, and keep both strategies.

    Raises:
        SearchError: it is not; the message says on which side the value lies.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> proof = pw.algorithms.prove(game, game.initial(), 0)
    >>> pw.check_proof(proof), len(proof.proof) < 500
    (None, True)
    """
    test = _Test(game, state)
    if not test(state, value, False):
        raise SearchError(f"the value is not {value}: it is less, because v >= {value} is false")
    if test(state, value, True):
        raise SearchError(f"the value is not {value}: it is more, because v > {value} is true")
    return Proof(game, state, value, _strategy(test, state, value, MAX), _strategy(test, state, value, MIN))


def check_proof(proof: Proof) -> None:
    """Check a proof with nothing but the rules.

    Raises:
        SearchError: the proof is wrong; the message says where.
    """
    _check(proof, proof.proof, MAX)
    _check(proof, proof.disproof, MIN)


def _check(proof: Proof, strategy: Strategy, owner: int) -> None:
    """Follow ``strategy`` against every reply; it must keep its promise at every end."""
    game, seen, waiting = proof.game, set(), [proof.state]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        text = game.format(state)
        if game.is_terminal(state):
            score = game.score(state)
            if not (score >= proof.value if owner == MAX else score <= proof.value):
                raise SearchError(f"wrong proof: {game.player_name(owner)}'s strategy can end at {score} in {text!r}")
        elif game.to_move(state) != owner:
            waiting += [game.play(state, move) for move in game.moves(state)]
        elif state not in strategy:
            raise SearchError(f"wrong proof: {game.player_name(owner)}'s strategy has no move in {text!r}")
        elif strategy[state] not in set(game.moves(state)):
            raise SearchError(f"wrong proof: {game.player_name(owner)}'s move in {text!r} is not legal")
        else:
            waiting.append(game.play(state, strategy[state]))


class _Test:
    """``test(state, goal, strict)``: a boolean search to the end of the game."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.compiled = prepare(
            boolean, game, state, lambda: (1, goal_argument(0, False), False, Tally(**tally_arrays(1)))
        )

    def __call__(self, state: State, goal: Any, strict: bool) -> bool:
        watch = Tally(**tally_arrays(LONGEST_LINE, any_move=self.compiled is None))
        if self.compiled is not None:
            goal = goal_argument(goal, strict)
        answer = run(boolean, self.game, state, (LONGEST_LINE, goal, strict, watch), watch, self.compiled)
        if watch.horizon:
            raise SearchError(f"a line of play did not end within {LONGEST_LINE} plies")
        return bool(answer)


def _strategy(test: _Test, start: State, value: Any, owner: int) -> Strategy:
    """Collect the owner's moves in all positions that can arise when it plays them."""
    game = test.game
    strategy: Strategy = {}
    seen, waiting = set(), [start]
    while waiting:
        state = waiting.pop()
        if state in seen or game.is_terminal(state):
            continue
        seen.add(state)
        children = [(move, game.play(state, move)) for move in game.moves(state)]
        if game.to_move(state) != owner:
            waiting += [child for _, child in children]
            continue
        for move, child in children:
            if _keeps(test, child, value, owner):
                strategy[state] = move
                waiting.append(child)
                break
    return strategy


def _keeps(test: _Test, state: State, value: Any, owner: int) -> bool:
    """Return whether the owner still gets what the value promises it: at least it (MAX), at most it (MIN)."""
    game = test.game
    if game.is_terminal(state):
        return bool(game.score(state) >= value if owner == MAX else game.score(state) <= value)
    return test(state, value, False) if owner == MAX else not test(state, value, True)
