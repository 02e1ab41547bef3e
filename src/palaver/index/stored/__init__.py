"""Rows: how they are written, read, checked and caught up with, whatever engine stores them."""
