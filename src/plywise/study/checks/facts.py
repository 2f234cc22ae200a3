"""Theory: candidates and proven bounds agree with plain minimax.  A wrong fact would lead to a wrong proof."""

from __future__ import annotations

from plywise.game import Move, Number, sign
from plywise.layers import Theory
from plywise.study.checks.outlook import DEPTHS, Outlook
from plywise.study.checks.part import Answers, Part, Place, is_interval

MOST_LOOKED_AT = 300
"""Positions to visit per fact, at most: near the end of a game a few are enough to find the value."""


class Facts(Part):
    """Candidates are legal and include a best move; proven bounds hold, as far as a short look ahead can tell."""

    layer = Theory

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers:
        self.subject.attempt(self.check_candidates, place, moves, answers)
        self.subject.attempt(self.check_proven_bounds, place)
        return self.subject.attempt(self.nearly_over, place)

    def nearly_over(self, place: Place) -> Answers:
        """Return the answer for the comparison with compiled code: any will do, because it changes no value."""
        return {"nearly_over": bool(self.subject.ask("nearly_over", place.state, place=place))}

    def check_candidates(self, place: Place, moves: list[Move], answers: Answers) -> None:
        """Check that no move is better than all candidates."""
        subject = self.subject
        candidates = subject.ask("candidates", place.state, place=place)
        for move in candidates:
            if move not in moves:
                raise subject.illegal("candidates", "candidates", move, place)
        if not candidates:
            raise subject.wrong("candidates", "candidates yields no move", place)
        after = {move: place.after(move, state) for move, state in answers.get("play", {}).items()}
        if "to_move" not in answers or any(move not in after for move in candidates):
            return  # other parts have reported that
        outlook = Outlook(subject, MOST_LOOKED_AT)
        for depth in DEPTHS if subject.players == 2 else ():
            worth = {
                move: self.worth(outlook, reached, answers["to_move"], depth - 1) for move, reached in after.items()
            }
            if outlook.left < 0:
                return
            best = max(worth, key=lambda move: worth[move][0])
            most = max(worth[move][1] for move in candidates)
            if worth[best][0] > most:
                text = subject.move_text(place.state, best)
                missed = f"candidates leaves out {text}, worth {worth[best][0]}"
                raise subject.wrong("candidates", f"{missed}; the best candidate is worth {most} at most", place)

    def worth(self, outlook: Outlook, place: Place, player: int, depth: int) -> tuple[Number, Number]:
        """Return two numbers that enclose the value of a position for a player."""
        low, high = outlook.for_max(place, depth)
        return (low, high) if sign(player) > 0 else (-high, -low)

    def check_proven_bounds(self, place: Place) -> None:
        """Check that the value lies between the proven bounds."""
        subject = self.subject
        proven = subject.ask("proven_bounds", place.state, place=place)
        if not is_interval(proven):
            message = f"proven_bounds must return two numbers, the first not above the second, not {proven!r}"
            raise subject.wrong("proven-bounds", message, place)
        outlook = Outlook(subject, MOST_LOOKED_AT)
        for depth in DEPTHS if subject.players == 2 else ():
            low, high = outlook.for_max(place, depth)
            if proven[1] < low or proven[0] > high:
                value = f"{low}" if low == high else f"between {low} and {high}"
                message = f"proven_bounds returns {proven[0]} to {proven[1]}, but the value is {value}"
                raise subject.wrong("proven-bounds", message, place)
