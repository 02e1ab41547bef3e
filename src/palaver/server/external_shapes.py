"""Shapes of external communications: what requests about them carry."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from palaver.channels.external.records import Decision, ExternalChange
from palaver.server.shapes import AS_SPELT, Body, Key, Said, check_given, only_null


class ExternalChangeBody(ExternalChange):
    """What to change about an exchange; fields that are not given stay as they are."""

    model_config = AS_SPELT | ConfigDict(json_schema_extra=only_null("trust", "policy", "scope"))

    @model_validator(mode="after")
    def _is_given(self) -> Self:
        check_given(self, "trust", "policy", "scope")
        return self


class DecisionBody(Body):
    """What becomes of a draft."""

    decision: Decision = Field(description="Send it, send other words instead, or send nothing.")
    text: Annotated[str, Field(min_length=1)] | None = Field(
        default=None, description="With `edit`, what is sent instead: at most 1 MiB in UTF-8."
    )


class AnswerBody(Body):
    """What the owner answers somebody, in their own words."""

    text: Said = Field(description="What is sent, in Markdown: at most 1 MiB in UTF-8.")
    key: Key | None = Field(default=None, description="Makes a retry harmless.")
