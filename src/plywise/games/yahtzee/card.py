"""The score card: thirteen categories, each scored once, and the points for a hand in each of them.

Upper section: the sum of the dice that show a face; 63 points or more there bring a bonus of 35.  Lower section: three
or four of a kind and chance count all dice, a full house 25, four in sequence 30, five in sequence 40, and a yahtzee,
five of a kind, 50.

A further yahtzee, after one that was scored with 50 points, brings a bonus of 100.  It is also a joker, if the yahtzee
box and the box of its face in the upper section are both used: then it counts as a full house and as a straight.  These
are the rules of the known results (Verhoeff 1999).  The rule book also forces the choice: the box of its face, if it is
free; else one in the lower section; else one in the upper section, with nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from plywise.bits import item, lowest, popcount, rest
from plywise.games.yahtzee.dice import DICE, FACES, FULL, HANDS

CATEGORIES = (
    "ones", "twos", "threes", "fours", "fives", "sixes",
    "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance",
)  # fmt: skip
HOUSE, SMALL, LARGE, YAHTZEE = 8, 9, 10, 11
UPPER = (1 << FACES) - 1
"""The categories of the upper section, one bit each."""
ALL = (1 << len(CATEGORIES)) - 1

ENOUGH, UPPER_BONUS = 63, 35
YAHTZEE_POINTS, YAHTZEE_BONUS = 50, 100
MOST = (5, 10, 15, 20, 25, 30, 30, 30, 25, 30, 40, YAHTZEE_POINTS, 30)
"""The most points of each category."""
FIXED = (0, 0, 0, 0, 0, 0, 0, 0, 25, 30, 40, 0, 0)
"""The points of the categories in which every hand that fits counts the same, and so does a joker."""


class Card(NamedTuple):
    used: int
    """The categories used, one bit each."""
    upper: int
    """The points of the upper section; 63 stands for all that bring the bonus."""
    bonus: int
    """1 if a further yahtzee brings the bonus, because one was scored."""
    total: int
    """All points, with bonuses."""


EMPTY = Card(0, 0, 0, 0)


class CardRules:
    """What a hand is worth on a score card.  A part of the game and of its solver."""

    bonus: bool
    """Whether there are jokers and a bonus for further yahtzees."""
    forced: bool
    """Whether a player may not choose where to score a further yahtzee."""

    @cached_property
    def points(self) -> np.ndarray:
        """The points in each category, hand by hand of five dice.  Without jokers, a yahtzee is a full house too."""
        found = np.array([points_of(hand) for hand in HANDS[FULL:]])
        if not self.bonus:
            found[self.faces >= 0, HOUSE] = FIXED[HOUSE]
        return found.ravel()

    def points_for(self, hand: int, category: int) -> int:
        """Return the points for a hand of five dice in a category."""
        return item(self.points, len(CATEGORIES) * (hand - FULL) + category)

    @cached_property
    def faces(self) -> np.ndarray:
        """For each hand of five dice, the category of its face if it is a yahtzee, else -1."""
        return np.array([hand[0] - 1 if len(set(hand)) == 1 else -1 for hand in HANDS[FULL:]])

    def face(self, hand: int) -> int:
        """Return the category of the face of a yahtzee; -1 for another hand of five dice."""
        return item(self.faces, hand - FULL)

    def is_another(self, card: Card, hand: int) -> bool:
        """Return whether a hand is a yahtzee that comes after the yahtzee box was used."""
        return self.bonus and self.face(hand) >= 0 and card.used >> YAHTZEE & 1 == 1

    def boxes(self, card: Card, hand: int) -> int:
        """Return the categories in which a hand of five dice may be scored, one bit each."""
        free = ALL & ~card.used
        if self.forced and self.is_another(card, hand):
            face = free & 1 << self.face(hand)
            return face if face else free & ~UPPER if free & ~UPPER else free
        return free

    def most_to_come(self, card: Card) -> int:
        """Return the most points that the free categories can add, with bonuses."""
        free, most, upper = ALL & ~card.used, 0, card.upper
        if self.bonus and (card.bonus or free >> YAHTZEE & 1):
            most += YAHTZEE_BONUS * popcount(free & ~(1 << YAHTZEE))
        while free:
            category = lowest(free)
            most += MOST[category]
            upper += MOST[category] if category < FACES else 0
            free = rest(free)
        return most + (UPPER_BONUS if card.upper < ENOUGH <= upper else 0)

    def scored(self, card: Card, hand: int, category: int) -> Card:
        """Return the card after a hand of five dice is scored in a category."""
        another = self.is_another(card, hand)
        joker = another and card.used >> self.face(hand) & 1 == 1
        gained = FIXED[category] if joker and FIXED[category] else self.points_for(hand, category)
        upper, bonus, total = card.upper, card.bonus, card.total + gained
        if category < FACES:
            upper = min(ENOUGH, upper + gained)
            total += UPPER_BONUS if card.upper < ENOUGH <= upper else 0
        if another:
            total += YAHTZEE_BONUS * card.bonus
        elif self.bonus and category == YAHTZEE and gained:
            bonus = 1
        return Card(card.used | 1 << category, upper, bonus, total)


def points_of(hand: tuple[int, ...]) -> list[int]:
    """Return the points for five dice in each category.

    >>> points_of((3, 3, 3, 5, 5))
    [0, 0, 9, 0, 10, 0, 19, 0, 25, 0, 0, 0, 19]
    """
    counts = sorted(map(hand.count, set(hand)))
    small = any({low, low + 1, low + 2, low + 3} <= set(hand) for low in (1, 2, 3))
    large = len(counts) == DICE and max(hand) - min(hand) == DICE - 1
    return [
        *(face * hand.count(face) for face in range(1, FACES + 1)),
        sum(hand) if counts[-1] >= 3 else 0,
        sum(hand) if counts[-1] >= 4 else 0,
        FIXED[HOUSE] if counts == [2, 3] else 0,
        FIXED[SMALL] if small else 0,
        FIXED[LARGE] if large else 0,
        YAHTZEE_POINTS if counts == [DICE] else 0,
        sum(hand),
    ]
