"""reopen PROJECT UUID --reason TEXT: a lead asks the author of finished work to look at it again."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation import clock
from annotation.management.progress import lead_of, project_of, refusals
from tasks import reopening


class Command(BaseCommand):
    """Re-open one annotation; its author is offered it before anything else."""

    help = "Give finished work back to its author."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("annotation", type=uuid.UUID)
        parser.add_argument("--reason", required=True, help="kept in the history")
        parser.add_argument("--by", default="", help="user name of the lead who decided it")

    def handle(self, *args: Any, project: str, annotation: uuid.UUID, reason: str, by: str, **options: Any) -> None:
        target = project_of(project)
        with refusals():
            opened = reopening.reopen(target, annotation, by=lead_of(target, by), reason=reason, now=clock.now())
        until = f"{opened.lease.expires_at:%d %B, %H:%M} UTC"
        self.stdout.write(self.style.SUCCESS(f"Re-opened for {opened.annotator.worker_code} until {until}."))
