"""demo: create projects from our own material, with log-ins, to try the product on one machine."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Sum

from annotation import clock, membership, projects, randomness, releases
from annotation import protocol as registry
from annotation.imports import run
from annotation.management.progress import Bar
from annotation.models import Project, Role, User
from annotation.parsing.sources import FileSource
from annotation.protocol import Demo, Protocol
from frontend.bots.bot import Bot
from tasks import queues
from tasks.models import Queue

PEOPLE = {"alice": Role.ANNOTATOR, "bob": Role.ANNOTATOR, "erin": Role.EXPERT, "lena": Role.LEAD}
BOTS, EXAMPLES_EACH = 3, 12
"""Bots for each activity, who have no password, and pieces of work that each does for the lead to look at."""


class Command(BaseCommand):
    """Create the demo once; print its log-ins each time."""

    help = "Create the demo and print its log-ins; only for a site that this machine alone can reach."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address that it will be served at")

    def handle(self, *args: Any, host: str, **options: Any) -> None:
        if not (host == "localhost" or ipaddress.ip_address(host).is_loopback):
            raise CommandError(f"The demo has well-known user names: it is for this machine only, not for {host}.")
        refuse_public_site()
        logins = settings.GOLDFINCH_DATA / "demo-logins.txt"
        for protocol in registry.all_protocols():
            if protocol.demo is not None:
                self.fill(protocol, protocol.demo)
        if not logins.exists():
            handle = os.open(logins, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w") as file:
                file.writelines(self._login(name, role) for name, role in PEOPLE.items())
        self.stdout.write("Log in as:\n" + logins.read_text())

    def fill(self, protocol: Protocol, shown: Demo) -> None:
        """Create a project with members, items and some finished work, unless it exists."""
        if Project.objects.filter(slug=shown.slug).exists():
            return
        now = clock.now()
        project = projects.create(
            slug=shown.slug, title=str(shown.title), protocol=protocol.key, config={}, by=None, now=now
        )
        self.people(project)
        self.take_in(project, shown.items)
        for activity in protocol.activities:
            queue, _ = queues.open_queue(project, activity.key, by=None, now=clock.now())
            self._work(project, shown, queue)
        releases.build(project, format=protocol.formats[0].key, by=None, now=clock.now(), partial=True)
        self.stdout.write(f"Made the demo project {project.title}.")

    def people(self, project: Project) -> None:
        """Add the demo's people as members."""
        for name, role in PEOPLE.items():
            membership.add(project=project, username=name, role=role, by=None, now=clock.now())

    def take_in(self, project: Project, file: Path) -> None:
        """Import a file."""
        source, bar = FileSource(file), Bar(self.stderr, unit="items")
        run.run(project, source, sha256=source.sha256(), by=None, clock=clock.now, progress=bar)
        bar.close()

    def _work(self, project: Project, shown: Demo, queue: Queue) -> None:
        """Have bots do at most half of the queue's work: the rest is for people to try."""
        each = min(EXAMPLES_EACH, (queue.tasks.aggregate(slots=Sum("slots"))["slots"] or 0) // (2 * BOTS))
        bar = Bar(self.stderr, unit="examples")
        for number in range(BOTS):
            name = f"{queue.activity}-bot-{number + 1}"
            user, _ = membership.add(project=project, username=name, role=Role.ANNOTATOR, by=None, now=clock.now())
            bot = Bot(user, randomness.rng("demo", project.slug, name), shown.answer)
            bot.consent(project)
            for done in range(each):
                bot.finish_one(project, queue.activity)
                bar(queue.activity, number * each + done + 1, BOTS * each)
        bar.close()

    def _login(self, name: str, role: Role) -> str:
        user, password = User.objects.get(username=name), randomness.password()
        user.set_password(password)
        user.save(update_fields=["password"])
        return f"  {name:8} {password}   {role.label}\n"


def refuse_public_site() -> None:
    """CommandError if the settings are those of a site that others can reach: no bots or well-known names there."""
    if settings.HTTPS or "127.0.0.1" not in settings.ALLOWED_HOSTS:
        raise CommandError("With these settings others can reach the site; demo and bots are for this machine only.")
