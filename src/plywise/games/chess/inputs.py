"""What a network sees of a chess position: which man is on which square, and whether it is attacked and defended.

A man is not attacked, attacked, or attacked by a man of less value; and it is defended or not.  (The engine Monty has
inputs for attacked and defended men; here, lesser attackers count apart.)  Each player sees the board from its own
side, and mirrored if its king is on the right half, so that the king is always on the files a to d.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from plywise.bits import item, lowest, popcount, rest
from plywise.compiling.native import inlined
from plywise.games.chess.board import BLACK, WHITE, Position, men
from plywise.games.chess.generation import Generation
from plywise.games.chess.masks import attacks_down, attacks_up
from plywise.layers import Features

BOARDS = 7
"""One for the colour, three for the kind of man, three for attacks."""
MOST_MEN = 32


class Attacks(NamedTuple):
    """The squares that a player attacks: with pawns; pawns and minor pieces; these and rooks; all men."""

    pawns: int
    minors: int
    rooks: int
    all: int


class Inputs(Features, Generation):
    """The inputs of a network for chess."""

    feature_count = 64 << BOARDS
    buckets: ClassVar[int] = 8

    def feature_boards(self, state: Position) -> Iterator[int]:
        """Yield Black's men; the kinds of men in binary, from 1 for pawns to 6 for kings; attacked men; those attacked
        by lesser men; defended men.
        """
        queens = state.diagonal & state.straight
        bishops, rooks = state.diagonal & ~queens, state.straight & ~queens
        yield state.black
        yield state.pawns | bishops | queens
        yield state.knights | bishops | state.kings
        yield state.straight | state.kings
        white, black = self.attacks_by(state, WHITE), self.attacks_by(state, BLACK)
        yield state.white & black.all | state.black & white.all
        minors, best = state.knights | bishops, queens | state.kings
        by_white = minors & white.pawns | rooks & white.minors | best & white.rooks
        by_black = minors & black.pawns | rooks & black.minors | best & black.rooks
        yield state.white & by_black | state.black & by_white
        yield state.white & white.all | state.black & black.all

    def feature_view(self, state: Position, player: int) -> tuple[int, int]:
        """Return how a player sees the boards: its own men as White's, from below, its king on the left."""
        mirrored = lowest(men(state, player) & state.kings) & 4
        return player, 56 * player ^ (7 if mirrored else 0)

    def bucket(self, state: Position) -> int:
        """Return the number of men, in eight steps."""
        return (popcount(state.white | state.black) - 1) * self.buckets // MOST_MEN

    @inlined
    def attacks_by(self, state: Position, player: int) -> Attacks:
        """Return the squares that a player attacks."""
        own, occupied = men(state, player), state.white | state.black
        pawns = attacks_down(own & state.pawns) if player else attacks_up(own & state.pawns)
        minors, rooks, queens = pawns, 0, 0
        knights = own & state.knights
        while knights:
            minors |= item(self.knight_steps, lowest(knights))
            knights = rest(knights)
        diagonal = own & state.diagonal
        while diagonal:
            square = lowest(diagonal)
            diagonal = rest(diagonal)
            reached = self.bishop_attacks(square, occupied)
            if state.straight >> square & 1:
                queens |= reached
            else:
                minors |= reached
        straight = own & state.straight
        while straight:
            square = lowest(straight)
            straight = rest(straight)
            reached = self.rook_attacks(square, occupied)
            if state.diagonal >> square & 1:
                queens |= reached
            else:
                rooks |= reached
        rooks |= minors
        return Attacks(pawns, minors, rooks, rooks | queens | item(self.king_steps, lowest(own & state.kings)))
