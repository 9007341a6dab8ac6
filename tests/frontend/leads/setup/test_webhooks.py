"""A lead adds a webhook, sees its secret once, tests, pauses and removes it, and sees what was delivered."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import AllowedHost, Event
from annotation.outgoing import calling
from annotation.outgoing.addresses import CallFailed
from frontend.leads.setup.webhooks import OUTCOMES
from tasks.models import Webhook
from tasks.webhooks import sending
from tasks.webhooks.sending import send_due
from tests.annotation.outgoing.answering import answering_server, status
from tests.builders import project
from tests.factories.outgoing import AllowedHostFactory
from tests.factories.webhooks import WebhookFactory
from tests.frontend.site.conftest import signed_in
from tests.people import NOON


@pytest.fixture(autouse=True)
def noon(monkeypatch, settings, db):
    settings.GOLDFINCH_CALLS_ITSELF = True
    monkeypatch.setattr(clock, "now", lambda: NOON)


@pytest.fixture
def server(lena):
    with answering_server() as found:
        AllowedHostFactory(name=found.host, by=lena)
        yield found


@pytest.fixture
def lead(lena):
    return signed_in(lena)


@pytest.fixture
def hook(nq, lena, server):
    return WebhookFactory(project=nq, by=lena, url=server.url())


def text(answer):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode())))


def add(lead, nq, url, *kinds):
    return lead.post(reverse("webhooks", args=[nq.slug]), {"url": url, "kinds": kinds})


def do(lead, name, hook, *more, follow=True, **sent):
    return lead.post(reverse(name, args=[hook.project.slug, hook.pk, *more]), sent, follow=follow)


def page(lead, hook):
    return lead.get(reverse("webhook", args=[hook.project.slug, hook.pk]))


def test_a_lead_adds_one_and_sees_its_secret_once(lead, nq, server):
    answer = add(lead, nq, server.url(), "item.done", "release.ready")
    row = Webhook.objects.get()
    assert row.secret.startswith("whsec_")
    assert row.secret in answer.content.decode()
    of_all = lead.get(reverse("webhooks", args=[nq.slug]))
    for seen in (page(lead, row), of_all):
        assert server.url() in text(seen)
        assert row.secret not in seen.content.decode()
    listed = text(of_all)
    assert "An item is done · A release is ready" in listed
    assert "not reached so far" in listed


def test_a_project_without_webhooks_says_so_and_whom_to_ask(lead, nq):
    found = text(lead.get(reverse("webhooks", args=[nq.slug])))
    assert "None yet: nobody outside is told what happens here." in found
    assert "Ask an admin of the site to allow yours" in found


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://elsewhere.example/", "No admin of this site has allowed calls to this host."),
        ("elsewhere", "This is no address that can be called"),
    ],
)
def test_an_address_that_is_not_possible_is_refused_and_stays_in_its_field(lead, nq, url, said):
    answer = add(lead, nq, url, "item.done")
    assert answer.status_code == 422
    assert said in text(answer)
    assert f'value="{url}"' in answer.content.decode()
    assert re.findall(r'value="([a-z.]+)" checked', answer.content.decode()) == ["item.done"]
    assert not Webhook.objects.exists()


def test_without_a_kind_nothing_is_added(lead, nq, server):
    answer = add(lead, nq, server.url())
    assert answer.status_code == 422
    assert "Choose what the webhook is to tell of." in text(answer)


def test_what_it_is_told_can_be_changed_and_not_to_nothing(lead, hook):
    assert do(lead, "change_webhook", hook).status_code == 422
    assert do(lead, "change_webhook", hook, kinds=["case.opened"]).status_code == 200
    assert set(hook.kinds.values_list("kind", flat=True)) == {"case.opened"}


def test_a_test_is_sent_and_its_outcome_shown(lead, hook, server):
    assert "Nothing was sent so far" in text(page(lead, hook))
    assert "A test is on its way" in text(do(lead, "test_webhook", hook))
    waiting = page(lead, hook)
    assert "Waiting" in text(waiting)
    assert "data-refresh" in waiting.content.decode()
    send_due()
    arrived = page(lead, hook)
    assert "Delivered" in text(arrived)
    assert "Answered 204" in text(arrived)
    assert "data-refresh" not in arrived.content.decode()
    assert server.received[0].headers["webhook-id"] in text(arrived)


def test_why_nothing_arrived_is_said_and_it_is_sent_again(lead, hook, server):
    server.answer = status(500)
    do(lead, "test_webhook", hook, follow=False)
    send_due()
    found = text(page(lead, hook))
    assert "Answered 500" in found
    assert "next try 20 November, 12:01" in found
    assert "1 waiting" in text(lead.get(reverse("webhooks", args=[hook.project.slug])))
    server.answer = status(200)
    do(lead, "send_webhook_again", hook, hook.deliveries.get().pk, follow=False)
    send_due()
    found = text(page(lead, hook))
    assert "Answered 200" in found
    assert "1 try before" in found
    assert "last reached" in text(lead.get(reverse("webhooks", args=[hook.project.slug])))


def test_while_it_is_paused_nothing_is_sent(lead, hook, server):
    do(lead, "pause_webhook", hook, follow=False)
    do(lead, "test_webhook", hook, follow=False)
    send_due()
    assert server.received == []
    assert "Paused" in text(page(lead, hook))
    assert "What waited is on its way" in text(do(lead, "pause_webhook", hook, resume="yes"))
    send_due()
    assert len(server.received) == 1


def test_a_new_secret_is_shown_once(lead, hook):
    answer, before = do(lead, "rotate_webhook", hook), hook.secret
    hook.refresh_from_db()
    assert hook.secret != before
    assert hook.secret in answer.content.decode()
    assert "24 hours" in text(answer)
    assert hook.secret not in page(lead, hook).content.decode()


def test_one_that_is_removed_is_nowhere(lead, hook):
    assert "The webhook is removed." in text(do(lead, "remove_webhook", hook))
    assert page(lead, hook).status_code == 404
    assert "None yet" in text(lead.get(reverse("webhooks", args=[hook.project.slug])))


def test_its_page_has_its_history_with_who_did_what(lead, hook, lena):
    do(lead, "pause_webhook", hook, follow=False)
    do(lead, "pause_webhook", hook, resume="yes", follow=False)
    found = text(page(lead, hook))
    history = found[found.index("History") :]
    assert re.search("Resumed .* lena Paused .* lena Added .* lena", history)
    assert Event.objects.filter(kind__startswith="webhook.", project_id=hook.project_id).count() == 3


def test_its_page_says_when_its_host_is_no_longer_allowed(lead, hook, lena):
    assert "An admin of the site has to allow" not in text(page(lead, hook))
    calling.remove_host(AllowedHost.objects.get(), by=lena, now=NOON)
    assert "An admin of the site has to allow localhost" in text(page(lead, hook))


def test_a_webhook_of_another_project_is_not_there(lead, hook, lena):
    other = project("elsewhere")
    foreign = WebhookFactory(project=other, by=lena, url="http://localhost:1/x")
    delivery = sending.send_test(foreign, by=lena, now=NOON)
    for address in (
        reverse("webhook", args=[other.slug, foreign.pk]),
        reverse("webhook", args=[hook.project.slug, foreign.pk]),
    ):
        assert lead.get(address).status_code == 404
    assert do(lead, "send_webhook_again", hook, delivery.pk).status_code == 404


def test_every_reason_of_a_call_without_an_answer_has_words():
    refused = {"address", "https", "not_allowed", "not_public"}
    assert {"", *refused, *CallFailed.REASONS} == OUTCOMES.keys()
