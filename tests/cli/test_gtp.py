"""``plywise gtp`` speaks GTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import plywise, process


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["connect-four"], "does not name its moves by the points of a board"),
        (["--algorithm", "no-such"], "no-such"),
        (["--resign", "-1"], "must be above 0"),
        (["--log", "/no/such/folder/log"], "No such file or directory"),
        (["--seconds", "-1"], "seconds"),
        (["--option", "depth"], "is not NAME=VALUE"),
    ],
)
def test_mistakes_are_one_message(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "gtp", *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_gtp_introduces_itself_and_keeps_a_transcript(tmp_path: Path) -> None:
    file = tmp_path / "log"
    answer = process("gtp", "--log", str(file), text="1 name\n")
    assert (answer.code, answer.out) == (0, "=1 plywise\n\n")
    assert [line.split()[1:] for line in file.read_text().splitlines()] == [[">", "1", "name"], ["<", "=1", "plywise"]]
