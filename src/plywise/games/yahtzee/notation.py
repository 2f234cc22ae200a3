"""Score cards as text: ``xx-----x---y- 8 88`` is the categories, the points of the upper section, and the total."""

from __future__ import annotations

from collections.abc import Sequence

from plywise.games.yahtzee.card import CATEGORIES, ENOUGH, UPPER, UPPER_BONUS, YAHTZEE, YAHTZEE_POINTS, Card

FREE, USED, SCORED = "-", "x", "y"
"""A free category, a category used, and the yahtzee box with 50 points."""
EXAMPLES = {1: "xx-----x---y- 8 88; max 1 13336", 2: "------x--x--- 0 25; x------x----- 3 25; max 1 25"}
"""A position, by the number of players."""


def written_card(card: Card) -> str:
    """Return a card as text.

    >>> written_card(Card(0b100000000011, 8, 1, 58))
    'xx---------y- 8 58'
    """
    marks = [USED if card.used >> category & 1 else FREE for category in range(len(CATEGORIES))]
    marks[YAHTZEE] = SCORED if card.bonus else marks[YAHTZEE]
    return f"{''.join(marks)} {card.upper} {card.total}"


def read_card(words: Sequence[str], bonus: bool) -> Card:
    """Return the card that a text describes.

    Raises:
        ValueError: it describes none; the message says why.
    """
    if len(words) != 3 or len(words[0]) != len(CATEGORIES) or not all(_is_number(word) for word in words[1:]):
        raise ValueError(f"a card is {len(CATEGORIES)} letters, the points of the upper section and the total")
    marks, upper, total = words[0], int(words[1]), int(words[2])
    others = marks[:YAHTZEE] + marks[YAHTZEE + 1 :]
    if (
        set(others) - {FREE, USED}
        or marks[YAHTZEE] not in (FREE, USED, SCORED)
        or (marks[YAHTZEE] == SCORED and not bonus)
    ):
        raise ValueError(f"the letters of a card are {FREE} for free and {USED} for used"
                         + (f", and {SCORED} for a yahtzee of {YAHTZEE_POINTS} points" if bonus else ""))  # fmt: skip
    used = sum(1 << category for category, mark in enumerate(marks) if mark != FREE)
    scored = marks[YAHTZEE] == SCORED
    most = min(ENOUGH, sum(5 * (face + 1) for face in range(6) if used & UPPER & 1 << face))
    least = upper + (UPPER_BONUS if upper == ENOUGH else 0) + (YAHTZEE_POINTS if scored else 0)
    if upper > most:
        raise ValueError(
            f"the upper section has {upper} points, but can have at most {most} ({ENOUGH} stands for more)"
        )
    if not least <= total <= 1575:
        raise ValueError(f"the total is {total}, but must be from {least} to 1575")
    return Card(used, upper, int(scored), total)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 4
