"""Up to five dice, whose order does not matter: 462 hands, of which 252 are of five dice.

A hand has a number.  Hands are ordered by how many dice they have, so 0 is the empty hand, and the hands of ``count``
dice are ``FIRST[count]`` to ``FIRST[count + 1] - 1``.  A hand also has a code: six digits to the base 6, which say how
often each face occurs.  The code of two hands together is the sum of their codes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np

DICE = 5
FACES = 6
HANDS: tuple[tuple[int, ...], ...] = tuple(
    hand for count in range(DICE + 1) for hand in combinations_with_replacement(range(1, FACES + 1), count)
)
"""All hands, by number, with their dice in ascending order."""
FIRST: tuple[int, ...] = tuple(math.comb(FACES + count - 1, FACES) for count in range(DICE + 2))
FULL = FIRST[DICE]
"""The first hand of five dice."""
MOST_KEPT = 2**DICE
"""More than the hands that can be kept of five dice, when at least one rolls again."""
NUMBER = {hand: number for number, hand in enumerate(HANDS)}
"""The number of a hand."""


def hand_of(text: str) -> int:
    """Return the number of a hand, given as digits in any order; -1 if it is none.

    >>> HANDS[hand_of("63361")], hand_of("-"), hand_of("7")
    ((1, 3, 3, 6, 6), 0, -1)
    """
    faces = "" if text == "-" else text
    return (
        NUMBER.get(tuple(sorted(map(int, faces))), -1) if faces == "" or (faces.isascii() and faces.isdecimal()) else -1
    )


def hand_text(hand: int) -> str:
    """Return the dice of a hand as digits; a dash for none."""
    return "".join(map(str, HANDS[hand])) or "-"


@functools.cache
def codes() -> np.ndarray:
    """Return the code of each hand."""
    return np.array([sum(FACES ** (face - 1) for face in hand) for hand in HANDS])


@functools.cache
def numbers() -> np.ndarray:
    """Return the number of the hand with each code; -1 for codes of more than five dice."""
    found = np.full(FACES**FACES, -1)
    found[codes()] = np.arange(len(HANDS))
    return found


@functools.cache
def sizes() -> np.ndarray:
    """Return how many dice each hand has."""
    return np.array(list(map(len, HANDS)))


@functools.cache
def chances() -> np.ndarray:
    """Return the probability that as many dice as a hand has show this hand."""
    ways = [math.factorial(len(hand)) // math.prod(math.factorial(hand.count(f)) for f in set(hand)) for hand in HANDS]
    return np.array([way / FACES ** len(hand) for way, hand in zip(ways, HANDS, strict=True)])


@functools.cache
def with_face() -> np.ndarray:
    """Return, for each hand and face, the hand with one more die of that face; -1 for hands of five dice."""
    return np.array([[NUMBER.get(tuple(sorted((*hand, face))), -1) for face in range(1, FACES + 1)] for hand in HANDS])


@functools.cache
def kept() -> np.ndarray:
    """Return, for each hand of five dice, the hands that can be kept of it, then -1: ``MOST_KEPT`` numbers."""
    rows = [sorted(set(_parts(hand))) for hand in HANDS[FULL:]]
    return np.array([row + [-1] * (MOST_KEPT - len(row)) for row in rows]).ravel()


def _parts(hand: tuple[int, ...]) -> Iterator[int]:
    """Yield the hands of fewer dice in a hand of five."""
    for chosen in range(2**DICE - 1):
        yield NUMBER[tuple(face for place, face in enumerate(hand) if chosen >> place & 1)]
