"""The lobby on the site: people enter from their home page, wait, say that they are here, and land in their work."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, membership
from annotation.models import Project, Role, User
from tasks.models import Assignment, Ticket
from tests.builders import open_with, questions
from tests.frontend.pairs.conftest import toys, toys_once
from tests.people import join
from tests.protocols.toy.building import Pair, toy_project
from tests.tasks.pairs.visiting import allow_alone

__all__ = ["toys", "toys_once"]

HIDDEN_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
PART = {"X-Part": "1"}
BEFOREHAND = "If no partner is found within a minute, you are offered to go on by yourself"


def url(name, project):
    return reverse(name, args=[project.slug, "talk"])


@pytest.fixture
def with_alone(toys, monkeypatch):
    """The same, in which one may play both parts."""
    allow_alone(toys, monkeypatch)
    return toys


def browser(project, name, role=Role.ANNOTATOR):
    client = Client()
    client.force_login(join(project, name, role))
    return client


def text(answer):
    return " ".join(answer.content.decode().split())


def test_the_page_of_somebody_who_waits_may_open_its_socket_and_no_other_address(toys):
    ann = browser(toys, "ann")
    assert "data-socket" not in text(ann.get(url("lobby", toys)))
    ann.post(url("enter_lobby", toys))
    answer = ann.get(url("lobby", toys))
    assert 'data-socket="/ws/projects/toys/talk/lobby/"' in text(answer)
    assert "connect-src 'self' ws://testserver/ws/;" in answer["Content-Security-Policy"] + ";"


def test_two_people_start_from_home_and_land_in_the_same_talk(toys):
    ann, tom = browser(toys, "ann"), browser(toys, "tom")
    assert f'action="{url("enter_lobby", toys)}"' in text(ann.get("/"))
    waits = ann.post(url("enter_lobby", toys), follow=True)
    assert "Looking for a partner" in text(waits)
    assert "not known yet" in text(waits)
    assert "A partner was found" in text(tom.post(url("enter_lobby", toys), follow=True))
    assert "I’m here" in text(ann.get(url("lobby", toys), headers=PART))
    assert "You are ready" in text(ann.post(url("here", toys), follow=True))
    landed = tom.post(url("here", toys), follow=True)
    mine = {row.annotator.username: reverse("work", args=[row.uuid]) for row in Assignment.objects.all()}
    assert landed.request["PATH_INFO"] == mine["tom"]
    told = ann.get(url("lobby", toys), headers=PART)
    assert (told["X-Go"], told.content) == (mine["ann"], b"")
    assert ann.get(url("lobby", toys)).url == mine["ann"]
    assert ann.post(url("enter_lobby", toys)).url == mine["ann"]


def test_the_part_is_no_whole_page_and_only_numbers_tell_of_others(toys):
    ann, tom = browser(toys, "ann"), browser(toys, "tom")
    ann.post(url("enter_lobby", toys))
    tom.post(url("enter_lobby", toys))
    part, page = ann.get(url("lobby", toys), headers=PART), ann.get(url("lobby", toys))
    assert ("<html" in text(part), "<html" in text(page)) == (False, True)
    for answer in (part, page):
        assert "A partner was found" in text(answer)
        assert ">tom" not in text(answer)
        assert "Zq1topic" not in text(answer)


def test_without_scripts_the_page_looks_again_by_itself(toys):
    ann = browser(toys, "ann")
    assert 'http-equiv="refresh"' not in text(ann.get(url("lobby", toys)))
    waits = ann.post(url("enter_lobby", toys), follow=True)
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in text(waits)


def test_who_waits_says_which_part_they_would_rather_have(toys):
    ann = browser(toys, "ann")
    assert "Your part" not in text(ann.get(url("lobby", toys)))
    page = text(ann.post(url("enter_lobby", toys), follow=True))
    assert 'value="" aria-pressed="true">Either' in page
    page = text(ann.post(url("prefer_part", toys), {"part": "teller"}, follow=True))
    assert 'value="teller" aria-pressed="true">Teller' in page
    assert Ticket.objects.get().prefers == "teller"
    assert ann.post(url("prefer_part", toys), {"part": "judge"}).status_code == 404


def test_leaving_leads_home_and_the_others_no_longer_count_the_person(toys):
    ann = browser(toys, "ann")
    ann.post(url("enter_lobby", toys))
    assert ann.post(url("leave_lobby", toys)).url == "/"
    assert Ticket.objects.get().reason == "button"
    assert "Find a partner" in text(ann.get(url("lobby", toys)))


def test_who_was_away_is_told_so_and_may_come_back(toys):
    ann = browser(toys, "ann")
    ann.post(url("enter_lobby", toys))
    Ticket.objects.update(entered_at=clock.now() - timedelta(minutes=2), seen_at=clock.now() - timedelta(minutes=1))
    browser(toys, "tom").post(url("enter_lobby", toys))
    page = text(ann.get(url("lobby", toys)))
    assert "lost your place" in page
    assert "Find a partner" in page


def test_after_three_minutes_without_input_the_page_asks_and_stays_in_line_after_yes(toys):
    ann = browser(toys, "ann")
    ann.post(url("enter_lobby", toys))
    ago = clock.now() - timedelta(seconds=200)
    Ticket.objects.update(entered_at=ago, active_at=ago)
    part = text(ann.get(url("lobby", toys), headers=PART | {"X-Idle": "200"}))
    assert "Still here?" in part
    assert "Say that you are here to stay in line." in part
    assert "Looking for a partner" in text(ann.post(url("here", toys), follow=True))


def test_consent_comes_first_and_leads_can_not_take_part(toys):
    membership.add(project=toys, username="nina", role=Role.ANNOTATOR, by=None, now=clock.now())
    nina = Client()
    nina.force_login(User.objects.get(username="nina"))
    for answer in (nina.get(url("lobby", toys)), nina.post(url("enter_lobby", toys))):
        assert answer.url == f"{reverse('consent', args=['toys'])}?to=talk"
    lena = browser(toys, "lena", Role.LEAD)
    assert lena.post(url("enter_lobby", toys)).status_code == 403
    assert browser(toy_project("others"), "otto").get(url("lobby", toys)).status_code == 404


def test_who_has_no_ticket_can_neither_say_that_they_are_here_nor_leave(toys):
    ann = browser(toys, "ann")
    assert {ann.post(url(name, toys)).status_code for name in ("here", "leave_lobby", "alone")} == {404}


def test_where_nothing_is_left_nobody_waits(toys):
    for _ in range(8):
        Pair.seated(toys, "uma", "vic").talk()
    assert "Everything is done" in text(browser(toys, "ann").post(url("enter_lobby", toys)))


def test_after_a_talk_its_people_come_back_to_the_lobby(toys):
    pair = Pair.seated(toys, now=clock.now())
    pair.talk(until=2, now=clock.now())
    pair.say("asker", "ask-3", now=clock.now())
    tom = browser(toys, "tom")
    page = tom.get(reverse("work", args=[pair.held["teller"].uuid])).content.decode()
    sent = dict(HIDDEN_FIELD.findall(page)) | {"text": "so", "reason": ""}
    answer = tom.post(reverse("stage", args=[pair.held["teller"].uuid, "tell-3"]), sent)
    assert answer.url == url("lobby", toys)


def test_going_on_alone_is_offered_after_a_minute_and_not_before_or_elsewhere(with_alone):
    toys = with_alone
    ann = browser(toys, "ann")
    assert reverse("claim", args=["toys", "talk_alone"]) not in text(ann.get("/"))
    assert ann.post(reverse("claim", args=["toys", "talk_alone"])).url == url("lobby", toys)
    assert BEFOREHAND in text(ann.get(url("lobby", toys)))
    ann.post(url("enter_lobby", toys))
    assert "By myself" not in text(ann.get(url("lobby", toys)))
    assert BEFOREHAND in text(ann.get(url("lobby", toys), headers=PART))
    assert ann.post(url("alone", toys)).url == url("lobby", toys)
    Ticket.objects.update(entered_at=clock.now() - timedelta(seconds=61))
    assert "By myself" in text(ann.get(url("lobby", toys)))
    assert BEFOREHAND not in text(ann.get(url("lobby", toys)))
    assert ann.post(url("alone", toys)).url == reverse("work", args=[Assignment.objects.get().uuid])
    assert Ticket.objects.get().reason == "alone"


def test_where_nobody_is_offered_to_go_on_alone_the_page_does_not_say_so(with_alone):
    ann = browser(with_alone, "ann")
    with_alone.queues.filter(activity="talk_alone").update(state="paused")
    assert BEFOREHAND not in text(ann.get(url("lobby", with_alone)))
    plain = browser(toy_project("plain"), "una")
    plain.post(url("enter_lobby", Project.objects.get(slug="plain")))
    assert BEFOREHAND not in text(plain.get(url("lobby", Project.objects.get(slug="plain"))))


def test_who_waits_has_the_guidelines_at_hand_and_other_work_to_do_meanwhile(toys, nq, tmp_path):
    open_with(nq, tmp_path, questions(2))
    ann = browser(toys, "ann")
    join(nq, "ann")
    waits = text(ann.post(url("enter_lobby", toys), follow=True))
    assert f'href="{reverse("guidelines", args=[toys.slug])}" target="_blank"' in waits
    assert f'action="{reverse("claim", args=[nq.slug, "annotate"])}" target="_blank"' in waits
    assert f"<h3>{nq.title} · Answer questions from a page</h3>" in waits
    assert "Meanwhile" not in text(ann.get(url("lobby", toys), headers=PART))


def test_the_lobby_itself_is_not_what_one_could_do_meanwhile(toys):
    ann = browser(toys, "ann")
    waits = ann.post(url("enter_lobby", toys), follow=True)
    assert waits.context["meanwhile"] == []
