"""Authorization: one function per kind of object. It returns the object, or raises NotFound if the person may not."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, UUIDField

from annotation import clock, membership, projects, registry
from annotation.db.compiled import Param, Prepared
from annotation.errors import ConsentMissing, NotFound
from annotation.membership import roles_of
from annotation.models import (
    Annotation,
    Case,
    GuidelineVersion,
    Item,
    Job,
    Membership,
    Project,
    Release,
    Role,
    Upload,
    User,
)
from annotation.protocol import Activity, Protocol, Stage
from annotation.records import Step
from annotation.work import Work
from frontend import image_urls
from frontend.accounts import second_step
from frontend.work import signing_in
from qualification.models import Invite
from tasks import assignments, more_annotations, queues
from tasks.disputes import deciding, who
from tasks.eligibility import WORKERS
from tasks.models import ADJUDICATE, Assignment, Queue, Task, Ticket
from tasks.pairs import lobby, side_chat
from tasks.setup import opening
from tasks.states import AssignmentState, TaskState

IN_HAND = (AssignmentState.LEASED, AssignmentState.EXPIRED)
"""States in which the material may still be shown: the work is open, or may be resumed."""


def own_assignment(user: User, uuid: uuids.UUID) -> Assignment:
    """The person's own assignment; ConsentMissing unless they have accepted the consent text."""
    assignment = _own.first(user=user.pk, uuid=uuid)
    if assignment is None or not assignment.works:
        raise NotFound
    found = assignment.task.item.project
    if not assignment.consented:
        raise ConsentMissing(reason=found.slug)
    assignment.annotator = user
    assignment.task.queue.project = found
    if assignment.lease.queue_id == assignment.task.queue_id:
        assignment.lease.queue = assignment.task.queue
    return assignment


@Prepared
def _own() -> QuerySet:
    user, project = Param("user"), OuterRef("task__queue__project")
    rows = Assignment.objects.select_related("task__queue", "task__item__project", "annotation", "lease").annotate(
        works=Q(membership.has_role(user, project, roles=WORKERS))
        | Q(membership.has_role(user, project, roles=[Role.LEAD]), task__queue__activity=ADJUDICATE),
        consented=membership.consented_to(user, project),
    )
    return rows.filter(uuid=Param("uuid", UUIDField()), annotator=user)


def own_ticket(user: User, project: Project, activity: str) -> Ticket:
    """The person's latest visit to a lobby."""
    lobby.lobby_activity(project, activity)
    return _or_not_found(lobby.last_ticket(project, activity, by=user))


def own_shared_assignment(user: User, uuid: uuids.UUID) -> Assignment:
    """The person's own assignment, in any state, in an activity with several seats."""
    assignment = own_assignment(user, uuid)
    if len(assignments.activity_of(assignment).seats) == 1:
        raise NotFound
    return assignment


def own_open_assignment(user: User, uuid: uuids.UUID) -> Assignment:
    """The person's own assignment while its material may be shown."""
    assignment = own_assignment(user, uuid)
    if not in_hand(assignment):
        raise NotFound
    return assignment


def guidelines_of_work(user: User, project: Project, uuid: str) -> GuidelineVersion | None:
    """The version in force when the person's assignment in the project was claimed; None if the uuid names none."""
    try:
        mine = Assignment.objects.filter(uuid=uuids.UUID(uuid), annotator=user, annotation__item__project=project)
    except ValueError:
        return None
    return GuidelineVersion.objects.filter(annotations__assignments__in=mine).first()


def stage_of(work: Work, step: str) -> Stage:
    """The stage of a step, reached or not; NotFound if the activity has no such stage."""
    at = Step.at(step)
    if at.address != step or at.stage not in {each.key for each in work.activity.stages}:
        raise NotFound
    return work.activity.stage(at.stage)


def pictured_assignment(uuid: uuids.UUID, step: str, token: str) -> Assignment:
    """The open assignment that a signed image URL belongs to; the request has no session."""
    annotator = User.objects.filter(assignments__uuid=uuid, is_active=True).first()
    if annotator is None or not image_urls.are_signed(uuid, step, token):
        raise NotFound
    return own_open_assignment(annotator, uuid)


def signed_out_assignment(uuid: uuids.UUID, token: str) -> Assignment:
    """The open shared work whose page asks with its signed address; the request has no session."""
    rows = Assignment.objects.filter(uuid=uuid, state=AssignmentState.LEASED)
    return _or_not_found(rows.first() if signing_in.is_signed(uuid, token) else None)


def in_hand(assignment: Assignment) -> bool:
    """Whether the work is open, may be resumed, or was committed in a block that is still open.

    Expired work can't be resumed once it was finished under a later lease, or its item withdrawn; what is still sent
    for it is kept.
    """
    if assignment.state == AssignmentState.EXPIRED:
        return assignment.annotation.completed_at is None and assignment.task.state != TaskState.CANCELLED
    return assignment.state in IN_HAND or assignments.in_open_block(assignment)


def member_project(user: User, slug: str) -> Project:
    """A project in which the person has any role now."""
    project = Project.objects.filter(slug=slug).first()
    if project is None or not roles_of(user, project):
        raise NotFound
    return project


def open_project(slug: str) -> Project:
    """A project that everybody may join who has its address."""
    project = _or_not_found(Project.objects.filter(slug=slug).first())
    if not projects.project_config(project).recruiting.open:
        raise NotFound
    return project


def project_maker(user: User) -> User:
    """Somebody who may make projects; SecondStepMissing if they need one and theirs is overdue."""
    if not membership.may_make_projects(user):
        raise NotFound
    second_step.check_any(user, now=clock.now())
    return user


def offered_protocol(user: User, key: str) -> Protocol:
    """A protocol of which such a person may make a project."""
    project_maker(user)
    return _or_not_found(next((each for each in registry.all_protocols() if each.key == key), None))


def led_project(user: User, slug: str) -> Project:
    """A project that the person leads; SecondStepMissing if leads need one and theirs is overdue."""
    row = Membership.objects.select_related("project").filter(
        user=user, project__slug=slug, role=Role.LEAD, ended_at__isnull=True
    )
    lead = _or_not_found(row.first())
    second_step.check(user, since=lead.since, now=clock.now())
    return lead.project


def led_activity(user: User, slug: str, activity: str) -> tuple[Project, Activity]:
    """An activity of a project that the person leads."""
    project = led_project(user, slug)
    known = registry.get(project.protocol).activities
    return project, _or_not_found(next((each for each in known if each.key == activity), None))


def led_queue(project: Project, activity: str) -> Queue:
    """The queue of an activity of such a project, if it was ever opened."""
    return _or_not_found(opening.queue_of(project, activity))


def led_item(user: User, slug: str, item_id: int) -> Item:
    """An item of a project that the person leads."""
    project = led_project(user, slug)
    return _or_not_found(project.items.select_related("project", "job").filter(pk=item_id).first())


def led_annotation(user: User, slug: str, item_id: int, uuid: uuids.UUID) -> Annotation:
    """An annotation of such an item."""
    item = led_item(user, slug, item_id)
    return _or_not_found(item.annotations.select_related("item__project").filter(uuid=uuid).first())


def led_task(user: User, slug: str, item_id: int, task: int) -> Task:
    """A task of such an item in which people annotate it."""
    item = led_item(user, slug, item_id)
    rows = Task.objects.select_related("queue__project", "item__project").filter(pk=task, item=item)
    return _or_not_found(rows.exclude(queue__activity=ADJUDICATE).first())


def led_case(user: User, slug: str, item_id: int, case: int) -> Case:
    """A case about such an item."""
    item = led_item(user, slug, item_id)
    rows = Case.objects.select_related("annotation__item__project").filter(pk=case, annotation__item=item)
    return _or_not_found(rows.first())


def led_member(user: User, slug: str, code: str) -> tuple[Project, User]:
    """A project that the person leads, and the member of it with that worker code."""
    project = led_project(user, slug)
    live = Membership.objects.filter(project=project, ended_at__isnull=True)
    return project, _or_not_found(User.objects.filter(memberships__in=live, worker_code=code).first())


def led_invite(user: User, slug: str, invite: int) -> Invite:
    """An invitation into a project that the person leads."""
    project = led_project(user, slug)
    return _or_not_found(project.invites.select_related("project").filter(pk=invite).first())


def led_chat(user: User, slug: str, item_id: int, uuid: uuids.UUID) -> Annotation:
    """Such an annotation, if its pair has written into the side chat."""
    annotation = led_annotation(user, slug, item_id, uuid)
    return _or_not_found(annotation if side_chat.latest(annotation) else None)


def dispute_project(user: User, slug: str) -> Project:
    """A project in which the person is a lead, or an expert (who has perhaps not begun to see answers)."""
    project = member_project(user, slug)
    if not who.may_begin(user, project):
        raise NotFound
    return led_project(user, slug) if Role.LEAD in roles_of(user, project) else project


def compared_activity(user: User, slug: str, activity: str) -> tuple[Project, Activity]:
    """An activity of a project in which the person sees everybody's answers."""
    project = dispute_project(user, slug)
    found = next((each for each in registry.get(project.protocol).activities if each.key == activity), None)
    if found is None or not who.sees_answers(user, project):
        raise NotFound
    return project, found


def compared_item(user: User, slug: str, activity: str, item_id: int) -> tuple[Item, Activity]:
    """An item of such an activity whose answers the person may see."""
    project, found = compared_activity(user, slug, activity)
    rows = project.items.select_related("project", "root").filter(queues.visible(), kind=found.kind)
    item = who.visible_to(user, project, rows).filter(pk=item_id).first()
    return _or_not_found(item), found


def disputed_task(user: User, slug: str, activity: str, item_id: int) -> Task:
    """The task of such an item whose answers were disputed, decided or not."""
    item, found = compared_item(user, slug, activity, item_id)
    return _or_not_found(deciding.task_of(item, found.key))


def once_disputed_task(user: User, slug: str, activity: str, item_id: int) -> Task:
    """Such a task too for which more annotations were asked for, perhaps while the person was looking at it."""
    item, found = compared_item(user, slug, activity, item_id)
    task = deciding.task_of(item, found.key)
    if task is None and not who.worked_on(user, item):
        task = more_annotations.awaiting_of(item, found.key)
    return _or_not_found(task)


def asked_task(user: User, slug: str, task_id: int) -> Task:
    """A task whose answers the person may see and about which they may decide, disputed or not."""
    project = dispute_project(user, slug)
    rows = Task.objects.select_related("queue__project", "item__project").filter(queue__project=project, pk=task_id)
    task = _or_not_found(rows.exclude(queue__activity=ADJUDICATE).first())
    compared_item(user, slug, task.activity, task.item_id)
    return _or_not_found(None if who.worked_on(user, task.item) else task)


def led_person(user: User, slug: str, code: str) -> tuple[Project, User]:
    """A project that the person leads, and somebody with that worker code who is or was a member of it."""
    project = led_project(user, slug)
    rows = User.objects.filter(worker_code=code, memberships__project=project).distinct()
    return project, _or_not_found(rows.first())


def own_work(user: User, project: Project, uuid: str) -> Assignment | None:
    """The person's own assignment of the project with this uuid; None if it names none."""
    try:
        mine = Assignment.objects.filter(uuid=uuids.UUID(uuid), annotator=user, task__item__project=project)
    except ValueError:
        return None
    return mine.select_related("task__item__project").first()


def timed_person(project: Project, code: str) -> User:
    """The person with that worker code, if they have time or amendments in the project."""
    known = Q(time_spans__project=project) | Q(time_amendments__project=project)
    return _or_not_found(User.objects.filter(known, worker_code=code).distinct().first())


def led_release(user: User, slug: str, version: int) -> Release:
    """A ready release of a project that the person leads."""
    release = seen_release(user, slug, version)
    return _or_not_found(release if release.state == Release.State.READY else None)


def seen_release(user: User, slug: str, version: int) -> Release:
    """A ready or retracted release of a project that the person leads; nothing of the latter can be downloaded."""
    project = led_project(user, slug)
    rows = project.releases.select_related("project", "by").filter(version=version)
    return _or_not_found(rows.filter(state__in=(Release.State.READY, Release.State.RETRACTED)).first())


def led_job(user: User, slug: str, key: int, *, kinds: tuple[str, ...]) -> Job:
    """A job of one of these kinds in a project that the person leads."""
    project = led_project(user, slug)
    return _or_not_found(project.jobs.select_related("project").filter(pk=key, kind__in=kinds).first())


def key_of(text: str) -> int:
    """The key of a row in an address; 0, which no row has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < len(str(2**63)) else 0


def own_upload(user: User, slug: str, uuid: uuids.UUID) -> Upload:
    """The person's own upload into a project that they lead."""
    project = led_project(user, slug)
    return _or_not_found(project.uploads.select_related("project").filter(by=user, uuid=uuid).first())


def _or_not_found(row: Any) -> Any:
    if row is None:
        raise NotFound
    return row
