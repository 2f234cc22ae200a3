"""Playing moves: the position after a move."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from plywise.bits import item, lowest, shift_left, signed
from plywise.compiling.native import inlined
from plywise.games.chess.board import (
    BACK_RANKS,
    FILE_A,
    FILE_H,
    KING,
    PAWN,
    RANK_1,
    RANK_8,
    ROOK,
    Position,
    bit,
    has,
    kind_at,
    men,
)
from plywise.games.chess.generation import Generation
from plywise.games.chess.move import (
    CAPTURE,
    CASTLE,
    DOUBLE,
    EN_PASSANT,
    PROMOTED,
    PROMOTION,
    kind_of,
    source_of,
    target_of,
)
from plywise.games.chess.zobrist import MOVER, RIGHTS, piece_hashes


class Playing(Generation):
    """The effect of moves."""

    @inlined
    def play(self, state: Position, move: int) -> Position:
        kind = kind_of(move)
        if kind == CASTLE:
            return self.castle(state, source_of(move), target_of(move))
        source, target = source_of(move), target_of(move)
        turn = state.ply & 1
        piece = kind_at(state, source)
        captured = target - self.forward(state) if kind == EN_PASSANT else target
        victim = kind_at(state, captured)
        gone = ~(bit(source) | bit(captured))
        pawns = state.pawns & gone | shift_left(has(state.pawns, source), target)
        knights = state.knights & gone | shift_left(has(state.knights, source), target)
        diagonal = state.diagonal & gone | shift_left(has(state.diagonal, source), target)
        straight = state.straight & gone | shift_left(has(state.straight, source), target)
        kings = state.kings & gone | shift_left(has(state.kings, source), target)
        before = self.piece_hash(piece, turn, source)
        after = self.piece_hash(piece, turn, target)
        taken = self.piece_hash(victim, 1 - turn, captured)
        if kind & PROMOTION:
            choice = kind & 3
            pawns ^= bit(target)
            knights |= bit(target) if choice == 0 else 0
            diagonal |= shift_left(choice & 1, target)
            straight |= shift_left(choice >> 1, target)
            after = self.piece_hash(PROMOTED[choice], turn, target)
        own = men(state, turn) & gone | bit(target)
        their = men(state, 1 - turn) & gone
        rights = state.rights & BACK_RANKS & gone
        if piece == KING:
            rights &= ~(RANK_8 if turn else RANK_1)
        played = Position(
            white=their if turn else own,
            black=own if turn else their,
            pawns=pawns,
            knights=knights,
            diagonal=diagonal,
            straight=straight,
            kings=kings,
            rights=rights,
            checkers=0,
            clock=0 if piece == PAWN or kind & CAPTURE else state.clock + 1,
            ply=state.ply + 1,
            hash=state.hash ^ before ^ after ^ taken ^ MOVER,
        )
        return self.completed(played, target if kind == DOUBLE else -1)

    @inlined
    def piece_hash(self, kind: int, turn: int, square: int) -> int:
        """Return the random number of a piece on a square."""
        return item(self.piece_hashes, kind << 7 | turn << 6 | square)

    def castle(self, state: Position, king: int, rook: int) -> Position:
        """Return the position after castling with the rook on this square."""
        turn, home = state.ply & 1, king & 56
        new_king, new_rook = (home + 2, home + 3) if rook < king else (home + 6, home + 5)
        kings = state.kings ^ bit(king) ^ bit(new_king)
        straight = state.straight & ~bit(rook) | bit(new_rook)
        change = bit(king) ^ bit(rook) ^ bit(new_king) ^ bit(new_rook)
        played = Position(
            white=state.white if turn else state.white ^ change,
            black=state.black ^ change if turn else state.black,
            pawns=state.pawns,
            knights=state.knights,
            diagonal=state.diagonal,
            straight=straight,
            kings=kings,
            rights=state.rights & BACK_RANKS & ~(RANK_8 if turn else RANK_1),
            checkers=0,
            clock=state.clock + 1,
            ply=state.ply + 1,
            hash=state.hash
            ^ self.piece_hash(KING, turn, king)
            ^ self.piece_hash(KING, turn, new_king)
            ^ self.piece_hash(ROOK, turn, rook)
            ^ self.piece_hash(ROOK, turn, new_rook)
            ^ MOVER,
        )
        return self.completed(played, -1)

    @inlined
    def completed(self, state: Position, double: int) -> Position:
        """Return a position completed by the checkers and, if an en passant capture is legal, its square.

        ``double`` is the square of a pawn that has just made a double step, or -1.
        """
        checkers = self.find_checkers(state)
        state = Position(
            state.white, state.black, state.pawns, state.knights, state.diagonal, state.straight, state.kings,
            state.rights, checkers, state.clock, state.ply, state.hash,
        )  # fmt: skip
        if double >= 0:
            here = bit(double)
            beside = (here & ~FILE_A) >> 1 | shift_left(here & ~FILE_H, 1)
            if beside & state.pawns & men(state, state.ply & 1):
                passing = state._replace(rights=state.rights | bit(double + self.forward(state)))
                if self.passing_pawns(passing):
                    state = passing
        return state

    @inlined
    def find_checkers(self, state: Position) -> int:
        """Return the pieces that attack the king of the player to move."""
        turn = state.ply & 1
        own, their = men(state, turn), men(state, 1 - turn)
        king = lowest(own & state.kings)
        leapers = (
            item(self.knight_steps, king) & state.knights
            | item(self.pawn_steps, turn << 6 | king) & state.pawns
        )  # fmt: skip
        return (leapers | self.slider_attackers(state, king, own | their)) & their

    def without_draws(self) -> Playing:
        """Return the same game without draws by rule, as if no player claims them."""
        return _without_draws(self)

    def key(self, state: Position) -> int:
        """Return a number shared by positions that differ only in the halfmove clock and the move number."""
        return state.hash ^ signed(state.rights * RIGHTS)

    @functools.cached_property
    def piece_hashes(self) -> np.ndarray:
        return piece_hashes()


@functools.lru_cache(maxsize=8)
def _without_draws(game: Playing) -> Playing:
    """Return the same object every time, so that it is analysed for compilation only once."""
    return dataclasses.replace(game, draws=False)
