"""A checker that knows only the rules accepts a proof, and rejects a corrupted one."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import prove
from plywise.games import ConnectFour, DogCatMouse, Nim, TicTacToe, Tree
from tests.key_games import TakeAway
from tests.oracle import random_position, real_leaves, trees, value_of, whole_leaves


@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)))
def test_a_proof_of_the_value_is_accepted(tree: Any) -> None:
    game = Tree.from_json(tree)
    pw.check_proof(prove(game, game.initial(), value_of(game, game.initial())))


@given(tree=trees(whole_leaves), claim=st.sampled_from([-5, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 5]))
def test_a_wrong_claim_is_refused_and_says_on_which_side_the_value_is(tree: Any, claim: float) -> None:
    game = Tree.from_json(tree)
    exact = value_of(game, game.initial())
    assume(claim != exact)
    with pytest.raises(pw.SearchError, match="less" if exact < claim else "more"):
        prove(game, game.initial(), claim)


@given(tree=trees(whole_leaves), data=st.data())
def test_a_corrupted_proof_is_refused(tree: Any, data: st.DataObject) -> None:
    game = Tree.from_json(tree)
    exact = value_of(game, game.initial())
    proof = prove(game, game.initial(), exact)
    side = data.draw(st.sampled_from(["proof", "disproof"]))
    strategy = dict(getattr(proof, side))
    assume(strategy)
    state = data.draw(st.sampled_from(sorted(strategy)))
    bad = [
        move
        for move in game.moves(state)
        if (value_of(game, game.play(state, move)) < exact) == (side == "proof")
        and value_of(game, game.play(state, move)) != exact
    ]
    change = data.draw(st.sampled_from(["missing", "illegal", *(["losing"] if bad else [])]))
    if change == "missing":
        del strategy[state]
    elif change == "illegal":
        strategy[state] = 99
    else:
        strategy[state] = bad[0]
    with pytest.raises(pw.SearchError, match="wrong proof"):
        pw.check_proof(dataclasses.replace(proof, **{side: strategy}))


def test_a_proof_of_another_value_is_refused() -> None:
    proof = prove(TicTacToe(), TicTacToe().initial(), 0)
    for value in (-1, 1, float("nan")):
        with pytest.raises(pw.SearchError, match="wrong proof"):
            pw.check_proof(dataclasses.replace(proof, value=value))


@pytest.mark.parametrize("game", [TicTacToe(), Nim((2, 3, 1)), ConnectFour(4, 4)])
def test_solve_with_proof(game: pw.Game) -> None:
    for seed in range(3):
        state = random_position(game, seed)
        result = pw.solve(game, state, proof=True)
        assert result.value == result.proof.value == value_of(game, state)
        pw.check_proof(result.proof)


class Forgetful(TakeAway):
    """Its key merges positions of different value, so that df-pn is wrong about some of them."""

    def key(self, state):
        return state.left // 2


def test_solve_checks_its_proof() -> None:
    with pw.interpreted(), pytest.raises(pw.ProofError, match=r"wrong proof: .* key\(\) may be wrong"):
        pw.solve(Forgetful(7), proof=True)


class Returning(pw.Recurrence, TakeAway):
    def reversible(self, state):
        return 2


class Distant(pw.FastestWin, TakeAway):
    win_score = 1_000_000


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (DogCatMouse(), {}, "two players"),
        (Returning(), {}, "may recur"),
        (Distant(), {}, "count the plies"),
        (TicTacToe(), {"weak": True}, "only who wins"),
        (TicTacToe(), {"algorithm": "maxn"}, "maxn finds no exact value"),
        (TicTacToe(), {"algorithm": "boolean", "goal": 1}, "boolean finds no exact value"),
    ],
)
def test_what_cannot_be_proved_is_refused_before_the_search(
    game: pw.Game, options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(game), "moves", lambda self, state: pytest.fail("a search has begun"))
    with pytest.raises(pw.SearchError, match=f"^no proof: .*{message}"):
        pw.solve(game, proof=True, **options)


def test_a_strategy_earns_its_value_against_any_opponent() -> None:
    """Follow MAX's strategy for tic-tac-toe against every reply: it never loses; MIN's never loses either."""
    game = TicTacToe()
    proof = pw.solve(game, proof=True).proof
    for owner, strategy in ((pw.MAX, proof.proof), (pw.MIN, proof.disproof)):
        ends = []
        waiting = [game.initial()]
        while waiting:
            state = waiting.pop()
            if game.is_terminal(state):
                ends.append(pw.sign(owner) * game.score(state))
            elif game.to_move(state) == owner:
                waiting.append(game.play(state, strategy[state]))
            else:
                waiting += [game.play(state, move) for move in game.moves(state)]
        assert min(ends) == 0
        assert max(ends) == 1


def test_a_proof_as_json_uses_text_forms() -> None:
    report = pw.solve(TicTacToe(), "XO./.X./..O", proof=True).to_json()
    assert report["proof"]["value"] == 1
    assert report["proof"]["position"] == "XO./.X./..O"
    assert all(isinstance(move, str) for move in report["proof"]["proof"].values())
