"""void PROJECT UUID --reason TEXT: a lead takes finished work out of its slot, so that somebody else does it."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation import clock
from annotation.management.progress import lead_of, project_of, refusals
from tasks import voiding


class Command(BaseCommand):
    """Exclude one annotation and free its slot; its author is not given the item again."""

    help = "Take finished work out of its slot."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("annotation", type=uuid.UUID)
        parser.add_argument("--reason", required=True, help="kept in the history")
        parser.add_argument("--by", default="", help="user name of the lead who decided it")

    def handle(self, *args: Any, project: str, annotation: uuid.UUID, reason: str, by: str, **options: Any) -> None:
        target = project_of(project)
        with refusals():
            held = voiding.void(target, annotation, by=lead_of(target, by), reason=reason, now=clock.now())
        self.stdout.write(self.style.SUCCESS(f"The slot of {held.annotator.worker_code} is free again."))
