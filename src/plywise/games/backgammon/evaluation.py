"""An estimate of the expected score, from the pips that both players still need: one for each man and point.

In a race, Kleinman's formula gives the probability to win from the lead and the length of the race.  While the players
can still hit each other, points made and men in danger count as pips of the lead, and the outcome is less certain.  The
same formula estimates a gammon: a race of the winner's last man against the loser's first.
"""

from __future__ import annotations

import math

from plywise.bits import lowest, popcount, rest, size
from plywise.games.backgammon.position import BAR, HOME, OFF, POINTS, Men

TURN = 4.0
"""The pips that the turn is worth: half a roll."""
CONTACT = 3000.0
"""By how much contact makes the outcome less certain, as pips of a longer race."""
SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
"""How many of 36 rolls hit a man at a distance of 1 to 12, if nothing is in the way."""
MADE = (0, -6, -3, 3, 9, 12, 9, 9, 6, 3, 0, 0, 0, 1, 1, 1, 3, 3, 6, 6, 10, 8, 3, -1, -8)
"""What it is worth to have made point 1 to 24.  Men deep in either home are out of play."""
STACKED = 3.0
"""What each man above the third on a point loses."""
NEIGHBOURS = 4.0
"""What two points side by side are worth, if both are made."""
CLOSED = 4.0
"""What a man on the bar loses for each point that the opponent has made at home."""
EXPOSED, LATER = 0.8, 0.3
"""The share of a loss by a hit that counts, if the opponent rolls next, and if the player can still move away."""


def estimate(mine: Men, theirs: Men) -> float:
    """Return an estimate of the expected score of the player whose turn it is, from -2 to 2."""
    my_pips, their_pips = pips(mine), pips(theirs)
    lead, length = their_pips - my_pips + TURN, float(my_pips + their_pips)
    if in_contact(mine, theirs):
        lead += formation(mine, theirs) - formation(theirs, mine)
        lead += EXPOSED * danger(theirs, mine) - LATER * danger(mine, theirs)
        length += CONTACT
    wins = ahead(lead, length)
    gammons = ahead(to_save(theirs) - my_pips + TURN, length) if theirs.count(OFF) == 0 else 0.0
    gammons_lost = ahead(to_save(mine) - their_pips - TURN, length) if mine.count(OFF) == 0 else 0.0
    return wins * (1 + gammons) - (1 - wins) * (1 + gammons_lost)


def in_contact(mine: Men, theirs: Men) -> bool:
    """Return whether the players can still hit each other: the rearmost men have not passed."""
    return size(mine.occupied()) + size(theirs.occupied()) - 2 > 25


def ahead(lead: float, length: float) -> float:
    """Return the probability to win a race of this length with this lead (Kleinman)."""
    return (1 + math.erf(lead / math.sqrt(max(length, 1.0)))) / 2


def pips(men: Men) -> int:
    """Return the pips that a player needs to bear off all men."""
    return beyond(men, OFF)


def to_save(men: Men) -> int:
    """Return the pips that a player needs to bear off one man, which saves the gammon."""
    return beyond(men, 6) + 6


def beyond(men: Men, goal: int) -> int:
    """Return the pips that a player needs to bring all men to a point or past it."""
    total, left = 0, men.occupied() & ~((2 << goal) - 1)
    while left:
        point = lowest(left)
        total += (point - goal) * men.count(point)
        left = rest(left)
    return total


def formation(men: Men, others: Men) -> float:
    """Return what the points that a player has made are worth, less the trouble of men on the bar, in pips."""
    made = men.made() & POINTS
    total = NEIGHBOURS * popcount(made & made >> 1 & (1 << 12) - 1)
    total -= CLOSED * men.count(BAR) * popcount(others.made() & HOME)
    while made:
        point = lowest(made)
        total += MADE[point] - STACKED * max(0, men.count(point) - 3)
        made = rest(made)
    return total


def danger(men: Men, others: Men) -> float:
    """Return the pips that a player would lose on average if the others rolled now: single men may be hit."""
    total, left, rear = 0.0, men.occupied() & ~men.made() & POINTS, others.occupied()
    delay = 3 * popcount(others.made() & HOME)
    while left:
        point = lowest(left)
        hitters, shots = rear >> 26 - point & (1 << 12) - 1, 0
        while hitters:
            shots += SHOTS[lowest(hitters) + 1]
            hitters = rest(hitters)
        total += min(shots, 36) / 36 * (25 - point + delay)
        left = rest(left)
    return total
