"""Correcting what is right of an item in a published version, options or references, and grading its attempts again.

Those who are admitted by it are given the qualification; nobody loses one, whatever becomes of an outcome. Attempts
that are open are graded with the corrected key when they end; voided ones and trials stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from pydantic import ValidationError

from annotation import events
from annotation.engine.exclusion import checked_reason
from annotation.errors import NotFound, StalePage, WrongMove
from annotation.i18n import _
from annotation.membership import lock_person
from annotation.models import User
from qualification import granting
from qualification.courses import content, editing, exam_tries, grading, real_items, sitting
from qualification.courses.content import ChoiceItem, Course, CourseItem
from qualification.courses.real_items import RealItem
from qualification.models import Attempt, AttemptPurpose, AttemptState, CourseVersion, Grant, Outcome

ONE_OR_SEVERAL = _(
    "Candidates were told whether one option is right or several are, so that has to stay. Void the attempts instead."
)
NO_REFERENCE = _("Choose one to ten references that fit the activity.")
OTHER_KEY = _("The right answer has been corrected since you opened this page. Look at it again.")
GIVEN_BECAUSE = _("Passed the exam, as a wrong key was corrected.")


@dataclass(frozen=True)
class Regraded:
    """What becomes of an attempt: its points, its blocks, its outcome, and whether the person is given the grant."""

    attempt: Attempt
    marks: list[Fraction]
    blocks: list[grading.BlockResult]
    before: str
    after: Outcome
    admits: bool

    @property
    def changes(self) -> bool:
        """Whether anything of it differs."""
        return self.before != self.after or self.attempt.marks != [str(each) for each in self.marks]


def pool_item(version: CourseVersion, key: str) -> CourseItem:
    """An item of a pool as it is graded now; NotFound if no pool has it, or the version is a draft."""
    course = editing.read(version)
    found = {item.key: item for block in course.blocks for item in block.pool}
    item = found.get(key)
    if version.published_at is None or item is None:
        raise NotFound
    return item


def preview(version: CourseVersion, key: str, right: Collection[Any]) -> list[Regraded]:
    """What would become of each attempt of the version that is over, in the order of its people and their attempts.

    `right`: places of options, or references as JSON.
    """
    corrections = _corrections(version, key, right)
    attempts = Attempt.objects.filter(course=version, purpose=AttemptPurpose.EXAM)
    people = User.objects.filter(pk__in=attempts.values("user")).order_by("pk")
    return _regraded(version, corrections, people)


@transaction.atomic
def correct(
    version: CourseVersion,
    key: str,
    right: Collection[Any],
    *,
    was: Collection[Any],
    reason: str,
    by: User | None,
    now: datetime,
) -> list[Regraded]:
    """Have exactly the options at these places, or these references (as JSON), be right, and grade again.

    Returns what became of the attempts that changed. `was`: what the page showed as right; StalePage if
    it is no longer. ReasonMissing without a reason.
    """
    said, project = checked_reason(reason), version.qualification.project
    attempts = Attempt.objects.filter(course=version, purpose=AttemptPurpose.EXAM)
    people = list(User.objects.filter(pk__in=attempts.values("user")).order_by("pk"))
    # Everybody's lock first, in one order: who ends an attempt holds their own and waits for the qualification's.
    for person in people:
        lock_person(person, project)
    row = CourseVersion.objects.select_for_update(of=("self",)).get(pk=version.pk)
    list(attempts.select_for_update(of=("self",)).order_by("pk"))
    row.qualification = version.qualification
    before, after = content.right_of(pool_item(row, key)), _in_order(right)
    if before == after:
        return []
    if before != _in_order(was):
        raise StalePage(OTHER_KEY)
    row.corrections = _corrections(row, key, right)
    row.save(update_fields=["corrections"])
    changed = [each for each in _regraded(row, row.corrections, people) if each.changes]
    _store(changed)
    with events.batched():
        for each in changed:
            if each.admits:
                person, form = each.attempt.user, each.attempt.uuid
                granting.give_for_attempt(row.qualification, person, reason=GIVEN_BECAUSE, form=form, now=now)
        _record(row, key, before, after, changed, reason=said, by=by, now=now)
    version.corrections = row.corrections
    return changed


def _corrections(version: CourseVersion, key: str, right: Collection[Any]) -> dict[str, list[Any]]:
    """The corrections of the version with this one; what is as it was written is none."""
    item, chosen = pool_item(version, key), _in_order(right)
    _check(item, chosen, version)
    kept = {each: what for each, what in version.corrections.items() if each != key}
    as_written = content.read(version.content).items()[key]
    return kept if chosen == content.right_of(as_written) else kept | {key: chosen}


def _check(item: CourseItem, right: list[Any], version: CourseVersion) -> None:
    """WrongMove for what can't be right of the item."""
    if isinstance(item, ChoiceItem):
        if not right or not set(right) <= set(range(len(item.options))) or (len(right) > 1) != item.several:
            raise WrongMove(ONE_OR_SEVERAL)
    elif not 0 < len(right) <= real_items.MOST_REFERENCES or not _fit(item, right, version):
        raise WrongMove(NO_REFERENCE)


def _fit(item: RealItem, right: list[Any], version: CourseVersion) -> bool:
    activity = real_items.activity_of(version.qualification.project, item)
    try:
        for reference in real_items.read_references(right):
            real_items.reference_record(activity, reference)
    except (ValidationError, KeyError):
        return False
    return True


def _in_order(right: Collection[Any]) -> list[Any]:
    """As corrections have it: places each once and in order, references in the order in which they were chosen."""
    found = list(right)
    return sorted(set(found)) if all(isinstance(each, int) for each in found) else found


def _regraded(version: CourseVersion, corrections: dict[str, list[Any]], people: Iterable[User]) -> list[Regraded]:
    course = editing.corrected(content.read(version.content), corrections)
    granted = set(Grant.objects.filter(qualification=version.qualification).values_list("user", flat=True))
    rows = Attempt.objects.filter(qualification=version.qualification, purpose=AttemptPurpose.EXAM, voided_at=None)
    by_person: dict[int, list[Attempt]] = {}
    for row in rows.select_related("user").prefetch_related("answers").order_by("n"):
        by_person.setdefault(row.user_id, []).append(row)
    return [each for person in people for each in _of_person(version, course, by_person.get(person.pk, []), granted)]


def _of_person(version: CourseVersion, course: Course, rows: list[Attempt], granted: set[int]) -> list[Regraded]:
    """Their attempts of this version one after the other, as each outcome depends on what came before it."""
    found: list[Regraded] = []
    for place, row in enumerate(rows):
        if row.course_id != version.pk or row.state == AttemptState.OPEN:
            continue
        answers = {each.place: each.answer for each in row.answers.all()}
        points = grading.marks(course, row.form, answers, exam_tries.worth_of(row, course))
        blocks = grading.results(course, row.form, points)
        outcome = sitting.outcome_of(row, course, rows[:place], blocks)
        admits = outcome == Outcome.ADMITTED and row.user_id not in granted and not any(each.admits for each in found)
        found.append(Regraded(_copy(row), points, blocks, row.outcome, outcome, admits))
        row.blocks, row.outcome = [each.stored() for each in blocks], outcome
    return found


def _copy(row: Attempt) -> Attempt:
    """The attempt as it is stored, since what comes after it is graded with what becomes of it."""
    return Attempt(**{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields})


def _store(changed: Iterable[Regraded]) -> None:
    for each in changed:
        marks, blocks = [str(points) for points in each.marks], [block.stored() for block in each.blocks]
        Attempt.objects.filter(pk=each.attempt.pk).update(marks=marks, blocks=blocks, outcome=each.after)


def _record(
    row: CourseVersion,
    key: str,
    before: list[Any],
    after: list[Any],
    changed: Iterable[Regraded],
    *,
    reason: str,
    by: User | None,
    now: datetime,
) -> None:
    attempts = [
        {"attempt": str(each.attempt.uuid), "user": each.attempt.user_id, "before": each.before, "after": each.after}
        for each in changed
    ]
    given = [each.attempt.user_id for each in changed if each.admits]
    title = pool_item(row, key).title
    about = {"version": row.version, "item": key, "title": title, "reason": reason, "attempts": attempts}
    about |= {"before": before, "after": after, "given": given}
    events.record("course.corrected", row.qualification, by=by, now=now, **about)
