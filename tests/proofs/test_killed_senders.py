"""Senders of webhooks that are killed anywhere lose nothing: each message arrives at least once, under one id."""

from __future__ import annotations

import random
import signal
from collections import defaultdict
from datetime import timedelta

import pytest

from annotation.models import Event
from tasks.models import Delivery, DeliveryOutcome
from tests.annotation.outgoing.answering import answering_server, status
from tests.builders import Worker, open_with, project, questions
from tests.factories.webhooks import WebhookFactory
from tests.people import NOON, join
from tests.proving import size

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge]
"""That nothing stays of what was not committed by a process that is killed, killed imports show on both."""

KILLS = size(6, 200)
SEED = 3505
MOST_STEPS = 20
"""Of a sender that has one or two messages to send."""
LATER = timedelta(hours=25)
"""After it, whatever waits is due."""


@pytest.fixture
def server(settings, monkeypatch, transactional_db):
    """It forgets one answer in five: the message has arrived, and its sender does not learn that.

    The same message is forgotten once at most, or it would be given up in the end.
    """
    settings.GOLDFINCH_CALLS_ITSELF = True
    monkeypatch.setenv("GOLDFINCH_CALLS_ITSELF", "1")
    rng, forgotten = random.Random(SEED), set()

    def answer(handler):
        message = handler.headers["webhook-id"]
        if message not in forgotten and rng.random() < 0.2:
            forgotten.add(message)
        else:
            status(204)(handler)

    with answering_server() as found:
        found.answer = answer
        yield found


@pytest.fixture
def sent(server, fork_server, tmp_path):
    """Return a function that sends what is due then, killed at that step; it returns whether the sender was killed."""

    def run(at, *, point=0, build="real"):
        words = (build, str(point), at.isoformat())
        child = fork_server.start("tests.proofs.rigs.killing_senders", *words, out=tmp_path / "said.txt")
        code = fork_server.wait(child.pid)
        assert code in (0, -signal.SIGKILL), (tmp_path / "said.txt.err").read_text()
        return code != 0

    return run


def by_id(server):
    """The bodies that arrived, by the id of their message."""
    found = defaultdict(set)
    for received in server.received:
        found[received.headers["webhook-id"]].add(received.body)
    return found


def wanted():
    """The ids of the messages of all that has happened."""
    happened = Event.objects.filter(kind="task.done").values_list("pk", flat=True)
    rows = Delivery.objects.all()
    assert sorted(row.event for row in rows) == sorted(happened)
    return {f"msg_{row.uuid.hex}" for row in rows}


def killed_while_items_are_done(made, sent, *, kills, build="real"):
    """Let somebody finish an item before each sender, which is killed at a step drawn by chance; then none is."""
    worker, rng, at = Worker(join(made, "alice"), made), random.Random(SEED), NOON
    while kills:
        worker.finish_bad()
        at += LATER
        kills -= sent(at, point=rng.randint(1, MOST_STEPS), build=build)
    end = at
    while Delivery.objects.filter(outcome=DeliveryOutcome.WAITING).exists() and at < end + LATER * 100:
        at += LATER
        sent(at, build=build)


def with_a_webhook(server, tmp_path, *, items):
    made = project()
    open_with(made, tmp_path, questions(items))
    WebhookFactory(project=made, by=join(made, "lena", "lead"), url=server.url(), kinds=["item.done"])
    return made


def test_kills_of_the_sender_lose_nothing_and_every_message_keeps_its_id(server, sent, tmp_path, record_property):
    record_property("size", KILLS)
    record_property("seed", SEED)
    made = with_a_webhook(server, tmp_path, items=KILLS * 3)
    killed_while_items_are_done(made, sent, kills=KILLS)
    arrived = by_id(server)
    assert set(arrived) == wanted()
    assert [bodies for bodies in arrived.values() if len(bodies) > 1] == []
    assert set(Delivery.objects.values_list("outcome", flat=True)) == {DeliveryOutcome.DELIVERED}
    assert len(server.received) > len(arrived), "some arrived twice, as their senders did not learn that they had"


def test_control_a_sender_that_takes_a_message_for_delivered_at_once_loses_some(server, sent, tmp_path):
    made = with_a_webhook(server, tmp_path, items=150)
    server.answer = status(204)
    killed_while_items_are_done(made, sent, kills=30, build="early")
    assert set(by_id(server)) < wanted()
