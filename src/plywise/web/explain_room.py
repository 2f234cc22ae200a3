"""The API of the Explain room: the choices, the story of a search, and drawings of it.

A request names one of the server's games or contains a tree as text.  A worker process searches and records it, within
limits of time, depth and size.  A search that is too large for the page is refused with an error message.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from plywise.errors import GameError, SearchError
from plywise.game import Game
from plywise.result import Result
from plywise.web.bodies import Body, GameName, Moves, Parameters, PositionText, Seed, Session, while_wanted
from plywise.web.offered_games import Games
from plywise.web.showing import MOST_VISITS, Question, show
from plywise.web.thinking import Played
from plywise.web.workers import crashes_blamed

MOST_PLIES = 60
"""The greatest height of a tree, and depth of a search, in plies."""

LONGEST_TREE = 500_000
"""The most characters in the text of a tree."""

SECONDS = 20.0
"""The time limit for one search and its story."""

MOST_SECONDS, MOST_NODES = 60.0, 1_000_000_000
"""The greatest limits of an engine's search."""

OURS = ("table_mb",)
"""Options that a request cannot set."""

MOST_DRAWN = 3000
"""The most nodes in a drawing."""

MEDIA_TYPES = {"svg": "image/svg+xml", "tikz": "text/x-tex", "dot": "text/vnd.graphviz"}
"""By format; the page makes PNG files from SVG by itself."""

router = APIRouter(prefix="/api/explain", tags=["explain"])


class Wish(Body):
    """What to search, and how."""

    tree: str | None = Field(None, max_length=LONGEST_TREE, description="A tree as JSON, nested lists or CS188 text.")
    game: GameName = Field("red-blue", description="One of the server's games; ignored if there is a tree.")
    parameters: Parameters = ""
    position: PositionText | None = Field(None, description="Default: the initial position.")
    depth: int | None = Field(None, ge=1, le=MOST_PLIES, description="In plies. Default: as deep as can be drawn.")
    algorithm: str | None = Field(None, max_length=40, description="Default: alpha-beta, or max^n.")
    options: dict[str, bool | float] = Field(default_factory=dict, max_length=10)


class Beside(Body):
    """The second algorithm of a comparison."""

    algorithm: str = Field(max_length=40)
    options: dict[str, bool | float] = Field(default_factory=dict, max_length=10)


class Comparison(Wish):
    """What to search, and how in two ways."""

    beside: Beside


W = TypeVar("W", bound=Wish)
T = TypeVar("T")


class EngineWish(Body):
    """A position whose search by the engine is to be shown."""

    game: GameName
    parameters: Parameters = ""
    position: PositionText | None = Field(None, description="Default: the initial position.")
    moves: Moves = Field(default_factory=list, description="Moves from there to the position that is meant.")
    seed: Seed | None = Field(None, description="The seed of the dice, if there are moves.")
    seconds: float = Field(1.0, ge=0.05, le=MOST_SECONDS, description="How long to search, if it must.")
    nodes: int | None = Field(None, ge=1, le=MOST_NODES, description="The most positions to visit; the same each time.")
    session: Session = ""


class DrawingWish(Wish):
    """A drawing of a search, as a file."""

    format: Literal["svg", "tikz", "dot"]
    notation: Literal["window", "edge", "interval", "blank"] = "window"
    steps: int | None = Field(None, ge=1, description="Draw the tree after the first N steps. Default: all.")
    widest: int | None = Field(None, ge=1, le=100, description="Draw the best N moves and one mark for the rest.")


@router.get("/choices")
def choices(request: Request) -> dict[str, Any]:
    """List the trees, games and algorithms to choose from."""
    from plywise.algorithms import TEXTBOOK
    from plywise.explain.examples import EXAMPLES
    from plywise.explain.titles import algorithm_title

    games: Games = request.app.state.games
    return {
        "trees": [example._asdict() for example in EXAMPLES],
        "games": [
            {
                "name": name,
                "title": games.title(name),
                "about": games.description(name),
                "algorithm": _usual_algorithm(games, name),
            }
            for name in games
        ],
        "algorithms": [
            {
                "name": algorithm.name,
                "title": algorithm_title(algorithm.name, capital=True),
                "summary": algorithm.summary,
                "many_players": algorithm.many_players,
                "takes_chance": algorithm.takes_chance,
                "options": {
                    name: default if isinstance(default, (bool, float)) and math.isfinite(default) else None
                    for name, default in algorithm.options.items()
                    if name not in OURS
                },
            }
            for algorithm in TEXTBOOK.values()
        ],
    }


@router.post("")
async def explain(wish: Wish, request: Request) -> Response:
    """Return the story of a search, step by step."""
    text = await _worked(tell, wish, request)
    return Response(text, media_type="application/json")


@router.post("/compare")
async def compare(wish: Comparison, request: Request) -> Response:
    """Return the stories of two searches of one tree, drawn with the same places."""
    text = await _worked(tell_both, wish, request)
    return Response(text, media_type="application/json")


@router.post("/drawing")
async def drawing(wish: DrawingWish, request: Request) -> Response:
    """Return a drawing of a search, at any step."""
    content = await _worked(draw, wish, request)
    return Response(content, media_type=MEDIA_TYPES[wish.format])


@router.post("/engine")
async def engine(wish: EngineWish, request: Request) -> Response:
    """Return the story of the engine's own search of a position: the top of its tree.

    If the engine of this session has just searched the position, that search is shown.
    """
    games: Games = request.app.state.games
    with games.blamed(wish.game):
        games.make(wish.game, wish.parameters)
    with crashes_blamed(games, wish.game):
        text = await while_wanted(request, _shown(wish, request))
    return Response(text, media_type="application/json")


async def _shown(wish: EngineWish, request: Request) -> Any:
    state = request.app.state
    played = Played(wish.game, wish.parameters, wish.position or None, tuple(wish.moves), wish.seed, wish.session)
    question = Question(played, wish.seconds, wish.nodes)
    with state.preparations.wanted(wish.game, wish.parameters) as preparation:
        return await state.workers.last(
            show, question, preparation.ready, seconds=wish.seconds + SECONDS, owner=wish.session
        )


def _usual_algorithm(games: Games, name: str) -> str | None:
    """Return the default algorithm for a game, or None if the game needs parameters."""
    from plywise.explain.recording import usual_algorithm

    try:
        return usual_algorithm(games.make(name))
    except GameError:
        return None


async def _worked(job: Callable[[Game | str, W], T], wish: W, request: Request) -> T:
    """Run ``job`` in a worker, on one of the server's games or on the text of a tree.  Stop if the client disconnects.

    Raises:
        GameError: a user's own game failed.
    """
    games: Games = request.app.state.games
    source = games.make(wish.game, wish.parameters) if wish.tree is None else wish.tree
    with crashes_blamed(games, wish.game) if wish.tree is None else contextlib.nullcontext():
        return await while_wanted(request, request.app.state.workers.run(job, source, wish, seconds=SECONDS))


# In a worker ---------------------------------------------------------------------------------------------------------


def tell(source: Game | str, wish: Wish) -> str:
    """Return the story of a search as JSON text, which is cheaper to send between processes than objects."""
    from plywise.explain import story

    return _compact(story(recorded(source, wish)))


def tell_both(source: Game | str, wish: Comparison) -> str:
    """Return the stories of both searches of a comparison, as JSON text."""
    from plywise.explain import stories

    second = wish.model_copy(update=wish.beside.model_dump())
    return _compact(stories([recorded(source, each) for each in (wish, second)]))


def _compact(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def draw(source: Game | str, wish: DrawingWish) -> str:
    """Return the content of a drawing's file."""
    from plywise.explain import figure, grow

    tree = grow(recorded(source, wish), steps=wish.steps)
    drawn = figure(tree, notation=wish.notation, widest=wish.widest)
    if len(drawn.nodes) > MOST_DRAWN:
        raise SearchError(
            f"the drawing has {len(drawn.nodes):,} nodes; a file may have {MOST_DRAWN:,}: "
            "draw fewer moves per node, or search less deep"
        )
    return {"svg": drawn.svg, "tikz": lambda: drawn.tikz(document=True), "dot": drawn.dot}[wish.format]()


def recorded(source: Game | str, wish: Wish) -> Result:
    """Search as requested, and record every event."""
    from plywise.explain.recording import recorded as search_recorded

    for name in OURS:
        if name in wish.options:
            raise SearchError(f"the option {name}= cannot be set here")
    game = read_tree(source) if isinstance(source, str) else source
    return search_recorded(game, wish.position, wish.depth, wish.algorithm, wish.options, MOST_VISITS)


def read_tree(text: str) -> Game:
    """Parse the text of a tree; nodes without names get letters.

    Raises:
        GameError: the text is not a tree, or the tree is too high.
    """
    from plywise.explain.lettering import lettered
    from plywise.games import Tree

    tree = Tree.from_text(text)
    heights = [0] * len(tree.nodes)
    for i, node in reversed(list(enumerate(tree.nodes))):  # parents come before children
        heights[i] = max((heights[child] + 1 for child in node.children), default=0)
    if heights[0] > MOST_PLIES:
        raise GameError(f"this tree is {heights[0]} plies high; the page shows up to {MOST_PLIES}")
    return lettered(tree)
