"""The drawing in the terminal: symbols, windows, cuts and the line of best play."""

from __future__ import annotations

import pytest

from plywise.algorithms import TEXTBOOK
from plywise.explain import drawing, grow, heading, legend
from plywise.explain.titles import algorithm_title
from plywise.games import DogCatMouse, RedBlue, Tree
from tests.explain.test_search_tree import recorded

RED_BLUE = """\
▼ (-∞, ∞) = -3 ★
├─ B ▲ (-∞, ∞) = -3 ★
│  ├─ B ▼ (-∞, ∞) = -5
│  │  ├─ B ▢ 1
│  │  └─ R ▢ -5
│  └─ R ▼ (-5, ∞) = -3 ★
│     ├─ B ▢ 3
│     └─ R ▢ -3 ★
└─ R ▲ (-∞, -3) ≥ -2
   ├─ B ▼ (-∞, -3) = -2
   │  ├─ B ▢ 4
   │  └─ R ▢ -2
   └╌ ✂ R  alpha -2 > beta -3: Min already has -3, so will not come here; leaves never seen: 0 6"""


def text(game: object, algorithm: str, **options: float) -> str:
    lines = drawing(grow(recorded(game, algorithm, **options)))  # type: ignore[arg-type]
    return "\n".join(piece.plain for line in lines for piece in line.fitted())


def test_red_blue_by_alpha_beta() -> None:
    assert text(RedBlue(), "alphabeta") == RED_BLUE


@pytest.mark.parametrize("name", TEXTBOOK)
def test_every_algorithm_can_be_drawn(name: str) -> None:
    tree = grow(recorded(RedBlue(), name))
    assert len(drawing(tree)) >= len(tree.visits)
    assert heading(tree).plain.startswith(algorithm_title(name, capital=True))
    assert "▢ leaf" in legend(tree).plain


def test_a_strict_cut_looks_at_what_an_equal_one_leaves_out() -> None:
    game = Tree.from_lists([[3, 8], [3, 9]])
    assert "✂ 2  alpha 3 = beta 3: Max already has 3" in text(game, "alphabeta")
    assert "✂" not in text(game, "alphabeta", strict=True)


def test_tests_second_visits_passes_and_the_memo_are_marked() -> None:
    assert "R ▼ (4, 5) test = 3" in text(RedBlue(), "pvs")
    assert "R ▼ (-∞, 5) again = 3 ★" in text(RedBlue(), "pvs")
    assert "R ▲ v ≥ -3? test yes" in text(RedBlue(), "scout")
    assert "pass 2 with the window (3, 4)" in text(RedBlue(), "mtdf")
    assert "◇ (3, 4) ≥ 5" in text(RedBlue(), "mtdf")


def test_leaves_seen_by_min_show_max_value_too() -> None:
    game = Tree.from_lists([3, 8])
    assert "1 ▢ -3 (Max 3)" in text(game, "negamax")


def test_three_players_have_names_and_scores() -> None:
    assert "sleep ▲ cat = (5, 8, 2) ★" in text(DogCatMouse(), "maxn")


def test_a_narrow_terminal_gets_several_lines_with_branches_beside_them() -> None:
    lines = drawing(grow(recorded(RedBlue(), "alphabeta")))
    pieces = lines[-1].fitted(50)
    assert len(pieces) > 1
    assert all(piece.cell_len <= 50 for piece in pieces)
    assert pieces[1].plain.startswith("        ")


def test_the_current_visit_stands_out() -> None:
    tree = grow(recorded(RedBlue(), "alphabeta"), steps=4)
    lines = [line for line in drawing(tree, tree.current) if "reverse" in str(line.content.style)]
    assert [line.visit for line in lines] == [tree.current]
