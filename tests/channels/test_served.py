"""A real server is called by a provider: whose the address is, and whose a call."""

from __future__ import annotations

from pathlib import Path

import httpx
import yaml

from tests.channels.whatsapp.provider import SECRET, VERIFY, WhatsAppProvider, calling, payload
from tests.server.process import Process


def test_only_the_provider_is_let_in(tmp_path: Path) -> None:
    with WhatsAppProvider() as provider:
        given = provider.settings(enabled=True).model_dump(
            mode="json", by_alias=True, include={"enabled", "phone_number_id", "api_base"}
        )
        secrets = {"accessToken": "EAAJB", "appSecret": SECRET, "verifyToken": VERIFY}
        stated = {"channels": {"whatsapp": {**given, **secrets}}}
        (tmp_path / "config.yaml").write_text(yaml.safe_dump(stated))
        with Process(tmp_path) as server, httpx.Client(base_url=server.url) as client:
            asked = {"hub.mode": "subscribe", "hub.verify_token": VERIFY, "hub.challenge": "4711"}
            assert client.get("/channels/whatsapp", params=asked).text == "4711"
            asked["hub.verify_token"] = "guess"
            assert client.get("/channels/whatsapp", params=asked).status_code == 403
            body, headers = calling(payload("other_number"))
            taken = client.post("/channels/whatsapp", content=body, headers=headers)
            assert taken.status_code == 200
            for content, claimed in ((body + b" ", headers), (body, {}), (b"", {})):
                refused = client.post("/channels/whatsapp", content=content, headers=claimed)
                assert refused.status_code == 403
                assert refused.json()["code"] == "webhook_refused"
