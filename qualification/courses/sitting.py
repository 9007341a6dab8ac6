"""Sitting an exam: a form is issued, its items are answered one after another, and its end is graded.

An attempt counts when it is issued. Its clock is the server's: what was chosen until the time was over, and saved
within a short grace, counts. Whoever writes takes the person's lock before that of the attempt, so that 1,000 parallel
starts make one attempt, and answers and the end of the time come one after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from annotation import events, randomness
from annotation.engine import state_machine
from annotation.errors import AlreadyClosed, NotFound, WrongMove
from annotation.i18n import _
from annotation.membership import lock_person
from annotation.models import User
from qualification import granting
from qualification.courses import editing, enrolling, exam_tries, grading, real_items, standing
from qualification.courses.content import Course
from qualification.courses.exam_tries import GRACE
from qualification.courses.standing import NextStep
from qualification.models import (
    ATTEMPT_MOVES,
    Attempt,
    AttemptAnswer,
    AttemptDraft,
    AttemptPurpose,
    AttemptState,
    ExtraTime,
    Outcome,
    Qualification,
)

PASSED = "Passed the exam."
"""The reason of a grant that an attempt gave."""
TOO_FEW = _("There are not enough new items for another attempt. Tell a lead of the project.")
NOT_NOW = _("You can’t begin the exam now.")


class ExamOver(AlreadyClosed):
    """The time of the attempt is over, or it was handed in."""

    reason = "exam_over"


@transaction.atomic
def issue(user: User, qualification: Qualification, *, now: datetime, met: Collection[int] = ()) -> Attempt:
    """The person's open attempt, or the next one, with a form of its own.

    `met`: the keys of the roots that the person has met in the work; they are not asked about these. WrongMove if the
    person can't begin one now, or if the pool has too few items that they have not had.
    """
    enrolling.check_candidate(user, qualification)
    stands = standing.of_person(user, qualification, now=now)
    if stands is None:
        raise NotFound
    if stands.open is not None:
        return stands.open
    if stands.next != NextStep.EXAM:
        raise WrongMove(NOT_NOW)
    extra = ExtraTime.objects.filter(user=user, qualification=qualification).order_by("-pk").first()
    return _issue(
        user,
        qualification,
        stands.version,
        stands.course,
        stands.to_sit,
        purpose=AttemptPurpose.EXAM,
        extra=extra.minutes if extra else 0,
        met=met,
        now=now,
    )


@transaction.atomic
def issue_trial(user: User, qualification: Qualification, version: editing.CourseVersion, *, now: datetime) -> Attempt:
    """A lead sits this version as a candidate would; it counts nowhere. One that is open goes on, unless the
    version has changed.
    """
    locked = granting.lock_qualification(qualification)
    rows = Attempt.objects.filter(qualification=locked, user=user, purpose=AttemptPurpose.TRIAL)
    opened = rows.filter(state=AttemptState.OPEN, voided_at=None).first()
    if opened is not None and opened.course_id == version.pk and opened.sha256 == editing.sha256(version):
        return opened
    if opened is not None:
        Attempt.objects.filter(pk=opened.pk).update(voided_at=now, voided_why="")
    course = editing.read(version)
    if editing.obstacles(course) or editing.unfit_items(course, locked.project):
        raise WrongMove(editing.UNFINISHED)
    blocks = [block.key for block in course.blocks]
    return _issue(user, locked, version, course, blocks, purpose=AttemptPurpose.TRIAL, extra=0, now=now)


def _issue(
    user: User,
    qualification: Qualification,
    version: editing.CourseVersion,
    course: Course,
    blocks: Sequence[str],
    *,
    purpose: AttemptPurpose,
    extra: int,
    now: datetime,
    met: Collection[int] = (),
) -> Attempt:
    before = Attempt.objects.filter(user=user, qualification=qualification, purpose=purpose)
    had = {key for form in before.values_list("form", flat=True) for _block, key in form}
    had |= real_items.keys_under(qualification.project, course.real_items(), met) if met else set()
    seed = randomness.seed()
    form = _draw(course, blocks, had if purpose == AttemptPurpose.EXAM else set(), seed)
    minutes = None if course.minutes is None else course.minutes + extra
    made = Attempt.objects.create(
        uuid=randomness.handle(),
        course=version,
        sha256=editing.sha256(version),
        qualification=qualification,
        user=user,
        purpose=purpose,
        n=before.count() + 1,
        form=form,
        seed=seed,
        issued_at=now,
        ends_at=None if minutes is None else now + timedelta(minutes=minutes),
    )
    if purpose == AttemptPurpose.EXAM:
        said = {"user": user.pk, "n": made.n, "version": version.version, "blocks": list(blocks)}
        events.record("attempt.issued", made, by=user, now=now, **said)
    else:  # whoever leads sees the real items with it
        events.record("attempt.tried", made, by=user, now=now, n=made.n, version=version.version)
    return made


def _draw(course: Course, blocks: Sequence[str], had: set[str], seed: str) -> list[list[str]]:
    """Of each block as many items as it draws, none that the person has had; WrongMove where there are too few."""
    form = []
    for key in blocks:
        block = course.block(key)
        fresh = [item.key for item in block.pool if item.key not in had]
        if len(fresh) < block.draw:
            raise WrongMove(TOO_FEW)
        form += [[key, item] for item in randomness.rng(seed, key).sample(fresh, block.draw)]
    return form


@transaction.atomic
def answer(attempt: Attempt, place: int, chosen: Sequence[int], *, now: datetime) -> Attempt:
    """Answer the item at a place of the form; the first answer there is the last. The last place ends the attempt.

    ExamOver once it is over: what comes too late is kept as a draft that nobody reads. NotFound for a later place than
    the first that has no answer, WrongMove for an answer that is none.
    """
    row = lock_attempt(attempt)
    if not is_open(row):
        raise ExamOver
    if _is_over(row, now):
        _keep(row, place, chosen, now)
        return _finish(row, now=now)
    answered = row.answers.count()
    if place < answered:
        return row
    if place > answered:
        raise NotFound
    course = editing.read(row.course)
    item = course.items()[row.form[place][1]]
    AttemptAnswer.objects.create(attempt=row, place=place, answer=enrolling.checked(item, chosen), at=now)
    return _finish(row, now=now) if place + 1 == len(row.form) else row


def answer_in_work(row: Attempt, place: int, answer: dict[str, int], *, now: datetime) -> Attempt:
    """The same for what was answered in the work screen; the caller has locked the open attempt."""
    AttemptAnswer.objects.create(attempt=row, place=place, answer=answer, at=now)
    return _finish(row, now=now) if row.answers.count() == len(row.form) else row


@transaction.atomic
def keep_draft(attempt: Attempt, place: int, chosen: Sequence[int], *, now: datetime) -> None:
    """Keep what is chosen at a place, which becomes the answer if the time ends before it is sent."""
    row = lock_attempt(attempt)
    if is_open(row) and 0 <= place < len(row.form):
        _keep(row, place, chosen, now)


def _keep(row: Attempt, place: int, chosen: Sequence[int], now: datetime) -> None:
    AttemptDraft.objects.update_or_create(attempt=row, place=place, defaults={"answer": list(chosen), "saved_at": now})


@transaction.atomic
def extend(attempt: Attempt, *, now: datetime) -> Attempt:
    """Add the minutes that the course allows, once, while the time runs; WrongMove otherwise."""
    row = lock_attempt(attempt)
    course = editing.read(row.course)
    if row.extended_at is not None:
        return row
    if row.state != AttemptState.OPEN or row.ends_at is None or not course.extension or now >= row.ends_at:
        raise WrongMove(_("More time can be added once, before the time is over."))
    row.ends_at, row.extended_at = row.ends_at + timedelta(minutes=course.extension), now
    row.save(update_fields=["ends_at", "extended_at"])
    events.record("attempt.extended", row, by=row.user, now=now, minutes=course.extension)
    return row


@transaction.atomic
def hand_in(attempt: Attempt, *, now: datetime) -> Attempt:
    """End the attempt now: what is chosen counts, what has no answer has no points."""
    row = lock_attempt(attempt)
    return _finish(row, now=now) if is_open(row) else row


@transaction.atomic
def end_if_over(attempt: Attempt, *, now: datetime) -> Attempt:
    """Grade the attempt if its time and grace are over; whoever touches it first does that.

    A trial of a draft that has changed since is voided: its items may be gone.
    """
    if not is_open(attempt):
        return attempt
    if is_outdated(attempt):
        attempt.voided_at = now
        attempt.save(update_fields=["voided_at"])
    if attempt.voided_at is not None or not _is_over(attempt, now):
        return attempt
    row = lock_attempt(attempt)
    return _finish(row, now=now) if is_open(row) and _is_over(row, now) else row


def end_overdue(*, now: datetime) -> int:
    """Grade all attempts whose time and grace are over, and void trials of changed drafts; returns how many."""
    rows = Attempt.objects.filter(state=AttemptState.OPEN, voided_at=None, ends_at__lt=now - GRACE)
    found = list(rows.select_related("course", "qualification__project", "user"))
    for row in found:
        end_if_over(row, now=now)
    return len(found)


def is_outdated(attempt: Attempt) -> bool:
    """Whether it is a trial of a draft that has changed since."""
    return attempt.purpose == AttemptPurpose.TRIAL and attempt.sha256 != editing.sha256(attempt.course)


def is_open(row: Attempt) -> bool:
    """Whether it has not ended and counts; its time may be over."""
    return row.state == AttemptState.OPEN and row.voided_at is None


def is_closed(row: Attempt, now: datetime) -> bool:
    """Whether nothing that is sent counts any more: it has ended, or its time and grace are over."""
    return not is_open(row) or _is_over(row, now)


def _is_over(row: Attempt, now: datetime) -> bool:
    return row.ends_at is not None and now > row.ends_at + GRACE


def lock_attempt(attempt: Attempt) -> Attempt:
    """The row, locked after the person, as a grant may follow."""
    lock_person(attempt.user, attempt.qualification.project)
    rows = Attempt.objects.select_related("course", "qualification__project", "user")
    row = rows.select_for_update(of=("self",)).get(pk=attempt.pk)
    if is_outdated(row):
        raise ExamOver(_("The course has changed since you began to try it."))
    return row


def _finish(row: Attempt, *, now: datetime) -> Attempt:
    """Turn drafts into answers, grade, set the outcome and give the grant, all in the transaction that ends it."""
    course = editing.read(row.course)
    answers = dict(row.answers.values_list("place", "answer"))
    answers |= _drafts_as_answers(row, course, answers, now)
    points = grading.marks(course, row.form, answers, exam_tries.worth_of(row, course))
    blocks = grading.results(course, row.form, points)
    done = AttemptState.GRADED if answers or not _is_over(row, now) else AttemptState.EXPIRED
    said: dict[str, Any] = {
        "marks": [str(each) for each in points],
        "blocks": [each.stored() for each in blocks],
        "finished_at": now if row.ends_at is None else min(now, row.ends_at + GRACE),
    }
    before = [each for each in standing.counting(row.user, row.qualification) if each.pk != row.pk]
    outcome = outcome_of(row, course, before, blocks)
    state_machine.move(row, done, moves=ATTEMPT_MOVES, by=None, now=now, outcome=outcome, **said)
    if outcome == Outcome.ADMITTED and row.purpose == AttemptPurpose.EXAM:
        granting.give_for_attempt(row.qualification, row.user, reason=PASSED, form=row.uuid, now=now)
    return row


def _drafts_as_answers(row: Attempt, course: Course, answered: dict[int, Any], now: datetime) -> dict[int, Any]:
    items = course.items()
    in_work = exam_tries.drafts_as_answers(row, now=now) if course.real_items() else {}
    found: dict[int, Any] = {place: said for place, said in in_work.items() if place not in answered}
    for draft in row.drafts.exclude(place__in=answered).order_by("place"):
        in_time = row.ends_at is None or draft.saved_at <= row.ends_at + GRACE
        try:
            said = enrolling.checked(items[row.form[draft.place][1]], draft.answer)
        except (NotFound, WrongMove):
            continue
        if in_time:
            found[draft.place] = said
    AttemptAnswer.objects.bulk_create(
        AttemptAnswer(attempt=row, place=place, answer=said, at=now) for place, said in found.items()
    )
    return found


def outcome_of(
    row: Attempt, course: Course, before: Sequence[Attempt], blocks: Sequence[grading.BlockResult]
) -> Outcome:
    """What follows from the attempt, given those that count before it."""
    counted = [] if row.purpose == AttemptPurpose.TRIAL else before
    here = [each for each in counted if each.course_id == row.course_id]
    passed = standing.passed_blocks(here) | {each.block for each in blocks if each.passed}
    failed = [block.key for block in course.blocks if block.key not in passed]
    trained = any(each.outcome == Outcome.EXTRA_TRAINING for each in here)
    return grading.outcome(course, failed, left=course.attempts - len(counted) - 1, trained=trained)
