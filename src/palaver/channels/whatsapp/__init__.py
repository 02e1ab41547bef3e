"""WhatsApp, by the Cloud API: it is called by the provider, and sends by pywa."""

from palaver.channels.whatsapp.channel import WhatsAppChannel, make

__all__ = ["WhatsAppChannel", "make"]
