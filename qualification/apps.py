"""The qualification layer: who may join a project, and who is qualified for which work; later courses and exams."""

from django.apps import AppConfig


class QualificationConfig(AppConfig):
    """Invitations, qualifications and grants."""

    name = "qualification"

    def ready(self) -> None:
        """Have qualifications be part of set-up files."""
        from annotation.setup.schema import SECTIONS, SetupSection
        from qualification import setup_section

        section = SetupSection(setup_section.problems, setup_section.make, setup_section.of_project)
        SECTIONS[setup_section.NAME] = section
