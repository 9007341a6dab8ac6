"""Participant groups on Prolific that hold who has a qualification, so that another study can invite or bar them."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from annotation import events
from annotation.errors import NotFound, Refused, WrongMove
from annotation.i18n import _
from annotation.models import User
from qualification import recruiting
from qualification.models import Grant, GrantState, Qualification
from tasks.engine.transactions import service
from tasks.models import Study, StudyGroup
from tasks.prolific import connecting

A_WHILE = timedelta(minutes=1)
LATER = timedelta(minutes=10)
"""When it is tried again after it did not work."""
LONGEST_PROBLEM = 300


def add(study: Study, qualification: Qualification, group_id: str, *, by: User, now: datetime) -> StudyGroup:
    """Keep a group that exists on Prolific filled with who has the qualification; raises what `api` does.

    WrongMove if the group or the qualification is used already.
    """
    name = connecting.api_of(study).group_name(group_id)
    return _added(study, qualification, group_id, name, by, now)


@service
def _added(study: Study, qualification: Qualification, group_id: str, name: str, by: User, now: datetime) -> StudyGroup:
    row = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if row.ended_at is not None or qualification.project_id != row.project_id:
        raise NotFound
    taken = StudyGroup.objects.filter(study=row)
    if taken.filter(group_id=group_id).exists() or taken.filter(qualification=qualification).exists():
        raise WrongMove(_("This group or this qualification is in use already."))
    made = StudyGroup.objects.create(
        study=row, qualification=qualification, group_id=group_id, name=name, next_at=now, by=by, at=now
    )
    events.record("studygroup.added", made, by=by, now=now, name=name, qualification=qualification.title)
    return made


@service
def drop(group: StudyGroup, *, by: User, now: datetime) -> None:
    """Fill it no more; on Prolific it stays as it is."""
    if not StudyGroup.objects.filter(pk=group.pk).delete()[0]:
        raise NotFound
    events.record("studygroup.dropped", group, by=by, now=now, name=group.name)


def fill_due(*, now: datetime) -> int:
    """Send those in which something has changed since the last time; returns how many."""
    due = StudyGroup.objects.filter(next_at__lte=now).select_related("study__project", "qualification")
    return sum(_is_ours(group, now) and _fill_if_changed(group, now) for group in due.order_by("next_at", "pk"))


def _is_ours(group: StudyGroup, now: datetime) -> bool:
    """Whether nobody else has begun with it; they leave it to us, and we to them, for a while."""
    same = StudyGroup.objects.filter(pk=group.pk, next_at=group.next_at)
    return bool(same.update(next_at=now + A_WHILE))


def participants(group: StudyGroup) -> set[str]:
    """The ids of those who have the qualification now and came from the recruitment site."""
    active = Grant.objects.filter(qualification=group.qualification, state=GrantState.ACTIVE)
    known = recruiting.people_by_id(group.study.project)
    holders = set(active.values_list("user", flat=True))
    return {external_id for external_id, person in known.items() if person in holders}


def _fill_if_changed(group: StudyGroup, now: datetime) -> bool:
    wanted = participants(group)
    mark = hashlib.sha256("\n".join(sorted(wanted)).encode()).hexdigest()
    if mark == group.sent and not group.problem:
        StudyGroup.objects.filter(pk=group.pk).update(next_at=now + A_WHILE)
        return False
    try:
        _fill(group, wanted)
    except Refused as failed:
        _failed(group, failed.message, now)
    else:
        _filled(group, mark, len(wanted), now)
    return True


def _fill(group: StudyGroup, wanted: set[str]) -> None:
    """Add who is missing, and take out who came to this project and lacks the qualification; nobody else.

    Both may be asked again: Prolific leaves out who is in the group, or is not.
    """
    asked = connecting.api_of(group.study)
    there = set(asked.group_members(group.group_id))
    ours = recruiting.people_by_id(group.study.project).keys()
    if missing := sorted(wanted - there):
        asked.add_to_group(group.group_id, missing)
    if over := sorted((there & ours) - wanted):
        asked.remove_from_group(group.group_id, over)


@service
def _filled(group: StudyGroup, mark: str, n: int, now: datetime) -> None:
    changed = {"sent": mark, "sent_at": now, "members": n, "problem": "", "next_at": now + A_WHILE}
    if StudyGroup.objects.filter(pk=group.pk).update(**changed):
        events.record("studygroup.filled", group, by=None, now=now, name=group.name, n=n)


@service
def _failed(group: StudyGroup, problem: str, now: datetime) -> None:
    words = problem[:LONGEST_PROBLEM]
    if StudyGroup.objects.filter(pk=group.pk).update(problem=words, next_at=now + LATER) and words != group.problem:
        events.record("studygroup.failed", group, by=None, now=now, name=group.name, problem=words)
