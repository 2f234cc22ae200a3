"""Every event gets one true sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.explain import cut_reason, cut_rule, figure, grow, preface, sentence
from plywise.explain.sentences import summary
from plywise.games import ConnectFour, DogCatMouse, RedBlue, Tree
from tests import oracle
from tests.explain.test_search_tree import recorded, trees
from tests.take_away import TakeAway


@pytest.mark.parametrize("name", TEXTBOOK)
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_every_event_of_every_algorithm_is_one_sentence(name: str, game: Tree) -> None:
    result = recorded(game, name)
    tree = grow(result)
    assert result.events is not None
    for event in result.events:
        text = sentence(tree, event)
        assert text.endswith((".", "?"))
        assert "\n" not in text
        assert "None" not in text


@pytest.mark.parametrize("name", ["alphabeta", "negamax_alphabeta", "pvs", "memo", "aspiration"])
@given(game=trees)
def test_what_the_opponent_is_said_to_have_the_opponent_has(name: str, game: Tree) -> None:
    result = recorded(game, name)
    tree = grow(result)
    assert result.events is not None
    for visit in tree.visits.values():
        if visit.cut is None or "already has" not in cut_reason(tree, visit):
            continue
        claimed = int(cut_reason(tree, visit).split("already has ")[1].split(",")[0])
        before = result.events[: result.events.index(visit.cut)]
        owners = {above.number for above in visit.path if above.player != visit.player}
        assert any(e.kind == "update" and e.node in owners and e.value == claimed for e in before)


def test_the_sentences_of_red_blue() -> None:
    result = recorded(RedBlue(), "alphabeta")
    tree = grow(result)
    texts = [sentence(tree, event) for event in result.events or ()]
    assert len(texts) == 33
    assert texts[0] == "Enter the root (Min) with the window (-∞, ∞)."
    assert texts[4] == "Leaf B B B: the game is over, score 1."
    assert texts[5] == "At B B (Min): B is the best so far, with 1; the window is now (-∞, 1)."
    assert texts[30] == (
        "Cut at R (Max): alpha -2 > beta -3: Min already has -3, so will not come here; R is left out."
    )
    assert texts[31] == "R (Max) returns at least -2, which is outside its window."
    assert texts[32] == "The root (Min) returns -3."


def test_a_window_given_from_outside_is_nobodys() -> None:
    tree = grow(recorded(RedBlue(), "alphabeta", beta=-4))
    reasons = [cut_reason(tree, visit) for visit in tree.visits.values() if visit.cut and visit.cut.left_out]
    assert reasons == ["alpha -2 > beta -4: outside the window of the search the exact value does not matter"]


@pytest.mark.parametrize(
    ("name", "strict", "rule"),
    [
        ("alphabeta", False, "alpha ≥ beta"),
        ("alphabeta", True, "alpha > beta (strict)"),
        ("minimax", False, "Nothing is cut"),
        ("early_stop", False, "best possible score"),
        ("satisficing", False, "good enough"),
        ("scout", False, "one yes is enough for Max"),
        ("maxn", False, "too little"),
    ],
)
def test_the_cut_rule_in_force_is_said(name: str, strict: bool, rule: str) -> None:
    result = recorded(RedBlue(), name, **({"strict": True} if strict else {}))
    assert rule in cut_rule(grow(result, strict=strict))


def test_negamax_says_whose_the_values_are() -> None:
    tree = grow(recorded(RedBlue(), "negamax_alphabeta"))
    assert "player to move" in preface(tree)[0]
    game = Tree.from_lists([[3, 5], [2, 9]])
    tree = grow(recorded(game, "negamax", depth=1))
    texts = [sentence(tree, event) for event in recorded(game, "negamax", depth=1).events or ()]
    assert any("estimate 0 for Max, which is 0 for Min" in text for text in texts)


def test_players_are_called_by_their_names() -> None:
    assert "X is Max, O is Min." in preface(grow(recorded(ConnectFour(), "alphabeta", depth=1)))
    texts = preface(grow(recorded(DogCatMouse(), "maxn")))
    assert "one score for each player" in texts[0]


def test_real_null_windows_are_readable() -> None:
    game = Tree.from_lists([[0.5, 2.5], [1.5, 0.25], [3.5, 1.75]])
    tree = grow(recorded(game, "pvs"))
    texts = [sentence(tree, event) for event in recorded(game, "pvs").events or ()]
    assert any("null window (0.5, 0.5+)" in text for text in texts)


class Stones(pw.View, TakeAway):
    """Scores have words, and moves have names."""

    def score_text(self, score: float) -> str:
        return f"{self.player_name(0 if score > 0 else 1)} by {abs(score)} stone"

    def move_name(self, state: Any, move: int) -> str:
        return f"take{move}"


def test_values_and_moves_are_told_in_the_words_of_the_game() -> None:
    with pw.interpreted():
        result = pw.search(Stones(3), algorithm="negamax", record=True)
    tree = grow(result)
    told = [sentence(tree, event) for event in result.events or ()]
    assert summary(result).startswith("value 1 (Max by 1 stone), best play take3; ")
    assert any(": the game is over, score -1 (Min by 1 stone)" in each for each in told)
    assert "The value 1 means: Max by 1 stone." in figure(tree).svg()
    assert "(Min by 1 stone)</title>" in figure(tree).svg()
    assert Stones(3).parse_move(result.state, "take2") == 2


def test_a_value_that_evaluations_gave_is_told_as_an_estimate() -> None:
    with pw.interpreted():
        result = pw.search(Guessed(9), algorithm="negamax", depth=2, record=True)
    assert str(result).startswith("value     2, estimate: Max by 2 stone\n")
    assert summary(result).startswith("value 2 (estimate: Max by 2 stone), best play ")
    assert "The value 2 is an estimate: Max by 2 stone." in figure(grow(result)).svg()


class Guessed(Stones):
    def evaluate(self, state: Any) -> int:
        return 2
