"""Each kind of happening reaches the webhook that asked for it, as ids and kinds, and nothing else does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from annotation import releases
from annotation.engine import recording, state_machine
from annotation.judging import rounds
from annotation.models import CaseState, Event, Role, RoundState
from annotation.models.case import CASE_MOVES
from annotation.models.judging import ROUND_MOVES
from annotation.releases import building
from qualification.courses import sitting
from tasks.disputes import deciding, references, who
from tasks.judging import raters
from tasks.models import Delivery
from tasks.setup import archiving
from tasks.webhooks import webhooks
from tasks.webhooks.kinds import KINDS
from tasks.webhooks.sending import send_due
from tests import disagreeing
from tests.builders import GOOD, NO_ANSWER, Worker, open_with, project, questions, reload
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.factories.webhooks import WebhookFactory
from tests.people import NOON, join
from tests.qualification.courses.building import prepare, sit, three_blocks
from tests.tasks.judging.judged_rounds import draft


def told(server):
    """What has arrived: kind and data of each message."""
    send_due()
    bodies = [json.loads(each.body) for each in server.received]
    return [(body["type"], body["data"]) for body in bodies]


def finish_items(nq, tmp_path, count=1):
    open_with(nq, tmp_path, questions(count, split="train"))
    worker = Worker(join(nq, "alice"), nq)
    return [worker.finish_bad().task for _ in range(count)]


def test_an_item_that_is_done(hook, nq, server, tmp_path):
    [task] = finish_items(nq, tmp_path)
    assert told(server) == [("item.done", {"project": nq.slug, "item": task.item_id, "activity": "annotate"})]


def test_a_message_says_when_it_happened_and_its_body_has_nothing_else(hook, nq, server, tmp_path):
    finish_items(nq, tmp_path)
    told(server)
    assert json.loads(server.received[0].body) == {
        "type": "item.done",
        "timestamp": NOON.isoformat(),
        "data": {"project": nq.slug, "item": nq.items.get().pk, "activity": "annotate"},
    }


@pytest.mark.parametrize("decision", [CaseState.UPHELD, CaseState.DISMISSED])
def test_a_case_that_is_opened_and_decided(hook, nq, server, tmp_path, lena, decision):
    [task] = finish_items(nq, tmp_path)
    case = recording.open_case(task.item.annotations.get(), now=NOON)
    state_machine.move(case, decision, moves=CASE_MOVES, by=lena, now=NOON)
    about = {"project": nq.slug, "case": case.pk, "kind": "acceptance", "item": task.item_id}
    assert told(server)[1:] == [("case.opened", about), ("case.decided", about)]


def test_a_release_that_is_ready_and_retracted(hook, nq, server, tmp_path, lena):
    finish_items(nq, tmp_path)
    made = releases.build(nq, format="nq", splits=[], partial=True, by=lena, now=NOON)
    building.retract(made, by=lena, reason="A page was not free.", now=NOON)
    about = {"project": nq.slug, "release": made.version}
    assert told(server)[1:] == [("release.ready", about), ("release.retracted", about)]
    assert "not free" not in str([each.body for each in server.received])


def test_an_exam_without_how_it_went_or_whose_it_is(hook, nq, server):
    reading = QualificationFactory(project=nq)
    CourseVersionFactory(qualification=reading, course=three_blocks())
    bob = join(nq, "bob")
    prepare(bob, reading)
    attempt = sit(bob, reading)
    said = {"project": nq.slug, "qualification": "reading", "attempt": str(attempt.uuid)}
    assert told(server) == [("exam.ended", said)]


def test_items_of_which_annotations_agree_too_little(lena, server, time, tmp_path):
    made = disagreeing.lights(tmp_path, slug="towers")
    WebhookFactory(project=made, by=lena, url=server.url(), kinds=["item.disputed"])
    item = disagreeing.answered(made, *(disagreeing.box(number) for number in range(3)))
    assert told(server) == [("item.disputed", {"project": made.slug, "item": item.pk, "activity": "annotate"})]


@pytest.mark.parametrize("end", [RoundState.CLOSED, RoundState.STOPPED])
def test_a_judging_round_that_is_sealed_and_ends(lights, lead, server, time, end):
    WebhookFactory(project=lights, by=lead, url=server.url())
    row = draft(lights, lead)
    raters.name(row, join(lights, "erin", Role.EXPERT), by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    state_machine.move(row, end, moves=ROUND_MOVES, by=lead, now=NOON, ended_at=NOON)
    said = {"project": lights.slug, "round": str(row.uuid)}
    assert told(server) == [("round.sealed", said), ("round.ended", said)]


def test_an_expert_s_reference_is_no_item_that_is_done(lena, server, time, tmp_path):
    made = disagreeing.lights(tmp_path, slug="towers")
    WebhookFactory(project=made, by=lena, url=server.url(), kinds=["item.done"])
    item = disagreeing.answered(made, *(disagreeing.box(number) for number in range(3)))
    erin = join(made, "erin", Role.EXPERT)
    who.begin(erin, made, now=NOON)
    mine = references.write(deciding.task_of(item, "annotate"), by=erin, now=NOON)
    Worker(erin, made).commit(mine, "question", GOOD)
    Worker(erin, made).commit(mine, "long_answer", NO_ANSWER)
    assert reload(mine).state == "submitted"
    assert told(server) == []


def test_a_lead_s_trial_of_an_exam_is_not_told(hook, nq, server, lena):
    reading = QualificationFactory(project=nq)
    version = CourseVersionFactory(qualification=reading, course=three_blocks())
    sitting.hand_in(sitting.issue_trial(lena, reading, version, now=NOON), now=NOON)
    assert Delivery.objects.count() == 1
    assert told(server) == []
    assert Delivery.objects.count() == 0


def test_only_what_was_asked_for_is_told(hook, nq, server, tmp_path, lena):
    webhooks.change(hook, kinds=["release.ready"], by=lena, now=NOON)
    finish_items(nq, tmp_path)
    releases.build(nq, format="nq", splits=[], partial=True, by=lena, now=NOON)
    assert [kind for kind, _data in told(server)] == ["release.ready"]


def test_what_happens_in_another_project_is_not_told(hook, server, tmp_path):
    finish_items(project("elsewhere"), tmp_path)
    assert told(server) == []


def test_what_happened_before_is_not_told(nq, server, tmp_path, lena, time):
    finish_items(nq, tmp_path)
    WebhookFactory(project=nq, by=lena, url=server.url())
    assert told(server) == []


def test_what_is_rolled_back_is_not_told(hook, nq, server, tmp_path, rolled_back):
    with rolled_back():
        finish_items(nq, tmp_path)
        assert Delivery.objects.exists()
    assert told(server) == []


def test_two_webhooks_are_told_each(hook, nq, server, tmp_path, lena):
    WebhookFactory(project=nq, by=lena, url=server.url("/other"))
    finish_items(nq, tmp_path, count=2)
    told(server)
    assert sorted(each.path for each in server.received) == ["/hook", "/hook", "/other", "/other"]


def test_a_webhook_ends_when_its_project_is_archived_and_stays_ended(hook, nq, server, lena):
    recipient = webhooks.live(nq)
    archiving.archive(nq, by=lena, now=NOON)
    assert not recipient.exists()
    archiving.bring_back(nq, by=lena, now=NOON)
    assert not recipient.exists()
    assert Event.objects.filter(kind="webhook.ended").count() == 1


def test_the_page_for_leads_and_receivers_lists_each_kind():
    text = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    listed = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    assert set(re.findall(r"`([a-z.]+)`", "".join(listed))) == set(KINDS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_stands_for_events_that_the_code_records(kind):
    states = {"task", "case", "release", "attempt", "judginground"}
    assert all(event.split(".")[0] in states for event in KINDS[kind][1])


def test_a_claim_and_a_commit_have_no_statement_more_with_a_webhook(lena, server, time, tmp_path, statements):
    nq = project("in-order", activities={"annotate": {"draw": "in_order"}})
    open_with(nq, tmp_path, questions(6, split="train"))
    worker = Worker(join(nq, "alice"), nq)
    for _ in range(3):
        worker.finish_bad()
    without = statements(worker.finish_bad)
    WebhookFactory(project=nq, by=lena, url=server.url())
    assert statements(worker.finish_bad) == without
    assert Delivery.objects.count() == 1


@pytest.fixture
def statements():
    """How many statements a call has."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count(work):
        with CaptureQueriesContext(connection) as captured:
            work()
        return len(captured)

    return count


@pytest.fixture
def rolled_back():
    """A block whose transaction is not kept."""
    from contextlib import contextmanager

    from django.db import transaction

    @contextmanager
    def block():
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    return block
