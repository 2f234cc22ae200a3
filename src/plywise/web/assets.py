"""The static files of the page, read once and served from memory."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

from plywise.io.files import content_digest

STATIC = Path(__file__).parent / "static"


class Asset(NamedTuple):
    """A file and its response headers."""

    content: bytes
    kind: str
    mark: str
    """The ETag, which changes with the content, so that browsers can cache the file."""


def read_assets(folder: Path = STATIC) -> dict[str, Asset]:
    """Return the files of a folder by relative path.  Only these can be requested."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            content = file.read_bytes()
            kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0]
            mark = f'"{content_digest(content)[:32]}"'
            found[file.relative_to(folder).as_posix()] = Asset(content, kind or "application/octet-stream", mark)
    return found


def asset_router() -> APIRouter:
    """Return the router for the page, ``/``, and its files, ``/static/...``."""
    router, assets = APIRouter(), read_assets()

    def answer(name: str, request: Request) -> Response:
        if name not in assets:
            raise HTTPException(404, "There is no such file.")
        asset = assets[name]
        headers = {"ETag": asset.mark}
        if request.headers.get("if-none-match") == asset.mark:
            return Response(status_code=304, headers=headers)
        return Response(asset.content, media_type=asset.kind, headers=headers)

    @router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        return answer("index.html", request)

    @router.api_route("/static/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(path: str, request: Request) -> Response:
        return answer(path, request)

    return router
