"""The words of others inside a message: quotations, code, pasted letters and transcripts.

What somebody else asks or promises there is not asked or promised in the conversation.
"""

from __future__ import annotations

import re

_BLANKED = re.compile(r"[^\s]")
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]{1,400}`", re.DOTALL)
_NAME = re.compile(r"`#?[\w-]*\d[\w-]*`")
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]{2,600}\"|[\u201c\u201e\u201f][^\u201c\u201d\n]{2,600}[\u201d\u201c]"
    r"|\u00ab[^\u00bb\n]{2,600}\u00bb|\u300c[^\u300d\n]{1,600}\u300d|\u300e[^\u300f\n]{1,600}\u300f"
    r"|(?<!\w)['\u2018](?:[^'\u2018\u2019\n]|(?<=\w)['\u2019](?=\w)){3,300}['\u2019](?!\w)"
)
_CLOSING = (
    r"(?:(?:all the |with )?(?:[Bb]est|[Kk]ind(?:est)?|[Ww]arm(?:est)?)(?: [Rr]egards| [Ww]ishes)?|"
    r"[Rr]egards|[Ss]incerely|[Yy]ours(?: \w+)?|[Cc]heers|[Tt]hanks|[Tt]hank you|[Ll]ove|"
    r"[Vv]iele Gr[u\u00fc](?:\u00df|ss)e|[Mm]it freundlichen Gr[u\u00fc](?:\u00df|ss)en|"
    r"[Ll]iebe Gr[u\u00fc](?:\u00df|ss)e|[Cc]ordialement|[Ss]aludos|[Uu]n saludo|"
    r"[Cc]ordiali saluti|[Aa]tenciosamente|[Mm]et vriendelijke groet(?:en)?)"
)
_CLOSES = re.compile(rf"[.!?\n][ \t]*{_CLOSING},?\s+[^\W\d_]")
_LETTER = re.compile(
    r"(?:^|(?<=[.:!?] ))[ \t]*(?:[Dd]ear|[Hh]i|[Hh]ello|[Hh]ey|[Ll]iebe[rs]?|[Ss]ehr geehrte[rs]?|"
    r"[Hh]allo|[Cc]hers?|[Cc]h\u00e8re|[Bb]onjour|[Ee]stimad[oa]s?|[Qq]uerid[oa]s?|[Hh]ola|"
    r"[Gg]entile|[Cc]ar[oa]|[Pp]rezad[oa]|[Bb]este|[Gg]eachte)"
    rf"(?: [^\W\d_][\w.'-]*){{1,4}},\s.{{0,2000}}?[.!?\n][ \t]*{_CLOSING},?\s+[^\n]{{0,60}}",
    re.DOTALL | re.MULTILINE,
)
_SPEECH = (
    r"wrote|writes|said|says|asked|asks|replied|replies|texted|mailed|e-?mailed|messaged|posted|"
    r"reads|read|goes|schrieb|schreibt|fragte|sagte|a écrit|écrit|demande|escribió|dijo|preguntó|"
    r"ha scritto|dice|escreveu|disse|schreef|vroeg"
)
_COLON = re.compile(r":[ \t]*\n+(?P<rest>(?:[^\n]+(?:\n|\Z))+)")
_PASTES = re.compile(
    rf"\b(?:{_SPEECH}|here(?:'s| is| are)|e-?mail|mail|message|letter|transcript|article|post|"
    r"notes?|log|draft|version|paragraph|review|poem|story|following|this|that|text)\b[^:?]*$",
    re.IGNORECASE,
)
_TOLD = re.compile(
    rf"\b(?:{_SPEECH})(?: \w+){{0,3}}: *(?P<rest>\S[^\n]*?[.!?](?=\s|$)|\S[^\n]*)", re.I
)
_WORKED_ON = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|rewrite|correct|shorten|improve|explain|rephrase|edit|polish|"
    r"reword|review|paraphrase|simplify|ubersetze?|korrigiere?|fasse?|traduis|corrige|resume|traduce)\b"
    r"[^:\n.?!]{0,60}: *(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""A text that is to be worked on."""
_SPEAKER = re.compile(r"^[ \t]*(?P<name>[A-Z][\w.' -]{0,24}):[ \t]+\S.*$", re.MULTILINE)
_LISTED = re.compile(r"[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t]")


def own_words(text: str) -> str:
    """`text` with the words of others blanked out; every character keeps its place."""
    if "`" in text or "~~~" in text:
        text = _CODE.sub(_blank_code, text)
    if ">" in text:
        text = _QUOTED_LINE.sub(_blank, text)
    text = _QUOTED.sub(_blank, text)
    if _CLOSES.search(text):
        text = _LETTER.sub(_blank, text)
    if ":" in text:
        text = _COLON.sub(_blank_pasted, _transcript(text))
        text = _TOLD.sub(_blank_rest, _WORKED_ON.sub(_blank_rest, text))
    return text


def _blank(found: re.Match[str]) -> str:
    return _BLANKED.sub(" ", found[0])


def _blank_code(found: re.Match[str]) -> str:
    """Code is not said; a name in the style of code is."""
    return found[0] if _NAME.fullmatch(found[0]) else _blank(found)


def _blank_rest(found: re.Match[str]) -> str:
    cut = found.start("rest") - found.start()
    return found[0][:cut] + _BLANKED.sub(" ", found["rest"])


def _blank_pasted(found: re.Match[str]) -> str:
    """A list after a colon is the writer's own; another paragraph may come from elsewhere."""
    line = found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]
    if _LISTED.match(found["rest"]) or not _PASTES.search(line):
        return found[0]
    return _blank_rest(found)


def _transcript(text: str) -> str:
    """Lines of several speakers, one of whom speaks again."""
    names = [found["name"] for found in _SPEAKER.finditer(text)]
    if len(names) < 3 or len(set(names)) in {1, len(names)}:
        return text
    return _SPEAKER.sub(_blank, text)
