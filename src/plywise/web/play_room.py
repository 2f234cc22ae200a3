"""The API of the Play room: games, positions, moves, and the progress of a search as server-sent events."""

from __future__ import annotations

import contextlib
import json
import random
import sys
from collections.abc import AsyncGenerator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from plywise.engine.strength import LEVELS
from plywise.errors import PlywiseError, SearchError
from plywise.layers import CHANCE
from plywise.study.review import check_reviewable
from plywise.web import analysing, reviewing, thinking
from plywise.web.bodies import Body, GameName, Moves, Parameters, PositionText, Seed, Session
from plywise.web.offered_games import Games
from plywise.web.preparing import Preparations
from plywise.web.score_sheet import ScoreSheet, ScoreSheets, checked_seed, numbered
from plywise.web.views import arriving, chart_scale, dice_shown, goes, pieces_move, places, routes, selection, view
from plywise.web.waiting import Queue
from plywise.web.workers import CompileNews, Waiting, WorkerCrashed

router = APIRouter(prefix="/api/play", tags=["play"])

MOST_SECONDS, MOST_DEPTH = 60.0, 100
"""The greatest time and depth that a request may ask for."""

MOST_REVIEW_SECONDS, LONGEST_REVIEW = 10.0, 1200.0
"""The greatest time for a position of a review, and for all of them."""

SPARE_SECONDS = 10.0
"""Extra seconds before a search is stopped, for starting a process and loading compiled code."""

SPARE_REVIEW = 0.5
"""Extra seconds for each position of a review."""

SEEDS = 1_000_000
"""How many seeds to choose from: few enough to type one."""

MOST_LINES = 5
"""The most lines of an analysis."""


class GameChoice(Body):
    """One of the games on offer."""

    game: GameName
    parameters: Parameters = ""


class GameStart(GameChoice):
    """A game before the first move.  In a game with dice, ``seed`` says how they fall."""

    start: PositionText | None = None
    """The start position; default: the initial position of the game."""
    seed: Seed | None = None
    """The seed of the dice.  Without one, ``position`` chooses it."""


class GameSoFar(GameStart):
    """A game in progress.  In a game with dice, ``moves`` leaves the rolls out."""

    moves: Moves = Field(default_factory=list)


class Searched(GameSoFar):
    """A game in progress to search."""

    session: Session = ""

    @property
    def played(self) -> thinking.Played:
        """The game as a worker takes it."""
        return thinking.Played(self.game, self.parameters, self.start, tuple(self.moves), self.seed, self.session)


class Thinking(Searched):
    """A position to search."""

    level: Annotated[int, Field(ge=1, le=len(LEVELS))] = len(LEVELS)
    seconds: Annotated[float, Field(ge=0.05, le=MOST_SECONDS)] = 1.0
    depth: Annotated[int, Field(ge=1, le=MOST_DEPTH)] | None = None


class Analysed(Searched):
    """A position to analyse."""

    lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = 3
    """How many of the best lines to find."""
    seconds: Annotated[float, Field(ge=0.05, le=analysing.MOST_SECONDS)] | None = None
    """Default: as long as the client stays connected, up to an hour."""


class Reviewing(Searched):
    """A game to review."""

    seconds: Annotated[float, Field(ge=0.05, le=MOST_REVIEW_SECONDS)] = 0.5
    """The time for each position."""


class GameCard(BaseModel):
    """A game in the list of games."""

    name: str
    title: str
    about: str
    parameters: str
    """Its parameters with their defaults; empty if it has none."""
    dice: bool
    """Whether chance moves in it, so that games have a seed."""
    first: bool
    """Whether the page opens with it: the first of the user's own games."""


class LevelCard(BaseModel):
    """A level of strength."""

    name: str
    timed: bool
    """Whether it uses the time per move; weaker levels visit few positions instead."""


class LegalMove(BaseModel):
    """A legal move."""

    text: str
    """For ``moves`` in requests."""
    name: str
    """In the game's usual notation."""
    places: dict[str, int]
    """Its places on the board, ``from`` and ``to``, and how many stones are ``taken`` from a pit."""
    routes: list[list[int]]
    """The ways that it may take on the board, each with its places in order."""
    selection: list[int] | None
    """The places to select for this move; None if it is not made so."""
    piece: int | None
    """The piece that it brings to its target; None where its places tell it from other moves."""


class Roll(BaseModel):
    """What chance did."""

    name: str
    dice: list[int]
    """The faces of the dice; empty if it was no roll of dice."""


class PositionView(BaseModel):
    """Everything that the page shows of a position."""

    game: str
    text: str
    """For ``start`` in requests."""
    players: list[str]
    to_move: int | None
    """None if the game is over."""
    moves: list[str]
    """The moves played and the rolls, in the game's usual notation."""
    movers: list[int]
    """The player of each of these moves; -1 for a roll."""
    labels: list[str]
    """The label before each move in a list: its number, or who moved."""
    seed: int | None
    """The seed of the dice; None if the game has none."""
    rolls: list[Roll]
    """The latest roll, or the latest rolls in a row."""
    just_rolled: bool
    """Whether nobody has moved since."""
    last: str | None
    """The last move of a player, in the form of ``moves`` in requests."""
    last_places: dict[str, int]
    """The places of the last move on the board."""
    last_route: list[int]
    """The places of the last move in order, such as the squares where a piece landed that jumped several times."""
    legal: list[LegalMove]
    turnable: bool
    """Whether pieces move from place to place, so that the board has two sides."""
    tally: str
    """How the players stand, where the game tells; or empty."""
    over: str | None
    """How the game ended."""
    score: list[float] | None
    zero_sum: bool
    scale: tuple[float, float] | None
    """The lowest and the highest value of the chart."""
    view: dict[str, Any]
    """The board; ``kind`` says what is in it."""


@router.get("/games")
def games(request: Request) -> list[GameCard]:
    """List the games."""
    known: Games = request.app.state.games
    return [_card(known, name) for name in known]


@router.get("/levels")
def levels() -> list[LevelCard]:
    """List the levels of strength, weakest first.  They are numbered from 1."""
    return [LevelCard(name=name, timed=level.is_timed) for name, level in LEVELS.items()]


@router.post("/position")
def position(request: Request, played: GameSoFar) -> PositionView:
    """Return the position after the given moves and the rolls between them.  To make a move, append it."""
    sheet = _sheet(request, played, random.randrange(SEEDS))
    game, state, last = sheet.game, sheet.state, sheet.decided
    rolls, legal = _latest_rolls(sheet), _legal(sheet)
    return PositionView(
        game=played.game, text=game.format(state), players=sheet.players,
        to_move=None if sheet.over else game.to_move(state), moves=list(sheet.names),
        movers=sheet.movers, labels=numbered(sheet.movers, sheet.players),
        seed=None if sheet.dice is None else sheet.dice.seed, just_rolled=rolls.stop == len(sheet.moves) > rolls.start,
        rolls=[
            Roll(name=sheet.names[ply], dice=dice_shown(game, sheet.states[ply], sheet.moves[ply])) for ply in rolls
        ],
        last=None if last is None else game.format_move(sheet.states[last], sheet.moves[last]),
        last_places={} if last is None else places(game, sheet.states[last], sheet.moves[last]),
        last_route=[] if last is None else next(iter(routes(game, sheet.states[last], sheet.moves[last])), []),
        legal=legal, turnable=any(goes(move.places) for move in legal) or pieces_move(game),
        tally=game.tally(state), over=sheet.over, score=None if sheet.score is None else list(sheet.score),
        zero_sum=game.is_zero_sum(), scale=chart_scale(game) if game.is_zero_sum() else None, view=view(game, state),
    )  # fmt: skip


STREAM: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}}


@router.post("/think", response_class=StreamingResponse, responses=STREAM)
def think(request: Request, wanted: Thinking) -> StreamingResponse:
    """Search a position.  Events: ``info`` at once with a legal move, after every depth and sometimes in between;
    ``status``; finally ``done`` with the chosen move and the line that it begins, or ``wrong`` with an error message.
    The search stops when the client disconnects.  It runs interpreted as long as the game is not compiled.
    """
    sheet = _unfinished(request, wanted)
    with request.app.state.games.blamed(wanted.game):
        glanced = thinking.seen(thinking.at_a_glance(sheet)[0])
    order = thinking.Order(wanted.played, wanted.level, wanted.seconds, wanted.depth)
    first = {"move": glanced["move"], "name": glanced["line"][0], "line": glanced["line"]}
    return _stream(_searching(request, thinking.think, order, order.seconds, first))


@router.post("/analyse", response_class=StreamingResponse, responses=STREAM)
def analyse(request: Request, wanted: Analysed) -> StreamingResponse:
    """Find the best lines of a position, for as long as the client stays connected.  Events: ``lines`` several times a
    second, best line first; ``status``; finally ``done`` with the same data, if everything is proven or the time is
    over, or ``wrong`` with an error message.  An analysis gives way to everything else.
    """
    _unfinished(request, wanted)
    order = analysing.Order(wanted.played, wanted.lines, wanted.seconds or analysing.MOST_SECONDS)
    return _stream(_searching(request, analysing.analyse, order, order.seconds, patient=True))


@router.post("/review", response_class=StreamingResponse, responses=STREAM)
def review(request: Request, wanted: Reviewing) -> StreamingResponse:
    """Review a game.  Events: ``status``; ``ply`` for every position, from the last to the first, with its value, the
    best move and the verdict on the move played; finally ``done`` with how each player did, or ``wrong`` with an error
    message.  The review stops when the client disconnects.  It waits if others run: one worker is kept for moves.
    """
    sheet = _sheet(request, wanted)
    check_reviewable(sheet.game)
    count = len(sheet.states)
    total = count * wanted.seconds
    if total > LONGEST_REVIEW:
        most = f"{LONGEST_REVIEW / count:.2g}"
        raise SearchError(f"{count} positions at {wanted.seconds:g} seconds take too long: at most {most} are allowed")
    order = reviewing.ReviewOrder(wanted.played, wanted.seconds)
    return _stream(_reviewing(request, order, total + SPARE_REVIEW * count))


@router.post("/prepare", response_class=StreamingResponse, responses=STREAM)
def prepare(request: Request, chosen: GameChoice) -> StreamingResponse:
    """Compile a game, for as long as the client stays connected.  Events: ``progress`` with the share that is done and
    the seconds that are left, both null while other games come first; then ``done`` or ``wrong``.
    """
    _sheet(request, GameSoFar(game=chosen.game, parameters=chosen.parameters), seed=0)
    return _stream(_preparing(request, chosen.game, chosen.parameters))


# Shared by the routes -----------------------------------------------------------------------------------------------


def _sheet(request: Request, played: GameSoFar, seed: int | None = None) -> ScoreSheet:
    """Return the game in progress that a request describes.

    Args:
        request: the request.
        played: the game so far.
        seed: the seed of the dice if the request has none.

    Raises:
        PositionError: the start position or a move is wrong.
        GameError: a user's own game failed.
        SearchError: there is a seed but no dice, or dice but no seed.
    """
    games: Games = request.app.state.games
    sheets: ScoreSheets = request.app.state.sheets
    with games.blamed(played.game):
        game = games.make(played.game, played.parameters)
        sheet = sheets.read(game, played.start or None, played.moves, checked_seed(game, played.seed, seed))
        sheet.legal  # noqa: B018 (computed here and cached)
    return sheet


def _unfinished(request: Request, played: GameSoFar) -> ScoreSheet:
    """Return the game in progress that a request describes, in which a player is to move.

    Raises:
        SearchError: the game is over.
    """
    sheet = _sheet(request, played)
    if sheet.over:
        raise SearchError(f"the game is over: {sheet.over}")
    return sheet


def _stream(events: AsyncGenerator[str, None]) -> StreamingResponse:
    return StreamingResponse(_guarded(events), media_type="text/event-stream")


async def _guarded(events: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """Yield events.  Errors become events too, because the response has already started."""
    try:
        async with contextlib.aclosing(events):
            async for event in events:
                yield event
    except PlywiseError as error:
        yield _event("wrong", {"detail": str(error)})
    except WorkerCrashed as error:
        print(error, file=sys.stderr)
        yield _event("wrong", {"detail": error.sentence})


async def _preparing(request: Request, game: str, parameters: str) -> AsyncGenerator[str, None]:
    preparations: Preparations = request.app.state.preparations
    async with contextlib.aclosing(preparations.progress(game, parameters)) as progress:
        async for news in progress:
            yield _event("progress", {"share": news and news.done, "left": news and news.left})
    yield _event("done", {})


async def _searching(
    request: Request, job: Callable[..., thinking.Message], order: Any, seconds: float,
    first: dict[str, Any] | None = None, patient: bool = False,
) -> AsyncGenerator[str, None]:  # fmt: skip
    """Yield the events of a job that searches for ``seconds``, after what is known at ``first``.  When the client
    disconnects, this is cancelled and the search stops.
    """
    if first is not None:
        yield _event("info", first)
    state = request.app.state
    preparations: Preparations = state.preparations
    played: thinking.Played = order.played
    with preparations.wanted(played.game, played.parameters) as preparation:
        searching = state.workers.stream(
            job, order, preparation.ready, seconds=seconds + SPARE_SECONDS, patient=patient, owner=played.session
        )
        async with contextlib.aclosing(_events(searching)) as events:
            async for event in events:
                yield event


async def _reviewing(request: Request, order: reviewing.ReviewOrder, seconds: float) -> AsyncGenerator[str, None]:
    """Yield the events of a review, when there is a place for it: a review takes minutes, and moves must not wait."""
    reviews: Queue = request.app.state.reviews
    reviews.check(patient=False)
    waits = not reviews.free
    if waits:
        yield _event("status", {"text": "Waiting for another review to finish."})
    await reviews.wait(reviews.join(patient=False))
    try:
        if waits:
            yield _event("status", {"text": ""})
        async with contextlib.aclosing(_searching(request, reviewing.review_game, order, seconds)) as events:
            async for event in events:
                yield event
    finally:
        reviews.leave()


async def _events(messages: AsyncGenerator[Any, None]) -> AsyncGenerator[str, None]:
    """Yield the messages of a worker as events."""
    waiting = False
    async with contextlib.aclosing(messages):
        async for message in messages:
            if waiting and not isinstance(message, Waiting):
                yield _event("status", {"text": ""})
            waiting = isinstance(message, Waiting)
            if isinstance(message, (Waiting, CompileNews)):
                yield _event("status", {"text": _status(message)})
            else:
                yield _event(*message)


def _status(message: Waiting | CompileNews) -> str:
    if isinstance(message, Waiting):
        return "Waiting for other searches to finish."
    return f"Compiling {message.news.what}." if message.news else ""


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def _card(known: Games, name: str) -> GameCard:
    return GameCard(
        name=name,
        title=known.title(name),
        about=known.description(name),
        parameters=known.parameters(name),
        dice=known.has_dice(name),
        first=name == known.first,
    )


def _legal(sheet: ScoreSheet) -> list[LegalMove]:
    game, state, moves = sheet.game, sheet.state, sheet.legal
    ends = [places(game, state, move) for move in moves]
    return [
        LegalMove(text=game.format_move(state, move), name=game.move_name(state, move), places=end,
                  routes=routes(game, state, move), selection=selection(game, state, move), piece=piece)
        for move, end, piece in zip(moves, ends, arriving(game, state, moves, ends), strict=True)
    ]  # fmt: skip


def _latest_rolls(sheet: ScoreSheet) -> range:
    """Return the plies of the latest rolls in a row."""
    movers = sheet.movers
    end = next((ply + 1 for ply in reversed(range(len(movers))) if movers[ply] == CHANCE), 0)
    start = next((ply + 1 for ply in reversed(range(end)) if movers[ply] != CHANCE), 0)
    return range(start, end)
