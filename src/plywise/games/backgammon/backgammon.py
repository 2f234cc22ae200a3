"""Backgammon: the rules of the board, without the doubling cube.

A turn is a roll and up to four moves: each plays one die with one man.  So a move is a small number, and a search sees
a turn as the players do, man by man.  ``mine`` are the men of the player whose turn it is, and both players count the
points towards their own home, so the rules are written once.
"""

from __future__ import annotations

from collections.abc import Iterator

from plywise.bits import backwards, lowest, rest, shift_right, size
from plywise.game import MAX, MIN, Game, sign
from plywise.games.backgammon.board import LAYOUT, PIECES, column_and_half, die_at, place_in, shown
from plywise.games.backgammon.evaluation import estimate
from plywise.games.backgammon.features import BUCKETS, FEATURE_COUNT, bucket_of, features_of, viewer_of
from plywise.games.backgammon.notation import read_position, written_dice, written_men
from plywise.games.backgammon.position import BAR, HOME, OFF, POINTS, START, Men, Position
from plywise.layers import CHANCE, Chance, Features, View

PASS = 0
"""The move of a player who can use neither die."""
BACKGAMMON = POINTS & ~((1 << 19) - 1) | 1 << BAR
"""Where a man of the loser makes a gammon a backgammon: the winner's home, and the bar."""


class Backgammon(Chance, Features, View, Game):
    """Backgammon.  White is Max.  A win counts 1, a gammon 2, a backgammon 3; Black's are negative.

    In the opening each player rolls a die, again if they are equal, and the one with the higher number plays both.  A
    player who can use both dice must; one who can use either but not both must use the larger.

    A roll is ``10 * die + die``, the larger first; in the opening roll, White's first.  A move is ``8 * point + die``,
    with the point as its player counts, and 25 for the bar.  Its text is ``13/7``, ``bar/20`` or ``6/off``, with an
    asterisk if it hits.  A man borne off with a larger number has the die in brackets: ``4/off(6)``.  A double is
    played from the rear to the front, which reaches all positions, and each by one sequence only.

    The text of a position is that of XGID, the notation of eXtreme Gammon, followed by the player and the dice: 26
    letters stand for Black's bar, White's points 1 to 24 and White's bar, with A for one white man, B for two, a for
    one black man and so on.

    >>> game = Backgammon()
    >>> state = game.play(game.initial(), game.parse_move(game.initial(), "31"))
    >>> game.format(state)
    '-b----E-C---eE---c-e----B- white 31'
    >>> for text in ("8/5", "6/5"):
    ...     state = game.play(state, game.parse_move(state, text))
    >>> game.format(state)
    '-b---BD-B---eE---c-e----B- black'
    >>> print(game.board(game.play(state, 62)))
     13  14  15  16  17  18 bar  19  20  21  22  23  24 off
      O   .   .   .   X   .   .   X   .   .   .   .   O   .
      O   .   .   .   X   .   .   X   .   .   .   .   O   .
      O   .   .   .   X   .   .   X   .   .   .   .   .   .
      O   .   .   .   .   .   .   X   .   .   .   .   .   .
      O   .   .   .   .   .   .   X   .   .   .   .   .   .
      .   .   .   6   2   .   .   .   .   .   .   .   .   .
      X   .   .   .   .   .   .   .   .   .   .   .   .   .
      X   .   .   .   .   .   .   O   .   .   .   .   .   .
      X   .   .   .   .   .   .   O   .   .   .   .   .   .
      X   .   .   .   O   .   .   O   O   .   .   .   X   .
      X   .   .   .   O   .   .   O   O   .   .   .   X   .
     12  11  10   9   8   7 bar   6   5   4   3   2   1 off
    """

    description = "Race fifteen men home by the dice; a man who stands alone may be hit."
    known_size = (None, "400^55")
    layout = LAYOUT
    pieces = PIECES
    feature_count = FEATURE_COUNT
    buckets = BUCKETS

    def initial(self) -> Position:
        return Position(START, START, CHANCE, 0, BAR)

    def to_move(self, state: Position) -> int:
        return CHANCE if state.dice == 0 and not self.is_terminal(state) else state.turn

    def moves(self, state: Position) -> Iterator[int]:
        if state.dice == 0:
            if not self.is_terminal(state):
                opening = state.turn == CHANCE
                for first in range(1, 7):
                    for second in range(1, 7 if opening else first + 1):
                        if not opening or first != second:
                            yield 10 * first + second
        else:
            larger, smaller = self.legal(state)
            if larger | smaller == 0:
                yield PASS
            while larger:
                yield 8 * lowest(larger) + state.dice // 10
                larger = rest(larger)
            while smaller:
                yield 8 * lowest(smaller) + state.dice % 10
                smaller = rest(smaller)

    def play(self, state: Position, move: int) -> Position:
        mine, theirs, turn, dice, _ = state
        if dice == 0:
            return self.rolled(state, move // 10, move % 10)
        if move == PASS:
            return Position(theirs, mine, 1 - turn, 0, BAR)
        point, die = move // 8, move % 8
        target = point - die
        mine = mine.moved(point, die)
        if target > OFF and theirs.count(25 - target) == 1:
            theirs = theirs.minus(25 - target).plus(BAR)
        if mine.all_off():
            return Position(mine, theirs, turn, 0, BAR)
        last = point if dice > 66 or dice % 11 == 0 else BAR  # of a double
        dice = dice // 10 if dice % 10 == die else dice % 10
        if dice and sources(mine, blocked_by(theirs), dice % 10, last):
            return Position(mine, theirs, turn, dice, last)
        return Position(theirs, mine, 1 - turn, 0, BAR)

    def rolled(self, state: Position, first: int, second: int) -> Position:
        """Return the position after a roll."""
        if state.turn == CHANCE:
            if first > second:
                return Position(state.mine, state.theirs, MAX, 10 * first + second, BAR)
            return Position(state.theirs, state.mine, MIN, 10 * second + first, BAR)
        dice = 1111 * first if first == second else 10 * first + second
        return Position(state.mine, state.theirs, state.turn, dice, BAR)

    def probability(self, state: Position, move: int) -> float:
        if state.turn == CHANCE:
            return 1 / 30
        return 1 / 36 if move // 10 == move % 10 else 1 / 18

    def is_terminal(self, state: Position) -> bool:
        return state.mine.all_off()

    def score(self, state: Position) -> int:
        loser = state.theirs.occupied()
        worth = 1
        if loser & 1 << OFF == 0:
            worth = 3 if loser & BACKGAMMON else 2
        return sign(state.turn) * worth

    def legal(self, state: Position) -> tuple[int, int]:
        """Return the points from which a man may be played, with the larger die and with the smaller.

        Of a double, and of one die that is left, only the second is used.
        """
        mine, blocked, dice = state.mine, blocked_by(state.theirs), state.dice
        larger, smaller = dice // 10 % 10, dice % 10
        if larger == 0:
            return 0, sources(mine, blocked, smaller, state.last)
        if larger == smaller:
            return 0, rearmost_first(mine, blocked, smaller, state.last, 2 if dice < 100 else 3 if dice < 1000 else 4)
        before, after = followed(mine, blocked, larger, smaller), followed(mine, blocked, smaller, larger)
        if before | after:
            return before, after
        alone = sources(mine, blocked, larger, BAR)
        return alone, 0 if alone else sources(mine, blocked, smaller, BAR)

    # For the search -------------------------------------------------------------------------------------------------

    def bounds(self, state: Position) -> tuple[int, int]:
        """Return the limits of the score: a player who has borne off a man cannot lose a gammon."""
        win = 1 if state.theirs.occupied() & 1 << OFF else 3
        loss = 1 if state.mine.occupied() & 1 << OFF else 3
        return (-loss, win) if state.turn != MIN else (-win, loss)

    def evaluate(self, state: Position) -> float:
        if state.turn == CHANCE:
            return 0.0
        low, high = self.bounds(state)
        return min(max(sign(state.turn) * estimate(state.mine, state.theirs), low), high)

    # For networks ---------------------------------------------------------------------------------------------------

    def features(self, state: Position, player: int) -> Iterator[int]:
        return features_of(state, player)

    def bucket(self, state: Position) -> int:
        return bucket_of(state)

    def viewer(self, state: Position) -> int:
        return viewer_of(state)

    def network_file(self) -> str:
        return "backgammon.net"

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Position:
        return read_position(text)

    def format(self, state: Position) -> str:
        white, black = sides(state)
        player = "opening" if state.turn == CHANCE else self.player_name(state.turn).lower()
        return " ".join(filter(None, (written_men(white, black), player, written_dice(state.dice, state.last))))

    def format_move(self, state: Position, move: int) -> str:
        if state.dice == 0:
            return str(move)
        if move == PASS:
            return "pass"
        point, die = divmod(move, 8)
        start = "bar" if point == BAR else str(point)
        if die >= point:
            return f"{start}/off" if die == point else f"{start}/off({die})"
        return f"{start}/{point - die}{'*' if state.theirs.count(25 - point + die) else ''}"

    def parse_move(self, state: Position, text: str) -> int:
        """Return the move with this text; the dice of a roll may be in any order, except in the opening."""
        if state.dice == 0 and state.turn != CHANCE and text.strip().isdigit():
            text = "".join(sorted(text.strip(), reverse=True))
        return super().parse_move(state, text)  # type: ignore[no-any-return]

    def player_name(self, player: int) -> str:
        return super().player_name(player) if player == CHANCE else ("White", "Black")[player]

    # View -----------------------------------------------------------------------------------------------------------

    def piece_at(self, state: Position, place: int) -> int:
        """Return the man or the die at a place."""
        return die_at(state, place) or shown(*sides(state), place)

    def places(self, state: Position, move: int) -> tuple[int, int]:
        """Return where the topmost man of a point stands, and where it goes."""
        if state.dice == 0 or move == PASS:
            return (-1, -1)
        point, die = move // 8, move % 8
        target = max(OFF, point - die)
        start = place_in(*column_and_half(point, state.turn), state.mine.count(point) - 1)
        return start, place_in(*column_and_half(target, state.turn), state.mine.count(target))

    def dice_shown(self, state: Position, move: int) -> tuple[int, int]:
        return move // 10, move % 10

    def score_text(self, score: float) -> str:
        """Return an expected score.

        >>> Backgammon().score_text(-2), Backgammon().score_text(0.125)
        ('Black wins a gammon', 'White +0.125')
        """
        winner = self.player_name(MAX if score >= 0 else MIN)
        if abs(score) in (1, 2, 3):
            return f"{winner} wins{('', ' a gammon', ' a backgammon')[int(abs(score)) - 1]}"
        return f"{winner} +{abs(score):.3f}"

    def ending(self, state: Position) -> str:
        return ("", "a gammon", "a backgammon")[abs(self.score(state)) - 1]


def sides(state: Position) -> tuple[Men, Men]:
    """Return White's men and Black's."""
    return (state.theirs, state.mine) if state.turn == MIN else (state.mine, state.theirs)


def blocked_by(theirs: Men) -> int:
    """Return the points that a player cannot enter because the opponent has two men or more there."""
    return shift_right(backwards(theirs.made()), 63 - 25) & POINTS


def sources(men: Men, blocked: int, die: int, last: int) -> int:
    """Return the points, none behind ``last``, from which a man can be played with this die alone."""
    occupied = men.occupied() & ~(1 << OFF)
    movable = 1 << BAR if occupied >> BAR else occupied & (2 << last) - 1
    found = movable & ~(blocked << die) & ~((2 << die) - 1)
    if occupied and occupied & ~HOME == 0:  # bearing off: by the exact number; by a larger one from the rearmost point
        found |= movable & (1 << die | (1 << die) - 1 & 1 << size(occupied) - 1)
    return found


def followed(men: Men, blocked: int, die: int, other: int) -> int:
    """Return the points from which a man can be played with ``die`` so that ``other`` can be played next."""
    found, left = 0, sources(men, blocked, die, BAR)
    while left:
        point = lowest(left)
        if sources(men.moved(point, die), blocked, other, BAR):
            found |= 1 << point
        left = rest(left)
    return found


def rearmost_first(men: Men, blocked: int, die: int, last: int, count: int) -> int:
    """Return the points from which a double goes on so that as many men as possible are played, rearmost first."""
    found, left = 0, sources(men, blocked, die, last)
    most = longest(men, blocked, die, last, count)
    while left:
        point = lowest(left)
        if 1 + longest(men.moved(point, die), blocked, die, point, count - 1) == most:
            found |= 1 << point
        left = rest(left)
    return found


def longest(men: Men, blocked: int, die: int, last: int, count: int) -> int:
    """Return how many of ``count`` equal dice can be played; no man that can move now is worth sparing."""
    played = 0
    while played < count:
        found = sources(men, blocked, die, last)
        if found == 0:
            return played
        last = size(found) - 1
        men = men.moved(last, die)
        played += 1
    return played
