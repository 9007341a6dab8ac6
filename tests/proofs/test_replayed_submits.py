"""Idempotency: answers sent again, later or many times at once, are stored once and get the same response."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve, reverse

from annotation import randomness, registry
from annotation.engine import committing
from annotation.models import Project, Response, User
from frontend.bots.bot import Bot
from frontend.work import conflicts
from tasks.models import Assignment
from tests.builders import BAD
from tests.proofs.rigs import conservation
from tests.proving import size
from tests.races.rigs.crowd import gate, people, study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge]

SEED = 20113
PEOPLE, SUBMITS = 4, 60
REPLAYED = ["at once"] * 5 + ["next"] * 15 + ["later"] * 10
"""Of a hundred answers, how many are sent three times at once, and again before and after the next one."""


def post(cookies: Any, address: str, fields: dict[str, Any]) -> tuple[int, str]:
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.cookies = cookies
    answer = browser.post(address, fields)
    return answer.status_code, answer.get("Location", "")


def filled(page: str) -> tuple[str, dict[str, Any]]:
    """The form as sent by a page just opened in the first tab; the page is not rendered."""
    hidden = {"submission_key": randomness.handle(), "seen": 0, "client": randomness.handle(), "after": "", "base": 0}
    address = reverse("stage", args=[resolve(page).kwargs["uuid"], "question"])
    return address, hidden | registry.form_of("nq", "question").fields_of(BAD)


def answer_all(person: User, project: Project, *, entrance: Any, seed: int) -> list[str]:
    """One person answers until nothing is left, and resends some of it; return the responses that differed."""
    rng, bot, faults = Random(seed), Bot(person, Random(seed)), []
    page, before = bot.claim(project, "annotate"), None
    while page is not None:
        how = rng.choice(REPLAYED + [""] * (100 - len(REPLAYED)))
        with entrance:
            send = partial(post, bot.client.cookies, *filled(page))
            first, *others = together([send] * 3) if how == "at once" else [send()]
            others += [send()] if how == "next" else []
            faults += [f"{how}: {first}, then {other}" for other in others if other != first]
            if before is not None and before() != first:
                faults.append("an old answer that came again led elsewhere than to the work in hand")
        before = send if how == "later" else None
        page = first[1] if "/work/" in first[1] else None
    return faults


def race(folder: Any, *, submits: int) -> list[str]:
    """Everybody answers; return what was stored twice, answered differently or lost."""
    lights, entrance = study(folder, items=submits, slots=1), gate()
    crowd = enumerate(people(lights, PEOPLE))
    found = together(partial(answer_all, one, lights, entrance=entrance, seed=SEED + n) for n, one in crowd)
    faults = [fault for each in found for fault in each] + conservation.faults(lights)
    stored = Response.objects.count()
    return faults + ([f"{stored} stored of {submits}"] if stored != submits else [])


def test_replayed_answers_are_stored_once_and_get_the_same_response(tmp_path, record_property):
    submits = size(SUBMITS, 100_000)
    record_property("size", submits)
    record_property("seed", SEED)
    assert race(tmp_path, submits=submits) == []
    assert Assignment.objects.count() == submits


def test_control_a_server_that_forgets_keys_is_noticed(tmp_path, monkeypatch):
    """It doesn't see either that an answer is the same as the one it has, which would hide that."""

    def forgetful(work, *, key):
        return real(work, key=key)[0], None

    real = committing._read
    monkeypatch.setattr(committing, "_read", forgetful)
    monkeypatch.setattr(conflicts, "counts_already", lambda *_answer: False)
    assert race(tmp_path, submits=30)
