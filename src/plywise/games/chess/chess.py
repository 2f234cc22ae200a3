"""Chess and Chess960, on the same contract as every other game."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from plywise.bits import lowest
from plywise.compiling.native import COMPILED
from plywise.errors import GameError, PositionError
from plywise.game import Game
from plywise.games.chess.board import BACK_RANKS, BLACK, WHITE, Position, has, kind_at, men
from plywise.games.chess.evaluation import Evaluation
from plywise.games.chess.exchange import Exchange
from plywise.games.chess.fen import START_FEN, chess960_fen, format_fen, parse_fen, set_up
from plywise.games.chess.inputs import Inputs
from plywise.games.chess.move import source_of, target_of
from plywise.games.chess.notation import format_coordinates, format_san, parse_move_text, squares_of
from plywise.games.chess.pgn import Pgn, format_pgn
from plywise.games.chess.simple import share, squares
from plywise.games.chess.zobrist import MOVER
from plywise.games.flags import check_flags
from plywise.games.records import Record, described, plain_record, read_damaged
from plywise.io.numbers import whole_number
from plywise.layers import Counting, FastestWin, Grid, Piece, Recurrence, Tactics, View

PIECES = tuple(
    Piece(symbol.upper() if colour == "white" else symbol, colour, f"{colour} {kind}", glyph)
    for colour in ("white", "black")
    for symbol, kind, glyph in (
        ("p", "pawn", "♟"), ("n", "knight", "♞"), ("b", "bishop", "♝"), ("r", "rook", "♜"), ("q", "queen", "♛"),
        ("k", "king", "♚"),
    )
)  # fmt: skip
PIECE_NUMBERS = (0, 1, 2, 3, 4, 6, 0, 5)
"""The number of a piece among ``PIECES``, by its kind; Black's are six higher."""

PAWNS = 100
"""Centipawns per pawn: scores are in centipawns, but are shown in pawns."""

WIN = 30_000
"""The score of a mate, in centipawns."""


class Chess(Exchange, Evaluation, Inputs, Tactics, Recurrence, FastestWin, Counting, View, Game):
    """Chess.  White is Max.  Scores are in centipawns; a mate is worth 30,000.

    The text of a position is a FEN or ``startpos``, optionally followed by moves: ``startpos moves e2e4 e7e5``.
    Chess960 needs no setting; ``chess960`` only changes texts: castling is written as e1h1, castling rights as files.
    Simpler evaluations can be chosen: with ``share`` it is the course's, each side's share of the material; with
    ``squares``, it is material and squares, with values by hand.

    >>> game = Chess()
    >>> print(game.board(game.parse("startpos moves e2e4 c7c5 g1f3")))
    r n b q k b n r  8
    p p . p p p p p  7
    . . . . . . . .  6
    . . p . . . . .  5
    . . . . P . . .  4
    . . . . . N . .  3
    P P P P . P P P  2
    R N B Q K B . R  1
    a b c d e f g h
    """

    description = "Mate the other king; Chess960 too."
    known_size = (None, "35^80")
    estimated_size = "at most 10^43"
    layout = Grid(8, 8, right="87654321", bottom="abcdefgh", chequered=True)
    pieces = PIECES
    mark_name = "in check"
    record_suffix = "pgn"
    win_score = WIN
    swing = 100
    repetitions = 3
    chess960: bool = dataclasses.field(default=False, metadata={COMPILED: False})
    share: bool = False
    squares: bool = False

    def __post_init__(self) -> None:
        check_flags(self)
        if self.share and self.squares:
            raise GameError(f"{self!r} is not possible: choose one evaluation, share or squares")

    def initial(self) -> Position:
        return Position(*self.start)

    def to_move(self, state: Position) -> int:
        return state.ply & 1

    def is_terminal(self, state: Position) -> bool:
        return self.is_drawn(state) or not self.has_move(state)

    def score(self, state: Position) -> int:
        if state.checkers and not self.has_move(state):
            return WIN if state.ply & 1 else -WIN
        return 0

    # What a search can use ------------------------------------------------------------------------------------------

    def bounds(self, state: Position) -> tuple[int, int]:
        return (-WIN, WIN)

    def evaluate(self, state: Position) -> int:
        if not (self.share or self.squares):
            return self.linear(state)
        white, black = self.seen_by(state, WHITE), self.seen_by(state, BLACK)
        return share(white, black) if self.share else squares(white) - squares(black)

    def network_file(self) -> str:
        """Return the network that corrects the evaluation, unless another evaluation or other weights are chosen."""
        return "" if self.weights_file or self.share or self.squares else "chess.net"

    def order(self, state: Position, move: int) -> int:
        """Return 0 for all moves: the gain of captures and the history order moves better than evaluations would."""
        return 0

    def trait(self, state: Position, move: int) -> int:
        """Return the kind of piece and its target square."""
        return kind_at(state, source_of(move)) << 6 | target_of(move)

    def extension(self, state: Position) -> int:
        return 1 if state.checkers else 0

    def pass_move(self, state: Position) -> Position:
        """Return the position after a pass; no earlier position of the game can recur after it.

        There is no pass in check, nor with only pawns left, where zugzwang is common.
        """
        own = men(state, state.ply & 1)
        if state.checkers or own & (state.knights | state.diagonal | state.straight) == 0:
            return state
        return state._replace(rights=state.rights & BACK_RANKS, clock=0, ply=state.ply + 1, hash=state.hash ^ MOVER)

    def reversible(self, state: Position) -> int:
        return state.clock

    def without_history(self, state: Position) -> Position:
        """Return the position without the halfmove clock and the move number."""
        return state._replace(clock=0, ply=state.ply & 1)

    def count_moves(self, state: Position) -> int:
        return 0 if self.is_drawn(state) else self.count_legal(state)

    def counted(self) -> Game:
        return self.without_draws()

    @cached_property
    def start(self) -> tuple[int, ...]:
        """The initial position as a plain tuple, for compiled code."""
        return tuple(parse_fen(self, START_FEN))

    # Texts ----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Position:
        """Return the position of a FEN, ``startpos`` or ``chess960:N``, after any moves that follow ``moves``."""
        first, *moves = text.split(" moves ")
        name, words = first.strip().removeprefix("fen "), " ".join(moves).split()
        if name == "startpos" or name.removesuffix(" moves") == "startpos":
            state = self.initial()
        elif name.startswith("chess960:") and (number := whole_number(name[9:])) is not None:
            state = parse_fen(self, chess960_fen(number))
        else:
            state = parse_fen(self, name)
        rules = self.without_draws()  # the players may have played on
        for place, word in enumerate(words, 1):
            try:
                state = self.play(state, parse_move_text(rules, state, word, self.chess960))
            except PositionError as wrong:
                raise PositionError(f"{text!r} is not a position: move {place}: {wrong}") from None
        return state

    def format(self, state: Position) -> str:
        return format_fen(state, shredder=self.chess960)

    def format_move(self, state: Position, move: int) -> str:
        return format_coordinates(move, self.chess960)

    def parse_move(self, state: Position, text: str) -> int:
        return parse_move_text(self, state, text, self.chess960)

    def record(self, start: Position, moves: Sequence[int], about: Mapping[str, str]) -> str:
        return self.annotated_record(plain_record(start, moves), about)

    def annotated_record(self, record: Record, about: Mapping[str, str]) -> str:
        return format_pgn(self, described(record, about, white="max", black="min"))

    def recorded(self, text: str) -> Iterator[Record]:
        return read_damaged(Pgn(self), text)

    def player_name(self, player: int) -> str:
        return ("White", "Black")[player]

    # View -----------------------------------------------------------------------------------------------------------

    def piece_at(self, state: Position, place: int) -> int:
        square = place ^ 56  # places are counted from a8, squares from a1
        return PIECE_NUMBERS[kind_at(state, square)] + (6 if has(state.black, square) else 0)

    def set_up(self, cells: Sequence[int], player: int) -> Position:
        return set_up(self, [PIECES[cell - 1].symbol if cell else "." for cell in cells], player)

    def places(self, state: Position, move: int) -> tuple[int, int]:
        source, target = squares_of(move)
        return (source ^ 56, target ^ 56)

    def marked(self, state: Position) -> list[int]:
        """Return the place of the king if it is in check."""
        return [lowest(men(state, state.ply & 1) & state.kings) ^ 56] if state.checkers else []

    def move_name(self, state: Position, move: int) -> str:
        return format_san(self, state, move)

    def score_text(self, score: float) -> str:
        plies = self.plies_to_win(score)
        if plies < 0:
            return f"{score / PAWNS:+.2f}"
        return f"{self.player_name(0 if score > 0 else 1)} mates in {max(1, math.ceil(plies / 2))}"

    def ending(self, state: Position) -> str:
        if not self.has_move(state):
            return "checkmate" if state.checkers else "stalemate"
        return "insufficient material" if self.lacks_material(state) else "the fifty-move rule"
