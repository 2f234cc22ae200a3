"""Checkers, or English draughts, on the same contract as every other game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from plywise.bits import backwards, lowest, popcount, shift_right
from plywise.errors import PositionError
from plywise.game import MAX, Game
from plywise.games.checkers.board import ROW, SQUARES, Position, bit_of, place_of, sides, square_at, square_on
from plywise.games.checkers.endings import endings
from plywise.games.checkers.evaluation import ALL, KING, MAN, linear, share
from plywise.games.checkers.moves import (
    after,
    can_step,
    captures,
    count_steps,
    jumpers,
    source_of,
    steps,
    taken_by,
    target_of,
)
from plywise.games.checkers.notation import (
    find_moves,
    format_fen,
    format_move,
    goes_on,
    parse_fen,
    squares_of,
    ways,
    with_pieces,
)
from plywise.games.checkers.pdn import Pdn, format_pdn
from plywise.games.flags import check_flags
from plywise.games.move_list import after_moves
from plywise.games.records import Record, described, plain_record, read_damaged
from plywise.io.wording import listing
from plywise.layers import Counting, FastestWin, Features, Grid, Piece, Recurrence, Tactics, View

SEPARATOR = re.compile(r" ?([,:]) ?")
"""What separates the pieces in a FEN, where some programs write spaces."""

WIN = 30_000
"""The score of a win, in hundredths of a man."""

PLIES_WITHOUT_PROGRESS = 80
"""A game is drawn after forty moves of each player without a capture or a move of a man."""

BITS = 35
"""The bits of a board, with the spare ones."""

MOST_PIECES = 24

PIECES = (
    Piece("b", "black", "black man"),
    Piece("w", "white", "white man"),
    Piece("B", "black", "black king", badge="K"),
    Piece("W", "white", "white king", badge="K"),
)
ROW_NAMES = tuple(f"{first}-{first + 3}" for first in range(1, SQUARES, 4))
NUMBERS = {place_of(square): str(square) for square in range(1, SQUARES + 1)}


class Checkers(Tactics, Recurrence, FastestWin, Counting, Features, View, Game):
    """Checkers (English draughts).  Black moves first and is Max.  Scores are in hundredths of a man.

    Who can capture must, and jumps on as long as possible, but may choose among captures.  A man that reaches the last
    row becomes a king, and its move ends.  Kings move one square, forwards and backwards.  Who cannot move loses.  A
    game is drawn when a position occurs for the third time, and after forty moves of each player without progress.

    The text of a position is that of PDN's FEN tag, optionally followed by moves, or the moves from the start alone:
    ``11-15 23-19``.  A capture names the squares that it touches, ``15x22x29``; short of that, the first and the last
    if this is clear.  With ``share`` the evaluation is the course's: each side's share of the pieces.

    >>> game = Checkers()
    >>> state = game.parse("11-15 22-18")
    >>> game.format(game.play(state, game.parse_move(state, "15x22")))
    'W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22'
    >>> print(game.board(state))
        b     b     b     b  1-4
     b     b     b     b     5-8
        b     b    11     b  9-12
    13    14     b    16     13-16
       17     w    19    20  17-20
     w    22     w     w     21-24
        w     w     w     w  25-28
     w     w     w     w     29-32
    """

    title = "Checkers"
    description = "Jump over the other's pieces; who cannot move loses (English draughts)."
    known_size = (None, "2.8^70")
    estimated_size = "at most 10^20"
    layout = Grid(
        8, 8, right=ROW_NAMES, chequered=True, numbers=[NUMBERS.get(place, "") for place in range(64)], seat=1
    )  # fmt: skip
    pieces = PIECES
    mark_name = "can capture"
    record_suffix = "pdn"
    win_score = WIN
    repetitions = 3
    share: bool = False

    def __post_init__(self) -> None:
        check_flags(self)

    def initial(self) -> Position:
        return Position(ROW | ROW << 4 | ROW << 9, ROW << 22 | ROW << 27 | ROW << 31, 0, MAX, 0)

    def to_move(self, state: Position) -> int:
        return state.turn

    def moves(self, state: Position) -> Iterator[int]:
        if state.clock < PLIES_WITHOUT_PROGRESS:
            if jumpers(state):
                for move in captures(state):
                    yield move
            else:
                for move in steps(state):
                    yield move

    def play(self, state: Position, move: int) -> Position:
        return after(state, move)

    def is_terminal(self, state: Position) -> bool:
        return state.clock >= PLIES_WITHOUT_PROGRESS or not self.has_move(state)

    def score(self, state: Position) -> int:
        if self.has_move(state):
            return 0
        return WIN if state.turn else -WIN

    def has_move(self, state: Position) -> bool:
        """Return whether the player to move can move, if the game is not drawn."""
        return can_step(state) or jumpers(state) != 0

    # What a search can use ------------------------------------------------------------------------------------------

    feature_count = 256
    buckets: ClassVar[int] = 4

    def evaluate(self, state: Position) -> int:
        return share(state, ALL) if self.share else linear(state)

    def bounds(self, state: Position) -> tuple[int, int]:
        return (-WIN, WIN)

    def key(self, state: Position) -> tuple[int, int, int]:
        """Return the pieces and the player: positions that differ only in the plies without progress share them."""
        return state.black, state.white, state.kings << 1 | state.turn

    def feature_words(self, state: Position, player: int) -> Iterator[int]:
        """Yield the men and kings of the player and of the opponent, on a board that is turned round for White."""
        for side in range(2):
            pieces = state.white if player ^ side else state.black
            for men in (pieces & ~state.kings, pieces & state.kings):
                yield shift_right(backwards(men), 64 - BITS) if player else men

    def network_file(self) -> str:
        return "" if self.share else "checkers.net"

    def bucket(self, state: Position) -> int:
        """Return how many pieces are left, in four steps."""
        return (popcount(state.black | state.white) - 1) * self.buckets // MOST_PIECES

    def noisy_moves(self, state: Position) -> Iterator[int]:
        if state.clock < PLIES_WITHOUT_PROGRESS:
            for move in captures(state):
                yield move

    def gain(self, state: Position, move: int) -> int:
        taken = taken_by(move)
        return MAN * popcount(taken) + (KING - MAN) * popcount(taken & state.kings)

    def extension(self, state: Position) -> int:
        """Return 1 where a capture is forced: such a position says nothing before the capture is made."""
        return 1 if jumpers(state) else 0

    def trait(self, state: Position, move: int) -> int:
        """Return where a move ends, and whether a king makes it."""
        return lowest(target_of(move)) << 1 | (1 if state.kings & source_of(move) else 0)

    def reversible(self, state: Position) -> int:
        return state.clock

    def without_history(self, state: Position) -> Position:
        """Return the position without the plies since the last progress."""
        return state._replace(clock=0)

    def endings(self, pieces: int) -> Iterator[Position]:
        return endings(pieces)

    def count_moves(self, state: Position) -> int:
        if state.clock >= PLIES_WITHOUT_PROGRESS:
            return 0
        if jumpers(state) == 0:
            return count_steps(state)
        count = 0
        for _ in captures(state):
            count += 1
        return count

    # Texts ----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Position:
        """Return the position of a FEN, or the initial one, after the moves that follow."""
        words = SEPARATOR.sub(r"\1", " ".join(text.split())).split()
        starts_elsewhere = bool(words) and words[0][0].isalpha()
        state = parse_fen(words.pop(0), PLIES_WITHOUT_PROGRESS) if starts_elsewhere else self.initial()
        return after_moves(self, state, words, text)  # type: ignore[no-any-return]

    def format(self, state: Position) -> str:
        return format_fen(state)

    def format_move(self, state: Position, move: int) -> str:
        return format_move(move)

    def parse_move(self, state: Position, text: str) -> int:
        found = find_moves(list(self.moves(state)), text.strip())
        if len(found) > 1:
            texts = " ".join(self.format_move(state, move) for move in found)
            raise PositionError(f"{text!r} may be several moves here: {texts}")
        return found[0] if found else super().parse_move(state, text)

    def record(self, start: Position, moves: Sequence[int], about: Mapping[str, str]) -> str:
        """Return a game as PDN; there the first number of a result is White's."""
        return self.annotated_record(plain_record(start, moves), about)

    def annotated_record(self, record: Record, about: Mapping[str, str]) -> str:
        return format_pdn(self, described(record, about, white="min", black="max"))

    def recorded(self, text: str) -> Iterator[Record]:
        return read_damaged(Pdn(self), text)

    def player_name(self, player: int) -> str:
        return ("Black", "White")[player]

    # View -----------------------------------------------------------------------------------------------------------

    def piece_at(self, state: Position, place: int) -> int:
        square = square_on(place)
        if square == 0 or (state.black | state.white) & bit_of(square) == 0:
            return 0
        return 1 + (1 if state.white & bit_of(square) else 0) + (2 if state.kings & bit_of(square) else 0)

    def set_up(self, cells: Sequence[int], player: int) -> Position:
        if any(cell and square_on(place) == 0 for place, cell in enumerate(cells)):
            raise PositionError("pieces stand on the dark squares only")
        words: tuple[list[str], list[str]] = ([], [])
        for place, cell in enumerate(cells):
            if cell:
                words[(cell - 1) & 1].append(f"{'K' * (cell > 2)}{square_on(place)}")
        return with_pieces(",".join(words[0]), ",".join(words[1]), player, 0)

    def places(self, state: Position, move: int) -> tuple[int, int]:
        """Return the first and the last square; one that is both is only the first."""
        source = place_of(square_at(lowest(source_of(move))))
        target = place_of(square_at(lowest(target_of(move))))
        return (source, target if target != source else -1)

    def routes(self, state: Position, move: int) -> list[list[int]]:
        """Return the squares where a piece may land: several ways lead around a circle."""
        if not taken_by(move):
            return [list(self.places(state, move))]
        return [[place_of(square) for square in way] for way in ways(move)]

    def marked(self, state: Position) -> list[int]:
        """Return the pieces that must capture."""
        return [] if self.is_terminal(state) else [place_of(square) for square in squares_of(jumpers(state))]

    def why_illegal(self, state: Position, text: str) -> str:
        capturing = [str(square) for square in squares_of(jumpers(state))]
        idle = [str(square) for square in squares_of(sides(state)[0]) if str(square) not in capturing]
        if capturing and (text in idle or find_moves(list(steps(state)), text)):
            return f"you must capture, with the piece on {listing(capturing, 'or')}"
        return "the capture goes on" if any(goes_on(move, text) for move in captures(state)) else ""

    def score_text(self, score: float) -> str:
        return f"{score / MAN:+.2f}" if self.plies_to_win(score) < 0 else super().score_text(score)

    def ending(self, state: Position) -> str:
        if not self.has_move(state):
            return "no moves left" if state.white and state.black else "all pieces taken"
        return "forty moves without progress"
