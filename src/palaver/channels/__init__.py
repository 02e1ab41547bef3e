"""Channels: how messages come from other places and go there, and who wrote them.

Here belongs what joins WhatsApp, e-mail, Telegram and others to conversations: receiving, identity,
trust, and delivery. What is said there is kept and answered by the rooms below.
"""
