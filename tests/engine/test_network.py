"""Networks: evaluations by differences, compiled and interpreted, and files that fit only their game."""

from __future__ import annotations

import dataclasses
import pickle
import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.reading import prepare, run
from plywise.compiling.rows import rows_of, state_at
from plywise.engine import judged
from plywise.engine.judged import in_thread, with_network
from plywise.engine.network import INPUT_UNIT, UNIT, Network, fingerprint
from plywise.engine.work import new_work
from plywise.game import Game, State

SOME_NODES = 1_000_000


class Heap(NamedTuple):
    stones: pw.Cells
    left: int
    turn: int


class Heaps(pw.Game):
    """A game without a board: take any number from one heap; who takes the last wins."""

    def initial(self) -> Heap:
        return Heap(pw.Cells([3, 4, 5]), 12, pw.MAX)

    def to_move(self, state: Heap) -> int:
        return state.turn

    def moves(self, state: Heap) -> Any:
        for heap in range(3):
            for count in range(1, state.stones[heap] + 1):
                yield 10 * heap + count

    def play(self, state: Heap, move: int) -> Heap:
        heap, count = move // 10, move % 10
        stones = state.stones.with_item(heap, state.stones[heap] - count)
        return Heap(stones, state.left - count, 1 - state.turn)

    def is_terminal(self, state: Heap) -> bool:
        return state.left == 0

    def score(self, state: Heap) -> int:
        return 1 if state.turn == pw.MIN else -1


class SeenHeaps(pw.Features, Heaps):
    """The same, with features of its own."""

    feature_count = 40

    def features(self, state: Heap, player: int) -> Any:
        for heap in range(3):
            yield 10 * heap + state.stones[heap]
        if player == state.turn:
            yield 30


class SeenMarks(pw.Features, pw.games.MNK):
    """Marks in a row, seen as boards: X's marks and O's; each player sees its own as X's."""

    feature_count = 64 << 2

    def feature_boards(self, state: Any) -> Any:
        yield state.theirs if state.turn else state.mine
        yield state.mine if state.turn else state.theirs

    def feature_view(self, state: Any, player: int) -> tuple[int, int]:
        return 3 * player, 0


def some_network(game: Game, hidden: int = 8, most: float = 0.0, corrects: bool = False) -> Network:
    """Return a network with random weights."""
    chance = np.random.default_rng(1)
    features, buckets = game.feature_count, game.buckets

    def weights(most: int, *shape: int) -> np.ndarray:
        return chance.integers(-most, most, shape)

    return Network(
        weights(99, features if hidden else 0, hidden).astype(np.int16), weights(99, hidden).astype(np.int16),
        weights(99, buckets, 2 * hidden).astype(np.int16), weights(999, buckets),
        weights(999, 0 if hidden else features, buckets).astype(np.int32), 200.0, most, corrects,
        {"game": repr(game), "fingerprint": fingerprint(game)},
    )  # fmt: skip


def some_positions(game: Game, count: int) -> list[State]:
    """Return positions of random games, one after the other."""
    chance, state = random.Random(1), game.initial()
    found: list[State] = []
    while len(found) < count:
        if game.is_terminal(state):
            state = game.initial()
        found.append(state)
        state = game.play(state, chance.choice(list(game.moves(state))))
    return found


def by_definition(game: Game, network: Network, state: State) -> int:
    """Return the logit for the viewer, as the docstring of the module defines it."""
    state = game.image(state)
    own, bucket = game.viewer(state), game.bucket(state)
    if network.hidden == 0:
        return int(network.offsets[bucket] + sum(network.direct[i, bucket] for i in game.features(state, own)))
    inputs, biases = network.inputs.astype(int), network.biases.astype(int)
    sums = [biases + sum(inputs[i] for i in game.features(state, player)) for player in (own, 1 - own)]
    levels = np.clip(np.concatenate(sums), 0, INPUT_UNIT)
    return int(network.offsets[bucket] + np.sum(levels * levels * network.outputs[bucket]) // INPUT_UNIT)


GAMES: list[Game] = [
    pw.games.Chess(), pw.games.MNK(4, 4, 3), pw.games.ConnectFour(), pw.games.Othello(), pw.games.Checkers(),
    pw.games.Backgammon(), Heaps(), SeenHeaps(), SeenMarks(4, 4, 3),
]  # fmt: skip


def evaluated(game: Any, state: State, rows: Any, values: Any) -> int:
    """Evaluate positions one after the other."""
    for index in range(len(rows)):
        values[index] = game.evaluate(state_at(game, rows, index))
    return 0


@pytest.mark.parametrize("hidden", [0, 8, 40])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_an_evaluation_by_differences_is_what_the_definition_says(game: Game, hidden: int) -> None:
    network = some_network(game, hidden)
    judge: Any = with_network(game, network)
    positions = some_positions(game, 60)
    expected = [by_definition(game, network, state) for state in positions]
    assert [judge.net_logit(state) for state in positions] == expected
    assert len(set(expected)) > 20


@pytest.mark.parametrize("most", [0.0, 3.0, 18.0])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_compiled_and_interpreted_evaluations_are_equal_to_the_last_bit(game: Game, most: float) -> None:
    judge = with_network(game, some_network(game, most=most))
    positions = some_positions(game, 60)
    expected = [judge.evaluate(state) for state in positions]
    rows, values = rows_of(positions, game.initial(), True), np.zeros(len(positions))
    ready = prepare(evaluated, judge, positions[0], lambda: (rows, values))
    assert ready is not None
    run(evaluated, in_thread(judge), positions[0], (rows, values), new_work(), ready)
    assert values.tolist() == expected


def test_a_compiled_row_may_end_within_a_vector() -> None:
    game = SeenMarks(4, 4, 3)
    judge = with_network(game, some_network(game, hidden=40))
    positions = some_positions(game, 60)
    expected = [judge.evaluate(state) for state in positions]
    rows, values = rows_of(positions, game.initial(), True), np.zeros(len(positions))
    ready = prepare(evaluated, judge, positions[0], lambda: (rows, values))
    run(evaluated, in_thread(judge), positions[0], (rows, values), new_work(), ready)
    assert values.tolist() == expected


class ChessByWords(pw.games.Chess):
    """Chess that sees only whose men are where."""

    feature_count = 128

    def feature_words(self, state: Any, player: int) -> Any:
        yield state.black if player else state.white
        yield state.white if player else state.black


class ChessByList(ChessByWords):
    """The same, with the player's own men alone."""

    def features(self, state: Any, player: int) -> Any:
        men = state.black if player else state.white
        return [square for square in range(64) if men >> square & 1]


@pytest.mark.parametrize("rules", [ChessByWords, ChessByList])
def test_what_a_class_defines_comes_before_what_it_inherits(rules: Any) -> None:
    game = rules()
    network = some_network(game)
    judge: Any = with_network(game, network)
    positions = some_positions(game, 20)
    assert len(list(game.features(positions[0], 0))) == (32 if rules is ChessByWords else 16)
    assert [judge.net_logit(state) for state in positions] == [by_definition(game, network, each) for each in positions]


class TooFewFeatures(SeenMarks):
    feature_count = 192


def test_boards_and_the_number_of_features_must_agree() -> None:
    game = TooFewFeatures(3, 3, 3)
    with pytest.raises(pw.GameError, match=r"TooFewFeatures.feature_count is 192, .* yields 2 boards: .* 64 << 2"):
        with_network(game, some_network(SeenMarks(3, 3, 3)))


def test_positions_belong_to_rules_not_to_features() -> None:
    seen, unseen = SeenMarks(3, 3, 3), pw.games.MNK(3, 3, 3)
    assert fingerprint(seen) != fingerprint(unseen)
    assert fingerprint(seen, seen=False) == fingerprint(unseen, seen=False) != fingerprint(Misere(3, 3, 3), seen=False)


def twice(self: Any, state: State) -> int:
    """Evaluate a position by differences, then from scratch; they must agree."""
    by_differences = self.net_logit(state)
    for player in range(2):
        for word in range(len(self.net_seen)):
            self.net_before[player, word] = 0
        for unit in range(self.net_hidden):
            self.net_sums[player, unit] = self.net_biases[unit]
    if self.net_logit(state) != by_differences:
        raise pw.SearchError("the sums have drifted")
    return int(by_differences * 200 // UNIT)


def test_differences_never_drift_in_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pw.games.Chess()
    monkeypatch.setattr(judged, "_judge", lambda game, network: twice)
    engine = pw.Engine(game, network=some_network(game, hidden=16))
    assert engine.search(nodes=SOME_NODES).nodes == SOME_NODES


def test_threads_do_not_share_sums() -> None:
    game = pw.games.ConnectFour(5, 4)
    network = some_network(game, most=18.0)
    alone, together = (pw.Engine(game, network=network, threads=count) for count in (1, 2))
    assert alone.search(depth=9).value == together.search(depth=9).value
    judge = with_network(game, network)
    assert pw.Engine(judge, threads=2).search(depth=9).value == alone.search(depth=9).value
    assert pw.search(judge, algorithm="minimax", depth=5).value == pw.search(game, depth=5, network=network).value


def test_a_correction_adds_to_the_games_own_evaluation() -> None:
    game = pw.games.Chess()
    network = some_network(game)
    state = game.parse("startpos moves e2e4 c7c5 g1f3")
    alone = with_network(game, network).evaluate(state)
    both = with_network(game, dataclasses.replace(network, corrects=True)).evaluate(state)
    assert both == alone + game.evaluate(state)


def test_a_logit_may_be_worth_less_than_a_point() -> None:
    game = pw.games.Checkers()
    state = game.parse("11-15 23-19 8-11")
    network = dataclasses.replace(some_network(game), scale=0.75)
    logit = by_definition(game, network, state)
    assert with_network(game, network).evaluate(state) == pw.sign(game.viewer(state)) * (logit * 3 // (4 * UNIT)) != 0


def test_evaluations_are_whole_where_scores_are_and_go_far() -> None:
    game = pw.games.ConnectFour()
    state = game.parse("4435")
    near, far = (with_network(game, some_network(game, most=most)).evaluate(state) for most in (3.0, 18.0))
    assert isinstance(near, float)
    assert isinstance(far, int)
    assert abs(far - 6 * near) <= 0.5


def test_every_search_may_use_a_network() -> None:
    game = pw.games.MNK(4, 4, 3)
    network = some_network(game, most=1.0)
    judge = with_network(game, network)
    plain = {name: pw.search(game, depth=3, algorithm=name).value for name in ("engine", "alphabeta", "minimax")}
    assert set(plain.values()) == {0}
    for name in plain:
        found = pw.search(game, depth=3, algorithm=name, network=network)
        assert found.value == pw.search(judge, depth=3, algorithm="minimax").value != 0
    assert pw.Engine(game, network=network).search(depth=3).game is game
    assert repr(judge) == repr(game)


def test_a_file_holds_a_network(tmp_path: Path) -> None:
    game = pw.games.MNK(4, 4, 3)
    network = some_network(game, most=1.0)
    network.save(tmp_path / "four.net")
    loaded = Network.load(tmp_path / "four.net")
    assert loaded == network
    assert loaded.about == network.about
    assert pw.search(game, nodes=500, network=tmp_path / "four.net").nodes > 0
    spread = pickle.loads(pickle.dumps(with_network(game, loaded)))
    assert spread.evaluate(game.initial()) == with_network(game, loaded).evaluate(game.initial())


class Misere(pw.games.MNK):
    """Whoever has a line loses."""

    def score(self, state: Any) -> int:
        return -super().score(state)


def test_a_network_for_other_rules_is_refused(tmp_path: Path) -> None:
    some_network(pw.games.MNK(3, 3, 3)).save(tmp_path / "three.net")
    message = r"three.net' was made for MNK\(m=3, n=3, k=3\), with other rules or features than"
    for other in (pw.games.MNK(4, 4, 3), Misere(3, 3, 3)):
        with pytest.raises(pw.SearchError, match=message):
            pw.Engine(other, network=str(tmp_path / "three.net"))
    pw.Engine(pw.games.TicTacToe(), network=tmp_path / "three.net")  # the same game by another name


@pytest.mark.parametrize("content", [b"", b"PK nonsense", None])
def test_what_is_no_network_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "wrong.net"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(pw.SearchError, match=r"wrong\.net"):
        pw.Engine(pw.games.TicTacToe(), network=file)
    assert pw.Engine(pw.games.TicTacToe(), network="none").network is None
