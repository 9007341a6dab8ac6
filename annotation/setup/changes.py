"""Change a project's title, config and texts; every change is one event, and can be undone.

The event of a change of title or config has what was before and after. Of the guidelines each version is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction
from pydantic import ValidationError

from annotation import events, membership, projects, registry
from annotation.errors import NotFound, StalePage, WrongMove
from annotation.i18n import _
from annotation.models import ConsentText, Event, GuidelineVersion, Project, User
from annotation.values.schemas import ActivityConfig, Mix, ProjectConfig

CHANGED = "project.changed"
"""The kind of the events; their data has the changed fields `before` and `after`, by their paths.

A split for which nothing is said has the overlap null there: one person annotates each of its items.
"""
UNSAID_OVERLAP = 1
LATER = _("It has been changed again since: change it yourself, or undo the later change first.")


def change(
    project: Project,
    *,
    by: User | None,
    now: datetime,
    title: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Set what is given, and return the fields that are different now; no event if none is.

    `config` may leave out anything. ValueError for what the protocol's config refuses.
    """
    fields = {} if title is None else {"title": title}
    return _set(project, {**fields, **paths_of(config or {}, "config")}, by=by, now=now)


def undo(project: Project, event: int, *, by: User, now: datetime) -> dict[str, Any]:
    """Set everything as it was before that change; WrongMove if some of it has been changed since."""
    row = event_of_project(project, event, kind=CHANGED)
    return _set(project, row.data["before"], by=by, now=now, undone=row)


def event_of_project(project: Project, event: int, *, kind: str) -> Event:
    """The event about the project with this key and kind; NotFound if there is none."""
    row = Event.objects.filter(pk=event, kind=kind, subject=events.name(project)).first()
    if row is None:
        raise NotFound
    return row


def undoing(undone: Event | None) -> dict[str, int]:
    """What the event of a change says of the one that it undoes, if it does."""
    return {} if undone is None else {"undoes": undone.pk}


@transaction.atomic
def _set(
    project: Project,
    fields: Mapping[str, Any],
    *,
    by: User | None,
    now: datetime,
    undone: Event | None = None,
) -> dict[str, Any]:
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = fields_of(locked)
    if undone is not None and any(before.get(path) != value for path, value in undone.data["after"].items()):
        raise WrongMove(LATER)
    wanted = {path: value for path, value in fields.items() if not _is_so(path, value, before)}
    locked.title = wanted.get("title", locked.title)
    locked.config = _with(locked, wanted)
    after = fields_of(locked)
    changed = {path: after.get(path) for path in {**before, **after} if before.get(path) != after.get(path)}
    if changed:
        locked.save(update_fields=["title", "config"])
        said = {"before": {path: before.get(path) for path in changed}, "after": changed}
        events.record(CHANGED, locked, by=by, now=now, **said, **undoing(undone))
    project.title, project.config = locked.title, locked.config
    return changed


def is_overlap(path: str) -> bool:
    """Whether the field with this path is the overlap of a split."""
    return ".overlap." in path


def _is_so(path: str, value: Any, before: Mapping[str, Any]) -> bool:
    """Whether the field has that value, said or unsaid."""
    return before.get(path) == value or (is_overlap(path) and path not in before and value == UNSAID_OVERLAP)


def fields_of(project: Project) -> dict[str, Any]:
    """Every field by its path (`config.activities.annotate.overlap.dev`), with the protocol's numbers filled in."""
    protocol = registry.get(project.protocol)
    config = protocol.config.model_validate(project.config, strict=False)
    found = paths_of(config.model_dump(mode="json", exclude={"activities", "seed"}), "config")
    for activity in protocol.activities:
        own = config.activities.get(activity.key) or ActivityConfig()
        full = own.model_copy(update={"overlap": {**activity.overlap, **own.overlap}})
        found |= paths_of(full.model_dump(mode="json"), f"config.activities.{activity.key}")
    return {"title": project.title, **found}


def paths_of(group: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The values in groups by their paths; the parts of a mix are one value."""
    found: dict[str, Any] = {}
    for name, value in group.items():
        path = f"{prefix}.{name}"
        is_group = isinstance(value, Mapping) and not {"base", "more", "share"} <= value.keys()
        found |= paths_of(value, path) if is_group else {path: list(value) if isinstance(value, tuple) else value}
    return found


def mix_of(value: Mapping[str, Any]) -> Mix:
    """The mix that such a value is."""
    return Mix.model_validate_json(orjson.dumps(value))


def _with(project: Project, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The stored config with these fields."""
    config = deepcopy(project.config)
    for path, value in wanted.items():
        first, *names = path.split(".")
        if first == "config":
            group = config
            for name in names[:-1]:
                group = group.setdefault(name, {})
            if value is None and is_overlap(path):
                group.pop(names[-1], None)
            else:
                group[names[-1]] = value
    return _typed(project, config).model_dump(mode="json", exclude_defaults=True)


def _typed(project: Project, config: Mapping[str, Any]) -> ProjectConfig:
    try:
        return registry.get(project.protocol).config.model_validate_json(orjson.dumps(config))
    except ValidationError as error:
        raise ValueError(str(error)) from None


PUBLISHED, CONSENT = "guidelines.published", "project.consent"
"""The kinds of the events; their data have the `number` of the version, and the `before` and `after` of the text's hash
("": the site's text).
"""


def tidy(text: str) -> str:
    """A text as it is stored: line feeds only, none at its beginning and one at its end; "" if it is blank."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.strip("\n") + "\n" if lines.strip() else ""


@transaction.atomic
def publish_guidelines(
    project: Project,
    *,
    text: str,
    kind: str,
    fast_share: float,
    seen: int,
    by: User | None,
    now: datetime,
    undone: Event | None = None,
) -> GuidelineVersion | None:
    """Put a new version in force, for what is claimed from now on; None if it would be the same as the last one.

    `seen` is the number of the version from which the text was written: StalePage if there is a newer one.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    last = projects.guidelines_of(project)
    if last is not None and last.number != seen:
        raise StalePage
    if last is not None and (last.text, last.fast_share) == (text, fast_share):
        return None
    made = GuidelineVersion.objects.create(
        project=project,
        number=last.number + 1 if last else 1,
        text=text,
        fast_share=fast_share,
        kind=GuidelineVersion.Kind(kind),
        at=now,
        by=by,
    )
    said = {"number": made.number, "change": made.kind, "fast_share": fast_share}
    events.record(PUBLISHED, project, by=by, now=now, **said, **undoing(undone))
    return made


@transaction.atomic
def go_back_to_guidelines(project: Project, event: int, *, by: User, now: datetime) -> None:
    """Put the version before the one of that event in force again, as a new version of the same kind of change.

    Annotations keep the version that they were made under. Raises NotFound for the first version, and WrongMove if
    there is a newer one.
    """
    row = event_of_project(project, event, kind=PUBLISHED)
    before = project.guidelines.filter(number__lt=row.data["number"]).order_by("-number").first()
    if before is None:
        raise NotFound
    said = {"text": before.text, "fast_share": before.fast_share, "kind": row.data["change"]}
    try:
        publish_guidelines(project, **said, seen=row.data["number"], by=by, now=now, undone=row)
    except StalePage:
        raise WrongMove(LATER) from None


@transaction.atomic
def change_consent(project: Project, *, text: str, by: User | None, now: datetime) -> bool:
    """Have people accept this text before they go on ("" or the site's own: that of the site); False if they did."""
    own = text if text and text != tidy(membership.consent_text()[0]) else ""
    sha256 = hashlib.sha256(own.encode()).hexdigest() if own else ""
    if sha256 == _locked_consent(project):
        return False
    if own:
        ConsentText.objects.get_or_create(project=project, sha256=sha256, defaults={"text": own, "at": now, "by": by})
    _set_consent(project, sha256, by=by, now=now)
    return True


@transaction.atomic
def go_back_to_consent(project: Project, event: int, *, by: User, now: datetime) -> None:
    """Have people accept the text before that change again, unless they have; WrongMove if it was changed since."""
    row = event_of_project(project, event, kind=CONSENT)
    if _locked_consent(project) != row.data["after"]:
        raise WrongMove(LATER)
    _set_consent(project, row.data["before"], by=by, now=now, undone=row)


def _locked_consent(project: Project) -> str:
    """The hash of the consent text that counts, with the project locked."""
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk).consent_sha256


def _set_consent(project: Project, sha256: str, *, by: User | None, now: datetime, undone: Event | None = None) -> None:
    before = _locked_consent(project)
    Project.objects.filter(pk=project.pk).update(consent_sha256=sha256)
    events.record(CONSENT, project, by=by, now=now, before=before, after=sha256, **undoing(undone))
    project.consent_sha256 = sha256
