"""The base of commands that read or write a lot, and run at a low CPU priority."""

from __future__ import annotations

import os
from typing import Any

from annotation.management.base import QuickCommand

NICE = 15
"""The nice value: it gets idle processors, and about a thirtieth of a busy one."""


class LowPriorityCommand(QuickCommand):
    """Lowers the priority of its process when run from a shell, but not of code that uses `call_command`."""

    def run_from_argv(self, argv: list[str]) -> Any:
        """Lower the priority, then run."""
        os.nice(NICE)
        return super().run_from_argv(argv)
