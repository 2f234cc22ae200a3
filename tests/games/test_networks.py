"""The networks that come with games fit them, and the engine uses them unless told otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

import plywise as pw
from plywise.engine.network import Network, fingerprint, network_for
from plywise.game import Game
from plywise.games import catalogue

GAMES = {name: make() for name, make in catalogue().items() if make().network_file()}
MEGABYTE = 1 << 20


def test_some_games_have_one() -> None:
    assert {"backgammon", "checkers", "chess", "connect-four", "othello"} <= GAMES.keys()


@pytest.mark.parametrize("name", GAMES)
def test_it_was_made_for_the_game(name: str) -> None:
    game = GAMES[name]
    network = network_for(game, None)
    assert network is not None
    assert network.about["fingerprint"] == fingerprint(game, network.corrects)
    assert network_for(game, network) is network
    assert network_for(game, "none") is None


@pytest.mark.parametrize("file", sorted(Path(pw.games.__path__[0]).rglob("*.net")), ids=lambda file: file.stem)
def test_it_is_small(file: Path) -> None:
    assert file.stat().st_size < MEGABYTE
    assert Network.load(file).hidden > 0


def test_other_rules_have_none() -> None:
    class Misere(pw.games.Othello):
        def score(self, state):
            return -super().score(state)

    smaller = (pw.games.Othello(6), pw.games.ConnectFour(6, 5))
    for game in (Misere(), *smaller, pw.games.Checkers(share=True), pw.games.Chess(squares=True)):
        assert pw.Engine(game).network is None


@pytest.mark.parametrize("game", [pw.games.Othello(), pw.games.ConnectFour()], ids=repr)
def test_exact_searches_do_without_it(game: Game) -> None:
    engine = pw.Engine(game)
    assert engine.network is not None
    assert engine.search(depth=3).value == pw.search(game, depth=3, algorithm="alphabeta").value
    state = game.play(game.initial(), next(iter(game.moves(game.initial()))))
    guesses = [engine.search(state, nodes=500).value, pw.Engine(game, network="none").search(state, nodes=500).value]
    assert guesses[0] != guesses[1]
