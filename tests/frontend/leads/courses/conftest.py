"""A qualification with a course, and a lead at its pages."""

from __future__ import annotations

import pytest
from django.urls import reverse

from qualification.courses import editing
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import NOON
from tests.qualification.courses.building import three_blocks


class Desk:
    """The pages of the course for one qualification, as somebody sees them."""

    def __init__(self, client, qualification):
        self.client, self.qualification = client, qualification

    def url(self, route, *args):
        return reverse(route, args=[self.qualification.project.slug, self.qualification.key, *args])

    def get(self, route, *args, **query):
        return self.client.get(self.url(route, *args), query)

    def post(self, route, *args, follow=True, **fields):
        return self.client.post(self.url(route, *args), fields, follow=follow)

    def send(self, route, *args, **fields):
        """A form whose following page nobody reads."""
        return self.post(route, *args, follow=False, **fields)

    def text(self, route, *args, **query):
        """The words of a page, with single spaces."""
        return " ".join(self.get(route, *args, **query).content.decode().split())

    @property
    def draft(self):
        return editing.draft_of(self.qualification)

    @property
    def course(self):
        return editing.read(self.draft)


@pytest.fixture
def reading(nq):
    return QualificationFactory(project=nq)


@pytest.fixture
def published(reading):
    return CourseVersionFactory(qualification=reading, course=three_blocks())


@pytest.fixture
def desk(reading, lena, client):
    client.force_login(lena)
    return Desk(client, reading)


@pytest.fixture
def drafted(reading, lena):
    return editing.edit(reading, start=three_blocks(), by=lena, now=NOON)
