"""RED-BLUE: its value and what alpha-beta prunes, worked out by hand."""

from __future__ import annotations

import pytest

import plywise as pw
from plywise.games import RedBlue, Tree
from tests.games.support import check_texts, compiled, digest


def test_the_value_is_minus_3_by_blue_red_red() -> None:
    result = pw.solve(RedBlue(), algorithm="minimax")
    assert (result.value, result.line_text(), result.leaves) == (-3, ["B", "R", "R"], 8)


def test_alpha_beta_prunes_the_last_two_leaves() -> None:
    result = pw.search(RedBlue(), algorithm="alphabeta")
    assert (result.value, result.leaves) == (-3, 6)


def test_the_leaves_are_those_of_the_written_tree() -> None:
    game, tree = RedBlue(), Tree.from_lists([[[1, -5], [3, -3]], [[4, -2], [0, 6]]], first="min")
    texts = ["BBB", "BBR", "BRB", "BRR", "RBB", "RBR", "RRB", "RRR"]
    assert [game.score(game.parse(text)) for text in texts] == [n.value for n in tree.nodes if not n.children]
    for text in ["", "B", "R", "BR", "RB"]:
        path = ".".join(str("BR".index(c) + 1) for c in text) or "root"
        assert game.to_move(game.parse(text)) == tree.to_move(tree.parse(path))
    assert pw.solve(tree).value == -3


def test_compiled_and_interpreted_rules_agree() -> None:
    game = RedBlue()
    assert compiled(digest, game, game.initial(), 3) == digest(game, game.initial(), 3)


@pytest.mark.parametrize("seed", range(8))
def test_texts_are_read_as_what_they_were_written_from(seed: int) -> None:
    check_texts(RedBlue(), seed)


@pytest.mark.parametrize("text", ["BRBR", "G", "B R"])
def test_a_wrong_position_is_explained(text: str) -> None:
    with pytest.raises(pw.PositionError, match=f"{text!r} is not a position: it needs up to three letters"):
        RedBlue().parse(text)
