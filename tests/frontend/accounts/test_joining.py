"""Who has the link of an invitation joins with a new account or their own; a link that doesn't work says nothing."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, membership, randomness
from annotation.errors import InviteClosed
from annotation.models import Event, Role, User
from qualification import accounts, invitations
from qualification.invitations import Guest
from qualification.models import Invite
from tasks.people import memberships
from tests.builders import open_with, questions
from tests.people import join

ANNA = {"username": "anna", "password": "a few easy words", "email": "anna@home.example"}


def link_for(project, lead, role="annotator", **ago):
    """The address of a new invitation, made some time ago."""
    made_at = clock.now() - timedelta(**ago)
    [made] = invitations.make(project, [Guest(role)], days=3, key=randomness.handle(), by=lead, now=made_at)
    return reverse("join", args=[made.token])


def test_a_new_person_makes_an_account_and_is_led_to_consent_guidelines_and_the_first_work(nq, lena, client, tmp_path):
    open_with(nq, tmp_path, questions(1))
    joined = client.post(link_for(nq, lena), ANNA)
    assert joined["Location"] == reverse("consent", args=[nq.slug])
    guidelines = client.post(joined["Location"])["Location"]
    assert "Begin" in client.get(guidelines).content.decode()
    anna = User.objects.get(username="anna")
    assert (anna.email, membership.roles_of(anna, nq)) == ("anna@home.example", {"annotator"})
    client.logout()
    assert client.post(reverse("login"), ANNA).status_code == 302


@pytest.mark.parametrize(("role", "page"), [("expert", "disputes"), ("lead", "project")])
def test_experts_and_leads_see_first_what_is_theirs(nq, lena, client, role, page):
    joined = client.post(link_for(nq, lena, role), ANNA)
    assert joined["Location"] == reverse(page, args=[nq.slug])
    assert client.get(joined["Location"]).status_code == 200


def test_somebody_with_an_account_signs_in_and_joins_with_it(nq, lena, mallory, client):
    link = link_for(nq, lena)
    [sign_in] = re.findall(r'href="(/login/[^"]*)"', client.get(link).content.decode())
    signed_in = Client().post(sign_in, {"username": "mallory", "password": "no-member-of-anything"})
    assert signed_in["Location"] == link
    client.force_login(mallory)
    assert "You are signed in as <b>mallory</b>" in client.get(link).content.decode()
    assert client.post(link, ANNA)["Location"] == reverse("consent", args=[nq.slug])
    assert membership.roles_of(mallory, nq) == {"annotator"}
    assert not User.objects.filter(username="anna").exists()
    added = Event.objects.get(kind="member.added", by=mallory.pk)
    assert added.data == {"user": mallory.pk, "role": "annotator", "invite": Invite.objects.get().pk}


def test_who_has_the_role_already_does_not_use_the_link_up(nq, lena, alice, client):
    link = link_for(nq, lena)
    client.force_login(alice)
    assert client.post(link).status_code == 302
    client.logout()
    assert client.post(link, ANNA).status_code == 302
    assert User.objects.filter(username="anna").exists()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"username": "LENA"}, "This user name is taken"),
        ({"username": "a name"}, "A user name has letters, digits and @ . + - _ only, and no spaces."),
        ({"password": "short"}, "at least 10 characters"),
        ({"password": "password123"}, "too common"),
        ({"email": "anna@"}, "valid email"),
        ({"password": "x" * 1001}, "at most 1000 characters"),
    ],
)
def test_an_account_that_cannot_be_is_refused_at_its_field_and_the_link_still_works(nq, lena, client, wrong, why):
    link = link_for(nq, lena)
    refused = client.post(link, ANNA | wrong)
    assert refused.status_code == 422
    assert why in refused.content.decode()
    assert client.post(link, ANNA).status_code == 302


@pytest.mark.parametrize("method", ["get", "post"])
def test_links_that_never_were_are_used_expired_or_revoked_cannot_be_told_apart(nq, lena, client, monkeypatch, method):
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars: "x" * length)
    used, expired, revoked = link_for(nq, lena), link_for(nq, lena, days=4), link_for(nq, lena)
    client.post(used, ANNA)
    client.logout()
    invitations.revoke(Invite.objects.latest("pk"), by=lena, now=clock.now())
    answers = [
        getattr(client, method)(link, ANNA | {"username": "otto"})
        for link in (used, expired, revoked, "/join/never-was/", "/join/%00/")
    ]
    seen = {(each.status_code, each.content, str(sorted(each.headers.items()))) for each in answers}
    assert [status for status, *_more in seen] == [404]
    assert "ask the person who sent you the link" in answers[0].content.decode()
    assert not User.objects.filter(username="otto").exists()


@pytest.mark.parametrize("how", ["put out", "became an expert", "account closed"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_link_is_closed_when_who_sent_it_leads_no_longer(nq, lena, client, settings, how, method):
    settings.GOLDFINCH_CONTACT = "desk@lab.example"
    link, other = link_for(nq, lena, "lead"), join(nq, "otto", Role.LEAD)
    if how == "put out":
        memberships.end(nq, lena, Role.LEAD, finish=False, by=other, reason="left", now=clock.now())
    elif how == "became an expert":
        memberships.change_role(nq, lena, Role.LEAD, to=Role.EXPERT, by=other, reason="new", now=clock.now())
    else:
        accounts.close(lena, by=other, reason="left", now=clock.now())
    answer = getattr(client, method)(link, ANNA)
    assert answer.status_code == 404
    assert "only somebody else who leads it can make one" in " ".join(answer.content.decode().split())
    assert "desk@lab.example" in answer.content.decode()
    assert not User.objects.filter(username="anna").exists()


def test_the_service_asks_as_well_as_the_page(nq, lena, mallory):
    [made] = invitations.make(nq, [Guest()], days=3, key=randomness.handle(), by=lena, now=clock.now())
    memberships.end(nq, lena, Role.LEAD, finish=False, by=join(nq, "otto", Role.LEAD), reason="left", now=clock.now())
    with pytest.raises(InviteClosed):
        invitations.accept(made.token, by=mallory, now=clock.now())


def test_reading_the_page_uses_nothing_up_and_is_kept_by_no_cache(nq, lena, client):
    link = link_for(nq, lena)
    pages = [client.get(link) for _ in range(3)]
    assert all(page.status_code == 200 and "no-store" in page["Cache-Control"] for page in pages)
    assert client.post(link, ANNA).status_code == 302
