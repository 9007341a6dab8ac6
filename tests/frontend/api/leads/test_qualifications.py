"""A lead's script makes qualifications, gives them to members, and suspends and revokes them, as on the pages."""

from __future__ import annotations

from typing import Any

import pytest

from annotation import randomness
from annotation.models import Event, Membership, Project, User
from qualification.models import Grant, GrantOrigin, Qualification
from tests.builders import project
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import NOON, join

WHY = {"reason": "They know it."}
ONE = "projects/lights/qualifications/reading/"


@pytest.fixture
def script(nq: Project, lena: User) -> Caller:
    return leading(lena, nq)


@pytest.fixture
def reading(nq: Project) -> Qualification:
    return QualificationFactory(project=nq)


def give(script: Caller, *codes: str, **sent: Any) -> Any:
    body = {"people": codes, "giving": str(randomness.handle())} | WHY | sent
    return script.post(f"{ONE}grants/", body)


def test_one_is_made_and_what_needs_it_is_changed_if_it_is_as_it_was_read(script: Caller, nq: Project):
    sent = {"title": "Reading", "about": "Ask us.", "activities": ["annotate"], "present": "finish"}
    made = script.post("projects/lights/qualifications/", sent, Idempotency_Key="1")
    again = script.post("projects/lights/qualifications/", sent, Idempotency_Key="1")
    assert (made.status_code, made.json()["key"], made.json()["activities"]) == (201, "reading", ["annotate"])
    assert (again.json(), nq.qualifications.count()) == (made.json(), 1)
    tag = script.get(ONE)["ETag"]
    assert script.call("PATCH", ONE, {"activities": []}, If_Match=tag).json()["activities"] == []
    assert script.call("PATCH", ONE, {"title": "Else"}, If_Match=tag).status_code == 412
    assert script.get("projects/lights/qualifications/").json()["results"] == [script.get(ONE).json()]
    assert script.call("PATCH", ONE, {"activities": ["fly"]}).json()["errors"][0]["field"] == "activities"


def test_it_is_changed_as_it_was_read_though_somebody_is_given_it_meanwhile(
    script: Caller, reading: Qualification, alice: User
):
    before = script.get(ONE)
    GrantFactory(qualification=reading, user=alice)
    assert script.get(ONE).json()["active"] == before.json()["active"] + 1
    assert script.call("PATCH", ONE, {"title": "Else"}, If_Match=before["ETag"]).json()["title"] == "Else"


def test_members_are_given_it_once_and_that_is_undone(script: Caller, reading: Qualification, alice: User, bob: User):
    key = str(randomness.handle())
    first, second = (give(script, alice.worker_code, bob.worker_code, giving=key) for _ in range(2))
    assert first.json() == second.json()
    assert {row["person"] for row in first.json()["results"]} == {alice.worker_code, bob.worker_code}
    undone = script.post(f"{ONE}grants/undo/", {"giving": key}).json()["results"]
    assert [(row["state"], row["undone"]) for row in undone] == [("revoked", True)] * 2
    assert script.get(f"{ONE}grants/", {"state": "active"}).json()["results"] == []
    assert [each.origin for each in Grant.objects.all()] == [GrantOrigin.HAND] * 2


def test_nobody_becomes_a_member_by_it_and_no_user_name_is_taken(
    script: Caller, reading: Qualification, alice: User, bob: User
):
    Membership.objects.filter(user=bob).update(ended_at=NOON)
    for code in (bob.worker_code, alice.username, "nobody"):
        assert give(script, alice.worker_code, code).json()["errors"][0]["field"] == "people"
    assert give(script, alice.worker_code, reason="").json()["type"] == "reason_missing"
    assert give(script, worked_in="fly").json()["errors"][0]["field"] == "worked_in"
    assert give(script).json()["errors"][0]["field"] == "people"
    assert not Grant.objects.exists()


def test_a_grant_is_suspended_restored_and_revoked_and_a_decision_in_between_is_noticed(
    script: Caller, reading: Qualification, alice: User
):
    address = f"{ONE}grants/{GrantFactory(qualification=reading, user=alice).pk}/"
    tag = script.get(address)["ETag"]
    suspended = script.post(f"{address}decide/", {"action": "suspend"} | WHY, If_Match=tag)
    assert (suspended.json()["state"], suspended.json()["decided_why"]) == ("suspended", WHY["reason"])
    assert script.post(f"{address}decide/", {"action": "revoke"} | WHY, If_Match=tag).status_code == 412
    assert script.post(f"{address}decide/", {"action": "restore"} | WHY).json()["state"] == "active"
    assert script.post(f"{address}decide/", {"action": "restore"} | WHY).status_code == 409
    assert script.post(f"{address}decide/", {"action": "revoke"}).json()["type"] == "reason_missing"
    assert script.post(f"{address}decide/", {"action": "revoke"} | WHY).json()["state"] == "revoked"
    assert Event.objects.get(kind="grant.revoked").data["reason"] == WHY["reason"]


def test_grants_of_another_project_do_not_exist(script: Caller, reading: Qualification, alice: User, lena: User):
    there = project("others")
    join(there, lena.username, "lead")
    join(there, alice.username)
    other = GrantFactory(qualification=QualificationFactory(project=there), user=alice)
    assert script.get(f"{ONE}grants/{other.pk}/").status_code == 404
    assert script.post(f"{ONE}grants/{other.pk}/decide/", {"action": "revoke"} | WHY).status_code == 404
    assert script.post(f"{ONE}grants/undo/", {"giving": str(other.submission_key)}).status_code == 404
    assert script.get(f"projects/others/qualifications/reading/grants/{other.pk}/").status_code == 404
    assert reader(lena).get(f"projects/others/qualifications/reading/grants/{other.pk}/").status_code == 200


def test_who_leads_no_longer_reads_and_gives_nothing_not_even_what_was_given_before(
    script: Caller, reading: Qualification, alice: User, lena: User
):
    sent = {"people": [alice.worker_code], "giving": str(randomness.handle())} | WHY
    assert script.post(f"{ONE}grants/", sent, Idempotency_Key="1").status_code == 200
    Membership.objects.filter(user=lena).update(ended_at=NOON)
    assert script.post(f"{ONE}grants/", sent, Idempotency_Key="1").status_code == 404
    assert script.get(f"{ONE}grants/").status_code == 404
