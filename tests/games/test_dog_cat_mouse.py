"""Dog, cat and mouse: three players, worked out by hand."""

from __future__ import annotations

import pytest

import plywise as pw
from plywise.algorithms.maxn import maxn
from plywise.algorithms.watch import Watcher
from plywise.games import DogCatMouse, Tree
from tests.games.support import check_texts, compiled
from tests.oracle import scores_of


def test_each_gets_its_share_by_sleep_hunt_hide() -> None:
    result = pw.search(DogCatMouse(), algorithm="maxn")
    assert (result.value, result.line_text()) == ((5, 8, 2), ["sleep", "hunt", "hide"])


def test_compiled_and_interpreted_max_n_agree_with_the_definition() -> None:
    game = DogCatMouse()
    for state in map(game.parse, ["root", "chase", "sleep", "chase.hunt"]):
        expected = scores_of(game, state)
        assert tuple(compiled(maxn, game, state, 5, Watcher())) == expected
        assert tuple(maxn(game, state, 5, Watcher())) == expected


def test_it_is_a_tree_whose_players_have_names() -> None:
    game = DogCatMouse()
    assert [game.player_name(player) for player in range(3)] == ["dog", "cat", "mouse"]
    assert game.board(game.parse("sleep.hunt")).splitlines() == [
        "sleep.hunt mouse", "  sleep.hunt.hide = (5, 8, 2)", "  sleep.hunt.run = (6, 9, 1)"
    ]  # fmt: skip
    assert Tree.from_json(game.to_json()).nodes == game.nodes
    assert game == DogCatMouse()
    assert repr(game) == "DogCatMouse()"


@pytest.mark.parametrize("seed", range(4))
def test_texts_are_read_as_what_they_were_written_from(seed: int) -> None:
    check_texts(DogCatMouse(), seed)
