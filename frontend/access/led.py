"""What belongs to a project that the person leads. Where the operator has not turned Prolific on, no study does."""

from __future__ import annotations

import uuid as uuids

from django.db.models import Q

from annotation.errors import NotFound
from annotation.models import Annotation, Case, Item, Job, Membership, Project, Release, Upload, User
from frontend.access.projects import led_project, or_not_found
from qualification.courses import editing
from qualification.models import Attempt, AttemptPurpose, CourseVersion, Grant, Invite, Qualification
from tasks.models import NO_DATA, Bonus, Delivery, Study, StudyGroup, Task, Webhook
from tasks.pairs import side_chat
from tasks.prolific import connecting


def led_item(user: User, slug: str, item_id: int) -> Item:
    """An item of a project that the person leads, in the work or set aside."""
    project = led_project(user, slug)
    rows = Item.with_set_aside.select_related("project", "job").filter(project=project, pk=item_id)
    return or_not_found(rows.first())


def led_annotation(user: User, slug: str, item_id: int, uuid: uuids.UUID) -> Annotation:
    """An annotation of such an item."""
    item = led_item(user, slug, item_id)
    return or_not_found(item.annotations.select_related("item__project").filter(uuid=uuid).first())


def led_chat(user: User, slug: str, item_id: int, uuid: uuids.UUID) -> Annotation:
    """Such an annotation, if its pair has written into the side chat."""
    annotation = led_annotation(user, slug, item_id, uuid)
    return or_not_found(annotation if side_chat.latest(annotation) else None)


def led_task(user: User, slug: str, item_id: int, task: int) -> Task:
    """A task of such an item in which people annotate it."""
    item = led_item(user, slug, item_id)
    rows = Task.objects.select_related("queue__project", "item__project").filter(pk=task, item=item)
    return or_not_found(rows.exclude(queue__activity__in=NO_DATA).first())


def led_case(user: User, slug: str, item_id: int, case: int) -> Case:
    """A case about such an item."""
    item = led_item(user, slug, item_id)
    rows = Case.objects.select_related("annotation__item__project").filter(pk=case, annotation__item=item)
    return or_not_found(rows.first())


def led_member(user: User, slug: str, code: str) -> tuple[Project, User]:
    """A project that the person leads, and the member of it with that worker code."""
    project = led_project(user, slug)
    live = Membership.objects.filter(project=project, ended_at__isnull=True)
    return project, or_not_found(User.objects.filter(memberships__in=live, worker_code=code).first())


def led_person(user: User, slug: str, code: str) -> tuple[Project, User]:
    """A project that the person leads, and somebody with that worker code who is or was a member of it."""
    project = led_project(user, slug)
    rows = User.objects.filter(worker_code=code, memberships__project=project).distinct()
    return project, or_not_found(rows.first())


def timed_person(project: Project, code: str) -> User:
    """The person with that worker code, if they have time or amendments in the project."""
    known = Q(time_spans__project=project) | Q(time_amendments__project=project)
    return or_not_found(User.objects.filter(known, worker_code=code).distinct().first())


def led_invite(user: User, slug: str, invite: int) -> Invite:
    """An invitation into a project that the person leads."""
    project = led_project(user, slug)
    return or_not_found(project.invites.select_related("project").filter(pk=invite).first())


def led_qualification(user: User, slug: str, key: str) -> Qualification:
    """A qualification of a project that the person leads."""
    project = led_project(user, slug)
    return or_not_found(project.qualifications.select_related("project").filter(key=key).first())


def led_grant(user: User, slug: str, key: str, grant: int) -> Grant:
    """A grant of such a qualification."""
    rows = Grant.objects.select_related("qualification__project", "user")
    return or_not_found(rows.filter(pk=grant, qualification=led_qualification(user, slug, key)).first())


def led_draft(user: User, slug: str, key: str) -> CourseVersion:
    """The draft of the course for such a qualification."""
    return or_not_found(editing.draft_of(led_qualification(user, slug, key)))


def led_course(user: User, slug: str, key: str, version: int) -> CourseVersion:
    """A version of the course for such a qualification, published or a draft."""
    rows = led_qualification(user, slug, key).course_versions.select_related("qualification__project")
    return or_not_found(rows.filter(version=version).first())


def led_attempt(user: User, slug: str, key: str, uuid: uuids.UUID) -> Attempt:
    """An attempt at the exam of such a qualification; trials are none."""
    rows = led_qualification(user, slug, key).attempts.filter(purpose=AttemptPurpose.EXAM, uuid=uuid)
    return or_not_found(rows.select_related("course", "qualification__project", "user").first())


def led_release(user: User, slug: str, version: int) -> Release:
    """A ready release of a project that the person leads."""
    release = seen_release(user, slug, version)
    return or_not_found(release if release.state == Release.State.READY else None)


def seen_release(user: User, slug: str, version: int) -> Release:
    """A ready or retracted release of a project that the person leads; nothing of the latter can be downloaded."""
    project = led_project(user, slug)
    rows = project.releases.select_related("project", "by").filter(version=version)
    return or_not_found(rows.filter(state__in=(Release.State.READY, Release.State.RETRACTED)).first())


def led_job(user: User, slug: str, key: int, *, kinds: tuple[str, ...]) -> Job:
    """A job of one of these kinds in a project that the person leads."""
    project = led_project(user, slug)
    return or_not_found(project.jobs.select_related("project").filter(pk=key, kind__in=kinds).first())


def own_upload(user: User, slug: str, uuid: uuids.UUID) -> Upload:
    """The person's own upload into a project that they lead."""
    project = led_project(user, slug)
    return or_not_found(project.uploads.select_related("project").filter(by=user, uuid=uuid).first())


def led_webhook(user: User, slug: str, key: int) -> Webhook:
    """A webhook of such a project that has not ended."""
    project = led_project(user, slug)
    rows = Webhook.objects.select_related("project", "by").filter(project=project, ended_at=None, pk=key)
    return or_not_found(rows.first())


def led_delivery(user: User, slug: str, key: int, delivery: int) -> Delivery:
    """A delivery of such a webhook."""
    webhook = led_webhook(user, slug, key)
    return or_not_found(webhook.deliveries.select_related("webhook").filter(pk=delivery).first())


def led_recruited(user: User, slug: str) -> Project:
    """A project that the person leads."""
    if not connecting.is_on():
        raise NotFound
    return led_project(user, slug)


def led_study(user: User, slug: str) -> Study:
    """The study that such a project is connected to."""
    return or_not_found(connecting.study_of(led_recruited(user, slug)))


def led_bonus(user: User, slug: str, settlement: uuids.UUID) -> Bonus:
    """A bonus of such a project."""
    project = led_recruited(user, slug)
    return or_not_found(Bonus.objects.filter(study__project=project, settlement=settlement).first())


def led_group(user: User, slug: str, group: int) -> StudyGroup:
    """A participant group of the study that such a project is connected to."""
    return or_not_found(StudyGroup.objects.filter(study=led_study(user, slug), pk=group).first())
