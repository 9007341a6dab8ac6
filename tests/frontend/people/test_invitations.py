"""Leads invite people, one or many at once; the links are shown once, and can be revoked or replaced."""

from __future__ import annotations

import hashlib
import re
import uuid
from datetime import timedelta

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Event, Role
from qualification import invitations
from qualification.models import Invite, InviteState
from tasks.people import memberships
from tests.people import NOON, join

LINK = re.compile(r'value="http://testserver/join/([\w-]+)/"')


@pytest.fixture
def lead(nq, lena, client):
    """The browser of a lead."""
    client.force_login(lena)
    return client


def invite(lead, guests="Ada", **fields):
    fields = {"guests": guests, "role": "annotator", "days": 14, "key": str(uuid.uuid4())} | fields
    return lead.post(reverse("invite", args=["lights"]), fields)


def invited():
    return [(one.name, one.email, one.role) for one in Invite.objects.order_by("position")]


def test_each_person_gets_a_link_of_their_own_which_is_stored_as_a_hash_only(lead):
    links = LINK.findall(invite(lead, "Ada\nGrace").content.decode())
    assert len(set(links)) == 2
    stored = set(Invite.objects.values_list("token_sha256", flat=True))
    assert stored == {hashlib.sha256(link.encode()).hexdigest() for link in links}
    again = lead.get(reverse("people", args=["lights"])).content.decode()
    assert "Grace" in again
    assert not any(link in again for link in links)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Lovelace", [("Ada Lovelace", "", "annotator")]),
        ("ada@maths.example", [("", "ada@maths.example", "annotator")]),
        (
            "Ada, ada@maths.example, lead\nGrace, , expert",
            [("Ada", "ada@maths.example", "lead"), ("Grace", "", "expert")],
        ),
        ("name;e-mail;role\nAda;ada@maths.example;Expert\n\n", [("Ada", "ada@maths.example", "expert")]),
        ('"Lovelace, Ada",ada@maths.example', [("Lovelace, Ada", "ada@maths.example", "annotator")]),
        ("The tall one in row 3\nMia, lead", [("The tall one in row 3", "", "annotator"), ("Mia", "", "lead")]),
        ("Ada\tada@maths.example", [("Ada", "ada@maths.example", "annotator")]),
    ],
)
def test_a_pasted_list_or_an_uploaded_file_says_the_same(lead, text, expected):
    assert invite(lead, text).status_code == 200
    assert invited() == expected
    Invite.objects.all().delete()
    assert invite(lead, "", file=SimpleUploadedFile("people.csv", text.encode("utf-8-sig"))).status_code == 200
    assert invited() == expected


MISTAKES = [
    ("", "Write at least one name"),
    ("name,role", "Write at least one name"),
    ("Ada\nann@, Ann", "can’t be right"),
    ("a@b.example, c@d.example", "two e-mail addresses"),
    (", lead", "neither a name nor"),
    ("Ada, lead, expert", "two roles"),
    (
        "Ada\nSue, sue@maths.example, exprt",
        "Sue,sue@maths.example,exprt: “exprt” is no role (annotator, expert, lead)",
    ),
    ("Mia, leed", "“leed” is no role"),
    ("x" * 201, "too long"),
    ("\n".join(f"person {number}" for number in range(501)), "at most 500 people"),
]


def test_a_list_with_a_mistake_invites_nobody_and_says_which_line(lead):
    for text, why in MISTAKES:
        refused = invite(lead, text)
        assert refused.status_code == 422, why
        assert why in refused.content.decode()
        assert not Invite.objects.exists()


@pytest.mark.parametrize("mails", [False, True])
def test_the_form_says_that_a_role_may_follow_a_name(lead, settings, mails):
    settings.EMAIL_HOST = "smtp.example" if mails else ""
    people = " ".join(lead.get(reverse("people", args=["lights"])).content.decode().split())
    assert "comma, a role: annotator, expert or lead." in people


def test_a_file_that_is_one_endless_line_is_refused(lead):
    assert invite(lead, "", file=SimpleUploadedFile("a.csv", b"x" * 200_000)).status_code == 422


def test_bytes_that_no_database_takes_are_left_out(lead):
    assert invite(lead, "", file=SimpleUploadedFile("a.csv", b"Ada\0, ada@maths.example")).status_code == 200
    assert invited() == [("Ada", "ada@maths.example", "annotator")]


def test_a_file_that_is_no_text_is_refused(lead):
    assert "not text in UTF-8" in invite(lead, "", file=SimpleUploadedFile("a.xlsx", b"\xff\xfe\x00")).content.decode()


def test_the_same_form_sent_twice_invites_nobody_again(lead):
    key = str(uuid.uuid4())
    assert LINK.findall(invite(lead, key=key).content.decode())
    second = invite(lead, key=key)
    assert second["Location"] == reverse("people", args=["lights"])
    assert Invite.objects.count() == 1


def test_a_new_link_replaces_the_old_one(lead):
    [old] = LINK.findall(invite(lead).content.decode())
    renewed = lead.post(reverse("renew_invite", args=["lights", Invite.objects.get().pk]))
    [new] = LINK.findall(renewed.content.decode())
    lead.logout()
    assert [lead.get(f"/join/{link}/").status_code for link in (old, new)] == [404, 200]


def test_a_new_link_lasts_as_long_as_the_first_also_after_that_has_expired(nq, lena):
    guests = [invitations.Guest()]
    [made] = invitations.make(nq, guests, days=3, key=uuid.uuid4(), by=lena, now=NOON)
    assert made.invite.state(NOON + timedelta(days=3), leads={lena.pk}) == InviteState.EXPIRED
    renewed = invitations.renew(made.invite, by=lena, now=NOON + timedelta(days=4)).invite
    assert renewed.expires_at == NOON + timedelta(days=7)
    assert renewed.state(NOON + timedelta(days=4), leads={lena.pk}) == InviteState.OPEN


def test_a_revoked_link_stops_working_and_the_history_says_who_did_it(lead, lena):
    [link] = LINK.findall(invite(lead, "Ada Lovelace, ada@maths.example").content.decode())
    lead.post(reverse("revoke_invite", args=["lights", Invite.objects.get().pk]))
    assert lead.get(f"/join/{link}/").status_code == 404
    assert Invite.objects.get().state(NOON, leads={lena.pk}) == InviteState.REVOKED
    history = Event.objects.filter(kind__startswith="invite.").order_by("pk")
    assert [(one.kind, one.by) for one in history] == [("invite.made", lena.pk), ("invite.revoked", lena.pk)]
    assert "Ada" not in str(list(history.values()))
    assert "maths" not in str(list(history.values()))


def test_a_link_lapses_with_the_right_of_who_made_it_and_another_lead_makes_a_new_one(nq, lead, lena):
    [link] = LINK.findall(invite(lead, "Ada").content.decode())
    other = join(nq, "otto", Role.LEAD)
    memberships.end(nq, lena, Role.LEAD, finish=False, by=other, reason="left", now=NOON)
    lead.force_login(other)
    assert lead.post(f"/join/{link}/").status_code == 404
    page = lead.get(reverse("people", args=["lights"])).content.decode()
    assert "Lapsed: the sender no longer leads" in page
    assert reverse("revoke_invite", args=["lights", Invite.objects.get().pk]) in page
    renewed = lead.post(reverse("renew_invite", args=["lights", Invite.objects.get().pk]))
    [new] = LINK.findall(renewed.content.decode())
    lead.logout()
    assert [lead.get(f"/join/{each}/").status_code for each in (link, new)] == [404, 200]


def test_the_table_to_copy_has_no_formulas(lead):
    page = invite(lead, "=1+1, ada@maths.example")
    assert page.context["table"].startswith("'=1+1\tada@maths.example\t")


def test_links_are_mailed_only_where_mail_is_set_up_and_an_address_is_known(lead, settings):
    invite(lead, "Ada, ada@maths.example")
    assert mail.outbox == []
    settings.EMAIL_HOST = "smtp.example"
    page = invite(lead, "Grace, grace@ships.example\nAnn").content.decode()
    [sent] = mail.outbox
    assert sent.to == ["grace@ships.example"]
    assert "Hello Grace," in sent.body
    assert f"http://testserver/join/{LINK.findall(page)[0]}/" in sent.body
    assert "1 is being sent by mail." in page


def test_a_name_from_right_to_left_does_not_change_places_with_the_role(lead):
    said = invite(lead, "boss שלום").content.decode()
    assert "<bdi>boss שלום</bdi>" in said
