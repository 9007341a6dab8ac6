"""Time in a meeting is of a kind of its own: it is paid, and counts until five minutes after a person's last input."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock as the_clock
from annotation.models import TimeSpan
from annotation.worktime import totals
from tasks.judging import ending
from tasks.judging.meeting import agenda, agreeing, room, voters
from tasks.measuring import judging_rounds
from tests.boards import bring_up_to_date
from tests.people import NOON
from tests.tasks.judging.judged_once import answered_once, lead, lights, meeting, met_once, voting
from tests.tasks.judging.meetings import begun, exhibit_at, rater_of, settle

__all__ = ["answered_once", "lead", "lights", "meeting", "met_once", "voting"]

NOTE = re.compile(r'data-time-note="([^"]+)"')
LONG = "The room has been here for more than five minutes."


class Standing:
    """A clock that moves only when told to."""

    def __init__(self):
        self.time = NOON

    def shift(self, **by):
        self.time += timedelta(**by)


@pytest.fixture
def clock(monkeypatch):
    made = Standing()
    monkeypatch.setattr(the_clock, "now", lambda: made.time)
    return made


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


def opened(client, row):
    """The room, opened as a page; returns its token."""
    return NOTE.search(client.get(reverse("meeting", args=[row.uuid])).content.decode())[1]


def tell(client, row, note, *, minutes, counts):
    """What the page reports: so many minutes visible, and of these so many within five of an input."""
    sent = {"note": note, "ms": minutes * 60_000, "active": counts * 60_000}
    assert client.post(reverse("meeting_time", args=[row.uuid]), sent).status_code == 204


def seconds(person):
    return {span.kind: span.seconds for span in TimeSpan.objects.filter(annotator=person, meeting__isnull=False)}


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def test_time_in_the_room_is_of_a_kind_of_its_own_and_idle_beyond_five_minutes(meeting, voting, clock):
    egon = client_of(voting[1])
    note = opened(egon, meeting)
    clock.shift(minutes=8)
    tell(egon, meeting, note, minutes=8, counts=5)
    assert seconds(voting[1]) == {"meeting": 300, "idle": 180}
    span = TimeSpan.objects.filter(annotator=voting[1], kind="meeting").get()
    assert (span.project, span.meeting, span.annotation) == (meeting.project, meeting, None)
    assert totals.counted(meeting.project, voting[1]) == 300


def test_the_page_is_told_for_how_long_an_input_counts(meeting, voting, clock):
    assert 'data-time-lasts="300"' in client_of(voting[1]).get(reverse("meeting", args=[meeting.uuid])).content.decode()


def test_no_more_counts_than_the_clock_has_and_two_tabs_count_once(meeting, voting, clock):
    egon = client_of(voting[1])
    notes = [opened(egon, meeting) for _ in range(2)]
    clock.shift(minutes=2)
    for note in notes:
        tell(egon, meeting, note, minutes=60, counts=60)
    assert seconds(voting[1]) == {"meeting": 120}


def test_nothing_counts_after_the_end_of_the_meeting(meeting, voting, clock):
    egon = client_of(voting[1])
    note = opened(egon, meeting)
    clock.shift(minutes=4)
    ending.end_meeting(meeting, by=voting[0], now=clock.time)
    clock.shift(minutes=3)
    tell(egon, meeting, note, minutes=7, counts=7)
    assert seconds(voting[1]) == {"meeting": 240}
    clock.shift(minutes=5)
    tell(egon, meeting, note, minutes=5, counts=5)
    assert seconds(voting[1]) == {"meeting": 240}
    assert not NOTE.search(egon.get(reverse("meeting", args=[meeting.uuid])).content.decode())


def test_only_who_takes_part_is_timed(meeting, lead, voting, lights, clock):
    page = client_of(lead).get(reverse("meeting", args=[meeting.uuid])).content.decode()
    assert not NOTE.search(page)
    agreeing.remove_voter(rater_of(meeting, voting[2]), reason="Away.", by=lead, now=NOON)
    assert not NOTE.search(client_of(voting[2]).get(reverse("meeting", args=[meeting.uuid])).content.decode())
    meeting.refresh_from_db()
    voters.choose_chair(meeting, lead, by=lead, now=NOON)
    assert opened(client_of(lead), meeting)


def test_a_token_counts_for_its_person_and_its_page_only(meeting, voting, clock):
    erin, egon = client_of(voting[0]), client_of(voting[1])
    note = opened(egon, meeting)
    clock.shift(minutes=2)
    tell(erin, meeting, note, minutes=2, counts=2)
    tell(egon, meeting, note + "x", minutes=2, counts=2)
    tell(egon, meeting, "", minutes=2, counts=2)
    assert not TimeSpan.objects.filter(meeting__isnull=False).exists()


@pytest.fixture
def timed(meeting, voting, clock):
    """Erin was there for 30 minutes, Egon for 12."""
    clients = {person: client_of(person) for person in voting[:2]}
    notes = {person: opened(client, meeting) for person, client in clients.items()}
    clock.shift(minutes=30)
    for person, minutes in zip(voting[:2], (30, 12), strict=True):
        tell(clients[person], meeting, notes[person], minutes=30, counts=minutes)
    return meeting


def test_results_say_how_long_the_raters_met(timed, lead):
    found = room.time_in(timed)
    assert (found.all, found.by_rater, found.chair) == (2520, ((1, 1800), (2, 720)), 0)
    text = text_of(client_of(lead).get(reverse("judging_round", args=[timed.project.slug, timed.uuid])))
    assert re.search(r"Time in the meeting 42 min of all together: rater 1 30 min ?, rater 2 12 min", text)


def test_files_of_results_say_how_long_the_raters_met(timed, lead):
    judging_rounds.keep(timed, now=NOON)
    client, here = client_of(lead), [timed.project.slug, timed.uuid]
    found = client.get(reverse("judging_results_json", args=here)).json()
    assert found["meeting_seconds"] == {"all": 2520, "1": 1800, "2": 720}
    text = client.get(reverse("judging_results_csv", args=here)).content.decode("utf-8-sig")
    rows = [line for line in csv.reader(io.StringIO(text)) if line[0] == "meeting seconds"]
    assert [(line[2], float(line[4])) for line in rows] == [("all", 2520), ("rater 1", 1800), ("rater 2", 720)]


def test_results_name_apart_the_time_of_a_chair_without_a_vote(meeting, lead, clock):
    voters.choose_chair(meeting, lead, by=lead, now=NOON)
    client = client_of(lead)
    note = opened(client, meeting)
    clock.shift(minutes=10)
    tell(client, meeting, note, minutes=10, counts=10)
    found = room.time_in(meeting)
    assert (found.all, found.by_rater, found.chair) == (600, (), 600)
    page = client.get(reverse("judging_round", args=[meeting.project.slug, meeting.uuid]))
    assert "in the chair without a vote 10 min" in text_of(page)


def test_each_meeting_has_its_own_time(timed, lights, lead, voting):
    assert room.time_in(begun(lights, lead, voting)).all == 0


def test_the_ledger_pays_it(timed, lead, voting, clock):
    bring_up_to_date(timed.project, now=clock.time)
    answer = client_of(lead).get(reverse("project_time_csv", args=[timed.project.slug]))
    found = {row["person"]: row for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))}
    mine = found[voting[1].worker_code]
    assert (mine["counted_seconds"], mine["paid_seconds"], mine["idle_seconds"]) == ("720", "720", "1080")


def test_people_and_leads_see_it_as_time_of_a_meeting(timed, lead, voting, clock):
    bring_up_to_date(timed.project, now=clock.time)
    egon, lena = client_of(voting[1]), client_of(lead)
    assert re.search(r"Counts.*Meeting.*12 min", text_of(egon.get(reverse("time"))))
    for page in (
        egon.get(reverse("time_day", args=[NOON.date()])),
        lena.get(reverse("project_time_of", args=[timed.project.slug, voting[1].worker_code])),
    ):
        assert re.search(r"A meeting about judged answers (.*? )?12 min", text_of(page))
    assert re.search(r"Meeting.*12 min", text_of(lena.get(reverse("project_time", args=[timed.project.slug]))))


def test_after_five_minutes_at_one_exhibit_the_room_is_told_so(meeting, voting, clock):
    egon = client_of(voting[1])
    agenda.take_up(exhibit_at(meeting, 1), by=voting[0], now=NOON)
    clock.shift(minutes=4, seconds=59)
    assert LONG not in text_of(egon.get(reverse("meeting", args=[meeting.uuid])))
    clock.shift(seconds=1)
    assert LONG in text_of(egon.get(reverse("meeting", args=[meeting.uuid])))
    assert LONG not in text_of(egon.get(reverse("meeting_exhibit", args=[meeting.uuid, 2])))
    for person in voting:
        room.enter(meeting, by=person, now=clock.time)
    settle(meeting, 1, "W", people=voting, now=clock.time)
    assert LONG not in text_of(egon.get(reverse("meeting", args=[meeting.uuid])))


def test_where_the_chair_has_taken_nothing_up_the_first_argument_begins_it(meeting, voting, clock):
    egon = client_of(voting[1])
    clock.shift(minutes=10)
    assert LONG not in text_of(egon.get(reverse("meeting", args=[meeting.uuid])))
    key = "00000000-0000-4000-8000-000000000001"
    agreeing.argue(exhibit_at(meeting, 1), text="Hm.", key=key, by=voting[1], now=clock.time)
    clock.shift(minutes=5)
    assert LONG in text_of(egon.get(reverse("meeting", args=[meeting.uuid])))
