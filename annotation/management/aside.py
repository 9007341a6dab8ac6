"""Commands that read or write much and let the people at work go first."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand

NICE = 15
"""How far back: it has the processors that nobody else wants, and a thirtieth of one that others do want."""


class AsideCommand(BaseCommand):
    """Run from a shell, it steps back for good; called from other code, it leaves that process as it is."""

    def run_from_argv(self, argv: list[str]) -> Any:
        """Step back, and run."""
        os.nice(NICE)
        return super().run_from_argv(argv)
