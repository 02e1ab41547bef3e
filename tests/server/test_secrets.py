"""No secret is ever told: not in a log, not in an answer, whatever is asked with it."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx

from palaver.accounts import SCOPES
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.server.process import Process
from tests.server.test_access import DOORS


def test_no_secret_stands_in_a_log_or_in_an_answer(tmp_path: Path):
    accounts = open_accounts(Settings.load(tmp_path))
    token, revoked = (accounts.create_token("local", scopes=SCOPES) for _ in range(2))
    accounts.revoke_token("local", revoked.token.id)
    unused = accounts.create_link("local")
    with Process(tmp_path, variables={"PALAVER_SERVER__LOG_LEVEL": "debug"}) as server:
        with httpx.Client(base_url=server.url, headers={"Origin": server.url}) as browser:
            browser.post("/api/login", json={"code": server.code})
            cookie = next(iter(browser.cookies.values()))
            answers = [browser.get("/login", params={"code": unused})]
            for secret in (token.secret, revoked.secret, cookie, unused, server.code):
                with httpx.Client(base_url=server.url, timeout=30) as client:
                    client.headers["Authorization"] = f"Bearer {secret}"
                    answers += [door.knock(client) for door in DOORS]
                    answers.append(client.post("/api/login", json={"code": secret, "x": secret}))
                    answers.append(client.get("/api/search", params={"q": "a", "token": secret}))
            answers += [door.knock(browser) for door in DOORS]
        server.signal(signal.SIGTERM)
        server.wait()
    accounts.close()
    told = server.stderr.replace(server.line, "") + server.stdout
    told += "".join(str(answer.headers) + answer.text for answer in answers)
    for secret in (token.secret, revoked.secret, cookie, server.code):
        assert secret not in told
