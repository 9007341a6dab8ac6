"""The room of a meeting: who gets in, what it shows, and what its forms do."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Argument, Consensus, Role
from tasks.judging import ending
from tasks.judging.meeting import agreeing, room
from tasks.measuring import judging_rounds
from tests.people import NOON, join
from tests.tasks.judging.judged_once import answered_once, lead, lights, meeting, met_once, voting
from tests.tasks.judging.meetings import exhibit_at, order, settle

__all__ = ["answered_once", "lead", "lights", "meeting", "met_once", "voting"]


@pytest.fixture(autouse=True)
def at_noon(monkeypatch):
    monkeypatch.setattr("annotation.clock.now", lambda: NOON)


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def erin(voting):
    """In the chair."""
    return client_of(voting[0])


@pytest.fixture
def egon(voting):
    return client_of(voting[1])


def text_of(client, row, place=None):
    """The text of the room without tags."""
    args = [row.uuid] if place is None else [row.uuid, place]
    page = client.get(reverse("meeting" if place is None else "meeting_exhibit", args=args))
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def act(client, row, place, name, **fields):
    return client.post(reverse("act_in_meeting", args=[row.uuid, place, name]), fields, follow=True)


def test_raters_chair_and_leads_get_in_and_nobody_else(meeting, lights, lead, voting):
    for person in (*voting, lead):
        assert client_of(person).get(reverse("meeting", args=[meeting.uuid])).status_code == 200
    for name in ("oskar", "ada"):
        other = client_of(join(lights, name, Role.EXPERT))
        assert other.get(reverse("meeting", args=[meeting.uuid])).status_code == 404
        assert other.get(reverse("meeting_page", args=[meeting.uuid, 1])).status_code == 404
        assert act(other, meeting, 1, "argue", text="Hm.", key=uuid.uuid4()).status_code == 404


def test_the_room_begins_with_what_differs_most_and_shows_marks_without_names(meeting, egon):
    text = text_of(egon, meeting)
    assert "0 of 2 settled" in text
    assert "1 is unanimous" in text
    assert re.search(r"Cd ● 1 of 3, Correct, debatable W ● 1 of 3, Wrong", text)
    assert exhibit_at(meeting, 1).shown["prompt"] in text
    marked = re.search(r"First marks.*?Arguments", text)[0]
    assert not re.search(r"erin|emma", marked)


def test_the_frame_shows_the_passage_as_the_rater_saw_it(meeting, egon):
    page = egon.get(reverse("meeting_page", args=[meeting.uuid, 1])).content.decode()
    assert "first harbour light" in page
    assert "Two keepers" not in page
    assert '<div id="material" class="scrolls" tabindex="0" role="group"' in page  # also a wide table, also by keys


def test_names_are_shown_once_the_chair_reveals_them(meeting, erin, egon):
    assert "Reveal names" not in text_of(egon, meeting)
    assert act(egon, meeting, 1, "reveal").status_code == 404
    act(erin, meeting, 1, "reveal")
    assert re.search(r"1 of 3, Wrong egon", text_of(egon, meeting))


def test_an_argument_is_said_once_and_read_by_all(meeting, erin, egon):
    key = uuid.uuid4()
    for _ in range(2):
        act(egon, meeting, 1, "argue", text="It never says so.", key=key)
    assert Argument.objects.count() == 1
    assert re.search(r"It never says so\. marked W", text_of(erin, meeting))
    act(egon, meeting, 1, "mark", mark="Cd")
    assert re.search(r"It never says so\. marked W, now Cd", text_of(erin, meeting))


def test_from_a_proposal_to_the_consensus(meeting, erin, egon, voting):
    emma = client_of(voting[2])
    assert "Propose it" not in text_of(egon, meeting)
    act(erin, meeting, 1, "propose", mark="Cd", reason="Half of it is there.")
    text = text_of(egon, meeting)
    assert "Proposed: Cd, 1 of 3 confirm" in text
    assert "Half of it is there." in text
    assert "Confirm Cd" in text
    act(egon, meeting, 1, "confirm", number=1)
    assert "Withdraw" in text_of(egon, meeting)
    act(erin, meeting, 1, "propose", mark="Cd", reason="Half of it is there, no more.")
    said = act(emma, meeting, 1, "confirm", number=1)
    assert "The proposal has just changed. Read it again." in said.content.decode()
    for client in (emma, egon):
        act(client, meeting, 1, "confirm", number=2)
    assert "Correct, debatable , confirmed by all 3" in text_of(egon, meeting)
    assert Consensus.objects.get().proposal.number == 2
    assert "Next exhibit" in text_of(erin, meeting)
    act(erin, meeting, 2, "take-up")
    assert "1 of 2 settled" in text_of(egon, meeting)
    assert 'aria-current="true"' in egon.get(reverse("meeting", args=[meeting.uuid])).content.decode()


def test_who_is_not_in_the_room_is_named_and_the_item_is_paused(meeting, erin, egon, voting):
    client_of(voting[2]).post(reverse("leave_meeting", args=[meeting.uuid]))
    assert "Paused: not in the room: emma" in text_of(erin, meeting)
    said = act(erin, meeting, 1, "propose", mark="W", reason="")
    assert "Paused: somebody who votes on this is not in the room." in said.content.decode()
    client_of(voting[2]).get(reverse("meeting", args=[meeting.uuid]))
    assert "Paused" not in text_of(erin, meeting)


def test_a_page_that_is_still_open_after_leaving_elsewhere_is_sent_home(meeting, egon, voting):
    room.leave(meeting, by=voting[1], now=NOON)
    answer = egon.get(reverse("meeting", args=[meeting.uuid]), HTTP_X_PART="1")
    assert answer["X-Go"] == reverse("home")
    assert voting[1].pk not in room.here(meeting, now=NOON)


def test_a_part_is_the_room_without_the_page_around_it(meeting, egon):
    part = egon.get(reverse("meeting", args=[meeting.uuid]), HTTP_X_PART="1").content.decode()
    assert 'id="room"' in part
    assert "<html" not in part


def polled(client, row, shown=""):
    """The room as the script of a page asks for it that shows this already."""
    found = {name: re.search(rf'data-{name}="(\w+)"', shown) for name in ("shape", "agenda")}
    known = {f"X-{name}": value[1] for name, value in found.items() if value}
    return client.get(reverse("meeting", args=[row.uuid]), headers={"X-Part": "1"} | known).content.decode()


def test_of_what_a_page_shows_already_only_what_can_differ_is_sent_again(meeting, erin, egon):
    whole = polled(egon, meeting)
    act(erin, meeting, 1, "propose", mark="W", reason="It names nobody.")
    parts = polled(egon, meeting, whole)
    assert "Proposed: W, 1 of 3 confirm" in re.sub(r"\s+", " ", parts)
    assert "It names nobody." in parts
    for once in ("<h1", "<iframe", 'id="agenda"', 'id="argument"', 'id="definitions"'):
        assert once in whole
        assert once not in parts


def test_the_agenda_is_sent_again_once_it_differs_and_all_of_the_room_where_that_has_gone_on(meeting, erin, egon):
    whole = polled(egon, meeting)
    act(erin, meeting, 0, "pull-in")
    parts = polled(egon, meeting, whole)
    assert "0 of 3 settled" in re.sub(r"\s+", " ", parts)
    assert "<h1" not in parts
    act(erin, meeting, 1, "park")
    assert "<h1" in polled(egon, meeting, whole)


def test_a_second_person_is_shown_what_has_changed_without_reading_it_again(
    meeting, erin, egon, voting, django_assert_max_num_queries
):
    emma = client_of(voting[2])
    for client in (egon, emma):
        polled(client, meeting)
    act(erin, meeting, 1, "propose", mark="W", reason="")
    assert "1 of 3 confirm" in polled(egon, meeting)
    with django_assert_max_num_queries(10):
        assert "1 of 3 confirm" in polled(emma, meeting)


def test_what_is_unanimous_is_looked_at_and_pulled_in(meeting, egon):
    assert "Pull it in" in text_of(egon, meeting, 0)
    assert "Your argument" not in text_of(egon, meeting, 0)
    page = act(egon, meeting, 0, "pull-in", looking="")
    assert page.redirect_chain[-1][0] == reverse("meeting_exhibit", args=[meeting.uuid, 0])
    assert order(meeting) == ([1, 2, 0], [])


def test_the_chair_parks_and_the_room_is_at_the_next(meeting, erin, egon):
    assert "Park it" not in text_of(egon, meeting)
    act(erin, meeting, 1, "park")
    assert exhibit_at(meeting, 2).shown["prompt"] in text_of(egon, meeting).split("Agenda")[0]


def test_a_lead_chooses_the_chair_and_removes_who_does_not_come_back(meeting, lead, lights, voting):
    lena = client_of(lead)
    assert "What only leads decide" in text_of(lena, meeting)
    assert "What only leads decide" not in text_of(client_of(voting[0]), meeting)
    lena.post(reverse("choose_chair", args=["lights", meeting.uuid]), {"person": voting[1].pk})
    meeting.refresh_from_db()
    assert meeting.chair == voting[1]
    address = reverse("remove_voter", args=["lights", meeting.uuid])
    assert "Say why" in lena.post(address, {"reason": " ", "number": 3}, follow=True).content.decode()
    lena.post(address, {"reason": "Ill.", "number": 3})
    text = text_of(lena, meeting)
    assert "emma" not in re.search(r"Consensus All confirm.*?Also in the room", text)[0]
    assert "Also in the room, without a vote: emma, lena" in text
    egon = client_of(voting[1])
    assert egon.post(reverse("choose_chair", args=["lights", meeting.uuid]), {"person": lead.pk}).status_code == 404
    assert egon.post(address, {"reason": "x"}).status_code == 404


def test_after_the_end_the_room_can_be_read_and_nothing_can_be_done(meeting, erin, egon, voting):
    agreeing.argue(exhibit_at(meeting, 1), text="Once said.", key=uuid.uuid4(), by=voting[1], now=NOON)
    assert egon.post(reverse("end_meeting", args=[meeting.uuid])).status_code == 404
    said = erin.post(reverse("end_meeting", args=[meeting.uuid]), follow=True).content.decode()
    assert "The meeting is over." in said
    page = egon.get(reverse("meeting", args=[meeting.uuid])).content.decode()
    assert "Once said." in page
    assert "Not settled." in page
    assert (
        re.findall(r'<form[^>]*action="(?!/logout)[^"]*"', re.sub(r"/accounts/logout|/logout", "/logout", page)) == []
    )
    assert "data-socket" not in page
    assert "The meeting is over" in act(egon, meeting, 1, "argue", text="Late.", key=uuid.uuid4()).content.decode()


def test_raters_find_the_meeting_at_home_and_on_the_page_of_the_round(meeting, egon, voting):
    address = reverse("meeting", args=[meeting.uuid])
    for page in (reverse("home"), reverse("judge", args=[meeting.uuid])):
        assert address in egon.get(page).content.decode()
    ending.end_meeting(meeting, by=voting[0], now=NOON)
    assert address not in egon.get(reverse("home")).content.decode()


@pytest.mark.parametrize(
    ("name", "fields"),
    [("dance", {}), ("argue", {"text": "x", "key": "no"}), ("confirm", {"number": "x"}), ("propose", {"mark": "Z"})],
)
def test_odd_requests_are_not_found(meeting, erin, name, fields):
    assert act(erin, meeting, 1, name, **fields).status_code == 404


def test_the_lead_sees_what_the_meeting_settled_and_the_bounds_of_what_is_open(meeting, lead, voting):
    settle(meeting, 1, "W", people=voting)
    page = client_of(lead).get(reverse("judging_round", args=["lights", meeting.uuid])).content.decode()
    assert "The shares are here within a minute" in page
    assert judging_rounds.measure_due(now=NOON) == 1
    assert judging_rounds.measure_due(now=NOON) == 0
    page = client_of(lead).get(reverse("judging_round", args=["lights", meeting.uuid])).content.decode()
    assert "The shares are here within a minute" not in page
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "2 of 3 exhibits settled" in text
    assert re.search(
        r"Correct 1 33 – 67 % too few.* Correct, debatable 0 0 – 33 % .*Wrong 1 33 – 67 % .*Right 1 33 – 67 %", text
    )
    assert "6 – 94 %" in text  # of three exhibits: Wilson's of 1 from below, of 2 from above
    assert "0 of 0 with a consensus and a majority" in text
    settle(meeting, 2, "Cd", people=voting)
    page = client_of(lead).get(reverse("judging_round", args=["lights", meeting.uuid])).content.decode()
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "1 of 1 with a consensus and a majority" in text
    assert "Not settled 0" in text


def test_shares_after_the_meeting_are_in_the_files_with_both_bounds_and_intervals(meeting, lead, voting):
    settle(meeting, 1, "W", people=voting)
    judging_rounds.measure_due(now=NOON)
    found = client_of(lead).get(reverse("judging_results_json", args=["lights", meeting.uuid])).json()
    share = found["results"]["agreed"]["shares"]["W"]
    assert (share["if_none"]["share"][0], share["if_all"]["share"][0]) == (0.333333, 0.666667)
    assert (share["if_none"]["wilson"][0], share["if_all"]["wilson"][1]) == (0.061492, 0.938508)
    table = client_of(lead).get(reverse("judging_results_csv", args=["lights", meeting.uuid])).content.decode()
    assert "consensus share if none,W,all,3,0.333333" in table
