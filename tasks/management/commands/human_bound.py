"""human_bound PROJECT: how well people do on the official metrics, beside the published figures, as a table or JSON."""

from __future__ import annotations

from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from annotation import clock, registry
from annotation.errors import Refused
from annotation.management.base import LowPriorityCommand
from annotation.management.progress import project_of
from annotation.protocol_tools import HumanBound
from annotation.statistics.human_bound import Figure
from tasks.measuring import human_bound


class Command(LowPriorityCommand):
    """Measure the human upper bound of all work finished so far, without freezing a release."""

    help = "Measure how well people do on the official metrics, beside the published figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("--json", action="store_true", help="as JSON")
        parser.add_argument("--keep", action="store_true", help="also keep the figures for the page of leads")

    def handle(self, *args: Any, project: str, json: bool, keep: bool, **options: Any) -> None:
        found = project_of(project)
        try:
            measured = human_bound.keep(found, now=clock.now()) if keep else human_bound.measure(found)
        except (LookupError, Refused) as refused:
            raise CommandError(refused.args[0]) from refused
        if json:
            self.stdout.write(orjson.dumps(measured, option=orjson.OPT_INDENT_2).decode())
            return
        bound = registry.get(found.protocol).human
        if bound is None:
            raise AssertionError("what has no bound was refused")
        for split, figures in measured["splits"].items():
            self.stdout.write(f"{split or 'all splits':40} {'value':>7} {'95 % interval':>17} {'publ.':>7}  n")
            for key in bound.labels:
                if (line := _line(bound, figures, key)) is not None:
                    self.stdout.write(line)
            for key, note in figures["notes"].items():
                self.stdout.write(f"{key:40} {bound.sentence(**note)}")
        for name, n in measured["not_measured"].items():
            if n:
                self.stdout.write(f"not measured: {n:,} {name}")


def _line(bound: HumanBound, figures: dict[str, Any], key: str) -> str | None:
    """A figure with what it was measured on, or a group that can't be computed yet with the reason."""
    if key in figures["why_not"]:
        reason = figures["why_not"][key]
        return f"{key:40} {bound.sentence(reason['code'], reason['numbers'])}"
    if key not in figures["figures"]:
        return None
    figure = Figure.from_json(figures["figures"][key])
    found = figure.estimate
    ends = "-" if found.low is None else f"{found.low:.3f} to {found.high:.3f}"
    published = bound.published.get(key)
    n = ", ".join(f"{n:,} {str(what).lower()}" for n, what in zip(figure.counts, bound.counts, strict=True))
    why = f"; {found.no_interval}" if found.no_interval else ""
    return f"{key:40} {found.value:>7.3f} {ends:>17} {'-' if published is None else f'{published:.3f}':>7}  {n}{why}"
