"""One person who plays both parts of a conversation on the site, and projects set up in other ways."""

from __future__ import annotations

from annotation import clock
from annotation.models import Annotation, Item
from tasks.engine import claiming
from tasks.pairs import matching
from tests.people import join
from tests.protocols.coqa.pairs import Seated, answered, asked, ended, seated, talk_project

QUOTE = "kept its light for thirty years"


def test_alone_one_person_plays_both_parts_and_nothing_is_polled(db, tmp_path):
    project = talk_project(tmp_path, split="train")
    person = join(project, "sol")
    solo = Seated.at(claiming.claim(project, "converse_alone", by=person, now=clock.now()), person)
    asks = solo.get()
    assert "now you ask" in asks
    assert "data-url-now" not in asks
    solo.say(asked("Who looked after it?"))
    answers = solo.get()
    assert "now you answer" in answers
    assert "data-url-now" not in answers
    solo.say(answered("Her brother", QUOTE))
    page = solo.get()
    assert "quote&quot;" not in page
    assert '"quote"' not in page
    for turn in range(2, 11):
        solo.say(asked(f"Question number {turn}?"))
        solo.say(answered(f"Answer number {turn}"))
    solo.say(ended())
    assert Annotation.objects.get().completed_at is not None
    assert Item.objects.filter(kind="conversation").count() == 1


def test_nobody_is_seated_at_a_passage_that_they_have_talked_about_alone(db, tmp_path):
    project = talk_project(tmp_path, split="train", passages=1)
    solo = join(project, "sol")
    claiming.claim(project, "converse_alone", by=solo, now=clock.now())
    people = [solo, join(project, "anna")]
    assert matching.seat(project, "converse", people, now=clock.now()) == ()


def test_a_project_may_switch_the_advice_off(db, tmp_path):
    questioner, _ = seated(talk_project(tmp_path, overlap_advice=False))
    assert 'id="advised"' not in questioner.get()


def test_who_plays_both_parts_has_nobody_to_flag(tmp_path, db):
    alone_in = talk_project(tmp_path, split="train")
    person = join(alone_in, "solo")
    alone = Seated.at(claiming.claim(alone_in, "converse_alone", by=person, now=clock.now()), person)
    alone.say(asked("Who built it?"))
    alone.say(answered("Anna"))
    page = alone.get()
    assert "Who built it?" in page
    assert "data-flag" not in page
    assert 'id="flag"' not in page
    flag = {"step": "question-1", "reason": "vague", "how": "silent"}
    assert alone.client.post(alone.address("flag"), flag).status_code == 404
