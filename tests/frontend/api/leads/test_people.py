"""A lead's script reads who works in a project and ends memberships, revokes invitations, and settles pay."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation import randomness
from annotation.models import Membership, Payment, Project, User
from qualification import invitations
from qualification.invitations import Guest
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import NOON, join

REASON = {"reason": "the project ends"}


@pytest.fixture(scope="module")
def lights_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = project(pay="12.00 EUR an hour", activities={"annotate": {"overlap": {"train": 3}}})
    open_with(made, tmp_path_factory.mktemp("lights"), questions(6))
    return made.pk


@pytest.fixture
def lights(lights_once: int, db: None) -> Project:
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lena(lights: Project) -> User:
    return join(lights, "lena", "lead")


@pytest.fixture
def script(lights: Project, lena: User) -> Caller:
    return leading(lena, lights)


@pytest.fixture
def ada(lights: Project) -> Worker:
    """Ada, who has worked for half an hour."""
    worker = Worker(join(lights, "ada"), lights)
    work(worker, minutes=30)
    return worker


def work(worker: Worker, *, minutes: int) -> None:
    held, at = worker.claim(), NOON + timedelta(minutes=minutes)
    spend(held, now=at, ms=minutes * 60_000, active=minutes * 60_000)
    worker.commit(held, "question", BAD, now=at)
    bring_up_to_date(worker.project, now=at)


def test_members_are_listed_by_their_codes_with_roles_and_what_they_finished(script: Caller, ada: Worker, lena: User):
    first = script.get("projects/lights/people/", {"limit": 1}).json()
    rest = script.get("projects/lights/people/", {"cursor": first["next"]}).json()
    found = {row["person"]: row for row in first["results"] + rest["results"]}
    assert set(found) == {lena.worker_code, ada.user.worker_code}
    assert [role["role"] for role in found[lena.worker_code]["roles"]] == ["lead"]
    assert found[ada.user.worker_code]["finished"] == 1


def test_nothing_tells_names_or_addresses(script: Caller, ada: Worker, lights: Project, lena: User):
    invitations.make(
        lights,
        [Guest(name="Grace Hopper", email="grace@navy.example")],
        days=7,
        key=randomness.handle(),
        by=lena,
        now=NOON,
    )
    for address in ("people/", f"people/{ada.user.worker_code}/", "invitations/", "pay/"):
        said = script.get(f"projects/lights/{address}").content.decode()
        assert not [word for word in ("Grace", "grace", '"ada"', '"lena"') if word in said]


def test_a_membership_ends_with_a_reason_and_at_once_if_that_is_said(script: Caller, ada: Worker):
    address = f"projects/lights/people/{ada.user.worker_code}/"
    assert script.get(address).json()["figures"]["finished"] == 1
    ada.claim()
    assert script.post(f"{address}end/", {"role": "annotator", "reason": ""}).status_code == 422
    [role] = script.post(f"{address}end/", {"role": "annotator"} | REASON).json()["roles"]
    assert (role["ends"], role["ended"]) == (True, None)
    [role] = script.post(f"{address}end/", {"role": "annotator", "finish": False} | REASON).json()["roles"]
    assert role["ended"] is not None
    assert script.post(f"{address}end/", {"role": "annotator"} | REASON).status_code == 404


def test_the_last_lead_stays_and_a_token_that_reads_ends_nobody(script: Caller, lena: User, ada: Worker):
    address = f"projects/lights/people/{lena.worker_code}/end/"
    answer = script.post(address, {"role": "lead", "finish": False} | REASON)
    assert (answer.status_code, answer.json()["type"]) == (409, "wrong_move")
    assert reader(lena).post(address, {"role": "lead"} | REASON).status_code == 403
    assert Membership.objects.filter(ended_at=None).count() == 2


def test_an_invitation_is_revoked_and_a_used_one_is_not(script: Caller, lights: Project, lena: User, ada: Worker):
    guests, key = [Guest(name="One"), Guest(name="Two")], randomness.handle()
    first, second = invitations.make(lights, guests, days=7, key=key, by=lena, now=NOON)
    lights.invites.filter(pk=second.invite.pk).update(used_by=ada.user, used_at=NOON)
    told = script.get("projects/lights/invitations/").json()["results"]
    assert [(row["id"], row["used_by"]) for row in told] == [
        (first.invite.pk, None),
        (second.invite.pk, ada.user.worker_code),
    ]
    assert script.post(f"projects/lights/invitations/{first.invite.pk}/revoke/").json()["state"] == "revoked"
    assert script.post(f"projects/lights/invitations/{second.invite.pk}/revoke/").status_code == 409
    assert script.call("POST", "projects/lights/invitations/").status_code == 405


def paid(script: Caller, person: str, seconds: int, **sent: Any) -> Any:
    body = {"until": "2026-11-30", "paid_on": "2026-11-20", "people": [{"person": person, "seconds": seconds}]}
    return script.post("projects/lights/pay/", body | {"settlement": str(randomness.handle())} | sent)


def test_what_is_owed_is_marked_as_paid_once_and_that_can_be_undone(script: Caller, ada: Worker):
    code, key = ada.user.worker_code, str(randomness.handle())
    table = script.get("projects/lights/pay/").json()
    [row] = table["results"]
    assert (table["currency"], table["owed"], row["person"], row["owed"]) == ("EUR", "6.00", code, "6.00")
    first, second = (paid(script, code, row["seconds"], settlement=key, note="Transfer 7") for _ in range(2))
    assert first.json() == second.json()
    assert first.json()["results"][0]["amount"] == "6.00"
    [row] = script.get("projects/lights/pay/", {"since": "2026-01-01"}).json()["results"]
    assert (row["owed"], [(one["amount"], one["settlement"]) for one in row["paid"]]) == ("0.00", [("6.00", key)])
    assert script.post("projects/lights/pay/undo/", {"settlement": key}).json()["results"][0]["amount"] == "-6.00"
    assert script.post("projects/lights/pay/undo/", {"settlement": key}).status_code == 409
    assert script.get("projects/lights/pay/").json()["owed"] == "6.00"


def test_no_second_more_than_is_owed_is_paid(script: Caller, ada: Worker):
    assert paid(script, ada.user.worker_code, 1801).status_code == 409
    assert paid(script, ada.user.worker_code, 1800).status_code == 200
    assert paid(script, ada.user.worker_code, 1).status_code == 409
    assert Payment.objects.count() == 1


def test_a_payment_that_is_not_possible_is_refused_with_its_place(script: Caller, ada: Worker, lena: User):
    code = ada.user.worker_code
    assert paid(script, "nobody", 10).json()["errors"][0]["field"] == "people"
    assert paid(script, code, 0).status_code == 400
    assert paid(script, code, 10, paid_on="2099-01-01").json()["errors"][0]["field"] == "paid_on"
    twice = [{"person": code, "seconds": 10}] * 2
    assert paid(script, code, 10, people=twice).status_code == 400
    assert paid(reader(lena), code, 10).status_code == 403
    assert script.post("projects/lights/pay/undo/", {"settlement": str(randomness.handle())}).status_code == 404
    assert not Payment.objects.exists()
