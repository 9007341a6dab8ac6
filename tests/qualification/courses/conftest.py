"""A qualification with a published course of three blocks; and a question in an exam on the real work screen."""

from __future__ import annotations

import pytest

from annotation.models import Annotation, Role
from tests.builders import Worker
from tests.disagreeing import lights
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import join
from tests.qualification.courses.building import three_blocks, with_spare
from tests.qualification.courses.on_screen import begun, examined


@pytest.fixture
def reading(nq):
    return QualificationFactory(project=nq)


@pytest.fixture
def published(reading):
    return CourseVersionFactory(qualification=reading, course=three_blocks())


@pytest.fixture
def good(tmp_path, db):
    """A question that one person has rejected, that annotation, and a lead of its project."""
    made = lights(tmp_path)
    Worker(join(made, "bob"), made).finish_bad()
    reference = Annotation.objects.select_related("item__project").get()
    return made, join(made, "lena", Role.LEAD), reference


@pytest.fixture
def sitting_it(good):
    """Alice at that question in an exam of ten minutes: the qualification, her browser, the exam, the work."""
    made, lena, reference = good
    row = examined(made, *with_spare(reference), lead=lena, minutes=10)
    candidate, exam = begun(join(made, "alice"), row)
    return row, candidate, exam, candidate.get(exam)["Location"]
