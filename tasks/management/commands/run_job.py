"""run_job KEY: do a queued job, in this process; background jobs start this command."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.base import LowPriorityCommand
from tasks.background import long_jobs


class Command(LowPriorityCommand):
    """Do one job and end."""

    help = "Do a queued job. Background jobs start this command; there is no need to."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", type=int)

    def handle(self, *args: Any, key: int, **options: Any) -> None:
        signal.signal(signal.SIGTERM, _stop)
        with suppress(long_jobs.Stopped):
            long_jobs.run(key)


def _stop(*signal_and_frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: what follows tidies up
    raise long_jobs.Stopped
