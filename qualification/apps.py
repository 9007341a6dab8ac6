"""The qualification layer: guidelines read, tutorials, quizzes, scores, grants."""

from django.apps import AppConfig


class QualificationConfig(AppConfig):
    """Empty so far; its tables come with the qualification exams."""

    name = "qualification"
