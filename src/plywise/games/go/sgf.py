"""Games of Go as SGF: FF[4], and what older programs and servers write.

Boards may be rectangular, games may have handicap stones or start from any position, and stones may be set up between
moves.  A colour may move twice in a row, and players may go on after two passes: a ``Record`` of ``read_sgf``, which
reads the main line, keeps the position before every move, and not only the moves.  ``read_games`` reads comments and
variations too, as legal moves from one position.
"""

from __future__ import annotations

import dataclasses
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from plywise.errors import GameError, PositionError
from plywise.game import MAX, MIN
from plywise.games.records import DEEPEST, MOST_NOTES, PlayedMove
from plywise.games.records import Record as GameRecord
from plywise.io.numbers import read_real, whole_number
from plywise.io.sgf import (
    GameTree,
    Node,
    decoded,
    format_tree,
    read_damaged_trees,
    read_trees,
    text_of,
    value_of,
    values_of,
)

if TYPE_CHECKING:
    from plywise.games.go.go import Go, Stones

LETTERS = "abcdefghijklmnopqrs"
"""Columns from the left, and rows from the top."""
USUAL_SIZE = "19"
INFO = frozenset(
    {"AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "ON", "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "TM",
     "US", "WR", "WT"}
)  # fmt: skip
"""The properties of the first node that tell about the game; others are about the board."""
COLOURS = ("B", "W")
"""The properties for moves of Black and White."""
SET_UP = {"AE": 0, "AB": 1, "AW": 2}
"""The properties that set up stones, and what is then on the points (``Go.piece_at``)."""
PLAYERS = {"b": MAX, "black": MAX, "1": MAX, "w": MIN, "white": MIN, "2": MIN}
PASSES = ("", "tt")
ANNOTATIONS = {"TE": (1, 3), "BM": (2, 4), "IT": (5, 5), "DO": (6, 6)}
"""The properties that judge a move, and the annotations of PGN for them and for their emphasis."""
REASONS = {"resignation": "R", "time": "T"}
"""How a game was won before it was over; for other reasons, by forfeit (``F``)."""
IN_STONES = {"3.75": "7.5", "375": "7.5", "2.75": "5.5", "275": "5.5", "650": "6.5", "750": "7.5"}
"""Komi as Chinese servers write it: in stones, which count two points, or without the decimal point."""


@dataclasses.dataclass(frozen=True)
class Record:
    """The record of a game."""

    game: Go
    """Go with the size and the komi of the record."""
    states: Sequence[Stones]
    """The positions before every move, and the last one."""
    moves: Sequence[int]
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The other properties of the first node, such as ``PB`` for Black's name and ``RE`` for the result."""


# Reading --------------------------------------------------------------------------------------------------------------


def read_sgf(
    game: Go, content: bytes | str, on_error: Callable[[PositionError], None] | None = None
) -> Iterator[Record]:
    """Yield the games in an SGF file, one after the other.

    Args:
        game: Go with the rules to follow, and the komi for records without one.
        content: the file's content; bytes are decoded as its ``CA`` says.
        on_error: called with the error of each game that cannot be read, instead of raising it; the others follow.

    Raises:
        PositionError: the content is not SGF, or a move is illegal; the message says where.

    >>> from plywise.games import Go
    >>> (record,) = read_sgf(Go(), "(;GM[1]FF[4]SZ[5]KM[0.5]PB[Shusaku];B[cc];W[])")
    >>> record.game, record.headers["PB"]
    (Go(width=5, height=None, komi=0.5, superko=False), 'Shusaku')
    >>> record.game.format(record.states[-1])
    '...../...../..X../...../..... black pass'
    """
    for tree in read_trees(decoded(content) if isinstance(content, bytes) else content, on_error):
        try:
            yield _record(game, tree)
        except PositionError as error:
            if on_error is None:
                raise
            on_error(error)


def _record(game: Go, tree: GameTree) -> Record:
    root = tree.nodes[0]
    game = _game_of(root, game)
    states, moves = [_first(game, root.get("HA"))], list[int]()
    for node in tree.main_line():
        states[-1] = _set_up(game, states[-1], node)
        for name, values in node.properties.items():
            if name in COLOURS:
                if len(values) > 1:
                    raise node.error(f"{name}[{']['.join(values)}] is more than one move: each needs its own node")
                states[-1] = game.with_turn(states[-1], COLOURS.index(name))
                moves.append(_move(game, states[-1], node, text_of(values[0]).strip()))
                states.append(game.play(states[-1], moves[-1]))
    comment = {"C": text_of(root.properties["C"][0])} if "C" in root.properties else {}
    return Record(game, states, moves, {**_headers(root), **comment})


def read_games(game: Go, text: str) -> Iterator[GameRecord]:
    """Yield the games in an SGF text as lines of legal moves, with comments and variations.

    Where a colour moves twice in a row, the other one passes.  A game that is wrong has its moves up to there and its
    ``problem``.

    >>> from plywise.games import Go
    >>> (record,) = read_games(Go(), "(;SZ[5];B[cc]C[centre];B[cb](;W[dd])(;W[bb];B[zz]))")
    >>> [record.game.format_move(None, played.move) for played in record.played]
    ['C3', 'pass', 'C4', 'D2']
    >>> record.played[0].comment, len(record.played[-1].variations), record.notes
    ('centre', 1, ('a variation ends early: SGF, line 1, column 44: B[zz] is not a point of a board of 5 by 5',))
    """
    for tree, wrong in read_damaged_trees(text.lstrip("\ufeff")):
        told = "" if wrong is None else str(wrong)
        if tree is None:
            yield GameRecord(None, (), problem=told)
            continue
        try:
            yield _Walk(_game_of(tree.nodes[0], game), tree).record(told)
        except PositionError as error:
            yield GameRecord(None, (), headers=_headers(tree.nodes[0]), problem=str(error))


class _Walk:
    """Turns a tree into a line of legal moves with variations."""

    def __init__(self, game: Go, tree: GameTree) -> None:
        self.game, self.tree = game, tree
        self.start = _first(game, tree.nodes[0].get("HA"))
        self.comment = ""
        """What is said before the first move."""
        self.problem = ""
        self.notes: list[str] = []

    def record(self, told: str) -> GameRecord:
        """Return the game; ``told`` is what is wrong with its text."""
        played = self.line(self.tree, self.start, 0)
        return GameRecord(
            self.start, played, "*", _headers(self.tree.nodes[0]), self.comment, self.problem or told,
            tuple(self.notes[:MOST_NOTES]), self.game,
        )  # fmt: skip

    def line(self, tree: GameTree | None, state: Stones, depth: int) -> tuple[PlayedMove, ...]:
        """Return the moves of the main line of a tree, with the other lines as their variations."""
        played: list[PlayedMove] = []
        pending: list[tuple[PlayedMove, ...]] = []
        said = ""
        try:
            while tree is not None:
                for node in tree.nodes:
                    state = self.prepared(node, state, bool(played or depth))
                    said = " ".join(f"{said} {node.get('C') or ''}".split())
                    if not (played or depth or node.properties.keys() & set(COLOURS)):
                        self.comment, said = f"{self.comment} {said}".strip(), ""
                    for move in self.moves(node, state):
                        played.append(PlayedMove(move, variations=tuple(filter(None, pending))))
                        state, pending = self.game.play(state, move), []
                    if played:
                        comment = " ".join(f"{played[-1].comment} {said}".split())
                        annotations = (*played[-1].annotations, *_annotations(node))
                        played[-1] = dataclasses.replace(played[-1], comment=comment, annotations=annotations)
                        said = ""
                pending = [line for each in tree.variations[1:] if (line := self.variation(each, state, depth))]
                tree = tree.variations[0] if tree.variations else None
        except PositionError as wrong:
            if depth:
                self.notes.append(f"a variation ends early: {wrong}")
            else:
                self.problem = str(wrong)
        return tuple(played)

    def variation(self, tree: GameTree, state: Stones, depth: int) -> tuple[PlayedMove, ...]:
        if depth < DEEPEST:
            return self.line(tree, state, depth + 1)
        self.notes.append(f"variations are nested more than {DEEPEST} deep")
        return ()

    def prepared(self, node: Node, state: Stones, begun: bool) -> Stones:
        """Return the position with the node's stones set up; the game starts from it if it has not begun."""
        if not begun:
            colours = [name for name in COLOURS if name in node.properties]
            state = _set_up(self.game, state, node)
            self.start = state = self.game.with_turn(state, COLOURS.index(colours[0])) if colours else state
        elif SET_UP.keys() & node.properties.keys():
            raise node.error("stones are set up after the first move, so the moves end here")
        return state

    def moves(self, node: Node, state: Stones) -> Iterator[int]:
        """Yield the moves of a node: usually one; after a pass if the other player is to move."""
        for name, values in node.properties.items():
            if name not in COLOURS:
                continue
            if len(values) > 1:
                raise node.error(f"{name}[{']['.join(values)}] is more than one move: each needs its own node")
            if self.game.is_terminal(state):
                raise node.error("the game goes on after two passes, which end it")
            if state.turn != COLOURS.index(name):
                yield self.game.size
                state = self.game.play(state, self.game.size)
                if self.game.is_terminal(state):
                    raise node.error(f"{name} moves although it is the other player's turn")
            move = _move(self.game, state, node, text_of(values[0]).strip())
            state = self.game.play(state, move)
            yield move


def _annotations(node: Node) -> Iterator[int]:
    """Yield the annotations of PGN for those of SGF: 1 for a good move, 3 for a very good one."""
    for name, (mild, strong) in ANNOTATIONS.items():
        if name in node.properties:
            yield strong if node.get(name) == "2" else mild


def _headers(root: Node) -> dict[str, str]:
    """Return the properties of a game that are about more than the board."""
    return {name: text_of(values[0]) for name, values in root.properties.items() if name in INFO}


def _first(game: Go, handicap: str | None) -> Stones:
    """Return the empty board; with a handicap White moves first, unless ``PL`` says otherwise."""
    return game.with_turn(game.initial(), MIN if (whole_number(handicap or "") or 0) > 1 else MAX)


def _game_of(root: Node, game: Go) -> Go:
    """Return Go with the size and the komi of a record."""
    if (root.get("GM") or "1").strip() != "1":
        raise root.error(f"GM[{root.get('GM')}] is not Go, which is GM[1]")
    sides = [whole_number(side.strip()) for side in values_of(root.properties.get("SZ", [USUAL_SIZE])[0] or USUAL_SIZE)]
    if len(sides) not in (1, 2) or None in sides:
        raise root.error(f"SZ[{root.get('SZ')}] is not a size, such as SZ[9] or SZ[9:7]")
    height = None if sides[0] == sides[-1] else sides[1]
    try:
        return dataclasses.replace(game, width=sides[0] or 0, height=height, komi=_komi(root, game.komi))
    except GameError as error:
        raise root.error(str(error)) from None


def _komi(root: Node, usual: float) -> float:
    text = (root.get("KM") or "").strip().replace(",", ".")
    if not text:
        return usual
    try:
        return read_real(IN_STONES.get(text, text))
    except ValueError:
        raise root.error(f"KM[{text}] is not a komi, such as KM[6.5]") from None


def _set_up(game: Go, state: Stones, node: Node) -> Stones:
    """Return the position after the node's stones are set up and its player is to move."""
    if SET_UP.keys() & node.properties.keys():
        cells = [game.piece_at(state, point) for point in range(game.size)]
        for name, values in node.properties.items():
            for value in values if name in SET_UP else ():
                for point in _points(game, node, name, value):
                    cells[point] = SET_UP[name]
        try:
            state = game.set_up(cells, state.turn)
        except PositionError as error:
            raise node.error(str(error)) from None
    if "PL" in node.properties:
        name = (node.get("PL") or "").strip().lower()
        if name not in PLAYERS:
            raise node.error(f"PL[{name}] is not a player: PL[B] or PL[W]")
        state = game.with_turn(state, PLAYERS[name])
    return state


def _points(game: Go, node: Node, name: str, value: str) -> Iterator[int]:
    """Yield the points of a value: one, or a rectangle such as ``aa:cc``."""
    corners = [_point(game, node, name, corner.strip()) for corner in values_of(value)[:2]]
    rows, columns = zip(*(divmod(corner, game.width) for corner in corners), strict=True)
    for row in range(min(rows), max(rows) + 1):
        for column in range(min(columns), max(columns) + 1):
            yield row * game.width + column


def _point(game: Go, node: Node, name: str, text: str) -> int:
    if re.fullmatch("[a-s][a-s]", text):
        column, row = map(LETTERS.index, text)
        if column < game.width and row < game.rows:
            return row * game.width + column
    raise node.error(f"{name}[{text}] is not a point of a board of {game.width} by {game.rows}")


def _move(game: Go, state: Stones, node: Node, text: str) -> int:
    move = game.size if text in PASSES else _point(game, node, COLOURS[state.turn], text)
    if not _is_legal(game, state, move):
        here = game.format_move(state, move)
        raise node.error(f"{COLOURS[state.turn]}[{text}] is not legal: {game.player_name(state.turn)} at {here}")
    return move


def _is_legal(game: Go, state: Stones, move: int) -> bool:
    """Return whether a move is legal, without looking at all others; in a record, a game may go on after its end."""
    if move == game.size:
        return True
    return move != state.ko and game.has(game.empty(state), move) and game.may_be_filled(state, move)


# Writing --------------------------------------------------------------------------------------------------------------


def format_sgf(record: Record) -> str:
    """Return a game as SGF.

    >>> from plywise.games import Go
    >>> game = Go(5)
    >>> states = [game.initial(), game.parse("C3"), game.parse("C3 pass")]
    >>> print(format_sgf(Record(game, states, [12, 25], {"RE": "B+18"})), end="")
    (;FF[4]GM[1]CA[UTF-8]AP[plywise]SZ[5]KM[7]RU[Chinese]RE[B+18]
    ;B[cc];W[])
    """
    game = record.game
    nodes = [_root(game, record.states[0], record.headers)]
    expected = record.states[0]
    for state, move in zip(record.states, record.moves, strict=False):
        set_up = _stones(game, expected, state)
        nodes += [Node(set_up)] if set_up.keys() & SET_UP.keys() else []
        nodes.append(Node({COLOURS[state.turn]: [_text(game, move)]}))
        expected = game.play(state, move)
    set_up = _stones(game, expected, record.states[-1])
    return format_tree(GameTree(nodes + ([Node(set_up)] if set_up else [])))


def format_game(game: Go, record: GameRecord) -> str:
    """Return a game as SGF, with its comments, annotations and variations.

    >>> from plywise.games import Go
    >>> (record,) = read_games(Go(), "(;SZ[5];B[cc]C[centre](;W[dd];B[cb])(;W[bb]BM[1]))")
    >>> print(format_game(record.game, record), end="")
    (;FF[4]GM[1]CA[UTF-8]AP[plywise]SZ[5]KM[7]RU[Chinese]
    ;B[cc]C[centre](;W[dd];B[cb])(;W[bb]BM[1]))
    """
    root = _root(game, record.start, {name: text for name, text in record.headers.items() if name in INFO})
    said = {"C": [value_of(record.comment)]} if record.comment else {}
    rest = _tree(game, record.start, record.played)
    return format_tree(GameTree([Node({**root.properties, **said}), *rest.nodes], rest.variations))


def _tree(game: Go, state: Stones, line: Sequence[PlayedMove]) -> GameTree:
    """Return a line as a tree, which branches before each move that has variations."""
    states = [state]
    for played in line:
        states.append(game.play(states[-1], played.move))
    nodes, ways = deque[Node](), list[GameTree]()
    for state, played in zip(reversed(states[:-1]), reversed(line), strict=True):
        nodes.appendleft(Node({COLOURS[state.turn]: [_text(game, played.move)], **_remarks(played)}))
        if played.variations:
            others = [_tree(game, state, variation) for variation in played.variations]
            ways = [GameTree(list(nodes), ways)]
            for tree in others:  # one that branches at once has no node of its own
                ways += [tree] if tree.nodes else tree.variations
            nodes = deque()
    return GameTree(list(nodes), ways)


def _remarks(played: PlayedMove) -> dict[str, list[str]]:
    """Return the properties for the comment on a move and for those of its annotations that SGF has."""
    remarks = {"C": [value_of(played.comment)]} if played.comment else {}
    for name, (mild, strong) in ANNOTATIONS.items():
        if mild in played.annotations or strong in played.annotations:
            weight = "" if mild == strong else "2" if strong in played.annotations else "1"
            remarks[name] = [weight]
    return remarks


def _root(game: Go, start: Stones, headers: Mapping[str, str]) -> Node:
    """Return the first node of a game."""
    size = f"{game.width}" if game.width == game.rows else f"{game.width}:{game.rows}"
    root = {"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "AP": ["plywise"], "SZ": [size], "KM": [f"{game.komi:g}"],
            "RU": ["Chinese"], **{name: [value_of(text)] for name, text in headers.items()}}  # fmt: skip
    return Node({**root, **_stones(game, _first(game, headers.get("HA")), start)})


def _stones(game: Go, before: Stones, after: Stones) -> dict[str, list[str]]:
    """Return the properties that turn one position into another: stones, and who is to move."""
    changes: dict[str, list[str]] = {}
    if before == after:
        return changes
    for name, piece in SET_UP.items():
        points = [p for p in range(game.size) if game.piece_at(after, p) == piece != game.piece_at(before, p)]
        if points:
            changes[name] = [_text(game, point) for point in points]
    if before.turn != after.turn:
        changes["PL"] = [COLOURS[after.turn]]
    return changes


def _text(game: Go, move: int) -> str:
    if move == game.size:
        return ""
    row, column = divmod(move, game.width)
    return LETTERS[column] + LETTERS[row]


def result_text(game: Go, last: Stones, about: Mapping[str, str]) -> str:
    """Return a result as SGF writes it, from what ``View.record`` knows.

    >>> from plywise.games import Go
    >>> result_text(Go(5), Go(5).initial(), {"result": "0-1", "reason": "time: 3.1 s for a move"})
    'W+T'
    """
    result = about.get("result", "")
    if result not in ("1-0", "0-1"):
        return "0" if result == "1/2-1/2" else "?"
    winner = "B" if result == "1-0" else "W"
    if game.is_terminal(last):
        return f"{winner}+{abs(game.score(last)):g}"
    reason = about.get("reason", "").partition(":")[0]
    return f"{winner}+{REASONS.get(reason, 'F')}"
