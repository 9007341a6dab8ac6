"""A conversation that ran out before the tenth turn counts only if a lead accepts it."""

from __future__ import annotations

import pytest

from annotation import clock
from annotation.errors import ReleaseRefused
from annotation.models import Case, Event, Item, Role
from tasks.engine import claiming, queues
from tasks.engine.no_work import NoWork
from tasks.items import setting_aside
from tasks.models import Task
from tests.people import join
from tests.protocols.coqa.deciding import decide, play, released, run_out
from tests.protocols.coqa.pairs import ended, seated, talk, talk_project

PLAYERS = ("petra", "paul", "pia")


@pytest.fixture(scope="module")
def ran_out(shared_rows, tmp_path_factory):
    """A project, and the case of its conversation of six turns."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="dev")
    return made, run_out(*seated(made))


@pytest.fixture
def project(ran_out, db):
    return ran_out[0]


@pytest.fixture
def case(ran_out, db):
    return Case.objects.get()


def refused(project):
    """Why nothing can be released: the only conversation is left out."""
    with pytest.raises(ReleaseRefused) as why:
        released(project)
    return str(why.value)


def played(project):
    return Task.objects.filter(queue__project=project, activity="guess").values_list("state", flat=True)


def test_a_conversation_that_ran_out_waits_for_a_lead_and_a_whole_one_does_not(project, case):
    assert (case.kind, case.state, case.author) == ("acceptance", "open", None)
    whole = seated(project, "uma", "vic")
    talk(*whole, 10)
    whole[0].say(ended("exhausted", "that was all"))
    assert Case.objects.get() == case
    assert list(Event.objects.filter(kind="case.opened").values_list("subject", flat=True)) == [f"case:{case.pk}"]


def test_until_it_is_accepted_nobody_plays_it_and_releases_leave_it_out_and_say_why(project, case):
    assert not Item.objects.filter(kind="conversation").exists()
    assert refused(project).endswith(
        "is left out: it has 6 of at least 10 turns; it ended because nothing was left to ask, "
        "and no lead has accepted it."
    )


def test_an_accepted_one_is_played_and_released_like_a_whole_one_and_named(project, case):
    decide(case, "upheld", project=project, reason="there is no more in it")
    play(project, *PLAYERS)
    [dialogue], manifest = released(project)
    assert [one["turn_id"] for one in dialogue["questions"]] == [1, 2, 3, 4, 5, 6]
    assert sorted(dialogue["additional_answers"]) == ["0", "1", "2"]
    assert {note.partition(" passage ")[2].partition(" ")[2] for note in manifest["notes"]} == {
        "ended because nothing was left to ask: it is a short text",
        "has 6 turns, and a lead has accepted it.",
    }


def test_a_training_conversation_is_released_at_once(tmp_path, db):
    project = talk_project(tmp_path, slug="training", split="train")
    decide(run_out(*seated(project, "uma", "vic")), "upheld", project=project)
    assert [len(dialogue["questions"]) for dialogue in released(project)[0]] == [6]


def test_dismissed_it_stays_partial_and_can_still_be_accepted(project, case):
    decide(case, "dismissed", project=project)
    assert "no lead has accepted it" in refused(project)
    decide(case, "open", project=project)
    decide(case, "upheld", project=project)
    assert Item.objects.filter(kind="conversation").count() == 1


def test_taken_back_nobody_gets_it_any_more_and_accepted_again_it_goes_on(project, case):
    decide(case, "upheld", project=project)
    play(project, "petra")
    decide(case, "open", project=project)
    assert list(played(project)) == ["frozen"]
    paul = join(project, "paul")
    assert isinstance(claiming.claim(project, "guess", by=paul, now=clock.now()), NoWork)
    assert "no lead has accepted it" in refused(project)
    decide(case, "upheld", project=project)
    play(project, "paul", "pia")
    assert list(played(project)) == ["done"]
    [dialogue], _ = released(project)
    assert len(dialogue["additional_answers"]) == 3


def test_taken_back_before_anybody_could_get_it_no_task_is_made_for_it(project, case):
    decide(case, "upheld", project=project)
    decide(case, "open", project=project)
    queues.open_queue(project, "guess", by=None, now=clock.now())
    assert list(played(project)) == []


def test_it_is_found_however_long_ago_the_conversation_ended(project, case):
    queue = project.queues.get(activity="guess")
    queues.fill(queue, now=clock.now())
    type(queue).objects.update(filled_at=clock.now() + queues.UNDER_WAY * 3)
    decide(case, "upheld", project=project)
    assert len(play(project, "petra")) == 1


def test_accepted_while_its_passage_is_set_aside_it_is_set_aside_too_and_comes_back_with_it(project, case):
    lead = join(project, "lena", Role.LEAD)
    [passage] = setting_aside.set_aside([case.annotation.item], by=lead, reason="for the exam", now=clock.now())
    decide(case, "upheld", project=project)
    assert not Item.objects.filter(kind="conversation").exists()
    made = Item.with_set_aside.get(kind="conversation")
    assert (made.root, made.made_from) == (passage, case.annotation)
    setting_aside.return_to_work([passage], by=lead, reason="the exam is over", now=clock.now())
    assert Item.objects.get(kind="conversation") == made
    assert len(play(project, "petra")) == 1
