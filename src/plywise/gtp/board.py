"""The game that is played through GTP: its positions, and what commands do to them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from plywise.errors import GameError, PlywiseError, PositionError, SearchError
from plywise.game import Game, Move, State
from plywise.gtp.protocol import CommandError
from plywise.io.files import written_whole
from plywise.io.sgf import read_sgf_file
from plywise.layers.view import cells_of
from plywise.match.ending import is_forbidden
from plywise.match.gtp_program import PASS, check_points

PIECES = (1, 2)
"""What ``piece_at`` calls the stones of Black and White."""
SMALLEST_HANDICAP_BOARD, LARGE_BOARD = 7, 13
"""The fewest points in a row for a handicap, and from which number of points on its stones are on the fourth line."""


class Board:
    """A game from its start to the position on the board."""

    def __init__(self, game: Game) -> None:
        check_points(game)
        self.game = game
        self.clear()

    def clear(self) -> None:
        """Begin a new game."""
        self.states: list[State] = [self.game.initial()]
        """The positions before every move, and the last one."""
        self.moves: list[Move] = []
        self.past: list[tuple[list[State], list[Move]]] = []
        """What ``undo`` goes back to."""

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def layout(self) -> Any:
        return self.game.layout

    # Parameters -----------------------------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Change the size of the board, and clear it."""
        names = {field.name for field in dataclasses.fields(self.game)}
        if (width, height) == (self.layout.columns, self.layout.rows):
            self.clear()
            return
        if {"width", "height"} <= names:
            sides: dict[str, Any] = {"width": width, "height": None if width == height else height}
        elif "size" in names and width == height:
            sides = {"size": width}
        else:
            raise CommandError("unacceptable size")
        try:
            game = dataclasses.replace(self.game, **sides)
            if game.layout is None or (game.layout.columns, game.layout.rows) != (width, height):
                raise CommandError("unacceptable size")
        except (PlywiseError, TypeError):
            raise CommandError("unacceptable size") from None
        self.game = game
        self.clear()

    def set_komi(self, komi: float) -> None:
        """Change the komi; the position stays."""
        if not hasattr(self.game, "komi"):
            raise CommandError(f"{self.game.title} has no komi")
        try:
            self.game = dataclasses.replace(self.game, komi=komi)  # type: ignore[call-arg]
        except (GameError, OverflowError, ValueError) as error:
            raise CommandError(str(error)) from None

    # Moves ----------------------------------------------------------------------------------------------------------

    def turned(self, player: int) -> State:
        """Return the position with this player to move: in GTP a player may move twice in a row, or after the end."""
        state = self.state
        if hasattr(self.game, "with_turn"):
            return self.game.with_turn(state, player)
        if self.game.is_terminal(state):
            raise CommandError("the game is over")
        if self.game.to_move(state) != player:
            raise CommandError(f"it is not {self.game.player_name(player)}'s turn")
        return state

    def play(self, player: int, vertex: str) -> None:
        """Play a move.

        Raises:
            CommandError: it is not legal, or no point of the board.
        """
        state = self.turned(player)
        self.add(state, self.move_named(state, vertex))

    def add(self, state: State, move: Move) -> None:
        """Add a move, played in a position that may differ from the last one in who is to move."""
        self.past.append((list(self.states), list(self.moves)))
        self.states[-1:] = [state, self.game.play(state, move)]
        self.moves.append(move)

    def undo(self) -> None:
        """Take back the last move."""
        if not self.past:
            raise CommandError("cannot undo")
        self.states, self.moves = self.past.pop()

    def move_named(self, state: State, vertex: str) -> Move:
        """Return the legal move with this name, in upper or lower case."""
        for move in self.game.moves(state):
            if self.game.format_move(state, move).lower() == vertex.lower():
                if self.is_forbidden(state, move):
                    break
                return move
        if vertex.lower() != PASS:
            self.place_named(vertex)
        raise CommandError("illegal move")

    def is_forbidden(self, state: State, move: Move) -> bool:
        """Return whether a move is a forbidden repetition; a pass is not."""
        passes = self.game.format_move(state, move) == PASS
        return not passes and is_forbidden(self.game, [*self.states[:-1], state], move)

    def place_named(self, vertex: str) -> int:
        """Return the place with this name."""
        place: int = self.layout.place(vertex)
        if place < 0:
            raise CommandError(f"invalid coordinate {vertex!r}")
        return place

    def vertex(self, state: State, move: Move) -> str:
        """Return the name of a move."""
        name = self.game.format_move(state, move)
        return name if name == PASS else name.upper()

    def legal(self, player: int) -> list[str]:
        """Return the names of the legal moves of a player, without the pass."""
        state = self.turned(player)
        names = (self.vertex(state, move) for move in self.game.moves(state) if not self.is_forbidden(state, move))
        return [name for name in names if name != PASS]

    # Stones ---------------------------------------------------------------------------------------------------------

    def handicap_points(self, count: int) -> list[str]:
        """Return the usual points for a handicap of this many stones, in the order of GTP's specification."""
        if not 2 <= count <= self.most_handicap:
            raise CommandError("invalid number of stones")
        columns, rows = (_handicap_lines(side) for side in (self.layout.columns, self.layout.rows))
        low, middle, high = 2, 1, 0  # rows are counted from the top
        corners = [(0, low), (2, high), (0, high), (2, low)]
        sides = [(0, middle), (2, middle), (1, low), (1, high)]
        points = corners[:count] + (sides[: (count - 4) // 2 * 2] if count > 5 else [])
        if count > 4 and count % 2:
            points.append((1, middle))
        return [self.layout.name(rows[row] * self.layout.columns + columns[column]) for column, row in points]

    @property
    def most_handicap(self) -> int:
        """The most stones of a usual handicap."""
        sides = self.layout.columns, self.layout.rows
        if min(sides) < SMALLEST_HANDICAP_BOARD:
            return 0
        return 4 if min(sides) == SMALLEST_HANDICAP_BOARD or not all(side % 2 for side in sides) else 9

    def place_handicap(self, vertices: Sequence[str]) -> None:
        """Place Black's stones on an empty board; White moves next."""
        if not hasattr(self.game, "komi"):
            raise CommandError(f"{self.game.title} has no handicap")
        cells = list(cells_of(self.game, self.state))
        if any(cells) or self.moves:
            raise CommandError("board not empty")
        places = [self.place_named(vertex) for vertex in vertices]
        if len(places) < 2 or len(set(places)) < len(places):
            raise CommandError("bad vertex list")
        for place in places:
            cells[place] = PIECES[0]
        try:
            self.states = [self.game.set_up(cells, 1)]
        except PositionError as error:
            raise CommandError(f"bad vertex list: {error}") from None

    def strings(self) -> Iterator[list[str]]:
        """Yield the names of the stones of each group."""
        cells, columns = cells_of(self.game, self.state), self.layout.columns
        left = {place for place, cell in enumerate(cells) if cell}
        while left:
            group, found = list[int](), [min(left)]
            while found:
                place = found.pop()
                if place in left:
                    left.remove(place)
                    group.append(place)
                    found += [near for near in _beside(place, columns, len(cells)) if cells[near] == cells[place]]
            yield [self.layout.name(place) for place in sorted(group)]

    # Records and results --------------------------------------------------------------------------------------------

    def final_score(self) -> str:
        """Return the result if both players pass now: all stones count as alive."""
        state, names = self.state, {PASS}
        for _ in range(3):
            if self.game.is_terminal(state):
                break
            passes = [move for move in self.game.moves(state) if self.game.format_move(state, move) in names]
            if not passes:
                raise CommandError("cannot score: the game is not over")
            state = self.game.play(state, passes[0])
        score = float(self.game.score(state))
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def load(self, file: str, before: int | None) -> None:
        """Load the first game of an SGF file, up to the position before a move."""
        if not hasattr(self.game, "records"):
            raise CommandError(f"{self.game.title} has no SGF")
        try:
            record = next(self.game.records(read_sgf_file(file)))
        except OSError as error:
            raise CommandError(f"cannot open {file!r}: {error.strerror}") from None
        except (PositionError, SearchError) as error:
            raise CommandError(f"cannot load {file!r}: {error}") from None
        played = len(record.moves) if before is None else min(max(0, before - 1), len(record.moves))
        self.game = record.game
        self.states, self.moves = list(record.states[: played + 1]), list(record.moves[:played])
        self.past = [(self.states[: count + 1], self.moves[:count]) for count in range(played)]

    def save(self, file: str) -> None:
        """Write the game to a file, as SGF."""
        record = self.record()
        try:
            with written_whole(Path(file)) as out:
                out.write(record.encode())
        except OSError as error:
            raise CommandError(f"cannot write {file!r}: {error.strerror}") from None

    def record(self) -> str:
        """Return the game as SGF."""
        if not hasattr(self.game, "written_record"):
            raise CommandError(f"{self.game.title} has no SGF")
        return str(self.game.written_record(self.states, self.moves))


def _handicap_lines(side: int) -> tuple[int, int, int]:
    edge = 3 if side >= LARGE_BOARD else 2
    return edge, side // 2, side - 1 - edge


def _beside(place: int, columns: int, size: int) -> Iterable[int]:
    row, column = divmod(place, columns)
    if row > 0:
        yield place - columns
    if place + columns < size:
        yield place + columns
    if column > 0:
        yield place - 1
    if column + 1 < columns:
        yield place + 1
