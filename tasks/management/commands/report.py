"""report PROJECT: compare the project's figures with the published ones, as a table or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotation import registry
from annotation.management.base import QuickCommand
from annotation.management.progress import project_of
from annotation.models import Purpose
from annotation.releases import load, members
from tasks.pairs.figures import for_report


class Command(QuickCommand):
    """Measure all work finished so far, without freezing a release."""

    help = "Compare a project's figures with the published ones."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: Any, project: str, json: bool, **options: Any) -> None:
        found = project_of(project)
        protocol = registry.get(found.protocol)
        if protocol.report is None:
            raise CommandError(f"{protocol.title} has no published figures to compare with.")
        recipe = {"splits": [], "partial": True, "purposes": [Purpose.WORK, Purpose.IMPORT]}
        with transaction.atomic(using="snapshot"):
            chosen = members.choose(
                found, protocol.formats[0], recipe=recipe, release="", counts=members.Counts(), using="snapshot"
            )
            figures = protocol.report.figures(load.records(found, list(chosen), using="snapshot"))
        together, of_others = for_report(found)
        figures, published = figures | together, protocol.report.published | of_others
        if json:
            both = {"figures": figures, "published": published}
            self.stdout.write(orjson.dumps(both, option=orjson.OPT_INDENT_2).decode())
            return
        self.stdout.write(f"{'figure':44} {project[:24]:>24} {'published':>10}")
        for name, ours, theirs in rows(figures, published):
            self.stdout.write(f"{name:44} {shown(ours):>24} {shown(theirs):>10}")


def rows(ours: Any, published: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (name, ours, published) for every figure; a figure in a group is named `group.figure`."""
    if isinstance(ours, dict) or isinstance(published, dict):
        for key in dict.fromkeys([*(published or {}), *(ours or {})]):
            yield from rows((ours or {}).get(key), (published or {}).get(key), f"{name}.{key}".lstrip("."))
    else:
        yield name, ours, published


def shown(figure: Any) -> str:
    """A figure as text, or a dash for None."""
    if figure is None:
        return "-"
    return f"{figure:,.3f}" if isinstance(figure, float) else f"{figure:,}"
