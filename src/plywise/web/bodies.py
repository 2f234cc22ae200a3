"""Types of request bodies that the rooms share, and ``while_wanted``, which drops work when the client disconnects."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, Field, StringConstraints
from starlette.requests import ClientDisconnect

from plywise.web.offered_games import LONGEST_PARAMETERS
from plywise.web.score_sheet import LARGEST_SEED, MOST_PLIES

LOOK = 0.1
"""Seconds between two checks whether the client is still connected."""

GameName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Parameters = Annotated[str, StringConstraints(max_length=LONGEST_PARAMETERS)]
PositionText = Annotated[str, StringConstraints(max_length=1000)]
Moves = Annotated[list[Annotated[str, StringConstraints(min_length=1, max_length=50)]], Field(max_length=MOST_PLIES)]
"""The moves that players chose."""
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
"""The seed of the dice."""

Session = Annotated[str, StringConstraints(pattern="^[0-9a-zA-Z-]{0,40}$")]
"""Requests of one session share an engine and its table, if it still exists."""

T = TypeVar("T")


class Body(BaseModel, extra="forbid", strict=True):
    """A request body.  Unknown fields are refused, and numbers must be numbers, not strings."""


async def while_wanted(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``.  Cancel it if the client disconnects.

    Raises:
        ClientDisconnect: the client disconnected.
    """
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK))[0]:
            if await request.is_disconnected():
                raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await task
