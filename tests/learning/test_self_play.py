"""Self-play gives legal positions with right values and results, and stops when it should."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

import plywise as pw
from plywise.bits import popcount
from plywise.engine.node import Search
from plywise.engine.plan import plan_for
from plywise.engine.table import table_of
from plywise.engine.work import new_work
from plywise.errors import GameError, SearchError
from plywise.learning.positions import Positions, joined
from plywise.learning.self_play import CHUNK_NODES, SelfPlay, SelfPlayOptions, score_of, verdict
from tests.die import RightDie

SMALL = SelfPlayOptions(nodes=100, least_opening=1, most_opening=4, walk_nodes=30)
GAMES = [pw.games.TicTacToe(), pw.games.MNK(4, 4, 3), pw.games.ConnectFour(5, 4)]


def played(game: pw.Game, options: SelfPlayOptions = SMALL, positions: int = 600, **more: Any) -> Positions:
    return joined(SelfPlay(game, options, chunk=200, **more).chunks(positions=positions))


def states_of(game: pw.Game, positions: Positions) -> list[Any]:
    return [type(game.initial())(*row) for row in positions.rows.tolist()]


def reachable(game: pw.Game) -> set[Any]:
    """Return all positions of a game that are not over."""
    found, new = set(), {game.initial()}
    while new:
        found |= new
        children = {game.play(state, move) for state in new for move in game.moves(state)}
        new = {child for child in children if not game.is_terminal(child)} - found
    return found


def test_positions_are_legal_and_not_over() -> None:
    game = pw.games.TicTacToe()
    positions = played(game, positions=3000)
    states = states_of(game, positions)
    assert set(states) <= reachable(game)
    assert len(set(states)) > 500
    assert positions.players.tolist() == [game.to_move(state) for state in states]
    assert positions.plies.tolist() == [state.mine.bit_count() + state.theirs.bit_count() for state in states]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_proven_values_are_right(game: pw.Game) -> None:
    positions = played(game)
    proven = positions[positions.proven]
    assert len(proven) > len(positions) // 10
    solved = pw.Engine(game).solve_many(states_of(game, proven))
    assert proven.values.tolist() == [each.value for each in solved]
    assert {-1, 1} <= set(proven.values.tolist())


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_games_played_out_are_legal_and_results_are_their_scores(game: pw.Game) -> None:
    options = SelfPlayOptions(nodes=100, least_opening=1, most_opening=4, slips=0, walks=0, play_out=1)
    positions = played(game, options)
    states, games = states_of(game, positions), positions.games
    seen = set()
    for index, state in enumerate(states):
        children = [game.play(state, move) for move in game.moves(state)]
        if index + 1 < len(states) and games[index] == games[index + 1]:
            assert states[index + 1] in children
            assert positions.results[index] == positions.results[index + 1]
        else:
            assert positions.results[index] in {game.score(child) for child in children if game.is_terminal(child)}
            seen.add(float(positions.results[index]))
    assert {-1, 1} <= seen
    assert positions.results[positions.proven].tolist() == positions.values[positions.proven].tolist()


def test_a_proven_value_ends_a_game_and_is_its_result() -> None:
    positions = played(pw.games.MNK(4, 4, 3), SelfPlayOptions(nodes=100, slips=0, walks=0, play_out=0))
    last = np.append(np.diff(positions.games) > 0, True)
    assert (positions.proven == last).mean() > 0.95  # openings may be decided where hardly any is not
    assert positions.results[last].tolist() == positions.values[last].tolist()
    assert not np.isnan(positions.results).any()


def test_what_came_before_a_slip_says_nothing_of_the_result() -> None:
    positions = played(pw.games.ConnectFour(5, 4), SelfPlayOptions(nodes=50, slips=4, walks=0))
    unknown = np.isnan(positions.results)
    assert 0.1 < unknown.mean() < 0.9
    same_game = np.diff(positions.games) == 0
    assert not (unknown[1:] & ~unknown[:-1])[same_game].any()  # never after a position whose result is known


def test_walks_lie_beside_the_game_and_have_no_result() -> None:
    positions = played(pw.games.ConnectFour(5, 4), SelfPlayOptions(nodes=50, walks=3, walk_nodes=10, slips=0))
    beside = positions.beside
    assert 2 < beside.sum() / (~beside).sum() <= 3
    assert np.isnan(positions.results[beside]).all()
    main = positions.plies[np.maximum.accumulate(np.where(beside, 0, np.arange(len(positions))))]
    assert set((positions.plies - main)[beside].tolist()) == {1, 2, 3}


def test_openings_have_the_wanted_length_and_differ() -> None:
    game = pw.games.ConnectFour(5, 4)
    options = SelfPlayOptions(nodes=1, least_opening=3, most_opening=5, walks=0, longest=8)
    positions = played(game, options)
    first = positions[np.append(True, np.diff(positions.games) > 0)]
    assert set(first.plies.tolist()) == {3, 4, 5}
    assert len(set(states_of(game, first))) > 50
    assert positions.plies.max() == 7
    assert np.isnan(positions.results[~positions.proven]).mean() > 0.8  # the longest game was too short to end


@pytest.mark.parametrize("seed", [1, 2])
def test_plain_python_plays_the_same_games(seed: int) -> None:
    game, options = pw.games.MNK(4, 4, 3), SelfPlayOptions(nodes=20, walk_nodes=5)
    compiled = played(game, options, seed=seed)
    with pw.interpreted():
        plain = played(game, options, positions=1, seed=seed)
    assert len(plain) > 50
    for name in ("rows", "values", "results", "plies", "flags"):
        np.testing.assert_array_equal(getattr(compiled, name)[: len(plain)], getattr(plain, name))


def test_the_seed_decides_the_games() -> None:
    game = pw.games.ConnectFour(5, 4)
    one, again, other = (played(game, seed=seed).rows for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one[:100], other[:100])


def test_threads_play_different_games() -> None:
    self_play = SelfPlay(pw.games.ConnectFour(5, 4), SMALL, threads=2, chunk=100)
    chunks = list(itertools.islice(self_play.chunks(), 30))
    starts = {tuple(map(tuple, chunk.rows[:20].tolist())) for chunk in chunks}
    assert len(starts) == 30
    assert self_play.games >= sum(chunk.games[-1] + 1 for chunk in chunks)
    assert self_play.nodes > 30 * 100


@pytest.mark.parametrize(
    ("worth", "proven", "won", "dull", "score"),
    [
        (40, False, 4, 11, np.nan),
        (40, False, 0, 12, 0),
        (1600, False, 5, 0, "win"),
        (-1600, False, 5, 0, "loss"),
        (0, True, 0, 0, 0),
        ("mate", True, 0, 0, "win"),
    ],
)
def test_decided_games_get_the_score_that_they_would_end_with(
    worth: Any, proven: bool, won: int, dull: int, score: Any
) -> None:
    game = pw.games.Chess()
    numbers = {"win": game.win_score, "loss": -game.win_score, "mate": game.win_score - 7}
    found = verdict(game, numbers.get(worth, worth), proven, won, dull)
    np.testing.assert_equal(found, float(numbers.get(score, score)))


def test_the_third_occurrence_of_a_chess_position_ends_the_game() -> None:
    game = pw.games.Chess()
    search, state = Search(game, plan_for(game, False), table_of(1), new_work(plain=True)), game.initial()
    scores = []
    for ply, text in enumerate(["g1f3", "g8f6", "f3g1", "f6g8"] * 2):
        scores.append(score_of(search, state, ply))
        state = game.play(state, game.parse_move(state, text))
    assert np.isnan(scores).all()
    assert score_of(search, state, 8) == 0


def test_chess_positions_are_legal_and_quiet() -> None:
    game = pw.games.Chess()
    options = SelfPlayOptions(nodes=1, walk_nodes=1, walks=1, slips=0, longest=40)
    with pw.interpreted():
        positions = joined(SelfPlay(game, options, chunk=40).chunks(positions=40))
    states = states_of(game, positions)
    for state in states:
        assert game.parse(game.format(state)) == state
        assert game.extension(state) == 0
    men = [popcount(state.white | state.black) for state in states]
    main = np.flatnonzero(~positions.beside).tolist()
    one_ply = [two for two in itertools.pairwise(main) if np.diff(positions.plies[list(two)]) == 1]
    assert len(one_ply) > 10
    assert all(men[one] == men[two] for one, two in one_ply)  # the best move, which was made, captures nothing


@pytest.mark.parametrize("how", ["stop", "seconds", "interrupt"])
def test_it_stops_promptly(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CHUNK_NODES, True, 1 << 60)
    self_play = SelfPlay(pw.games.ConnectFour(5, 4), SMALL, threads=2, chunk=1 << 22)  # which takes minutes
    running = threading.active_count()
    chunks = self_play.chunks(seconds=0.2 if how == "seconds" else None)
    begun = time.perf_counter()
    if how == "interrupt":
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            list(chunks)
    else:
        if how == "stop":
            threading.Timer(0.2, self_play.stop).start()
        assert [chunk.games[-1] > 10 for chunk in chunks] == [True, True]
    assert time.perf_counter() - begun < 2
    assert threading.active_count() <= running + 2  # waiting for the next search, not searching


def test_it_can_go_on_after_it_was_stopped() -> None:
    self_play = SelfPlay(pw.games.ConnectFour(5, 4), SMALL, chunk=50)
    for _ in range(3):
        assert sum(map(len, self_play.chunks(positions=100))) >= 100


def test_an_error_in_the_rules_reaches_the_caller() -> None:
    class Broken(pw.games.MNK):
        def moves(self, state):
            for move in range(0):
                yield move

    with pw.interpreted(), pytest.raises(GameError, match="no moves"):
        list(SelfPlay(Broken(3, 3, 3), SMALL).chunks(positions=1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 0}, "nodes=0 must be"),
        ({"walks": -1}, "walks=-1 must be"),
        ({"longest": 5000}, "longest=5000 must be"),
        ({"least_opening": 5, "most_opening": 4}, "least_opening=5 must be a whole number from 0 to 4"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(SearchError, match=message):
        SelfPlay(pw.games.TicTacToe(), SelfPlayOptions(**options))


def test_games_with_dice_are_refused() -> None:
    with pytest.raises(SearchError, match="chance"):
        SelfPlay(RightDie())
