"""Beyond the horizon only noisy moves count, and a side that is not in check may stand pat.

The search is compared with that definition, interpreted, on random graphs of positions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import pytest

import plywise as pw
from plywise.engine.node import Search, root_frame
from plywise.engine.plan import plan_for
from plywise.engine.quiescence import MOST_NOISY, quiescence
from plywise.engine.table import Table, table_of
from plywise.engine.work import HORIZON, Work, new_work
from plywise.game import sign
from plywise.inputs.limits import LEAST_MB


class Spot(NamedTuple):
    node: int
    turn: int


class Kind(NamedTuple):
    """What a position is like."""

    worth: int = 0
    """Its evaluation for Max, or its score."""
    noisy: tuple[int, ...] = ()
    """The nodes to which noisy moves lead; a move is the number of its node."""
    quiet: tuple[int, ...] = ()
    pressed: bool = False
    over: bool = False


class Noise(pw.Tactics, pw.Game):
    """A graph of positions, some of whose moves are noisy; ``graph`` makes one."""

    kinds: ClassVar[dict[int, Kind]] = {}

    def initial(self) -> Spot:
        return Spot(0, pw.MAX)

    def to_move(self, state: Spot) -> int:
        return state.turn

    def moves(self, state: Spot) -> Iterator[int]:
        yield from self.kinds[state.node].noisy
        yield from self.kinds[state.node].quiet

    def noisy_moves(self, state: Spot) -> Iterator[int]:
        yield from self.kinds[state.node].noisy

    def play(self, state: Spot, move: int) -> Spot:
        return Spot(move, state.turn if move % 5 == 4 else 1 - state.turn)  # some may move again

    def is_terminal(self, state: Spot) -> bool:
        return self.kinds[state.node].over

    def score(self, state: Spot) -> int:
        return self.kinds[state.node].worth

    def evaluate(self, state: Spot) -> int:
        return self.kinds[state.node].worth

    def extension(self, state: Spot) -> int:
        return int(self.kinds[state.node].pressed)


def graph(*described: Kind) -> Noise:
    class Own(Noise):
        kinds: ClassVar[dict[int, Kind]] = dict(enumerate(described))

    return Own()


def random_graph(seed: int) -> Noise:
    """Moves lead to later nodes; where a position is pressed, all of them are noisy."""
    chance = random.Random(seed)
    count = 14

    def kind(node: int) -> Kind:
        later = [chance.randint(node + 1, min(count - 1, node + 4)) for _ in range(4) if node < count - 1]
        split = chance.randint(0, len(later))
        pressed = chance.random() < 0.3
        noisy = tuple(dict.fromkeys(later if pressed else later[:split]))
        return Kind(chance.randint(-6, 6), noisy, (), pressed, node >= count - 3)

    return graph(*(kind(node) for node in range(count)))


def room(node_limit: int | None = None) -> Work:
    work = new_work(plain=True)
    work.begin(node_limit)
    return work


def quiet_value(
    game: Noise, state: Spot, alpha: float = -math.inf, beta: float = math.inf, table: Table | None = None,
    work: Work | None = None,
) -> Any:  # fmt: skip
    """Search with all that quiescence needs."""
    search = Search(game, plan_for(game, False), table or table_of(LEAST_MB), work or room())
    return quiescence(search, state, MOST_NOISY, alpha, beta, root_frame())


def by_definition(game: Noise, state: Spot) -> float:
    """The value for the player to move: the best of standing pat, unless pressed, and of the noisy moves."""
    mover = sign(state.turn)
    if game.is_terminal(state):
        return mover * game.score(state)
    values: list[float] = [] if game.extension(state) else [mover * game.evaluate(state)]
    for move in game.noisy_moves(state):
        child = game.play(state, move)
        values.append(by_definition(game, child) * (1 if child.turn == state.turn else -1))
    return max(values, default=mover * game.evaluate(state))


@pytest.mark.parametrize("seed", range(40))
def test_the_value_is_that_of_the_definition_whatever_the_table(seed: int) -> None:
    game = random_graph(seed)
    shared = table_of(random.Random(seed).choice([LEAST_MB, 0.01]))
    for node in range(11):
        for turn in (pw.MAX, pw.MIN):
            state = Spot(node, turn)
            assert quiet_value(game, state) == by_definition(game, state)
            assert quiet_value(game, state, table=shared) == by_definition(game, state)


@pytest.mark.parametrize("seed", range(40))
def test_the_three_promises_of_a_window(seed: int) -> None:
    game, chance, shared = random_graph(seed), random.Random(seed), table_of(LEAST_MB)
    for node in range(11):
        state = Spot(node, chance.choice((pw.MAX, pw.MIN)))
        exact = by_definition(game, state)
        alpha, beta = sorted(chance.sample(range(-8, 9), 2))
        for table in (None, shared):
            found = quiet_value(game, state, alpha, beta, table)
            if exact <= alpha:
                assert exact <= found <= alpha
            elif exact >= beta:
                assert beta <= found <= exact
            else:
                assert found == exact


@pytest.mark.parametrize("turn", [pw.MAX, pw.MIN])
def test_without_noisy_moves_it_is_the_evaluation(turn: int) -> None:
    game = graph(Kind(3, quiet=(1, 2)), Kind(9, over=True), Kind(-9, over=True))
    assert quiet_value(game, Spot(0, turn)) == 3 * sign(turn)


def test_nobody_must_make_a_bad_capture() -> None:
    game = graph(Kind(3, noisy=(1,)), Kind(-9, over=True))
    assert quiet_value(game, Spot(0, pw.MAX)) == 3
    assert quiet_value(game, Spot(0, pw.MIN)) == 9  # for Min the capture is good


def test_standing_pat_above_the_window_looks_at_no_move() -> None:
    game = graph(Kind(3, noisy=(1,)), Kind(9, over=True))
    work = room(0)  # which a node would exceed
    assert quiet_value(game, Spot(0, pw.MAX), -1, 2, work=work) == 3


def test_who_is_pressed_may_not_stand_pat() -> None:
    game = graph(Kind(3, noisy=(1, 2), pressed=True), Kind(-9, over=True), Kind(-7, over=True))
    assert quiet_value(game, Spot(0, pw.MAX)) == -7


def test_who_is_pressed_with_nothing_to_do_gets_the_evaluation() -> None:
    assert quiet_value(graph(Kind(3, pressed=True)), Spot(0, pw.MAX)) == 3


class Careful(Noise):
    """Every exchange loses."""

    kinds: ClassVar[dict[int, Kind]] = {
        0: Kind(3, noisy=(1,)),
        1: Kind(9, over=True),
        2: Kind(3, noisy=(1,), pressed=True),
    }

    def wins_at_least(self, state: Spot, move: int, amount: float) -> bool:
        return False


def test_exchanges_that_lose_are_left_out_unless_pressed() -> None:
    assert quiet_value(Careful(), Spot(0, pw.MAX)) == 3
    assert quiet_value(Careful(), Spot(2, pw.MAX)) == 9


def test_noise_without_an_end_is_cut_short() -> None:
    game = graph(Kind(1, noisy=(1,), pressed=True), Kind(2, noisy=(0,), pressed=True))
    work = room()
    assert quiet_value(game, Spot(0, pw.MAX), work=work) == 1  # as the position after an even number of plies
    assert work.nodes == MOST_NOISY


def test_its_values_are_taken_on_trust() -> None:
    game = graph(Kind(3, noisy=(1,)), Kind(9, over=True))
    work = room()
    quiet_value(game, Spot(0, pw.MAX), work=work)
    assert work.count[HORIZON] == 1
