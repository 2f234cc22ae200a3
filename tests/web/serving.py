"""Clients of the page's server: one that calls it in this process, and a real server for what several do at once."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plywise.web.app import create_app

OWN = str(Path(__file__).with_name("own_game.py"))
"""A file with users' own games."""


@contextlib.contextmanager
def interpreting(*own_games: str) -> Iterator[TestClient]:
    """Return a client of a server with one worker, which searches in plain Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        with TestClient(create_app(own_games, workers=1), base_url="http://127.0.0.1") as made:
            yield made


@contextlib.contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Run an application; returns the address of the Play room."""
    uvicorn = pytest.importorskip("uvicorn", reason="the page needs the extra web")
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/api/play/"
    server.should_exit = True
    thread.join(10)


def post(client: TestClient, what: str, **body: Any) -> Any:
    return client.post(f"/api/play/{what}", json=body)


def events(text: str) -> list[tuple[str, Any]]:
    """Return server-sent events, by name."""
    parts = [part.split("\n") for part in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in parts]


class Reader:
    """Reads the events of a search while it runs."""

    def __init__(self, response: httpx.Response) -> None:
        self.lines = response.iter_lines()

    def next(self, wanted: str) -> Any:
        """Return the data of the next event with this name."""
        while True:
            name = next(self.lines).removeprefix("event: ")
            data = json.loads(next(self.lines).removeprefix("data: "))
            next(self.lines)
            if name == wanted:
                return data
