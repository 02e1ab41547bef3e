"""Assets: the files of the built page, known by name and kept in memory."""

from __future__ import annotations

import gzip
import re
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from pathlib import PurePath

from starlette.requests import Request
from starlette.responses import Response

from palaver.errors import NotFound, PageMissing

FOLDER = "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify"
)
_NAMED_FOR_ITS_CONTENT = re.compile(r"-[\w-]{8}\.\w+$")
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_SMALL = 512
"""Bytes below which packing is not worth while."""


class Asset:
    """A file of the page, as it is and packed."""

    def __init__(self, name: str, content: bytes) -> None:
        suffix = PurePath(name).suffix
        self.name = name
        self.content = content
        self.media_type = _TYPES.get(suffix) or guess_type(name)[0] or "application/octet-stream"
        self.caching = _FOR_EVER if _NAMED_FOR_ITS_CONTENT.search(name) else _ASK_AGAIN

    @cached_property
    def packed(self) -> bytes | None:
        """None if that makes it no smaller."""
        if len(self.content) < _SMALL:
            return None
        packed = gzip.compress(self.content, mtime=0)
        return packed if len(packed) < len(self.content) else None

    @cached_property
    def _digest(self) -> str:
        return sha256(self.content).hexdigest()[:32]

    def replaced(self, old: str, new: str) -> Asset:
        """The same file with one passage changed, which must be there."""
        if old.encode() not in self.content:
            raise PageMissing
        return Asset(self.name, self.content.replace(old.encode(), new.encode(), 1))

    def response(self, request: Request, status: int = 200) -> Response:
        packed = self.packed if takes_gzip(request.headers.get("accept-encoding", "")) else None
        tag = f'"{self._digest}{"" if packed is None else "-gzip"}"'
        headers = {
            "ETag": tag,
            "Cache-Control": self.caching,
            "Content-Security-Policy": POLICY,
            "Vary": "Accept-Encoding",
        }
        if status == 200 and _is_known(request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
        if packed is not None:
            headers["Content-Encoding"] = "gzip"
        body = self.content if packed is None else packed
        return Response(body, status_code=status, media_type=self.media_type, headers=headers)


class Assets:
    """What the build put into the package."""

    def __init__(self, folder: Traversable | None = None) -> None:
        """Reads `folder`, which is the package's own unless a test names another."""
        folder = folder or _built()
        found = folder.iterdir() if folder.is_dir() else iter(())
        self._assets = {
            one.name: Asset(one.name, one.read_bytes()) for one in found if one.is_file()
        }

    def file(self, name: str) -> Asset:
        """Raises NotFound."""
        if found := self._assets.get(name):
            return found
        raise NotFound("The page has no such file.", remedy="Open the page at `/`.")

    def page(self, name: str) -> Asset:
        """One of the pages. Raises PageMissing if nobody built them."""
        if found := self._assets.get(f"{name}.html"):
            return found
        raise PageMissing


def check_built() -> None:
    """Raises PageMissing if nobody built the page."""
    if not (_built() / "index.html").is_file():
        raise PageMissing


def _built() -> Traversable:
    return files(__package__ or "") / FOLDER


def takes_gzip(accepted: str) -> bool:
    """Whether `Accept-Encoding` allows it."""
    weights = dict[str, float]()
    for one in accepted.split(","):
        name, _, parameter = one.partition(";")
        _, _, weight = parameter.partition("=")
        try:
            weights[name.strip().lower()] = float(weight.strip() or 1)
        except ValueError:
            continue
    return weights.get("gzip", weights.get("*", 0)) > 0


def _is_known(tags: str, tag: str) -> bool:
    """Whether `If-None-Match` names what would be sent."""
    return "*" in (known := [one.strip().removeprefix("W/") for one in tags.split(",")]) or (
        tag in known
    )
