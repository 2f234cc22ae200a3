"""Playouts of Go: legal, played to the end, and the same as machine code and as plain Python."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plywise.engine.trail import new_trail
from plywise.games import Go
from plywise.games.go.playouts import (
    HEAD,
    NONE,
    answer,
    any_move,
    in_atari,
    is_legal,
    is_self_atari,
    only_liberty,
    put,
    set_up,
)
from plywise.games.go.shapes import BLACK, WHITE
from tests.games.support import compiled


class Moves:
    """A trail that also keeps the moves."""

    def __init__(self, seed: int) -> None:
        self.trail, self.moves = new_trail(seed, 0, 1000, True), list[tuple[int, int]]()
        self.trail.start()

    def note(self, player: int, move: int) -> None:
        self.moves.append((player, move))
        self.trail.note(player, move)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.trail, name)


def one_playout(game, state, trail):
    trail.start()
    return game.playout(state, trail)


def somewhere(game: Go, seed: int) -> Any:
    """Return a position of a random game."""
    chance, state = random.Random(seed), game.initial()
    for _ in range(chance.randrange(game.size)):
        after = game.play(state, chance.choice(list(game.moves(state))))
        if game.is_terminal(after):
            break
        state = after
    return state


@pytest.mark.parametrize("size", [(3, 3), (9, 9), (5, 13)])
@pytest.mark.parametrize("seed", range(4))
def test_a_playout_is_a_game_and_its_score_that_of_the_last_position(size: tuple[int, int], seed: int) -> None:
    game = Go(*size)
    state, trail = somewhere(game, seed), Moves(seed)
    score = game.playout(state, trail)
    if size == (9, 9):
        assert compiled(one_playout, game, state, new_trail(seed, 0, 1000, True)) == score
    for player, move in trail.moves:
        assert state.turn == player
        assert move in game.moves(state)
        state = game.play(state, move)
    assert trail.left() < 2 or game.score(state) == score  # unless it was cut short, in a cycle


@pytest.mark.parametrize("seed", range(3))
def test_the_board_of_a_playout_knows_what_the_rules_know(seed: int) -> None:
    game = Go(7)
    for number in range(10):
        state = somewhere(game, 10 * seed + number)
        board, colour = set_up(game, state), BLACK + state.turn
        for move in range(game.size):
            point = game.inner[move]
            stones = state.mine if game.has(state.mine, move) else state.theirs
            if game.has(stones, move):
                group = game.spread_within(stones, game.at(move))
                liberties = [
                    p for p in range(game.size) if game.has(game.beside(group), p) and game.piece_at(state, p) == 0
                ]
                assert in_atari(board, board[HEAD, point]) == (len(liberties) == 1)
                assert len(liberties) > 1 or game.outer[only_liberty(board, board[HEAD, point])] == liberties[0]
            else:
                assert is_legal(game, board, point, colour) == (move in game.moves(state))


def board_of(game: Go, text: str) -> Any:
    return set_up(game, game.parse(text))


def point(game: Go, name: str) -> int:
    return int(game.inner[game.parse_move(game.initial(), name)])


def answers(text: str, last: str) -> set[str]:
    """Return the answers to White's move, by the names of their points."""
    game, found = Go(5), set()
    board = board_of(game, text)
    for seed in range(40):
        trail = Moves(seed)
        reply = answer(game, board, BLACK, point(game, last), trail)
        found.add("none" if reply == NONE else game.layout.name(int(game.outer[reply])))
    return found


def test_a_stone_that_is_left_in_atari_is_taken() -> None:
    assert answers("...../..X../.XO../..X../..... black C3", "C3") == {"D3"}


def test_stones_in_atari_are_saved() -> None:
    assert answers("...../..O../.OX../..O../..... black C2", "C2") == {"D3"}
    assert answers("...../...../...../.OO../OX.XX black B2", "B2") == {"A2", "C1"}  # takes a stone, or connects


def test_stones_beyond_help_are_left_alone() -> None:
    assert "A5" not in answers(".XO../.O.../...../...../..... black B4", "B4")


def test_eyes_are_not_filled() -> None:
    game = Go(3)
    board = board_of(game, ".X./XXX/.X. black")
    assert any_move(game, board, BLACK, 5, Moves(1)) == NONE
    assert any_move(game, board, WHITE, 5, Moves(1)) == NONE  # suicide


def test_self_atari_is_seen() -> None:
    game = Go(5)
    board = board_of(game, "..O../.O.../...../...../..... black")
    assert is_self_atari(game, board, point(game, "B5"), BLACK)
    assert is_self_atari(game, board, point(game, "A5"), BLACK) is False
    put(game, board, point(game, "A5"), BLACK)
    assert is_self_atari(game, board, point(game, "B5"), BLACK)
    put(game, board, point(game, "A3"), BLACK)
    assert not is_self_atari(game, board, point(game, "A4"), BLACK)
