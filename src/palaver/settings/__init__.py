"""Every setting: its default, where it may come from, and what is wrong with it.

Arguments go before the environment (`PALAVER_SERVER__PORT`), the environment before `config.yaml`
in the home (`server: {port: 8420}`), and that before the default. This is the only room that reads
the environment. An empty value counts as not given.
"""

from palaver.settings.channels import (
    ChannelSettings,
    ChannelsSettings,
    EmailSettings,
    Mode,
    PluginSettings,
    Policy,
    TelegramSettings,
    Tier,
    WhatsAppSettings,
)
from palaver.settings.naming import (
    PREFIX,
    SHORT_FORMS,
    environment_name,
    known_settings,
    section_of,
)
from palaver.settings.sections import (
    AgentSettings,
    ConversationSettings,
    DatabaseSettings,
    IndexSettings,
    LimitSettings,
    MemorySettings,
    ModelSettings,
    ProviderSettings,
    Section,
    ServerSettings,
    UserSettings,
)
from palaver.settings.values import is_ambiguous, system_timezone, zone_named
from palaver.settings.whole import Settings

__all__ = [
    "PREFIX",
    "SHORT_FORMS",
    "AgentSettings",
    "ChannelSettings",
    "ChannelsSettings",
    "ConversationSettings",
    "DatabaseSettings",
    "EmailSettings",
    "IndexSettings",
    "LimitSettings",
    "MemorySettings",
    "Mode",
    "ModelSettings",
    "PluginSettings",
    "Policy",
    "ProviderSettings",
    "Section",
    "ServerSettings",
    "Settings",
    "TelegramSettings",
    "Tier",
    "UserSettings",
    "WhatsAppSettings",
    "environment_name",
    "is_ambiguous",
    "known_settings",
    "section_of",
    "system_timezone",
    "zone_named",
]
