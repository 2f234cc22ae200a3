"""A game with chance is refused before it is searched, by every entry point; no other game is."""

from __future__ import annotations

import inspect
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.algorithms import ALGORITHMS, prove
from plywise.engine.mcts import mcts_search
from plywise.games import Nim, Pig, Tree
from plywise.inputs import chance
from plywise.inputs.chance import may_draw, refuse_chance
from tests.cli.support import plywise
from tests.take_away import Pile, TakeAway


class Dice(TakeAway):
    """How many are taken is drawn by lot."""

    def play(self, state, move):
        return Pile(max(0, state.left - random.randint(1, 3)), 1 - state.turn)


OPTIONS: dict[str, dict[str, Any]] = {"boolean": {"goal": 1}}
WAYS: dict[str, Callable[[pw.Game], Any]] = {
    "search": lambda game: pw.search(game, nodes=100),
    "search to a depth": lambda game: pw.search(game, depth=2),
    "search recorded": lambda game: pw.search(game, depth=2, record=True),
    "solve": lambda game: pw.solve(game),
    "solve with a proof": lambda game: pw.solve(game, proof=True),
    "prove": lambda game: prove(game, game.initial(), 1),
    "dfpn": lambda game: pw.dfpn(game, goal=1),
    "mcts": lambda game: mcts_search(game, nodes=100),
    "engine.search": lambda game: pw.Engine(game).search(depth=2),
    "engine.solve": lambda game: pw.Engine(game).solve(),
    "engine.solve_many": lambda game: pw.Engine(game).solve_many([Pile(0, 0), game.initial()]),
    **{
        name: lambda game, name=name: pw.solve(game, algorithm=name, **OPTIONS.get(name, {}))  # type: ignore[misc]
        for name in ALGORITHMS
    },
}


class Late(TakeAway):
    """Chance begins only at the end."""

    def play(self, state, move):
        return Pile(state.left - (random.randint(1, 2) if state.left == 3 else move), 1 - state.turn)


def test_rules_that_mention_random_numbers_are_asked_at_every_root() -> None:
    with pw.interpreted():
        engine = pw.Engine(Late())
        engine.search(Pile(8, 0), depth=1)
        engine.search(Pile(7, 0), depth=1)
        for search in (engine.search, engine.solve):
            with pytest.raises(pw.GameError, match="chance"):
                search(Pile(3, 0), **({"depth": 1} if search == engine.search else {}))  # type: ignore[arg-type]
        with pytest.raises(pw.GameError, match="chance"):
            engine.solve_many([Pile(1, 0), Pile(2, 1), Pile(3, 0)])


def test_who_may_draw() -> None:
    assert all(may_draw(game) for game in (Dice(), Drawn(), Lottery(), Late()))
    assert not any(may_draw(game) for game in (TakeAway(), Nim(), pw.games.Chess(), pw.games.ConnectFour()))


@pytest.mark.parametrize("way", WAYS)
def test_dice_are_refused_before_anything_is_searched(way: str) -> None:
    with pytest.raises(pw.GameError, match=r"the rules of Dice vary: .* after move \d, .*chance inherits pw.Chance"):
        WAYS[way](Dice())


def test_the_command_line_says_so_in_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    head = "import random\nfrom tests.take_away import Pile, TakeAway\n"
    (tmp_path / "dice.py").write_text(head + inspect.getsource(Dice))
    for command in ("search --seconds 1", "search --algorithm alphabeta", "solve", "solve --prove"):
        name, *rest = command.split()
        answer = plywise(capsys, name, f"{tmp_path / 'dice.py'}:Dice", *rest)
        assert (answer.code, answer.out) == (2, "")
        assert "chance" in answer.err
        assert len(answer.err) <= 300
        assert answer.err.count("\n") == 1


class Drawn(TakeAway):
    """The moves are drawn by lot."""

    def moves(self, state):
        return random.sample([1, 2, 3, 4, 5, 6, 7, 8], 4)


class Lottery(TakeAway):
    """The end is worth what the draw says."""

    size: int = 2

    def score(self, state):
        return random.random()


def test_moves_and_scores_are_asked_for_twice_too() -> None:
    for game, what in ((Drawn(), r"moves\(\) lists"), (Lottery(), r"score\(\) is")):
        with pw.interpreted(), pytest.raises(pw.GameError, match=what):
            pw.search(game, depth=2)


class Seldom(TakeAway):
    """One of the moves is drawn by lot, from few numbers."""

    def play(self, state, move):
        return Pile(state.left - (random.randint(1, 2) if move == 3 else move), 1 - state.turn)


def test_a_die_that_shows_the_same_number_twice_is_found() -> None:
    for _ in range(20):
        with pytest.raises(pw.GameError, match="after move 3, left is"):
            refuse_chance(Seldom(), Seldom().initial())


class Board:
    """A board with push and pop that rolls a die."""

    def __init__(self) -> None:
        self.totals = [20]
        self.legal_moves = [1]

    turn = True

    def push(self, move: int) -> None:
        self.totals.append(self.totals[-1] - random.randint(1, 6))
        self.legal_moves = list(range(1, 1 + max(1, self.totals[-1])))

    def pop(self) -> None:
        self.totals.pop()
        self.legal_moves = [1]

    def is_game_over(self) -> bool:
        return self.totals[-1] <= 0

    def score(self) -> int:
        return 1


def test_an_adapted_board_that_rolls_dice_is_found() -> None:
    with pytest.raises(pw.GameError, match="chance"):
        pw.search(pw.adapt(Board()), depth=2)


# What is no chance ---------------------------------------------------------------------------------------------------


class Weight(NamedTuple):
    left: int
    turn: int
    last: float


class Unset(TakeAway):
    """A field of its positions is not a number."""

    def initial(self):
        return Weight(self.size, pw.MAX, math.nan)

    def play(self, state, move):
        return Weight(state.left - move, 1 - state.turn, float("nan"))


class Thing:
    """A position that is equal to nothing but itself."""

    def __init__(self, left: int, turn: int) -> None:
        self.left, self.turn = left, turn


class Things(TakeAway):
    def initial(self):
        return Thing(self.size, pw.MAX)

    def play(self, state, move):
        return Thing(state.left - move, 1 - state.turn)


def test_not_a_number_and_objects_without_equality_are_no_chance() -> None:
    with pw.interpreted():
        for game in (Unset(), Things()):
            assert pw.search(game, algorithm="alphabeta").value == 1


def test_many_moves_are_not_listed_for_ever() -> None:
    class Endless(TakeAway):
        def moves(self, state):
            return itertools.count(1)

    refuse_chance(Endless(), Pile(5, 0))
    refuse_chance(Nim((10_000,)), Nim((10_000,)).initial())


def test_ever_fewer_roots_of_a_game_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    monkeypatch.setattr(chance, "refuse_chance", lambda game, state: looked.append(state))
    monkeypatch.setattr(chance, "_roots", Counter())
    with pw.interpreted():
        engine = pw.Engine(TakeAway(), table_mb=0.1)
        for _ in range(32):
            engine.solve()
        for _ in range(31):
            pw.search(TakeAway(), depth=1, table_mb=0.1)
        assert len(looked) == 6
        pw.Engine(TakeAway(), table_mb=0.1).solve_many([Pile(0, 0), *[Pile(5, 0)] * 100])
        assert looked[6:] == [Pile(5, 0)]


THREE_PLAYERS = Tree.from_json({"player": "chance", "children": [{"values": [1, 2, 3]}, {"values": [3, 1, 2]}]})

CERTAIN_ONLY = {
    "mcts": lambda game: pw.search(game, nodes=100, algorithm="mcts"),
    "jamboree": lambda game: pw.search(game, depth=2, algorithm="jamboree"),
    "parallel-minimax": lambda game: pw.search(game, depth=2, algorithm="parallel-minimax"),
    "alphabeta": lambda game: pw.algorithms.alphabeta(game, depth=2),
    "df-pn": lambda game: pw.dfpn(game, goal=0),
    "a proof": lambda game: pw.solve(game, proof=True),
    "weak": lambda game: pw.solve(game, weak=True),
    "analyse": lambda game: pw.analyse(game, __file__, "unwritten.jsonl"),
    "compare": lambda game: pw.compare(game, depth=2, algorithms=["memo"]),
    "a match": lambda game: pw.match(game, "random", "random"),
}


@pytest.mark.parametrize("name", CERTAIN_ONLY)
@pytest.mark.parametrize("game", [Pig(), THREE_PLAYERS], ids=["two players", "three players"])
def test_what_cannot_take_chance_refuses_it_and_says_what_can(name: str, game: pw.Game) -> None:
    instead = "plywise play" if name == "a match" else "star2" if game.is_zero_sum() else "expectimaxn"
    with pw.interpreted(), pytest.raises(pw.SearchError) as refused:
        CERTAIN_ONLY[name](game)
    assert repr(game) in str(refused.value)
    assert instead in str(refused.value)
