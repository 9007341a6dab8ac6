"""Either side flags what the other has said; a lead decides; what was upheld is released as a bad turn."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotation import clock, releases
from annotation.errors import AlreadyClosed, NotFound, PayloadInvalid, ReasonMissing, WrongMove
from annotation.models import Case, Event, Response
from annotation.releases import rebuild
from tasks.items import reports
from tasks.models import Task
from tasks.pairs import lobby, presence
from tests import builders
from tests.people import join
from tests.protocols.coqa.deciding import decide, flag, released
from tests.protocols.coqa.pairs import answered, asked, ended, seated, seated_still, talk, talk_project

A_MOMENT = timedelta(seconds=9)


@pytest.fixture(scope="module")
def talks(shared_rows, tmp_path_factory):
    """A project, and two people at the beginning of a conversation."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="train")
    pair = seated(made)
    return made, pair


@pytest.fixture
def project(talks, db):
    return talks[0]


@pytest.fixture
def pair(talks, db):
    return seated_still(talks[1])


def states(person):
    """The tasks of the passage that this person talked about, alone and together."""
    return sorted(Task.objects.filter(item=person.held.task.item_id).values_list("state", flat=True))


def finish(questioner, answerer):
    """Ask and answer up to the tenth turn, and agree to end."""
    turns = len(questioner.work().answers) // 2
    for turn in range(turns + 1, 11):
        questioner.say(asked(f"Question number {turn}?"))
        answerer.say(answered(f"Answer number {turn}"))
    questioner.say(ended())
    answerer.say({"agreed": True})


def test_each_side_flags_what_the_other_has_said_and_nothing_changes_for_them(pair):
    questioner, answerer = pair
    talk(questioner, answerer, 2)
    before = questioner.get(), answerer.get()
    one, other = flag(questioner, "answer-1", "wrong", text="It was Emil."), flag(answerer, "question-2", "vague")
    assert (one.state, one.response.payload["text"], one.author) == ("open", "Answer number 1", questioner.user)
    assert (other.response.turn, other.reason) == (2, "vague")
    assert {questioner.row().state, answerer.row().state} == {"leased"}
    kinds = Event.objects.filter(kind__startswith="case.").order_by("pk").values_list("kind", "by")
    assert list(kinds) == [("case.opened", questioner.user.pk), ("case.opened", answerer.user.pk)]
    assert "It was Emil" not in "".join((*before, questioner.get(), answerer.get(), answerer.get("now")))


def test_nobody_flags_what_they_said_themselves_or_what_was_not_said(pair):
    questioner, answerer = pair
    talk(questioner, answerer, 1)
    for person, step in ((questioner, "question-1"), (answerer, "answer-1"), (questioner, "answer-2"), (answerer, "x")):
        with pytest.raises(NotFound):
            flag(person, step)
    assert not Case.objects.exists()


@pytest.mark.parametrize(("step", "reason"), [("answer-1", "vague"), ("answer-1", ""), ("answer-1", "broken")])
def test_only_the_reasons_of_that_part_are_possible(pair, step, reason):
    talk(*pair, 1)
    with pytest.raises(PayloadInvalid):
        flag(pair[0], step, reason)


def test_flagging_the_same_answer_twice_is_one_flag(pair):
    talk(*pair, 1)
    assert flag(pair[0], "answer-1") == flag(pair[0], "answer-1", "abuse")
    assert Case.objects.get().reason == "copying"
    case = Case.objects.get()
    case.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        case.save()


def test_what_has_ended_can_no_longer_be_flagged(pair):
    finish(*pair)
    with pytest.raises(AlreadyClosed):
        flag(pair[0], "answer-1")


def test_a_lead_upholds_dismisses_and_takes_it_back_each_time_with_a_reason(project, pair):
    talk(*pair, 1)
    case = flag(pair[0], "answer-1")
    decide(case, "upheld", project=project, reason="copied  whole")
    with pytest.raises(WrongMove):
        decide(case, "dismissed", project=project)
    decide(case, "open", project=project, reason="I misread")
    with pytest.raises(ReasonMissing):
        decide(case, "dismissed", project=project, reason=" ")
    decide(case, "dismissed", project=project, reason="it is fine")
    history = Event.objects.filter(subject=f"case:{case.pk}").order_by("pk")
    assert [(row.kind, row.data.get("reason")) for row in history] == [
        ("case.opened", "copying"),
        ("case.upheld", "copied whole"),
        ("case.open", "I misread"),
        ("case.dismissed", "it is fine"),
    ]
    assert {row.project_id for row in history} == {project.pk}


def test_upheld_flags_are_released_as_bad_turns_and_named_and_counted(project, pair):
    questioner, answerer = pair
    talk(questioner, answerer, 3)
    decide(flag(questioner, "answer-2", "wrong"), "upheld", project=project)
    decide(flag(answerer, "question-3", "vague"), "upheld", project=project)
    decide(flag(answerer, "question-1", "vague"), "dismissed", project=project)
    flag(questioner, "answer-3", "nonsense")
    finish(questioner, answerer)
    [dialogue], manifest = released(project)
    assert [one.get("bad_turn") for one in dialogue["questions"]] == [None, None, "true", *[None] * 7]
    assert [one.get("bad_turn") for one in dialogue["answers"]] == [None, "true", *[None] * 8]
    assert [note.partition(": ")[2] for note in manifest["notes"]] == [
        "a lead has found the answer of turn 2 bad (bad_turn).",
        "a lead has found the question of turn 3 bad (bad_turn).",
    ]
    assert manifest["counts"]["train"]["flagged"] == 2


def test_the_turn_that_is_marked_is_counted_as_released_and_not_as_stored(project, pair):
    questioner, answerer = pair
    talk(questioner, answerer, 10)
    questioner.say(ended())
    answerer.say({"agreed": False})
    questioner.say(asked("One more?"))
    answerer.say(answered("Then one more"))
    decide(flag(questioner, "answer-12"), "upheld", project=project)
    questioner.say(ended())
    answerer.say({"agreed": True})
    [dialogue], _ = released(project)
    assert [one["turn_id"] for one in dialogue["answers"] if "bad_turn" in one] == [11]


def test_a_release_with_bad_turns_comes_back_as_it_was_when_it_is_imported(project, pair, tmp_path):
    talk(*pair, 1)
    decide(flag(pair[0], "answer-1"), "upheld", project=project)
    finish(*pair)
    dialogues, _ = released(project)
    path = tmp_path / "coqa-train-v1.0.json"
    path.write_text(json.dumps({"version": "1.0", "data": dialogues}))
    again = builders.project("again", "coqa")
    builders.load(again, path, published=True)
    made = releases.build(again, format="coqa", by=None, now=clock.now())
    assert json.loads((releases.folder_of(made) / path.name).read_bytes())["data"] == dialogues


def test_a_frozen_release_is_rebuilt_as_it_was_after_the_decision_is_taken_back(project, pair, tmp_path):
    talk(*pair, 1)
    case = flag(pair[0], "answer-1")
    decide(case, "upheld", project=project)
    finish(*pair)
    frozen = releases.build(project, format="coqa", by=None, now=clock.now(), partial=True)
    decide(case, "open", project=project)
    rebuild.rebuild(frozen, tmp_path)
    assert b"bad_turn" in (tmp_path / "coqa-train-v1.0.json").read_bytes()
    assert "bad_turn" not in json.dumps(released(project)[0])


def test_a_serious_flag_ends_the_conversation_for_both_alike_and_freezes_the_passage(project, pair):
    questioner, answerer = pair
    talk(questioner, answerer, 3)
    flag(answerer, "question-3", "abuse", ends=True)
    now = clock.now()
    for person in pair:
        assert person.row().state == "returned"
        assert presence.of_partners(person.row(), now=now).state == "stopped"
    assert states(pair[0]) == ["frozen", "frozen"]
    assert Response.objects.count() == 6
    assert not reports.held_back(project).exists()
    others = seated(project, "uma", "vic")
    assert others[0].held.task.item_id != questioner.held.task.item_id


def test_a_flag_that_becomes_serious_later_ends_the_conversation_too(project, pair):
    talk(*pair, 1)
    first = flag(pair[0], "answer-1")
    assert flag(pair[0], "answer-1", ends=True) == first
    assert Case.objects.get().ends
    assert pair[1].row().state == "returned"


@pytest.mark.parametrize("verdict", ["upheld", "dismissed"])
def test_the_passage_is_free_again_once_the_lead_has_decided_and_frozen_when_that_is_taken_back(project, pair, verdict):
    talk(*pair, 1)
    case = flag(pair[0], "answer-1", "abuse", ends=True)
    decide(case, verdict, project=project)
    assert states(pair[0]) == ["open", "open"]
    decide(case, "open", project=project)
    assert states(pair[0]) == ["frozen", "frozen"]


def test_reports_that_are_settled_do_not_open_what_a_flag_has_frozen(project, pair):
    talk(*pair, 1)
    case = flag(pair[0], "answer-1", "abuse", ends=True)
    item = pair[0].held.task.item
    lead = join(project, "lena", "lead")
    reports.unfreeze(item, by=lead, now=clock.now())
    assert states(pair[0]) == ["frozen", "frozen"]
    decide(case, "dismissed", project=project)
    assert states(pair[0]) == ["open", "open"]


def test_what_a_serious_flag_has_ended_is_in_no_release(project, pair):
    finish(*seated(project, "uma", "vic"))
    talk(*pair, 3)
    flag(pair[0], "answer-1", "abuse", ends=True)
    dialogues, _ = released(project)
    assert len(dialogues) == 1


def test_two_people_of_whom_one_has_ended_their_conversation_are_not_found_for_each_other(tmp_path, db):
    project = talk_project(tmp_path, slug="more", split="train", passages=4)
    pair = seated(project, "uma", "vic")
    talk(*pair, 1)
    case = flag(pair[0], "answer-1", "abuse", ends=True)
    now = clock.now()
    for person in pair:
        assert lobby.enter(project, "converse", by=person.user, now=now).state == "waiting"
    decide(case, "dismissed", project=project)
    assert lobby.poll(lobby.last_ticket(project, "converse", by=pair[0].user), now=now + A_MOMENT).state == "offered"
