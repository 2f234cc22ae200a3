"""Static exchange evaluation: what a move wins if the exchange that it begins goes on on its square alone.

Both players capture with the least valuable man that legally can, and stop when going on would cost them.  A pawn that
arrives on the last rank counts as a pawn, except for the first move.
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
"""More than all exchanges: a king that captured is never captured."""


class Exchange(Playing):
    """What captures win."""

    def see(self, state: Position, move: int) -> int:
        """Return what a legal move wins, in centipawns; below 0, what it loses."""
        if kind_of(move) == CASTLE:
            return 0
        taken, standing = self.stake(state, move)
        occupied = self.occupied_after(state, move)
        return taken - exchange(self, state, target_of(move), occupied, 1 - (state.ply & 1), standing)

    def see_at_least(self, state: Position, move: int, threshold: int) -> bool:
        """Return whether ``see(state, move) >= threshold``, with no more of the exchange than that needs."""
        if kind_of(move) == CASTLE:
            return threshold <= 0
        taken, standing = self.stake(state, move)
        balance = taken - threshold  # for who has just captured, if that was the last capture
        if balance < 0:
            return False
        target, occupied, player = target_of(move), self.occupied_after(state, move), state.ply & 1
        while balance < standing:  # else being captured does not hurt
            source = self.cheapest_attacker(state, target, occupied, 1 - player)
            if source < 0:
                break
            occupied ^= bit(source)
            balance = standing - balance - 1
            standing = self.worth(kind_at(state, source))
            player = 1 - player
        return player == state.ply & 1

    def stake(self, state: Position, move: int) -> tuple[int, int]:
        """Return what a move wins at once, and what then stands on its square."""
        kind, target = kind_of(move), target_of(move)
        standing = self.worth(kind_at(state, source_of(move)))
        taken = VALUES[PAWN] if kind == EN_PASSANT else VALUES[kind_at(state, target)]
        if kind & PROMOTION:
            promoted = VALUES[PROMOTED[kind & 3]]
            return taken + promoted - standing, promoted
        return taken, standing

    def worth(self, kind: int) -> int:
        """Return what a man risks by capturing."""
        return KINGS_WORTH if kind == KING else VALUES[kind]

    def occupied_after(self, state: Position, move: int) -> int:
        """Return which squares are occupied after a move, its target among them."""
        occupied = (state.white | state.black) & ~bit(source_of(move)) | bit(target_of(move))
        if kind_of(move) == EN_PASSANT:
            occupied ^= bit(target_of(move) - self.forward(state))
        return occupied

    def cheapest_attacker(self, state: Position, target: int, occupied: int, player: int) -> int:
        """Return where the least valuable man stands with which a player may capture on ``target``; -1 for nowhere."""
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
        """Return the men of both players of one kind, the cheapest kind first."""
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
        """Return whether a capture leaves the king of the player who makes it out of check."""
        their = men(state, 1 - player) & occupied & ~bit(target)
        after = occupied & ~bit(source)
        king = lowest(men(state, player) & state.kings)
        if king == source:
            return self.attackers(state, target, after) & their == 0
        return self.slider_attackers(state, king, after) & their == 0

    @inlined
    def attackers(self, state: Position, square: int, occupied: int) -> int:
        """Return the men of both players that attack a square on a board so occupied."""
        return (
            item(self.pawn_steps, BLACK << 6 | square) & state.pawns & state.white
            | item(self.pawn_steps, WHITE << 6 | square) & state.pawns & state.black
            | item(self.knight_steps, square) & state.knights
            | item(self.king_steps, square) & state.kings
            | self.slider_attackers(state, square, occupied)
        )

    @inlined
    def gain(self, state: Position, move: int) -> int:
        """Return, for a capture or a promotion, the value of what it takes or makes and, for equal ones, the cheapest
        attacker first (MVV-LVA).
        """
        if kind_of(move) & NOISY == 0:
            return 0
        taken, _ = self.stake(state, move)
        return 16 * taken + 8 - kind_at(state, source_of(move))

    def wins_at_least(self, state: Position, move: int, amount: Number) -> bool:
        return self.see_at_least(state, move, int(amount))


def exchange(game: Exchange, state: Position, target: int, occupied: int, player: int, prize: int) -> int:
    """Return what a player wins by capturing a man worth ``prize``, or by leaving it alone."""
    source = game.cheapest_attacker(state, target, occupied, player)
    if source < 0:
        return 0
    reply = exchange(game, state, target, occupied ^ bit(source), 1 - player, game.worth(kind_at(state, source)))
    return max(0, prize - reply)
