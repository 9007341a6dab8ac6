"""A qualification with a published course of three blocks."""

from __future__ import annotations

import pytest

from tests.courses import three_blocks
from tests.factories.qualification import CourseVersionFactory, QualificationFactory


@pytest.fixture
def reading(nq):
    return QualificationFactory(project=nq)


@pytest.fixture
def published(reading):
    return CourseVersionFactory(qualification=reading, course=three_blocks())
