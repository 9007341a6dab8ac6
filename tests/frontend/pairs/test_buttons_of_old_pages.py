"""A button of a notice or a lobby that is out of date does not do nothing: the page that follows says what happened."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from tasks.engine import skip_and_return
from tasks.models import Assignment, Ticket
from tasks.models.states import AssignmentState, TicketState
from tasks.pairs import taking_back
from tests.people import join
from tests.protocols.toy.building import Pair

BY_SCRIPT = {"X-Requested-With": "fetch"}
IS_BACK = "Your partner is there again, so nothing was ended."


def browser(user):
    client = Client()
    client.force_login(user)
    return client


def text(answer):
    return " ".join(answer.content.decode().split())


@pytest.fixture
def pair(toys):
    """An asker who has the turn, and a teller who waits; both have just been heard of."""
    made = Pair.seated(toys, now=clock.now())
    Assignment.objects.update(seen_at=clock.now())
    return made


def press(pair, name, **how):
    """The asker presses the button that leads to this address."""
    return browser(pair.asker).post(reverse(name, args=[pair.held["asker"].uuid]), **how)


@pytest.mark.parametrize("name", ["another_partner", "end_lost"])
def test_the_partner_has_come_back(pair, name):
    answer = press(pair, name, follow=True)
    assert answer.request["PATH_INFO"].startswith(reverse("work", args=[pair.held["asker"].uuid]))
    assert IS_BACK in text(answer)
    assert pair.row("asker").state == AssignmentState.LEASED


def test_the_partner_is_still_away(pair):
    long_ago = clock.now() - timedelta(seconds=100)
    Assignment.objects.filter(pk=pair.held["teller"].pk).update(seen_at=long_ago, claimed_at=long_ago)
    answer = press(pair, "another_partner", follow=True)
    assert "Looking for a partner" in text(answer)
    assert IS_BACK not in text(answer)


def test_the_partner_has_left_meanwhile(pair):
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=clock.now())
    answer = press(pair, "end_lost", follow=True)
    assert "Your partner has left" in text(answer)
    assert "You have ended this" not in text(answer)


def test_the_old_place_in_line_is_no_longer_kept(pair):
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=clock.now())
    Assignment.objects.filter(pk=pair.held["asker"].pk).update(closed_at=clock.now() - timedelta(minutes=61))
    answer = press(pair, "another_partner", follow=True)
    assert "Your old place in line was kept for an hour." in text(answer)
    assert "Find a partner" in text(answer)


def test_more_time_is_not_needed_any_more(pair):
    assert "More time is not needed now" in text(press(pair, "more_time", follow=True))
    by_script = press(pair, "more_time", headers=BY_SCRIPT)
    assert (by_script.status_code, text(by_script)[:28]) == (409, "More time is not needed now:")
    long_ago = clock.now() - timedelta(seconds=130)
    Assignment.objects.filter(pk__in=[row.pk for row in pair.held.values()]).update(claimed_at=long_ago)
    by_script = press(pair, "more_time", headers=BY_SCRIPT)
    assert (by_script.status_code, by_script.content) == (204, b"")


@pytest.fixture
def found(toys):
    """The browsers of two people who were found for each other, and a function that posts to their lobby."""
    people = [browser(join(toys, name)) for name in ("ann", "tom")]

    def post(client, name, **fields):
        return client.post(reverse(name, args=[toys.slug, "talk"]), fields, follow=True)

    for each in people:
        post(each, "enter_lobby")
    return *people, post


def test_who_was_found_has_left_before_both_were_ready(found):
    ann, tom, post = found
    post(tom, "leave_lobby")
    page = text(post(ann, "here", found=""))
    assert "This offer ended before you had both said" in page
    assert "Looking for a partner" in page
    assert "This offer ended" not in text(post(ann, "here"))


def test_who_is_ready_is_not_told_anything_else(found):
    ann, tom, post = found
    for answer in (post(ann, "here", found=""), post(tom, "here", found="")):
        assert "This offer ended" not in text(answer)
        assert "just now" not in text(answer)
        assert "in this moment" not in text(answer)


def test_the_work_has_begun_when_somebody_leaves_the_lobby_or_chooses_a_part(found):
    ann, tom, post = found
    for client in (ann, tom):
        post(client, "here", found="")
    for name in ("leave_lobby", "prefer_part"):
        assert "A partner was found in this moment, so your work has begun." in text(post(ann, name))


def test_the_person_has_left_in_another_tab(found):
    ann, _tom, post = found
    assert "not in line any more" not in text(post(ann, "leave_lobby"))
    for name in ("leave_lobby", "prefer_part", "here"):
        assert "You were not in line any more." in text(post(ann, name)), name


def test_what_the_server_has_ended_is_said_at_home_too(found):
    ann, _tom, post = found
    over = {"state": TicketState.REMOVED, "reason": "absent", "ended_at": clock.now()}
    Ticket.objects.update(offer=None, offered_at=None, confirmed_at=None, **over)
    assert "so you lost your place" in text(post(ann, "leave_lobby"))


def test_what_is_flagged_was_taken_back_meanwhile(pair):
    pair.say("asker", "ask-1", now=clock.now())
    taking_back.take_back(pair.row("asker"), "ask-1", by=pair.asker, now=clock.now())
    teller, mine = browser(pair.teller), [pair.held["teller"].uuid]
    sent = {"step": "ask-1", "reason": "abuse"}
    assert teller.post(reverse("flag", args=mine), sent, headers={"HX-Request": "true"}).status_code == 404
    assert "Your partner has taken it back in the meantime" in text(teller.get(reverse("work", args=mine), follow=True))
