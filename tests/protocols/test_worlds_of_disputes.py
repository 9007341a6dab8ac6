"""Noninterference: before somebody's own answer is in, nothing that they are sent depends on whether others agree.

In one world all others say the same; in the other one they differ, it is disputed, decided, and people are told.
"""

from __future__ import annotations

import itertools
from random import Random

import pytest
from django.core.cache import caches
from django.db import transaction

from annotation.engine import loading
from annotation.models import Annotation, Item, Role, User
from annotation.setup import changes
from tasks.disputes import deciding, who
from tasks.engine import similarity
from tasks.models import Task
from tasks.models.states import TaskState
from tests.disagreeing import BAD, NOTHING, answered, browser, lights
from tests.people import NOON, join
from tests.protocols.crawling import REFUSED, Way
from tests.protocols.playing import player_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only, pytest.mark.usefixtures("quiet")]
AGREE, DIFFER = (NOTHING, NOTHING, NOTHING), (NOTHING, BAD, NOTHING)


def world(folder, begin, answers, *, role: str, posts: bool, known: frozenset[Way]) -> tuple[list, list]:
    """What somebody is sent who looks at everything, holding another question, in a world with these answers; and what
    the expert who has decided sees."""
    begin(1)
    for each in caches.all(initialized_only=True):
        each.clear()
    folder.mkdir()
    with transaction.atomic():
        project = lights(folder, people=3, least=0.9)
        item = answered(project, *answers)
        expert, lead = join(project, "erin", Role.EXPERT), join(project, "lena", Role.LEAD)
        who.begin(expert, project, now=NOON)
        changes.change(project, config={"tells_decisions": True}, by=lead, now=NOON)
        if Task.objects.filter(item=item, state=TaskState.DISPUTED).exists():
            chosen = Annotation.objects.filter(item=item).first().uuid
            deciding.decide(deciding.task_of(item, "annotate"), chosen, by=expert, reason="Read the page.", now=NOON)
        similarity.measure_due()
        begin(2)
        activity = loading.activity_of(project.protocol, "annotate")
        player = player_of(_member(project, role), project, activity, Random(0), [])
        next(player.states())
        sent = player.look([item.payload["question_text"]], guesses=False, posts=posts, refused=set(known))
        for path in _paths(item):
            player.client.get(f"/projects/{project.slug}/{path}")
        sent += player.client.taken()
        begun = browser(expert)
        seen = [begun.get(f"/projects/{project.slug}/{path}").content for path in _paths(item)]
        transaction.set_rollback(True)
    return sent, seen


def _paths(item: Item) -> list[str]:
    """The addresses of what others have answered, for whoever guesses them."""
    return ["disputes/", "annotate/compared/", f"annotate/compared/{item.pk}/", f"annotate/disputes/{item.pk}/"]


def _member(project, role: str) -> User:
    join(project, "player", role)
    return User.objects.get(username="player")


MORE = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_worlds_of_disputes.py"
    "::test_whether_others_agree_changes_nothing_before_the_own_answer_is_in"
)


WAYS = [
    pytest.param(Role.ANNOTATOR, False, id="annotator by GET"),
    pytest.param(Role.ANNOTATOR, True, id="annotator", marks=MORE),
    pytest.param(Role.EXPERT, True, id="expert", marks=MORE),
]


@pytest.mark.parametrize(("role", "posts"), WAYS)
def test_whether_others_agree_changes_nothing_before_the_own_answer_is_in(tmp_path, same_chance, role, posts):
    known = frozenset(REFUSED)
    (one, seen), (other, seen_elsewhere) = (
        world(tmp_path / str(number), same_chance, answers, role=role, posts=posts, known=known)
        for number, answers in enumerate((AGREE, DIFFER))
    )
    assert len(one) > 50
    assert seen[2] != seen_elsewhere[2], "the control: what is compared does differ"
    assert [pair for pair in itertools.zip_longest(one, other) if pair[0] != pair[1]] == []
