"""Static exchange evaluation: what a move wins if all further captures happen on its target square.

Both players capture with their least valuable man that legally can, and stop when another capture would lose material.
A pawn that reaches the last rank still counts as a pawn, except on the first move.
"""

from __future__ import annotations

from plywise.bits import item, lowest, rest
from plywise.compiling.native import inlined
from plywise.game import Number
from plywise.games.chess.board import BLACK, KING, PAWN, WHITE, Position, bit, kind_at, men
from plywise.games.chess.evaluation import VALUES
from plywise.games.chess.move import CASTLE, EN_PASSANT, NOISY, PROMOTED, PROMOTION, kind_of, source_of, target_of
from plywise.games.chess.playing import Playing

STEPS = 6
KINGS_WORTH = 10_000
"""More than any exchange: a king that captured is never captured."""


class Exchange(Playing):
    """Static exchange evaluation of moves."""

    def see(self, state: Position, move: int) -> int:
        """Return what a legal move wins, in centipawns; negative if it loses."""
        if kind_of(move) == CASTLE:
            return 0
        taken, standing = self.stake(state, move)
        occupied = self.occupied_after(state, move)
        return taken - exchange(self, state, target_of(move), occupied, 1 - (state.ply & 1), standing)

    def see_at_least(self, state: Position, move: int, threshold: int) -> bool:
        """Return whether ``see(state, move) >= threshold``; stops as soon as that is decided."""
        if kind_of(move) == CASTLE:
            return threshold <= 0
        taken, standing = self.stake(state, move)
        balance = taken - threshold  # for the last player to capture, if no capture follows
        if balance < 0:
            return False
        target, occupied, player = target_of(move), self.occupied_after(state, move), state.ply & 1
        while balance < standing:  # else losing the man does not matter
            source = self.cheapest_attacker(state, target, occupied, 1 - player)
            if source < 0:
                break
            occupied ^= bit(source)
            balance = standing - balance - 1
            standing = self.worth(kind_at(state, source))
            player = 1 - player
        return player == state.ply & 1

    def stake(self, state: Position, move: int) -> tuple[int, int]:
        """Return what a move wins at once, and the value of the man then on its target."""
        kind, target = kind_of(move), target_of(move)
        standing = self.worth(kind_at(state, source_of(move)))
        taken = VALUES[PAWN] if kind == EN_PASSANT else VALUES[kind_at(state, target)]
        if kind & PROMOTION:
            promoted = VALUES[PROMOTED[kind & 3]]
            return taken + promoted - standing, promoted
        return taken, standing

    def worth(self, kind: int) -> int:
        """Return the value that a man puts at risk by capturing."""
        return KINGS_WORTH if kind == KING else VALUES[kind]

    def occupied_after(self, state: Position, move: int) -> int:
        """Return the occupied squares after a move, including its target."""
        occupied = (state.white | state.black) & ~bit(source_of(move)) | bit(target_of(move))
        if kind_of(move) == EN_PASSANT:
            occupied ^= bit(target_of(move) - self.forward(state))
        return occupied

    def cheapest_attacker(self, state: Position, target: int, occupied: int, player: int) -> int:
        """Return the square of the least valuable man that may capture on ``target``; -1 if there is none."""
        own = men(state, player) & occupied & ~bit(target)
        attackers = self.attackers(state, target, occupied) & own
        for step in range(STEPS):
            sources = attackers & self.men_of_step(state, step)
            while sources:
                if self.is_safe(state, lowest(sources), target, occupied, player):
                    return lowest(sources)
                sources = rest(sources)
        return -1

    @inlined
    def men_of_step(self, state: Position, step: int) -> int:
        """Return both players' men of one kind; step 0 is the cheapest kind."""
        if step == 0:
            return state.pawns
        if step == 1:
            return state.knights
        if step == 2:
            return state.diagonal & ~state.straight
        if step == 3:
            return state.straight & ~state.diagonal
        return state.diagonal & state.straight if step == 4 else state.kings

    def is_safe(self, state: Position, source: int, target: int, occupied: int, player: int) -> bool:
        """Return whether a capture leaves the capturing player's king out of check."""
        their = men(state, 1 - player) & occupied & ~bit(target)
        after = occupied & ~bit(source)
        king = lowest(men(state, player) & state.kings)
        if king == source:
            return self.attackers(state, target, after) & their == 0
        return self.slider_attackers(state, king, after) & their == 0

    @inlined
    def attackers(self, state: Position, square: int, occupied: int) -> int:
        """Return both players' men that attack a square, given the occupied squares."""
        return (
            item(self.pawn_steps, BLACK << 6 | square) & state.pawns & state.white
            | item(self.pawn_steps, WHITE << 6 | square) & state.pawns & state.black
            | item(self.knight_steps, square) & state.knights
            | item(self.king_steps, square) & state.kings
            | self.slider_attackers(state, square, occupied)
        )

    @inlined
    def gain(self, state: Position, move: int) -> int:
        """Return a number that ranks captures and promotions by what they win, then by the cheapest attacker (MVV-LVA).

        It is 0 for all other moves.
        """
        if kind_of(move) & NOISY == 0:
            return 0
        taken, _ = self.stake(state, move)
        return 16 * taken + 8 - kind_at(state, source_of(move))

    def wins_at_least(self, state: Position, move: int, amount: Number) -> bool:
        return self.see_at_least(state, move, int(amount))


def exchange(game: Exchange, state: Position, target: int, occupied: int, player: int, prize: int) -> int:
    """Return what a player wins by capturing a man worth ``prize``; 0 if it is better not to."""
    source = game.cheapest_attacker(state, target, occupied, player)
    if source < 0:
        return 0
    reply = exchange(game, state, target, occupied ^ bit(source), 1 - player, game.worth(kind_at(state, source)))
    return max(0, prize - reply)
