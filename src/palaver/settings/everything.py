"""All groups of settings together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from palaver.settings.channels import ChannelsSettings
from palaver.settings.sections import (
    AgentSettings,
    ContinuousSettings,
    ConversationSettings,
    DatabaseSettings,
    IndexSettings,
    JobsSettings,
    MemorySettings,
    Section,
    ServerSettings,
    UserSettings,
)
from palaver.settings.values import default_home, usable_home


class Everything(Section):
    """Every setting of Palaver."""

    home: Annotated[Path, AfterValidator(usable_home)] = Field(default_factory=default_home)
    """The folder that holds everything. Default: `~/.palaver`."""
    server: ServerSettings = Field(default_factory=ServerSettings)
    user: UserSettings = Field(default_factory=UserSettings)
    agent: AgentSettings = Field(default_factory=AgentSettings)
    conversations: ConversationSettings = Field(default_factory=ConversationSettings)
    continuous: ContinuousSettings = Field(default_factory=ContinuousSettings)
    memory: MemorySettings = Field(default_factory=MemorySettings)
    index: IndexSettings = Field(default_factory=IndexSettings)
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    jobs: JobsSettings = Field(default_factory=JobsSettings)
    channels: ChannelsSettings = Field(default_factory=ChannelsSettings)
