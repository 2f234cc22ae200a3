"""Games that users paste or drop, read in a worker: files of many games, lists of moves, positions, saved games.

The lines that come back are legal for the page: each can be sent as the ``moves`` of a request.  A game that is wrong
somewhere keeps its moves up to there and says what is wrong, and the others are read all the same.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from plywise.errors import GameError, PlywiseError, PositionError
from plywise.game import Game, State
from plywise.games.reading import game_guessed, game_told, read_games
from plywise.games.records import MOST_NOTES, PlayedMove, Record
from plywise.layers import CHANCE, Chance
from plywise.match.ending import FORBIDDEN, ends_by_repetition, is_forbidden
from plywise.web.annotated import LONGEST_REMARK, AnnotatedMove, Checked, annotated_moves
from plywise.web.offered_games import Games
from plywise.web.score_sheet import LARGEST_SEED, MOST_PLIES, first_sheet
from plywise.web.worker import Job

MOST_GAMES = 500
"""The most games that are read at a time."""
LONGEST_TEXT = 1_000_000
"""The most characters of a text."""
SECONDS = 8.0
"""When to stop reading more games."""


class ReadGame(BaseModel):
    """A game that was read."""

    title: str
    tags: dict[str, str]
    """What the file tells about the game, such as ``White`` and ``Date``."""
    parameters: str
    """For ``parameters`` in requests; they may differ from those that were chosen, such as the size of the board."""
    start: str | None
    """For ``start`` in requests; None for the usual start."""
    comment: str
    """The comment before the first move."""
    line: list[AnnotatedMove]
    result: str
    """As it is written, such as 1-0 or B+3.5; ``*`` if it is not told."""
    seed: int | None
    """The seed of the dice; None in a game without."""
    problem: str | None
    """What is wrong with the rest of the game, and where; None if nothing is."""
    notes: list[str]
    """What was left out or is damaged without ending the game, such as variations."""


class ReadGames(BaseModel):
    """The games in a text."""

    game: str
    """The game that they are of, for ``game`` in requests; it may be another one than was chosen."""
    games: list[ReadGame]
    notice: str
    """What the user should know, such as that this is another game; or empty."""


def read(job: Job, name: str, parameters: str, text: str) -> str:
    """Return the games in a text, as ``ReadGames`` in JSON: a job of a worker, where it holds nobody up.

    Raises:
        PositionError: there is no game in the text, or it is too long.
        GameError: it is of a game that is not on offer.
    """
    if len(text) > LONGEST_TEXT:
        raise PositionError(f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read at a time")
    text = text.replace("\ufeff", "")
    if text.lstrip().startswith("{") and (saved := _saved(text)) is not None:
        return _read_saved(job.games, name, saved).model_dump_json()
    told = _offered(job.games, name, game_told(text))
    answer = _read_text(job.games, told, parameters if told == name else "", text)
    guess = game_guessed(text)
    if told == name and guess and not any(game.line for game in answer.games):
        guess = _offered(job.games, name, guess)
        other = answer if guess == name else _read_text(job.games, guess, "", text)
        answer, told = (other, guess) if any(game.line for game in other.games) else (answer, told)
    if told != name:
        titles = [job.games.title(each) for each in (told, name)]
        answer.notice = f"This is {titles[0]}, not {titles[1]}. {answer.notice}".strip()
    return answer.model_dump_json()


def _offered(games: Games, chosen: str, told: str | None) -> str:
    """Return the game to read a text as: the chosen one, unless the text tells another."""
    if told is None or issubclass(games.class_of(chosen), games.class_of(told)):
        return chosen
    return told


def _read_text(games: Games, name: str, parameters: str, text: str) -> ReadGames:
    """Return the games in a text that is no file of the page's own."""
    deadline, found, notice = time.monotonic() + SECONDS, list[ReadGame](), ""
    with games.blamed(name):
        game = games.make(name, parameters)
        for number, record in enumerate(read_games(game, text), 1):
            late = time.monotonic() > deadline
            if late or number > MOST_GAMES:
                why = "reading the others would take too long" if late else f"{MOST_GAMES} are read at a time"
                notice = f"These are only the first {number - 1} games: {why}."
                break
            found.append(_game(games, name, game, parameters, record, number))
    return ReadGames(game=name, games=found, notice=notice)


def _game(games: Games, name: str, chosen: Game, parameters: str, record: Record, number: int) -> ReadGame:
    """Return a record as the page takes it: its moves for as long as the page's rules allow them."""
    game, problem = record.game or chosen, record.problem
    if game != chosen:
        parameters = parameters_of(game)
        try:
            game = games.make(name, parameters)
        except GameError as wrong:
            record, problem = dataclasses.replace(record, start=None, played=()), str(wrong)
    start = game.initial() if record.start is None else record.start
    try:
        line = _Line(game, start)
        moves = line.read(record.played) if record.start is not None else []
        if isinstance(game, Chance) and record.played:
            moves, line.ends = [], "the dice are missing: a game with dice is read from the file that the page saves"
    except PlywiseError as wrong:
        moves, line.ends = [], str(wrong)
    return ReadGame(
        title=_title(record.headers, number), tags=dict(record.headers), parameters=parameters,
        start=None if start == game.initial() else game.format(start), comment=record.comment[:LONGEST_REMARK],
        line=moves, result=record.headers.get("RE") or record.result, seed=None,
        problem=line.ends or problem or None, notes=list(record.notes),
    )  # fmt: skip


class _Line:
    """Turns played moves into texts, up to where the game is over by the rules of the page."""

    def __init__(self, game: Game, start: State) -> None:
        self.game = game
        self.states = [start]
        self.keys = [game.recurring(start)]
        self.ends = ""
        """Why the main line ends before the record does."""

    def read(self, played: Sequence[PlayedMove]) -> list[AnnotatedMove]:
        """Return the main line."""
        moves: list[AnnotatedMove] = []
        for each in played:
            self.ends = self._over(each)
            if self.ends:
                self.ends = f"move {len(moves) + 1}: {self.ends}"
                break
            moves.append(self._move(each, 0))
            self._play(each)
        return moves

    def _variation(self, played: Sequence[PlayedMove], depth: int) -> list[AnnotatedMove]:
        """Return a variation of the next move."""
        moves: list[AnnotatedMove] = []
        for each in played:
            if self._over(each):
                break
            moves.append(self._move(each, depth))
            self._play(each)
        del self.states[len(self.states) - len(moves) :], self.keys[len(self.keys) - len(moves) :]
        return moves

    def _move(self, played: PlayedMove, depth: int) -> AnnotatedMove:
        state = self.states[-1]
        variations = [self._variation(line, depth + 1) for line in played.variations]
        return AnnotatedMove(
            text=self.game.format_move(state, played.move), name=self.game.move_name(state, played.move),
            comment=played.comment[:LONGEST_REMARK], nags=list(played.annotations),
            variations=[line for line in variations if line],
        )  # fmt: skip

    def _play(self, played: PlayedMove) -> None:
        self.states.append(self.game.play(self.states[-1], played.move))
        self.keys.append(self.game.recurring(self.states[-1]))

    def _over(self, played: PlayedMove) -> str:
        """Return why a move cannot be played on the page; empty if it can."""
        game, state = self.game, self.states[-1]
        if game.is_terminal(state):
            ending = game.ending(state)
            return f"the game is over before it{f' ({ending})' if ending else ''}"
        if ends_by_repetition(game, state, self.keys):
            return "the game is over before it: the position has been repeated"
        if len(self.states) > MOST_PLIES:
            return f"the page takes games of at most {MOST_PLIES} moves"
        return f"it is forbidden: {FORBIDDEN}" if is_forbidden(game, self.states, played.move) else ""


def parameters_of(game: Game) -> str:
    """Return the parameters of a game that differ from the defaults, as the page takes them.

    >>> import plywise as pw
    >>> parameters_of(pw.games.Go(5, komi=5.5)), parameters_of(pw.games.Nim((1, 2))), parameters_of(pw.games.Chess())
    ('width=5, komi=5.5', 'heaps=1,2', '')
    """
    words = []
    for field in dataclasses.fields(game):
        value = getattr(game, field.name)
        usual = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        if field.init and value != usual:
            words.append(f"{field.name}={','.join(map(str, value)) if isinstance(value, tuple) else value}")
    return ", ".join(words)


def _title(headers: Mapping[str, str], number: int) -> str:
    """Return the title of a game in a list.

    >>> _title({"White": "Ann", "Black": "Bob", "Event": "Club", "Date": "2024.01.02"}, 1)
    'Ann – Bob, Club, 2024.01.02'
    >>> _title({}, 3)
    'Game 3'
    """
    known = {name: value for name, value in headers.items() if value.strip(" ?.-*")}
    players = [known.get(name) or known.get(short) for name, short in (("White", "PW"), ("Black", "PB"))]
    if "PB" in known or "PW" in known:  # Black moves first in Go
        players.reverse()
    names = " – ".join(player or "?" for player in players) if any(players) else ""
    event, date = known.get("Event") or known.get("EV") or known.get("GN"), known.get("Date") or known.get("DT")
    return ", ".join(filter(None, (names, event, date))) or f"Game {number}"


# Files that the page saved --------------------------------------------------------------------------------------------


def _saved(text: str) -> dict[str, Any] | None:
    """Return the content of a file that ``record`` wrote as JSON; None if it is none."""
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False)
        content = json.loads(written.encode(errors="replace"))  # half a character, such as \ud800, is no text
    except (ValueError, RecursionError):
        return None
    known = isinstance(content, dict) and isinstance(content.get("moves"), list) and "game" in content
    return content if known else None


def _read_saved(games: Games, chosen: str, saved: Mapping[str, Any]) -> ReadGames:
    """Return the game in a file that the page saved."""
    name, parameters = _saved_game(games, chosen, str(saved["game"]))
    with games.blamed(name):
        game = games.make(name, parameters)
        start, seed = saved.get("start"), saved.get("seed")
        if isinstance(game, Chance) != (type(seed) is int):
            raise PositionError("a game with dice has the seed of its dice, and no other game has one")
        if seed is not None and not 0 <= seed <= LARGEST_SEED:
            raise PositionError(f"seed must be a number from 0 to {LARGEST_SEED:,}, not {seed}")
        if not isinstance(start, str):
            raise PositionError(f"start must be the text of a position, not {start!r}")
        state = game.parse(start)
        usual = state == game.initial()
        checked = Checked(first_sheet(game, None if usual else start, seed), _saved_moves(saved))
        line = annotated_moves(game, state, checked.played)
    names, result, comment = _names(saved.get("players")), saved.get("result"), saved.get("comment")
    named = {side: name for side, name in zip(checked.sheet.players, names, strict=False) if side != name}
    read = ReadGame(
        title=" – ".join(names) or "Game 1", tags={**_tags(saved.get("tags")), **named}, parameters=parameters,
        start=None if usual else start, comment=comment[:LONGEST_REMARK] if isinstance(comment, str) else "",
        line=line, result=result if isinstance(result, str) else "*", seed=seed, problem=checked.problem or None,
        notes=checked.notes[:MOST_NOTES],
    )  # fmt: skip
    notice = "" if name == chosen else f"This is {games.title(name)}, not {games.title(chosen)}."
    return ReadGames(game=name, games=[read], notice=notice)


def _names(players: Any) -> list[str]:
    """Return the names of the players, if the file has any."""
    if players is None:
        return []
    if not (isinstance(players, list) and all(isinstance(name, str) for name in players)):
        raise PositionError(f"players must be a list of names, not {players!r}")
    return players


def _tags(tags: Any) -> dict[str, str]:
    """Return what the file tells about the game, if it does."""
    if tags is None:
        return {}
    if not (isinstance(tags, dict) and all(isinstance(value, str) for value in tags.values())):
        raise PositionError(f"tags must be texts by name, not {tags!r}")
    return tags


def _saved_moves(saved: Mapping[str, Any]) -> list[AnnotatedMove]:
    """Return the moves that players chose, with comments and variations if the file has any."""
    try:
        return TypeAdapter(list[AnnotatedMove]).validate_python(saved.get("line", list(_decisions(saved))))[:MOST_PLIES]
    except ValidationError as wrong:
        first = wrong.errors()[0]
        raise PositionError(f"{'.'.join(['line', *map(str, first['loc'])])}: {first['msg']}") from None


def _decisions(saved: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of the moves that players chose: all but the rolls."""
    movers = saved.get("movers")
    for ply, text in enumerate(saved["moves"][:MOST_PLIES]):
        if not isinstance(text, str):
            raise PositionError(f"a move must be a text, not {text!r}")
        if not (isinstance(movers, list) and ply < len(movers) and movers[ply] == CHANCE):
            yield text


def _saved_game(games: Games, chosen: str, told: str) -> tuple[str, str]:
    """Return the name and the parameters of the game that a saved file names, such as ``Nim(heaps=(3, 4))``."""
    written = re.fullmatch(r"(\w+)\((.*)\)", told, re.DOTALL)
    if written is None:
        raise PositionError(f"{told!r} is no game such as 'Nim(heaps=(3, 4))'")
    named = [each for each in dict.fromkeys([chosen, *games]) if games.class_of(each).__name__ == written[1]]
    if not named:
        raise GameError(f"this is a game of {written[1]}, which is not on offer here")
    for name in named:
        if not games.takes_parameters(name):
            return name, ""
        try:
            call = ast.parse(told, mode="eval").body
            words = call.keywords if isinstance(call, ast.Call) else []
            game = games.class_of(name)(**{str(word.arg): ast.literal_eval(word.value) for word in words})
            return name, parameters_of(game)
        except (ValueError, SyntaxError, TypeError, RecursionError):  # it is another game of this name
            continue
    raise PositionError(f"{told!r} is no game such as 'Nim(heaps=(3, 4))'")
