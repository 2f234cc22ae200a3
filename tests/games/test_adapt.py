"""Adapted boards and trees: any object that can apply and undo moves is a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import plywise as pw
from plywise.algorithms.perft import perft
from plywise.algorithms.watch import Watcher
from plywise.games import Nim, Tree
from tests.games.support import check_texts
from tests.oracle import value_of


class Pile:
    """Take one to three; the player who takes the last one wins."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.turn = True
        self.taken: list[int] = []
        self.steps = 0

    def legal_moves(self) -> Iterator[int]:
        yield from range(1, min(3, self.left) + 1)

    def push(self, count: int) -> None:
        self.left, self.turn, self.steps = self.left - count, not self.turn, self.steps + 1
        self.taken.append(count)

    def pop(self) -> None:
        self.left, self.turn, self.steps = self.left + self.taken.pop(), not self.turn, self.steps + 1

    def is_game_over(self) -> bool:
        return self.left == 0

    def score(self) -> int:
        return -1 if self.turn else 1

    def __str__(self) -> str:
        return f"{self.left}: {'|' * self.left}"


class Oddly:
    """The same with other names."""

    def __init__(self, left: int) -> None:
        self.left, self.who = left, 0

    def change(self, count: int) -> None:
        self.left, self.who = self.left - count, 1 - self.who


def test_a_board_with_the_usual_names_needs_no_arguments() -> None:
    for size in range(1, 10):
        game = pw.adapt(Pile(size))
        assert pw.solve(game).value == value_of(game, game.initial()) == (-1 if size % 4 == 0 else 1)
    assert pw.solve(pw.adapt(Pile(6))).move == 2
    assert not pw.solve(pw.adapt(Pile(6))).compiled


def test_a_board_with_other_names_is_told_them() -> None:
    game = pw.adapt(
        Oddly(6), push="change", pop=lambda board, count: board.change(-count), player="who",
        moves=lambda board: range(1, min(3, board.left) + 1), over=lambda board: not board.left,
        score=lambda board: -pw.sign(board.who), evaluate=lambda board: board.left / 100,
        key=lambda board: (board.left, board.who),
        move_text=lambda board, count: f"{board.left}-{count}",
    )  # fmt: skip
    result = pw.solve(game)
    assert (result.value, result.line_text()[0]) == (1, "6-2")
    assert game.format(game.parse("6-1 5-3")) == "6-1 5-3"
    assert game.evaluate(game.parse("6-1")) == 0.05
    assert game.key((1, 2)) == game.key((2, 1)) == (3, 0)


def test_the_given_board_does_not_change() -> None:
    board = Pile(5)
    game = pw.adapt(board)
    pw.solve(game)
    assert (board.left, board.taken, board.steps) == (5, [], 0)


def test_only_the_moves_in_which_positions_differ_are_played() -> None:
    game: Any = pw.adapt(Pile(20))
    game.moves((1, 2, 3, 1))
    before = game.walker.board.steps
    game.moves((1, 2, 3, 2))
    game.is_terminal((1, 2, 3, 2))
    assert game.walker.board.steps - before == 2


@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "alphabeta", "scout", "pvs", "mtdf", "memo"])
def test_every_algorithm_plays_it(algorithm: str) -> None:
    assert pw.search(pw.adapt(Pile(7)), algorithm=algorithm).value == 1


@pytest.mark.parametrize("seed", range(5))
def test_texts_are_read_as_what_they_were_written_from(seed: int) -> None:
    check_texts(pw.adapt(Pile(9)), seed)


def test_the_picture_is_the_boards_own() -> None:
    game = pw.adapt(Pile(9))
    assert game.board(game.parse("1 3")) == "5: |||||"


def test_a_wrong_position_is_explained() -> None:
    game = pw.adapt(Pile(4))
    with pytest.raises(pw.PositionError, match="'4' is not a legal move here; legal are: 1 2 3"):
        game.parse("1 4")
    with pytest.raises(pw.PositionError, match="'1 3 1' is not a position: the game is over after '1 3'"):
        game.parse("1 3 1")


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("push", "Part has no push or apply: give push=, the name of an attribute or a function of the board"),
        ("pop", "Part has no pop or undo: give pop="),
        ("legal_moves", "Part has no legal_moves or moves: give moves="),
        ("is_game_over", "Part has no is_game_over or is_terminal or is_over: give over="),
        ("turn", "Part has no turn or player or to_move: give player="),
        ("score", "Part has no score: give score="),
    ],
)
def test_what_a_board_lacks_is_named(missing: str, message: str) -> None:
    names = {"push", "pop", "legal_moves", "is_game_over", "turn", "score"} - {missing}
    part = type("Part", (), dict.fromkeys(names, True))
    with pytest.raises(pw.GameError, match=message):
        pw.adapt(part())


def test_arguments_that_make_no_sense_are_refused() -> None:
    with pytest.raises(pw.GameError, match="Pile has no attribute 'undo_move', given as pop="):
        pw.adapt(Pile(3), pop="undo_move")
    with pytest.raises(pw.GameError, match="score=3 is neither a function nor the name of an attribute"):
        pw.adapt(Pile(3), score=3)  # type: ignore[arg-type]
    with pytest.raises(pw.GameError, match="the player to move is 'white': give player="):
        pw.adapt(Pile(3), player=lambda board: "white")  # type: ignore[arg-type, return-value]
    with pytest.raises(pw.GameError, match="score= is for boards only: a list needs no arguments"):
        pw.adapt([1, 2], score="score")


def test_trees_and_games_are_taken_as_they_are() -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.DiGraph([("a", "b")])
    graph.nodes["a"]["player"], graph.nodes["b"]["value"] = "max", 4
    assert pw.adapt([3, [5, 8]]) == Tree.from_lists([3, [5, 8]])
    assert pw.adapt({"player": "max", "children": [4]}) == Tree.from_lists([4])
    assert pw.adapt(graph) == Tree.from_networkx(graph)
    assert pw.adapt(Nim()) == Nim()


def chess_game(fen: str) -> pw.Game:
    chess = pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    return pw.adapt(
        chess.Board(fen), score=lambda board: {"1-0": 1, "0-1": -1}.get(board.result(), 0),
        key=lambda board: board.epd(), move_text=lambda board, move: board.san(move),
    )  # fmt: skip


def test_a_python_chess_board_finds_a_mate_in_two() -> None:
    game = chess_game("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    result = pw.search(game, depth=3)
    assert (result.value, result.compiled) == (1, False)
    assert result.line_text()[-1].endswith("#")
    black = chess_game("7k/1r6/r7/8/8/8/8/7K b - - 0 1")
    assert pw.search(black, depth=3).value == -1


def test_a_python_chess_board_has_the_known_counts_of_move_sequences() -> None:
    game = chess_game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert [perft(game, game.initial(), depth, Watcher()) for depth in (1, 2, 3)] == [20, 400, 8902]
    assert game.format(game.parse("e4 c5 Nf3")) == "e4 c5 Nf3"
