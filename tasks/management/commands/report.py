"""report PROJECT: compare the project's figures with the published ones, as a table or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from annotation import clock
from annotation.errors import Refused
from annotation.management.base import LowPriorityCommand
from annotation.management.progress import project_of
from annotation.statistics.human_bound import Figure
from tasks.measuring import figures


class Command(LowPriorityCommand):
    """Measure all work finished so far, without freezing a release."""

    help = "Compare a project's figures with the published ones."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("--json", action="store_true", help="as JSON")
        parser.add_argument("--keep", action="store_true", help="also keep them for the project's page")

    def handle(self, *args: Any, project: str, json: bool, keep: bool, **options: Any) -> None:
        found = project_of(project)
        try:
            measured = figures.keep(found, now=clock.now()) if keep else figures.measure(found)
        except (LookupError, Refused) as refused:
            raise CommandError(refused.args[0]) from refused
        if json:
            means = {name: mean.as_json() for name, mean in measured.means.items()}
            every = {"figures": measured.ours, "means": means, "published": measured.published}
            self.stdout.write(orjson.dumps(every, option=orjson.OPT_INDENT_2).decode())
            return
        self.stdout.write(f"{'figure':44} {project[:24]:>24} {'95 % interval':>16} {'of':>8} {'published':>10}")
        for name, one, other in rows(measured.ours, measured.published):
            interval, of = interval_as_text(measured.means.get(name))
            self.stdout.write(f"{name:44} {figure_as_text(one):>24} {interval:>16} {of:>8} {figure_as_text(other):>10}")


def rows(ours: Any, published: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (name, ours, published) for every figure; a figure in a group is named `group.figure`."""
    if isinstance(ours, dict) or isinstance(published, dict):
        for key in dict.fromkeys([*(published or {}), *(ours or {})]):
            yield from rows((ours or {}).get(key), (published or {}).get(key), f"{name}.{key}".lstrip("."))
    else:
        yield name, ours, published


def interval_as_text(mean: Figure | None) -> tuple[str, str]:
    """The interval of a mean, and of how many values it is; dashes for what there is not."""
    if mean is None:
        return "-", "-"
    low, high = mean.estimate.low, mean.estimate.high
    return "-" if low is None or high is None else f"{low:,.3f}-{high:,.3f}", f"{mean.counts[-1]:,}"


def figure_as_text(figure: Any) -> str:
    """A figure as text, or a dash for None."""
    if figure is None:
        return "-"
    return f"{figure:,.3f}" if isinstance(figure, float) else f"{figure:,}"
