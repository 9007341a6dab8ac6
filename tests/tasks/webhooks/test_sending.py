"""Deliveries are signed, tried again later and later, given up, and sent again when a lead wants it."""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import timedelta

import pytest

from annotation.errors import WrongMove
from annotation.models import AllowedHost
from annotation.outgoing import calling
from annotation.outgoing.addresses import CallRefused
from tasks.models import Delivery, DeliveryOutcome, Webhook
from tasks.webhooks import sending, webhooks
from tasks.webhooks.sending import BACK_OFF, BUSY, send_due
from tests.annotation.outgoing.answering import status
from tests.factories.webhooks import WebhookFactory
from tests.people import NOON

S = DeliveryOutcome


@pytest.fixture
def waiting(hook, lena):
    """A delivery that is due."""
    return sending.send_test(hook, by=lena, now=NOON)


def fate(delivery):
    delivery.refresh_from_db()
    return delivery.outcome, delivery.failures


def outcomes(delivery):
    return [(each.outcome, each.status) for each in delivery.calls.order_by("pk")]


def is_signed(received, secret):
    """Whether one of its signatures is ours, computed as the specification of Standard Webhooks says."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{received.headers['webhook-id']}.{received.headers['webhook-timestamp']}.".encode() + received.body
    mine = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return mine in received.headers["webhook-signature"].split(" ")


def test_a_delivery_is_signed_over_its_id_the_time_and_its_body(waiting, hook, server):
    assert send_due() == 1
    [received] = server.received
    assert received.method == "POST"
    assert received.headers["content-type"] == "application/json"
    assert received.headers["webhook-id"] == f"msg_{waiting.uuid.hex}"
    assert received.headers["webhook-timestamp"] == str(int(NOON.timestamp()))
    assert is_signed(received, hook.secret)
    assert not is_signed(received, "whsec_" + base64.b64encode(b"another").decode())
    assert fate(waiting) == (S.DELIVERED, 0)
    assert outcomes(waiting) == [("answered", 204)]


def test_a_signature_is_the_one_of_the_example_of_the_specification():
    from datetime import UTC, datetime

    from tasks.webhooks.webhooks import signed_headers

    headers = signed_headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        keys=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        at=datetime.fromtimestamp(1614265330, UTC),
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_has_arrived_is_not_sent_again(waiting, server):
    assert (send_due(), send_due()) == (1, 0)
    assert len(server.received) == 1


@pytest.mark.parametrize("code", [199, 300, 302, 404, 410, 500])
def test_any_answer_but_a_good_one_has_it_tried_again_under_the_same_id(waiting, server, time, code):
    server.answer = status(code) if code != 199 else lambda handler: None
    assert send_due() == 1
    assert send_due() == 0
    time.at = NOON + BACK_OFF[0] - timedelta(seconds=1)
    assert send_due() == 0
    time.at = NOON + BACK_OFF[0]
    server.answer = status(200)
    assert send_due() == 1
    assert fate(waiting) == (S.DELIVERED, 1)
    first, second = server.received
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    assert second.headers["webhook-timestamp"] == str(int(time.at.timestamp()))


def test_it_is_given_up_after_three_days_and_each_try_is_in_the_log(waiting, server, time):
    server.answer = status(503)
    for wait in (timedelta(), *BACK_OFF):
        time.at += wait
        assert fate(waiting)[0] == S.WAITING
        assert send_due() == 1
    assert fate(waiting) == (S.GIVEN_UP, len(BACK_OFF) + 1)
    assert outcomes(waiting) == [("answered", 503)] * (len(BACK_OFF) + 1)
    assert timedelta(days=2) < time.at - NOON < timedelta(days=4)
    time.at += timedelta(days=30)
    assert send_due() == 0


def test_what_was_given_up_is_sent_again_under_its_id_and_as_often(waiting, server, time, lena):
    server.answer = status(503)
    for wait in (timedelta(), *BACK_OFF):
        time.at += wait
        send_due()
    sending.send_again(waiting, by=lena, now=time.at)
    assert send_due() == 1
    assert fate(waiting) == (S.WAITING, 1)
    server.answer = status(200)
    time.at += BACK_OFF[0]
    send_due()
    assert fate(waiting)[0] == S.DELIVERED
    assert len({each.headers["webhook-id"] for each in server.received}) == 1


def test_what_has_arrived_is_sent_again_if_a_lead_wants_that(waiting, server, lena):
    send_due()
    sending.send_again(waiting, by=lena, now=NOON)
    send_due()
    assert len(server.received) == 2
    assert fate(waiting)[0] == S.DELIVERED


def test_one_failure_has_the_others_of_the_webhook_wait_and_no_other_webhook(hook, nq, lena, server):
    other = WebhookFactory(project=nq, by=lena, url=server.url("/other"))
    for _ in range(3):
        sending.send_test(hook, by=lena, now=NOON)
        sending.send_test(other, by=lena, now=NOON)
    server.answer = lambda handler: status(500 if handler.path == "/hook" else 200)(handler)
    send_due()
    assert [each.path for each in server.received].count("/hook") == 1
    assert [each.path for each in server.received].count("/other") == 3


def test_a_sender_that_was_killed_is_followed_by_another_once_its_time_is_over(waiting, hook, server, time):
    Webhook.objects.update(busy_until=NOON + BUSY)
    assert send_due() == 0
    time.at = NOON + BUSY
    assert send_due() == 1
    hook.refresh_from_db()
    assert hook.busy_until is None


def test_nothing_is_sent_while_paused_and_what_waited_is_sent_then(waiting, hook, server, lena):
    webhooks.pause(hook, by=lena, now=NOON)
    assert send_due() == 0
    with pytest.raises(WrongMove):
        webhooks.pause(hook, by=lena, now=NOON)
    webhooks.resume(hook, by=lena, now=NOON)
    assert send_due() == 1


def test_what_waits_is_dropped_when_a_webhook_ends(waiting, hook, server, lena):
    webhooks.end(hook, by=lena, now=NOON)
    assert send_due() == 0
    assert fate(waiting) == (S.DROPPED, 0)
    with pytest.raises(WrongMove):
        sending.send_again(waiting, by=lena, now=NOON)
    with pytest.raises(WrongMove):
        webhooks.end(hook, by=lena, now=NOON)
    hook.refresh_from_db()
    assert (hook.secret, hook.old_secret) == ("", "")


def test_for_a_day_after_a_new_secret_both_sign(hook, server, time, lena):
    old = hook.secret
    new = webhooks.rotate(hook, by=lena, now=NOON)
    assert new != old
    for time.at in (NOON, NOON + webhooks.OLD_SECRET_LASTS):
        sending.send_test(hook, by=lena, now=time.at)
        send_due()
    during, after = server.received
    assert is_signed(during, old)
    assert is_signed(during, new)
    assert is_signed(after, new)
    assert not is_signed(after, old)


def test_a_host_that_is_no_longer_allowed_is_not_called_and_the_log_says_so(waiting, server, lena):
    calling.remove_host(AllowedHost.objects.get(), by=lena, now=NOON)
    send_due()
    assert server.received == []
    assert outcomes(waiting) == [("not_allowed", None)]
    assert fate(waiting) == (S.WAITING, 1)


def test_a_webhook_needs_an_allowed_host_a_kind_and_an_address_of_its_own(hook, nq, lena, server):
    for url, kinds, reason in [
        ("https://elsewhere.example/", ["item.done"], "not_allowed"),
        ("https://10.0.0.1/", ["item.done"], "address"),
        (server.url(), ["item.done"], "address"),
        (server.url("/new"), [], "kinds"),
        (server.url("/new"), ["item.secret"], "kinds"),
    ]:
        with pytest.raises(CallRefused) as refused:
            webhooks.add(nq, url=url, kinds=kinds, by=lena, now=NOON)
        assert refused.value.reason == reason
    assert webhooks.live(nq).count() == 1


def test_a_project_has_ten_webhooks_at_most(hook, nq, lena, server):
    for number in range(webhooks.MOST - 1):
        WebhookFactory(project=nq, by=lena, url=server.url(f"/{number}"))
    with pytest.raises(CallRefused, match="10 webhooks"):
        WebhookFactory(project=nq, by=lena, url=server.url("/more"))


def test_the_log_forgets_what_ended_thirty_days_ago_and_nothing_that_waits(waiting, hook, lena, time):
    send_due()
    still = sending.send_test(hook, by=lena, now=NOON)
    assert sending.remove_old(now=NOON + sending.KEPT) == 0
    assert sending.remove_old(now=NOON + sending.KEPT + timedelta(seconds=1)) == 1
    assert [each.pk for each in Delivery.objects.all()] == [still.pk]
