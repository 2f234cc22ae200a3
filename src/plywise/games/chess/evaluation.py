"""The static evaluation: a sum of features, each with a weight for the middlegame and one for the endgame.

White's features count for White and Black's against.  The same code finds both: for Black, the board is turned upside
down.  A feature is entered into a *ledger* with ``ledger.term``.  The game itself is a ledger, in which a term is a
count times a weight.  ``Trace`` is another: it keeps the counts, from which the weights are learned (see
``plywise.learning.tuning``).

A weight is one machine word with the endgame's part above the middlegame's, so that one addition adds both:

    endgame (32 bits) | middlegame (32 bits)

The features are those of engines of the last decades, above all of Stockfish's classical evaluation; their weights are
learned from data.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from plywise.bits import any_number, item, lowest, popcount, rest, shift_left, shift_right, upside_down
from plywise.compiling.native import COMPILED, Native, inlined
from plywise.games.chess import features as f
from plywise.games.chess.board import (
    BLACK,
    DARK,
    FILE_A,
    WHITE,
    Position,
    bit,
    has,
)
from plywise.games.chess.generation import Generation
from plywise.games.chess.masks import (
    attacks_down,
    attacks_left,
    attacks_right,
    attacks_up,
    below,
    beside,
    distance,
    downwards,
    king_zones,
    upwards,
    way_of,
)
from plywise.games.chess.weights import UNIT, WEIGHTS_FILE, packed_weights

VALUES = (0, 100, 320, 330, 500, 0, 0, 900)
"""Centipawns by kind of piece, for exchanges.  A king is never exchanged."""

FULL_PHASE = 24
"""The phase with all pieces on the board: a minor piece counts 1, a rook 2, a queen 4."""
FULL_SCALE = 64
"""The scale of an endgame whose value is not reduced."""

KNIGHTS, BISHOPS, ROOKS, QUEENS = range(4)
PIECE_KINDS = 4

CENTRE_FILES = 0x3C3C3C3C
"""Files c to f of the first four ranks."""
OUTPOST_RANKS = 0xFFFFFF << 24
"""Ranks 4 to 6."""
RANK_7 = 0xFF << 48


class Ledger(Protocol):
    """Collects features."""

    def term(self, player: int, index: int, count: int) -> int:
        """Enter a feature ``count`` times for a player; returns its value."""


class Trace(Native):
    """A ledger that keeps the counts; Black's are negative."""

    counts: np.ndarray

    @inlined
    def term(self, player: int, index: int, count: int) -> int:
        self.counts[index] += count - 2 * player * count
        return 0


class Seen(NamedTuple):
    """The boards of a position from one player's side: its pawns go up."""

    own: int
    their: int
    pawns: int
    knights: int
    diagonal: int
    straight: int
    kings: int


class Reach(NamedTuple):
    """The squares that one player's men attack, from that player's side."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    king: int
    all: int
    twice: int
    passed: int
    """The player's passed pawns."""
    force: int
    """The strength of the attack on the zone around the enemy king."""


class Attack(NamedTuple):
    """Attacks by the men of one player examined so far, in total and near the enemy king."""

    all: int
    twice: int
    attackers: int
    """How many men attack the zone around the king."""
    near: int
    """How many attacks there are on squares of the zone."""
    force: int
    """The total force of the attackers (see ``ATTACKERS``)."""


class Evaluation(Generation):
    """The static evaluation of chess."""

    weights_file: str = dataclasses.field(default="", metadata={COMPILED: False})
    """The file of weights; default: the weights that come with plywise."""

    @inlined
    def linear(self, state: Position) -> int:
        """Return the value of a position for White, in centipawns."""
        total = self.account(state, self)
        middlegame, endgame = middlegame_of(total), endgame_of(total)
        phase = self.phase(state)
        value = middlegame * phase * FULL_SCALE + endgame * (FULL_PHASE - phase) * self.scale(state, endgame)
        size = abs(value) // (FULL_PHASE * FULL_SCALE * UNIT)
        return size if value >= 0 else -size

    @inlined
    def term(self, player: int, index: int, count: int) -> int:
        """Return ``count`` times the weight of a feature."""
        return count * item(self.weights, index)

    def account(self, state: Position, ledger: Ledger) -> int:
        """Enter all features of a position; returns their total value for White."""
        white, black = self.seen_by(state, WHITE), self.seen_by(state, BLACK)
        white_reach, white_men = self.men(white, any_number(WHITE), ledger)
        black_reach, black_men = self.men(black, any_number(BLACK), ledger)
        turn = state.ply & 1
        white_play = self.play_of(white, white_reach, turned_reach(black_reach), any_number(WHITE), turn, ledger)
        black_play = self.play_of(black, black_reach, turned_reach(white_reach), any_number(BLACK), turn, ledger)
        tempo = ledger.term(turn, f.TEMPO, 1)
        return white_men + white_play - black_men - black_play + (-tempo if turn else tempo)

    @inlined
    def seen_by(self, state: Position, player: int) -> Seen:
        """Return the boards from a player's side."""
        if player == WHITE:
            return Seen(state.white, state.black, state.pawns, state.knights, state.diagonal, state.straight,
                        state.kings)  # fmt: skip
        return Seen(
            upside_down(state.black), upside_down(state.white), upside_down(state.pawns), upside_down(state.knights),
            upside_down(state.diagonal), upside_down(state.straight), upside_down(state.kings),
        )  # fmt: skip

    # Men and where they stand ---------------------------------------------------------------------------------------

    @inlined
    def men(self, view: Seen, player: int, ledger: Ledger) -> tuple[Reach, int]:
        """Enter material, squares, mobility, pawns and pieces; returns the player's attacks, and the value."""
        pawns, their_pawns = view.own & view.pawns, view.their & view.pawns
        king, their_king = lowest(view.own & view.kings), lowest(view.their & view.kings)
        mirror = 0 if king & 4 else 7
        squares = f.SQUARE + (0 if king & 4 == their_king & 4 else 6 * 64)
        pawn_attacks, their_pawn_attacks = attacks_up(pawns), attacks_down(their_pawns)
        total = ledger.term(player, squares + 5 * 64 + (king ^ mirror), 1)
        total += self.pawn_structure(pawns, their_pawns, their_pawn_attacks, squares, mirror, player, ledger)
        total += self.pieces_and_pawns(view, pawns, their_pawns, pawn_attacks, their_king, player, ledger)

        zone = item(self.king_zones, their_king)
        area = ~(their_pawn_attacks | pawns | view.own & view.kings)
        steps = item(self.king_steps, king)
        attack = Attack(steps | pawn_attacks, steps & pawn_attacks, 0, 0, 0)
        by_knights, attack, worth = self.enter_pieces(
            view, KNIGHTS, attack, area, zone, squares, mirror, player, ledger
        )
        total += worth
        by_bishops, attack, worth = self.enter_pieces(
            view, BISHOPS, attack, area, zone, squares, mirror, player, ledger
        )
        total += worth
        by_rooks, attack, worth = self.enter_pieces(view, ROOKS, attack, area, zone, squares, mirror, player, ledger)
        total += worth
        by_queens, attack, worth = self.enter_pieces(view, QUEENS, attack, area, zone, squares, mirror, player, ledger)
        total += worth + ledger.term(player, f.KING_ZONE, attack.near)
        passed = pawns & ~below(their_pawns | beside(their_pawns) | pawns)
        reach = Reach(
            pawn_attacks, by_knights, by_bishops, by_rooks, by_queens, steps, attack.all, attack.twice, passed,
            (attack.force + 3 * attack.near) * attack.attackers,
        )  # fmt: skip
        return reach, total

    @inlined
    def pawn_structure(
        self, pawns: int, their_pawns: int, their_attacks: int, squares: int, mirror: int, player: int, ledger: Ledger
    ) -> int:
        """Enter the pawns and their structure."""
        opposed, neighbours = below(their_pawns), beside(pawns)
        from_left, from_right = attacks_right(pawns), attacks_left(pawns)
        beside_others = pawns & upwards(downwards(neighbours))
        backward = beside_others & ~upwards(neighbours) & shift_right(their_attacks | their_pawns, 8)
        total = ledger.term(player, f.MATERIAL, popcount(pawns))
        total += enter_pair(ledger, player, f.ISOLATED, pawns & ~beside_others, opposed)
        total += enter_pair(ledger, player, f.BACKWARD, backward, opposed)
        total += enter_pair(ledger, player, f.DOUBLED, pawns & below(pawns), ~shift_right(pawns, 8))
        men = pawns
        while men:
            square = lowest(men)
            men = rest(men)
            supporters = has(from_left, square) + has(from_right, square)
            form = 6 * has(neighbours, square) + 2 * supporters + has(opposed, square)
            total += ledger.term(player, squares + (square ^ mirror), 1)
            total += ledger.term(player, f.PAWN + 12 * (square >> 3) + form, 1)
        return total

    @inlined
    def enter_pieces(
        self, view: Seen, kind: int, attack: Attack, area: int, zone: int, squares: int, mirror: int, player: int,
        ledger: Ledger,
    ) -> tuple[int, Attack, int]:  # fmt: skip
        """Enter the pieces of one kind; returns their attacks, all attacks so far, and the value."""
        men = view.own & pieces_of(view, kind)
        total = ledger.term(player, f.MATERIAL + 1 + kind, popcount(men))
        occupied = view.own | view.their
        reached, attacked, twice, attackers, near = 0, attack.all, attack.twice, 0, attack.near
        while men:
            square = lowest(men)
            men = rest(men)
            attacks = self.piece_attacks(view, kind, square, occupied)
            total += ledger.term(player, squares + 64 + 64 * kind + (square ^ mirror), 1)
            total += ledger.term(player, f.MOBILITY[kind] + popcount(attacks & area), 1)
            twice |= attacked & attacks
            attacked |= attacks
            reached |= attacks
            attackers += 1 if attacks & zone else 0
            near += popcount(attacks & zone)
        total += ledger.term(player, f.KING_ATTACKERS + kind, attackers)
        force = attack.force + ATTACKERS[kind] * attackers
        return reached, Attack(attacked, twice, attack.attackers + attackers, near, force), total

    @inlined
    def piece_attacks(self, view: Seen, kind: int, square: int, occupied: int) -> int:
        """Return the squares that a piece attacks, also through own men that move the same way."""
        if kind == KNIGHTS:
            return item(self.knight_steps, square)
        attacks = 0
        if kind != ROOKS:
            attacks = self.bishop_attacks(square, occupied ^ (view.own & view.diagonal & view.straight))
        if kind != BISHOPS:
            attacks |= self.rook_attacks(square, occupied ^ (view.own & view.straight))
        return attacks

    @inlined
    def pieces_and_pawns(
        self, view: Seen, pawns: int, their_pawns: int, pawn_attacks: int, their_king: int, player: int, ledger: Ledger
    ) -> int:
        """Enter features of pieces that depend on the pawns."""
        knights, bishops = view.own & view.knights, view.own & view.diagonal & ~view.straight
        outposts, shields = OUTPOST_RANKS & ~below(beside(their_pawns)), shift_right(view.pawns, 8)
        total = enter_pair(ledger, player, f.OUTPOST, knights & outposts, pawn_attacks)
        total += enter_pair(ledger, player, f.OUTPOST + 2, bishops & outposts, pawn_attacks)
        total += ledger.term(player, f.SHIELDED, popcount(knights & shields))
        total += ledger.term(player, f.SHIELDED + 1, popcount(bishops & shields))
        dark, light = popcount(bishops & DARK), popcount(bishops & ~DARK)
        same_colour = dark * popcount(pawns & DARK) + light * popcount(pawns & ~DARK)
        total += ledger.term(player, f.BISHOP_PAWNS, same_colour)
        total += ledger.term(player, f.BISHOP_PAIR, 1 if dark and light else 0)

        rooks = view.own & view.straight & ~view.diagonal
        open_files, their_open_files = ~upwards(downwards(pawns)), ~upwards(downwards(their_pawns))
        total += enter_pair(ledger, player, f.ROOK_FILE, rooks & open_files, their_open_files)
        useful = their_king >> 3 == 7 or their_pawns & RANK_7 != 0
        return total + ledger.term(player, f.ROOK_SEVENTH, popcount(rooks & RANK_7) if useful else 0)

    # What the players can do to each other --------------------------------------------------------------------------

    @inlined
    def play_of(self, view: Seen, own: Reach, their: Reach, player: int, turn: int, ledger: Ledger) -> int:
        """Enter threats, passed pawns, the safety of the own king, and the danger to the enemy king."""
        total = self.threats(view, own, their, player, ledger)
        total += self.danger_to_king(view, own, their, player, ledger)
        total += self.shelter(view, player, ledger)
        pawns = own.passed
        while pawns:
            total += self.passed_pawn(view, lowest(pawns), own, their, player, turn, ledger)
            pawns = rest(pawns)
        if view.their & ~view.kings == 0:
            king, their_king = lowest(view.own & view.kings), lowest(view.their & view.kings)
            total += ledger.term(player, f.BARE_KING, 7 - distance(king, their_king))
            total += ledger.term(player, f.BARE_KING + 1, from_centre(their_king))
        return total

    @inlined
    def threats(self, view: Seen, own: Reach, their: Reach, player: int, ledger: Ledger) -> int:
        """Enter attacks on weak men, and the space behind the pawns."""
        total = 0
        occupied = view.own | view.their
        strongly = their.pawns | their.twice & ~own.twice
        pieces = view.their & ~view.pawns & ~view.kings
        weak = view.their & own.all & ~strongly & ~view.kings
        defended = pieces & strongly
        safe_pawns = view.own & view.pawns & (~their.all | own.all)
        by_pawns = attacks_up(safe_pawns) & pieces
        pushes = shift_left(view.own & view.pawns, 8) & ~occupied
        pushes |= shift_left(pushes & 0xFF << 16, 8) & ~occupied
        pushes &= ~their.pawns & (own.all | ~their.all)
        by_pushes = attacks_up(pushes) & pieces & ~by_pawns
        by_minors = (own.knights | own.bishops) & (defended | weak)
        by_rooks = own.rooks & weak
        if by_pawns | by_minors | by_rooks:
            for kind in range(PIECE_KINDS):
                men = view.their & pieces_of(view, kind)
                total += ledger.term(player, f.THREAT_PAWN + kind, popcount(by_pawns & men))
                total += ledger.term(player, f.THREAT_MINOR + 1 + kind, popcount(by_minors & men))
                total += ledger.term(player, f.THREAT_ROOK + 1 + kind, popcount(by_rooks & men))
            total += ledger.term(player, f.THREAT_MINOR, popcount(by_minors & view.pawns))
            total += ledger.term(player, f.THREAT_ROOK, popcount(by_rooks & view.pawns))
        total += ledger.term(player, f.THREAT_PUSH, popcount(by_pushes))
        total += ledger.term(player, f.THREAT_KING, 1 if weak & own.king else 0)
        total += ledger.term(player, f.HANGING, popcount(weak & (~their.all | pieces & own.twice)))
        total += ledger.term(player, f.RESTRICTED, popcount(their.all & ~strongly & own.all & ~view.their))
        behind = view.own & view.pawns
        behind |= shift_right(behind, 8)
        behind |= shift_right(behind, 16)
        room = CENTRE_FILES & ~(view.own & view.pawns) & ~their.pawns & ~0xFF
        count = popcount(room) + popcount(room & behind & ~their.all)
        return total + ledger.term(player, f.SPACE, count * popcount(view.own & ~view.pawns))

    @inlined
    def danger_to_king(self, view: Seen, own: Reach, their: Reach, player: int, ledger: Ledger) -> int:
        """Enter the attack on the enemy king."""
        king = lowest(view.their & view.kings)
        occupied = view.own | view.their
        weak = own.all & ~their.twice & (~their.all | their.king | their.queens)
        weak_zone = popcount(item(self.king_zones, king) & weak)
        safe = ~view.own & (~their.all | weak & own.twice)
        screen = occupied ^ (view.their & view.diagonal & view.straight)
        straight, diagonal = self.rook_attacks(king, screen) & safe, self.bishop_attacks(king, screen) & safe
        knight_checks = popcount(item(self.knight_steps, king) & own.knights & safe)
        bishop_checks = popcount(diagonal & own.bishops)
        rook_checks = popcount(straight & own.rooks)
        queen_checks = popcount((straight | diagonal) & own.queens)
        total = ledger.term(player, f.KING_WEAK, weak_zone)
        total += ledger.term(player, f.KING_CHECKS, knight_checks)
        total += ledger.term(player, f.KING_CHECKS + 1, bishop_checks)
        total += ledger.term(player, f.KING_CHECKS + 2, rook_checks)
        total += ledger.term(player, f.KING_CHECKS + 3, queen_checks)
        danger = own.force + 9 * weak_zone
        danger += (40 if knight_checks else 0) + (30 if bishop_checks else 0)
        danger += (50 if rook_checks else 0) + (36 if queen_checks else 0)
        if view.own & view.diagonal & view.straight == 0:
            danger -= 40
        return total + ledger.term(player, f.KING_DANGER + min(max(danger, 0) // 5, f.MOST_DANGER), 1)

    @inlined
    def shelter(self, view: Seen, player: int, ledger: Ledger) -> int:
        """Enter the pawns in front of the king: its own shelter and the enemy's pawn storm."""
        king = lowest(view.own & view.kings)
        ahead = shift_left(-1, king & 56)
        own, their = view.own & view.pawns & ahead, view.their & view.pawns & ahead
        centre = min(max(king & 7, 1), 6)
        total = 0
        for file in range(centre - 1, centre + 2):
            line = shift_left(FILE_A, file)
            edge = min(file, 7 - file)
            rank = lowest(own & line) >> 3 & 7  # without a pawn, lowest is 64 and the rank 0
            storm = lowest(their & line) >> 3 & 7
            blocked = 1 if rank and storm == rank + 1 else 0
            total += ledger.term(player, f.SHELTER + 8 * edge + rank, 1)
            total += ledger.term(player, f.STORM + 32 * blocked + 8 * edge + storm, 1)
        return total

    @inlined
    def passed_pawn(
        self, view: Seen, square: int, own: Reach, their: Reach, player: int, turn: int, ledger: Ledger
    ) -> int:
        """Enter what helps and what hinders a passed pawn."""
        rank = square >> 3
        total = ledger.term(player, f.PASSED + rank, 1)
        if rank < 3:
            return total
        stop = bit(square + 8)
        way = way_of(square)
        if stop & (view.own | view.their):
            total += ledger.term(player, f.PASSED_BLOCKED + rank, 1)
        if stop & their.all:
            total += ledger.term(player, f.PASSED_STOP_ATTACKED + rank, 1)
        if stop & own.all:
            total += ledger.term(player, f.PASSED_STOP_DEFENDED + rank, 1)
        if way & (view.their | their.all) == 0:
            total += ledger.term(player, f.PASSED_WAY_SAFE + rank, 1)
        king, their_king = lowest(view.own & view.kings), lowest(view.their & view.kings)
        near = distance(king, square + 8)
        far = distance(their_king, square + 8)
        total += ledger.term(player, f.PASSED_OWN_KING + near, rank - 2)
        total += ledger.term(player, f.PASSED_THEIR_KING + far, rank - 2)
        behind = shift_left(FILE_A, square & 7) & (bit(square) - 1) & view.straight
        if behind & view.own:
            total += ledger.term(player, f.PASSED_ROOK_BEHIND, 1)
        if behind & view.their:
            total += ledger.term(player, f.PASSED_ROOK_BEHIND + 1, 1)
        if view.their & ~(view.pawns | view.kings) == 0 and way & view.own == 0:
            goal = 56 | square & 7
            away = distance(their_king, goal) - (0 if turn == player else 1)
            if away > 7 - rank:
                total += ledger.term(player, f.PASSED_UNSTOPPABLE, 1)
        return total

    # Middlegame and endgame -----------------------------------------------------------------------------------------

    @inlined
    def phase(self, state: Position) -> int:
        """Return the phase: from 0, an endgame, to 24, a full middlegame."""
        queens = state.diagonal & state.straight
        pieces = popcount(state.knights) + popcount(state.diagonal) + 2 * popcount(state.straight) + popcount(queens)
        return min(pieces, FULL_PHASE)

    @inlined
    def scale(self, state: Position, endgame: int) -> int:
        """Return how much of an endgame advantage of this sign counts, in 64ths: less if it is hard to win."""
        own, their = (state.white, state.black) if endgame > 0 else (state.black, state.white)
        pawns = popcount(own & state.pawns)
        if pawns == 0:
            edge = force(state, own) - force(state, their)
            if edge <= 3:
                return 4 if force(state, own) <= 3 else 12
        bishops = state.diagonal & ~state.straight
        ours, theirs = own & bishops, their & bishops
        opposite = (
            ours and theirs and rest(ours) == 0 and rest(theirs) == 0 and (ours & DARK == 0) != (theirs & DARK == 0)
        )
        if opposite:
            return 28 if state.knights | state.straight == 0 else min(FULL_SCALE, 40 + 3 * pawns)
        return min(FULL_SCALE, 40 + 5 * pawns)

    # Tables ---------------------------------------------------------------------------------------------------------

    @cached_property
    def weights(self) -> np.ndarray:
        return packed_weights(Path(self.weights_file) if self.weights_file else WEIGHTS_FILE)

    @cached_property
    def king_zones(self) -> np.ndarray:
        return king_zones()


ATTACKERS = (8, 5, 6, 7)
"""How much a knight, bishop, rook or queen adds to the force of an attack on the king."""


@inlined
def pieces_of(view: Seen, kind: int) -> int:
    """Return both players' pieces of one kind."""
    if kind == KNIGHTS:
        return view.knights
    if kind == BISHOPS:
        return view.diagonal & ~view.straight
    return view.straight & ~view.diagonal if kind == ROOKS else view.diagonal & view.straight


@inlined
def enter_pair(ledger: Ledger, player: int, index: int, men: int, board: int) -> int:
    """Enter a feature for the men not on ``board``, and the next feature for those on it."""
    return ledger.term(player, index, popcount(men & ~board)) + ledger.term(player, index + 1, popcount(men & board))


@inlined
def turned_reach(reach: Reach) -> Reach:
    """Return a player's attacks from the other player's side."""
    return Reach(
        upside_down(reach.pawns), upside_down(reach.knights), upside_down(reach.bishops), upside_down(reach.rooks),
        upside_down(reach.queens), upside_down(reach.king), upside_down(reach.all), upside_down(reach.twice),
        upside_down(reach.passed), reach.force,
    )  # fmt: skip


@inlined
def from_centre(square: int) -> int:
    """Return the distance of a square from the four central ones, along files and ranks."""
    file, rank = square & 7, square >> 3
    return max(3 - file, file - 4) + max(3 - rank, rank - 4)


@inlined
def force(state: Position, own: int) -> int:
    """Return the value of a player's pieces in pawns: 3 for a minor piece, 5 for a rook, 9 for a queen."""
    return (
        3 * popcount(own & (state.knights | state.diagonal & ~state.straight))
        + 5 * popcount(own & state.straight & ~state.diagonal)
        + 9 * popcount(own & state.straight & state.diagonal)
    )


@inlined
def middlegame_of(total: int) -> int:
    """Return the lower half of a word, as a signed number."""
    low = total & 0xFFFFFFFF
    return low - (low >> 31 << 32)


@inlined
def endgame_of(total: int) -> int:
    """Return the upper half of a word whose lower half is signed."""
    return total + 0x80000000 >> 32
