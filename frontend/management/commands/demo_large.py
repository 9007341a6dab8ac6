"""demo_large: create a project of thousands of items for each protocol, with members and some work done by bots."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from annotation import clock, membership, projects, registry
from annotation.management.progress import Bar
from annotation.models import Job, Project, Role
from annotation.protocol import Protocol
from annotation.protocol_tools import Demo
from frontend.bots.bot import Rates
from frontend.bots.crowd import Crowd
from frontend.bots.history import LEAD
from frontend.management.commands import demo
from tasks.engine import queues
from tasks.models import Assignment

BOTS = 5
PEOPLE = ("alice", "bob", LEAD)
ROLES = {LEAD: Role.LEAD}


class Command(demo.Command):
    """Idempotent: a second run continues where the first one stopped, or else only prints."""

    help = "Create large projects and print the log-ins; only for a site that this machine alone can reach."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--items", type=int, default=20_000, help="items for each protocol (default: %(default)s)")
        parser.add_argument("--work", type=int, default=300, help="pieces of work done by bots (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        self.items: int = options["items"]
        self.work: int = options["work"]
        super().handle(*args, **options)
        self.stdout.write(f"Serve it with: GOLDFINCH_DATA={settings.GOLDFINCH_DATA} .venv/bin/python manage.py serve")

    def who(self) -> dict[str, Any]:
        """Two annotators and a lead."""
        return {name: ROLES.get(name, Role.ANNOTATOR).label for name in PEOPLE}

    def fill(self, protocol: Protocol, demo: Demo) -> None:
        """Create a large project, or what is missing of it."""
        slug, now = f"{demo.slug}-large", clock.now()
        project = Project.objects.filter(slug=slug).first() or projects.create(
            slug=slug, title=f"{demo.title}, large", protocol=protocol.key, config={}, by=None, now=now
        )
        for name in self.who():
            membership.add(project=project, username=name, role=ROLES.get(name, Role.ANNOTATOR), by=None, now=now)
        large = protocol.bots and protocol.bots.large
        if large and project.items.filter(job__state=Job.State.DONE).count() < self.items:
            folder = settings.GOLDFINCH_DATA / "large" / protocol.key
            self.take_in(project, large(folder, self.items))
        self._open(project)
        self._let_bots_work(project, protocol)
        self.stdout.write(f"{project.title}: {project.items.count():,} items at /projects/{project.slug}/")

    def _open(self, project: Project) -> None:
        for activity in registry.get(project.protocol).activities:
            queues.open_queue(project, activity.key, by=None, now=clock.now())

    def _let_bots_work(self, project: Project, protocol: Protocol) -> None:
        """Let bots do what is missing. What one abandons and takes up again counts twice for them, and once here."""
        tried = [activity for activity in protocol.activities if activity.key not in protocol.substitutes]
        while (missing := self.work - Assignment.objects.filter(task__queue__project=project).count()) > 0:
            crowd = Crowd(project, tried, BOTS, Rates(), "large")
            bar = Bar(self.stderr, unit="pieces")
            crowd.run(count=missing, progress=bar)
            bar.close()
            self._open(project)  # again, for the items that bots have made
            if not crowd.tally["taken"]:
                break
