"""Files are written whole or not at all, and messages name them, not the temporary files in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import plywise as pw
from plywise.io.files import check_target, written_whole


def write(path: Path, content: bytes, fails: bool = False) -> None:
    with written_whole(path) as file:
        file.write(content)
        if fails:
            raise ZeroDivisionError


def test_a_file_is_replaced_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, b"old")
    with pytest.raises(ZeroDivisionError):
        write(path, b"ne", fails=True)
    assert path.read_bytes() == b"old"
    write(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_target(tmp_path / "file")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("step", ["touch", "open", "replace"])
def test_a_file_that_cannot_be_written_is_refused_under_its_own_name(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *given: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    path = tmp_path / "file"
    with monkeypatch.context() as patched:
        patched.setattr(Path, step, refuse)
        with pytest.raises(pw.SearchError) as error:
            check_target(path) if step == "touch" else write(path, b"new")
    assert str(error.value) == f"{str(path)!r} cannot be written: Permission denied"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("attempt", [check_target, lambda path: write(path, b"new")])
def test_a_name_too_long_for_a_temporary_file_is_refused(attempt: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(pw.SearchError, match="x' cannot be written: "):
        attempt(tmp_path / ("x" * 250))
