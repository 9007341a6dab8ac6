"""The texts of a project that its leads write: guidelines, of which each version is kept, and the consent text."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db import transaction

from annotation import events, membership, projects
from annotation.errors import StalePage
from annotation.models import ConsentText, GuidelineVersion, Project, User


def tidy(text: str) -> str:
    """A text as it is stored: line feeds only, none at its beginning and one at its end; "" if it is blank."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.strip("\n") + "\n" if lines.strip() else ""


@transaction.atomic
def publish_guidelines(
    project: Project, *, text: str, kind: str, fast_share: float, seen: int, by: User | None, now: datetime
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
    events.record("guidelines.published", project, by=by, now=now, **said)
    return made


@transaction.atomic
def change_consent(project: Project, *, text: str, by: User | None, now: datetime) -> bool:
    """Have people accept this text before they go on ("" or the site's own: that of the site); False if they did."""
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    own = text if text and text != tidy(membership.consent_text()[0]) else ""
    sha256 = hashlib.sha256(own.encode()).hexdigest() if own else ""
    if sha256 == locked.consent_sha256:
        return False
    if own:
        ConsentText.objects.get_or_create(project=project, sha256=sha256, defaults={"text": own, "at": now, "by": by})
    Project.objects.filter(pk=project.pk).update(consent_sha256=sha256)
    events.record("project.consent", project, by=by, now=now, before=locked.consent_sha256, after=sha256)
    project.consent_sha256 = sha256
    return True
