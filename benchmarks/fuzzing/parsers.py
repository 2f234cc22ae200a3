"""The parsers under test, with good texts to damage and the exceptions that each may raise.

What a parser accepts must survive being written and read again.
"""

from __future__ import annotations

import functools
import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import plywise as pw
from fuzzing import nasty
from fuzzing.commands import LECTURE
from plywise.errors import GameError, PositionError, SearchError
from plywise.games import Checkers, Chess, Go, Nim, RedBlue, Tree
from plywise.games.checkers.pdn import Pdn
from plywise.games.chess.epd import format_epd, parse_epd
from plywise.games.chess.fen import START_FEN, chess960_fen
from plywise.games.chess.notation import parse_move_text, parse_san
from plywise.games.chess.pgn import Pgn
from plywise.games.go.sgf import format_sgf, read_sgf
from plywise.games.records import Dialect, format_record, read_records
from plywise.gtp.board import Board
from plywise.gtp.player import Player
from plywise.gtp.protocol import parse_command
from plywise.gtp.session import Session as GtpSession
from plywise.io.transcript import Transcript
from plywise.match.bots import BotSpec
from plywise.proof.proof import read_header, read_proof, write_proof
from plywise.uci.session import Session
from plywise.uci.thinker import Thinker

LONGEST_MESSAGE = 500
"""The most characters in an exception's message, not counting a list of legal moves at its end.  Commands show 300;
here the message may quote the shortened input several times."""

LONGEST_LINE = 300
"""The most characters in a line to a GUI, as in the terminal."""

CHESS = Chess()
CHECKERS = Checkers()
FENS = (
    START_FEN,
    chess960_fen(7),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 40",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "4k3/P7/8/8/8/8/p7/4K3 w - - 99 9999",
)
EPDS = (
    '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";',
    f'{" ".join(START_FEN.split()[:4])} hmvc 3; fmvn 12; am e4 d4; c0 "a; b"; acd 12; pv e4 e5 Nf3;',
    "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1 ce 35; c9 \"1/2-1/2\";",
)  # fmt: skip
PGNS = (
    '[Event "?"]\n[White "Fischer, R"]\n[Result "1-0"]\n\n1. e4 {best by test} e5 2. f4 $1 Nc6 (2... d6) 3. Bb5! 1-0\n',
    '[FEN "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. a8=Q+ Kd7 2. Qb7+ ; so\n a1=Q+ *\n\n1. d4 d5 1/2-1/2\n',
    '[Variant "Chess960"]\n[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"]\n\n1. O-O O-O 0-1',
)
RECORD_WORDS = ("(", ")", "{", "}", "[", "]", "*", "1-0", "$1", "%", ";", "\n")
CHECKERS_FENS = ("W:W18,24,K27:B12,16", "B:W21-32:B1-12", "B:WK6,14:BK2,K30:H79 2x9", "11-15 23-19 8-11 22-17")
PDNS = (
    '[Event "?"]\n[Black "Tinsley, M"]\n[Result "0-1"]\n\n1. 11-15 {the best} 23-19 2. 8-11! (2. 9-14) 22-17 $2 0-1\n',
    '[GameType "21"]\n[FEN "B:W6,7,14,15,23:BK2"]\n\n1. 2x9x27 *\n\n[FEN "W:W18:B15"]\n1... 18x11 1/2-1/2\n',
)
SGFS = (
    b"(;GM[1]FF[4]SZ[5]KM[0.5]HA[2]AB[bb][dd]PL[W]RE[B+R]C[a \\] b];W[cc](;B[bd];W[])(;B[tt]))",
    b"Hello (;GaMe[1]SiZe[9:7]AddWhite[aa:bc];White[ee]AE[aa];B[ff]) and (;SZ[3];B[];W[];B[aa])",
    b"(;CA[windows-1252]SZ[4]PB[M\xfcller];B[aa]\r\n;B[bb])",
)
GTP = (
    "1 boardsize 5\nclear_board\nkomi 6.5\n2 play b C3\ngenmove w\nundo\nshowboard # so\nfinal_score\nquit\n",
    "boardsize 9\nfixed_handicap 4\ntime_settings 60 10 5\ntime_left w 12 3\nreg_genmove w\nprintsgf\n",
    "set_free_handicap A1 B2\nfinal_status_list alive\nlist_commands\nkgs-time_settings byoyomi 1 2 3\nall_legal b\n",
)
UCI = (
    "uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo wtime 1000 btime 1000 winc 10 movestogo 3\nstop\n",
    f"setoption name Hash value 16\nposition fen {FENS[2]} moves e1g1\ngo depth 3 searchmoves e1g1\nponderhit\n",
    "setoption name UCI_Chess960 value true\nposition fen "
    + FENS[1]
    + "\ngo mate 2 infinite ponder\nd\ndebug on\nregister later\n",
)
TREES = (
    '{"player": "max", "children": [3, {"player": "min", "children": [5, 8]}]}',
    '{"player": "max", "name": "A", "value": 1, "children": [{"player": "min", "name": "B", "move": "l", '
    '"children": [1, 2.5]}, {"ref": "B", "move": "r"}]}',
    '{"players": ["dog", "cat", "mouse"], "player": "dog", "children": [{"values": [5, 8, 2]}, {"player": "cat", '
    '"children": [{"values": [1, 2, 3]}]}]}',
    "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    LECTURE,
)
JSON_WORDS = ("NaN", "Infinity", "null", "true", "[]", "{}", '"\\ud800"', "1e400", "-0", "[" * 3000, '{"a":' * 3000)
MOVES = ("e4", "Nf3", "O-O", "0-0-0", "exd8=Q+", "e2e4", "e7e8q", "Nbd7", "Qh4xe1#", "e1h1", "a8=n", "R1a3", "--", "Z0")


class Parser(NamedTuple):
    """A parser under test."""

    seeds: Sequence[str | bytes]
    words: Sequence[str]
    """Words with a meaning to it."""
    read: Callable[[Any, Path], None]
    """Reads an input (a text, or the content of a file) in a folder."""
    allowed: tuple[type[Exception], ...]
    """Exceptions that it may raise."""

    def input(self, chance: random.Random) -> str | bytes:
        """Return a random input."""
        if isinstance(self.seeds[0], bytes):
            return self._file(chance)
        return nasty.mutant(chance, self.seeds, self.words)  # type: ignore[arg-type]

    def _file(self, chance: random.Random) -> bytes:
        """Return a damaged file.  Half of the time the damage is to its text, which gets further than damaged bytes."""
        content: Any = chance.choice(self.seeds)
        packed = content[:2] == b"\x1f\x8b"
        if chance.random() < 0.5:
            return nasty.damaged_bytes(chance, content)
        text = (gzip.decompress(content) if packed else content).decode(errors="surrogateescape")
        damaged = nasty.mutant(chance, [text], self.words).encode(errors="surrogatepass")
        return gzip.compress(damaged, 1, mtime=0) if packed and chance.random() < 0.5 else damaged


def complaint(parser: Parser, given: str | bytes, folder: Path) -> str | None:
    """Return what is wrong with how a parser handles an input, or None."""
    try:
        with pw.interpreted():
            parser.read(given, folder)
    except parser.allowed as error:
        message = str(error)
        if len(message) > LONGEST_MESSAGE or "\n" in message:
            return f"a message of {len(message)} characters: {message[:100]!r}"
        return None if message else f"{type(error).__name__} without a message"
    except _Wrong as wrong:
        return str(wrong)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return None


class _Wrong(Exception):
    """A parser accepted a wrong input, or did not preserve a good one."""


def _same(what: str, first: Any, second: Any) -> None:
    if first != second:
        raise _Wrong(f"{what} changes when written and read again: {first!r:.100} and {second!r:.100}")


# Chess ----------------------------------------------------------------------------------------------------------------


def read_position(text: str, folder: Path, game: pw.Game = CHESS) -> None:
    state = game.parse(text)
    _same("a position", state, game.parse(game.format(state)))


def read_epd(text: str, folder: Path) -> None:
    epd = parse_epd(CHESS, text)
    epd.moves(CHESS, "bm")
    if not any('"' in operand for operands in epd.operations.values() for operand in operands):
        text = format_epd(epd)
        _same("EPD", text, format_epd(parse_epd(CHESS, text)))


def read_games(text: str, folder: Path, dialect: Dialect) -> None:
    for record in read_records(dialect, text):
        again = list(read_records(dialect, format_record(dialect, record)))
        _same("a game", [[played.move for played in record.played]], [[p.move for p in game.played] for game in again])
        _same("a result", record.result, again[0].result)


@functools.cache
def _positions() -> list[Any]:
    return [CHESS.parse(fen) for fen in FENS]


def read_move(text: str, folder: Path) -> None:
    state = _positions()[len(text) % len(FENS)]
    move = (parse_san if len(text) % 2 else parse_move_text)(CHESS, state, text)
    if move not in list(CHESS.moves(state)):
        raise _Wrong(f"{move} is not a legal move")
    _same("a move", move, CHESS.parse_move(state, CHESS.format_move(state, move)))


class _Said(Transcript):
    """Collects the output."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


class _Listener(Thinker):
    """Runs jobs at once, but never searches."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(say)
        self.game, self.engine = CHESS, self  # type: ignore[assignment]
        self.set_position("startpos", [])

    def put(self, job: Callable[[], None]) -> None:
        job()

    def think(self, going: Any) -> None:
        going.stop()

    def _new_engine(self) -> Any:
        return self

    def clear(self) -> None:
        """Do nothing, in place of the engine's ``clear``."""

    def bench(self, depth: str = "") -> None:
        """Do nothing."""


def hear_lines(text: str, folder: Path) -> None:
    transcript = _Said()
    session = Session(transcript)
    session.thinker = _Listener(transcript.say)
    for line in text.split("\n"):
        session.do_line(line)
    for said in transcript.said:
        for line in said.split("\n"):
            if len(line) > LONGEST_LINE or not line.isprintable():
                raise _Wrong(f"a line of {len(line)} characters, or not printable: {line[:100]!r}")
            if line.startswith("info string error"):
                raise _Wrong(line)


# Go -------------------------------------------------------------------------------------------------------------------


def read_sgf_records(content: bytes, folder: Path) -> None:
    errors: list[PositionError] = []
    for record in read_sgf(Go(), content, errors.append):
        (again,) = read_sgf(Go(), format_sgf(record))
        _same("a game", (record.states, record.moves), (again.states, again.moves))
    if errors:
        raise errors[0]


def hear_commands(text: str, folder: Path) -> None:
    session = GtpSession(Board(Go(5)), Player(Go(5), BotSpec("random"), seed=1), _Said())
    for command in filter(None, map(parse_command, text.split("\n"))):
        answer = session.answer(command)
        if answer[0] not in "=?" or "\n\n" in answer or "internal error" in answer:
            raise _Wrong(answer)


# Trees ----------------------------------------------------------------------------------------------------------------


def read_tree(text: str, folder: Path) -> None:
    tree = Tree.from_text(text)
    again = Tree.from_json(json.loads(json.dumps(tree.to_json())))
    _same("a tree", tree.nodes, again.nodes)


# Files ----------------------------------------------------------------------------------------------------------------


def read_proof_file(content: bytes, folder: Path) -> None:
    file = folder / "proof"
    file.write_bytes(content)
    game: pw.Game = RedBlue() if read_header(file).game == "red-blue" else Nim((2, 1))
    proof = read_proof(file, game)
    pw.check_proof(proof)
    if proof.value != pw.solve(game, proof.state).value:
        raise _Wrong(f"a false proof is accepted: value {proof.value} of {game.format(proof.state)!r}")


def proof_seeds(folder: Path) -> list[bytes]:
    seeds = []
    with pw.interpreted():
        for name, game in (("red-blue", RedBlue()), ("nim:2,1", Nim((2, 1)))):
            proof = pw.solve(game, proof=True).proof
            assert proof is not None
            for file in (folder / "proof.json", folder / "proof.gz"):
                write_proof(proof, file, name)
                seeds.append(file.read_bytes())
    return seeds


TABLE_MB = 0.002


def read_table(content: bytes, folder: Path) -> None:
    file = folder / "table"
    file.write_bytes(content)
    engine = pw.Engine(RedBlue(), table_mb=TABLE_MB)
    engine.load_table(file)
    engine.search(nodes=20)


def table_seeds(folder: Path) -> list[bytes]:
    with pw.interpreted():
        engine = pw.Engine(RedBlue(), table_mb=TABLE_MB)
        engine.search(depth=3)
        engine.save_table(folder / "table")
    return [(folder / "table").read_bytes()]


ANALYSED = "R\nB\nRR\nBB\n"


def analyse(folder: Path) -> bytes:
    (folder / "positions").write_text(ANALYSED)
    pw.analyse(RedBlue(), folder / "positions", folder / "results", all_moves=True, threads=1, table_mb=TABLE_MB)
    return (folder / "results").read_bytes()


def read_journal(content: bytes, folder: Path) -> None:
    (folder / "results").write_bytes(content)
    if analyse(folder) != _journal(folder):
        raise _Wrong("changed results are not repaired")


@functools.cache
def _journal(folder: Path) -> bytes:
    (folder / "right").mkdir(exist_ok=True)
    with pw.interpreted():
        return analyse(folder / "right")


# All parsers ----------------------------------------------------------------------------------------------------------


def parsers(folder: Path) -> dict[str, Parser]:
    """Return the parsers by name; ``folder`` is for the files that they read."""
    position = (PositionError,)
    journal = _journal(folder)
    return {
        "fen": Parser(FENS, ("KQkq", "-", "e3", "w", "b", "/", "8", "k", "99"), read_position, position),
        "epd": Parser(EPDS, ("bm", "hmvc", "fmvn", ";", '"', "id", "Rd8#", "-"), read_epd, position),
        "pgn": Parser(PGNS, (*RECORD_WORDS, *MOVES), functools.partial(read_games, dialect=Pgn(CHESS)), position),
        "checkers": Parser(
            CHECKERS_FENS,
            ("B", "W", "K", ":", ",", "-", "H", "32", "x"),
            functools.partial(read_position, game=CHECKERS),
            position,
        ),
        "pdn": Parser(
            PDNS, (*RECORD_WORDS, "11-15", "2x9", "1-1"), functools.partial(read_games, dialect=Pdn(CHECKERS)), position
        ),
        "move": Parser(MOVES, ("x", "=", "+", "#", "e.p."), read_move, position),
        "sgf": Parser(
            SGFS,
            ("(;", ")", "[", "]", "\\", "SZ", "AB", "AE", "PL[W]", "B[]", ";W[aa]", "19:2"),
            read_sgf_records,
            position,
        ),
        "gtp": Parser(GTP, ("black", "w", "pass", "C3", "I9", "Z99", "genmove", *nasty.NUMBERS), hear_commands, ()),
        "uci": Parser(
            UCI, ("name", "value", "moves", "fen", "startpos", "go", "infinite", *nasty.NUMBERS), hear_lines, ()
        ),
        "tree": Parser(TREES, JSON_WORDS, read_tree, (GameError,)),
        "proof": Parser(proof_seeds(folder), (*JSON_WORDS, "max", "min", "position"), read_proof_file, (SearchError,)),
        "table": Parser(table_seeds(folder), JSON_WORDS, read_table, (SearchError,)),
        "journal": Parser(
            [journal, journal[: len(journal) // 2], journal[: journal.index(b"\n") + 1]],
            JSON_WORDS,
            read_journal,
            (SearchError,),
        ),
    }
