"""Legal moves, found by masks: no move is played just to test whether it is legal, except en passant captures.

A piece may go to the squares in ``MoveFrame.goals``: not onto its own men and, in check, only onto the checker or
between it and the king.  A pinned piece stays on the line of its pin.  One board for all straight pins and one
for all diagonal pins are enough, as in Gigantua: a piece pinned on one line cannot reach another with the moves its pin
allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plywise.bits import item, lowest, popcount, product, rest, rotated, shift_left, shift_right
from plywise.compiling.native import inlined
from plywise.game import Game
from plywise.games.chess.attacks import MAGIC, MASK, OFFSET, SHIFT, tables
from plywise.games.chess.board import (
    BACK_RANKS,
    DARK,
    FILE_A,
    FILE_H,
    PASSING_RANKS,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    Position,
    bit,
    has,
    men,
)
from plywise.games.chess.magics import FILE_MAGIC
from plywise.games.chess.move import CAPTURE, CASTLE, DOUBLE, EN_PASSANT, QUIET, TO_QUEEN, packed
from plywise.layers import Tactics

KNIGHTS, BISHOPS, ROOKS, KINGS = range(4)
"""Ways to move.  A queen moves in two of them."""
WAYS = 4

PUSH, LONG_PUSH, TO_THE_LEFT, TO_THE_RIGHT = range(4)
"""Ways pawns move.  Left is towards the a-file."""
PAWN_WAYS = 4
PAWN_KINDS = (QUIET, DOUBLE, CAPTURE, CAPTURE)

EVERYWHERE = -1
"""All squares."""

FIFTY_MOVES = 100
"""The game is drawn after this many plies without a capture or pawn move."""


class MoveFrame(NamedTuple):
    """Facts shared by all moves of a position."""

    own: int
    their: int
    occupied: int
    king: int
    """The square of the king of the player to move."""
    goals: int
    """The squares to which a piece may go; king and pawns have their own."""
    pawn_goals: int
    king_goals: int
    straight_pins: int
    """The squares of all lines on which a rook or queen pins a man: from the king (excluded) to the pinning piece."""
    diagonal_pins: int
    """The same for bishops and queens."""
    danger: int
    """The attacked squares; 0 if the king cannot move or castle anyway."""


class Generation(Tactics, Game):
    """The moves of chess."""

    draws: bool = True
    """Whether the fifty-move rule and insufficient material end the game; perft, by custom, ignores them."""

    # Attacks --------------------------------------------------------------------------------------------------------

    @inlined
    def bishop_attacks(self, square: int, occupied: int) -> int:
        """Return the squares that a bishop attacks."""
        words, place = self.bishop_words, 4 * square
        gathered = product(occupied & item(words, place + MASK), item(words, place + MAGIC))
        return item(self.slides, item(words, place + OFFSET) + shift_right(gathered, item(words, place + SHIFT)))

    @inlined
    def rook_attacks(self, square: int, occupied: int) -> int:
        """Return the squares that a rook attacks."""
        file, home = square & 7, square & 56
        on_rank = shift_right(occupied, home + 1) & 63
        on_file = shift_right(product(shift_right(occupied, file) & FILE_A, FILE_MAGIC), 58)
        return (
            shift_left(item(self.rank_attacks, on_rank << 3 | file), home)
            | shift_left(item(self.file_attacks, on_file << 3 | square >> 3), file)
        )  # fmt: skip

    @inlined
    def slider_attackers(self, state: Position, square: int, occupied: int) -> int:
        """Return the bishops, rooks and queens, of both colours, that attack a square."""
        return (
            self.bishop_attacks(square, occupied) & state.diagonal
            | self.rook_attacks(square, occupied) & state.straight
        )  # fmt: skip

    @inlined
    def ray(self, square: int, other: int) -> int:
        """Return the squares between two squares, and the second one; only the second if they share no line."""
        return item(self.rays, square << 6 | other)

    def danger(self, state: Position, their: int, turn: int, occupied: int) -> int:
        """Return the squares that the opponent attacks; ``occupied`` excludes our king, which must not block lines."""
        forward = 16 * turn - 8  # theirs
        pawns = their & state.pawns
        attacked = rotated(pawns & ~FILE_A, forward - 1) | rotated(pawns & ~FILE_H, forward + 1)
        attacked |= item(self.king_steps, lowest(their & state.kings))
        pieces = their & state.knights
        while pieces:
            attacked |= item(self.knight_steps, lowest(pieces))
            pieces = rest(pieces)
        pieces = their & state.diagonal
        while pieces:
            attacked |= self.bishop_attacks(lowest(pieces), occupied)
            pieces = rest(pieces)
        pieces = their & state.straight
        while pieces:
            attacked |= self.rook_attacks(lowest(pieces), occupied)
            pieces = rest(pieces)
        return attacked

    # What the moves have in common ----------------------------------------------------------------------------------

    @inlined
    def frame(self, state: Position, wanted: int) -> MoveFrame:
        """Return the frame for moves to ``wanted`` squares, and for pawn moves to the last rank."""
        turn = state.ply & 1
        own, their = men(state, turn), men(state, 1 - turn)
        occupied = own | their
        king = lowest(own & state.kings)
        goals = ~own
        if state.checkers:
            goals &= self.ray(king, lowest(state.checkers))
        straight_pins = self.pins(king, item(self.lines, king) & their & state.straight, own, occupied)
        diagonal_pins = self.pins(king, item(self.lines, 64 + king) & their & state.diagonal, own, occupied)
        king_goals = item(self.king_steps, king) & ~own & wanted
        danger = 0
        if king_goals or self.own_rights(state) & wanted:
            danger = self.danger(state, their, turn, occupied ^ bit(king))
        return MoveFrame(
            own, their, occupied, king, goals & wanted, goals & (wanted | BACK_RANKS), king_goals & ~danger,
            straight_pins, diagonal_pins, danger,
        )  # fmt: skip

    @inlined
    def pins(self, king: int, snipers: int, own: int, occupied: int) -> int:
        """Return the lines on which a sniper pins a man: those with exactly one man between, and that one ours."""
        pinned = 0
        while snipers:
            sniper = lowest(snipers)
            snipers = rest(snipers)
            ray = self.ray(king, sniper)
            between = ray & occupied & ~bit(sniper)
            if between & own and rest(between) == 0:
                pinned |= ray
        return pinned

    @inlined
    def own_rights(self, state: Position) -> int:
        """Return the rooks with which the player to move may still castle."""
        return state.rights & (RANK_8 if state.ply & 1 else RANK_1)

    @inlined
    def ways(self, state: Position) -> range:
        """Return the ways in which pieces may move: in double check, only the king's."""
        return range(KINGS if rest(state.checkers) else KNIGHTS, WAYS)

    @inlined
    def movers(self, state: Position, frame: MoveFrame, way: int) -> int:
        """Return the pieces of the player to move that move this way and whose pins allow it."""
        if way == KNIGHTS:
            return frame.own & state.knights & ~(frame.straight_pins | frame.diagonal_pins)
        if way == BISHOPS:
            return frame.own & state.diagonal & ~frame.straight_pins
        if way == ROOKS:
            return frame.own & state.straight & ~frame.diagonal_pins
        return frame.own & state.kings

    @inlined
    def reach(self, frame: MoveFrame, way: int, source: int) -> int:
        """Return where one of the ``movers`` may go."""
        if way == KNIGHTS:
            return item(self.knight_steps, source) & frame.goals
        if way == BISHOPS:
            targets = self.bishop_attacks(source, frame.occupied) & frame.goals
            return targets & frame.diagonal_pins if has(frame.diagonal_pins, source) else targets
        if way == ROOKS:
            targets = self.rook_attacks(source, frame.occupied) & frame.goals
            return targets & frame.straight_pins if has(frame.straight_pins, source) else targets
        return frame.king_goals

    @inlined
    def forward(self, state: Position) -> int:
        """Return the step of a pawn of the player to move: 8, one rank up, or -8."""
        return 8 - 16 * (state.ply & 1)

    @inlined
    def pawn_step(self, state: Position, way: int) -> int:
        """Return the step from source to target of a pawn move."""
        forward = self.forward(state)
        if way == PUSH:
            return forward
        if way == LONG_PUSH:
            return 2 * forward
        return forward - 1 if way == TO_THE_LEFT else forward + 1

    @inlined
    def pawn_targets(self, state: Position, frame: MoveFrame, way: int) -> int:
        """Return the targets of the player's pawns that move this way, without en passant captures."""
        forward = self.forward(state)
        pawns = frame.own & state.pawns
        if way <= LONG_PUSH:
            pawns &= ~frame.diagonal_pins
            free = pawns & ~frame.straight_pins
            steps = rotated(free, forward) | rotated(pawns & frame.straight_pins, forward) & frame.straight_pins
            steps &= ~frame.occupied
            if way == LONG_PUSH:
                steps = rotated(steps & (RANK_6 if state.ply & 1 else RANK_3), forward) & ~frame.occupied
            return steps & frame.pawn_goals
        pawns &= ~frame.straight_pins & ~(FILE_A if way == TO_THE_LEFT else FILE_H)
        step = forward - 1 if way == TO_THE_LEFT else forward + 1
        free = pawns & ~frame.diagonal_pins
        captures = rotated(free, step) | rotated(pawns & frame.diagonal_pins, step) & frame.diagonal_pins
        return captures & frame.their & frame.pawn_goals

    def castling_rooks(self, state: Position, frame: MoveFrame) -> int:
        """Return the rooks with which castling is legal; the king must not be in check.

        The king goes to the c- or g-file and the rook beside it, to d or f.  Apart from these two men, both paths must
        be empty; the king's path must not be attacked, and the rook must not be pinned on the back rank.
        """
        legal = 0
        rooks = self.own_rights(state) & ~frame.straight_pins
        while rooks:
            rook = lowest(rooks)
            rooks = rest(rooks)
            left = rook < frame.king
            home = frame.king & 56
            goal = home + (2 if left else 6)
            king_way = self.ray(frame.king, goal)
            rook_way = self.ray(rook, home + (3 if left else 5))
            free = (king_way | rook_way) & frame.occupied & ~(bit(rook) | bit(frame.king)) == 0
            if free and king_way & frame.danger == 0:
                legal |= bit(rook)
        return legal

    def passing_pawns(self, state: Position) -> int:
        """Return the pawns of the player to move that may capture en passant."""
        legal = 0
        passing = state.rights & PASSING_RANKS
        if passing:
            turn, target = state.ply & 1, lowest(passing)
            pawns = item(self.pawn_steps, (1 - turn) << 6 | target) & men(state, turn) & state.pawns
            while pawns:
                if self.may_pass(state, lowest(pawns), target):
                    legal |= bit(lowest(pawns))
                pawns = rest(pawns)
        return legal

    def may_pass(self, state: Position, source: int, target: int) -> bool:
        """Return whether the king is safe after an en passant capture, which removes two men from a rank."""
        own, their = men(state, state.ply & 1), men(state, 1 - (state.ply & 1))
        captured = bit(target - self.forward(state))
        occupied = (own | their) ^ bit(source) ^ bit(target) ^ captured
        sliders = self.slider_attackers(state, lowest(own & state.kings), occupied)
        leapers = state.checkers & (state.knights | state.pawns) & ~captured
        return sliders & their == 0 and leapers == 0

    # Moves ----------------------------------------------------------------------------------------------------------

    @inlined
    def moves(self, state: Position) -> Iterator[int]:
        if self.is_drawn(state):
            return
        frame = self.frame(state, EVERYWHERE)
        for way in self.ways(state):
            sources = self.movers(state, frame, way)
            while sources:
                source = lowest(sources)
                sources = rest(sources)
                targets = self.reach(frame, way, source)
                while targets:
                    target = lowest(targets)
                    targets = rest(targets)
                    yield packed(source, target, has(frame.their, target) * CAPTURE)
        if rest(state.checkers) == 0:
            for way in range(PAWN_WAYS):
                targets = self.pawn_targets(state, frame, way)
                step = self.pawn_step(state, way)
                while targets:
                    target = lowest(targets)
                    targets = rest(targets)
                    if has(BACK_RANKS, target):
                        for promoted in range(4):
                            yield packed(target - step, target, PAWN_KINDS[way] | TO_QUEEN - promoted)
                    else:
                        yield packed(target - step, target, PAWN_KINDS[way])
            sources = self.passing_pawns(state)
            while sources:
                yield packed(lowest(sources), lowest(state.rights & PASSING_RANKS), EN_PASSANT)
                sources = rest(sources)
            if state.checkers == 0 and self.own_rights(state):
                targets = self.castling_rooks(state, frame)
                while targets:
                    yield packed(frame.king, lowest(targets), CASTLE)
                    targets = rest(targets)

    @inlined
    def noisy_moves(self, state: Position) -> Iterator[int]:
        """Yield captures and promotions to queens; in check, all moves except underpromotions.

        Its loops repeat those of ``moves``: a shared generator would make both half as fast.
        """
        if self.is_drawn(state):
            return
        their = men(state, 1 - (state.ply & 1))
        frame = self.frame(state, EVERYWHERE if state.checkers else their)
        for way in self.ways(state):
            sources = self.movers(state, frame, way)
            while sources:
                source = lowest(sources)
                sources = rest(sources)
                targets = self.reach(frame, way, source)
                while targets:
                    target = lowest(targets)
                    targets = rest(targets)
                    yield packed(source, target, has(their, target) * CAPTURE)
        if rest(state.checkers) == 0:
            for way in range(PAWN_WAYS):
                targets = self.pawn_targets(state, frame, way)
                step = self.pawn_step(state, way)
                while targets:
                    target = lowest(targets)
                    targets = rest(targets)
                    yield packed(target - step, target, PAWN_KINDS[way] | has(BACK_RANKS, target) * TO_QUEEN)
            sources = self.passing_pawns(state)
            while sources:
                yield packed(lowest(sources), lowest(state.rights & PASSING_RANKS), EN_PASSANT)
                sources = rest(sources)

    def count_legal(self, state: Position) -> int:
        """Return how many legal moves there are, whether or not the game is drawn."""
        frame = self.frame(state, EVERYWHERE)
        count = 0
        for way in self.ways(state):
            sources = self.movers(state, frame, way)
            while sources:
                count += popcount(self.reach(frame, way, lowest(sources)))
                sources = rest(sources)
        if rest(state.checkers) == 0:
            for way in range(PAWN_WAYS):
                targets = self.pawn_targets(state, frame, way)
                count += popcount(targets) + 3 * popcount(targets & BACK_RANKS)
            if state.rights & PASSING_RANKS:
                count += popcount(self.passing_pawns(state))
            if state.checkers == 0 and self.own_rights(state):
                count += popcount(self.castling_rooks(state, frame))
        return count

    def has_move(self, state: Position) -> bool:
        """Return whether there is a legal move.

        Nearly always a quick test finds one: a move of a pawn or knight that is on no line with the king, so that it
        cannot be pinned.
        """
        if state.checkers == 0:
            own = men(state, state.ply & 1)
            king = lowest(own & state.kings)
            free = own & ~(item(self.lines, king) | item(self.lines, 64 + king))
            if rotated(free & state.pawns, self.forward(state)) & ~(state.white | state.black):
                return True
            knights = free & state.knights
            if knights and item(self.knight_steps, lowest(knights)) & ~own:
                return True
        return self.count_legal(state) > 0

    # Draws ----------------------------------------------------------------------------------------------------------

    @inlined
    def is_drawn(self, state: Position) -> bool:
        """Return whether the fifty-move rule or insufficient material makes a draw.  A mate takes precedence."""
        return self.draws and (state.clock >= FIFTY_MOVES or self.lacks_material(state))

    @inlined
    def lacks_material(self, state: Position) -> bool:
        """Return whether no sequence of moves leads to mate.

        That is so with bare kings, with one knight or bishop, and with bishops all on squares of one colour.
        """
        if state.pawns | state.straight:
            return False
        if rest(state.knights | state.diagonal) == 0:
            return True
        return state.knights == 0 and (state.diagonal & DARK == 0 or state.diagonal & ~DARK == 0)

    # Tables ---------------------------------------------------------------------------------------------------------
    # One property each: compiled code gets the arrays that are cached properties of the game itself.

    @cached_property
    def knight_steps(self) -> np.ndarray:
        return tables().knight

    @cached_property
    def king_steps(self) -> np.ndarray:
        return tables().king

    @cached_property
    def pawn_steps(self) -> np.ndarray:
        return tables().pawn

    @cached_property
    def lines(self) -> np.ndarray:
        return tables().lines

    @cached_property
    def rays(self) -> np.ndarray:
        return tables().rays

    @cached_property
    def bishop_words(self) -> np.ndarray:
        return tables().bishops

    @cached_property
    def slides(self) -> np.ndarray:
        return tables().slides

    @cached_property
    def rank_attacks(self) -> np.ndarray:
        return tables().ranks

    @cached_property
    def file_attacks(self) -> np.ndarray:
        return tables().files
