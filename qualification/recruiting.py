"""People who come by themselves: open projects, and ids of recruitment sites in the address."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation import membership, projects
from annotation.errors import NotFound, ParticipantKnown
from annotation.models import Project, Role, User
from qualification.models import Participant

LONGEST = 200
"""Characters of a value."""
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

    ParticipantKnown if another account has joined as the same person.
    """
    external_id = next(iter(parameters.values()), "")
    if not external_id:
        return
    if Participant.objects.filter(project=project, external_id=external_id).exclude(user=user).exists():
        raise ParticipantKnown
    try:
        with transaction.atomic():
            Participant.objects.update_or_create(
                project=project,
                user=user,
                defaults={"external_id": external_id, "parameters": dict(parameters), "at": now},
            )
    except IntegrityError:
        raise ParticipantKnown from None


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
