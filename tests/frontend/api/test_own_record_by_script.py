"""What people are told of their own record by script is what their own pages show, and nobody else's."""

from __future__ import annotations

import html
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Annotation, Message, Project, Role, User
from annotation.setup import changes
from tasks.disputes import deciding, who
from tasks.people import messages
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.disagreeing import BAD as BAD_QUESTION
from tests.disagreeing import NOTHING, answered, box
from tests.disagreeing import lights as disputed_lights
from tests.factories.record import PaymentFactory
from tests.frontend.api.callers import working
from tests.frontend.api.scripts import by_script
from tests.people import NOON, join

LATE = NOON + timedelta(hours=8)


def page(user: User, address: str) -> str:
    client = Client()
    client.force_login(user)
    return " ".join(html.unescape(client.get(address).content.decode()).split())


@pytest.fixture
def at_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATE)


@pytest.fixture(scope="module")
def lights_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = by_script(project(pay="12.60 EUR an hour"))
    open_with(made, tmp_path_factory.mktemp("lights"), questions(6))
    return made.pk


@pytest.fixture
def lights(lights_once: int, db: None, at_eight: None) -> Project:
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def alice(lights: Project) -> User:
    """Somebody who has found two questions bad, in half an hour of input."""
    worker = Worker(join(lights, "alice"), lights)
    for number in range(2):
        begun = NOON + timedelta(minutes=20 * number)
        held = worker.claim(now=begun)
        spend(held, now=begun + timedelta(minutes=20), ms=20 * 60_000, active=15 * 60_000)
        worker.commit(held, "question", BAD, now=begun + timedelta(minutes=20))
    return worker.user


def test_finished_work_is_that_of_the_page_page_by_page(lights: Project, alice: User):
    first = working(alice).get("work/finished/", {"limit": 1}).json()
    rest = working(alice).get("work/finished/", {"limit": 1, "cursor": first["next"]}).json()
    assert rest["next"] is None
    rows = [*first["results"], *rest["results"]]
    shown = page(alice, reverse("finished"))
    assert [one["asked"] in shown for one in rows] == [True, True]
    assert [[each["payload"] for each in one["answers"]] for one in rows] == [[BAD], [BAD]]
    assert [one["outcome"] for one in rows] == [None, None]
    other = join(lights, "bob")
    Worker(other, lights).claim()
    assert working(other).get("work/finished/").json() == {"next": None, "results": []}
    assert working(alice).get("work/finished/", {"decided": "1"}).json()["results"] == []
    assert working(alice).get("work/finished/", {"sort": "x"}).status_code == 400


def test_time_and_pay_are_those_of_the_page(lights: Project, alice: User):
    (day,) = working(alice).get("work/time/").json()["results"]
    assert (day["day"], day["counts"], day["idle"], day["comes_to"]) == ("2026-11-20", 1920, 480, "6.72 EUR")
    found = working(alice).get("work/pay/").json()
    assert found["projects"] == [{"project": "lights", "rate": "12.60 EUR an hour", "paid": "", "owed": "6.72 EUR"}]
    assert "6.72 EUR" in page(alice, reverse("time"))
    PaymentFactory(project=lights, annotator=alice, by=join(lights, "lena", Role.LEAD))
    paid = working(alice).get("work/pay/").json()
    assert [one["project"] for one in paid["payments"]] == ["lights"]
    assert working(join(lights, "bob")).get("work/pay/").json()["payments"] == []
    assert working(join(lights, "bob")).get("work/time/").json() == {"results": []}


@pytest.mark.parametrize(("days", "code"), [(91, 200), (92, 400), (-1, 400)])
def test_at_most_92_days_until_today_are_told(lights: Project, alice: User, days: int, code: int):
    since = LATE.date() - timedelta(days=days)
    answer = working(alice).get("work/time/", {"since": since.isoformat(), "until": LATE.date().isoformat()})
    assert answer.status_code == code
    assert working(alice).get("work/time/", {"until": "9999-12-31"}).status_code == 400
    assert working(alice).get("work/time/", {"until": "0001-01-01"}).json() == {"results": []}


def test_nothing_is_told_of_projects_whose_work_is_done_in_the_browser(lights: Project, alice: User):
    PaymentFactory(project=lights, annotator=alice, by=join(lights, "lena", Role.LEAD))
    lights.config = {**lights.config, "work_by_script": False}
    lights.save()
    caller = working(alice)
    for address in ("finished", "time", "offers"):
        assert caller.get(f"work/{address}/").json()["results"] == []
    assert caller.get("work/pay/").json() == {"projects": [], "payments": [], "more": False}
    for address in ("guidelines", "messages"):
        assert caller.get(f"projects/lights/{address}/").json()["type"] == "browser_only"


def test_whoever_has_left_a_project_is_told_nothing_of_it(lights: Project, alice: User):
    alice.memberships.update(ended_at=NOON)
    for address in ("finished", "time", "offers"):
        assert working(alice).get(f"work/{address}/").json()["results"] == []
    for address in ("guidelines", "messages"):
        assert working(alice).get(f"projects/lights/{address}/").status_code == 404


def test_what_can_be_done_is_what_home_offers_and_leads_are_told_why_not(lights: Project, alice: User):
    (offer,) = working(alice).get("work/offers/").json()["results"]
    assert (offer["activity"], offer["begins_by"], offer["left"], offer["done"]) == ("annotate", "claim", 4, 2)
    assert offer["left_in_words"] in page(alice, reverse("home"))
    assert (offer["consented"], offer["why_not"], offer["why_none"]) == (True, "", "")
    assert working(join(lights, "lena", Role.LEAD)).get("work/offers/").json()["results"] == []


def test_a_message_to_the_leads_is_about_own_work_only_and_the_page_shows_it(lights: Project, alice: User):
    mine = Annotation.objects.filter(author=alice).latest("pk").assignments.get()
    theirs = Worker(join(lights, "bob"), lights).claim()
    caller, address = working(alice), "projects/lights/messages/"
    said = {"text": "My answer is wrong.\r\nSorry.", "about": str(mine.uuid)}
    for _twice in range(2):
        sent = caller.post(address, said, Idempotency_Key="one").json()
    (line,) = sent["results"]
    assert (line["text"], line["from_lead"], sent["unread"]) == ("My answer is wrong.\nSorry.", False, 0)
    assert Message.objects.get().item_id == mine.task.item_id
    assert "My answer is wrong. Sorry." in page(alice, reverse("messages", args=["lights"]))
    assert caller.post(address, said | {"about": str(theirs.uuid)}, Idempotency_Key="two").status_code == 404
    long = caller.post(address, {"text": "x" * 2001}, Idempotency_Key="three")
    assert (long.status_code, long.json()["detail"]) == (422, "Write a message of at most 2,000 characters.")
    lena = join(lights, "lena", Role.LEAD)
    key = theirs.uuid
    messages.write(lights, alice, side=messages.LEAD, text="Sent back.", key=key, by=lena, now=clock.now())
    assert caller.get(address).json()["unread"] == 2
    assert lena.worker_code not in caller.get(address).content.decode()
    assert caller.post(f"{address}read/", {"upto": 2}).json()["unread"] == 0
    assert "Sent back." not in page(alice, reverse("home"))
    assert working(theirs.annotator).get(address).json() == {"unread": 0, "results": []}


def test_the_guidelines_of_work_are_those_of_its_claim(lights: Project, alice: User):
    of = str(Annotation.objects.filter(author=alice).latest("pk").assignments.get().uuid)
    before = working(alice).get("projects/lights/guidelines/").json()
    lena = join(lights, "lena", Role.LEAD)
    said = {"text": "Answer twice.", "kind": "semantic", "fast_share": 0.0, "seen": before["number"]}
    changes.publish_guidelines(lights, **said, by=lena, now=clock.now())
    assert working(alice).get("projects/lights/guidelines/").json()["text"] == "Answer twice."
    assert working(alice).get("projects/lights/guidelines/", {"of": of}).json() == before


def test_what_an_expert_decided_is_told_where_the_page_tells_it_and_names_nobody(db: None, tmp_path: Path):
    nq = by_script(disputed_lights(tmp_path, slug="disputed"))
    item = answered(nq, box(1), NOTHING, BAD_QUESTION, names=["ada", "ben", "cleo"])
    erin = join(nq, "erin", Role.EXPERT)
    who.begin(erin, nq, now=NOON)
    chosen = Annotation.objects.get(item=item, author__username="ada")
    deciding.decide(deciding.task_of(item, "annotate"), chosen.uuid, by=erin, reason="The tower.", now=NOON)
    ben, quote = User.objects.get(username="ben"), chosen.responses.get(stage="long_answer").payload["quote"][:20]
    untold = working(ben).get("work/finished/")
    assert (untold.json()["results"][0]["outcome"], quote in untold.content.decode()) == (None, False)
    changes.change(nq, config={"tells_decisions": True}, by=join(nq, "lena", Role.LEAD), now=NOON)
    (mine,) = working(User.objects.get(username="ada")).get("work/finished/", {"decided": "true"}).json()["results"]
    assert mine["outcome"] == {"same": True, "reason": "The tower.", "answers": []}
    told = working(ben).get("work/finished/")
    assert quote in told.json()["results"][0]["outcome"]["answers"][1]["html"]
    for name in ("erin", "ada", "cleo"):
        assert name not in told.content.decode()
        assert User.objects.get(username=name).worker_code not in told.content.decode()
