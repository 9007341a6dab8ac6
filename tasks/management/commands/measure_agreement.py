"""measure_agreement PROJECT: measure how far annotations agree, for the lead's page."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation import clock
from annotation.management.base import LowPriorityCommand
from annotation.management.progress import project_of
from tasks.measuring import agreement


class Command(LowPriorityCommand):
    """A job does this by itself; by hand it is needed after a change of the code behind a measure."""

    help = "Measure how far the annotations of a project agree."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("--anew", action="store_true", help="read the whole record, not only what has changed")

    def handle(self, *args: Any, project: str, anew: bool, **options: Any) -> None:
        agreement.keep(project_of(project), now=clock.now(), anew=anew)
