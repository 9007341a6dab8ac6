"""A qualification with a published course of three blocks."""

from __future__ import annotations

import pytest

from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.qualification.courses.building import three_blocks


@pytest.fixture
def reading(nq):
    return QualificationFactory(project=nq)


@pytest.fixture
def published(reading):
    return CourseVersionFactory(qualification=reading, course=three_blocks())
