"""A token gives what its person may do at that moment, within its scope, until it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from annotation import clock, membership
from annotation.models import Event, Project, User
from frontend.api.callers import TokenThrottle
from qualification import api_tokens
from qualification.models import ApiToken
from tasks.people import memberships
from tests.builders import project
from tests.frontend.api.callers import leading, reader, working


def test_a_script_reads_the_projects_of_its_person_and_no_others(nq: Project, lena: User, mallory: User):
    project("others")
    assert [row["slug"] for row in reader(lena).get("projects/").json()["results"]] == ["lights"]
    assert reader(mallory).get("projects/").json() == {"next": None, "results": []}


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer gf_nobody", "Bearer a b", "Basic bGVuYTp4", "Bearer \xff"])
def test_without_a_token_that_is_known_nothing_is_told(nq: Project, lena: User, header: str | None):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)  # a session is no token
    answer = client.get("/api/v1/projects/lights/", headers={"Authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["WWW-Authenticate"] == 'Bearer realm="Goldfinch"'


def test_a_token_ends_at_its_last_moment(nq: Project, lena: User):
    caller = reader(lena)
    ApiToken.objects.update(expires_at=clock.now())
    assert caller.get("projects/").status_code == 401
    assert caller.token.is_live(caller.token.expires_at - timedelta(microseconds=1))
    assert not caller.token.is_live(caller.token.expires_at)


def test_a_revoked_token_is_refused_at_once_and_the_history_says_so(nq: Project, lena: User):
    caller = reader(lena)
    api_tokens.revoke(caller.token, by=lena, now=clock.now())
    api_tokens.revoke(caller.token, by=lena, now=clock.now())
    assert caller.get("projects/").status_code == 401
    assert list(Event.objects.filter(kind__startswith="token.").values_list("kind", flat=True)) == [
        "token.made",
        "token.revoked",
    ]


def test_a_closed_account_calls_nothing(nq: Project, lena: User):
    caller = reader(lena)
    User.objects.filter(pk=lena.pk).update(is_active=False)
    assert caller.get("projects/").status_code == 401


def test_a_token_of_a_former_lead_reads_nothing_of_the_project(nq: Project, lena: User, erin: User):
    caller = leading(lena, nq)
    assert caller.get("projects/lights/items/").status_code == 200
    memberships.change_role(nq, erin, "expert", to="lead", by=lena, reason="she leads now", now=clock.now())
    memberships.end(nq, lena, "lead", finish=False, by=erin, reason="left", now=clock.now())
    assert caller.get("projects/lights/items/").status_code == 404


def test_a_token_of_one_project_does_not_find_another_that_its_person_leads(nq: Project, lena: User):
    membership.join(project=project("others"), user=lena, role="lead", by=None, now=clock.now())
    caller = leading(lena, nq)
    assert [row["slug"] for row in caller.get("projects/").json()["results"]] == ["lights"]
    assert caller.get("projects/others/").status_code == 404
    assert reader(lena).get("projects/others/items/").status_code == 200


def test_a_token_for_work_reads_nothing_that_only_leads_see(nq: Project, lena: User, alice: User):
    assert working(lena).get("projects/lights/items/").status_code == 403
    assert reader(alice).get("projects/lights/items/").status_code == 404


def test_a_token_is_used_at_most_so_often_in_a_minute_and_is_told_when_to_go_on(
    nq: Project, lena: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(TokenThrottle, "rate", "2/min", raising=False)
    caller, other = reader(lena), reader(lena)
    assert [caller.get("projects/").status_code for _ in range(3)] == [200, 200, 429]
    assert 1 <= int(caller.get("projects/")["Retry-After"]) <= 61
    assert other.get("projects/").status_code == 200


def test_when_a_token_was_last_used_is_known_to_the_minute(nq: Project, lena: User):
    caller = reader(lena)
    caller.get("projects/")
    first = ApiToken.objects.get().last_used_at
    caller.get("projects/")
    assert ApiToken.objects.get().last_used_at == first is not None


def test_an_address_that_does_not_exist_is_refused_like_everything_else(nq: Project, lena: User):
    for address in ("projects/nowhere/", "nothing/", "projects/lights/items/999/"):
        answer = reader(lena).get(address)
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert reader(lena).get("nothing/").content == reader(lena).get("projects/nowhere/").content


def test_a_method_that_an_address_does_not_take_is_refused_in_the_same_form(nq: Project, lena: User):
    answer = leading(lena, nq).post("projects/lights/", {})
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")
    assert answer.json()["status"] == 405
