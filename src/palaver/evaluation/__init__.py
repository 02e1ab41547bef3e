"""How well recall finds things: questions with known answers, asked of homes made for them.

Here belongs what reads such questions and scores the answers. It uses the library as users do.
"""

from palaver.evaluation.longmemeval import Question, read_questions
from palaver.evaluation.remembered import Remembered
from palaver.evaluation.run import Evaluation, ModeReport, Summary

__all__ = ["Evaluation", "ModeReport", "Question", "Remembered", "Summary", "read_questions"]
