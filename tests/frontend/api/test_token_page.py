"""People make and revoke their tokens in their account; a secret is shown once, and costs a proof of who asks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Event, Project, User
from qualification import api_tokens
from qualification.models import ApiToken
from tests.frontend.api.callers import Caller, reader

PASSWORD = "a-long-password-of-hers"


@pytest.fixture
def lenas(lena: User) -> Client:
    caches["log_ins"].clear()
    lena.set_password(PASSWORD)
    lena.save()
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(lena)
    return found


def make(lenas: Client, **said: Any) -> HttpResponse:
    given = {"name": "nightly release", "scope": "read", "days": "30", "password": PASSWORD} | said
    return lenas.post(reverse("tokens"), given)


def secret_in(response: HttpResponse) -> str:
    return re.search(r'value="(gf_[\w-]+)"', response.content.decode())[1]


def test_a_token_is_shown_once_and_opens_the_api(lenas: Client, nq: Project, lena: User):
    made = make(lenas)
    secret = secret_in(made)
    assert "no-store" in made["Cache-Control"]
    assert secret not in lenas.get(reverse("tokens")).content.decode()
    answer = Client(SERVER_NAME="127.0.0.1").get("/api/v1/projects/", headers={"Authorization": f"Bearer {secret}"})
    assert [row["slug"] for row in answer.json()["results"]] == [nq.slug]
    assert not ApiToken.objects.filter(secret_sha256__contains=secret).exists()
    assert not Event.objects.filter(data__icontains=secret).exists()


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"password": "wrong"}, "password"),
        ({"password": ""}, "password"),
        ({"name": ""}, "name"),
        ({"scope": "admin"}, "scope"),
        ({"scope": "lead"}, "project"),
        ({"scope": "lead", "project": "others"}, "project"),
        ({"days": "10000"}, "days"),
    ],
)
def test_what_is_missing_or_wrong_is_said_at_its_field_and_makes_nothing(lenas: Client, said: dict, field: str):
    shown = make(lenas, **said)
    assert shown.status_code == 422
    assert list(shown.context["form"].errors) == [field]
    assert not ApiToken.objects.exists()


def test_a_token_to_lead_is_for_a_project_that_its_person_leads(lenas: Client, nq: Project):
    make(lenas, scope="lead", project=nq.slug)
    assert ApiToken.objects.get().project == nq


def test_a_project_that_was_chosen_before_does_not_bind_a_token_to_read(lenas: Client, nq: Project):
    make(lenas, scope="read", project=nq.slug)
    assert ApiToken.objects.get().project is None


def test_somebody_who_leads_nothing_makes_tokens_for_their_own_work_only(alice: User):
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(alice)
    assert [key for key, _title in found.get(reverse("tokens")).context["form"].scopes()] == ["work"]


def test_wrong_passwords_are_counted_as_at_the_sign_in(lenas: Client, settings: Any):
    answers = [make(lenas, password="wrong").status_code for _ in range(6)]
    assert answers == [422] * 5 + [429]


def test_somebody_else_s_token_does_not_exist(lenas: Client, alice: User):
    caller = Caller(alice)
    assert lenas.post(reverse("revoke_token", args=[caller.token.pk])).status_code == 404
    assert caller.get("projects/").status_code == 200


def test_a_token_is_revoked_in_the_list_and_refused_from_then_on(lenas: Client, lena: User):
    caller = reader(lena)
    lenas.post(reverse("revoke_token", args=[caller.token.pk]))
    assert caller.get("projects/").status_code == 401
    assert lenas.get(reverse("tokens")).context["tokens"] == []


def test_a_person_has_so_many_tokens_at_most(lenas: Client, lena: User):
    for _ in range(api_tokens.AT_MOST - 1):
        reader(lena)
    assert make(lenas).status_code == 200
    assert make(lenas).status_code == 409
    assert ApiToken.objects.count() == api_tokens.AT_MOST


def test_no_token_makes_a_token(nq: Project, lena: User):
    caller = reader(lena)
    answer = Client(SERVER_NAME="127.0.0.1").get(
        reverse("tokens"), headers={"Authorization": f"Bearer {caller.secret}"}
    )
    assert answer.status_code == 302
