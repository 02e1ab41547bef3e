"""Somebody with a token."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from tests.server.site import Site
from tests.server.sockets import Client, listening


class Person:
    """Somebody with a token, who writes by HTTP and listens by the WebSocket."""

    def __init__(self, site: Site, scopes: tuple[str, ...]) -> None:
        self.site = site
        token = site.accounts.create_token("local", scopes=scopes)
        self.token = token.token.id
        self.headers = {"Authorization": f"Bearer {token.secret}"}
        self.http = site.client(**self.headers)

    def listen(self, **query: Any) -> AbstractAsyncContextManager[Client]:
        return listening(self.site.url, self.headers, **query)

    def start(self, title: str | None = None) -> str:
        return self._sent("POST", "/api/conversations", {"title": title})["id"]

    def tell(self, conversation: str, content: str) -> Any:
        body = {"role": "user", "content": content}
        return self._sent("POST", f"/api/conversations/{conversation}/messages", body)

    def digest(self, conversation: str) -> Any:
        return self.http.get(f"/api/conversations/{conversation}/digest").json()

    def change(self, conversation: str, **change: Any) -> None:
        self._sent("PATCH", f"/api/conversations/{conversation}", change)

    def erase(self, address: str) -> None:
        assert self.http.delete(f"/api/conversations/{address}").status_code == 200

    def _sent(self, method: str, address: str, body: Any) -> Any:
        answer = self.http.request(method, address, json=body)
        assert answer.is_success, answer.text
        return answer.json()
