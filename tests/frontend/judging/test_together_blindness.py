"""What the screen with all answers to an item says to a rater: nothing of who answered, nor of what others marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import caches
from django.db import transaction
from django.urls import reverse

from annotation.models import Response, User
from tasks.judging import working
from tests.factories.record import AnnotationFactory, ResponseFactory
from tests.people import NOON, join
from tests.protocols.conftest import quiet, same_chance
from tests.protocols.crawling import Exchange, Recorder, occurs
from tests.tasks.judging.judged_once import judges, lamps, lamps_once, lena
from tests.tasks.judging.judged_rounds import RaterAtWork
from tests.tasks.judging.together_rounds import ANSWERS, screens_of_rater, seal_together

__all__ = ["judges", "lamps", "lamps_once", "lena", "quiet", "same_chance"]
pytestmark = pytest.mark.usefixtures("quiet")

COMMENT, ANNOTATOR, SAID = "quolvex", "mulquath", "Whale oil, in the end."


@pytest.fixture
def row(lamps, lena, judges):
    """A round over published answers and one of somebody here, with two raters."""
    writer = join(lamps, ANNOTATOR)
    published = Response.objects.filter(annotation__item__project=lamps, stage="answers").order_by("pk").first()
    made = AnnotationFactory(item=published.annotation.item, author=writer, activity="compose", completed_at=NOON)
    payload = published.payload | {"answers": [SAID], "yesno_answers": ["No"]}
    ResponseFactory(annotation=made, stage="answers", schema=published.schema, payload=payload)
    return seal_together(lamps, lena, judges[:2])


def everything(row, person: User) -> Iterator[Exchange]:
    """Each screen, the first at every address that it has, refused without marks, and the other pages of the round."""
    client = Recorder()
    client.force_login(person)
    client.get(reverse("home"))
    client.get(reverse("judge", args=[row.uuid]))
    for number, screen in enumerate(screens_of_rater(row, person)):
        for held in screen[: 1 if number else None]:
            address = reverse("work", args=[held.uuid])
            page = client.get(address).content.decode()
            client.get(reverse("stage", args=[held.uuid, "judge"]))
        stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        client.post(stage, fields)
    return iter(client.taken())


def judged(row, person: User, marks: str, comment: str) -> None:
    """Somebody marks so many exhibits in their order."""
    worker = RaterAtWork(person, row.project)
    for work, mark in zip(working.work_in(working.begin(row, by=person, now=NOON)), marks, strict=False):
        worker.judge(work, mark, comment=comment)


def showing(exchanges: list[Exchange], words: str) -> bool:
    return any(occurs(words, each.sent) for each in exchanges)


def test_nothing_says_who_answered_or_what_others_marked(row, judges):
    judged(row, judges[1], "5" * ANSWERS, COMMENT)
    sent = list(everything(row, judges[0]))
    assert showing(sent, SAID)  # the control: the answer itself is there
    assert {words: showing(sent, words) for words in (COMMENT, ANNOTATOR)} == {COMMENT: False, ANNOTATOR: False}


@pytest.fixture
def world(row, judges, same_chance):
    """What Erin is sent in a world in which others have done something first."""

    def sent(others: Callable[[], None]) -> list[Exchange]:
        same_chance(1)
        for each in caches.all(initialized_only=True):
            each.clear()
        with transaction.atomic():
            judged(row, judges[0], "4" * ANSWERS, "")
            others()
            same_chance(2)
            found = list(everything(row, judges[0]))
            transaction.set_rollback(True)
        return found

    return sent


def test_the_same_bytes_are_sent_whatever_the_others_have_marked(row, judges, world):
    alone = world(lambda: None)
    assert alone == world(lambda: judged(row, judges[1], "5" * ANSWERS, COMMENT))
    assert alone == world(lambda: judged(row, judges[1], "123", ""))
    # The control: own marks make a difference.
    assert alone != world(lambda: judged(row, judges[0], "1" * ANSWERS, ""))
