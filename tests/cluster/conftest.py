"""The executors that every promise of the cluster is checked with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from plywise.cluster.addresses import connect
from plywise.cluster.executor import Executor


@pytest.fixture(scope="module", params=("threads", "processes", "local"))
def executor(request: Any) -> Iterator[Executor]:
    """An executor of each kind, with as many workers as the module's WORKERS says, or two."""
    if request.param == "local":
        pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")
    with connect(request.param, workers=getattr(request.module, "WORKERS", 2)) as found:
        yield found
