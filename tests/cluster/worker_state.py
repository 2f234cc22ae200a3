"""What tests do with the workers of a Dask cluster; in a module of its own, because they must find it."""

from __future__ import annotations

import gc
from typing import Any

import plywise as pw
from plywise.cluster import dask_worker as ours
from plywise.cluster import parcel


def set_idle_seconds(seconds: float) -> None:
    """Let the worker that calls this keep unused kits only so long."""
    ours.IDLE_SECONDS = seconds


def become_another_plywise() -> None:
    """Let the worker that calls this seem to have another version."""
    setattr(parcel, "plywise_digest", lambda: "another")  # noqa: B010


def engines_here() -> int:
    """Return how many engines there are in the memory of this process."""
    return sum(isinstance(each, pw.Engine) for each in gc.get_objects())


def kits_here(dask_worker: Any) -> int:
    """Return how many kits a worker has."""
    return len(ours.bench_of(dask_worker).kits)
