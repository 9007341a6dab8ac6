"""The People page of a project lists its members with what each has done; admins and leads may make projects."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import membership, randomness
from annotation.models import Membership, Role, User
from qualification import invitations
from tests.builders import Worker, open_with, project, questions
from tests.factories.people import ParticipantFactory
from tests.people import NOON, join


def rows_of(client, slug, **query):
    """The cells of each member, as text."""
    page = client.get(reverse("people", args=[slug]), query).content.decode()
    members = page.split('id="members"', 1)[1].split("</table>", 1)[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in re.split(r"<tr\b[^>]*>", members)[2:]]
    return {text(row[0]): [text(cell) for cell in row[1:]] for row in cells}


def text(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_a_lead_sees_who_is_a_member_in_which_role_and_what_they_have_finished(nq, alice, lena, client, tmp_path):
    open_with(nq, tmp_path, questions(2))
    Worker(alice, nq).finish_bad()
    client.force_login(lena)
    rows = rows_of(client, nq.slug)
    assert rows["alice"][:5] == ["Annotator", alice.worker_code, "1", "20 Nov, 12:00 UTC", "20 Nov 2026"]
    assert rows["lena"][:5] == ["Lead", lena.worker_code, "0", "–", "20 Nov 2026"]


def test_somebody_with_two_roles_is_one_row_and_former_members_are_none(nq, alice, lena, client):
    join(nq, "alice", Role.EXPERT)
    join(nq, "otto")
    Membership.objects.filter(user__username="otto").update(ended_at=NOON)
    client.force_login(lena)
    rows = rows_of(client, nq.slug)
    assert rows.keys() == {"alice", "lena"}
    assert rows["alice"][0] == "Annotator, Expert"


def test_a_former_member_is_listed_with_a_link_to_where_the_membership_can_be_restored(nq, alice, lena, client):
    otto = join(nq, "otto")
    client.force_login(lena)
    assert "Former members" not in client.get(reverse("people", args=[nq.slug])).content.decode()
    Membership.objects.filter(user=otto).update(ended_at=NOON)
    for asked, listed in (("", True), ("ott", True), ("ali", False)):
        page = client.get(reverse("people", args=[nq.slug]), {"q": asked} if asked else {}).content.decode()
        assert (reverse("person", args=[nq.slug, otto.worker_code]) in page) is listed
        assert ("Former members" in page) is listed
    join(nq, "otto", Role.EXPERT)
    assert "Former members" not in client.get(reverse("people", args=[nq.slug])).content.decode()


def test_a_lead_finds_members_by_name_code_and_participant_id_of_the_project(nq, alice, lena, client):
    otto, elsewhere = join(nq, "otto"), project("elsewhere")
    ParticipantFactory(user=otto, project=nq, external_id="5f3A-prolific")
    ParticipantFactory(user=alice, project=elsewhere, external_id="77-prolific")
    client.force_login(lena)
    for words, found in (("LIC", {"alice"}), (otto.worker_code[:8].upper(), {"otto"}), ("prolific", {"otto"})):
        assert {name.split()[0] for name in rows_of(client, nq.slug, q=words)} == found
    page = client.get(reverse("people", args=[nq.slug]), {"q": "<b>\0nobody"}).content.decode()
    assert "No member of this project has “&lt;b&gt;nobody” in their name" in page
    assert "Show all" in page


def test_the_number_of_queries_does_not_grow_with_the_members(nq, alice, lena, client):
    client.force_login(lena)
    with CaptureQueriesContext(connection) as few:
        rows_of(client, nq.slug)
    for number in range(20):
        join(nq, f"person-{number}")
    with CaptureQueriesContext(connection) as many:
        assert len(rows_of(client, nq.slug)) == 22
    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("role", "admin", "ended", "may"),
    [
        (Role.LEAD, False, False, True),
        (Role.LEAD, False, True, False),
        (Role.EXPERT, False, False, False),
        (Role.ANNOTATOR, False, False, False),
        (Role.ANNOTATOR, True, False, True),
    ],
)
def test_admins_and_current_leads_may_make_projects(db, role, admin, ended, may):
    person = join(project(), "petra", role)
    User.objects.filter(pk=person.pk).update(is_staff=admin)
    Membership.objects.filter(user=person).update(ended_at=NOON if ended else None)
    assert membership.may_make_projects(User.objects.get(pk=person.pk)) is may


def test_a_closed_account_may_not_make_projects(nq, lena):
    lena.is_active = False
    assert not membership.may_make_projects(lena)


def test_a_member_is_shown_and_found_under_the_name_that_they_were_invited_by(nq, alice, lena, client):
    key = randomness.handle()
    [made] = invitations.make(nq, [invitations.Guest(name="Ada Lovelace")], days=3, key=key, by=lena, now=NOON)
    nq.invites.filter(pk=made.invite.pk).update(used_by=alice, used_at=NOON)
    client.force_login(lena)
    assert "alice invited as Ada Lovelace" in rows_of(client, nq.slug)
    assert rows_of(client, nq.slug, q="lovelace").keys() == {"alice invited as Ada Lovelace"}
    person = client.get(reverse("person", args=[nq.slug, alice.worker_code])).content.decode()
    assert "invited as Ada Lovelace" in person
