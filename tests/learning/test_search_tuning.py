"""Tuning the margins of the search: games, a journal, and a match at the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.engine.margins import MARGINS, margins_for
from plywise.engine.network import fingerprint
from plywise.learning import search_tuning, spsa
from plywise.learning.lessons import Subject
from plywise.learning.search_tuning import News, SearchTuning, chosen_margins, margins_that_matter, tune_search
from plywise.learning.weights import Weights
from plywise.match.arena import CRASH, OVER, Played
from plywise.match.bots import BotSpec
from plywise.match.crew import Pairing, Setting
from plywise.match.standing import Standing

SECOND = 1 / 3600
CHESS = pw.games.Chess()


def drift(climb: spsa.Climb, trial: spsa.Trial, outcome: float) -> None:
    """Move all numbers, whoever won."""
    climb.here = 0.9 * climb.here


class Row(NamedTuple):
    first: int
    end: int
    lead: int
    turn: int


class Coins(pw.Tactics, pw.Game):
    """Two players take coins from either end of a row."""

    swing = 3
    coins: tuple[int, ...] = (2, 7, 1, 9, 4, 3, 8, 5, 6, 2, 9, 1)

    def initial(self) -> Row:
        return Row(0, len(self.coins), 0, pw.MAX)

    def to_move(self, state: Row) -> int:
        return state.turn

    def moves(self, state: Row) -> range:
        return range(min(2, state.end - state.first))

    def is_terminal(self, state: Row) -> bool:
        return state.first == state.end

    def score(self, state: Row) -> int:
        return state.lead

    def evaluate(self, state: Row) -> int:
        return state.lead

    def play(self, state: Row, move: int) -> Row:
        lead = state.lead + self.gain(state, move) * (1 - 2 * state.turn)
        return Row(state.first + 1 - move, state.end - move, lead, 1 - state.turn)

    def gain(self, state: Row, move: int) -> int:
        return self.coins[state.end - 1 if move else state.first]

    def noisy_moves(self, state: Row) -> Iterator[int]:
        for move in self.moves(state):
            if self.gain(state, move) > 6:
                yield move


@pytest.fixture
def plain() -> Iterator[None]:
    """Play in plain Python: games are short, and nothing is compiled."""
    with pw.interpreted():
        yield


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make matches short."""
    monkeypatch.setattr(search_tuning, "LEAST_GAMES", 2)


def tuned(out: Path, **options: Any) -> SearchTuning:
    return tune_search(CHESS, out, **{"nodes": 30, "threads": 1, "seed": 3, **options})


def test_margins_are_tuned_compared_and_written(tmp_path: Path) -> None:
    out = tmp_path / "margins.json"
    news: list[News] = []
    found = tuned(out, games=12, on_news=news.append, threads=2)
    assert found.iterations == 6
    assert found.start == {name: round(value, 4) for name, value in margins_for(CHESS, None).items()}
    assert found.tuned != found.start
    assert all(MARGINS[name].least <= value <= MARGINS[name].most for name, value in found.tuned.items())
    assert found.standing is not None
    assert found.standing.played == 4
    assert json.loads(out.read_text())["margins"] == found.tuned
    assert (tmp_path / "margins.json.match").exists()
    assert {each.stage for each in news} == {"tuning", "comparing"}
    assert max(each.moved for each in news) > 0
    assert json.dumps(found.to_json())
    assert pw.Engine(CHESS, margins=out).margins["reduction"] == found.tuned["reduction"]


def test_tuning_goes_on_after_ctrl_c_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_tuning._Run, "compare", lambda run: None)
    whole = tuned(tmp_path / "whole.json", games=12)

    def interrupt(news: News) -> None:
        if news.iterations == 2:
            raise KeyboardInterrupt

    out = tmp_path / "parts.json"
    part = tuned(out, games=12, on_news=interrupt)
    assert (part.interrupted, part.iterations, part.standing) == (True, 2, None)
    assert json.loads(out.read_text())["margins"] == part.tuned
    out.unlink()  # as if it had been killed before it was written
    more = tuned(out, games=12)
    assert (more.interrupted, more.tuned, more.iterations) == (False, whole.tuned, 6)
    assert whole.tuned != whole.start
    assert tuned(out, games=14).iterations == 7
    with pytest.raises(pw.SearchError, match="was started with other settings: seed is 3 there and 4 here"):
        tuned(out, games=12, seed=4)
    assert tuned(out, games=4, seed=4, fresh=True).iterations == 2


@pytest.mark.usefixtures("plain")
def test_time_is_a_limit_too_and_the_match_gets_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spsa.Climb, "learn", drift)
    found = tune_search(Coins(), tmp_path / "margins.json", hours=8 * SECOND, nodes=20, only=["late", "futility"])
    assert list(found.tuned) == ["futility", "late"]
    assert found.iterations > 0
    assert 6 <= found.seconds < 60
    assert found.standing is not None
    assert found.standing.played >= 2
    lines = (tmp_path / "margins.json.games").read_text().splitlines()[1:]
    assert len(lines) == found.iterations
    assert found.seconds >= json.loads(lines[-1])["seconds"] > 0


@pytest.mark.usefixtures("plain")
def test_margins_that_have_not_moved_need_no_match(tmp_path: Path) -> None:
    found = tune_search(Coins(), tmp_path / "margins.json", games=4, nodes=20, threads=1, only=["late"])
    assert (found.iterations, found.tuned, found.standing) == (2, found.start, None)
    assert not (tmp_path / "margins.json.match").exists()


@pytest.mark.usefixtures("plain")
def test_a_file_of_margins_is_a_start(tmp_path: Path) -> None:
    start = tmp_path / "start.json"
    start.write_text(json.dumps({"margins": {"late": 20.0, "razor": 3.0}}))
    out = tmp_path / "margins.json"
    found = tune_search(Coins(), out, games=2, nodes=20, threads=1, start=start, only=["late"])
    assert found.start == {"late": 20.0}  # outside of the usual range
    assert found.tuned["late"] <= 20.0
    assert json.loads(out.read_text())["margins"]["razor"] == 3.0


Games = Iterator[tuple[Pairing, Played]]


def fake_games(game: pw.Game, setting: Setting, pairings: Iterable[Pairing], workers: int) -> Games:
    """Let Max win all games."""
    for pairing in pairings:
        yield pairing, Played([], 1.0, OVER)


@pytest.mark.usefixtures("plain")
def test_games_belong_to_the_network_that_evaluates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_tuning._Run, "compare", lambda run: None)
    game, out, files = Coins(), tmp_path / "margins.json", [tmp_path / f"{name}.net" for name in ("one", "other")]
    subject = Subject(game, 4)
    for seed, file in enumerate(files):
        about = {"fingerprint": fingerprint(game)}
        subject.network(Weights.random(subject.shape, seed=seed), 1.0, about).save(file)

    def tuned_with(network: Path | str | None, games: int) -> SearchTuning:
        return tune_search(game, out, games=games, nodes=20, threads=1, only=["late"], network=network)

    assert tuned_with(files[0], 2).iterations == 1
    assert tuned_with(files[0].rename(tmp_path / "moved.net"), 4).iterations == 2
    for another in (files[1], "none", None):
        with pytest.raises(pw.SearchError, match="was started with other settings: network is"):
            tuned_with(another, 4)


@pytest.mark.usefixtures("plain")
def test_the_network_that_comes_with_a_game_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []

    def note(game: pw.Game, setting: Setting, pairings: Iterable[Pairing], workers: int) -> Games:
        chosen.append([bot.options.get("network") for bot in setting.bots])
        return fake_games(game, setting, pairings, workers)

    monkeypatch.setattr(search_tuning, "played_games", note)
    game, out = pw.games.ConnectFour(), tmp_path / "margins.json"
    tune_search(game, out, games=2, nodes=20)
    with pytest.raises(pw.SearchError, match=r"other settings: network is '[0-9a-f]+' there and 'none' here"):
        tune_search(game, out, games=2, nodes=20, network="none")
    tune_search(game, out, games=2, nodes=20, network="none", fresh=True)
    assert chosen == [[None, None], ["none", "none"]]


@pytest.mark.usefixtures("plain")
def test_the_match_is_played_with_the_network_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bots: list[BotSpec] = []
    monkeypatch.setattr(spsa.Climb, "learn", drift)
    monkeypatch.setattr(search_tuning, "played_games", fake_games)
    monkeypatch.setattr(search_tuning, "match", lambda game, *both, **rest: bots.extend(both))
    tune_search(Coins(), tmp_path / "margins.json", games=2, nodes=20, network="none")
    assert [bot.options["network"] for bot in bots] == ["none", "none"]


@pytest.mark.usefixtures("plain")
def test_an_odd_number_of_games_is_rounded_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_tuning, "played_games", fake_games)
    news: list[News] = []
    found = tune_search(Coins(), tmp_path / "margins.json", games=7, nodes=20, on_news=news.append)
    assert (found.iterations, news[-1].done, news[-1].total) == (3, 6, 6)


@pytest.mark.usefixtures("plain")
def test_pairs_with_a_crash_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashing(game: pw.Game, setting: Setting, pairings: Iterable[Pairing], workers: int) -> Games:
        for pairing in pairings:
            crashes = pairing.number == 3
            yield pairing, Played([], 1.0, CRASH if crashes else OVER)

    monkeypatch.setattr(search_tuning, "played_games", crashing)
    monkeypatch.setattr(search_tuning._Run, "compare", lambda run: None)
    found = tune_search(Coins(), tmp_path / "margins.json", games=8, nodes=20)
    assert (found.iterations, found.faults) == (3, 1)
    assert found.tuned == found.start  # Max won all games, so every pair was even


def test_games_use_the_margins_that_their_layers_allow() -> None:
    assert margins_that_matter(CHESS) == list(MARGINS)
    assert "null" not in margins_that_matter(Coins())
    assert "reduction" in margins_that_matter(pw.games.ConnectFour())
    assert margins_that_matter(pw.games.Pig()) == []


@pytest.mark.parametrize(
    ("game", "only", "message"),
    [
        (pw.games.Pig(), None, "has dice"),
        (pw.games.ConnectFour(), ["late"], r"has no swing \(Tactics.swing\); those that do: reduction, "),
        (Coins(), ["null"], r"has no pass_move \(Tactics.pass_move\)"),
        (pw.games.ConnectFour(), ["lat"], "there is no margin 'lat'; there are: futility"),
        (pw.games.ConnectFour(), [], "no margin to tune"),
    ],
)
def test_margins_that_do_not_matter_are_refused(game: pw.Game, only: list[str] | None, message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        chosen_margins(game, only)


def test_margins_that_are_said_not_to_matter_change_nothing() -> None:
    game = pw.games.ConnectFour()
    engine = pw.Engine(game, table_mb=1)

    def nodes(margins: dict[str, float]) -> int:
        engine.set_margins(margins)
        return engine.search("44", depth=10, exact=False).nodes

    usual = nodes({})
    others = [name for name in MARGINS if name not in margins_that_matter(game)]
    assert {nodes({name: end}) for name in others for end in (MARGINS[name].least, MARGINS[name].most)} == {usual}
    assert nodes({"reduction_slope": 0.8}) != usual


def test_the_verdict_is_that_of_the_match() -> None:
    found = SearchTuning({}, {})
    assert found.verdict == "undecided"
    found.standing = Standing(("tuned", "start"), 100, search_tuning.BETTER, pairs=[20, 80, 200, 140, 60])
    assert found.verdict == "better"
    found.standing.pairs.reverse()
    assert found.verdict == "not better"
    found.standing.pairs[:] = [0, 0, 10, 0, 0]
    assert found.verdict == "undecided"


@pytest.mark.parametrize(
    ("options", "message"),
    [({"hours": 0.0}, "hours=0.0 must be above 0"), ({"games": 1}, "games"), ({"nodes": 0}, "nodes"),
     ({"random_plies": -1}, "random_plies"), ({"threads": -1}, "threads"), ({"start": {"lat": 1}}, "no margin 'lat'")],
)  # fmt: skip
def test_wrong_arguments_are_refused_before_anything_is_written(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(pw.SearchError, match=message):
        tune_search(Coins(), tmp_path / "margins.json", **options)
    assert list(tmp_path.iterdir()) == []
