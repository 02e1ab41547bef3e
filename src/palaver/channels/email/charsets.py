"""Character sets: bytes become text, whatever they claim to be, and nothing raises."""

from __future__ import annotations

import re

_CHARSETS = """
utf-8 utf-7 utf-16 utf-16le utf-16be utf-32 us-ascii
iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9
iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16
windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256
windows-1257 windows-1258 windows-874 koi8-r koi8-u macintosh tis-620
cp437 cp850 cp852 cp855 cp858 cp862 cp866
gb2312 gbk gb18030 hz big5 big5-hkscs shift_jis cp932 euc-jp iso-2022-jp iso-2022-jp-2 euc-kr
iso-2022-kr cp949 johab
"""
_KNOWN = frozenset(_CHARSETS.split())
"""No others are looked up: among Python's codecs are some that are slow, or no texts at all."""
_SAID_OTHERWISE = {
    "ascii": "us-ascii",
    "ansi_x3.4-1968": "us-ascii",
    "utf8": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "latin1": "windows-1252",
    "latin-1": "windows-1252",
    "iso-8859-1": "windows-1252",
    "iso8859-1": "windows-1252",
    "iso_8859-1": "windows-1252",
    "us-ascii": "windows-1252",
    "iso8859-15": "iso-8859-15",
    "iso-8859-8-i": "iso-8859-8",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "x-sjis": "cp932",
    "shift-jis": "cp932",
    "shift_jis": "cp932",
    "windows-31j": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "x-mac-roman": "macintosh",
}
"""What is written for what is meant: mail in Latin 1 holds the quotation marks of Windows."""
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_HIDING = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff]")


def decoded(data: bytes, charset: str | None = None) -> str:
    """`data` as text: as its charset has it, else as UTF-8, else as what it most likely is."""
    named = _named(charset)
    if named not in (None, "windows-1252"):
        try:
            return cleaned(data.decode(named or ""))
        except UnicodeError:
            pass
    try:
        return cleaned(data.decode())
    except UnicodeDecodeError:
        pass
    if named is None or named == "utf-8":
        return cleaned(data.decode("windows-1252", "replace"))
    return cleaned(data.decode(named, "replace"))


def cleaned(text: str) -> str:
    """`text` without what no text holds; lines end with a line feed."""
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, most: int) -> str:
    """`text` on one line, without characters that hide or turn others, and not longer."""
    return " ".join(_HIDING.sub("", cleaned(text[: 4 * most])).split())[:most].strip()


def _named(charset: str | None) -> str | None:
    name = (charset or "").strip(" \t\"'").lower()[:40]
    meant = _SAID_OTHERWISE.get(name, name)
    return meant if meant in _KNOWN else None
