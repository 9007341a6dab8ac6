"""exclude PROJECT --annotation UUID | --worker CODE --reason TEXT: exclude work from later releases."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandParser

from annotation import clock
from annotation.engine import exclusion
from annotation.management.base import QuickCommand
from annotation.management.progress import lead_of, project_of, refusals
from annotation.models import Annotation


class Command(QuickCommand):
    """Exclude annotations by their uuid, or all of one person by the worker code; they stay in frozen releases."""

    help = "Exclude annotations from agreement and later releases."
    change: Callable[..., list[Annotation]] = staticmethod(exclusion.exclude)
    done = "Excluded"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--annotation", type=uuid.UUID, action="append", default=[], help="may be repeated")
        which.add_argument("--worker", default="", help="worker code: everything by that person in the project")
        parser.add_argument("--reason", required=True, help="kept with each annotation and in the history")
        parser.add_argument("--by", default="", help="user name of the lead who decided it")

    def handle(self, *args: Any, project: str, reason: str, by: str, **options: Any) -> None:
        target = project_of(project)
        with refusals():
            found = type(self).change(
                target,
                uuids=options["annotation"],
                worker=options["worker"],
                by=lead_of(target, by),
                reason=reason,
                now=clock.now(),
            )
        count = "1 annotation" if len(found) == 1 else f"{len(found):,} annotations"
        self.stdout.write(self.style.SUCCESS(f"{self.done} {count} of {project}."))
