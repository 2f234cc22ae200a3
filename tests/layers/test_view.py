"""Every game has a title and wording, with or without the View layer; compiled code does not depend on them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import plywise
import plywise as pw
from plywise.games import catalogue
from plywise.layers.view import cells_of
from plywise.result import guessed
from tests.take_away import TakeAway


class TwoWords(TakeAway):
    """A game without the layer.

    And more.
    """


class Counted(pw.FastestWin, pw.View, TakeAway):
    title = "Counted stones"
    layout = pw.Pits(1, 1)
    win_score = 5000


def test_a_game_without_the_layer_has_its_defaults() -> None:
    game = TwoWords()
    start = game.initial()
    assert (game.title, game.description, game.layout) == ("Two Words", "A game without the layer.", None)
    assert game.board(start) == game.format(start)
    assert game.move_name(start, 2) == game.format_move(start, 2)
    assert (game.score_text(3), game.score_text(-1), game.score_text(0)) == ("+3", "-1", "0")
    assert (game.ending(start), game.places(start, 2), list(game.marked(start))) == ("", (-1, -1), [])
    assert (game.routes(start, 2), game.why_illegal(start, ""), game.tally(start)) == ([[]], "", "")


class Lettered(pw.View, TakeAway):
    def format_move(self, state, move):
        return "aAb"[move - 1]

    def why_illegal(self, state, text):
        return "only three may be taken" if text.isdigit() else ""


def test_moves_are_read_as_written_or_else_in_either_case_and_illegal_ones_are_explained() -> None:
    game = Lettered()
    start = game.initial()
    assert [game.parse_move(start, text) for text in ("a", "A", "b", " B ")] == [1, 2, 3, 3]
    for text, message in (
        ("4", "'4' is not a legal move here: only three may be taken; legal are: a A b"),
        ("C", "'C' is not a legal move here; legal are: a A b"),
    ):
        with pytest.raises(pw.PositionError, match=f"^{message}$"):
            game.parse_move(start, text)
    with pytest.raises(pw.PositionError, match=r"'a' is not a legal move here: the game is over$"):
        game.parse_move(start._replace(left=0), "a")


def test_a_title_is_inherited_if_somebody_wrote_it() -> None:
    class Again(Counted):
        pass

    class Renamed(TwoWords):
        pass

    assert (Again().title, Renamed().title) == ("Counted stones", "Renamed")


def test_a_value_near_a_win_is_told_in_moves() -> None:
    game = Counted()
    assert game.score_text(4997) == "Max wins in 2"
    assert game.score_text(-5000) == "Min wins"
    assert game.score_text(40) == "+40"


def test_a_value_is_a_guess_unless_it_is_proven_or_a_win_that_was_seen() -> None:
    values = (4997, -5000, 40)
    assert [guessed(Counted(), value, proven=False) for value in values] == [False, False, True]
    assert not any(guessed(Counted(), value, proven=True) for value in values)
    assert guessed(TwoWords(), (3, 4, 5), proven=False)


def test_compiled_code_sees_nothing_of_a_view() -> None:
    """Another title, or another colour, must not make a search compile again."""
    assert {"title", "pieces", "layout", "piece_at"} <= TakeAway.UNSEEN
    assert not {"title", "layout", "pieces", "description"} & Counted().constants.keys()


def test_a_view_without_the_layer_is_refused() -> None:
    with pytest.raises(pw.GameError, match=r"class Untold defines piece_at: inherit View before Game"):

        class Untold(pw.Game):
            def piece_at(self, state, place):
                return 0


@pytest.mark.parametrize("name", catalogue())
def test_our_games_say_what_they_are(name: str) -> None:
    game = catalogue()[name]()
    assert game.title
    assert game.description.endswith(".")
    assert game.known_size[1]
    if game.layout is not None:
        assert len(cells_of(game, game.initial())) == game.layout.size


def test_general_code_asks_no_game_which_one_it_is() -> None:
    """A user's game must be the equal of ours.  ``tune`` is about chess, and a tree knows what a tree is."""
    names = "|".join(["Adapted", *(name for name in pw.games.__all__ if name != "catalogue")])
    ours = rf"isinstance\([^()]*\b({names})\b"
    root = Path(plywise.__file__).parent
    asking = [
        str(file.relative_to(root)) for file in root.rglob("*.py") if re.search(ours, file.read_text(encoding="utf-8"))
    ]
    assert sorted(asking) == ["cli/tune.py", "games/tree.py"]


@pytest.mark.parametrize(
    "game",
    [
        getattr(pw.games, name)
        for name in (
            "Backgammon",
            "Checkers",
            "Chess",
            "ConnectFour",
            "Go",
            "Kalah",
            "MNK",
            "Nim",
            "Othello",
            "Pig",
            "RedBlue",
            "Yahtzee",
        )
    ],
)
def test_boards_in_integers_are_rules_that_compile(game: type[pw.Game]) -> None:
    from numba import types
    from numba.core.registry import cpu_target

    from plywise.compiling.members import method_type
    from plywise.compiling.native_types import native_type, state_type

    context, kind = cpu_target.typing_context, native_type(game())
    arguments = (state_type(context, kind), types.int64)
    assert isinstance(method_type(context, kind, "piece_at", arguments), types.Integer)
    places = method_type(context, kind, "places", arguments)
    assert len(places) == 2
    assert all(isinstance(place, types.Integer) for place in places)
