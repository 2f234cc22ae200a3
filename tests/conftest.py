"""Machine code made by the tests is kept beside pytest's own cache: cold in a fresh clone, warm while developing."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

os.environ.setdefault("PLYWISE_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "machine-code"))

# The first example of a test may compile; a failing example prints the lines that reproduce it.
settings.register_profile(
    "plywise", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("plywise")
