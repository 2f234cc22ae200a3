"""No request to the API, however unusual, causes a server error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("schemathesis", reason="needs schemathesis")

import schemathesis
from hypothesis import HealthCheck, Phase, settings

from plywise.web.app import create_app

APP = create_app(workers=1)


@pytest.fixture(autouse=True, scope="module")
def interpreted() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        yield
        APP.state.workers.close()


schema = schemathesis.openapi.from_asgi("/api/openapi.json", APP, headers={"Host": "127.0.0.1"})


@schema.parametrize()
@settings(
    max_examples=25, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_nothing_is_answered_by_an_error_of_the_server(case: Any) -> None:
    if isinstance(case.body, dict):  # a valid search need not last
        seconds = case.body.get("seconds")
        if isinstance(seconds, float) or (seconds is None and case.path.endswith("/analyse")):
            case.body["seconds"] = min(seconds or 0.05, 0.05)
    response = case.call(headers={"Host": "127.0.0.1"})
    assert response.status_code < 500
