"""Qualifications of projects, and who is granted them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import factory

from annotation import randomness
from annotation.models import Project, User
from qualification import granting
from qualification.courses import editing
from qualification.courses.content import Course
from qualification.models import (
    Attempt,
    AttemptAnswer,
    AttemptState,
    CourseVersion,
    Enrolment,
    ExtraTime,
    Grant,
    Qualification,
)
from tests.factories.base import NOON, RowFactory


class QualificationFactory(RowFactory):
    """A qualification of `project` that the activities in `needed_for` require."""

    class Meta:
        model = Qualification

    key = "reading"
    title = "Reading papers"
    about = "Ask a lead for the *short course*."
    needed_for = ()

    @classmethod
    def _create(cls, model_class: type[Qualification], *, project: Project, needed_for: Any, **columns: Any):
        form = randomness.handle()
        made = granting.make_qualification(project, form=form, by=None, now=NOON, **columns)
        granting.require(made, needed_for, by=None, now=NOON)
        project.refresh_from_db()
        return made


class GrantFactory(RowFactory):
    """A grant of `qualification` to `user`, given by hand."""

    class Meta:
        model = Grant

    reason = "Knows the work."

    @classmethod
    def _create(cls, model_class: type[Grant], *, qualification: Qualification, user: User, **said: Any):
        [made] = granting.give(qualification, [user], form=randomness.handle(), by=None, now=NOON, **said)
        return made


class CourseVersionFactory(RowFactory):
    """A published course of `qualification`, from the texts of `tests.qualification.courses.building`."""

    class Meta:
        model = CourseVersion

    @classmethod
    def _create(cls, model_class: type[CourseVersion], *, qualification: Qualification, course: Course):
        draft = editing.edit(qualification, start=course, by=None, now=NOON)
        editing.publish(draft, edits=draft.edits, by=None, now=NOON)
        return draft


class EnrolmentFactory(RowFactory):
    """`user` takes `course`, a version, and has read its guidelines."""

    class Meta:
        model = Enrolment

    begun_at = NOON
    read_at = factory.SelfAttribute("begun_at")


class AttemptFactory(RowFactory):
    """A graded exam of `user` on `course`, a version; its `form`, `marks`, `blocks` and `outcome` have to be given."""

    class Meta:
        model = Attempt

    uuid = factory.LazyFunction(randomness.handle)
    qualification = factory.SelfAttribute("course.qualification")
    state = AttemptState.GRADED
    n = 1
    sha256 = factory.SelfAttribute("course.sha256")
    seed = factory.LazyFunction(randomness.seed)
    issued_at = NOON
    finished_at = factory.LazyAttribute(lambda row: row.issued_at + timedelta(minutes=10))


class AttemptAnswerFactory(RowFactory):
    """The answer at a `place` of `attempt`."""

    class Meta:
        model = AttemptAnswer


class ExtraTimeFactory(RowFactory):
    """Minutes more for every attempt of `user`."""

    class Meta:
        model = ExtraTime

    minutes = 15
    reason = "Reads with a screen reader."
    by = None
    at = NOON
