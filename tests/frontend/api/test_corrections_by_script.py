"""Scripts correct what they have sent, and leave notes, in the windows of time of the pages and with their refusals."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.http import HttpResponse

from annotation import clock, randomness
from annotation.models import Event, Project, Response, User
from tasks.engine.skip_and_return import MANY
from tasks.models import Assignment
from tests.builders import BAD, GOOD, NO_ANSWER, open_with, project, questions
from tests.frontend.api.scripts import Script, by_script

pytestmark = pytest.mark.django_db
SPREAD = {"kind": "none", "reason": "spread"}
HIDDEN = "harbour light"


@pytest.fixture(scope="module")
def lights_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = by_script(project())
    open_with(made, tmp_path_factory.mktemp("lights"), questions(6))
    return made.pk


@pytest.fixture
def nq(lights_once: int, db: None) -> Project:
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lights(nq: Project) -> Project:
    return nq


@pytest.fixture
def script(lights: Project, alice: User) -> Script:
    return Script(alice, lights)


def finished(script: Script) -> dict:
    """Work that was sent, as it was read at its last step."""
    work = script.send(script.claim("annotate"), GOOD).json()["work"]
    assert script.send(work, NO_ANSWER).json()["work"]["state"] == "submitted"
    return work


def again(script: Script, work: dict, payload: dict = SPREAD) -> HttpResponse:
    """Another answer to the last step, from a script that had read it before it was sent."""
    return script.send(work, payload)


def replaced(script: Script, work: dict, version: dict, payload: dict = SPREAD, **more: object) -> HttpResponse:
    body = {"payload": payload, "version": version, "key": str(randomness.handle())} | more
    return script.post(f"work/{work['uuid']}/steps/{work['step']['step']}/replace/", body)


def counting() -> list[tuple[int, str, bool]]:
    rows = Response.objects.filter(stage="long_answer").order_by("pk")
    return [(row.revision, row.payload["reason"], row.by_script) for row in rows]


def test_a_second_answer_is_refused_and_then_replaces_the_first_which_stays_in_the_record(script: Script):
    work = finished(script)
    refused = again(script, work)
    assert (refused.status_code, refused.json()["type"]) == (409, "already_closed")
    now = refused.json()["now"]
    assert (now["step"], now["answer"]["reason"], HIDDEN in str(now).lower()) == (None, "page", False)
    key = str(randomness.handle())
    done = [replaced(script, work, now["replace"], key=key).json() for _twice in range(2)]
    assert [one["replayed"] for one in done] == [False, True]
    assert (done[0]["message"], done[0]["work"]["state"]) == ("Replaced: your second answer counts now.", "submitted")
    assert counting() == [(1, "page", True), (2, "spread", True)]
    reopened = Event.objects.get(kind="annotation.reopened")
    assert (reopened.by, reopened.data["reason"]) == (script.user.pk, "its author sent a second version")


@pytest.mark.parametrize(("late", "code"), [(timedelta(), 200), (timedelta(microseconds=1), 409)])
def test_that_is_possible_for_the_time_of_such_work(
    script: Script, late: timedelta, code: int, monkeypatch: pytest.MonkeyPatch
):
    work = finished(script)
    version = again(script, work).json()["now"]["replace"]
    row = Assignment.objects.get()
    assert row.closed_at is not None
    moment = row.closed_at + timedelta(minutes=row.lease.queue.lease_minutes) + late
    monkeypatch.setattr(clock, "now", lambda: moment)
    assert (again(script, work).json()["now"]["replace"] is not None) == (code == 200)
    assert replaced(script, work, version).status_code == code
    assert len(counting()) == (2 if code == 200 else 1)


def test_an_answer_that_changed_meanwhile_is_not_replaced_unseen(script: Script, lights: Project):
    work = finished(script)
    version = again(script, work).json()["now"]["replace"]
    assert replaced(script, work, version).status_code == 200
    refused = replaced(script, work, version, NO_ANSWER)
    assert (refused.status_code, refused.json()["type"]) == (409, "stale_page")
    assert refused.json()["now"]["answer"]["reason"] == "spread"
    assert len(counting()) == 2


def test_neither_a_sealed_step_nor_one_that_was_not_reached_is_replaced(script: Script, bob: User):
    work = script.claim("annotate")
    script.send(work, BAD)
    refused = script.send(work, GOOD)
    assert refused.json()["now"]["replace"] is None
    assert replaced(script, work, work["step"]["version"], GOOD).status_code == 409
    for step in ("long_answer", "short_answer", "no_such_step"):
        ahead = {**work, "step": {**work["step"], "step": step}}
        assert replaced(script, ahead, work["step"]["version"], NO_ANSWER).status_code == 404
    other = Script(bob, script.project)
    assert replaced(other, work, work["step"]["version"], GOOD).status_code == 404
    assert Response.objects.get().payload["verdict"] == "bad"


def test_a_note_on_a_sealed_step_is_in_the_history_and_on_no_other_step(script: Script, bob: User):
    work = script.claim("annotate")
    address = f"work/{work['uuid']}/steps/question/reconsider/"
    assert script.post(address, {"text": "Bad."}).status_code == 404
    script.send(work, GOOD)
    assert script.post(address, {"text": " "}).status_code == 400
    wordless = script.post(address, {"text": "…"})
    assert (wordless.status_code, wordless.json()["errors"][0]["message"]) == (422, "Write something.")
    assert script.post(address, {"text": "It is  ambiguous."}).json()["step"]["step"] == "long_answer"
    later = f"work/{work['uuid']}/steps/long_answer/reconsider/"
    assert script.post(later, {"text": "Bad."}).status_code == 404
    assert Script(bob, script.project).post(address, {"text": "x"}).status_code == 404
    noted = Event.objects.get(kind="annotation.reconsidered")
    assert (noted.data["stage"], noted.data["text"]) == ("question", "It is ambiguous.")
    script.send(script.read(work["uuid"]), NO_ANSWER)
    assert script.post(address, {"text": "Too late."}).status_code == 404


def test_who_skips_many_in_a_row_is_asked_and_says_what_is_wrong(script: Script):
    asked = []
    for _each in range(MANY + 1):
        work = script.claim("annotate")
        asked.append(script.post(f"work/{work['uuid']}/skip/", {"reason": "hard"}).json()["asks_why"])
    assert asked == [False] * MANY + [True]
    assert script.post(f"work/{work['uuid']}/explain/", {"text": "All are about ships."}).status_code == 200
    said = Event.objects.get(kind="skips.explained")
    assert (said.data["text"], said.data["assignment"]) == ("All are about ships.", work["uuid"])


def test_a_quote_is_found_only_in_the_box_that_was_reached(script: Script):
    work = script.claim("annotate")
    address = f"work/{work['uuid']}/steps/short_answer/quote/"
    assert script.caller.get(address, {"text": "Anna Berg"}).status_code == 404
    work = script.send(work, GOOD).json()["work"]
    box = next(one for one in work["step"]["sheet"]["boxes"] if one["excerpt"].startswith("Two keepers"))
    work = script.send(work, {"kind": "box", "candidate": box["index"], "quote": box["excerpt"]}).json()["work"]
    (place,) = script.caller.get(address, {"text": "Anna Berg"}).json()["matches"]
    sheet = work["step"]["sheet"]
    first = next(word for word in sheet["words"] if sheet["text"][word[1] : word[2]] == "Anna")[0]
    assert (place["start"], place["end"], place["text"]) == (first, first + 2, None)
    assert script.caller.get(address, {"text": "first harbour light"}).json()["matches"] == []
    assert script.caller.get(address).status_code == 400
