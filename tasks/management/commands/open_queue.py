"""open_queue PROJECT: hand out work."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation import clock, registry
from annotation.management.base import QuickCommand
from annotation.management.progress import project_of, refusals
from tasks.engine import queues


class Command(QuickCommand):
    """Open a project's queues and create a task for every item."""

    help = "Open the queues of a project (all activities, or one)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("--activity", help="only this one")
        parser.add_argument("--least-agreement", type=float, help="below this, finished items are disputed (0 to 1)")

    def handle(
        self, *args: Any, project: str, activity: str | None, least_agreement: float | None, **options: Any
    ) -> None:
        found = project_of(project)
        names = [each.key for each in registry.get(found.protocol).activities]
        if activity is not None and activity not in names:
            raise CommandError(f"{found.protocol} has no activity {activity}: {', '.join(names)}.")
        for name in [activity] if activity else names:
            with refusals():
                queue, made = queues.open_queue(found, name, by=None, now=clock.now(), least_agreement=least_agreement)
            total = queue.tasks.count()
            self.stdout.write(self.style.SUCCESS(f"{name} is open. New tasks: {made:,}. Tasks in all: {total:,}."))
