"""The qualification layer: who may join a project, and who is qualified for which work; later courses and exams."""

from django.apps import AppConfig


class QualificationConfig(AppConfig):
    """Invitations, qualifications and grants."""

    name = "qualification"
