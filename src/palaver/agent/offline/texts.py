"""What the offline assistant says in its own words."""

from __future__ import annotations

QUOTING = "No model is connected, so I can only quote what was said before."
NOTHING = (
    "No model is connected, and I found nothing about that in your conversations. "
    "I can find what was said before: ask with the words you would have used then."
)
NOTHING_THEN = "I found nothing about it from that time. This was said at other times."
OTHER_WORDS = "I found nothing with these words, but with others that are written much like them."
NOTED = (
    "Noted. No model is connected, so I cannot say anything about it. "
    "When you ask about it later, it is quoted with its date."
)
BLIND = "No model is connected, and I cannot look back just now."
CLOSED = "No model is connected, and I may not look back for whoever sent this."
HELP = (
    "No model is connected, but I can find what was said before. "
    "Ask me about anything in your conversations."
)
CONNECT = (
    "To connect a model, set the key of its provider, such as `agent.providers.anthropic.apiKey`, "
    "or the `baseUrl` of one that runs on your machine. `/model` then chooses it."
)
CANNOT = (
    "No model is connected, so I cannot do that: I can only find and quote what was said before."
)
FORGETTING = (
    "No model is connected, and I erase nothing by myself: `/forget words` finds the messages with "
    "these words, and the memories about them, and erases both if you confirm."
)
WOULD_GO = "No model is connected, and I forget nothing by a plain word. This is remembered of it:"
FORGET_COMMAND = "{command} lists it, with the messages that say so, and erases all if you confirm."
FORGET_ON_PAGE = "To forget it and keep the messages, press *Forget…* beside it in {page}."
NOT_KNOWN = "I remember nothing of that."
ABILITIES = """No model is connected, so I follow rules and understand little. I can:

- find what was said before, with who said it and when: "What did we say about the boiler?"
- tell what is open: "What is open?", "What is open in this conversation?"
- find decisions: "What did I decide yesterday?"
- sum up a conversation with what stands in it: "Summarise this conversation."
- remember what you tell me to: "Remember that I am a vegetarian."
- tell what I remember of you: "What do you know about me?", "Where do I live?"
- tell of a day of the continuous conversation: "What did we do yesterday?"

I cannot write, translate, calculate, explain or judge anything, and I know nothing but your \
conversations."""
OPEN_EVERYWHERE = "No model is connected. This is what your recent conversations leave open."
OPEN_HERE = "No model is connected. This is what this conversation leaves open."
NOTHING_OPEN = "No model is connected. As far as my rules can tell, nothing is open."
DECIDED = "No model is connected, so I can only quote. These look like decisions."
DAY_TOLD = "No model is connected, so I can only quote. This is what tells of {day}:"
DAY = "These are words from that day:"
UNTOLD_DAY = "No model is connected, so I can only quote. This was said on {day}:"
NO_DECISION = "No model is connected, and I found nothing that looks like a decision."
REMEMBERED = "No model is connected, so I can only tell what I remember of you."
MORE_REMEMBERED = "And {more} more: all of them stand in {page}."
NOW_REMEMBERED = "No model is connected, but this is remembered from now on:"
NOT_REMEMBERED = "This is not remembered."
ADDING = "You can add it on the page *Memories*, or with `palaver memories add`."
NEVER_KEPT = (
    "Passwords, keys and card numbers are never kept as memories. The message itself stays in this "
    "conversation: `/forget` with some of its words erases it."
)
NOTHING_KNOWN = (
    "No model is connected, and I remember nothing of you yet. "
    'Say "Remember that …", and I will; what you tell of yourself, I pick up now and then.'
)
SUMMARY = "No model is connected, so this is no summary of mine: it is what stands out here."
EMPTY = "No model is connected, and there is nothing in this conversation to sum up yet."
UNNAMED = "New conversation"
