"""Moves as texts: the coordinates of the UCI protocol, and standard algebraic notation (SAN).

In coordinates, castling is the king's own move in standard chess, e1g1, and the king's move to its rook in Chess960,
e1h1.  In positions impossible in standard chess (such as a king off the e-file) it is always the latter.
"""

from __future__ import annotations

import re

from plywise.errors import PositionError
from plywise.game import not_legal
from plywise.games.chess.board import PAWN, Position, kind_at
from plywise.games.chess.fen import FILES, KIND_OF_LETTER, LETTERS, square_name
from plywise.games.chess.move import (
    CAPTURE,
    CASTLE,
    PROMOTED,
    PROMOTION,
    kind_of,
    source_of,
    target_of,
)
from plywise.games.chess.playing import Playing
from plywise.io.wording import listing

SAN = re.compile(
    r"(?P<piece>[PNBRQK])?(?P<file>[a-h])?(?P<rank>[1-8])?[x:–-]?(?P<target>[a-h][1-8])"
    r"([=/(]?(?P<promoted>[NBRQnbrq])\)?)?"
)
CASTLING = re.compile(r"([Oo0])[–-]\1(?P<long>[–-]\1)?")
SIGNS = "+#!?†‡=±∓⩲⩱∞~□−/-"
"""Signs after a move: check and mate, annotations, offers of a draw, judgements."""
EN_PASSANT = re.compile(r"e\.?p\.?$")
LONG = re.compile(r"^([a-h][1-8])[x:–-]([a-h][1-8])")
"""Coordinates with a sign between the squares, as in g1-f3."""
FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")
"""Pieces drawn instead of written, as in ♘f3."""


def format_coordinates(move: int, chess960: bool = False) -> str:
    """Return a move in UCI notation: e2e4, e7e8q."""
    source, target = squares_of(move, chess960)
    kind = kind_of(move)
    promoted = LETTERS[PROMOTED[kind & 3]] if kind & PROMOTION else ""
    return square_name(source) + square_name(target) + promoted


def squares_of(move: int, chess960: bool = False) -> tuple[int, int]:
    """Return the two squares of a move in coordinates."""
    source, target = source_of(move), target_of(move)
    if kind_of(move) == CASTLE and not chess960 and source & 7 == 4 and target & 7 in (0, 7):
        target = castling_goal(source, target)
    return source, target


def castling_goal(king: int, rook: int) -> int:
    """Return the king's square after castling with a rook."""
    return (king & 56) + (2 if rook < king else 6)


def format_san(game: Playing, state: Position, move: int) -> str:
    """Return a legal move in algebraic notation: e4, Nbd7, exd8=Q+, O-O, Qh7#.

    >>> from plywise.games import Chess
    >>> game = Chess()
    >>> format_san(game, game.initial(), game.parse_move(game.initial(), "g1f3"))
    'Nf3'
    """
    after = game.play(state, move)
    check = "" if not after.checkers else "+" if game.has_move(after) else "#"
    return _bare_san(game, state, move) + check


def _bare_san(game: Playing, state: Position, move: int) -> str:
    source, target, kind = source_of(move), target_of(move), kind_of(move)
    if kind == CASTLE:
        return "O-O-O" if target < source else "O-O"
    piece = kind_at(state, source)
    captures = "x" if kind & CAPTURE else ""
    if piece == PAWN:
        promoted = "=" + LETTERS[PROMOTED[kind & 3]].upper() if kind & PROMOTION else ""
        return (square_name(source)[0] + captures if captures else "") + square_name(target) + promoted
    return LETTERS[piece].upper() + _distinction(game, state, move, piece) + captures + square_name(target)


def _distinction(game: Playing, state: Position, move: int, piece: int) -> str:
    """Return what distinguishes a piece from others of its kind that can go to the same square: file, rank, or both."""
    source = source_of(move)
    others = [
        source_of(other)
        for other in game.moves(state)
        if target_of(other) == target_of(move)
        and source_of(other) != source
        and kind_of(other) != CASTLE
        and kind_at(state, source_of(other)) == piece
    ]
    name = square_name(source)
    if not others:
        return ""
    if all(other & 7 != source & 7 for other in others):
        return name[0]
    return name[1] if all(other >> 3 != source >> 3 for other in others) else name


def parse_move_text(game: Playing, state: Position, text: str, chess960: bool = False) -> int:
    """Return the legal move that a text in coordinates or in algebraic notation describes.

    Castling is understood in both forms of coordinates, unless another move has the same text.

    Raises:
        PositionError: there is no such move, or there are several.
    """
    word = LONG.sub(r"\1\2", text.strip().lower())
    legal = list(game.moves(state))
    for other_form in (chess960, not chess960):
        for move in legal:
            if format_coordinates(move, other_form) == word:
                return move
    return _parse_san(game, state, legal, text)


def parse_san(game: Playing, state: Position, text: str) -> int:
    """Return the legal move that algebraic notation describes; common deviations from the standard are understood.

    Raises:
        PositionError: there is no such move, or there are several.

    >>> from plywise.games import Chess
    >>> game = Chess()
    >>> state = game.parse("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    >>> [format_san(game, state, parse_san(game, state, text)) for text in ("0-0", "♔d2", "a8(Q)", "Rh1-h7!?")]
    ['O-O', 'Kd2', 'a8=Q+', 'Rh7']
    """
    return _parse_san(game, state, list(game.moves(state)), text)


def _parse_san(game: Playing, state: Position, legal: list[int], text: str) -> int:
    bare = text.strip().translate(FIGURINES).rstrip(SIGNS)
    bare = EN_PASSANT.sub("", bare).rstrip(SIGNS)
    if castling := CASTLING.fullmatch(bare):
        fitting = [m for m in legal if kind_of(m) == CASTLE and (target_of(m) < source_of(m)) == bool(castling["long"])]
    else:
        san = SAN.fullmatch(bare) or SAN.fullmatch(bare[:1].upper() + bare[1:])  # nf3 is Nf3
        fitting = [move for move in legal if san and _fits(state, move, san)]
    if len(fitting) > 1:
        names = listing([format_san(game, state, move) for move in fitting], "or")
        raise PositionError(f"{text!r} is ambiguous: it may be {names}")
    if not fitting:
        raise PositionError(not_legal(game, state, text.translate(FIGURINES)))
    return fitting[0]


def _fits(state: Position, move: int, san: re.Match[str]) -> bool:
    source, kind = source_of(move), kind_of(move)
    piece = kind_at(state, source)
    promoted = LETTERS[PROMOTED[kind & 3]] if kind & PROMOTION else None
    return (
        kind != CASTLE
        and piece == (KIND_OF_LETTER[san["piece"].lower()] if san["piece"] else PAWN)
        and square_name(target_of(move)) == san["target"]
        and san["file"] in (None, FILES[source & 7])
        and san["rank"] in (None, str(source // 8 + 1))
        and (san["promoted"].lower() if san["promoted"] else None) == promoted
    )
