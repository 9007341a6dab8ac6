"""clean_up: remove from the data folder what killed imports have left."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from annotation.management.low_priority import LowPriorityCommand
from annotation.storage.clean_up import clean_up


class Command(LowPriorityCommand):
    """`manage.py clean_up`. The server does the same every ten minutes."""

    help = "Remove what killed imports left behind: part files, and pages and layouts that no row refers to."

    def handle(self, *args: Any, **options: Any) -> None:
        removed = clean_up()
        if removed is None:
            raise CommandError("An import is running. Clean up when it has finished.")
        self.stdout.write(
            self.style.SUCCESS(f"Files removed: {removed.files:,}. Objects removed: {removed.objects:,}.")
        )
