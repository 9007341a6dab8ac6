"""A round whose raters judge alone has no room, no time of a meeting, and can be stopped."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotation.models import Role, RoundState
from tasks.judging import working
from tests.builders import reload, spend
from tests.frontend.judging.test_meeting_time import client_of, clock, text_of
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork
from tests.tasks.judging.meetings import judge_by_place

__all__ = ["clock"]
pytestmark = pytest.mark.usefixtures("clock")


def test_before_the_meeting_nobody_finds_the_room(sealed, experts, lead):
    for person in (*experts, lead):
        for name, args in (("meeting", []), ("meeting_exhibit", [0]), ("meeting_page", [0])):
            assert client_of(person).get(reverse(name, args=[sealed.uuid, *args])).status_code == 404
        for name, args in (("act_in_meeting", [0, "argue"]), ("leave_meeting", []), ("end_meeting", [])):
            assert client_of(person).post(reverse(name, args=[sealed.uuid, *args])).status_code == 404


def test_without_a_meeting_there_is_no_room_after_the_round_either(sealed, experts, lead):
    for person in experts:
        judge_by_place(person, sealed, ["C", "W", "C"])
    assert client_of(lead).get(reverse("meeting", args=[sealed.uuid])).status_code == 404


def test_a_lead_stops_a_round_with_a_reason(sealed, lead, experts):
    lena, address = client_of(lead), reverse("stop_judging", args=["lights", sealed.uuid])
    assert client_of(experts[0]).post(address, {"why": "x"}).status_code == 404
    assert "Say why the round is stopped." in lena.post(address, {"why": ""}, follow=True).content.decode()
    assert "Passages are cut off." in lena.post(address, {"why": "Passages are cut off."}, follow=True).content.decode()
    sealed.refresh_from_db()
    assert sealed.state == RoundState.STOPPED


def test_control_before_the_meeting_and_for_others_there_is_nowhere_to_report(sealed, experts, lights):
    for person in (experts[0], join(lights, "oskar", Role.EXPERT)):
        answer = client_of(person).post(reverse("meeting_time", args=[sealed.uuid]), {"ms": 60_000, "active": 0})
        assert answer.status_code == 404


def test_time_of_judging_alone_is_listed_for_its_rater_and_summed_for_leads(sealed, experts, lead, clock):
    worker = RaterAtWork(experts[0], sealed.project)
    [work, *_rest] = working.work_in(working.begin(sealed, by=experts[0], now=NOON))
    clock.shift(minutes=2)
    spend(work, now=clock.time, ms=60_000, active=60_000, stage="judge")
    worker.judge(reload(work), "C", now=clock.time)
    day = text_of(client_of(experts[0]).get(reverse("time_day", args=[NOON.date()])))
    assert re.search(rf"{work.task.item.payload['question_text']}.*1 min", day)
    code = experts[0].worker_code
    of_person = text_of(client_of(lead).get(reverse("project_time_of", args=[sealed.project.slug, code])))
    assert re.search(r"Judging answers 1 min", of_person)
    assert work.task.item.payload["question_text"] not in of_person
