"""The days of the continuous conversation, each told on one page."""
