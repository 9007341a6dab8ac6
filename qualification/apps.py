"""Who may: guidelines read, tutorials, quizzes, scores, grants."""

from django.apps import AppConfig


class QualificationConfig(AppConfig):
    """The app of that layer; its tables come with the qualification exams."""

    name = "qualification"
