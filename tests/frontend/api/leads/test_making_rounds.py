"""A lead's script makes judging rounds, seals and stops them, and replaces raters; judges see nothing of others."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.imports import uploads
from annotation.judging import rounds
from annotation.models import JudgingRound, Project, RoundState, User
from tasks.judging import raters, working
from tests.builders import project
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, sealed
from tests.tasks.judging.sealed_once import answered_once, experts, lead, lights, staffed_once
from tests.uploading import json_lines, uploaded

__all__ = ["answered_once", "experts", "lead", "lights", "sealed", "staffed_once"]
ROUNDS, PREDICTIONS = "projects/lights/rounds/", "projects/lights/predictions/"


@pytest.fixture
def script(lights: Project, lead: User) -> Caller:
    return leading(lead, lights)


def made(script: Caller, experts: list[User], **sent: Any) -> Any:
    body = {"kind": "long", "raters": [each.worker_code for each in experts], "seed": "7"}
    return script.post(ROUNDS, body | sent)


def test_a_round_is_made_changed_as_it_was_read_and_sealed(script: Caller, experts: list[User]):
    told = made(script, experts, title="Long answers").json()
    address = f"{ROUNDS}{told['uuid']}/"
    assert (told["state"], told["raters"], told["rules"]["sample"]) == ("draft", 2, None)
    tag = script.get(address)["ETag"]
    changed = script.call("PATCH", address, {"sample": 2, "raters": [experts[0].worker_code]}, If_Match=tag).json()
    assert (changed["title"], changed["raters"], changed["rules"]["sample"]) == ("Long answers", 1, 2)
    assert script.call("PATCH", address, {"sample": 1}, If_Match=tag).status_code == 412
    assert script.post(f"{address}seal/", If_Match=tag).status_code == 412
    done = script.post(f"{address}seal/")
    assert (done.status_code, done.json()["state"], done.json()["exhibits"]) == (200, "sealed", 2)
    again = script.post(f"{address}seal/")
    assert (again.status_code, again.json()["detail"]) == (409, "This round is sealed already.")
    assert script.call("PATCH", address, {"sample": 1}).status_code == 404
    assert script.call("DELETE", address).json()["detail"] == "A sealed round can’t be removed."


def test_what_is_not_possible_is_refused_with_the_sentences_of_the_page(
    script: Caller, lights: Project, experts: list[User]
):
    assert made(script, [join(lights, "alice")]).json()["errors"][0]["field"] == "raters"
    few = made(script, experts, sample=9).json()["errors"][0]
    assert (few["field"], few["message"]) == ("sample", "There are only 3 to judge.")
    assert made(script, experts, strata={"why": 2}).json()["errors"][0]["field"] == "strata.why"
    assert made(script, experts, kind="answers").json()["errors"][0]["field"] == "kind"
    assert not JudgingRound.objects.exists()


def test_a_draft_is_removed_and_a_sealed_round_stopped_with_a_reason(script: Caller, experts: list[User]):
    first, second = (f"{ROUNDS}{made(script, experts).json()['uuid']}/" for _ in range(2))
    assert [script.call("DELETE", first, Idempotency_Key="1").status_code for _ in range(2)] == [204, 204]
    assert script.get(first).status_code == 404
    script.post(f"{second}seal/")
    assert script.post(f"{second}stop/").json()["detail"] == "Say why the round is stopped."
    stopped = script.post(f"{second}stop/", {"reason": "Too few answers."}).json()
    assert (stopped["state"], stopped["stopped_why"]) == ("stopped", "Too few answers.")


def test_raters_are_told_by_their_codes_and_one_who_drops_out_is_replaced(
    script: Caller, sealed: JudgingRound, experts: list[User], lights: Project
):
    RaterAtWork(experts[0], lights).judge_all(sealed, ["C", "W", "C"])
    address = f"{ROUNDS}{sealed.uuid}/raters/"
    rows = script.get(address).json()["results"]
    assert [(row["person"], row["judged"], row["given"]) for row in rows] == [
        (experts[0].worker_code, 3, 3),
        (experts[1].worker_code, 0, 3),
    ]
    leo = join(lights, "leo", "lead")
    sent = {"person": leo.worker_code, "reason": "Ill."}
    assert script.post(f"{address}2/replace/", sent | {"reason": ""}).status_code == 409
    rows = script.post(f"{address}2/replace/", sent).json()["results"]
    assert [(row["number"], row["replaced_why"]) for row in rows] == [(1, ""), (2, "Ill."), (3, "")]
    assert script.post(f"{address}9/replace/", sent).status_code == 404


def test_exhibits_are_shown_as_raters_see_them_and_one_is_flagged(script: Caller, sealed: JudgingRound):
    address = f"{ROUNDS}{sealed.uuid}/exhibits/"
    rows = script.get(address).json()["results"]
    assert [(row["place"], row["can_be_flagged"]) for row in rows] == [(0, True), (1, True), (2, True)]
    assert script.post(f"{address}1/flag/").json()["detail"] == "Say what is wrong with it."
    assert script.post(f"{address}1/flag/", {"reason": "No page."}).json()["defect"]["why"] == "No page."
    assert script.get(f"{ROUNDS}{sealed.uuid}/").json()["exhibits"] == 2
    assert script.post(f"{address}99/flag/", {"reason": "No page."}).status_code == 404


def test_a_lead_who_judges_is_shown_nothing_of_others_before_their_marks_are_locked(
    lights: Project, lead: User, experts: list[User], script: Caller
):
    row = draft(lights, lead)
    for person in (lead, experts[0]):
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    for what in ("raters/", "exhibits/"):
        answer = script.get(f"{ROUNDS}{row.uuid}/{what}")
        assert (answer.status_code, answer.json()["type"]) == (409, "judges_it"), what
    assert script.post(f"{ROUNDS}{row.uuid}/exhibits/0/flag/", {"reason": "x"}).status_code == 409
    assert script.post(f"{ROUNDS}{row.uuid}/raters/2/replace/", {"reason": "x"}).status_code == 409
    RaterAtWork(lead, lights).judge_all(row, ["W", "W", "W"])
    working.lock(row, by=lead, now=NOON)
    assert script.get(f"{ROUNDS}{row.uuid}/raters/").status_code == 200


def test_a_meeting_is_given_a_chair_and_ended_and_loses_no_second_voter(
    lights: Project, lead: User, experts: list[User], script: Caller
):
    row = draft(lights, lead, meeting=True)
    for person in experts:
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    address = f"{ROUNDS}{row.uuid}/"
    assert script.post(f"{address}end-meeting/").status_code == 404
    for person in experts:
        RaterAtWork(person, lights).judge_all(row, ["C", "W", "C"])
        working.lock(row, by=person, now=NOON)
    assert script.post(f"{address}chair/", {"person": experts[0].worker_code}).json()["chair"] == experts[0].worker_code
    assert script.post(f"{address}chair/", {"person": experts[0].username}).status_code == 400
    refused = script.post(f"{address}raters/2/remove/", {"reason": "Gone."})
    assert refused.json()["detail"] == "Two voters must remain. End the meeting instead."
    assert script.post(f"{address}end-meeting/").json()["state"] == RoundState.CLOSED


def test_rounds_of_another_project_are_not_found(lights: Project, lead: User, script: Caller, sealed: JudgingRound):
    join(project("others"), lead.username, "lead")
    for what in ("", "raters/", "exhibits/", "results/"):
        assert reader(lead).get(f"projects/others/rounds/{sealed.uuid}/{what}").status_code == 404
    assert reader(lead).post(f"{ROUNDS}{sealed.uuid}/stop/", {"reason": "x"}).status_code == 403


def test_answers_of_a_system_are_added_from_an_upload_that_has_arrived(script: Caller, lights: Project, lead: User):
    def added(data: bytes, **sent: str) -> Any:
        upload = uploaded(lights, lead, "rows.jsonl", data)
        return script.post(PREDICTIONS, {"system": "Alpha", "layout": "dureader", "file": str(upload.uuid)} | sent)

    part = uploads.begin(lights, name="part.json", size=9, beginning=7, by=lead, now=NOON)
    assert added(b"[]", file=str(part.uuid)).json()["type"] == "upload_refused"
    assert added(b"x" * 2_097_153).json()["errors"][0]["message"].startswith("The file has more than 2 MB.")
    known, unknown = ({"question_id": number, "answers": ["Anna."]} for number in (1, 99))
    done = added(json_lines([known, unknown]))
    assert (done.status_code, done.json()["left_out"], done.json()["predictions"]["answers"]) == (201, 1, 1)
    assert script.get(PREDICTIONS).json()["results"] == [done.json()["predictions"]]
    again = added(json_lines([known, unknown])).json()["errors"][0]
    assert again["message"] == "There are predictions of a system with this name."
