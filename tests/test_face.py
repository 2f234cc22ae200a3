"""The package's public names can be listed without heavy imports."""

from __future__ import annotations

import json
import subprocess
import sys

import plywise as pw


def test_tab_completion_shows_the_public_names_in_a_fresh_process_and_imports_nothing() -> None:
    program = (
        "import json, sys, plywise as pw; names = dir(pw); "
        "print(json.dumps([names, [name for name in ('numba', 'numpy', 'plywise.game') if name in sys.modules]]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names, heavy = json.loads(done.stdout)
    assert heavy == []
    assert [name for name in names if not name.startswith("__")] == sorted(pw.__all__)
    assert all(hasattr(pw, name) for name in names)
