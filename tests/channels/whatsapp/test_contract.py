"""WhatsApp keeps the contract of channels."""

from tests.channels.contract import ChannelContract, WebhookContract


class TestWhatsApp(ChannelContract, WebhookContract):
    """By the harness of this folder."""
