"""In each protocol, what bots answer can be compared side by side, whatever it is."""

from __future__ import annotations

from random import Random

import pytest

from annotation import registry
from annotation.models import Role
from frontend.experts import sides
from tasks.engine import similarity
from tests.people import join
from tests.protocols.examples import Example
from tests.protocols.peers import finish_one

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]  # rows are compared here, not in the database
ACTIVITIES = [
    pytest.param(protocol, activity, id=f"{protocol.key}-{activity.key}")
    for protocol in registry.all_protocols()
    for activity in protocol.activities
]


@pytest.mark.parametrize(("protocol", "activity"), ACTIVITIES)
def test_what_bots_answer_is_shown_side_by_side(protocol, activity):
    project = Example(protocol).opened(of=activity)
    for number in range(3):
        finish_one(project, activity, f"bot-{number}-", Random(number))
    lead = join(project, "lena", Role.LEAD)
    items = project.items.filter(annotations__completed_at__isnull=False, kind=activity.kind).distinct()
    assert items.exists()
    for item in items.select_related("project", "root"):
        found = sides.sides_of(item, activity, by=lead)
        assert sum(side.n for side in found.sides) == found.n == similarity.counting(item, activity.key).count()
        assert all(answer.html for side in found.sides for answer in side.answers.values())
