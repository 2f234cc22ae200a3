"""Connect Four: drop a stone into a column; four in a row, in any direction, win.

A board is an integer in which every column has one bit more than it has cells.  The spare bit is never set: it keeps a
line from running on into the next column, so that shifts in four directions find every line.  On the 7 by 6 board the
bits are

     6 13 20 27 34 41 48    spare
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from plywise.bits import lowest, popcount
from plywise.compiling.native import inlined
from plywise.errors import GameError, PositionError
from plywise.game import Game
from plywise.layers import Features, Grid, Piece, Symmetry, Theory, View

COLUMNS = "123456789abcdefghijklmnopqrstuv"
"""The names of columns in texts, from left to right."""


class Stones(NamedTuple):
    mine: int
    """The stones of the player to move."""
    filled: int
    """The stones of both players."""
    plies: int
    """The number of stones."""


class ConnectFour(Theory, Symmetry, Features, View, Game):
    """Connect Four.  X moves first and is Max.

    A win scores 1 plus half the empty cells, rounded down, so faster wins are better: 1 for a win with the last stone,
    18 for the fastest on the usual board.  A move is a column, from 0.  The text of a position is the columns played,
    from 1: ``44`` is one stone each in the middle.

    >>> game = ConnectFour()
    >>> print(game.board(game.parse("44455")))
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . X . . .
    . . . O X . .
    . . . X O . .
    1 2 3 4 5 6 7
    """

    title = "Connect Four"
    description = "Drop stones into columns; four in a row win."
    known_size = (4_531_985_219_092, "4^36")
    mark_name = "in a row"
    pieces = (Piece("X", "red"), Piece("O", "yellow"))
    width: int = 7
    height: int = 6

    def __post_init__(self) -> None:
        if not (type(self.width) is type(self.height) is int):
            raise GameError(f"{self!r} is not possible: width and height must be whole numbers")
        if min(self.width, self.height) < 1 or self.width * (self.height + 1) > 63:
            raise GameError(f"{self!r} is not possible: width and height must be at least 1 and "
                            f"width * (height + 1), which is {self.width * (self.height + 1)}, at most 63")  # fmt: skip

    def initial(self) -> Stones:
        return Stones(0, 0, 0)

    def to_move(self, state: Stones) -> int:
        return state.plies & 1

    def moves(self, state: Stones) -> Iterator[int]:
        if not self.is_terminal(state):
            for column in range(self.width):
                if state.filled & self.top(column) == 0:
                    yield column

    def play(self, state: Stones, move: int) -> Stones:
        landed = state.filled + self.bottom(move)  # carries through the stones of the column to its first free cell
        return Stones(state.mine ^ state.filled, state.filled | landed, state.plies + 1)

    def is_terminal(self, state: Stones) -> bool:
        return state.plies == self.width * self.height or self.has_line(state.mine ^ state.filled)

    def score(self, state: Stones) -> int:
        if not self.has_line(state.mine ^ state.filled):
            return 0
        return self.prize(state.plies) if state.plies & 1 else -self.prize(state.plies)

    def bounds(self, state: Stones) -> tuple[int, int]:
        if self.is_terminal(state):
            return (self.score(state), self.score(state))
        soonest_for_max = max(7, state.plies + 1 + (state.plies & 1))
        soonest_for_min = max(8, state.plies + 2 - (state.plies & 1))
        return (-self.prize(soonest_for_min), self.prize(soonest_for_max))

    @inlined
    def key(self, state: Stones) -> tuple[int, int]:
        """Return the stones of each player that can still be part of a line; positions that mirror each other share it.

        The first number has the stones of the player to move and a mark on the first free cell of each column, the
        second has the opponent's stones.  Of a position and its mirror image, the smaller pair is returned.
        """
        first, second = self.useful(state)
        mirrored_first, mirrored_second = self.mirrored(first), self.mirrored(second)
        if mirrored_first < first or (mirrored_first == first and mirrored_second < second):
            return mirrored_first, mirrored_second
        return first, second

    @inlined
    def useful(self, state: Stones) -> tuple[int, int]:
        """Return the pair of ``key``, not mirrored."""
        theirs = state.mine ^ state.filled
        empty = self.cells ^ state.filled
        first = (state.mine & self.alive(state.mine | empty)) | (state.filled + self.bottoms)
        return first, theirs & self.alive(theirs | empty)

    @inlined
    def is_mirrored(self, state: Stones) -> bool:
        """Return whether the image of a position is its mirror image: it is if the key is the mirrored pair.

        A pair may be its own mirror image although the position is not, because of stones that are part of no line;
        then all stones decide.
        """
        first, second = self.useful(state)
        mirrored_first, mirrored_second = self.mirrored(first), self.mirrored(second)
        if mirrored_first != first:
            return mirrored_first < first
        if mirrored_second != second:
            return mirrored_second < second
        return self.mirrored(state.mine) < state.mine

    def image(self, state: Stones) -> Stones:
        """Return the position or its mirror image: the one whose pair is the key."""
        if self.is_mirrored(state):
            return Stones(self.mirrored(state.mine), self.mirrored(state.filled), state.plies)
        return state

    @inlined
    def move_in_image(self, state: Stones, move: int) -> int:
        return self.width - 1 - move if self.is_mirrored(state) else move

    @inlined
    def move_from_image(self, state: Stones, move: int) -> int:
        return self.move_in_image(state, move)  # mirroring twice changes nothing

    # For learning ---------------------------------------------------------------------------------------------------

    buckets: ClassVar[int] = 12

    feature_count = 256

    def feature_words(self, state: Stones, player: int) -> Iterator[int]:
        """Yield the stones of the player that still matter, with the ends of columns, and those of the opponent; then
        the free cells that would complete a line of the player, and of the opponent.
        """
        first, second = self.useful(state)
        ends = state.filled + self.bottoms
        moves = player == state.plies & 1
        own, other = (first & ~ends, second) if moves else (second, first & ~ends)
        yield own | ends
        yield other
        yield self.completing(own) & ~state.filled
        yield self.completing(other) & ~state.filled

    def bucket(self, state: Stones) -> int:
        """Return how full the board is, in six steps, and who moves: threats in odd rows help X, those in even rows O
        (Allis 1988).
        """
        return 2 * (6 * state.plies // (self.width * self.height + 1)) + (state.plies & 1)

    def network_file(self) -> str:
        return "connect_four.net" if (self.width, self.height) == (7, 6) else ""

    def prize(self, plies: int) -> int:
        """Return the score of a win with stone number ``plies``."""
        return max(0, (self.width * self.height + 2 - plies) // 2)

    def bottom(self, column: int) -> int:
        """Return the lowest cell of a column."""
        return 1 << column * (self.height + 1)

    def top(self, column: int) -> int:
        """Return the highest cell of a column."""
        return self.bottom(column) << self.height - 1

    @inlined
    def has_line(self, stones: int) -> bool:
        """Return whether four of the stones are in a row."""
        up, falling, across, rising = 1, self.height, self.height + 1, self.height + 2
        fours = starts(stones, up) | starts(stones, falling) | starts(stones, across) | starts(stones, rising)
        return fours != 0

    # What makes the exact search fast -------------------------------------------------------------------------------

    @inlined
    def proven_bounds(self, state: Stones) -> tuple[int, int]:
        theirs = state.mine ^ state.filled
        landing = self.landing(state)
        threats = self.completing(theirs) & ~state.filled
        forced = threats & landing
        low = -self.prize(max(8 - (state.plies & 1), state.plies + 2))
        high = self.prize(max(7 + (state.plies & 1), state.plies + 3))
        if landing == 0:
            low = high = 0
        elif self.completing(state.mine) & landing:
            low = high = self.prize(state.plies + 1)
        elif forced & forced - 1 or landing & ~(threats >> 1) == 0 or forced & threats >> 1:
            low = high = -self.prize(state.plies + 2)
        else:
            high = min(high, self.at_most(state, threats))
        return (low, high) if state.plies & 1 == 0 else (-high, -low)

    @inlined
    def at_most(self, state: Stones, threats: int) -> int:
        """Return an upper bound for the player to move: the opponent can always reply in the same column.

        ``threats`` are the free cells that complete a line of the opponent.  Pair the free cells of each column from
        the top.  The opponent, who replies, gets the upper cell of every pair; the player to move gets the lower one.
        In a column with an odd number of free cells the lowest one is left over: these cells are filled first, and any
        of them may go to the player to move (claimeven, Allis 1988).  If the upper cell of a pair completes a line, the
        game ends as soon as the lower one is taken, so no cell above counts.

        With an even number of free cells this works to the end.  With an odd number one cell is left over, and the
        opponent needs a threat on a lower cell.  In that column pairs are counted from there, and when it is the only
        column left, the player to move must open it (zugzwang).
        """
        landing = self.landing(state)
        uppers = threats & ~self.lower_rows & ~landing
        over = (self.bottoms << self.height) - uppers | uppers  # borrowing sets each column's cells from there on up
        lowers = ~state.filled & self.lower_rows & ~over | landing
        most = self.width * self.height
        if (self.width * self.height - state.plies) & 1 == 0:
            if not self.has_line(state.mine | lowers):
                most = self.slowest_loss(state, landing)
        else:
            decisive = threats & self.lower_rows & ~landing
            while decisive:
                cell = lowest(decisive)
                column = self.column(cell // (self.height + 1))
                below = column & (1 << cell) - 1 & ~state.filled & ~self.lower_rows
                if not self.has_line(state.mine | lowers & ~column | landing & column | below):
                    rows_above = self.height - 1 - cell % (self.height + 1)
                    most = -self.prize(self.width * self.height - rows_above)
                    break
                decisive &= ~column
        return most

    @inlined
    def slowest_loss(self, state: Stones, landing: int) -> int:
        """Return an upper bound for the player to move, who gets no line, if the opponent gets all upper cells."""
        upper_rows = self.cells & ~self.lower_rows
        stones = (state.mine ^ state.filled) | upper_rows & ~state.filled & ~landing
        most, row = 0, self.height - 1
        while row > 0 and self.has_line(stones):
            most = -self.prize(self.width * self.height - (self.height - 1 - row))
            stones &= ~(self.bottoms << row) | state.filled
            row -= 2
        return most

    @inlined
    def candidates(self, state: Stones) -> Iterator[int]:
        theirs = state.mine ^ state.filled
        landing = self.landing(state)
        threats = self.completing(theirs) & ~state.filled
        forced = landing & threats
        sound = (forced if forced else landing) & ~(threats >> 1)
        wins = self.completing(state.mine) & landing
        if wins:
            sound = wins
        elif sound == 0:
            sound = landing  # all lose at once
        while sound:
            yield lowest(sound) // (self.height + 1)
            sound &= sound - 1

    @inlined
    def order(self, state: Stones, move: int) -> int:
        after = self.play(state, move)
        threats = self.completing(after.mine ^ after.filled) & ~after.filled
        return 8 * popcount(threats) + min(move, self.width - 1 - move)

    @inlined
    def mirrored(self, board: int) -> int:
        """Return the board with left and right exchanged."""
        size, image = self.height + 1, 0
        for column in range(self.width):
            image = image << size | board >> column * size & (1 << size) - 1
        return image

    @inlined
    def alive(self, stones: int) -> int:
        """Return the cells that are part of a line of four among these cells."""
        return (
            spread(stones, 1)
            | spread(stones, self.height)
            | spread(stones, self.height + 1)
            | spread(stones, self.height + 2)
        )

    def landing(self, state: Stones) -> int:
        return state.filled + self.bottoms & self.cells

    def column(self, column: int) -> int:
        return self.bottom(column) * ((1 << self.height) - 1)

    @cached_property
    def bottoms(self) -> int:
        return sum(self.bottom(column) for column in range(self.width))

    @cached_property
    def cells(self) -> int:
        return self.bottoms * ((1 << self.height) - 1)

    @cached_property
    def lower_rows(self) -> int:
        return sum(self.bottoms << row for row in range(self.height % 2, self.height, 2))

    @inlined
    def completing(self, stones: int) -> int:
        """Return the cells, free or not, that make four in a row with three of the stones."""
        return self.cells & (
            stones << 1 & stones << 2 & stones << 3
            | gaps(stones, self.height)
            | gaps(stones, self.height + 1)
            | gaps(stones, self.height + 2)
        )

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Stones:
        state = self.initial()
        for number, name in enumerate(text.strip().lower(), 1):
            column = COLUMNS[: self.width].find(name)
            if column < 0:
                wrong = f"{name!r} is not a column; columns are 1 to {COLUMNS[self.width - 1]}"
            elif self.is_terminal(state):
                wrong = "the game was already over"
            elif column not in self.moves(state):
                wrong = f"column {name} was already full"
            else:
                state = self.play(state, column)
                continue
            raise PositionError(f"{text!r} is not a position: move {number}: {wrong}")
        return state

    def format(self, state: Stones) -> str:
        history = self._history(state, set())
        if history is None:
            raise PositionError(f"{state!r} is not a position: no sequence of moves leads to it")
        return history

    def _history(self, state: Stones, dead_ends: set[int]) -> str | None:
        """Return a sequence of moves that leads to ``state``, found by undoing moves; None if there is none."""
        if state.plies == 0:
            return "" if state.filled == 0 else None
        for column in reversed(range(self.width)):
            before = self._take_back(state, column)
            if before is None or before.filled in dead_ends:
                continue
            history = None if self.is_terminal(before) else self._history(before, dead_ends)
            if history is not None:
                return history + COLUMNS[column]
            dead_ends.add(before.filled)
        return None

    def _take_back(self, state: Stones, column: int) -> Stones | None:
        """Return the position before a move in ``column``; None if its top stone is not the last player's."""
        theirs = state.mine ^ state.filled
        cells = 2 * self.top(column) - self.bottom(column)
        stone = (state.filled & cells) + self.bottom(column) >> 1  # the highest in the column
        if theirs & stone & cells == 0:
            return None
        return Stones(theirs ^ stone, state.filled ^ stone, state.plies - 1)

    def format_move(self, state: Stones, move: int) -> str:
        return COLUMNS[move]

    def player_name(self, player: int) -> str:
        return "XO"[player]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Grid:  # type: ignore[override]
        return Grid(self.width, self.height, bottom=COLUMNS[: self.width], falling=True)

    def piece_at(self, state: Stones, place: int) -> int:
        cell = self.cell(place)
        if state.filled & cell == 0:
            return 0
        return 1 + (state.plies & 1) if state.mine & cell else 2 - (state.plies & 1)

    def set_up(self, cells: Sequence[int], player: int) -> Stones:
        first, second = (sum(self.cell(i) for i, cell in enumerate(cells) if cell == stone) for stone in (1, 2))
        filled = first | second
        for column in range(self.width):
            stones = (filled & self.column(column)) // self.bottom(column)
            if stones & stones + 1:
                raise PositionError(f"a stone hangs in the air in column {COLUMNS[column]}")
        plies = popcount(filled)
        if not 0 <= popcount(first) - popcount(second) <= 1:
            raise PositionError("X moves first, so there must be as many X as O, or one more")
        if plies & 1 != player:
            raise PositionError(f"with these stones {self.player_name(plies & 1)} is to move, because X moved first")
        state = Stones(second if player else first, filled, plies)
        if self._history(state, set()) is None:
            raise PositionError("no sequence of moves leads to these stones")
        return state

    def places(self, state: Stones, move: int) -> tuple[int, int]:
        landed = self.column(move) & ~state.filled & state.filled + self.bottom(move)
        row = self.height - 1 - lowest(landed) % (self.height + 1)
        return (-1, row * self.width + move)

    def marked(self, state: Stones) -> list[int]:
        lines = self.alive(state.mine ^ state.filled)
        return [place for place in range(self.width * self.height) if lines & self.cell(place)]

    def cell(self, place: int) -> int:
        """Return the cell at a place of the layout; places are counted from the top left."""
        row, column = divmod(place, self.width)
        return self.bottom(column) << self.height - 1 - row

    def score_text(self, score: float) -> str:
        """Return which of the winner's stones wins."""
        if score == 0:
            return "0"
        winner = 0 if score > 0 else 1
        stones = (self.width * self.height + 1 - winner) // 2
        last = (self.width * self.height + 3 - winner) // 2 - int(abs(score))
        return f"{self.player_name(winner)} wins with stone {last} of {stones}"

    def ending(self, state: Stones) -> str:
        return "four in a row" if self.has_line(state.mine ^ state.filled) else ""


def starts(stones: int, step: int) -> int:
    """Return the first cells of the lines of four stones in a direction."""
    pairs = stones & stones >> step
    return pairs & pairs >> 2 * step


def spread(stones: int, step: int) -> int:
    """Return all cells of the lines of four stones in a direction."""
    first = starts(stones, step)
    two = first | first << step
    return two | two << 2 * step


def gaps(stones: int, step: int) -> int:
    """Return the cells that would complete a line of four in a direction."""
    after = stones << step & stones << 2 * step
    before = stones >> step & stones >> 2 * step
    return after & (stones << 3 * step | stones >> step) | before & (stones >> 3 * step | stones << step)
