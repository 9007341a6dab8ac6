"""The texts of a project that its leads write: guidelines, of which each version is kept, and the consent text."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db import transaction

from annotation import events, membership, projects
from annotation.errors import NotFound, StalePage, WrongMove
from annotation.models import ConsentText, Event, GuidelineVersion, Project, User
from annotation.setup import changes

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
    events.record(PUBLISHED, project, by=by, now=now, **said, **changes.undoing(undone))
    return made


@transaction.atomic
def go_back_to_guidelines(project: Project, event: int, *, by: User, now: datetime) -> None:
    """Put the version before the one of that event in force again, as a new version of the same kind of change.

    Annotations keep the version that they were made under. Raises NotFound for the first version, and WrongMove if
    there is a newer one.
    """
    row = changes.event_of_project(project, event, kind=PUBLISHED)
    before = project.guidelines.filter(number__lt=row.data["number"]).order_by("-number").first()
    if before is None:
        raise NotFound
    said = {"text": before.text, "fast_share": before.fast_share, "kind": row.data["change"]}
    try:
        publish_guidelines(project, **said, seen=row.data["number"], by=by, now=now, undone=row)
    except StalePage:
        raise WrongMove(changes.LATER) from None


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
    row = changes.event_of_project(project, event, kind=CONSENT)
    if _locked_consent(project) != row.data["after"]:
        raise WrongMove(changes.LATER)
    _set_consent(project, row.data["before"], by=by, now=now, undone=row)


def _locked_consent(project: Project) -> str:
    """The hash of the consent text that counts, with the project locked."""
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk).consent_sha256


def _set_consent(project: Project, sha256: str, *, by: User | None, now: datetime, undone: Event | None = None) -> None:
    before = _locked_consent(project)
    Project.objects.filter(pk=project.pk).update(consent_sha256=sha256)
    events.record(CONSENT, project, by=by, now=now, before=before, after=sha256, **changes.undoing(undone))
    project.consent_sha256 = sha256
