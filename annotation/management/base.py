"""The bases of commands: of those that only use the record and the tasks, and of those that read or write a lot."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand


class QuickCommand(BaseCommand):
    """Starts without Django's system checks, which import every page; `migrate` and `serve` run them."""

    requires_system_checks = ()


NICE = 15
"""The nice value: it gets idle processors, and about a thirtieth of a busy one."""


class LowPriorityCommand(QuickCommand):
    """Lowers the priority of its process when run from a shell, but not of code that uses `call_command`."""

    def run_from_argv(self, argv: list[str]) -> Any:
        """Lower the priority, then run."""
        os.nice(NICE)
        return super().run_from_argv(argv)
