"""Two senders of webhooks run at once: no message is sent by both, and what one holds the other leaves alone."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from annotation import clock
from tasks.models import Delivery, DeliveryOutcome
from tasks.webhooks import sending
from tasks.webhooks.sending import send_due
from tests.annotation.outgoing.answering import answering_server, status
from tests.builders import project
from tests.factories.webhooks import WebhookFactory
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings, monkeypatch, transactional_db):
    settings.GOLDFINCH_CALLS_ITSELF = True
    monkeypatch.setattr(clock, "now", lambda: NOON)
    with answering_server() as found:
        yield found


@pytest.fixture
def made(transactional_db):
    return project()


@pytest.fixture
def lena(made):
    return join(made, "lena", "lead")


def test_while_one_calls_the_other_finds_nothing_to_do(server, made, lena):
    arrived, go_on = threading.Event(), threading.Event()

    def answer(handler):
        arrived.set()
        go_on.wait(4)
        status(204)(handler)

    server.answer = answer
    hook = WebhookFactory(project=made, by=lena, url=server.url())
    for _ in range(2):
        sending.send_test(hook, by=lena, now=NOON)
    first = threading.Thread(target=lambda: (send_due(), connections.close_all()))
    first.start()
    assert arrived.wait(10)
    assert send_due() == 0
    go_on.set()
    first.join()
    assert len(server.received) == 2
    assert set(Delivery.objects.values_list("outcome", flat=True)) == {DeliveryOutcome.DELIVERED}


def test_many_senders_send_each_message_once(server, made, lena):
    count = size(3, 30)
    hooks = [WebhookFactory(project=made, by=lena, url=server.url(f"/{n}")) for n in range(3)]
    for hook in hooks:
        for _ in range(count):
            sending.send_test(hook, by=lena, now=NOON)
    together([send_due] * 6)
    send_due()
    ids = [received.headers["webhook-id"] for received in server.received]
    assert len(ids) == len(set(ids)) == 3 * count
