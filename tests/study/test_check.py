"""``check_game`` names the one rule that each wrong game breaks, and finds no mistakes in right games."""

from __future__ import annotations

import inspect
import json
import pkgutil
import random
import re
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import plywise as pw
import plywise.games
from plywise.layers import LAYERS
from plywise.study.check import check_game
from plywise.study.findings import KINDS, Finding, Report
from tests import wrong_games
from tests.cli.support import plywise as run
from tests.die import RightDie
from tests.match.support import RingWalk
from tests.take_away import Pile, Right

WRONG = [import_module(f"tests.wrong_games.{module.name}") for module in pkgutil.iter_modules(wrong_games.__path__)]
COMPILED = {
    "compiled_differs",
    "compiled_probability_differs",
    "not_compilable",
    "too_large",
}  # wrong only as compared with machine code


def game_in(module: ModuleType) -> type[pw.Game]:
    """Return the game that a module defines."""
    found = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, pw.Game)]
    return found[-1]


def name_of(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def report_on(module: ModuleType) -> Report:
    if name_of(module) in COMPILED:
        return check_game(game_in(module), games=10)
    with pw.interpreted():
        return check_game(game_in(module), games=10)


class Fractions(RightDie):
    """A die whose faces are as likely as 1 to 2 to 3, but for an error."""

    error: float = 0.0

    def probability(self, state, move):
        return move / 6 + self.error


@pytest.mark.parametrize("error", [0.0, 1e-12, -1e-10])
def test_probabilities_may_err_by_rounding_and_no_more(error: float) -> None:
    with pw.interpreted():
        report = check_game(Fractions(error=error), games=5)
    assert {finding.rule for finding in report.findings} == ({"probability-sum"} if error else set()), str(report)


@pytest.mark.parametrize("module", WRONG, ids=name_of)
def test_a_wrong_game_is_told_the_rule_that_it_breaks_and_no_other(module: ModuleType) -> None:
    report = report_on(module)
    assert {finding.rule for finding in report.findings} == {module.RULE}, str(report)
    assert report.ok == (KINDS[module.RULE][0] != "error" and module.RULE != "endless")  # no game ends there


def test_only_the_misspelt_method_is_reported() -> None:
    module = import_module("tests.wrong_games.misspelt_evaluate")
    with pw.interpreted():
        found = check_game(game_in(module), games=2).findings
    assert [finding.message for finding in found if finding.rule == "misspelt"] == [
        "nothing uses evalute: did you mean evaluate?"
    ]


def test_every_rule_has_a_wrong_game() -> None:
    left_out = {"is-terminal", "too-many-moves"}  # see below
    assert {module.RULE for module in WRONG} == set(KINDS) - left_out


def interpreted_findings(game: pw.Game | type[pw.Game], **options: int) -> dict[str, str]:
    """Return the messages of what a check without compiling finds, by rule."""
    with pw.interpreted():
        return {finding.rule: finding.message for finding in check_game(game, **options).findings}


def test_nothing_is_wrong_with_a_right_game_and_the_report_says_what_was_looked_at() -> None:
    report = check_game(Right, games=7)
    assert report.ok
    assert report.findings == ()
    assert report.games == 7
    assert report.positions == 10  # Max moves with 5, 3, 2, 1 or 0 left, Min with 4, 3, 2, 1 or 0
    assert report.comparisons > 50
    assert str(report).startswith("Right(size=5): nothing wrong in 7 games, 10 positions, ")


def test_nothing_is_wrong_with_a_right_die() -> None:
    report = check_game(RightDie, games=10)
    assert not report.findings, str(report)
    with pw.interpreted():
        silent = check_game(RightDie, games=10)
    assert (silent.positions, silent.comparisons) == (report.positions, 0)


@pytest.mark.parametrize("name", plywise.games.catalogue())
def test_nothing_is_wrong_with_the_games_of_plywise(name: str) -> None:
    report = check_game(plywise.games.catalogue()[name], games=10)
    assert not report.findings, str(report)
    assert report.comparisons > 0


def test_the_shortest_play_that_shows_a_mistake_is_reported() -> None:
    class Late(Right):
        size: int = 9

        def play(self, state, move):
            if state.left < 6:
                raise ValueError("too few")
            return Pile(state.left - move, 1 - state.turn)

    with pw.interpreted():
        (finding,) = check_game(Late).findings
    assert finding.rule == "play-rejects"
    assert sum(map(int, finding.path)) >= 4
    assert len(finding.path) == 2
    assert finding.position == f"{9 - sum(map(int, finding.path))} 0"


def test_a_win_is_far_above_all_else() -> None:
    """A search takes whatever is within 1000 of ``win_score`` for a win some plies away."""

    class Far(pw.FastestWin, Right):
        win_score = 2001

        def score(self, state):
            return 2001 if state.turn == pw.MIN else -1000

    class Near(Far):
        win_score = 2000

    class Nearest(Far):
        win_score = 1000

    assert not interpreted_findings(Far)
    assert interpreted_findings(Near) == {
        "win-score": "score returns -1000, but 2000 is a win: nothing else may be within 1000 of it"
    }
    assert interpreted_findings(Nearest) == {"win-score": "win_score must be a number above 1000, not 1000"}


def test_an_exception_is_reported_with_the_line_in_the_users_file() -> None:
    module = import_module("tests.wrong_games.raises")
    lines = Path(str(module.__file__)).read_text().splitlines()
    message = interpreted_findings(game_in(module))["exception"]
    found = re.fullmatch(r"score raised ZeroDivisionError: .+ \(line (\d+) of (.+)\)", message)
    assert found is not None
    assert found[2] == module.__file__
    assert "//" in lines[int(found[1]) - 1]


def test_is_terminal_must_say_yes_or_no() -> None:
    class Forgetful(Right):
        def is_terminal(self, state):
            return True if state.left == 0 else None

    assert "not None" in interpreted_findings(Forgetful)["is-terminal"]


def test_moves_without_end_are_cut_off() -> None:
    class Generous(Right):
        def moves(self, state):
            while state.left:
                yield 1

    assert "too-many-moves" in interpreted_findings(Generous)


def test_whole_scores_must_leave_room_for_infinity() -> None:
    class Rich(Right):
        def score(self, state):
            return 1 << 62

    assert "2**62" in interpreted_findings(Rich)["score"]


def test_scores_are_one_for_each_player() -> None:
    class Odd(pw.ManyPlayers, Right):
        def scores(self, state):
            return (1, 2, 3)[: 2 + state.turn]

        def score(self, state):
            return self.scores(state)[0]

    assert "must return" in interpreted_findings(Odd)["score"]


def test_a_position_that_is_equal_to_itself_only_is_refused() -> None:
    class Board:
        left, turn = 5, 0

    class Objects(Right):
        def initial(self):
            return Board()

    assert "equals only itself" in interpreted_findings(Objects)["state-immutable"]


def test_a_class_that_fails_to_be_made_is_reported() -> None:
    class Failing(Right):
        def __post_init__(self):
            raise ValueError("no such size")

    assert interpreted_findings(Failing)["exception"].startswith("Failing() raised ValueError: no such size (line ")


def test_an_error_of_the_check_is_not_blamed_on_the_class() -> None:
    """An answer that no check expects is a finding, with the check and the position, and the games go on."""

    class Odd(pw.Symmetry, Right):
        def move_in_image(self, state, move):
            return [move]

    with pw.interpreted():
        report = check_game(Odd, games=3)
    (finding,) = report.findings
    assert finding.rule == "exception"
    assert finding.message == "the check Images.with_moves failed with TypeError: unhashable type: 'list'"
    assert (finding.position, finding.path) == ("5 0", ())
    assert report.games == 3


def test_a_check_can_be_interrupted() -> None:
    class Interrupted(pw.Tactics, Right):
        def pass_move(self, state):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interpreted_findings(Interrupted)


ANSWERS = {"none": lambda: None, "text": lambda: "?!", "list": lambda: [[]], "large": lambda: 10**400}


@pytest.mark.parametrize("answer", ANSWERS)
def test_no_answer_of_any_method_stops_the_check(answer: str) -> None:
    class Everything(*LAYERS, Right):  # type: ignore[misc]
        layout = pw.Grid(5, 1)

        def key(self, state):
            return state

        def scores(self, state):
            return (1, -1) if state.turn == pw.MIN else (-1, 1)

        def score(self, state):
            return self.scores(state)[0]

    assert interpreted_findings(Everything, games=2) == {}
    methods = [name for name in {*vars(pw.Game), *pw.Game.DEFAULTS} if not name.startswith("_")]
    for name in sorted(methods):
        if name.islower() and inspect.isfunction(getattr(pw.Game, name)):
            odd = type("Odd", (Everything,), {name: lambda *_: ANSWERS[answer](), "__module__": __name__})
            interpreted_findings(odd, games=2)


def test_a_symmetric_key_needs_names_for_moves() -> None:
    class Pair(NamedTuple):
        one: int
        other: int
        turn: int

    class TwoPiles(Right):
        def initial(self):
            return Pair(3, 2, 0)

        def moves(self, state):
            return list(range(-state.other, 0)) + list(range(1, state.one + 1))

        def play(self, state, move):
            return Pair(state.one - max(move, 0), state.other + min(move, 0), 1 - state.turn)

        def is_terminal(self, state):
            return state.one + state.other == 0

        def key(self, state):
            return (min(state.one, state.other), max(state.one, state.other))

    class Named(pw.Symmetry, TwoPiles):
        key = TwoPiles.key

        def image(self, state):
            return Pair(min(state.one, state.other), max(state.one, state.other), state.turn)

        def move_in_image(self, state, move):
            return -move if state.one > state.other else move

        def move_from_image(self, state, move):
            return self.move_in_image(state, move)

    message = interpreted_findings(TwoPiles)["key-moves"]
    assert message.endswith("but only one of them has move -2; inherit Symmetry and define move_in_image and "
                            "move_from_image, or let the key tell them apart")  # fmt: skip
    assert interpreted_findings(Named) == {}


def test_an_evaluation_that_tells_positions_with_one_key_apart_is_reported() -> None:
    class Short(Right):
        size: int = 30

        def key(self, state):
            return state.left

        def evaluate(self, state):
            return pw.sign(state.turn) * state.left

    class Partial(Short):
        def evaluate(self, state):
            return state.left

    assert interpreted_findings(Short, games=5) == {}
    assert "but evaluate gives" in interpreted_findings(Partial, games=5)["key"]


def test_scores_and_evaluations_drawn_by_lot_are_reported() -> None:
    class Lottery(Right):
        def score(self, state):
            return random.random()

    class Moody(Right):
        def evaluate(self, state):
            return random.random()

    for game, method in ((Lottery, "score"), (Moody, "evaluate")):
        found = interpreted_findings(game, games=5)
        assert found["not-deterministic"] == f"{method} gives a different answer when called again"


def test_a_game_of_three_players_is_right() -> None:
    class Three(pw.ManyPlayers, Right):
        players = 3
        sum_bounds = (-1, 0)

        def play(self, state, move):
            return Pile(state.left - move, (state.turn + 1) % 3)

        def scores(self, state):
            return tuple([2 if player == (state.turn + 2) % 3 else -1 for player in range(3)])

        def score(self, state):
            return 2 if state.turn == 1 else -1

    assert interpreted_findings(Three) == {}


def test_an_adapted_board_is_right() -> None:
    class Board:
        def __init__(self):
            self.left, self.turn, self.taken = 6, True, []

        def legal_moves(self):
            return range(1, min(3, self.left) + 1)

        def push(self, count):
            self.left, self.turn = self.left - count, not self.turn
            self.taken.append(count)

        def pop(self):
            self.left, self.turn = self.left + self.taken.pop(), not self.turn

        def is_game_over(self):
            return self.left == 0

        def score(self):
            return -1 if self.turn else 1

    report = check_game(pw.adapt(Board()), games=20)
    assert not report.findings, str(report)
    assert report.positions > 20


def test_seeds_and_limits_are_respected() -> None:
    with pw.interpreted():
        game = pw.games.ConnectFour()
        assert check_game(game, games=3, seed=1, seconds=None) == check_game(game, games=3, seed=1, seconds=None)
        assert check_game(game, games=10**9, seconds=0.2).games < 10**9


class Slow(Right):
    """A game whose moves take their time."""

    size: int = 60

    def moves(self, state):
        time.sleep(0.01)
        return super().moves(state)


def test_a_check_without_a_finished_game_is_no_pass_and_says_how_to_give_it_time() -> None:
    with pw.interpreted():
        report = check_game(Slow(), seconds=0.1)
    assert report.findings == ()
    assert report.games == 0
    assert report.positions > 0
    assert not report.ok
    assert not report.to_json()["ok"]
    first, last = str(report).splitlines()
    looked = f"looked at 0 of 100 games, {report.positions} positions, 0 compiled answers compared"
    assert first == f"Slow(size=60): no verdict, because no game was finished: {looked}"
    assert last == "time ran out after 0.1 s: allow more with --seconds 0.6 (in Python, seconds=0.6)"


def test_a_game_that_never_ends_is_no_pass_unless_repetition_ends_it() -> None:
    endless = report_on(import_module("tests.wrong_games.endless"))
    assert endless.games == 0
    reason = "no verdict, because no game was finished: 1 note in 0 games, "
    assert str(endless).splitlines()[0].partition(": ")[2].startswith(reason)
    around = check_game(RingWalk(), games=2)
    assert (around.games, around.findings, around.ok) == (2, (), True)


def test_a_warning_is_no_verdict_without_a_finished_game() -> None:
    warned = Report("Slow()", (Finding("no-text", "these positions have no text form"),), positions=3)
    reason = "no verdict, because no game was finished"
    assert str(warned).startswith(f"Slow(): {reason}: 1 warning in 0 games, 3 positions, ")
    wrong = Report("Slow()", (Finding("score", "score must return a finite number"),), positions=3)
    assert str(wrong).startswith("Slow(): 1 error in 0 games, 3 positions, ")


def test_a_check_that_ran_out_of_time_says_how_many_games_it_played() -> None:
    with pw.interpreted():
        report = check_game(Slow(size=6), games=10**9, seconds=2.0)
    assert report.ok
    assert 0 < report.games < 10**9
    assert f"nothing wrong in {report.games} of 1000000000 games" in str(report)
    assert "time ran out after 2 s" in str(report)
    with pw.interpreted():
        assert "time" not in str(check_game(Slow(size=6), games=1, seconds=None))


def test_the_command_line_passes_the_time_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pw.interpreted():
        answer = run(capsys, "check", "tests.study.test_check:Slow", "--seconds", "0.1")
        assert answer.code == 1
        assert "no verdict" in answer.out
        assert run(capsys, "check", "tests.study.test_check:Slow:6", "--games", "1", "-s", "20").code == 0


def test_a_report_can_be_printed_and_read_by_programs() -> None:
    report = report_on(import_module("tests.wrong_games.no_moves"))
    text = str(report)
    assert text.startswith("NoMoves(size=5): 1 error in ")
    assert "error [no-moves] the game is not over, but there is no move\n    position  1 0\n    moves     2 2" in text
    data = json.loads(json.dumps(report.to_json()))
    assert data["ok"] is False
    assert data["findings"][0]["rule"] == "no-moves"
    assert data["findings"][0]["severity"] == "error"
    assert data["findings"][0]["path"] == ["2", "2"]
    assert {"game", "games", "positions", "comparisons"} <= set(data)


HOOKS = (
    "order", "candidates", "proven_bounds", "noisy_moves", "gain", "pass_move", "extension", "wins_at_least", "trait",
    "image", "move_in_image", "banked", "rest_key", "count_moves", "reversible", "repetition", "without_history",
    "recurring", "nearly_over", "estimates",
)  # fmt: skip


def raising(hook: str, lazily: bool) -> type[pw.Game]:
    """Return a right game but for one hook, which raises when called or, as a generator, when iterated."""

    def fail(self, *arguments):
        raise KeyError(hook)

    def fail_late(self, state):
        yield from [1]
        raise KeyError(hook)

    bases = (Right,) if hook == "order" else (pw.Game.DEFAULTS[hook], Right)
    members = {"scores": lambda self, state: (1, -1)} if hook == "estimates" else {}
    return type("Raising", bases, {**members, hook: fail_late if lazily else fail, "__module__": __name__})


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_that_raises_is_found(hook: str) -> None:
    found = interpreted_findings(raising(hook, lazily=hook in ("candidates", "noisy_moves")), games=1)
    assert list(found) == ["exception"]
    assert found["exception"].startswith(f"{hook} raised KeyError: '{hook}' (line ")


def test_every_hook_that_a_search_calls_is_checked() -> None:
    """Those that have a check of their own, and those that are only called."""
    own = {"scores", "evaluate", "bounds", "key", "move_from_image", "probability", "playout", "prior", "reward"}
    required = {"initial", "to_move", "moves", "play", "is_terminal", "score"}
    assert set(pw.Game.ENTRY_POINTS or ()) == required | own | set(HOOKS)


def test_an_extension_is_asked_for_when_the_game_is_over_too() -> None:
    """The engine asks before it looks whether the game is over."""

    class Dividing(pw.Tactics, Right):
        def extension(self, state):
            return 0 // state.left

    assert interpreted_findings(Dividing, games=1)["exception"].startswith("extension raised ZeroDivisionError")


def test_attributes_set_in_init_are_found_where_they_are_set() -> None:
    class Setting(Right):
        def __init__(self):
            self.size = 4  # this line

    lines = Path(__file__).read_text().splitlines()
    where = next(number for number, line in enumerate(lines, 1) if line.endswith("= 4  # this line"))
    assert interpreted_findings(Setting)["exception"].endswith(f" (line {where} of {__file__})")


def test_a_list_in_a_position_is_told_what_to_use() -> None:
    class Listed(Right):
        def initial(self):
            return Pile([1, 2], pw.MAX)

    message = "a position must not change, but field left is a list: use a tuple, or pw.Cells"
    assert interpreted_findings(Listed)["state-immutable"] == message
