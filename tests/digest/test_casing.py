"""How titles are written."""

from __future__ import annotations

import pytest

from palaver.digest.casing import title_case


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        ("trip to Lisbon in May", "en", "Trip to Lisbon in May"),
        ("iPhone and macOS sync", "en", "iPhone and macOS Sync"),
        ("state-of-the-art GPT-4 models", "en", "State-of-the-Art GPT-4 Models"),
        ("50-mile ride", "en", "50-Mile Ride"),
        ("parse_dates in node.js", "en", "parse_dates in node.js"),
        ("what it is for", "en", "What It Is For"),
        ("The Art Of War", "en", "The Art of War"),
        ("driver's licence", "en", "Driver's Licence"),
        ("neue Wohnung in Hamburg", "de", "Neue Wohnung in Hamburg"),
        ("recette de tarte", "fr", "Recette de tarte"),
        ("поездка в Лиссабон", "ru", "Поездка в Лиссабон"),
        ("東京 旅行", "", "東京 旅行"),
    ],
)
def test_every_language_has_its_own_rules(words: str, language: str, expected: str) -> None:
    assert title_case(words.split(), language) == expected
