"""The latest finished work of a project, looked for among the latest of the site."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.worktime import taken
from tests.builders import project
from tests.factories.corpus import ItemFactory
from tests.factories.record import AnnotationFactory
from tests.people import NOON


def finished(of, *minutes: int, **columns) -> list[int]:
    """Annotations that were finished so many minutes after noon, each of an item of its own."""
    items = [ItemFactory(project=of, position=at) for at in minutes]
    return [
        AnnotationFactory(item=item, completed_at=NOON + timedelta(minutes=at), **columns).pk
        for item, at in zip(items, minutes, strict=True)
    ]


@pytest.mark.parametrize("others", [0, 2, 3, 7])  # two leave room for one of ours among the site's three latest
def test_however_many_others_came_later_the_latest_of_the_project_are_found(nq, others):
    first, second = finished(nq, 1, 2)
    finished(project("others"), *range(10, 10 + others))
    assert list(taken.latest_done(nq, "annotate", at_most=1)) == [second]
    assert list(taken.latest_done(nq, "annotate", at_most=2)) == [second, first]


def test_excluded_imported_and_unfinished_work_is_not_among_them(nq):
    [kept] = finished(nq, 1)
    finished(nq, 2, excluded_at=NOON, exclusion_reason="bad")
    finished(nq, 3, purpose="import")
    AnnotationFactory(item=ItemFactory(project=nq, position=4))
    assert list(taken.latest_done(nq, "annotate", at_most=5)) == [kept]
