"""The study of a project on Prolific: connected by a lead, read again when they ask, and left.

Its token is encrypted as it is stored: a copy of the database alone does not have it. Submissions are approved here:
Prolific pays their reward. Asking twice approves once, so it may be asked again.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db.models import QuerySet

from annotation import events
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Project, User
from qualification import recruiting
from tasks.engine.transactions import service
from tasks.models import Bonus, Study, StudyGroup, Submission
from tasks.models.prolific import UNDER_WAY
from tasks.prolific import api
from tasks.prolific.answers import StudySaid, SubmissionSaid
from tasks.prolific.api import ProlificApi


def seal(token: str) -> str:
    """The token, encrypted with a key that is derived from SECRET_KEY."""
    return _cipher().encrypt(token.encode()).decode()


def unseal(sealed: str) -> str:
    """The token again. WrongMove if SECRET_KEY has changed since, or the study has ended."""
    try:
        return _cipher().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise WrongMove(_("The token can’t be read any more. Give it again.")) from None


def _cipher() -> Fernet:
    derived = HKDF(hashes.SHA256(), length=32, salt=None, info=b"goldfinch prolific tokens")
    return Fernet(base64.urlsafe_b64encode(derived.derive(settings.SECRET_KEY.encode())))


def is_on() -> bool:
    """Whether the operator has turned Prolific on."""
    return bool(api.base())


def study_of(project: Project) -> Study | None:
    """The study that the project is connected to."""
    return Study.objects.filter(project=project, ended_at=None).first()


def api_of(study: Study) -> ProlificApi:
    """What may be asked with the token of the study. WrongMove if it has ended or its token can't be read any more."""
    return ProlificApi(unseal(study.sealed_token))


def connect(project: Project, *, study_id: str, token: str, currency: str, by: User, now: datetime) -> Study:
    """Read the study with the token, and connect the project to it; the same study again gets the new token.

    Raises what `api` does if it can't be read, and WrongMove if the project has another study, or the study says that
    it pays in another currency.
    """
    found = ProlificApi(token).study(study_id)
    if found.currency and found.currency != currency:
        raise WrongMove(_("The study pays in another currency than the one you gave."))
    study = _connected(project, study_id, seal(token), currency, found, by, now)
    read(study, now=now)
    return study


@service
def _connected(
    project: Project, study_id: str, sealed: str, currency: str, now_there: StudySaid, by: User, now: datetime
) -> Study:
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    current = study_of(project)
    if current is not None and current.study_id != study_id:
        raise WrongMove(_("The project has another study already. Disconnect that one first."))
    study = current or Study(project=project, study_id=study_id, by=by, at=now)
    study.sealed_token, study.currency = sealed, currency
    _take(study, now_there)
    study.save()
    events.record("study.connected", study, by=by, now=now, study=study_id, renewed=current is not None)
    return study


@service
def disconnect(study: Study, *, by: User, now: datetime) -> None:
    """Forget the token and ask nothing more. WrongMove while bonuses are under way, or if it has ended already."""
    row = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if row.ended_at is not None:
        raise WrongMove(_("It is disconnected already."))
    if Bonus.objects.filter(study=row, state__in=[*UNDER_WAY, Bonus.State.UNCLEAR]).exists():
        raise WrongMove(
            _("Bonuses are under way. Wait until each of them is paid or refused, and decide unclear ones.")
        )
    StudyGroup.objects.filter(study=row).delete()
    row.ended_at, row.sealed_token = now, ""
    row.save(update_fields=["ended_at", "sealed_token"])
    events.record("study.disconnected", row, by=by, now=now, study=row.study_id)


def read(study: Study, *, now: datetime) -> int:
    """Read the study and its submissions again; returns how many there are. Raises what `api` does."""
    asked = api_of(study)
    found = asked.study(study.study_id)
    submissions = asked.submissions(study.study_id)
    return _write(study, found, submissions, now)


@service
def _write(study: Study, now_there: StudySaid, submissions: Iterable[SubmissionSaid], now: datetime) -> int:
    row = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if row.ended_at is not None:
        raise NotFound
    if row.read_at is not None and row.read_at > now:
        return row.submissions.count()  # somebody else has read it later
    _take(row, now_there)
    row.read_at = now
    row.save()
    people = recruiting.people_by_id(row.project)
    erased = recruiting.erased_among(row.project, {one.participant_id for one in submissions})
    # One that has come between two pages may be on both.
    kept = {one.submission_id: one for one in submissions if one.participant_id not in erased}
    Submission.objects.bulk_create(
        [Submission(study=row, **_columns(one, people)) for one in kept.values()],
        update_conflicts=True,
        unique_fields=["study", "submission_id"],
        update_fields=["person", "participant_id", "status", "code", "started_at", "completed_at"],
    )
    return len(kept)


def _take(study: Study, now_there: StudySaid) -> None:
    study.name, study.status, study.reward = now_there.name, now_there.status, now_there.reward
    study.address, study.codes = now_there.address, list(now_there.codes)


def _columns(row: SubmissionSaid, people: dict[str, int]) -> dict[str, Any]:
    return vars(row) | {"person_id": people.get(row.participant_id)}


MOST = 1000
"""Submissions in one request, as Prolific recommends."""


def approvable(study: Study) -> QuerySet[Submission]:
    """Those that wait for a review, as was last read."""
    return Submission.objects.filter(study=study, status=Submission.AWAITING).order_by("pk")


def approve(study: Study, submissions: Collection[int], *, by: User, now: datetime) -> int:
    """Ask Prolific to approve these (by key); returns how many it took. Those that don't wait for it are left out.

    WrongMove if none of them does. It is written down before it is asked: without an answer, the page says since when,
    and what Prolific says next, what has become of them.
    """
    rows = _noted(study, submissions, by, now)
    api_of(study).approve([row.submission_id for row in rows])
    _told(study, rows, by, now)
    return len(rows)


@service
def _noted(study: Study, submissions: Collection[int], by: User, now: datetime) -> list[Submission]:
    rows = list(approvable(study).filter(pk__in=submissions)[:MOST])
    if not rows:
        raise WrongMove(_("None of these waits for approval any more."))
    Submission.objects.filter(pk__in=[row.pk for row in rows]).update(approval_at=now)
    events.record("study.approving", study, by=by, now=now, n=len(rows))
    return rows


@service
def _told(study: Study, rows: list[Submission], by: User, now: datetime) -> None:
    events.record("study.approved", study, by=by, now=now, n=len(rows))
