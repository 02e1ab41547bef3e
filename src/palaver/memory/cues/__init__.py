"""Cues: the turns of phrase by which people say what lasts, and what does not, by language."""

from palaver.memory.cues.compiled import cues_of, pattern_of
from palaver.memory.cues.kinds import Cues, Frame, Question
from palaver.memory.cues.tongues import tongues

__all__ = ["Cues", "Frame", "Question", "cues_of", "pattern_of", "tongues"]
