"""The qualification layer: who may join a project; later quizzes, scores, grants."""

from django.apps import AppConfig


class QualificationConfig(AppConfig):
    """Invitations so far; the other tables come with the qualification exams."""

    name = "qualification"
