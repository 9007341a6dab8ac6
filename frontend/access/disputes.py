"""Everybody's answers, for leads and for experts who have begun to see them."""

from __future__ import annotations

from annotation import registry
from annotation.errors import NotFound
from annotation.membership import roles_of
from annotation.models import Item, Project, Role, User
from annotation.protocol import Activity
from annotation.releases.selection import known_items
from frontend.access.projects import led_project, member_project, or_not_found
from tasks.corrections import more_annotations
from tasks.disputes import deciding, who
from tasks.models import NO_DATA, Task


def dispute_project(user: User, slug: str) -> Project:
    """A project in which the person is a lead, or an expert (who has perhaps not begun to see answers)."""
    project = member_project(user, slug)
    if not who.may_begin(user, project):
        raise NotFound
    return led_project(user, slug) if Role.LEAD in roles_of(user, project) else project


def reference_item(user: User, slug: str, item_id: int) -> Item:
    """An item for which the person may write a reference: a lead for any of the project, an expert for those that are
    set aside.
    """
    project = dispute_project(user, slug)
    rows = Item.with_set_aside.select_related("project", "job").filter(known_items(), project=project, pk=item_id)
    if Role.LEAD not in roles_of(user, project):
        rows = rows.filter(set_aside_at__isnull=False)
    return or_not_found(rows.first())


def compared_activity(user: User, slug: str, activity: str) -> tuple[Project, Activity]:
    """An activity of a project in which the person sees everybody's answers."""
    project = dispute_project(user, slug)
    found = next((each for each in registry.get(project.protocol).activities if each.key == activity), None)
    if found is None or not who.sees_answers(user, project):
        raise NotFound
    return project, found


def compared_item(user: User, slug: str, activity: str, item_id: int) -> tuple[Item, Activity]:
    """An item of such an activity whose answers the person may see; a lead also one that is set aside."""
    project, found = compared_activity(user, slug, activity)
    every = Item.with_set_aside if Role.LEAD in roles_of(user, project) else Item.objects
    rows = every.select_related("project", "root").filter(known_items(), project=project, kind=found.kind)
    item = who.visible_to(user, project, rows).filter(pk=item_id).first()
    return or_not_found(item), found


def disputed_task(user: User, slug: str, activity: str, item_id: int) -> Task:
    """The task of such an item whose answers were disputed, decided or not."""
    item, found = compared_item(user, slug, activity, item_id)
    return or_not_found(deciding.task_of(item, found.key))


def once_disputed_task(user: User, slug: str, activity: str, item_id: int) -> Task:
    """Such a task too for which more annotations were asked for, perhaps while the person was looking at it."""
    item, found = compared_item(user, slug, activity, item_id)
    task = deciding.task_of(item, found.key)
    if task is None and not who.worked_on(user, item):
        task = more_annotations.awaiting_of(item, found.key)
    return or_not_found(task)


def asked_task(user: User, slug: str, task_id: int) -> Task:
    """A task whose answers the person may see and about which they may decide, disputed or not."""
    project = dispute_project(user, slug)
    rows = Task.objects.select_related("queue__project", "item__project").filter(queue__project=project, pk=task_id)
    task = or_not_found(rows.exclude(queue__activity__in=NO_DATA).first())
    compared_item(user, slug, task.activity, task.item_id)
    return or_not_found(None if who.worked_on(user, task.item) else task)
