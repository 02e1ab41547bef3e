"""Extraction with no model: deterministic, by the turns of phrase of seven languages."""

from palaver.memory.offline.extractor import OfflineExtractor

__all__ = ["OfflineExtractor"]
