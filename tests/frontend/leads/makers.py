"""The ways in which a project comes to be: the wizard, the command, a set-up file, and an older version."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation import registry
from annotation.models import Project, Role, User
from annotation.setup import changes, files
from tasks.setup import outline
from tests.builders import project
from tests.disagreeing import browser
from tests.frontend.leads.setup.wizard import WORDS, numbers, send
from tests.people import NOON, join


def _first_lead() -> User:
    return join(project("first"), "lena", Role.LEAD)


def _made(lead: Client) -> None:
    send(lead, "check", {}, "make")


def by_wizard(protocol: str) -> tuple[Project, User]:
    """Made in four steps, with a rate of pay."""
    lena = _first_lead()
    lead = browser(lena)
    send(lead, "protocol", {"protocol": protocol}, "words")
    send(lead, "words", WORDS, "numbers")
    send(lead, "numbers", numbers(protocol, pay="12 EUR an hour"), "check")
    _made(lead)
    return Project.objects.get(slug="harbour-lights"), lena


def by_command(protocol: str) -> tuple[Project, User]:
    """Made in a shell, with nothing but a protocol; a lead was added afterwards."""
    call_command("create_project", "lights", protocol=protocol, stdout=StringIO())
    made = Project.objects.get(slug="lights")
    return made, join(made, "lena", Role.LEAD)


def by_file(protocol: str) -> tuple[Project, User]:
    """Made from the set-up file of another project, which speaks of one split only, one that protocols do not name."""
    lena = _first_lead()
    lead = browser(lena)
    whole = outline.setup_of(project("other", protocol))
    activities = {each.key: {"overlap": {"extra": 2}} for each in registry.get(protocol).activities}
    config = {"pay": "9 EUR an hour", "activities": activities}
    text = files.write(whole.model_copy(update={"slug": "from-file", "config": config}))
    setup = SimpleUploadedFile("other.yaml", text.encode())
    lead.post(reverse("new_project_from_file"), {"setup": setup})
    _made(lead)
    return Project.objects.get(slug="from-file"), lena


def by_older_version(protocol: str) -> tuple[Project, User]:
    """Made when no number was written down, and changed when the history said null for a split that had none."""
    made, lena = by_command(protocol)
    Project.objects.filter(pk=made.pk).update(config={})
    made.refresh_from_db()
    activity = registry.get(protocol).activities[0].key
    changes.change(made, config={"activities": {activity: {"overlap": {"extra": 2}}}}, by=lena, now=NOON)
    return made, lena


MAKERS: dict[str, Callable[[str], tuple[Project, User]]] = {
    "wizard": by_wizard,
    "command": by_command,
    "file": by_file,
    "older": by_older_version,
}
