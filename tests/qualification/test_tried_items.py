"""An item that a lead has tried: it never comes to them in an exam, nor as work, and can come back into the work."""

from __future__ import annotations

import pytest

from annotation import randomness
from annotation.errors import NotEligible
from annotation.models import Item, Purpose, Role
from qualification import tries
from tasks.items import setting_aside
from tests.builders import BAD, Worker, open_papers, open_with, project, questions
from tests.factories.record import AnnotationFactory
from tests.people import NOON, join
from tests.tasks.test_blocks import asked


@pytest.fixture
def lights(db, tmp_path):
    made = project()
    open_with(made, tmp_path, questions(3))
    return made


@pytest.fixture
def lena(lights):
    return join(lights, "lena", Role.LEAD)


@pytest.fixture
def alice(lights):
    return Worker(join(lights, "alice"), lights)


def first(of):
    return Item.with_set_aside.filter(project=of, root=None).order_by("pk").first()


def take(item, lead):
    return setting_aside.set_aside([item], by=lead, reason="for the exam", now=NOON)


@pytest.mark.parametrize("finished", [False, True])
def test_a_lead_who_has_tried_an_item_never_gets_it_in_an_exam(lights, lena, alice, finished):
    """Also when they lead no more: a trial shows the item, and its end the answers of others."""
    item, other = Item.objects.filter(project=lights).order_by("pk")[:2]
    held = tries.begin_trial(item, "annotate", by=lena, now=NOON)
    if finished:
        tries.commit_try(held, "question", BAD, key=randomness.handle(), seen=0, now=NOON)
    lena.memberships.update(ended_at=NOON)
    assert lena in setting_aside.people_who_worked_on(item)
    assert set(setting_aside.people_who_worked_on(item)) == {lena}
    assert setting_aside.roots_worked_on(lena, lights) == {item.pk}
    assert lena not in setting_aside.people_who_worked_on(other)
    assert alice.user not in setting_aside.people_who_worked_on(item)


def test_nor_the_other_way_who_has_led_and_tried_it_is_never_given_it_as_work(lights, lena):
    tries.begin_trial(first(lights), "annotate", by=lena, now=NOON)
    lena.memberships.update(ended_at=NOON)
    join(lights, lena.username)
    with pytest.raises(NotEligible):
        Worker(lena, lights).claim()


def test_an_item_that_a_lead_has_tried_can_come_back_into_the_work(lights, lena):
    item = first(lights)
    take(item, lena)
    tries.begin_trial(Item.with_set_aside.get(pk=item.pk), "annotate", by=lena, now=NOON)
    assert setting_aside.why_not_return(Item.with_set_aside.get(pk=item.pk)) == ""


def test_the_control_one_that_was_asked_in_an_exam_can_not(lights, lena, alice):
    item = first(lights)
    take(item, lena)
    AnnotationFactory(item=item, author=alice.user, purpose=Purpose.QUIZ, activity="annotate")
    assert "shown it in an exam" in str(setting_aside.why_not_return(Item.with_set_aside.get(pk=item.pk)))


def test_nothing_follows_from_what_a_lead_asks_in_a_trial(db):
    papers = open_papers()
    lena, wendy = join(papers, "lena", Role.LEAD), Worker(join(papers, "wendy"), papers, "ask")
    held = tries.begin_trial(first(papers), "ask", by=lena, now=NOON)
    tries.commit_try(held, "questions", asked("Is it open?"), key=randomness.handle(), seen=0, now=NOON)
    held.annotation.refresh_from_db()
    assert held.annotation.completed_at == NOON
    assert not Item.with_set_aside.filter(kind="question").exists()
    wendy.commit(wendy.claim(), "questions", asked("Is it open?"))
    assert Item.objects.filter(kind="question").count() == 1
