"""A set-up file read into a project that exists: what differs is changed, and what the file leaves out stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation import projects, registry
from annotation.errors import PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Project, User
from annotation.setup import changes, files
from annotation.setup.schema import Setup, SetupRefused, Wrong
from qualification import setup_section
from tasks.setup import opening, outline

QUEUES_OWN = ("lease_minutes", "least_agreement")
"""Numbers of an activity that its queue has, once there is one."""
FAST = "config.fast_share"
"""In a file beside the rest of the config; in the project a part of its guidelines."""


@dataclass(frozen=True)
class ChangedField:
    """A field by its path, before and after. Of a text: the number of the version, or the hash."""

    path: str
    before: Any
    after: Any


def text_of(project: Project) -> str:
    """The set-up of the project as a file."""
    heading = f"The set-up of {project.title} ({project.slug}): New project > Or begin with the set-up of another."
    if any("course" in row for row in setup_section.of_project(project) or ()):
        heading += "\nIt has the right answers of exams in it: for leads only."
    return files.write(outline.setup_of(project), heading=heading)


def read(project: Project, data: bytes) -> Setup:
    """The set-up in a file, if the project can be changed to it. PayloadInvalid with each place that is wrong."""
    try:
        setup = files.read(data)
        _check_same(project, setup)
    except SetupRefused as refused:
        raise PayloadInvalid(tuple(_problem(wrong) for wrong in refused.wrong)) from None
    return setup


@transaction.atomic
def apply(
    project: Project, setup: Setup, *, kind: str, by: User, now: datetime, seen: Callable[[], None] = lambda: None
) -> list[ChangedField]:
    """Change what differs; returns that. `kind`: of change of the guidelines. PayloadInvalid.

    `seen` is called once nobody else can change the project, and raises if the caller knows another version.
    """
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    seen()
    changed = _apply(locked, setup, kind=kind, by=by, now=now)
    opening.put_in_order_again(locked, [each.path for each in changed])
    return changed


@transaction.atomic
def check(project: Project, setup: Setup, *, kind: str, by: User, now: datetime) -> list[ChangedField]:
    """What `apply` would change: it is changed, and that is taken back. PayloadInvalid."""
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    found = _apply(locked, setup, kind=kind, by=by, now=now)
    transaction.set_rollback(True)
    return found


def _apply(project: Project, setup: Setup, *, kind: str, by: User, now: datetime) -> list[ChangedField]:
    now_set = changes.paths_of(outline.setup_of(project).config, "config")
    wanted = changes.paths_of(setup.config, "config")
    wanted = {path: value for path, value in wanted.items() if now_set.get(path) != value}
    fast = wanted.pop(FAST, None)
    found = _queues(project, wanted, by=by, now=now)
    before = changes.fields_of(project)
    try:
        changed = changes.change(project, title=setup.title, config=_nested(wanted), by=by, now=now)
    except ValueError as refused:
        raise PayloadInvalid((Problem("config", "not_possible", str(refused)),)) from None
    found += [ChangedField(path, before.get(path), value) for path, value in changed.items()]
    return found + _texts(project, setup, fast, kind=kind, by=by, now=now)


def _queues(project: Project, wanted: dict[str, Any], *, by: User, now: datetime) -> list[ChangedField]:
    """Give queues that exist their new numbers, and take these from what is wanted."""
    found = []
    for activity in registry.get(project.protocol).activities:
        queue = opening.queue_of(project, activity.key)
        if queue is None:
            continue
        old = vars(opening.numbers_of(queue))
        prefix = f"config.activities.{activity.key}."
        new = {name: wanted.pop(prefix + name) for name in QUEUES_OWN if prefix + name in wanted}
        opening.change(queue, numbers=opening.QueueSettings(**(old | new)), by=by, now=now)
        found += [ChangedField(prefix + name, old[name], value) for name, value in new.items()]
    return found


def _texts(
    project: Project, setup: Setup, fast: float | None, *, kind: str, by: User, now: datetime
) -> list[ChangedField]:
    """Publish the guidelines and the consent text, if the file has others."""
    found, last = [], projects.guidelines_of(project)
    text = changes.tidy(setup.guidelines) or (last.text if last else "")
    share = fast if fast is not None else last.fast_share if last else 0.0
    seen = last.number if last else 0
    made = changes.publish_guidelines(project, text=text, kind=kind, fast_share=share, seen=seen, by=by, now=now)
    if made is not None:
        found.append(ChangedField("guidelines", seen or None, made.number))
    before = project.consent_sha256
    if (own := changes.tidy(setup.consent)) and changes.change_consent(project, text=own, by=by, now=now):
        found.append(ChangedField("consent", before, project.consent_sha256))
    return found


def _check_same(project: Project, setup: Setup) -> None:
    """SetupRefused for what a project keeps, and for what is changed elsewhere."""
    wrong = []
    if setup.protocol != project.protocol:
        wrong.append(Wrong("protocol", _("A project keeps its protocol.")))
    if setup.slug and setup.slug != project.slug:
        wrong.append(Wrong("slug", _("A project keeps its address.")))
    kept = outline.setup_of(project).sections
    for name, value in setup.sections.items():
        if value is not None and value != kept.get(name):
            wrong.append(Wrong(name, _("Qualifications and courses are changed on their own pages.")))
    if wrong:
        raise SetupRefused(wrong)


def _problem(wrong: Wrong) -> Problem:
    if wrong.line is None:
        said = f"{wrong.place}: {wrong.message}" if wrong.place else wrong.message
        return Problem(wrong.place, "not_possible", said)
    said = _("Line %(line)s: %(why)s")
    return Problem(wrong.place, "not_possible", said, values={"line": wrong.line, "why": wrong.message})


def _nested(paths: Mapping[str, Any]) -> dict[str, Any]:
    """The values in groups again, without `config` around them."""
    found: dict[str, Any] = {}
    for path, value in paths.items():
        _config, *names, last = path.split(".")
        group = found
        for name in names:
            group = group.setdefault(name, {})
        group[last] = value
    return found
