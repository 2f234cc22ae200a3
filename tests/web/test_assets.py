"""The static files of the page."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

from fastapi.testclient import TestClient

from plywise.web.app import create_app


def test_files_are_sent_once_and_nothing_else_can_be_asked_for() -> None:
    with TestClient(create_app(), base_url="http://127.0.0.1") as client:
        page = client.get("/")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        script = client.get("/static/main.js")
        assert script.headers["content-type"].startswith("text/javascript")
        again = client.get("/static/main.js", headers={"If-None-Match": script.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/none.js"):
            assert client.get(path).status_code == 404
