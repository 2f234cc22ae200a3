"""A match: many games between two bots, in pairs with sides switched, in one run or several.

Every game is a line in a file (``plywise.io.journal``), so a match survives interruption, even a power failure, and can
be resumed.  Random choices depend only on the match's seed and the game's number: earlier games, the number of
processes and the order of play make no difference.  Both games of a pair have the same dice, as in duplicate play.
"""

from __future__ import annotations

import contextlib
import datetime
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from plywise.cluster.executor import Executor
from plywise.compiling.fingerprint import rules_digest
from plywise.errors import PositionError, SearchError
from plywise.game import MAX, MIN, Game, Move, State
from plywise.games.move_list import move_texts
from plywise.inputs.limits import check_executor, check_whole
from plywise.inputs.positions import lines_with_positions, unfinished
from plywise.io.files import check_target, content_digest, read_text_file, written_whole
from plywise.io.journal import JournalRecord, journal_at
from plywise.layers import Chance, View
from plywise.match.arena import USUAL, Conditions, Played
from plywise.match.bots import BotSpec, sides
from plywise.match.crew import Pairing, PlayedGames, Setting, maker, played_games
from plywise.match.dice import by_chance, rolled
from plywise.match.elo import SPRT
from plywise.match.rivals import check_rivals
from plywise.match.standing import BOTS, Standing
from plywise.match.time_control import Limits

VERSION = 2
ATTEMPTS = 1000
"""How often to try random moves until the game is not over after them."""
DICE = 1_000_000
"""How many seeds of dice there are: few enough to type one."""
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def match(
    game: Game,
    first: str | BotSpec,
    second: str | BotSpec,
    *,
    games: int = 100,
    limits: Limits | None = None,
    openings: str | Path | None = None,
    random_plies: int = 0,
    conditions: Conditions = USUAL,
    sprt: SPRT | None = None,
    concurrency: int | None = None,
    executor: Executor | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    record: str | Path | None = None,
    fresh: bool = False,
    make_game: Callable[[], Game] | None = None,
    rival: Game | None = None,
    make_rival: Callable[[], Game] | None = None,
    on_game: Callable[[Standing], None] | None = None,
) -> Standing:
    """Let two bots play many games.

    Args:
        game: the game to play.
        first: one bot, described as in ``plywise.match.bots``, such as ``engine,nodes=20000``.
        second: the other bot.
        games: how many games.  Every opening is played from both sides; of an odd number, the last only once.
        limits: for bots that name none of their own.
        openings: a file of starting positions, one per line; default: the initial position.
        random_plies: how many random moves to start with, the same in both games of a pair; rolls count.
        conditions: when a game ends, besides by its rules.
        sprt: a test that ends the match as soon as it accepts one of its hypotheses.
        concurrency: how many games to play at a time, each in its own process; default: one.
        executor: who plays them, instead of this machine: ``plywise.cluster.connect("local")``.
        seed: for random choices.
        out: the file of the games, JSON lines.  PlayedGames already in it are not played again.
        record: also write the games to a file, in the game's own format (``View.record``): PGN for chess, SGF for Go.
        fresh: start over and overwrite ``out``.
        make_game: how a worker process makes the game; default: it gets a copy.
        rival: the second bot's game, if it has another evaluation; the rules must be the same.
        make_rival: how a worker process makes ``rival``.
        on_game: called with the standing, at the start and after every game.

    Returns:
        The final standing: results, Elo with error bars, faults.

    Raises:
        SearchError: an argument is invalid, the game is not for two, or ``out`` holds another match.
        GameError: two bots cannot play the game.
        PositionError: an opening is not a position of this game.

    >>> import plywise as pw
    >>> ended = pw.match(pw.games.TicTacToe(), "alphabeta", "alphabeta,strict=true", games=2, random_plies=1)
    >>> ended.played, ended.wins + ended.losses
    (2, 0)
    """
    begun = time.perf_counter()
    specs = (_spec(first, limits), _spec(second, limits))
    check_executor(executor, concurrency=concurrency)
    concurrency = 1 if concurrency is None else concurrency
    _check_counts(games, random_plies, concurrency, seed)
    if record is not None and (not isinstance(game, View) or type(game).record is View.record):
        raise SearchError(f"{type(game).__name__} has no record format of its own (View.record): leave out record")
    if record is not None:
        check_target(Path(record))
    book = None if openings is None else read_text_file(openings)
    texts = opening_texts(game, openings, book, (games + 1) // 2, seed)
    if rival is not None:
        check_rivals(game, rival)
        make_rival = make_rival or maker(rival)
    if executor is not None:  # elsewhere, there may be no such file
        make_game, make_rival = maker(game), None if rival is None else maker(rival)
    setting = Setting(make_game or maker(game), specs, conditions, make_rival=make_rival)
    standing = Standing((specs[0].title(), specs[1].title()), games, sprt)
    tell = on_game or (lambda standing: None)
    pairing = partial(pairing_of, game, texts, random_plies, seed)
    header = _header(game, specs, conditions, book, random_plies, seed)
    if rival is not None:
        header |= {"rival": repr(rival), "rival_rules": rules_digest(rival)}
    _warm_up(game, rival, setting, pairing(1))
    with journal_at(out, header, fresh) as journal:
        known = {line["line"]: line for line in journal.records() if line["line"] <= games}
        standing.damaged = journal.damaged
        for line in known.values():
            standing.add(line)
        tell(standing)
        missing = (pairing(number) for number in range(1, games + 1) if number not in known)
        try:
            playing = played_games(game, setting, missing, executor or concurrency)
            with contextlib.closing(_until_decided(playing, standing)) as played:
                for paired, result in played:
                    line = _record(game, paired, result)
                    journal.append([line])
                    standing.add(line)
                    standing.seconds = time.perf_counter() - begun
                    tell(standing)
            journal.put_in_order()
        finally:
            if record is not None:
                _write_record(Path(record), game, standing.names, specs, journal.records())
    standing.seconds = time.perf_counter() - begun
    return standing


# Before ---------------------------------------------------------------------------------------------------------------


def _spec(bot: str | BotSpec, limits: Limits | None) -> BotSpec:
    return bot if isinstance(bot, BotSpec) else BotSpec.parse(bot, limits)


def _check_counts(games: int, random_plies: int, concurrency: int, seed: int) -> None:
    check_whole("games", games, 1)
    check_whole("random_plies", random_plies, 0)
    check_whole("concurrency", concurrency, 1)
    check_whole("seed", seed, 0)


def opening_texts(game: Game, file: str | Path | None, book: bytes | None, most: int, seed: int) -> list[str]:
    """Return the texts of up to ``most`` openings: those of a file in random order, or the initial position.

    Raises:
        PositionError: one is not a position of this game, or the file has none.
    """
    if book is None:
        return [game.format(unfinished(game, None))]
    lines = lines_with_positions(book)
    if not lines:
        raise PositionError(f"{file} contains no positions")
    random.Random(seed).shuffle(lines)
    chosen = lines[:most]
    for line in set(chosen):
        try:
            unfinished(game, line.text)
        except (PositionError, SearchError) as error:
            raise PositionError(f"{file}, line {line.number}: {error}") from None
    return [line.text for line in chosen]


def pairing_of(game: Game, texts: Sequence[str], random_plies: int, seed: int, number: int) -> Pairing:
    """Return a game to play, by its number from 1; if there are fewer openings than pairs of games, they are reused."""
    pair = (number - 1) // 2
    text, chance = texts[pair % len(texts)], random.Random(f"{seed} {pair}")
    book = _random_moves(game, game.parse(text), random_plies, chance)
    dice = random.Random(f"{seed} {pair} dice").randrange(DICE) if isinstance(game, Chance) else None
    side, own = MAX if number % 2 else MIN, chance.randrange(1 << 30) * 2 + number % 2
    return Pairing(number, text, book, side, own, dice)


def _random_moves(game: Game, start: State, count: int, chance: random.Random) -> tuple[Move, ...]:
    """Return ``count`` random moves after which the game is not over."""
    for _ in range(ATTEMPTS):
        state: State = start
        moves: list[Move] = []
        while len(moves) < count and not game.is_terminal(state):
            roll = by_chance(game, state)
            moves.append(rolled(game, state, chance) if roll else chance.choice(list(game.moves(state))))
            state = game.play(state, moves[-1])
        if not game.is_terminal(state):
            return tuple(moves)
    raise SearchError(f"random_plies={count}: from {game.format(start)!r} the game always seems to end before that")


def _header(
    game: Game, specs: tuple[BotSpec, BotSpec], conditions: Conditions, book: bytes | None,
    random_plies: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Return everything the games depend on, but not their number, so that more can be played later."""
    return {
        "plywise": "match", "version": VERSION, "game": repr(game), "rules": rules_digest(game),
        "first": str(specs[0]), "second": str(specs[1]),
        "openings": None if book is None else content_digest(book),
        "random_plies": random_plies, "seed": seed, "margin": conditions.margin, "most_plies": conditions.most_plies,
        "resign": conditions.resign and str(conditions.resign), "draw": conditions.draw and str(conditions.draw),
    }  # fmt: skip


def _warm_up(game: Game, rival: Game | None, setting: Setting, pairing: Pairing) -> None:
    """Make each bot once in this process, to report errors early and to compile for all processes."""
    for seat in range(len(setting.bots)):
        setting.make_warm_bot(seat, game, rival, pairing).close()


# Meanwhile ------------------------------------------------------------------------------------------------------------


def _until_decided(games: PlayedGames, standing: Standing) -> PlayedGames:
    with contextlib.closing(games):
        if standing.verdict is not None:
            return
        for game in games:
            yield game
            if standing.verdict is not None:
                return


def _record(game: Game, pairing: Pairing, played: Played) -> dict[str, Any]:
    """Return the line for a game."""
    order = sides(pairing.first_plays)
    winner = None if played.score == 0.5 else BOTS[order[0] if played.score == 1 else order[1]]
    by_dice = {} if pairing.dice is None else {"dice": pairing.dice, "points": _of_first(pairing, played.points)}
    return {
        "line": pairing.number,
        "max": BOTS[order[0]],
        "score": played.score if pairing.first_plays == MAX else 1 - played.score,
        "winner": winner,
        "reason": played.reason,
        "detail": played.detail,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "start": pairing.start,
        "book": len(pairing.book),
        "moves": " ".join(move_texts(game, game.parse(pairing.start), played.moves)),
        "values": played.values,
        "depths": played.depths,
        "seconds": played.seconds,
        **by_dice,
    }


def _of_first(pairing: Pairing, points: float | None) -> float | None:
    """Return Max's score by the rules as the first bot's."""
    return points if points is None or pairing.first_plays == MAX else -points


# After ----------------------------------------------------------------------------------------------------------------


def _write_record(
    file: Path, game: Game, names: tuple[str, str], specs: tuple[BotSpec, BotSpec], lines: Iterator[JournalRecord]
) -> None:
    """Write the games in the game's own format."""
    with written_whole(file) as out:
        for line in sorted(lines, key=lambda line: line["line"]):
            out.write((_as_record(game, names, specs, line) or "").encode())


def _as_record(
    game: Game, names: tuple[str, str], specs: tuple[BotSpec, BotSpec], line: Mapping[str, Any]
) -> str | None:
    start = state = game.parse(line["start"])
    moves = []
    for text in line["moves"].split():
        moves.append(game.parse_move(state, text))
        state = game.play(state, moves[-1])
    maximiser = BOTS.index(line["max"])
    score = line["score"] if maximiser == 0 else 1 - line["score"]
    about = {
        "event": f"{names[0]} against {names[1]}", "date": line["date"], "round": str(line["line"]),
        "max": names[maximiser], "min": names[1 - maximiser], "result": RESULTS[score],
        "reason": ": ".join(filter(None, (line["reason"], line["detail"]))),
        "clock": str(specs[maximiser].limits.clock or ""), "dice": str(line.get("dice", "")),
    }  # fmt: skip
    return game.record(start, moves, about)
