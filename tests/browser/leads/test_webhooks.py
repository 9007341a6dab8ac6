"""An admin allows a host, a lead adds a webhook, checks it with a test, and reads what arrived and what did not."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest
from playwright.sync_api import Page, expect

from annotation import randomness
from tests import signed_in
from tests.annotation.outgoing.answering import answering_server, status
from tests.builders import questions, write_lines
from tests.site import Site
from tests.waiting.settled import keys

SEND = "from tasks.webhooks.sending import send_due; send_due()"
ADMIN = "from annotation.models import User; User.objects.filter(username={name!r}).update(is_staff=True)"
FINISH = """
from annotation.models import Project
from tests.builders import Worker
from tests.signed_in import member
made = Project.objects.get(slug={slug!r})
Worker(member(made, 'wim-' + made.slug), made).finish_bad()
"""


@pytest.fixture
def slug(site: Site) -> str:
    made = f"hooks-{randomness.handle().hex[:8]}"
    site.manage("create_project", made, "--protocol", "nq", "--title", "Lights")
    site.manage("import_items", made, str(write_lines(site.folder / f"{made}.jsonl", questions(1))))
    site.manage("open_queue", made)
    signed_in.join(site, made, f"lea-{made}", role="lead")
    signed_in.join(site, made, f"ada-{made}")
    site.manage(
        "shell",
        "-c",
        f"from annotation.models import User; User.objects.filter(username='ada-{made}').update(is_staff=True)",
    )
    return made


@pytest.fixture
def server():
    with answering_server() as found:
        yield found


def is_signed(received, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{received.headers['webhook-id']}.{received.headers['webhook-timestamp']}.".encode() + received.body
    mine = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return hmac.compare_digest(mine, received.headers["webhook-signature"])


def allow(site: Site, page: Page, slug: str, host: str) -> None:
    """As an admin of the site."""
    signed_in.sign_in(site, page, f"ada-{slug}")
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("link", name="Hosts that may be called").click()
    page.get_by_label("Host", exact=True).fill(host)
    page.get_by_label("What for").fill("Counts of the group")
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_text(f"The site may call {host}.")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/setup/test_webhooks.py::test_why_nothing_arrived_is_said_and_it_is_sent_again"
)
def test_from_the_host_to_the_first_item_that_is_done(site, page, slug, server):
    allow(site, page, slug, server.host)
    signed_in.sign_in(site, page, f"lea-{slug}")
    page.goto(f"{site.url}/projects/{slug}/settings/")
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Address", exact=True).fill(server.url())
    page.get_by_role("button", name="Add the webhook").click()
    secret = page.get_by_label("Secret").input_value()
    page.get_by_role("link", name="I have kept it").click()
    page.get_by_role("button", name="Send a test").click()
    log = page.get_by_role("region", name="Deliveries")
    expect(log.get_by_text("Waiting")).to_be_visible()
    site.manage("shell", "-c", SEND)
    expect(log.get_by_text("Delivered")).to_be_visible()  # without being opened anew
    expect(log.get_by_text("Answered 204")).to_be_visible()
    site.manage("shell", "-c", FINISH.format(slug=slug))
    server.answer = status(503)
    site.manage("shell", "-c", SEND)
    page.reload()
    expect(log.get_by_text("Answered 503")).to_be_visible()
    server.answer = status(200)
    log.get_by_role("button", name="Send").first.click()
    site.manage("shell", "-c", SEND)
    expect(log.get_by_text("Answered 200")).to_be_visible()
    test, first, second = server.received
    assert [json.loads(each.body)["type"] for each in server.received] == ["test", "item.done", "item.done"]
    assert first.headers["webhook-id"] == second.headers["webhook-id"] != test.headers["webhook-id"]
    assert all(is_signed(each, secret) for each in server.received)


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/setup/test_webhooks.py::test_why_nothing_arrived_is_said_and_it_is_sent_again"
)
def test_by_keyboard_on_a_phone_a_webhook_is_paused_and_removed(site, page, slug, server):
    page.set_viewport_size({"width": 390, "height": 844})
    allow(site, page, slug, server.host)
    signed_in.sign_in(site, page, f"lea-{slug}")
    page.goto(f"{site.url}/projects/{slug}/settings/webhooks/")
    page.get_by_label("Address", exact=True).focus()
    keys(page).type(server.url())
    keys(page).press("Enter")
    page.get_by_role("link", name="I have kept it").press("Enter")
    page.get_by_role("button", name="Pause").press("Enter")
    expect(page.get_by_text("It is paused. What happens meanwhile waits.")).to_be_visible()
    page.get_by_role("button", name="Remove…").press("Enter")
    dialog = page.get_by_role("dialog", name="Remove the webhook?")
    expect(dialog).to_be_visible()
    keys(page).press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Remove…").press("Enter")
    dialog.get_by_role("button", name="Remove it").press("Enter")
    expect(page.get_by_text("None yet: nobody outside is told what happens here.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
