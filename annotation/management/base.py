"""The base of commands that only use the record and the tasks."""

from __future__ import annotations

from django.core.management.base import BaseCommand


class QuickCommand(BaseCommand):
    """Starts without Django's system checks, which import every page; `migrate` and `serve` run them."""

    requires_system_checks = ()
