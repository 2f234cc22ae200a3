"""What requests bring, as far as the rooms have it in common, and waiting for an answer while somebody wants it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, StringConstraints
from starlette.requests import ClientDisconnect

from plywise.web.offered_games import LONGEST_PARAMETERS

LOOK = 0.1
"""Seconds between two looks whether somebody is still there."""

GameName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Parameters = Annotated[str, StringConstraints(max_length=LONGEST_PARAMETERS)]
PositionText = Annotated[str, StringConstraints(max_length=1000)]

T = TypeVar("T")


class Body(BaseModel, extra="forbid", strict=True):
    """What a request brings: nothing but what is asked for, and numbers as numbers, not as texts."""


async def while_wanted(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return what some work does; it is cancelled when the page that asked for it is left.

    Raises:
        ClientDisconnect: the page was left.
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
