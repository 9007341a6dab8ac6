"""The same work in two tabs or on two devices, for every protocol: the newer counts, and neither loses a word."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

import pytest
from django.db import transaction
from django.urls import resolve

from annotation import randomness, registry
from annotation.models import Draft, Response, User
from annotation.protocol import Protocol
from frontend import access
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks.engine import assignments
from tests.protocols.examples import Example, of_one_person, parameters
from tests.protocols.peers import member

FETCH = {"X-Requested-With": "fetch"}


class Tab:
    """One page load of a person's work, as its scripts speak to the server; `shows`: the hidden fields of its form."""

    def __init__(self, bot: Bot, page: str, stage: str) -> None:
        self.bot, self.page, self.stage = bot, page, stage
        html = bot.client.get(page).content.decode()
        self.shows = dict(HIDDEN_FIELD.findall(html))
        self.seq = int(self.shows["base"])
        self.post("take/")

    def post(self, path: str, fields: dict | None = None, **headers: str):
        return self.bot.client.post(f"{self.page}{path}", self.shows | (fields or {}), headers=FETCH | headers)

    def save(self, data: dict):
        self.seq += 1
        return self.post(f"{self.stage}/draft/", {"seq": self.seq, "data": json.dumps(data)})

    def commit(self, fields: dict):
        return self.bot.client.post(f"{self.page}{self.stage}/", self.shows | fields, headers={"HX-Request": "true"})


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_two_tabs.py"
    "::test_a_save_from_the_older_tab_gets_409_with_both_texts_and_changes_nothing"
)
"""The other protocols: nothing here is of a protocol but its fields, whose words test_answered_twice.py compares."""
PROTOCOLS = parameters(list(of_one_person()), each_merge=("nq",), others=OTHERS)


@dataclass(frozen=True)
class Desk:
    """Somebody's work at the first stage of a protocol's first activity, with a whole answer as fields, and another."""

    user: User
    page: str
    stage: str
    one: dict
    other: dict


def first_stage(protocol: Protocol) -> Desk:
    project, activity = Example(protocol).opened(), protocol.activities[0]
    bot = Bot(member(project, "tabea"), Random(1))
    page = bot.claim(project, activity.key)
    stage = activity.stages[0].key
    work = assignments.work_of(access.own_assignment(bot.user, resolve(page).kwargs["uuid"]))
    forms = registry.form_of(protocol.key, stage)
    answers = [forms.fields_of(protocol.bots.pretend(work.sheet(stage), Random(seed))) for seed in range(40)]
    other = next(answer for answer in answers if answer != answers[0])
    return Desk(bot.user, page, stage, answers[0], other)


@pytest.fixture(scope="module", params=PROTOCOLS)
def desk_once(request, shared_rows) -> Desk:
    with transaction.atomic():
        yield first_stage(request.param)
        transaction.set_rollback(True)


@pytest.fixture
def desk(desk_once, db):
    """(open a tab, a whole answer as fields, another one)."""
    bot = Bot(desk_once.user, Random(1))
    return lambda: Tab(bot, desk_once.page, desk_once.stage), desk_once.one, desk_once.other


def test_a_save_from_the_older_tab_gets_409_with_both_texts_and_changes_nothing(desk):
    opened, one, other = desk
    older, newer = opened(), opened()
    assert newer.save(one).status_code == 200
    refused = older.save(other)
    assert (refused.status_code, refused["X-Refused"]) == (409, "taken_over")
    shown = refused.content.decode()
    assert [word in shown for word in ("In the other tab", "In this tab", "data-take-back")] == [True] * 3
    assert Draft.objects.get().data == one


def test_a_send_from_the_older_tab_gets_409_and_stores_nothing(desk):
    opened, one, other = desk
    older, newer = opened(), opened()
    newer.save(one)
    refused = older.commit(other)
    assert (refused.status_code, refused["X-Refused"]) == (409, "taken_over")
    assert not Response.objects.exists()
    assert Draft.objects.get().data == one


@pytest.mark.parametrize("way", ["save", "commit"])
def test_the_older_tab_gets_409_also_before_the_newer_one_has_saved_anything(desk, way):
    opened, one, _other = desk
    older, _newer = opened(), opened()
    refused = getattr(older, way)(one)
    assert (refused.status_code, refused["X-Refused"]) == (409, "taken_over")
    assert not Response.objects.exists()
    assert not Draft.objects.exists()


def test_the_older_tab_is_told_at_its_next_heartbeat(desk):
    opened, _one, _other = desk
    older, newer = opened(), opened()
    assert older.post("renew/").status_code == 409
    assert newer.post("renew/").status_code == 200


def test_take_back_makes_the_older_tab_count_and_the_newer_one_is_refused(desk):
    opened, one, other = desk
    older, newer = opened(), opened()
    newer.save(one)
    older.save(other)
    assert older.post("take/").json()["seen"] == 0
    older.shows["base"] = str(newer.seq)
    older.seq = newer.seq
    assert older.save(other).status_code == 200
    assert newer.save(one).status_code == 409
    assert Draft.objects.get().data == other


def test_a_save_between_the_loading_of_the_newer_tab_and_its_first_request_is_not_overwritten(desk):
    opened, one, other = desk
    older = opened()
    older.save(one)
    newer = opened()
    older.shows["after"] = newer.shows["client"]  # as if it had been sent before the newer tab took over
    older.save(one | {"x": "later"})
    newer.post("take/")
    refused = newer.save(other)
    assert refused.status_code == 409
    assert Draft.objects.get().data == one | {"x": "later"}


def test_the_latest_tab_counts_before_its_script_has_reported(desk):
    opened, one, other = desk
    opened().save(one)
    quick = opened()
    quick.post("take/", {"client": quick.shows["after"]})  # its own report has not arrived yet
    assert quick.commit(other).status_code < 300
    assert Response.objects.count() == 1


def test_a_late_autosave_never_brings_back_the_draft_of_a_stage_that_was_committed(desk):
    opened, one, other = desk
    tab = opened()
    tab.save(one)
    assert tab.commit(one).status_code < 300
    assert tab.save(other).status_code == 409
    assert not Draft.objects.exists()


def test_what_was_sent_in_one_tab_and_then_in_another_shows_both_and_the_first_counts(desk):
    opened, one, other = desk
    first, second = opened(), opened()
    first.post("take/")
    assert first.commit(one).status_code < 300
    second.shows |= {"submission_key": str(randomness.handle()), "after": first.shows["client"]}
    refused = second.commit(other)
    assert refused.status_code == 409
    shown = refused.content.decode()
    assert "First" in shown
    assert "Second" in shown
    assert Response.objects.count() == 1
