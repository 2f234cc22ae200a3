"""Go: surround territory and stones on boards of 2 by 2 to 19 by 19 points.

The board is two sets of points (see ``plywise.games.go.area``): the stones of the player to move, and the opponent's.
Groups and liberties are not kept, but found where they are needed, by spreading from a stone to its neighbours.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from plywise.compiling.native import CONSTANT, inlined
from plywise.errors import GameError
from plywise.game import MAX, sign
from plywise.games.flags import check_flags
from plywise.games.go.area import NOWHERE, Area, common, is_empty, size, union, without
from plywise.games.go.board import Goban
from plywise.games.go.notation import COLUMNS, read_position, with_stones, written_position
from plywise.games.go.playouts import playout
from plywise.games.go.priors import prior
from plywise.games.go.sgf import Record, format_game, format_sgf, read_games, read_sgf, result_text
from plywise.games.records import Record as GameRecord
from plywise.games.records import plain_record
from plywise.layers import Piece, Playouts, Points, Recurrence, View

SGF_HEADERS = {"PB": "max", "PW": "min", "EV": "event", "RO": "round", "DT": "date", "OT": "clock"}
"""SGF's properties, and what they are called in ``View.record``."""
LONGEST_CYCLE = 1000
"""How many plies back a position is looked for."""
CORNER_STARS, FOURTH_LINE, SIDE_STARS = 7, 13, 15
"""The smallest boards with stars towards the corners, with these on the fourth line, and with stars at the sides."""
MOST_KOMI = 1000
"""The largest komi, far beyond any board."""
MARGIN = 0.1
"""What winning by the whole board is worth, beside the win itself."""


class Stones(NamedTuple):
    mine: Area
    """The stones of the player to move."""
    theirs: Area
    ko: int
    """The point where the player to move may not retake a ko at once, or NOWHERE."""
    last: int
    """The point of the move before, or NOWHERE.  It is no part of the rules, but good moves are often near it."""
    passes: int
    """How many passes there were in a row; two end the game."""
    turn: int


class Go(Playouts, Recurrence, View, Goban):
    """Go.  Black moves first and is Max.

    A stone or a group of stones without a liberty, an empty point beside it, is captured.  Suicide is forbidden, and so
    is retaking a ko at once.  Two passes end the game.  The score is Black's area minus White's minus ``komi``: stones
    count, and so do the empty points that only one colour reaches.  All stones on the board are alive, so capture dead
    ones before you pass.

    If a position recurs, the game has no result and scores 0.  With ``superko`` a player whose stone makes the
    board what it was before loses by more than the whole board, so that nobody does that.

    A move is a point, counted row by row from 0 at the top left, or the number of points for a pass.  Its text is
    ``D4`` or ``pass``; columns are A to T without I, rows are counted from the bottom.  The text of a position is its
    rows from the top, the player to move and, if known, the move before: ``.../.X./... white B2``.  A point that may
    not be retaken follows ``ko``.  A list of moves, such as ``D4 E5 pass``, is a position too.

    >>> game = Go(5)
    >>> state = game.parse("C3 D3 D4 C2 C4")
    >>> print(game.board(game.play(state, game.parse_move(state, "E4"))))
    5 . . . . .
    4 . . X X O
    3 . . X O .
    2 . . O . .
    1 . . . . .
      A B C D E
    """

    description = "Surround territory, and capture stones without liberties."
    known_size = (None, "50^70")
    estimated_size = "at most 10^170 (19 by 19)"
    record_suffix = "sgf"
    pieces = (Piece("X", "black", "black"), Piece("O", "white", "white"))
    mark_name = "ko"
    komi: float = dataclasses.field(default=7, metadata={CONSTANT: False})
    superko: bool = False

    def __post_init__(self) -> None:
        Goban.__post_init__(self)
        check_flags(self)
        fits = type(self.komi) in (int, float) and abs(self.komi) <= MOST_KOMI
        if not fits or not float(2 * self.komi).is_integer():
            raise GameError(f"{self!r} is not possible: komi must be a whole number or a half, such as 7.5, from "
                            f"{-MOST_KOMI:,} to {MOST_KOMI:,}")  # fmt: skip
        if self.whole_scores():
            object.__setattr__(self, "komi", int(self.komi))

    def initial(self) -> Stones:
        nothing = (0,) * len(self.points)
        return Stones(nothing, nothing, NOWHERE, NOWHERE, 0, MAX)

    def to_move(self, state: Stones) -> int:
        return state.turn

    def moves(self, state: Stones) -> Iterator[int]:
        if state.passes < 2:
            empty = self.empty(state)
            easy = common(empty, self.beside(empty))
            for point in range(self.size):
                if not self.has(empty, point) or point == state.ko:
                    continue
                if self.has(easy, point) or self.may_be_filled(state, point):
                    yield point
            yield self.size

    @inlined
    def empty(self, state: Stones) -> Area:
        """Return the points without a stone."""
        return without(without(self.points, state.mine), state.theirs)

    @inlined
    def may_be_filled(self, state: Stones, point: int) -> bool:
        """Return whether a stone on an empty point captures something or has a liberty."""
        stone = self.at(point)
        empty = without(self.empty(state), stone)
        group = self.spread_within(union(state.mine, stone), stone)
        return not is_empty(common(empty, self.beside(group))) or not is_empty(self.captured(state, stone))

    def play(self, state: Stones, move: int) -> Stones:
        if move == self.size:
            return Stones(state.theirs, state.mine, NOWHERE, NOWHERE, state.passes + 1, 1 - state.turn)
        stone = self.at(move)
        mine = union(state.mine, stone)
        taken = self.captured(state, stone)
        theirs = without(state.theirs, taken)
        around = self.beside(stone)
        ko = NOWHERE
        if size(taken) == 1 and around == common(around, union(theirs, taken)):  # a lone stone with one liberty
            ko = self.point(taken)
        return Stones(theirs, mine, ko, move, 0, 1 - state.turn)

    @inlined
    def captured(self, state: Stones, stone: Area) -> Area:
        """Return the opponent's stones that a stone of the player to move captures."""
        around = common(state.theirs, self.beside(stone))
        if is_empty(around):
            return around
        groups = self.spread_within(state.theirs, around)
        liberties = without(self.empty(state), stone)
        return without(groups, self.spread_within(groups, common(groups, self.beside(liberties))))

    def is_terminal(self, state: Stones) -> bool:
        return state.passes == 2

    def score(self, state: Stones) -> float:
        empty = self.empty(state)
        mine = self.spread_within(empty, common(empty, self.beside(state.mine)))
        theirs = self.spread_within(empty, common(empty, self.beside(state.theirs)))
        lead = size(state.mine) + size(without(mine, theirs)) - size(state.theirs) - size(without(theirs, mine))
        return sign(state.turn) * lead - self.komi

    # Repetition -----------------------------------------------------------------------------------------------------

    def reversible(self, state: Stones) -> int:
        return LONGEST_CYCLE

    def repetition(self, state: Stones) -> float:
        return sign(state.turn) * self.forbidden if self.superko else 0

    def recurring(self, state: Stones) -> tuple[tuple[Area, Area, int, int, int], int]:
        """Return the position; with ``superko`` the board alone, whoever is to move (positional superko).

        A pass changes nothing on the board, and is allowed.
        """
        if not self.superko:
            return self.key(state), state.turn
        if state.turn == MAX:
            return (state.mine, state.theirs, NOWHERE, state.passes, MAX), MAX
        return (state.theirs, state.mine, NOWHERE, state.passes, MAX), MAX

    @property
    def forbidden(self) -> float:
        """The score of a forbidden repetition: worse than losing the whole board."""
        return self.size + abs(self.komi) + 1

    def without_history(self, state: Stones) -> Stones:
        """Return the position without the move before."""
        return state._replace(last=NOWHERE)

    def key(self, state: Stones) -> tuple[Area, Area, int, int, int]:
        """Return the position without the move before."""
        return state.mine, state.theirs, state.ko, state.passes, state.turn

    # What a search can use ------------------------------------------------------------------------------------------

    def bounds(self, state: Stones) -> tuple[float, float]:
        if self.superko:
            return (-self.forbidden, self.forbidden)
        return (min(0, -self.size - self.komi), max(0, self.size - self.komi))

    def evaluate(self, state: Stones) -> float:
        """Return the score if every empty point belonged to the colour of the nearest stones."""
        mine, theirs, empty = state.mine, state.theirs, self.empty(state)
        for _ in range(self.width + self.rows):
            near_mine = common(empty, self.beside(mine))
            near_theirs = common(empty, self.beside(theirs))
            if is_empty(union(near_mine, near_theirs)):
                break
            mine, theirs = union(mine, without(near_mine, near_theirs)), union(theirs, without(near_theirs, near_mine))
            empty = without(without(empty, near_mine), near_theirs)
        return sign(state.turn) * (size(mine) - size(theirs)) - self.komi

    def whole_scores(self) -> bool:
        """Return whether there are no half points."""
        return float(self.komi).is_integer()

    # Playouts -------------------------------------------------------------------------------------------------------

    def playout(self, state: Stones, trail: Any) -> float:
        return playout(self, state, trail)

    def prior(self, state: Stones, move: int) -> tuple[float, float]:
        return prior(self, state, move)

    def reward(self, score: float) -> float:
        """Return 1 for a win of Black and -1 for one of White, and a little for the margin."""
        won = 1.0 if score > 0 else -1.0 if score < 0 else 0.0
        return won + MARGIN * score / self.size

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Stones:
        return read_position(self, text)

    def format(self, state: Stones) -> str:
        return written_position(self, state)

    def records(self, content: bytes | str) -> Iterator[Record]:
        """Yield the games of an SGF file, with the size and the komi of each; see ``plywise.games.go.sgf``."""
        return read_sgf(self, content)

    def written_record(
        self, states: Sequence[Stones], moves: Sequence[int], headers: Mapping[str, str] | None = None
    ) -> str:
        """Return a game as SGF, from the positions before every move and the last one."""
        return format_sgf(Record(self, states, moves, headers or {}))

    def set_up(self, cells: Sequence[int], player: int) -> Stones:
        """Return the position with these stones (``piece_at`` for every point) and this player to move, without a past.

        Raises:
            PositionError: a stone has no liberty.
        """
        return with_stones(self, "".join(".XO"[cell] for cell in cells), player)

    def with_turn(self, state: Stones, turn: int) -> Stones:
        """Return the position with this player to move, whoever moved before; a game that was over goes on."""
        if state.turn == turn:
            return state if state.passes < 2 else state._replace(passes=0)
        return Stones(state.theirs, state.mine, NOWHERE, NOWHERE, 0, turn)

    def format_move(self, state: Stones, move: int) -> str:
        return "pass" if move == self.size else self.layout.name(move)

    def player_name(self, player: int) -> str:
        return ("Black", "White")[player]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Points:  # type: ignore[override]
        numbers = [str(self.rows - row) for row in range(self.rows)]
        return Points(self.width, self.rows, left=numbers, bottom=COLUMNS[: self.width], stars=self.stars)

    @property
    def stars(self) -> tuple[int, ...]:
        """The points with a dot: towards the corners, in the middle and, on large boards, at the sides."""
        lines = [_star_lines(side) for side in (self.rows, self.width)]
        whole = min(self.width, self.rows) >= SIDE_STARS
        return tuple(
            row * self.width + column
            for row in lines[0]
            for column in lines[1]
            if whole or (2 * row == self.rows - 1) == (2 * column == self.width - 1)
        )

    def piece_at(self, state: Stones, place: int) -> int:
        if self.has(state.mine, place):
            return 1 + state.turn
        return 2 - state.turn if self.has(state.theirs, place) else 0

    def places(self, state: Stones, move: int) -> tuple[int, int]:
        return (NOWHERE, NOWHERE if move == self.size else move)

    def marked(self, state: Stones) -> list[int]:
        """Return the point that may not be retaken."""
        return [] if state.ko == NOWHERE else [state.ko]

    def record(self, start: Stones, moves: Sequence[int], about: Mapping[str, str]) -> str:
        return self.annotated_record(plain_record(start, moves), about)

    def annotated_record(self, record: GameRecord, about: Mapping[str, str]) -> str:
        headers = {name: about[key] for name, key in SGF_HEADERS.items() if about.get(key)}
        headers |= record.headers
        if headers.get("RE", "") in ("", "?"):
            headers["RE"] = result_text(self, record.positions(self)[-1], about)
        return format_game(self, dataclasses.replace(record, headers=headers))

    def recorded(self, text: str) -> Iterator[GameRecord]:
        return read_games(self, text)

    def why_illegal(self, state: Stones, text: str) -> str:
        point = self.layout.place(text)
        if point < 0:
            return ""
        if self.piece_at(state, point):
            return "there is a stone already"
        return "a ko may not be retaken at once" if point == state.ko else "suicide, the stone would have no liberty"

    def score_text(self, score: float) -> str:
        if score == 0:
            return "0"
        return f"{self.player_name(0 if score > 0 else 1)} by {abs(score):g}"


def _star_lines(side: int) -> list[int]:
    """Return the lines with stars: the third or fourth from either edge, and the middle one if there is one."""
    edge = 3 if side >= FOURTH_LINE else 2
    lines = [edge, side - 1 - edge] if side >= CORNER_STARS else []
    return sorted({*lines, side // 2}) if side % 2 else lines
