"""make_splits PROJECT: divide imported items into splits."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation import clock, registry
from annotation.management.base import LowPriorityCommand
from annotation.management.progress import project_of
from annotation.protocol_tools import Division
from tasks.setup import splits

REASONS = {splits.WORKED: "somebody has begun them", splits.PUBLISHED: "they came with published annotations"}


class Command(LowPriorityCommand):
    """Say what a division does, and do it unless it is a dry run."""

    help = "Divide a project's imported items into splits."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("--as-published", action="store_true", help="as the protocol's dataset was divided")
        parser.add_argument("--by", choices=("root", "domain", "random"), default="root", help="what is drawn")
        parser.add_argument("--size", action="append", default=[], metavar="SPLIT=N", help="dev=100, or dev=10%%")
        parser.add_argument("--rest", default="train", help="the split of all others")
        parser.add_argument("--only", action="append", default=[], metavar="DOMAIN=SPLIT", help="a domain as a whole")
        parser.add_argument("--seed", default="", help="another division than that of the project's seed")
        parser.add_argument("--allow-repeated", action="store_true", help="also if items that ask the same are parted")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(self, *args: Any, project: str, dry_run: bool, **options: Any) -> None:
        found = project_of(project)
        division = _published(found.protocol) if options["as_published"] else _asked(options)
        said: dict[str, Any] = {"seed": options["seed"], "allow_repeated": options["allow_repeated"]}
        try:
            if dry_run:
                plan = splits.plan(found, division, **said)
            else:
                plan = splits.divide(found, division, by=None, now=clock.now(), **said)
        except splits.DivisionRefused as refused:
            raise CommandError(str(refused)) from None
        for domain, counts in sorted(plan.after.items()):
            sizes = ", ".join(f"{split} {n:,}" for split, n in sorted(counts.items()))
            self.stdout.write(f"{domain}: {sizes}" if domain else sizes)
        for reason, n in plan.fixed.items():
            self.stdout.write(f"Left where they are, since {REASONS[reason]}: {n:,}")
        done = "Would be moved" if dry_run else "Moved"
        self.stdout.write(self.style.SUCCESS(f"{done}: {plan.moved:,}"))


def _published(protocol: str) -> Division:
    division = registry.get(protocol).division
    if division is None:
        raise CommandError(f"{protocol} does not say how its dataset was divided.")
    return division


def _asked(options: dict[str, Any]) -> Division:
    return Division(options["by"], _pairs(options["size"]), options["rest"], _pairs(options["only"]))


def _pairs(texts: list[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    if any(not value for _name, _sign, value in pairs):
        raise CommandError("Give a name and a value, such as dev=100.")
    return {name: value for name, _sign, value in pairs}
