"""People who come by themselves: open projects, and ids of recruitment sites in the address."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation import membership, projects, pseudonyms
from annotation.errors import NotFound, ParticipantKnown
from annotation.i18n import _
from annotation.models import Project, Role, User
from qualification.models import Enrolment, Participant

LONGEST = 200
"""Characters of a value."""
FORGOTTEN = "erased:"
"""What the fingerprint of an erased participant begins with."""
OTHER_PARTICIPANT = _("This account is that of another participant. Sign out, and join with one of your own.")
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What MTurk sends for an assignment that the person has not accepted yet."""


def given(project: Project, query: Mapping[str, str]) -> dict[str, str]:
    """What the address says about the person, by the names that the project expects; the one that names them first."""
    wanted = projects.project_config(project).recruiting.parameters
    found = {name: query.get(name, "")[:LONGEST].replace("\0", "") for name in wanted}
    return {name: value for name, value in found.items() if value and value != PREVIEW}


@transaction.atomic
def note(project: Project, *, user: User, parameters: Mapping[str, str], now: datetime) -> None:
    """Keep who the person is on the recruitment site, if the address says so; the latest visit counts.

    ParticipantKnown if another account has joined as the same person, or was erased; or if this account is that of
    another participant, who has begun a course: their attempts would stay behind with it, and they could come anew.
    """
    external_id = next(iter(parameters.values()), "")
    if not external_id:
        return
    membership.lock_person(user, project)
    rows = Participant.objects.filter(project=project)
    names = (external_id, _fingerprint(project, external_id))
    if rows.filter(external_id__in=names).exclude(user=user).exists():
        raise ParticipantKnown
    known = rows.filter(user=user).exclude(external_id=external_id).exists()
    if known and Enrolment.objects.filter(user=user, course__qualification__project=project).exists():
        raise ParticipantKnown(OTHER_PARTICIPANT)
    try:
        with transaction.atomic():
            Participant.objects.update_or_create(
                project=project,
                user=user,
                defaults={"external_id": external_id, "parameters": dict(parameters), "at": now},
            )
    except IntegrityError:
        raise ParticipantKnown from None


def forget(user: User) -> None:
    """Replace who the person is on recruitment sites by a fingerprint, by which they are known if they come again."""
    for row in Participant.objects.filter(user=user).exclude(external_id__startswith=FORGOTTEN):
        row.external_id, row.parameters = _fingerprint(row.project, row.external_id), {}
        row.save(update_fields=["external_id", "parameters"])


def _fingerprint(project: Project, external_id: str) -> str:
    return FORGOTTEN + pseudonyms.of_participant(project.pk, external_id)


@transaction.atomic
def join(project: Project, *, user: User, parameters: Mapping[str, str], now: datetime) -> None:
    """Make the person an annotator of an open project. NotFound if it is not open (any more)."""
    current = Project.objects.get(pk=project.pk)
    if not projects.project_config(current).recruiting.open:
        raise NotFound
    membership.join(project=current, user=user, role=Role.ANNOTATOR, by=user, now=now, open=True)
    note(current, user=user, parameters=parameters, now=now)


@transaction.atomic
def join_as_new(
    project: Project, *, username: str, password_hash: str, email: str, parameters: Mapping[str, str], now: datetime
) -> User:
    """The same with a new account."""
    user = membership.make_account(username=username, password_hash=password_hash, email=email)
    join(project, user=user, parameters=parameters, now=now)
    return user


def people_by_id(project: Project) -> dict[str, int]:
    """The keys of the people who came to the project from a recruitment site, by their ids there."""
    known = Participant.objects.filter(project=project).exclude(external_id__startswith=FORGOTTEN)
    return dict(known.values_list("external_id", "user"))


def erased_among(project: Project, external_ids: Collection[str]) -> set[str]:
    """Which of these ids are of people who were erased here: nothing about them is to be kept again."""
    marks = set(
        Participant.objects.filter(project=project, external_id__startswith=FORGOTTEN).values_list(
            "external_id", flat=True
        )
    )
    return {one for one in external_ids if _fingerprint(project, one) in marks} if marks else set()
