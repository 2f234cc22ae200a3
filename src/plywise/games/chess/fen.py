"""Positions as texts: FEN, as defined in Edwards' PGN standard (1994), with castling rights for Chess960.

A castling right is K, Q, k or q for the outermost rook on that side of the king (X-FEN, Scharnagl), or the file of the
rook, A to H or a to h (Shredder-FEN).  Reading is strict: an impossible position is refused with a message of one line
that says why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plywise.bits import item, lowest, popcount, rest, signed
from plywise.errors import PositionError
from plywise.games.chess.board import (
    BACK_RANKS,
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PASSING_RANKS,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Position,
    bit,
    has,
    kind_at,
    men,
)
from plywise.games.chess.playing import Playing
from plywise.games.chess.zobrist import MOVER
from plywise.io.numbers import whole_number

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

LETTERS = {PAWN: "p", KNIGHT: "n", BISHOP: "b", ROOK: "r", QUEEN: "q", KING: "k"}
KIND_OF_LETTER = {letter: kind for kind, letter in LETTERS.items()}
FILES = "abcdefgh"
SIDES = ("White", "Black")
MOST_COUNTED = 9999


def square_name(square: int) -> str:
    """Return the name of a square, such as e4."""
    return f"{FILES[square & 7]}{square // 8 + 1}"


def parse_square(name: str) -> int:
    """Return the square of this name; -1 if there is none."""
    if len(name) == 2 and name[0] in FILES and name[1] in "12345678":
        return FILES.index(name[0]) + 8 * (int(name[1]) - 1)
    return -1


def letter_at(state: Position, square: int) -> str:
    """Return the letter of the piece on a square, White's in capitals; a dot if there is none."""
    letter = LETTERS.get(kind_at(state, square), ".")
    return letter.upper() if has(state.white, square) else letter


# Writing --------------------------------------------------------------------------------------------------------------


def format_fen(state: Position, shredder: bool = False) -> str:
    """Return a position as FEN.

    Args:
        state: the position.
        shredder: name castling rights by files, as Chess960 programs do, instead of K and Q.
    """
    return f"{_format_fields(state, shredder)} {state.clock} {state.ply // 2 + 1}"


def _format_fields(state: Position, shredder: bool) -> str:
    """Return the four fields that EPD shares with FEN."""
    rows = []
    for rank in reversed(range(8)):
        row = "".join(letter_at(state, 8 * rank + file) for file in range(8))
        for length in range(8, 0, -1):
            row = row.replace("." * length, str(length))
        rows.append(row)
    passing = state.rights & PASSING_RANKS
    return " ".join((
        "/".join(rows),
        "b" if state.ply & 1 else "w",
        _format_rights(state, shredder),
        square_name(lowest(passing)) if passing else "-",
    ))  # fmt: skip


def _format_rights(state: Position, shredder: bool) -> str:
    text = ""
    for player in (WHITE, BLACK):
        own = men(state, player)
        king = lowest(state.kings & own)
        names = []
        rooks = state.rights & own & BACK_RANKS
        while rooks:
            rook = lowest(rooks)
            right = rook > king
            letter = FILES[rook & 7] if shredder or rook != _outermost(state, own, king, right) else "qk"[right]
            names.append(letter.upper() if player == WHITE else letter)
            rooks = rest(rooks)
        text += "".join(reversed(names))
    return text or "-"


def _outermost(state: Position, own: int, king: int, right: bool) -> int:
    """Return the square of the outermost rook on one side of the king; -1 if there is none."""
    home = king & 56
    for square in range(home + 7, king, -1) if right else range(home, king):
        if kind_at(state, square) == ROOK and has(own, square):
            return square
    return -1


# Reading --------------------------------------------------------------------------------------------------------------


def parse_fen(game: Playing, text: str) -> Position:
    """Return the position that a FEN describes; the two counters at its end may be missing.

    Raises:
        PositionError: the text is not a FEN, or the position is impossible; the message says why.
    """
    words = text.split()
    try:
        if not text.isascii():
            raise _Wrong("a FEN is written in ASCII")
        if len(words) not in (4, 6):
            raise _Wrong(f"a FEN has 6 fields (or 4, without its counters), not {len(words)}")
        clock, number = _parse_counters(*words[4:]) if len(words) == 6 else (0, 1)
        return _parse_fields(game, words[:4], clock, number)
    except _Wrong as wrong:
        raise PositionError(f"{text!r} is not a position: {wrong}") from None


def set_up(game: Playing, letters: Sequence[str], player: int) -> Position:
    """Return the position with these pieces, a letter or a dot for every square from a8 to h1, and this player to move.

    Kings and rooks on the squares where they start in standard chess may castle; no pawn has just made a double step.

    Raises:
        PositionError: the position is impossible; the message says why.
    """
    placement = "/".join("".join(letters[row : row + 8]) for row in range(0, 64, 8))
    placement = re.sub(r"\.+", lambda run: str(len(run[0])), placement)
    home = {"K": (60, 63), "Q": (60, 56), "k": (4, 7), "q": (4, 0)}
    rooks = {"K": "R", "Q": "R", "k": "r", "q": "r"}
    castling = "".join(
        right for right, (king, rook) in home.items()
        if letters[king] == ("K" if right.isupper() else "k") and letters[rook] == rooks[right]
    )  # fmt: skip
    try:
        return _parse_fields(game, [placement, "wb"[player], castling or "-", "-"], 0, 1)
    except _Wrong as wrong:
        raise PositionError(str(wrong)) from None


class _Wrong(Exception):
    """The text is wrong; the message says why."""


def _parse_counters(clock: str, number: str) -> tuple[int, int]:
    counted = []
    for name, word in (("the halfmove clock", clock), ("the move number", number)):
        count = whole_number(word)
        if count is None or count > MOST_COUNTED:
            raise _Wrong(f"{name} must be a number from 0 to {MOST_COUNTED}, not {word!r}")
        counted.append(count)
    return counted[0], max(1, counted[1])


def _parse_fields(game: Playing, fields: list[str], clock: int, number: int) -> Position:
    placement, mover, castling, passing = fields
    if mover not in ("w", "b"):
        raise _Wrong(f"the player to move must be w or b, not {mover!r}")
    ply = 2 * (number - 1) + (mover == "b")
    state = _parse_placement(game, placement)._replace(clock=clock, ply=ply)
    _check_men(state)
    if item(game.king_steps, lowest(state.white & state.kings)) & state.black & state.kings:
        raise _Wrong("the kings are on adjacent squares")
    state = state._replace(rights=_parse_rights(state, castling), hash=state.hash ^ (MOVER if ply & 1 else 0))
    if game.find_checkers(state._replace(ply=1 - (ply & 1))):
        raise _Wrong(f"{SIDES[1 - (ply & 1)]}, who is not to move, is in check")
    state = state._replace(checkers=game.find_checkers(state))
    if popcount(state.checkers) > 2:
        raise _Wrong("more than two men give check")
    if passing != "-":
        target = _parse_passing(state, passing)
        possible = state._replace(rights=signed(state.rights | bit(target)))
        state = possible if game.passing_pawns(possible) else state
    return state


def _parse_placement(game: Playing, text: str) -> Position:
    rows = text.split("/")
    if len(rows) != 8:
        raise _Wrong(f"the board must have 8 ranks separated by /, not {len(rows)}")
    boards = dict.fromkeys(Position._fields, 0)
    for rank, row in zip(reversed(range(8)), rows, strict=True):
        file = 0
        for letter in row:
            kind = KIND_OF_LETTER.get(letter.lower(), 0)
            if letter in "12345678":
                file += int(letter)
            elif kind and file < 8:
                _put(game, boards, kind, BLACK if letter.islower() else WHITE, 8 * rank + file)
                file += 1
            else:
                file = 9 if kind else -1
            if not 0 <= file <= 8:
                break
        if file < 0:
            raise _Wrong(f"rank {rank + 1} has {letter!r}, which is neither a piece (PNBRQK, pnbrqk) nor 1 to 8")
        if file != 8:
            raise _Wrong(f"rank {rank + 1}, {row!r}, has {'more' if file > 8 else 'fewer'} than 8 squares")
        if re.search("[1-8]{2}", row):
            raise _Wrong(f"rank {rank + 1}, {row!r}, has two numbers in a row; add them up")
    return Position(**{name: signed(board) for name, board in boards.items()})


def _put(game: Playing, boards: dict[str, int], kind: int, player: int, square: int) -> None:
    """Put a piece on the boards of a position under construction."""
    homes = {PAWN: "pawns", KNIGHT: "knights", BISHOP: "diagonal", ROOK: "straight", KING: "kings"}
    for name in ("diagonal", "straight") if kind == QUEEN else (homes[kind],):
        boards[name] |= 1 << square
    boards["black" if player else "white"] |= 1 << square
    boards["hash"] ^= game.piece_hash(kind, player, square)


def _check_men(state: Position) -> None:
    for player, side in enumerate(SIDES):
        own = men(state, player)
        kings, pawns = popcount(own & state.kings), popcount(own & state.pawns)
        if kings != 1:
            raise _Wrong(f"{side} has {kings or 'no'} king{'s' if kings else ''}")
        if pawns > 8:
            raise _Wrong(f"{side} has {pawns} pawns")
        if popcount(own) > 16:
            raise _Wrong(f"{side} has {popcount(own)} men")
    if state.pawns & BACK_RANKS:
        raise _Wrong(f"there is a pawn on {square_name(lowest(state.pawns & BACK_RANKS))}, on the first or last rank")


def _parse_rights(state: Position, text: str) -> int:
    if text == "-":
        return 0
    rights = 0
    for letter in text:
        player = BLACK if letter.islower() else WHITE
        side, own, home = SIDES[player], men(state, player), 56 * player
        king = lowest(own & state.kings)
        name = letter.lower()
        if name not in "kq" + FILES:
            raise _Wrong(f"castling rights must be letters of KQkq, A to H or a to h, or -, not {text!r}")
        if not home < king < home + 7:
            raise _Wrong(f"{side} cannot castle ({letter}) with the king on {square_name(king)}")
        rook = _outermost(state, own, king, name == "k") if name in "kq" else home + FILES.index(name)
        if rook < 0 or kind_at(state, rook) != ROOK or not has(own, rook):
            where = f"on {square_name(rook)}" if rook >= 0 else f"on that side of the king on {square_name(king)}"
            raise _Wrong(f"{side} cannot castle ({letter}): there is no rook {where}")
        if any(has(rights, other) and (other > king) == (rook > king) for other in range(home, home + 8)):
            raise _Wrong(f"{side} has two castling rights on the same side of the king in {text!r}")
        rights |= 1 << rook
    return signed(rights)


def _parse_passing(state: Position, name: str) -> int:
    target = parse_square(name)
    if target < 0 or target // 8 != (2 if state.ply & 1 else 5):
        raise _Wrong(f"the en passant square must be on rank {3 if state.ply & 1 else 6}, or -, not {name!r}")
    up = -8 if state.ply & 1 else 8
    their = men(state, 1 - (state.ply & 1))
    if not has(their & state.pawns, target - up):
        raise _Wrong(f"no pawn can be captured en passant on {name}: there is none on {square_name(target - up)}")
    if has(state.white | state.black, target) or has(state.white | state.black, target + up):
        raise _Wrong(f"no pawn can have passed {name}: it or {square_name(target + up)} is occupied")
    return target


# Chess960 -------------------------------------------------------------------------------------------------------------


def chess960_fen(number: int) -> str:
    """Return the starting position with this number, 0 to 959, in Scharnagl's scheme; 518 is standard chess.

    >>> chess960_fen(518)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
    """
    if not 0 <= number < 960:
        raise PositionError(f"{number} is not a starting position of Chess960: numbers are 0 to 959")
    row = [""] * 8
    left, light = divmod(number, 4)
    left, dark = divmod(left, 4)
    knights, queen = divmod(left, 6)
    row[2 * light + 1] = row[2 * dark] = "b"
    row[[file for file in range(8) if not row[file]][queen]] = "q"
    free = [file for file in range(8) if not row[file]]
    pairs = [(one, two) for one in range(5) for two in range(one + 1, 5)]
    for place in pairs[knights]:
        row[free[place]] = "n"
    free = [file for file in range(8) if not row[file]]
    for file, letter in zip(free, "rkr", strict=True):
        row[file] = letter
    rooks = FILES[free[2]] + FILES[free[0]]
    pieces = "".join(row)
    return f"{pieces}/pppppppp/8/8/8/8/PPPPPPPP/{pieces.upper()} w {rooks.upper()}{rooks} - 0 1"
