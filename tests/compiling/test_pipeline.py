"""Inner functions are linked into their entry, which alone becomes machine code."""

from __future__ import annotations

from typing import Any

import pytest
from numba.core.codegen import RuntimeLinker

import plywise as pw
from plywise.algorithms.alphabeta import alphabeta as textbook
from plywise.compiling import bridge
from plywise.compiling.bridge import entry
from plywise.compiling.functions import dispatcher
from plywise.games import Nim

pytestmark = pytest.mark.usefixtures("compiled")


alphabeta: Any = textbook


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))  # code from disk would not be looked at
    monkeypatch.setattr(bridge, "_entries", {})  # nor would inner functions from before a test that redefined a rule


def code(dispatched: Any) -> Any:
    """What was compiled last of a function."""
    return list(dispatched.overloads.values())[-1]


def search_a_new_game() -> None:
    """Compile alpha-beta: no other test can have compiled it for a class that is made here."""

    class NewGame(Nim):
        pass

    pw.search(NewGame((1, 2, 3)), algorithm="alphabeta")


def test_only_the_entry_is_machine_code() -> None:
    search_a_new_game()
    inner, outer = code(dispatcher(alphabeta)), code(entry(alphabeta))
    assert outer.library._compiled
    assert not inner.library._compiled


def test_recursive_calls_are_direct() -> None:
    search_a_new_game()
    text = code(entry(alphabeta)).library.get_llvm_str()
    assert RuntimeLinker.PREFIX not in text
    name = code(dispatcher(alphabeta)).fndesc.llvm_func_name
    calls = [line for line in text.splitlines() if " call " in line and name in line]
    assert len(calls) > 1, "one call is the entry's, the others are recursive"


def test_a_function_apart_is_not_inlined() -> None:
    search_a_new_game()
    text = code(entry(alphabeta)).library.get_llvm_str()
    assert any("Tally" in line and "keep" in line for line in text.splitlines() if line.startswith("define"))


def test_an_inner_function_called_from_python_is_an_error_not_a_crash() -> None:
    def twice(number: int) -> int:
        return 2 * number

    with pytest.raises(SystemError):
        dispatcher(twice)(2)  # type: ignore[arg-type]
