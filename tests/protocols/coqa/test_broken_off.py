"""A conversation that somebody leaves after ten answered turns counts as finished; before that it is a partial one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Item, Response
from annotation.models.case import FlagReason
from tasks.engine import leases, skip_and_return
from tasks.items import reports
from tasks.models import Task
from tasks.pairs import leaving, presence
from tests.protocols.coqa.deciding import flag, play, released
from tests.protocols.coqa.pairs import asked, seated, talk, talk_project

LATER = timedelta(minutes=11)
"""After so long without a sign, everybody is lost."""


@pytest.fixture(scope="module")
def talked(shared_rows, tmp_path_factory):
    """A project, and the two people of a conversation of nine answered turns."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="dev")
    pair = seated(made)
    talk(*pair, 9)
    return made, pair


@pytest.fixture
def project(talked, db):
    return talked[0]


@pytest.fixture
def pair(talked, db):
    return talked[1]


def leaves(person):
    skip_and_return.skip(person.row(), by=person.user, reason="time", text="", now=clock.now())


def gives_back(person):
    skip_and_return.give_back(person.row(), by=person.user, now=clock.now())


def runs_out_of_time(person):
    leases.expire_early(person.row().lease, now=clock.now())


def ends_without_the_partner(person):
    leaving.end(person.row(), by=person.user, now=clock.now() + LATER)


def finds_somebody_else(person):
    leaving.find_another(person.row(), by=person.user, now=clock.now() + LATER)


def is_away_like_the_partner(person):
    assert presence.end_abandoned(now=clock.now() + LATER) == 1


ENDS = [leaves, gives_back, runs_out_of_time, ends_without_the_partner, finds_somebody_else, is_away_like_the_partner]


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("seat", [0, 1])
def test_with_ten_answered_turns_it_is_finished_for_both_and_its_last_question_trimmed(project, pair, ends, seat):
    talk(*pair, 1)
    pair[0].say(asked("Question without an answer?"))
    ends(pair[seat])
    assert [each.row().state for each in pair] == ["submitted", "submitted"]
    assert pair[0].row().annotation.completed_at is not None
    assert Task.objects.get(pk=pair[0].held.task_id).state == "done"
    assert Response.objects.filter(annotation=pair[0].held.annotation).count() == 21
    assert len(Item.objects.get(kind="conversation").payload["turns"]) == 10


def test_it_is_released_with_the_turns_that_were_answered(project, pair):
    talk(*pair, 1)
    pair[0].say(asked("Question without an answer?"))
    leaves(pair[1])
    play(project, "petra", "paul", "pia")
    [dialogue], _manifest = released(project)
    assert [one["turn_id"] for one in dialogue["questions"]] == list(range(1, 11))
    assert all(len(answers) == 10 for answers in dialogue["additional_answers"].values())


@pytest.mark.parametrize("ends", ENDS)
def test_with_nine_it_stays_unfinished_and_the_passage_is_free_for_others(project, pair, ends):
    pair[0].say(asked("Question without an answer?"))
    ends(pair[1])
    assert pair[0].row().annotation.completed_at is None
    assert "submitted" not in {each.row().state for each in pair}
    assert Task.objects.get(pk=pair[0].held.task_id).state == "open"
    assert not Item.objects.filter(kind="conversation").exists()
    assert Response.objects.filter(annotation=pair[0].held.annotation).count() == 19


def test_what_a_serious_flag_ends_or_whose_passage_is_reported_waits_for_a_lead(project, pair):
    talk(*pair, 1)
    flag(pair[0], "answer-10", "abuse", ends=True)
    others = seated(project, "uma", "vic")
    talk(*others, 10)
    reports.report(others[0].row(), by=others[0].user, reason=FlagReason.OTHER, text="odd", now=clock.now())
    assert {each.row().state for each in (*pair, *others)} == {"returned"}
    assert not Item.objects.filter(kind="conversation").exists()


def test_both_read_that_it_counts(pair):
    talk(*pair, 1)
    left = pair[0].client.post(pair[0].address("skip"), {"reason": "time"}, follow=True).content.decode()
    assert "You have left. What you both sent is enough, so it counts as finished." in left
    home = pair[1].client.get(pair[1].address(), follow=True).content.decode()
    assert "This ended without your partner. What you both sent is enough, so it counts as finished." in home
    assert "You have finished this together" not in home


def test_before_that_whoever_leaves_reads_no_such_thing(pair):
    left = pair[0].client.post(pair[0].address("skip"), {"reason": "time"}, follow=True).content.decode()
    assert "You have left." in left
    assert "counts as finished" not in left


def test_nothing_more_is_written_once_it_counts(pair):
    talk(*pair, 1)
    pair[0].say(asked("Question without an answer?"))
    leaves(pair[0])
    answer = pair[1].client.post(pair[1].address("answer-11"), {"unknown": "on"})
    assert answer.status_code >= 400
    assert Response.objects.filter(annotation=pair[0].held.annotation).count() == 21


def test_leaving_twice_is_leaving_once(pair):
    talk(*pair, 1)
    for _twice in range(2):
        pair[0].client.post(pair[0].address("skip"))
    assert [each.row().state for each in pair] == ["submitted", "submitted"]


def test_who_was_away_reads_at_home_that_it_counts_as_finished(pair):
    talk(*pair, 1)
    ends_without_the_partner(pair[0])
    page = pair[1].client.get(reverse("home")).content.decode()
    assert "What you both sent is enough, so it counts as finished." in page
    assert "another" not in page
    assert "it counts as finished" not in pair[0].client.get(reverse("home")).content.decode()
