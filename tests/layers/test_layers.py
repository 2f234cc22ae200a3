"""Layers declare what a game knows; a class without the needed layer gets an error that says what to write."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import plywise as pw
from plywise.compiling.native import is_default
from plywise.layers import LAYERS, Layer
from tests.take_away import TakeAway

METHODS = [(layer, name) for layer in LAYERS for name in layer.METHODS]


def define(*bases: type, **members: Any) -> type:
    return type("Mine", bases, members)


def nothing(self: Any, state: Any) -> int:
    return 0


@pytest.mark.parametrize(("layer", "name"), METHODS, ids=lambda value: getattr(value, "__name__", value))
def test_a_method_of_a_layer_needs_the_layer(layer: type[Layer], name: str) -> None:
    inherit = f"inherit {layer.__name__} before Game, as in class Mine(pw.{layer.__name__}, pw.Game)"
    with pytest.raises(pw.GameError, match=re.escape(f"class Mine defines {name}: {inherit}")):
        define(pw.Game, **{name: nothing})
    assert not is_default(define(layer, pw.Game, **{name: nothing}), name)


def test_a_class_for_the_old_contract_is_told_all_layers_at_once() -> None:
    wanted = (
        "class Mine defines gain, reversible and win_score: inherit Tactics, Recurrence and FastestWin before Game, "
        "as in class Mine(pw.Tactics, pw.Recurrence, pw.FastestWin, TakeAway)"
    )
    with pytest.raises(pw.GameError, match=re.escape(wanted)):
        define(TakeAway, gain=nothing, reversible=nothing, win_score=2000)


@pytest.mark.parametrize("name", ["swing", "win_score", "sum_bounds", "repetitions", "players"])
def test_what_does_not_depend_on_the_position_is_a_constant(name: str) -> None:
    layer = pw.Game.DEFAULTS[name]
    with pytest.raises(pw.GameError, match=f"{name} is a constant; write {name} = ..., not def {name}"):
        define(layer, pw.Game, **{name: lambda self: 3})
    with pytest.raises(pw.GameError, match=f"{name} is a constant; .* and inherit {layer.__name__} before Game"):
        define(pw.Game, **{name: lambda self: 3})


def test_mirror_images_must_not_count_as_repetitions() -> None:
    with pytest.raises(pw.GameError, match=r"define key\(\) without mirror images"):
        define(pw.Symmetry, pw.Recurrence, pw.Game)
    define(pw.Symmetry, pw.Recurrence, pw.Game, key=lambda self, state: state)


def test_a_method_that_is_gone_is_named_with_what_replaces_it() -> None:
    with pytest.raises(pw.GameError, match=r"can_pass\(\) is no longer used; inherit Tactics and return the position"):
        define(pw.Tactics, pw.Game, can_pass=nothing)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_layers_come_before_the_game(layer: type[Layer]) -> None:
    with pytest.raises(pw.GameError, match=f"class Mine: inherit {layer.__name__} before Game"):
        define(TakeAway, layer)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_every_layer_has_its_own_file_and_says_what_it_buys(layer: type[Layer]) -> None:
    assert layer.__module__ == f"plywise.layers.{re.sub('(?<=[a-z])(?=[A-Z])', '_', layer.__name__).lower()}"
    assert "Buys:" in (inspect.getdoc(layer) or "")
    assert getattr(pw, layer.__name__) is layer


def test_a_game_without_a_layer_answers_with_its_defaults() -> None:
    game = TakeAway()
    start = game.initial()
    for name, layer in pw.Game.DEFAULTS.items():
        assert vars(pw.Game)[name] is vars(layer)[name]
    assert game.scores(start) == (game.score(start), -game.score(start))
    assert list(game.candidates(start)) == list(game.moves(start))
    assert (game.players, game.pass_move(start), game.reversible(start)) == (2, start, 0)


def test_symmetry_gives_images_one_key() -> None:
    class Mirrored(pw.Symmetry, TakeAway):
        def image(self, state):
            return state._replace(left=state.left // 2)

    game = Mirrored()
    assert game.key(game.initial()) == game.image(game.initial())


def test_more_players_need_scores() -> None:
    class Silent(pw.ManyPlayers, TakeAway):
        score = pw.ManyPlayers.score

    with pytest.raises(pw.GameError, match=r"class Silent must define scores\(self, state\)"):
        pw.search(Silent(), depth=1)
