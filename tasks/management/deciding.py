"""The base of commands by which a lead decides about one finished annotation."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import CommandParser

from annotation import clock
from annotation.management.base import QuickCommand
from annotation.management.progress import lead_of, project_of, refusals
from annotation.models import Project


class DecisionCommand(QuickCommand):
    """Name a project and an annotation by its uuid, and say why."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("annotation", type=uuid.UUID)
        parser.add_argument("--reason", required=True, help="kept in the history")
        parser.add_argument("--by", default="", help="user name of the lead who decided it")

    def handle(self, *args: Any, project: str, annotation: uuid.UUID, reason: str, by: str, **options: Any) -> None:
        target = project_of(project)
        with refusals():
            said = self.decide(target, annotation, by=lead_of(target, by), reason=reason, now=clock.now())
        self.stdout.write(self.style.SUCCESS(said))

    def decide(self, project: Project, annotation: uuid.UUID, **decided: Any) -> str:
        """Carry it out (`decided`: by, reason, now) and return a sentence about the result."""
        raise NotImplementedError
