"""rehearse ASKED: play a rehearsal in the copy that this process's data folder is; the job of a rehearsal starts it."""

from __future__ import annotations

import json
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from annotation.management.base import LowPriorityCommand
from frontend.rehearsal import job, played


def make_tables() -> None:
    """Make the tables as the models have them: to go through all migrations takes longer than most rehearsals."""
    without: dict[str, Any] = {app.label: None for app in apps.get_app_configs()}
    settings.MIGRATION_MODULES = without
    call_command("migrate", run_syncdb=True, verbosity=0)


class Command(LowPriorityCommand):
    """Refuses any data folder but one that was made for a rehearsal a moment ago."""

    help = "Let bots work on a copy of a project. The job of a rehearsal starts this command; there is no need to."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("asked", help="what is to be rehearsed, as JSON")

    def handle(self, *args: Any, asked: str, **options: Any) -> None:
        folder = settings.GOLDFINCH_DATA
        if not (folder / job.ROWS).exists() or (folder / "goldfinch.sqlite3").exists():
            raise CommandError(f"{folder} is not a new copy of a project.")
        make_tables()
        project = job.read_copy(folder)
        found = played.play(project, json.loads(asked), progress=self._progress)
        self.stdout.write(job.RESULT + json.dumps(found))

    def _progress(self, done: int, total: int) -> None:
        self.stdout.write(f"{done} {total}")
        self.stdout.flush()
