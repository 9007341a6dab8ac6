"""A mail that could not be sent is shown to the lead, in plain words, and can be sent again."""

from __future__ import annotations

import html
import re
import smtplib
import socketserver
import threading
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Role, User
from frontend.accounts import mails
from frontend.server import mail
from qualification.models import Invite, MailOutcome
from tests.builders import project
from tests.people import join
from tests.ports import reserved_port

pytestmark = pytest.mark.django_db(transaction=True)


class Post(socketserver.StreamRequestHandler):
    """A mail server that takes what is not for a `refused` address."""

    def handle(self):
        self.say("220 ready")
        in_text = False
        for line in self.rfile:
            if in_text:
                if line.strip() == b".":
                    in_text = False
                    self.say("250 taken")
            elif line.upper().startswith(b"DATA"):
                in_text = True
                self.say("354 go on")
            elif line.upper().startswith(b"QUIT"):
                return self.say("221 bye")
            else:
                self.say("550 secret-host says no" if b"TO:<refused" in line else "250 fine")

    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")


@pytest.fixture
def settings(settings):
    settings.EMAIL_BACKEND = "frontend.server.mail.Backend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_PORT = "127.0.0.1", False, reserved_port()
    return settings


@pytest.fixture
def server(settings):
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Post) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        settings.EMAIL_PORT = found.server_address[1]
        yield found
        found.shutdown()


@pytest.fixture
def lead():
    nq = project()
    lena = join(nq, "lena", Role.LEAD)
    ada = join(nq, "ada")
    User.objects.filter(pk=ada.pk).update(email="refused-ada@maths.example")
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(lena)
    return browser


def sent():
    """Wait until the thread has done what it was given."""
    mail._sending.submit(int).result(timeout=30)


def invite(lead, guests):
    form = {"guests": guests, "role": "annotator", "days": 14, "key": uuid.uuid4()}
    answer = lead.post(reverse("invite", args=["lights"]), form)
    sent()
    return answer


def people(lead):
    return html.unescape(re.sub(r"\s+", " ", lead.get(reverse("people", args=["lights"])).content.decode()))


def test_a_server_that_is_not_there_fails_no_request_and_is_said_beside_the_invitation(settings, lead):
    answer = invite(lead, "Grace, grace@ships.example")
    assert answer.status_code == 200
    assert "/join/" in answer.content.decode()
    page = people(lead)
    assert "The mail could not be sent: the mail server can’t be reached." in page
    assert "Send again" in page
    assert "127.0.0.1" not in page


def test_a_refused_address_keeps_nobody_else_from_getting_theirs(server, lead):
    invite(lead, "Ada, refused@maths.example\nGrace, grace@ships.example")
    outcomes = {row.name: row.mail.outcome for row in Invite.objects.all()}
    assert outcomes == {"Ada": MailOutcome.ADDRESS, "Grace": MailOutcome.SENT}
    page = people(lead)
    assert page.count("The mail could not be sent: the mail server does not accept this address.") == 1
    assert "secret-host" not in page


def test_it_is_sent_again_with_a_new_link_and_then_nothing_is_wrong_any_more(server, settings, lead):
    right, settings.EMAIL_PORT = settings.EMAIL_PORT, reserved_port()
    invite(lead, "Grace, grace@ships.example")
    settings.EMAIL_PORT = right
    again = lead.post(reverse("renew_invite", args=["lights", Invite.objects.get().pk]))
    sent()
    assert "/join/" in again.content.decode()
    assert "could not be sent" not in people(lead)
    assert Invite.objects.get().mail.outcome == MailOutcome.SENT


def test_an_invitation_that_is_revoked_has_no_mail_to_send(settings, lead):
    invite(lead, "Grace, grace@ships.example")
    lead.post(reverse("revoke_invite", args=["lights", Invite.objects.get().pk]))
    assert "could not be sent" not in people(lead)


def test_a_link_for_a_new_password_that_could_not_be_mailed_is_shown_and_sent_again(server, lead):
    Client(SERVER_NAME="127.0.0.1").post(reverse("account_reset_password"), {"email": "refused-ada@maths.example"})
    sent()
    page = people(lead)
    assert "A link for a new password could not be mailed: the mail server does not accept this address." in page
    ada = User.objects.get(username="ada")
    User.objects.filter(pk=ada.pk).update(email="ada@maths.example")
    again = lead.post(reverse("give_password", args=["lights", ada.worker_code]), {"mail": "1"})
    sent()
    assert "being sent by mail" in again.content.decode()
    assert "could not be mailed" not in people(lead)


def test_a_link_that_a_lead_asks_for_is_not_mailed(server, lead):
    ada = User.objects.get(username="ada")
    page = lead.post(reverse("give_password", args=["lights", ada.worker_code])).content.decode()
    sent()
    assert "being sent by mail" not in page
    assert not hasattr(User.objects.get(pk=ada.pk), "password_mail")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (smtplib.SMTPAuthenticationError(535, b"no"), MailOutcome.SIGN_IN),
        (smtplib.SMTPServerDisconnected("gone"), MailOutcome.UNREACHABLE),
        (smtplib.SMTPDataError(554, b"spam"), MailOutcome.REFUSED),
        (TimeoutError(), MailOutcome.UNREACHABLE),
        (ValueError("header"), MailOutcome.REFUSED),
    ],
)
def test_an_error_is_told_by_who_has_to_do_something_about_it(error, outcome):
    assert mails.outcome_of(error) == outcome
