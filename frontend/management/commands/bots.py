"""bots PROJECT: have a crowd of bots use a project's real pages, for some time or some number of pieces."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation import registry
from annotation.management.progress import Bar, project_of
from frontend.bots.bot import Rates, WorkEnding
from frontend.bots.crowd import Crowd
from frontend.management.commands.demo import refuse_public_site
from frontend.server import static_storage


class Command(BaseCommand):
    """Queues must be open. Existing bots are reused by name."""

    help = "Have bots work on a project: some wrong, some late, some leave or give their work back."

    def add_arguments(self, parser: CommandParser) -> None:
        rates = Rates()
        parser.add_argument("project")
        parser.add_argument("--activity", help="only this one")
        parser.add_argument("--people", type=int, default=3, help="bots for each activity (default: %(default)s)")
        until = parser.add_mutually_exclusive_group(required=True)
        until.add_argument("--count", type=int, help="stop after this many pieces of work")
        until.add_argument("--seconds", type=float, help="stop after this time")
        parser.add_argument("--seed", default="bots", help="the same seed gives the same work (default: %(default)s)")
        for name, what in {
            "wrong": "answered without care",
            "late": "sent after its time has ended",
            "abandoned": "left until its time ends",
            "returned": "given back",
        }.items():
            default = getattr(rates, name)
            parser.add_argument(f"--{name}", type=float, default=default, help=f"share {what} (default: {default})")

    def handle(self, *args: Any, project: str, activity: str | None, people: int, seed: str, **options: Any) -> None:
        refuse_public_site()
        static_storage.refuse_if_missing()
        found = project_of(project)
        protocol = registry.get(found.protocol)
        activities = [each for each in protocol.activities if each.key not in protocol.substitutes]
        chosen = [each for each in activities if activity in (None, each.key)]
        if not chosen:
            names = ", ".join(each.key for each in activities)
            raise CommandError(f"{found.protocol} has no activity {activity}: {names}.")
        if people < 1:
            raise CommandError("--people must be at least 1.")
        try:
            rates = Rates(**{name: options[name] for name in ("wrong", "late", "abandoned", "returned")})
        except ValueError as error:
            raise CommandError(str(error)) from None
        crowd = Crowd(found, chosen, people, rates, seed)
        bar = Bar(self.stderr, unit="pieces")
        crowd.run(count=options["count"], seconds=options["seconds"], progress=bar)
        bar.close()
        said = [f"{crowd.tally[course]:,} {course}" for course in WorkEnding] + [f"{crowd.tally['wrong']:,} wrong"]
        self.stdout.write(self.style.SUCCESS(f"Bots took {crowd.tally['taken']:,} pieces of work: {', '.join(said)}."))
