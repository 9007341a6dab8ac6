"""What was made by script says so: in the item's history, on the board, in pay, and in a release with provenance."""

from __future__ import annotations

import csv
import gzip
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation import clock, releases
from annotation.models import Project, User
from annotation.models.time import TimeSpan
from tasks.items import setting_aside
from tasks.people.earnings import Period, earned
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions
from tests.frontend.api.scripts import Script, by_script
from tests.people import join

pytestmark = pytest.mark.django_db
ONE_DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def made_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = by_script(project())
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    script, browser = Script(join(made, "alice"), made), Worker(join(made, "bob"), made)
    script.send(script.claim("annotate"), BAD)
    held = browser.claim(now=clock.now())
    browser.commit(held, "question", BAD, now=clock.now())
    bring_up_to_date(made, now=clock.now())
    return made.pk


@pytest.fixture
def nq(made_once: int, db: None) -> Project:
    return Project.objects.get(pk=made_once)


@pytest.fixture
def two_made(nq: Project) -> Project:
    """One piece of work by alice's script, and one by bob in the browser."""
    return nq


def page(lead: User, name: str, *args: object) -> str:
    client = Client()
    client.force_login(lead)
    return client.get(reverse(name, args=args)).content.decode()


def test_the_history_of_the_item_says_so_of_the_claim_and_of_the_answer(two_made: Project, lena: User):
    counts = [page(lena, "item_history", "lights", item.pk).count("by script (API)") for item in two_made.items.all()]
    assert sorted(counts) == [0, 2]


def test_the_board_counts_it(two_made: Project, lena: User):
    assert "1 by script" in page(lena, "project", "lights")


def test_the_board_of_a_person_counts_theirs(two_made: Project, lena: User, bob: User, alice: User):
    boards = {who: page_of_person(lena, who) for who in (alice, bob)}
    assert "1 by script" in boards[alice]
    assert "by script" not in boards[bob]


def page_of_person(lead: User, person: User) -> str:
    client = Client()
    client.force_login(lead)
    return client.get(reverse("project", args=["lights"]), {"person": person.worker_code}).content.decode()


def test_the_ledger_of_pay_counts_it_beside_its_person(two_made: Project, lena: User, alice: User):
    rows = {row["code"]: row for row in csv.DictReader(page(lena, "pay_csv", "lights").lstrip("\ufeff").splitlines())}
    assert (rows[alice.worker_code]["finished"], rows[alice.worker_code]["by_script"]) == ("1", "1")
    assert "1 by script" in page(lena, "pay", "lights")


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_it_counts_on_the_day_on_which_it_was_finished_where_the_lead_is(two_made: Project, alice: User, zone: str):
    with timezone.override(zone):
        today = timezone.localdate()
        of_today, before = earned(two_made, Period(today, today)), earned(two_made, Period(None, today - ONE_DAY))
    assert {person: did.by_script for person, did in of_today.items() if did.by_script} == {alice.pk: 1}
    assert not any(did.by_script for did in before.values())


def test_what_is_set_aside_afterwards_is_paid_and_leaves_the_board(two_made: Project, lena: User, alice: User):
    items = two_made.items.filter(annotations__author=alice)
    setting_aside.set_aside([items.get()], by=lena, reason="for a course", now=clock.now())
    bring_up_to_date(two_made, now=clock.now())
    assert earned(two_made, Period(None, timezone.localdate()))[alice.pk].by_script == 1
    assert "by script" not in page(lena, "project", "lights")


def test_no_time_of_it_counts_unless_it_is_reported_and_then_no_more_than_has_passed(db: None, tmp_path: Path):
    other = by_script(project("other"))
    open_with(other, tmp_path, questions(1))
    script = Script(join(other, "dora"), other)
    work = script.claim("annotate")
    script.send(work, {"verdict": "good"})
    assert not TimeSpan.objects.exists()
    counted = script.post(f"work/{work['uuid']}/steps/question/time/", {"seconds": 3600, "active": 3600}).json()
    [span] = TimeSpan.objects.all()
    assert counted["counted"] == span.seconds
    assert span.seconds < 60


def test_a_release_with_provenance_says_api_at_each_answer_that_came_by_script(two_made: Project):
    made = releases.build(two_made, format="provenance", by=None, now=clock.now())
    lines = gzip.decompress((releases.folder_of(made) / "train.jsonl.gz").read_bytes()).splitlines()
    annotations = [one for line in lines for one in json.loads(line)["annotations"]]
    found = [answer.get("by", "page") for one in annotations for answer in one["responses"]]
    assert sorted(found) == ["api", "page"]
