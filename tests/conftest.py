"""The tests keep their machine code next to pytest's cache: a fresh clone compiles, later runs do not.

``--quick`` runs only the tests in ``QUICK``, as plain Python.
"""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("PLYWISE_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "machine-code"))

# Hundreds of processes import plywise; without Python's cache of modules, each would translate them anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell lets what it runs in the background ignore Ctrl-C, which many tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# At Python's usual rate, collecting garbage takes a thirteenth of the time: Numba keeps many objects.
gc.set_threshold(10_000)

# The first example of a test may compile; a failing example prints the lines that reproduce it.
settings.register_profile(
    "plywise", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("plywise")

QUICK = (
    *(f"cli/test_{name}.py" for name in ("play", "quiz", "screen")),
    "engine/test_clock.py",
    *(f"explain/test_{name}.py" for name in ("formats", "golden", "labels", "tidy_tree")),
    *(f"games/test_{name}.py" for name in ("adapt", "catalogue", "dog_cat_mouse", "nim", "red_blue", "tree")),
    "inputs",
    "io",
    "layers",
    "learning/test_spsa.py",
    *(f"match/test_{name}.py" for name in ("bots", "elo", "time_control")),
    "proof",
    "test_face.py",
    "uci/test_protocol.py",
)
"""Folders and files that together take less than a minute on two cores, interpreted: something of most rooms."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only the quick tests, as plain Python")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--quick"):
        os.environ["PLYWISE_INTERPRET"] = "1"
        gone = [name for name in QUICK if not (Path(__file__).parent / name).exists()]
        if gone:
            raise pytest.UsageError(f"QUICK in tests/conftest.py names what is not there: {', '.join(gone)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--quick``, leave out every file that is not listed.  Folders are looked into."""
    if not config.getoption("--quick") or collection_path.is_dir():
        return None
    tests = Path(__file__).parent
    quick = any(collection_path.is_relative_to(tests / name) for name in QUICK)
    return None if quick else True


@pytest.fixture(autouse=True, scope="session")
def no_better_code() -> Iterator[None]:
    """Engines would start processes that compile: for a game alone after some seconds, and a share of its rules before.
    Few tests want that: the processors are busy.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plywise.engine.engine.PATIENCE", math.inf)
        patch.setattr("plywise.engine.any_code.SHARED_FROM", math.inf)
        yield
