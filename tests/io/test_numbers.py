"""Numbers are written with the digits 0 to 9 everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywise.cli.options import read_extras
from plywise.errors import PlywiseError
from plywise.explain import quiz_number
from plywise.games import Chess, Nim, Tree
from plywise.games.chess.epd import parse_epd
from plywise.games.chess.pgn import read_pgn
from plywise.games.chess.weights import WEIGHTS_FILE, read_weights
from plywise.inputs.choose import choose_game
from plywise.io.numbers import read_real, read_value, read_whole, whole_number
from plywise.match.arena import Decision
from plywise.match.bots import BotSpec
from plywise.match.elo import SPRT
from plywise.match.time_control import TimeControl
from plywise.uci.engine_options import option_named
from plywise.uci.protocol import parse_go
from tests.cli.support import plywise
from tests.web.own_game import Subtraction

ARABIC, WIDE, SUPERSCRIPT, UNDERSCORED = "\u0661\u0662", "\uff11\uff12", "\u00b2", "1_2"
FOREIGN = (ARABIC, WIDE, SUPERSCRIPT, UNDERSCORED)
"""Texts that Python takes for a number, or for digits."""

BERKELEY = """
class: "GraphGameTreeTest"
start_state: "A"
num_agents: "{agents}"
win_states: "B"
lose_states: "C"
successors: \"\"\"
A Left B
A Right C
\"\"\"
evaluation: \"\"\"
B {value}
C -1
\"\"\"
"""


@pytest.mark.parametrize("text", FOREIGN)
def test_only_ascii_digits_are_numbers(text: str) -> None:
    assert whole_number(text) is None
    assert read_value(text) == text
    for read in (read_whole, read_real):
        with pytest.raises(ValueError, match="is not a"):
            read(text)


def test_numbers_are_read_as_python_writes_them() -> None:
    for number in (0, -7, 10**40, 0.1, -2.5e-300, 1e22, float("inf")):
        assert read_value(repr(number)) == number
        assert type(read_value(repr(number))) is type(number)
    assert [read_value(text) for text in (" 3 ", "+3", ".5", "5.", "1E3")] == [3, 3, 0.5, 5.0, 1000.0]
    assert [read_value(text) for text in ("nan", "", "-", "0x10", "1e", "9" * 5000)] == [
        "nan", "", "-", "0x10", "1e", "9" * 5000,
    ]  # fmt: skip


def weights(text: str, folder: Path) -> Any:
    file = folder / "weights.txt"
    lines = WEIGHTS_FILE.read_text(encoding="utf-8").splitlines()
    name = next(line for line in lines if line and not line.startswith("#")).split()[:-2]
    file.write_text(f"{' '.join(name)} {text} 1\n", encoding="utf-8")
    return read_weights(file)


READERS: dict[str, Callable[[str], Any]] = {
    "parameter": lambda text: choose_game(f"connect-four:{text}"),
    "tuple": lambda text: choose_game(f"nim:3,{text}"),
    "option": lambda text: read_extras([f"guess={text}"]),
    "position": lambda text: Subtraction().parse(f"{text} 0"),
    "heaps": lambda text: Nim().parse(f"1,{text},1 max"),
    "agents": lambda text: Tree.from_berkeley(BERKELEY.format(agents=text, value=1)),
    "evaluation": lambda text: Tree.from_berkeley(BERKELEY.format(agents=2, value=text)),
    "fen clock": lambda text: Chess().parse(f"4k3/8/8/8/8/8/8/4K3 w - - {text} 1"),
    "fen row": lambda text: Chess().parse(f"4k3/{text}/8/8/8/8/8/4K3 w - - 0 1"),
    "chess960": lambda text: Chess().parse(f"chess960:{text}"),
    "epd": lambda text: parse_epd(Chess(), f"4k3/8/8/8/8/8/8/4K3 w - - {text} {text} bm Kd2;"),
    "epd clock": lambda text: parse_epd(Chess(), f"4k3/8/8/8/8/8/8/4K3 w - - hmvc {text};"),
    "pgn": lambda text: list(read_pgn(Chess(), f"{text}. e4 *")),
    "pgn annotation": lambda text: list(read_pgn(Chess(), f"1. e4 ${text} *")),
    "time control": TimeControl.parse,
    "increment": lambda text: TimeControl.parse(f"10+{text}"),
    "decision": lambda text: Decision.parse(f"600,{text}"),
    "sprt": lambda text: SPRT.parse(f"0,{text}"),
    "bot": lambda text: BotSpec.parse(f"engine,depth={text}"),
    "answer": lambda text: quiz_number(1).grade("value", text),
}


@pytest.mark.parametrize("text", FOREIGN)
@pytest.mark.parametrize("reader", READERS)
def test_foreign_digits_are_refused_in_one_sentence(reader: str, text: str) -> None:
    with pytest.raises(PlywiseError) as refused:
        READERS[reader](text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", FOREIGN)
def test_a_weight_is_written_in_ascii(text: str, tmp_path: Path) -> None:
    with pytest.raises(PlywiseError, match="needs two numbers"):
        weights(text, tmp_path)


@pytest.mark.parametrize("text", FOREIGN)
def test_uci_takes_ascii_alone(text: str) -> None:
    assert parse_go(["depth", text]).complaints[0] == f"depth needs a number, not {text!r}"
    option = option_named("Hash")
    assert option is not None
    with pytest.raises(ValueError, match="must be a number from"):
        option.read(text)


@pytest.mark.parametrize("text", FOREIGN)
@pytest.mark.parametrize(
    "words",
    [
        ["search", "nim", "--depth", "{}"], ["search", "nim", "-d{}"], ["search", "nim", "--seconds={}"],
        ["quiz", "{}"], ["tune-jamboree", "nim", "--cutoffs", "{}"],
        ["quiz", "--seed", "{}"],
    ],
)  # fmt: skip
def test_the_command_line_takes_ascii_alone(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = plywise(capsys, *(word.format(text) for word in words))
    assert done.code == 2
    assert text in done.err
