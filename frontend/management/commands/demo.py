"""demo: create projects from our own material, with people and a history, to try the product on one machine."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from annotation import clock, projects, randomness, registry
from annotation.imports import run
from annotation.management.progress import Bar
from annotation.models import Item, Project, Role, User
from annotation.parsing.sources import FileSource
from annotation.protocol import Protocol
from annotation.protocol_tools import Demo, DemoRound, Scene
from frontend.bots import history
from frontend.bots.history import EXPERT, LEAD, History
from frontend.bots.judging import PlayedRound
from frontend.server import static_storage
from qualification import granting, setup_section
from qualification.courses import pictures
from qualification.models import GrantOrigin
from tasks.engine import queues, similarity
from tasks.items import setting_aside
from tasks.measuring import agreement, answer_metrics, figures, human_bound, judging_rounds

NEWCOMER = "nina"
"""An annotator in every project who has not accepted a consent text yet."""
FIRST_PEOPLE = _("Has worked here since the beginning.")
FOR_EXAMS = _("They are asked in the exam.")
EXPERTISE = _(
    "expert: compares answers side by side; has decided one dispute, others wait for her; judges in a round, and has"
    " the chair in a meeting"
)
FIRST = _("new here: reads what is kept about her, then the guidelines, then begins; some work comes after an exam")
LAST = _("lead of all projects: sees progress, disputes, reports and releases")


class Command(BaseCommand):
    """Create the demo once; print its log-ins each time."""

    help = "Create the demo and print its log-ins; only for a site that this machine alone can reach."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address that it will be served at")

    def handle(self, *args: Any, host: str, **options: Any) -> None:
        if not (host == "localhost" or ipaddress.ip_address(host).is_loopback):
            raise CommandError(f"The demo has well-known user names: it is for this machine only, not for {host}.")
        refuse_public_site()
        static_storage.refuse_if_missing()
        logins = settings.GOLDFINCH_DATA / "demo-logins.txt"
        if not logins.exists():
            self.stdout.write(
                "Creating the demo, once: projects, people and a week of their work (about 15 seconds) ..."
            )
        self.made: list[History] = []
        self.scenes: list[tuple[datetime, History, Scene | DemoRound]] = []
        for protocol in registry.all_protocols():
            if protocol.demo is not None:
                self.fill(protocol, protocol.demo)
        self._play()
        if not logins.exists():
            self._write_logins(logins)
        self.stdout.write(f"Sign in as one of these people ({logins} keeps the passwords):\n\n{logins.read_text()}")

    def fill(self, protocol: Protocol, demo: Demo) -> None:
        """Create a project with its members and items, unless it exists, and note what is to happen in it."""
        if Project.objects.filter(slug=demo.slug).exists():
            return
        now = clock.now()
        begun = history.beginning(demo, now=now)
        project = projects.create(
            slug=demo.slug, title=str(demo.title), protocol=protocol.key, config=dict(demo.config), by=None, now=begun
        )
        played = History(project, demo)
        played.join(LEAD, Role.LEAD, now=begun)
        played.join(EXPERT, Role.EXPERT, now=begun)
        in_story = {name for scene in demo.story for name in (scene.who, *scene.partners)}
        for name in sorted((in_story | demo.more_members) - {LEAD, EXPERT}):
            played.join(name, now=begun)
        for name in sorted({name for told in demo.rounds for name in told.raters} - {LEAD, EXPERT}):
            played.join(name, Role.EXPERT, now=begun)
        self.take_in(project, demo.items, clock=lambda: begun)
        if demo.exam_items is not None:
            self.take_in(project, demo.exam_items, clock=lambda: begun)
            set_aside_for_exams(project, demo.exam_items, now=begun)
        for picture in demo.course_pictures:
            pictures.keep(project, picture.read_bytes(), by=None, now=begun)
        if demo.qualifications is not None:
            give_qualifications(project, demo.qualifications, now=begun)
        for activity in protocol.activities:
            least = demo.least_agreement.get(activity.key)
            queues.open_queue(project, activity.key, by=None, now=begun, least_agreement=least)
        place = len(self.made)
        self.made.append(played)
        self.scenes += [(at, played, scene) for at, scene in history.dated(demo.story, now=now, place=place)]
        self.scenes += [(at, played, told) for at, told in history.rounds_dated(demo.rounds, now=now, place=place)]
        self.stdout.write(f"Made the demo project {project.title}.")

    def _play(self) -> None:
        """Play the stories of all projects together, in the order of time: some people work in several of them."""
        bar = Bar(self.stderr, unit="scenes")
        for number, (at, played, scene) in enumerate(sorted(self.scenes, key=lambda row: row[0]), start=1):
            if isinstance(scene, DemoRound):
                PlayedRound(played, scene).play(at=at)
            else:
                played.play(scene, at=at)
            bar("history", number, len(self.scenes))
        bar.close()
        for played in self.made:
            played.join(NEWCOMER, consents=False, now=clock.now())
        figures.measure_due(now=clock.now())
        human_bound.measure_due(now=clock.now())
        agreement.measure_due(now=clock.now())
        similarity.measure_due()
        judging_rounds.measure_due(now=clock.now())
        answer_metrics.measure_due(now=clock.now())

    def who(self) -> dict[str, Any]:
        """Who can sign in, and what one sees as them. The others of the stories can't."""
        demos = [protocol.demo for protocol in registry.all_protocols() if protocol.demo is not None]
        return {NEWCOMER: FIRST} | people_of_demos(demos) | {EXPERT: EXPERTISE, LEAD: LAST}

    def take_in(self, project: Project, file: Path, *, clock: Callable[[], datetime] = clock.now) -> None:
        """Import a file."""
        source, bar = FileSource(file), Bar(self.stderr, unit="items")
        run.run(project, source, sha256=source.sha256(), by=None, clock=clock, progress=bar)
        bar.close()

    def _write_logins(self, path: Path) -> None:
        """A password for each person who can sign in, in a file that only this account can read."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            for name, why in self.who().items():
                user, password = User.objects.get(username=name), randomness.password()
                user.set_password(password)
                user.save(update_fields=["password"])
                file.write(f"  {name:8}{password}   {why}\n")


def people_of_demos(demos: Iterable[Demo]) -> dict[str, str]:
    """What one sees as each person of these demos; of somebody in several, what each says, after its project's title.

    Stories of several protocols may share somebody, who then has one log-in and works in all of these projects.
    """
    told: dict[str, list[tuple[str, str]]] = {}
    for demo in demos:
        for name, why in demo.people.items():
            told.setdefault(name, []).append((str(demo.title), str(why)))
    return {
        name: parts[0][1] if len(parts) == 1 else "; ".join(f"{title}: {why}" for title, why in parts)
        for name, parts in told.items()
    }


def give_qualifications(project: Project, file: Path, *, now: datetime) -> None:
    """Make the qualifications of a file with their courses, and give them to everybody who works in the project."""
    lena = User.objects.get(username=LEAD)
    setup_section.make(project, yaml.safe_load(file.read_text(encoding="utf-8")), lena, now)
    people = User.objects.filter(memberships__project=project, memberships__role=Role.ANNOTATOR)
    for row in project.qualifications.all():
        form, why = randomness.handle(), str(FIRST_PEOPLE)
        granting.give(row, people, origin=GrantOrigin.WORKED_HERE, reason=why, form=form, by=lena, now=now)


def set_aside_for_exams(project: Project, file: Path, *, now: datetime) -> None:
    """Set the items of an imported file aside."""
    brought = Item.objects.filter(project=project, job__subject=file.name)
    setting_aside.set_aside(brought, by=User.objects.get(username=LEAD), reason=str(FOR_EXAMS), now=now)


def refuse_public_site() -> None:
    """CommandError if the settings are those of a site that others can reach: no bots or well-known names there."""
    if settings.HTTPS or "127.0.0.1" not in settings.ALLOWED_HOSTS:
        raise CommandError("With these settings others can reach the site; demo and bots are for this machine only.")
