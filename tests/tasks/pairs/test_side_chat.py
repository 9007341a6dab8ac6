"""The side chat: numbered messages about the guidelines that its pair and the leads read, and that are no data."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import IntegrityError, transaction

from annotation import randomness, releases
from annotation.errors import AlreadyClosed, KeyReused, PayloadInvalid
from annotation.models import Event, Item, Response, Role
from tasks.engine import skip_and_return
from tasks.models import ChatMessage
from tasks.pairs import side_chat
from tests.factories.work import ChatMessageFactory
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project

SECRET = "Zq9chat"


@pytest.fixture
def pair(toys):
    return Pair.seated(toys)


@pytest.fixture
def lena(pair):
    return join(pair.annotation.item.project, "lena", Role.LEAD)


def writes(pair, seat, text, **more):
    row = pair.row(seat)
    more = {"key": randomness.handle(), "to_lead": False, "now": NOON} | more
    return side_chat.write(row, by=row.annotator, text=text, **more)


def test_messages_are_numbered_for_both_and_a_later_reader_gets_the_rest(pair):
    for seat, text in (("asker", "May I?"), ("teller", "You may."), ("asker", "Good.")):
        writes(pair, seat, text)
    found = [(message.number, message.seat, message.text) for message in side_chat.messages(pair.annotation)]
    assert found == [(1, "asker", "May I?"), (2, "teller", "You may."), (3, "asker", "Good.")]
    assert [message.number for message in side_chat.messages(pair.annotation, after=2)] == [3]
    other = Pair.seated(pair.annotation.item.project, "uma", "vic")
    assert (writes(other, "asker", "Hello").number, side_chat.latest(pair.annotation)) == (1, 3)


def test_a_message_that_is_sent_again_is_stored_once_even_after_the_work_has_ended(pair):
    key = randomness.handle()
    first = writes(pair, "asker", "May I?", key=key)
    assert writes(pair, "asker", "May I?", key=key) == first
    with pytest.raises(KeyReused):
        writes(pair, "asker", "May I not?", key=key)
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=NOON)
    assert writes(pair, "asker", "May I?", key=key) == first
    assert ChatMessage.objects.count() == Event.objects.filter(kind="chat.written").count() == 1


def test_who_no_longer_has_the_work_can_not_write(pair):
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=NOON)
    for seat in ("asker", "teller"):
        with pytest.raises(AlreadyClosed):
            writes(pair, seat, "Wait!")
    assert not ChatMessage.objects.exists()


@pytest.mark.parametrize("text", ["", "  \n", "x" * 501])
def test_an_empty_or_overlong_message_is_refused(pair, text):
    with pytest.raises(PayloadInvalid):
        writes(pair, "asker", text)
    assert writes(pair, "asker", "💬" * 500).number == 1


def test_a_chat_has_an_end(pair, monkeypatch):
    monkeypatch.setattr(side_chat, "MOST", 2)
    for text in ("one", "two"):
        writes(pair, "asker", text)
    with pytest.raises(PayloadInvalid):
        writes(pair, "teller", "three")


def test_the_database_refuses_an_empty_message_a_number_twice_and_a_key_twice(pair):
    first = writes(pair, "asker", "May I?")
    row = {"annotation": pair.annotation, "author": pair.asker, "number": 2}
    for wrong in ({"text": ""}, {"number": 1}, {"key": first.key}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ChatMessageFactory(**row | wrong)
    ChatMessageFactory(**row)


def test_leads_are_asked_until_one_of_them_answers_or_settles_it(pair, lena):
    project = pair.annotation.item.project
    asked = partial(side_chat.asked, project)
    writes(pair, "asker", "May I?")
    assert asked() == []
    first = writes(pair, "asker", "Lead, may I?", to_lead=True)
    assert (asked(), side_chat.asked(toy_project("others"))) == ([first], [])
    key = randomness.handle()
    for _twice in range(2):
        answer = side_chat.answer(pair.annotation, by=lena, text="You may.", key=key, now=NOON)
    assert (answer.number, answer.seat, asked()) == (3, "", [])
    second = writes(pair, "teller", "And I?", to_lead=True)
    assert asked() == asked(annotations=[pair.annotation]) == [second]
    side_chat.settle(pair.annotation, by=lena, now=NOON)
    assert asked() == []
    assert asked(annotations=[pair.annotation]) == []
    third = writes(pair, "teller", "Again?", to_lead=True)
    assert asked() == [third]


def test_every_message_is_an_event_without_its_text(pair, lena):
    writes(pair, "asker", SECRET, to_lead=True)
    side_chat.answer(pair.annotation, by=lena, text=SECRET, key=randomness.handle(), now=NOON)
    side_chat.settle(pair.annotation, by=lena, now=NOON)
    found = Event.objects.filter(kind__startswith="chat.").order_by("pk")
    assert [event.kind for event in found] == ["chat.written", "chat.answered", "chat.settled"]
    assert {event.project_id for event in found} == {pair.annotation.item.project_id}
    assert not [event for event in Event.objects.all() if SECRET in str(event.data)]


def test_the_chat_is_neither_in_the_record_nor_in_what_follows_nor_in_a_release(pair, lena):
    project = pair.annotation.item.project
    writes(pair, "asker", SECRET)
    pair.talk()
    build = partial(releases.build, project, format="toy", splits=[], partial=True, by=lena, now=NOON)
    release = build(progress=lambda *seen: None)
    written = b"".join(path.read_bytes() for path in releases.folder_of(release).iterdir() if path.is_file())
    assert pair.annotation.item.external_id.encode() in written
    assert SECRET.encode() not in written
    assert not [row for row in Response.objects.all() if SECRET in str(row.payload)]
    made = Item.objects.filter(kind="talks")
    assert made
    assert not [item for item in made if SECRET in str(item.payload)]
