"""External chess programs, run by python-chess: ``uci:stockfish``, ``xboard:gnuchess`` (needs ``plywise[chess]``).

They get positions and moves as text: a FEN for the first position, and moves in UCI notation.  So they can play only a
game whose ``format`` writes FEN and whose ``format_move`` writes UCI.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from plywise.errors import SearchError
from plywise.game import MAX, Game, State, sign
from plywise.io.numbers import WORDS
from plywise.match.bots import Bot, BotSpec, Choice, IllegalMove, NoContest, Turn, not_started
from plywise.match.time_control import Limits

if TYPE_CHECKING:
    import chess
    import chess.engine

READY = 180.0
"""How many seconds a program has to get ready: it may have to compile."""
MATE = 100_000
"""The value of mate; each move until then costs 1."""


class ExternalBot(Bot):
    """A program in its own process."""

    def __init__(self, game: Game, spec: BotSpec) -> None:
        self.game = game
        self.command = spec.command
        self.token: object = object()
        spec.check_limited()
        _check_texts(game)
        self.engine = _started(spec)
        try:
            _check_nodes(self.engine, spec)
            _configure(self.engine, spec)
        except BaseException:
            self.close()
            raise

    def warm_up(self, state: State, limits: Limits) -> None:
        usual, self.engine.timeout = self.engine.timeout, READY
        try:
            self.engine.ping()
        except asyncio.TimeoutError:
            raise SearchError(f"{self.command!r} was not ready after {READY:g} s") from None
        except _library().engine.EngineError as error:
            raise SearchError(f"{self.command!r} failed to get ready: {error}") from None
        finally:
            self.engine.timeout = usual

    def new_game(self, seed: int) -> None:
        self.token = object()

    def choose(self, turn: Turn) -> Choice:
        with _blaming_only(self.command):
            return self._choose(turn)

    def _choose(self, turn: Turn) -> Choice:
        import chess.engine

        board = self._board(turn)
        answer = self.engine.play(board, self._limit(turn, board), game=self.token, info=chess.engine.INFO_SCORE)
        if answer.resigned:
            return Choice(None)
        if answer.move is None:
            raise IllegalMove("no move")
        uci = answer.move.uci()
        for move in self.game.moves(turn.state):
            if self.game.format_move(turn.state, move) == uci:
                return Choice(move, self._value(turn, answer.info, board), answer.info.get("depth"))
        raise IllegalMove(uci)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.engine.quit()
        self.engine.close()

    def kill(self) -> None:
        with contextlib.suppress(Exception):
            os.kill(self.engine.transport.get_pid(), signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    def _board(self, turn: Turn) -> chess.Board:
        import chess

        board = chess.Board(self.game.format(turn.states[0]), chess960=_is_chess960(self.game))
        for state, move in zip(turn.states, turn.moves, strict=False):
            board.push_uci(self.game.format_move(state, move))
        return board

    def _limit(self, turn: Turn, board: chess.Board) -> chess.engine.Limit:
        import chess.engine

        limits: dict[str, Any] = {"nodes": turn.limits.nodes, "depth": turn.limits.depth, "time": turn.limits.seconds}
        player = self.game.to_move(turn.state)
        mine, other = turn.clocks[player], turn.clocks[1 - player]
        if mine.control is not None:
            other = other if other.control is not None else mine
            for colour, clock in ((board.turn, mine), (not board.turn, other)):
                name = chess.COLOR_NAMES[colour]
                limits[f"{name}_clock"] = clock.remaining
                limits[f"{name}_inc"] = clock.control.increment if clock.control else 0.0
            limits |= {"remaining_moves": mine.moves_to_go, "clock_id": self.token}
        return chess.engine.Limit(**limits)

    def _value(self, turn: Turn, info: chess.engine.InfoDict, board: chess.Board) -> float | None:
        score = info.get("score")
        if score is None:
            return None
        value = score.pov(board.turn).score(mate_score=MATE)
        return float(value) * sign(self.game.to_move(turn.state))


@contextlib.contextmanager
def _blaming_only(command: str) -> Iterator[None]:
    """Pass on a program's own faults, and raise NoContest if python-chess itself fails.

    Raises:
        IllegalMove: the program's answer is not a legal move.
        NoContest: something failed that is not the program's fault.
    """
    own = (IllegalMove, asyncio.TimeoutError, _library().engine.EngineError)
    try:
        yield
    except own as error:
        if error.args and isinstance(error.args[0], ValueError):  # python-chess rejected the move
            raise IllegalMove(str(error)) from None
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise NoContest(f"python-chess failed while running {command!r}, which is not at fault: {what}") from error


def _library() -> Any:
    try:
        import chess.engine
    except ImportError:
        raise SearchError("chess programs need python-chess: pip install 'plywise[chess]'") from None
    return chess


def _is_chess960(game: Game) -> bool:
    return bool(getattr(game, "chess960", False))


def _check_texts(game: Game) -> None:
    """Check that a game writes positions as FEN and moves as UCI."""
    chess = _library()
    state = game.initial()
    try:
        board = chess.Board(game.format(state), chess960=_is_chess960(game))
        fits = {move.uci() for move in board.legal_moves} == {game.format_move(state, m) for m in game.moves(state)}
    except ValueError:
        fits = False
    if not fits or game.to_move(state) != (MAX if board.turn else 1 - MAX):
        raise SearchError(f"uci: and xboard: play chess, but {game!r} does not write positions as FEN and moves as UCI")


def _started(spec: BotSpec) -> chess.engine.SimpleEngine:
    library = _library().engine
    start = library.SimpleEngine.popen_uci if spec.kind == "uci" else library.SimpleEngine.popen_xboard
    try:
        command = shlex.split(spec.command, posix=os.name != "nt")
        # In its own process group it gets no Ctrl-C, which is meant for plywise.
        engine: chess.engine.SimpleEngine = start(command, setpgrp=True, stderr=subprocess.DEVNULL)
    except (OSError, ValueError, library.EngineError, asyncio.TimeoutError) as error:
        raise not_started(spec.command, spec.kind, error) from None
    return engine


def _check_nodes(engine: chess.engine.SimpleEngine, spec: BotSpec) -> None:
    """Check that the program supports a node limit: python-chess would find out only during a game."""
    if spec.kind != "xboard" or spec.limits.nodes is None:
        return
    if spec.limits.clock is not None or spec.limits.seconds is not None:
        raise SearchError(f"the bot {str(spec)!r} has a node limit and a time limit, but xboard allows only one")
    if not getattr(engine.protocol, "features", {}).get("nps", 1):
        raise SearchError(f"{spec.command!r} does not support a node limit: give a clock, seconds or a depth")


def _configure(engine: chess.engine.SimpleEngine, spec: BotSpec) -> None:
    """Set the program's own options."""
    chess = _library()
    values: dict[str, Any] = {}
    for name, text in spec.options.items():
        option = engine.options.get(name)
        values[name] = WORDS.get(text.lower(), text) if option is not None and option.type == "check" else text
    try:
        engine.configure(values)
    except (chess.engine.EngineError, asyncio.TimeoutError) as error:
        raise SearchError(f"{spec.command!r}: {str(error) or 'no answer to its options'}") from None
