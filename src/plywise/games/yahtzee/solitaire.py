"""Yahtzee for one player, solved exactly: the expected points still to come, for every score card between two turns.

What a card is worth depends on its used categories, the points of the upper section and whether a further yahtzee
brings a bonus: 8192 x 64 x 2 cards.  They are solved backwards, from the full card to the empty one (Verhoeff 1999;
Woodward 2003).  So is each turn.  After the last roll, five dice are worth as much as their best category.  Fewer dice,
that is dice that were kept, are worth the average over one more die.  And before a roll, five dice are worth as much as
the best of the hands that can be kept of them.

The table takes some seconds to make, once; it is kept in the cache folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numba
import numpy as np

from plywise.bits import lowest, rest
from plywise.compiling import cache_folder
from plywise.compiling.bridge import entry
from plywise.compiling.fingerprint import class_fingerprint, fingerprint
from plywise.compiling.native import Native
from plywise.compiling.once import made_once
from plywise.compiling.progress import Compiling, compile_notice
from plywise.games.yahtzee.card import ALL, EMPTY, ENOUGH, YAHTZEE, Card, CardRules
from plywise.games.yahtzee.dice import FACES, FULL, HANDS, with_face

REROLLS = 2
"""How often a player may roll again in a turn."""
WHAT = "the table of Yahtzee's score cards"
"""What is made, in progress messages."""
SIZE = 8 << 20
"""The bytes of the table."""
USUAL_SECONDS = 10.0
"""How long it takes to make it."""
STEP = 64
"""The sets of used categories that are solved between two progress messages."""


class TurnRules(CardRules):
    """What the hands of a turn are worth, if the cards after it have known values."""

    @cached_property
    def with_face(self) -> np.ndarray:
        """For each hand and face, the hand with one more die."""
        return with_face()

    def best_box(self, card: Card, hand: int, values: Any) -> float:
        """Return the expected points still to come if a hand of five dice is scored now, as well as possible."""
        best, boxes = 0.0, self.boxes(card, hand)
        while boxes:
            after = self.scored(card, hand, lowest(boxes))
            best = max(best, after.total - card.total + values[place_of(after)])
            boxes = rest(boxes)
        return best

    def hands(self, card: Card, rerolls: int, values: Any, worth: Any) -> None:
        """Find what all hands are worth with this many rolls left: hands of five dice before a player chooses, others
        before the dice that are missing roll.
        """
        for hand in range(FULL, len(HANDS)):
            worth[hand] = self.best_box(card, hand, values)
        self.roll(worth)
        for _ in range(rerolls):
            for hand in range(FULL):  # a hand is worth at least as much as every hand in it with one die less
                for face in range(FACES):
                    larger = self.with_face[hand, face]
                    worth[larger] = max(worth[larger], worth[hand])
            self.roll(worth)

    def roll(self, worth: Any) -> None:
        """Find what hands of fewer than five dice are worth: the average over one more die."""
        for hand in range(FULL - 1, -1, -1):
            total = 0.0
            for face in range(FACES):
                total += worth[self.with_face[hand, face]]
            worth[hand] = total / FACES


class Solitaire(TurnRules, Native):
    """The rules that solving needs, as an object that compiled code can hold."""

    bonus: bool
    forced: bool

    def initial(self) -> Card:
        """Return the empty card."""
        return EMPTY


def place_of(card: Card) -> int:
    """Return the place of a card in the table."""
    return (card.used << 7) + (card.upper << 1) + card.bonus


def solve_cards(game: Solitaire, card: Card, first: int, last: int, values: Any, worth: Any) -> int:
    """Solve all cards whose used categories are ``last`` down to ``first``; cards with more are solved already."""
    solved = 0
    for used in range(last, first - 1, -1):
        for upper in range(ENOUGH + 1):
            for bonus in range(1 + (used >> YAHTZEE & 1)):
                card = Card(used, upper, bonus, 0)
                if used != ALL:
                    game.hands(card, REROLLS, values, worth)
                    values[place_of(card)] = worth[0]
                    solved += 1
    return solved


def solution(bonus: bool, forced: bool) -> np.ndarray:
    """Return the expected points still to come for every card, at its ``place_of``, from the cache folder if possible.

    The empty array stands for no table: where Numba is switched off, solving would take hours.
    """
    key = (bonus, forced)
    if key not in _known:
        _known[key] = _found_or_made(Solitaire(bonus, forced))
    return _known[key]


_known: dict[tuple[bool, bool], np.ndarray] = {}


def _found_or_made(game: Solitaire) -> np.ndarray:
    path = _file(game)
    found = _read(path)
    if found is None and not numba.config.DISABLE_JIT:
        with made_once(path, lambda since: _tell(0.0, since, elsewhere=True)):
            found = _read(path)  # another process may have made it meanwhile
            if found is None:
                found = _solved(game)
                with contextlib.suppress(OSError):  # then it is made again next time
                    cache_folder.write(path, found.tobytes())
        compile_notice.get()(None)
    return np.zeros(0) if found is None else found


def _solved(game: Solitaire) -> np.ndarray:
    """Solve all cards, and tell how far it is."""
    compiled = entry(cast(FunctionType, solve_cards))
    values, worth = np.zeros(place_of(Card(ALL + 1, 0, 0, 0))), np.zeros(len(HANDS))
    begun = time.monotonic()
    for last in range(ALL, -1, -STEP):
        compiled(game, tuple(EMPTY), (last + 1 - STEP, last, values, worth))
        _tell(1 - (last + 1 - STEP) / (ALL + 1), time.monotonic() - begun)
    return values


def _tell(done: float, since: float, elsewhere: bool = False) -> None:
    left = since * (1 - done) / done if done else max(1.0, USUAL_SECONDS - since)
    compile_notice.get()(Compiling(WHAT, done, left, elsewhere))


def _read(path: Path) -> np.ndarray | None:
    content = cache_folder.read(path)
    if content is None or len(content) != SIZE:
        return None
    return np.frombuffer(content)


def _file(game: Solitaire) -> Path:
    """Return the file of the table.  Its name depends on the rules, so other rules have another file."""
    rules = hashlib.sha256(
        f"{fingerprint(cast(FunctionType, solve_cards))} {class_fingerprint(Solitaire)} {game!r}".encode()
    )
    for array in game.arrays.values():
        rules.update(array.tobytes())
    return cache_folder.cache_directory() / f"yahtzee-{rules.hexdigest()[:16]}.table"
