"""Yahtzee: thirteen turns with five dice, for one player or two.

A turn is a roll, up to two choices of dice to keep, each followed by a roll of the others, and a category to score.
Rolls that differ only in the order of the dice are one outcome, so there are 252 rolls of five dice, not 7776.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plywise.bits import item, lowest, popcount, rest
from plywise.errors import GameError, PositionError
from plywise.game import MAX, MIN, Game, sign
from plywise.games.flags import check_flags
from plywise.games.yahtzee import dice
from plywise.games.yahtzee.card import ALL, CATEGORIES, EMPTY, Card
from plywise.games.yahtzee.dice import DICE, FACES, FIRST, FULL, HANDS, MOST_KEPT, hand_of, hand_text
from plywise.games.yahtzee.notation import EXAMPLES, read_card, written_card
from plywise.games.yahtzee.solitaire import REROLLS, TurnRules, place_of, solution
from plywise.layers import CHANCE, Chance, ManyPlayers, Piece, Sheet, View

KEEP = len(CATEGORIES)
"""Added to the number of a hand that is kept.  Smaller moves are categories."""
TURNS = ("max", "min")
"""The names of players in texts."""
AVERAGE = 254.59 / 13
"""The points of an average turn, for an estimate without the table."""
DEVIATION = 59.61 / math.sqrt(13)
"""The standard deviation of the points of a turn, as if all turns were alike (Verhoeff: 59.61 for a whole game)."""

UPPER_SUM, TOTAL = FACES, len(CATEGORIES) + 1
"""The rows of the drawn card with the sum of the upper section and the total; each other row is a category."""
ROWS = tuple(name.replace("-", " ") for name in (*CATEGORIES[:FACES], "upper sum", *CATEGORIES[FACES:], "total"))
MARK, FIRST_DIE = 1, 2


class Position(NamedTuple):
    mine: Card
    """The card of the player whose turn it is."""
    theirs: Card
    turn: int
    hand: int
    """The number of a hand: five dice before the player chooses, less while the others roll."""
    rolls: int
    """How often the player may still roll, after the roll under way."""


class Yahtzee(Chance, ManyPlayers, View, TurnRules, Game):
    """Yahtzee for two, or for one.  Two play to win: a win scores 1 for Max and -1 for Min, however large.  One plays
    for points.

    ``bonus=False`` leaves out jokers and the bonus for further yahtzees; ``forced=True`` forces where a joker is
    scored, as the rule book does (see ``card``).

    The moves of a player are the categories, 0 to 12, and 13 plus the number of the hand that is kept (see ``dice``);
    their texts are ``full-house`` and ``keep-66``.  The outcomes of a roll are the hands of the dice rolled, as in
    ``135``.  The text of a position has the cards of Max and Min, the player to move, the rolls left, and the dice.  In
    a card, x marks a category used, y a yahtzee of 50 points; the points of the upper section and the total follow.

    >>> game = Yahtzee(players=1)
    >>> state = game.parse("xx-----x---y- 8 88; max 1 33361")
    >>> print(game.board(state))
    1 3 3 3 6
                    Max
               ones   x
               twos   x
             threes   9
              fours   0
              fives   0
              sixes   6
          upper sum   8
    three of a kind  16
     four of a kind   x
         full house   0
     small straight   0
     large straight   0
            yahtzee   x
             chance  16
              total  88
    >>> game.format(game.play(state, game.parse_move(state, "threes")))
    'xxx----x---y- 17 97; max 2 -'
    """

    description = "Thirteen turns with five dice: keep some, roll the others, score a category."
    known_size = (None, "37^117")
    estimated_size = "about 4·10^18"
    pieces = (
        Piece("x", "", "used"),
        *(Piece(str(face), "", f"die {face}", "⚀⚁⚂⚃⚄⚅"[face - 1]) for face in range(1, FACES + 1)),
    )
    players: int = 2  # type: ignore[misc]
    bonus: bool = True
    forced: bool = False

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players not in (1, 2):
            raise GameError(f"{self!r} is not possible: there are 1 or 2 players")
        check_flags(self)

    def initial(self) -> Position:
        return Position(EMPTY, EMPTY, MAX, 0, REROLLS)

    def to_move(self, state: Position) -> int:
        return CHANCE if state.hand < FULL and not self.is_terminal(state) else state.turn

    def moves(self, state: Position) -> Iterator[int]:
        if state.hand < FULL:
            if not self.is_terminal(state):
                count = DICE - item(self.sizes, state.hand)
                for rolled in range(FIRST[count], FIRST[count + 1]):
                    yield rolled
        else:
            boxes = self.boxes(state.mine, state.hand)
            while boxes:
                yield lowest(boxes)
                boxes = rest(boxes)
            choice = MOST_KEPT * (state.hand - FULL)
            while state.rolls and item(self.kept, choice) >= 0:
                yield KEEP + item(self.kept, choice)
                choice += 1

    def play(self, state: Position, move: int) -> Position:
        mine, theirs, turn, hand, rolls = state
        if hand < FULL:
            return Position(
                mine, theirs, turn, item(self.numbers, item(self.codes, hand) + item(self.codes, move)), rolls
            )
        if move >= KEEP:
            return Position(mine, theirs, turn, move - KEEP, rolls - 1)
        card = self.scored(mine, hand, move)
        if self.players == 1:
            return Position(card, theirs, turn, 0, REROLLS)
        return Position(theirs, card, 1 - turn, 0, REROLLS)

    def probability(self, state: Position, move: int) -> float:
        return float(self.chances[move])

    def is_terminal(self, state: Position) -> bool:
        return state.mine.used == ALL

    def score(self, state: Position) -> int:
        if self.players == 1:
            return state.mine.total
        lead = state.mine.total - state.theirs.total
        return sign(state.turn) * (1 if lead > 0 else -1 if lead < 0 else 0)

    def bounds(self, state: Position) -> tuple[int, int]:
        if self.players == 1:
            return (state.mine.total, state.mine.total + self.most_to_come(state.mine))
        return (-1, 1)

    # What the table of the one-player game tells --------------------------------------------------------------------

    def evaluate(self, state: Position) -> float:
        """Return the points that one player expects with best play; for two, how likely that makes it to win.

        Both are taken to play for points, and their totals to differ as normally distributed numbers would.
        """
        mine = state.mine.total + self.to_come(state.mine, state.hand, state.rolls)
        if self.players == 1:
            return mine
        theirs = state.theirs.total + self.to_come(state.theirs, 0, REROLLS)
        open_boxes = 26 - popcount(state.mine.used) - popcount(state.theirs.used)
        return sign(state.turn) * math.erf((mine - theirs) / (DEVIATION * math.sqrt(2.0 * max(open_boxes, 1))))

    def to_come(self, card: Card, hand: int, rolls: int) -> float:
        """Return the points that a player expects who plays for points, given the hand and the number of rolls left."""
        if len(self.values) == 0:
            return min(AVERAGE * (13 - popcount(card.used)), self.most_to_come(card))
        if hand == 0 and rolls == REROLLS:
            return float(self.values[place_of(card)])
        if hand >= FULL and rolls == 0:
            return self.best_box(card, hand, self.values)
        return float(self.worth(Card(card.used, card.upper, card.bonus, 0), rolls)[hand])

    @functools.lru_cache(maxsize=64)  # noqa: B019 (games are few, and this is slow as plain Python)
    def worth(self, card: Card, rolls: int) -> np.ndarray:
        """Return the points that each hand still brings, given the number of rolls left."""
        worth = np.empty(len(HANDS))
        self.hands(card, rolls, self.values, worth)
        return worth

    @cached_property
    def values(self) -> np.ndarray:
        """The points still to come for every card between two turns.  The first use on a machine takes some seconds."""
        return solution(self.bonus, self.forced)

    @cached_property
    def codes(self) -> np.ndarray:
        """The code of each hand; the codes of hands add up."""
        return dice.codes()

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number of the hand with each code."""
        return dice.numbers()

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many dice each hand has."""
        return dice.sizes()

    @cached_property
    def kept(self) -> np.ndarray:
        """For each hand of five dice, the hands that can be kept, then -1."""
        return dice.kept()

    @cached_property
    def chances(self) -> np.ndarray:
        """The probability of each hand when its dice are rolled."""
        return dice.chances()

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Position:
        *cards, last = (part.split() for part in text.lower().split(";"))
        if len(cards) != self.players or len(last) != 3 or last[0] not in TURNS[: self.players]:
            raise self._refusal(text, "it needs a card for each player, and then the player to move, the rolls left "
                                      "and the dice, separated by semicolons")  # fmt: skip
        try:
            read = [read_card(card, self.bonus) for card in cards]
        except ValueError as wrong:
            raise self._refusal(text, str(wrong)) from None
        turn, hand = TURNS.index(last[0]), hand_of(last[2])
        if hand < 0 or last[1] not in ("0", "1", "2"):
            raise self._refusal(text, "the rolls left are 0, 1 or 2, and the dice up to five numbers from 1 to 6, or -")
        if self.players == 2 and popcount(read[MAX].used) - popcount(read[MIN].used) != turn:
            raise self._refusal(text, "Max begins, so Max has used as many categories as Min, or one more when Min is "
                                      "to move")  # fmt: skip
        mine, theirs = (read[turn], read[1 - turn]) if self.players == 2 else (read[MAX], EMPTY)
        state = Position(mine, theirs, turn, hand, int(last[1]))
        if self.is_terminal(state) and (hand, state.rolls) != (0, REROLLS):
            raise self._refusal(text, "the game is over, so there are no dice, and 2 rolls left")
        return state

    def _refusal(self, text: str, why: str) -> PositionError:
        return PositionError(f"{text!r} is not a position: {why}; an example is: {EXAMPLES[self.players]}")

    def format(self, state: Position) -> str:
        cards = "".join(f"{written_card(card)}; " for card in self.cards(state))
        return f"{cards}{TURNS[state.turn]} {state.rolls} {hand_text(state.hand)}"

    def parse_move(self, state: Position, text: str) -> int:
        """Return the move with this text; the dice of a roll may be in any order."""
        if state.hand < FULL and text.strip().isdigit():
            text = "".join(sorted(text.strip()))
        return super().parse_move(state, text)  # type: ignore[no-any-return]

    def format_move(self, state: Position, move: int) -> str:
        if state.hand < FULL:
            return hand_text(move)
        if move < KEEP:
            return CATEGORIES[move]
        return f"keep-{hand_text(move - KEEP)}" if move > KEEP else "keep-none"

    def cards(self, state: Position) -> list[Card]:
        """Return the cards of Max and, if there are two players, Min."""
        both = [state.mine, state.theirs] if state.turn == MAX else [state.theirs, state.mine]
        return both[: self.players]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Sheet:  # type: ignore[override]
        names = [self.player_name(player) for player in range(self.players)]
        return Sheet(self.players, len(ROWS), left=ROWS, top=names, dice=DICE)

    def piece_at(self, state: Position, place: int) -> int:
        """Return a mark for a category used, what the hand would bring in a free one, a sum, or a die."""
        row, column = place // self.players, place % self.players
        if row >= len(ROWS):
            die = place - self.players * len(ROWS)
            face = item(self.shown, DICE * state.hand + die)
            return FIRST_DIE + face - 1 if face else 0
        card = state.mine if column == state.turn else state.theirs
        if row in (UPPER_SUM, TOTAL):
            return Sheet.written(card.upper if row == UPPER_SUM else card.total)
        category = row if row < UPPER_SUM else row - 1
        if card.used >> category & 1:
            return MARK
        if column != state.turn or state.hand < FULL or not self.boxes(card, state.hand) >> category & 1:
            return 0
        return Sheet.written(self.scored(card, state.hand, category).total - card.total)

    @cached_property
    def shown(self) -> np.ndarray:
        """The dice of each hand in ascending order, then zeros."""
        return np.array([[*hand, *[0] * (DICE - len(hand))] for hand in HANDS]).ravel()

    def places(self, state: Position, move: int) -> tuple[int, int]:
        if state.hand < FULL or move >= KEEP:
            return (-1, -1)
        return (-1, self.players * (move if move < UPPER_SUM else move + 1) + state.turn)

    def selection(self, state: Position, move: int) -> list[int] | None:
        """Return the dice that are kept."""
        if state.hand < FULL or move < KEEP:
            return None
        kept, dice_kept = list(HANDS[move - KEEP]), []
        for die, face in enumerate(HANDS[state.hand]):
            if face in kept:
                kept.remove(face)
                dice_kept.append(self.players * len(ROWS) + die)
        return dice_kept

    def dice_shown(self, state: Position, move: int) -> tuple[int, ...]:
        return HANDS[move]

    def score_text(self, score: float) -> str:
        """Return the points of one player; for two, how much more likely one is to win.

        >>> Yahtzee(players=1).score_text(254.5896), Yahtzee().score_text(-0.25), Yahtzee().score_text(1)
        ('254.59 points', 'Min +0.250', 'Max wins')
        """
        if self.players == 1:
            return f"{score:.2f} points" if score != int(score) else f"{score:.0f} points"
        winner = self.player_name(MAX if score > 0 else MIN)
        return "a draw" if score == 0 else f"{winner} wins" if abs(score) == 1 else f"{winner} +{abs(score):.3f}"

    def ending(self, state: Position) -> str:
        totals = sorted((card.total for card in self.cards(state)), reverse=True)
        return f"{totals[0]} points to {totals[1]}" if self.players == 2 else f"{totals[0]} points"
