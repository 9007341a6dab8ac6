"""Projects: who is a member, who leads them, who may join or make one."""

from __future__ import annotations

from typing import TypeVar

from annotation import clock, membership, projects, registry
from annotation.errors import NotFound
from annotation.membership import roles_of
from annotation.models import AllowedHost, Job, Membership, Project, Role, User
from annotation.protocol import Activity, Protocol
from frontend.accounts import second_step
from qualification import api_tokens
from qualification.models import ApiToken
from tasks.models import Queue
from tasks.setup import opening

Row = TypeVar("Row")


def or_not_found(row: Row | None) -> Row:
    """The row; NotFound if there is none."""
    if row is None:
        raise NotFound
    return row


def key_of(text: str) -> int:
    """The key of a row in an address; 0, which no row has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < len(str(2**63)) else 0


def member_project(user: User, slug: str) -> Project:
    """A project in which the person has any role now."""
    project = Project.objects.filter(slug=slug).first()
    if project is None or not roles_of(user, project):
        raise NotFound
    return project


def open_project(slug: str) -> Project:
    """A project that everybody may join who has its address."""
    project = or_not_found(Project.objects.filter(slug=slug, archived_at=None).first())
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
    return or_not_found(next((each for each in registry.all_protocols() if each.key == key), None))


def led_project(user: User, slug: str) -> Project:
    """A project that the person leads; SecondStepMissing if leads need one and theirs is overdue."""
    row = Membership.objects.select_related("project").filter(
        user=user, project__slug=slug, role=Role.LEAD, ended_at__isnull=True
    )
    lead = or_not_found(row.first())
    second_step.check(user, since=lead.since, now=clock.now())
    return lead.project


def led_activity(user: User, slug: str, activity: str) -> tuple[Project, Activity]:
    """An activity of a project that the person leads."""
    project = led_project(user, slug)
    known = registry.get(project.protocol).activities
    return project, or_not_found(next((each for each in known if each.key == activity), None))


def led_queue(project: Project, activity: str) -> Queue:
    """The queue of an activity of such a project, if it was ever opened."""
    return or_not_found(opening.queue_of(project, activity))


def own_token(user: User, pk: int) -> ApiToken:
    """A token of the person's own that was not revoked."""
    return or_not_found(api_tokens.tokens_of(user).filter(pk=pk).first())


def site_admin(user: User) -> User:
    """An admin of the site; SecondStepMissing if they need one and theirs is overdue."""
    if not membership.is_admin(user):
        raise NotFound
    second_step.check_any(user, now=clock.now())
    return user


def site_account(user: User, code: str) -> User:
    """The account with that worker code, of somebody who can sign in here, for an admin."""
    site_admin(user)
    return or_not_found(User.objects.filter(worker_code=code, imported_as=None).first())


def site_job(user: User, key: int) -> Job:
    """A long job of any project, for an admin."""
    site_admin(user)
    return or_not_found(Job.objects.select_related("project").filter(pk=key).first())


def site_host(user: User, key: int) -> AllowedHost:
    """A host that the site may call, for an admin."""
    site_admin(user)
    return or_not_found(AllowedHost.objects.filter(pk=key).first())
