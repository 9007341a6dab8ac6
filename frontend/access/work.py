"""A person's own work: its pages, its images, its place in a lobby, the courses they take and their attempts."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import CharField, OuterRef, Q, QuerySet, UUIDField

from annotation import membership
from annotation.db.compiled import Param, Prepared
from annotation.engine.work import Work
from annotation.errors import ConsentMissing, NotFound
from annotation.membership import roles_of
from annotation.models import GuidelineVersion, Project, Purpose, Role, User
from annotation.protocol import Stage
from annotation.values.records import Step
from frontend import image_urls
from frontend.access.disputes import reference_item
from frontend.access.projects import member_project, or_not_found
from frontend.work import signing_in
from frontend.work.holds.any_hold import AnyHold
from frontend.work.holds.assignment_hold import AssignmentHold, in_hand
from frontend.work.holds.rater_hold import RaterHold, TogetherHold
from frontend.work.holds.try_hold import ExamHold, TryHold, TutorialHold
from qualification.models import Attempt, Qualification, Try
from tasks.engine import assignments
from tasks.engine.eligibility import WORKERS
from tasks.judging import together
from tasks.models import NO_DATA, Assignment, Ticket
from tasks.models.states import AssignmentState
from tasks.pairs import lobby


def course_qualification(user: User, slug: str, key: str) -> Qualification:
    """A qualification of a project in which the person has any role, if it has a course now or had one."""
    project = member_project(user, slug)
    rows = project.qualifications.select_related("project").filter(key=key, course_versions__published_at__isnull=False)
    return or_not_found(rows.first())


def own_attempt(user: User, uuid: uuids.UUID) -> Attempt:
    """The person's own attempt, as long as they have a role in its project."""
    rows = Attempt.objects.select_related("course", "qualification__project", "user").filter(uuid=uuid, user=user)
    attempt = or_not_found(rows.first())
    return or_not_found(attempt if roles_of(user, attempt.qualification.project) else None)


def own_assignment(user: User, uuid: uuids.UUID) -> Assignment:
    """The person's own assignment; ConsentMissing unless they have accepted the consent text."""
    row = _own.first(user=user.pk, uuid=uuid, site_text=membership.consent_text()[1])
    if row is None or not row.works:
        raise NotFound
    assignment: Assignment = row
    found = assignment.task.item.project
    if not row.consented:
        raise ConsentMissing(reason=found.slug)
    assignment.annotator = user
    assignment.task.queue.project = found
    if assignment.lease.queue_id == assignment.task.queue_id:
        assignment.lease.queue = assignment.task.queue
    return assignment


@Prepared
def _own() -> QuerySet[Assignment]:
    user, project = Param("user"), OuterRef("task__queue__project")
    rows = Assignment.objects.select_related("task__queue", "task__item__project", "annotation", "lease").annotate(
        works=Q(membership.has_role(user, project, roles=WORKERS))
        | Q(membership.has_role(user, project, roles=[Role.LEAD]), task__queue__activity__in=NO_DATA),
        consented=membership.consented_to(user, project, site_text=Param("site_text", CharField())),
    )
    return rows.filter(uuid=Param("uuid", UUIDField()), annotator=user)


def _own_assignment_hold(user: User, uuid: uuids.UUID) -> AnyHold:
    found = own_assignment(user, uuid)
    if found.task.exhibit_id is None:
        return AssignmentHold(found)
    parts = together.on_screen_of(found)
    return TogetherHold(parts[0], tuple(parts)) if parts else RaterHold(found)


def own_try(user: User, uuid: uuids.UUID) -> Try:
    """The person's own trial, open or finished, of an item for which they may write a reference."""
    rows = _own_tries(user).filter(annotation__purpose=Purpose.TRIAL, attempt=None, enrolment=None)
    found = or_not_found(rows.filter(uuid=uuid).first())
    reference_item(user, found.annotation.item.project.slug, found.annotation.item_id)
    return found


def _own_try_hold(user: User, uuid: uuids.UUID) -> AnyHold:
    return TryHold(own_try(user, uuid), user)


def _own_tries(user: User) -> QuerySet[Try]:
    rows = Try.objects.select_related("annotation__item__project", "annotation__author")
    return rows.filter(annotation__author=user)


def _own_course_hold(user: User, uuid: uuids.UUID) -> AnyHold:
    """The person's own item of an exam or a tutorial, as long as they have a role in the project."""
    rows = (
        _own_tries(user)
        .select_related("attempt__course__qualification", "attempt__qualification__project", "attempt__user")
        .select_related("enrolment__course__qualification__project", "enrolment__user")
    )
    belongs = Q(attempt__isnull=False) | Q(enrolment__isnull=False)
    found = or_not_found(rows.filter(belongs, uuid=uuid).first())
    if not membership.roles_of(user, found.annotation.item.project):
        raise NotFound
    if found.attempt is not None:
        return ExamHold(found, user, found.attempt)
    return TutorialHold(found, user, or_not_found(found.enrolment))


@dataclass(frozen=True)
class HoldKind:
    """A kind of holds: `own` returns a person's own of that kind, or raises NotFound; `named`: where users are asked
    for, the lookup by which its holder is found."""

    own: Callable[[User, uuids.UUID], AnyHold]
    named: str


KINDS = (
    HoldKind(_own_assignment_hold, "assignments__uuid"),
    HoldKind(_own_course_hold, "annotations__held_try__uuid"),
    HoldKind(_own_try_hold, "annotations__held_try__uuid"),
)
"""The kinds of holds, those asked for most first.

A kind that is added here has the work screen with all of its addresses (`AnyHold.abilities` says which); the views of
what only an assignment can do ask for that.
"""


def own_hold(user: User, uuid: uuids.UUID) -> AnyHold:
    """The person's own hold on work, of whatever kind; ConsentMissing as for `own_assignment`."""
    for kind in KINDS:
        try:
            return kind.own(user, uuid)
        except NotFound:
            continue
    raise NotFound


def own_open_hold(user: User, uuid: uuids.UUID) -> AnyHold:
    """The same, while its material may be shown."""
    held = own_hold(user, uuid)
    return or_not_found(held if held.in_hand else None)


def own_open_assignment(user: User, uuid: uuids.UUID) -> Assignment:
    """The person's own assignment while its material may be shown."""
    assignment = own_assignment(user, uuid)
    if not in_hand(assignment):
        raise NotFound
    return assignment


def own_shared_assignment(user: User, uuid: uuids.UUID) -> Assignment:
    """The person's own assignment, in any state, in an activity with several seats."""
    assignment = own_assignment(user, uuid)
    if len(assignments.activity_of(assignment).seats) == 1:
        raise NotFound
    return assignment


def own_work(user: User, project: Project, uuid: str) -> Assignment | None:
    """The person's own assignment of the project with this uuid; None if it names none."""
    try:
        mine = Assignment.objects.filter(uuid=uuids.UUID(uuid), annotator=user, task__item__project=project)
    except ValueError:
        return None
    return mine.select_related("task__item__project").first()


def own_ticket(user: User, project: Project, activity: str) -> Ticket:
    """The person's latest visit to a lobby."""
    lobby.lobby_activity(project, activity)
    return or_not_found(lobby.last_ticket(project, activity, by=user))


def pictured_hold(uuid: uuids.UUID, step: str, token: str) -> AnyHold:
    """The open work that a signed image URL belongs to; the request has no session."""
    annotator = _annotator_of(uuid) if image_urls.are_signed(uuid, step, token) else None
    return own_open_hold(or_not_found(annotator), uuid)


def signed_out_assignment(uuid: uuids.UUID, token: str) -> Assignment:
    """The open shared work whose page asks with its signed address, of somebody who may go on with it.

    The request has no session.
    """
    annotator = _annotator_of(uuid) if signing_in.is_signed(uuid, token) else None
    assignment = own_assignment(or_not_found(annotator), uuid)
    return or_not_found(assignment if assignment.state == AssignmentState.LEASED else None)


def _annotator_of(uuid: uuids.UUID) -> User | None:
    """Whose hold that is, if they can sign in."""
    for kind in KINDS:
        if (found := User.objects.filter(**{kind.named: uuid}, is_active=True).first()) is not None:
            return found
    return None


def stage_of(work: Work, step: str) -> Stage:
    """The stage of a step, reached or not; NotFound if the activity has no such stage."""
    at = Step.at(step)
    if at.address != step or at.stage not in {each.key for each in work.activity.stages}:
        raise NotFound
    return work.activity.stage(at.stage)


def guidelines_of_work(user: User, project: Project, uuid: str) -> GuidelineVersion | None:
    """The version in force when the person's work in the project was claimed or begun; None if the uuid names none."""
    try:
        named = uuids.UUID(uuid)
    except ValueError:
        return None
    held = Assignment.objects.filter(uuid=named, annotator=user, annotation__item__project=project)
    tried = Try.objects.filter(uuid=named, annotation__author=user, annotation__item__project=project)
    found = GuidelineVersion.objects.filter(annotations__assignments__in=held).first()
    return found or GuidelineVersion.objects.filter(annotations__held_try__in=tried).first()
