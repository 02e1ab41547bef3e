"""Palaver in a terminal: URL=ws://127.0.0.1:8420 TOKEN=… python client.py"""

import json
import os
from contextlib import suppress
from select import select
from urllib.parse import urlencode

from websockets import ConnectionClosed, InvalidMessage
from websockets.sync.client import connect

CUT_OFF = (OSError, ConnectionClosed, InvalidMessage)
TOKEN = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
place = {}  # which `conversation` is shown, and `after` which event to go on
shown, unsent = {}, {}  # characters that are printed, by message; requests to answer, by key


def show(message, offset, text, who="assistant"):
    if offset <= (known := shown.get(message, 0)) < offset + len(text):
        print(text[known - offset :] if known else f"\n{who}: {text}", end="", flush=True)
        shown[message] = offset + len(text)


def hear(said):
    unsent.pop(said.get("requestId"), None)
    place.update({"after": said["eventId"]} if "eventId" in said else {})
    if said["type"] in ("conversation_loaded", "conversation_created") and said["conversation"]:
        place.setdefault("conversation", said["conversation"]["id"])
    if said.get("conversationId", place.get("conversation")) == place.get("conversation"):
        for turn in said.get("turns", [said["turn"]] if "turn" in said else []):
            show(turn["id"], 0, turn["content"], turn["role"])
        if said["type"] == "reply_delta":
            show(said["messageId"], said["offset"], said["text"])
        if said["type"] == "error":
            print(f"\n{said['message']} {said['remedy']}", end="", flush=True)


while True:
    url = f"{os.environ['URL']}/ws?{urlencode(place)}"
    with suppress(*CUT_OFF), connect(url, additional_headers=TOKEN, max_size=None) as socket:
        for request in unsent.values():
            socket.send(json.dumps(request))
        while True:
            with suppress(TimeoutError):
                hear(json.loads(socket.recv(timeout=0.1)))
            if place and select([0], [], [], 0)[0] and (text := os.read(0, 65536).decode().strip()):
                key = os.urandom(16).hex()
                unsent[key] = {"type": "send_message", "text": text, "key": key, "requestId": key}
                socket.send(json.dumps(unsent[key]))
    select([], [], [], 1)  # a second later, once more
