"""Work that a person may do by script: where a lead has turned that on, and only what queues hand out."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Value
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation import membership, projects
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import NotEligible, NotFound
from annotation.models import Draft, Project, Purpose, User
from frontend import access, my_time
from frontend.work.holds.assignment_hold import AssignmentHold
from qualification.models import ApiToken
from tasks.engine.eligibility import WORKERS
from tasks.models import Assignment
from tasks.models.states import AssignmentState


def scripted_project(user: User, slug: str) -> Project:
    """A project in which the person has a role, and may work by script; NotEligible if its leads don't want that."""
    project = access.member_project(user, slug)
    _check(project)
    return project


def scripted_projects(user: User) -> list[Project]:
    """The projects in which the person works now and may do so by script, by title."""
    return [each for each in my_time.worked_in(user) if projects.project_config(each).work_by_script]


def scripted_hold(user: User, uuid: uuids.UUID) -> AssignmentHold:
    """The person's own work of a queue; NotFound for judging, references, courses and trials, and ConsentMissing."""
    found = access.own_assignment(user, uuid)
    if found.task.exhibit_id is not None or found.annotation.purpose != Purpose.WORK:
        raise NotFound
    _check(found.task.item.project)
    return AssignmentHold(found)


def open_hold(user: User, uuid: uuids.UUID) -> AssignmentHold:
    """The same, while its material may be shown."""
    held = scripted_hold(user, uuid)
    if not held.in_hand:
        raise NotFound
    return held


def shared_hold(user: User, uuid: uuids.UUID) -> AssignmentHold:
    """The same, in an activity with several seats."""
    held = scripted_hold(user, uuid)
    if len(held.work().activity.seats) == 1:
        raise NotFound
    return held


def work_in_hand(user: User) -> list[dict[str, Any]]:
    """What the person holds where they may work by script and have accepted the consent text, oldest first."""
    rows = Assignment.objects.filter(
        annotator=user, state=AssignmentState.LEASED, task__exhibit=None, annotation__purpose=Purpose.WORK
    )
    rows = rows.filter(
        membership.has_role(user, OuterRef("task__item__project"), roles=WORKERS),
        membership.consented_to(user, OuterRef("task__item__project"), site_text=Value(membership.consent_text()[1])),
    )
    found = rows.select_related("task__item__project", "lease").order_by("claimed_at", "pk")
    return [
        {
            "uuid": row.uuid,
            "project": row.task.item.project.slug,
            "activity": row.task.activity,
            "claimed_at": row.claimed_at,
            "ends_at": row.lease.expires_at,
        }
        for row in found
        if projects.project_config(row.task.item.project).work_by_script
    ]


def _check(project: Project) -> None:
    if not projects.project_config(project).work_by_script:
        said = _("The work of this project is done in the browser. Its leads can let annotators work by script.")
        raise NotEligible(said, reason="browser_only")


def version_of(held: AssignmentHold, work: Work, draft: Draft | None, step: str, token: ApiToken) -> dict[str, object]:
    """What a call about the step sends back, so that nothing is overwritten: the fields that a page has hidden.

    `client` stands for the token, as for a page that stays open; `after` for whichever page or token has the work.
    """
    return {
        "seen": work.seen_at(step),
        "client": client_of(token),
        "after": held.as_hold().client,
        "base": draft.seq if draft else 0,
    }


def client_of(token: ApiToken) -> uuids.UUID:
    """The id of the page load that a token counts as."""
    digest = salted_hmac("goldfinch.token.client", token.secret_sha256, algorithm="sha256").digest()
    return uuids.UUID(bytes=digest[:16], version=4)


def load_of(version: Mapping[str, Any]) -> PageLoad:
    """The page load of such a version."""
    return PageLoad(version["client"], version["after"], version["base"])


def submission_key_of(token: ApiToken, header: str) -> uuids.UUID:
    """The submission key that an `Idempotency-Key` stands for: itself if it is a UUID."""
    try:
        return uuids.UUID(header)
    except ValueError:
        return uuids.uuid5(client_of(token), header)
