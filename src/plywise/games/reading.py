"""Games in any text that people paste: the file format of a game (PGN, SGF, PDN), a list of moves, or positions.

A list of moves is in the game's own notation, with or without numbers, comments in braces and variations in brackets.
Moves may follow each other without a space, as in ``f5d6c3``, and a move that is forced may be left out, as passes are
in Othello.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice

from plywise.errors import PositionError
from plywise.game import Game, Move, State, not_legal
from plywise.games.chess.epd import format_operations, parse_epd
from plywise.games.chess.playing import Playing
from plywise.games.records import HEADER, Dialect, Record, read_damaged, words_of_moves

SGF = re.compile(r"\(\s*;\s*(?:[A-Za-z]+\s*\[|;|\()")
SGF_GAME = re.compile(r"\bGM\s*\[\s*(\d+)\s*\]")
SGF_GAMES = {"2": "Othello", "3": "Chess", "4": "Gomoku", "6": "Backgammon"}
"""The numbers of games in SGF, and their titles."""
HEADERS = re.compile(f"(?m)^{HEADER}")
OF_DRAUGHTS = re.compile(r'\[\s*(?:FEN\s*"[^"]*:|GameType\s*"\s*[2-4]\d\b)')
"""Headers that chess does not have.  PDN numbers the kinds of draughts from 20; chess has other texts there."""
OF_CHESS = r"(?:[a-h]x|[NBRQK♔-♟]\S*)?[a-h][1-8]"
SQUARE_NUMBERS = r"[1-9]\d?(?:[-x][1-9]\d?)+"
MOVE = re.compile(rf"(?:{OF_CHESS}|({SQUARE_NUMBERS}))[+#]*")
"""A move as chess players write it, or as checkers players do."""
MOST_WORDS = 200
"""The most words that are looked at to tell the game."""
NUMBERED = re.compile(rf"\s*1\s*\.+\s*(?:{OF_CHESS}|({SQUARE_NUMBERS}))(?=\s)")
"""The first move of a game, as chess players or checkers players write it."""
COMMAND = re.compile(r"\A\s*position\s+")
"""How a position begins in the UCI protocol; moves may follow after the word ``moves``."""
MOST_LINES = 1000
"""The most lines that are read as positions."""


class OwnText(Dialect):
    """A list of moves of any game, from a position."""

    name = "the text"
    loose = True

    def __init__(self, game: Game, first: State) -> None:
        self.game, self.first = game, first

    def start(self, headers: Mapping[str, str]) -> State:
        return self.first

    def parse_moves(self, state: State, text: str) -> list[Move]:
        word = text.strip(",")
        for bare in (word, word.rstrip("!?")):
            try:
                return [self.game.parse_move(state, bare)]
            except ValueError:
                continue
        return self._in_a_row(state, word)

    def _in_a_row(self, state: State, text: str) -> list[Move]:
        """Return the moves of a word that has several, with those that are forced and left out."""
        moves: list[Move] = []
        while text:
            move, length = self._beginning(state, text)
            if length == 0:
                legal = [] if self.game.is_terminal(state) else list(self.game.moves(state))
                forced = len(legal) == 1 and self._beginning(self.game.play(state, legal[0]), text)[1]
                if not forced:
                    raise PositionError(not_legal(self.game, state, text, self.game.why_illegal(state, text)))
                move = legal[0]
            moves.append(move)
            state, text = self.game.play(state, move), text[length:]
        return moves

    def _beginning(self, state: State, text: str) -> tuple[Move, int]:
        """Return the move that a text begins with, and its length, which is 0 if there is none; the longest counts."""
        found: tuple[int, bool, Move] = (0, False, None)
        for move in () if self.game.is_terminal(state) else self.game.moves(state):
            for name in (self.game.format_move(state, move), self.game.move_name(state, move)):
                if text.lower().startswith(name.lower()) and (len(name), text.startswith(name)) > found[:2]:
                    found = (len(name), text.startswith(name), move)
        return found[2], found[0]

    def play(self, state: State, move: Move) -> State:
        return self.game.play(state, move)

    def first_ply(self, state: State) -> int:
        return 0

    def numbered(self, ply: int) -> str:
        return f"move {ply + 1}"


def game_told(text: str) -> str | None:
    """Return the name of the game that a text is of, if its format tells; None if it may be of any game.

    Raises:
        PositionError: it is of a game that cannot be read in this format.

    >>> game_told('[White "Ann"]\\n1. e4 e5'), game_told('[White "Ann"]\\n1. 11-15 23-19'), game_told("(;SZ[9];B[cc])")
    ('chess', 'checkers', 'go')
    >>> game_told("e4 e5") is None
    True
    """
    text = text.replace("\ufeff", "").lstrip()
    if SGF.match(text):
        number = (SGF_GAME.search(text) or ["", "1"])[1]
        if number != "1":
            title = SGF_GAMES.get(number, "another game")
            raise PositionError(f"this SGF file is of {title} (GM[{number}]), but only Go is read from SGF")
        return "go"
    if not HEADERS.search(text):
        return None
    moves = filter(None, map(MOVE.fullmatch, islice(words_of_moves(text), MOST_WORDS)))
    clues = [bool(move[1]) for move in moves] or [bool(OF_DRAUGHTS.search(text))]
    return "checkers" if 2 * sum(clues) > len(clues) else "chess"


def game_guessed(text: str) -> str | None:
    """Return the name of the game that a list of moves looks like; None if it looks like none.

    >>> game_guessed("1. e4 e5"), game_guessed("1. 11-15 23-19"), game_guessed("4455")
    ('chess', 'checkers', None)
    """
    first = NUMBERED.match(text.replace("\ufeff", ""))
    return None if first is None else "checkers" if first[1] else "chess"


def read_games(game: Game, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other; see ``Record.problem`` for those that are wrong.

    Raises:
        PositionError: there is nothing that looks like a game or a position; the message says why.

    >>> import plywise as pw
    >>> game = pw.games.Othello()
    >>> [[game.format_move(None, played.move) for played in record.played] for record in read_games(game, "f5D6 c3")]
    [['f5', 'd6', 'c3']]
    """
    text = text.replace("\ufeff", "").strip()
    if not text:
        raise PositionError("there is nothing to read")
    saved = iter(game.recorded(text) or ())
    first = next(saved, None)
    if first is not None and (first.played or first.headers or SGF.match(text) or HEADERS.search(text)):
        return chain([first], saved)
    return iter(_own_games(game, text))


def _own_games(game: Game, text: str) -> list[Record]:
    """Return the games in a text that is in no file format: the text is one game, or most of its lines are."""
    whole = _own_game(game, text)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not whole.problem or lines == [text]:
        return [whole]
    games = [_own_game(game, line) for line in lines[:MOST_LINES]]
    return games if 2 * sum(bool(each.problem) for each in games) < len(games) else [whole]


def _own_game(game: Game, text: str) -> Record:
    """Return the game in a text: moves, else a position with or without moves, else as many moves as are legal."""
    moves = _moves(game, game.initial(), text)
    if not moves.problem:
        return moves
    position, *after = re.split(r"\smoves\s", COMMAND.sub("", text), maxsplit=1)
    try:
        start = _position(game, position)
        return _moves(game, start.start, after[0]) if after else start
    except ValueError as wrong:
        if moves.played:
            return moves
        return Record(None, (), problem=f"this is no list of moves ({moves.problem}), and no position ({wrong})")


def _position(game: Game, text: str) -> Record:
    """Return a position.  In chess, what follows it (the operations of EPD) is its comment."""
    if isinstance(game, Playing) and ";" in text and len(text.splitlines()) == 1:
        epd = parse_epd(game, text)
        return Record(epd.state, (), comment=format_operations(epd))
    return Record(game.parse(text), ())


def _moves(game: Game, start: State, text: str) -> Record:
    """Return the moves in a text as one game."""
    games = list(read_damaged(OwnText(game, start), text))
    return games[0] if games else Record(start, (), problem="there are no moves")
