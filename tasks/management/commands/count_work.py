"""count_work: count the work of every day anew from the record, for the boards of all projects."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation import clock
from annotation.management.base import LowPriorityCommand
from annotation.management.progress import project_of
from tasks.board import counting, kept


class Command(LowPriorityCommand):
    """A job counts what changes by itself; by hand it is needed after rows were changed past the services."""

    help = "Count the work of every day anew, for the boards of leads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--board", metavar="PROJECT", help="only measure what else this project's board shows")

    def handle(self, *args: Any, board: str | None, **options: Any) -> None:
        if board:
            kept.keep(project_of(board), now=clock.now())
        else:
            counting.rebuild(now=clock.now())
