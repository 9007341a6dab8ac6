"""Messages between a person and the leads: numbered, kept, read, and nobody else's."""

from __future__ import annotations

import pytest

from annotation import randomness
from annotation.errors import KeyReused, PayloadInvalid
from annotation.models import Event, Message
from tasks.people import messages
from tests.people import NOON


def write(nq, person, text="Which date counts?", *, lead=None, key=None):
    said = {"side": messages.LEAD if lead else messages.PERSON, "by": lead or person}
    return messages.write(nq, person, text=text, key=key or randomness.handle(), now=NOON, **said)


def test_a_question_is_unread_until_a_lead_answers_and_the_answer_until_it_is_read(nq, alice, bob, lena):
    write(nq, alice)
    assert [row.text for row in messages.unread_by_leads(nq)] == ["Which date counts?"]
    write(nq, alice, "The first one.", lead=lena)
    assert not messages.unread_by_leads(nq).exists()
    assert [row.text for row in messages.unread_by(alice)] == ["The first one."]
    assert not messages.unread_by(bob).exists()
    messages.mark_read(nq, alice, side=messages.PERSON, upto=2, by=alice, now=NOON)
    assert not messages.unread_by(alice).exists()
    assert [row.number for row in messages.messages_with(nq, alice)] == [1, 2]


def test_reading_is_recorded_once_and_never_undone(nq, alice, lena):
    write(nq, alice, "Hello.", lead=lena)
    for upto in (99, 1, 0):
        messages.mark_read(nq, alice, side=messages.PERSON, upto=upto, by=alice, now=NOON)
    write(nq, alice, "Again.", lead=lena)
    assert [row.text for row in messages.unread_by(alice)] == ["Again."]
    assert Event.objects.filter(kind="message.read").count() == 1


def test_the_same_form_sent_twice_is_one_message(nq, alice):
    key = randomness.handle()
    assert write(nq, alice, key=key) == write(nq, alice, key=key)
    with pytest.raises(KeyReused):
        write(nq, alice, "Something else", key=key)
    assert Message.objects.count() == 1


@pytest.mark.parametrize("text", ["", "   ", "x" * 2001])
def test_an_empty_or_endless_message_is_refused(nq, alice, text):
    with pytest.raises(PayloadInvalid):
        write(nq, alice, text)
    assert not Message.objects.exists()


def test_events_name_no_text(nq, alice):
    write(nq, alice)
    event = Event.objects.get(kind="message.written")
    assert (event.by, event.project_id, event.data) == (alice.pk, nq.pk, {"number": 1, "from_lead": False})
