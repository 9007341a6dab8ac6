"""Work by script is refused where a page would be, with what is there now, and shows no more than the sheet."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import clock, randomness
from annotation.models import Project, Response, User
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks.engine import leases
from tasks.models import Assignment
from tests.builders import BAD, GOOD, NO_ANSWER, open_papers, open_with, project, questions
from tests.factories.people import MembershipFactory, UserFactory
from tests.frontend.api.callers import leading, reader
from tests.frontend.api.scripts import Script, by_script
from tests.people import join

pytestmark = pytest.mark.django_db
CLAIM = "projects/lights/work/annotate/claim/"
OF_STEP = ("", "page/", "schema/")


@pytest.fixture(scope="module")
def lights_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = by_script(project())
    open_with(made, tmp_path_factory.mktemp("lights"), questions(3))
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


def test_a_project_lets_nobody_work_by_script_unless_a_lead_has_said_so(script: Script, lights: Project):
    work = script.claim("annotate")
    lights.config = {**lights.config, "work_by_script": False}
    lights.save()
    for response in (script.post(CLAIM), script.caller.get(f"work/{work['uuid']}/"), script.send(work, GOOD)):
        assert (response.status_code, response.json()["type"]) == (403, "browser_only")
    assert script.caller.get("work/").json() == {"results": []}
    assert not Response.objects.exists()


def test_a_claim_without_consent_is_refused_and_names_the_browser(lights: Project):
    newcomer = MembershipFactory(project=lights, user=UserFactory(username="dan")).user
    refused = Script(newcomer, lights).post(CLAIM)
    assert (refused.status_code, refused.json()["type"]) == (403, "consent_missing")
    assert not Assignment.objects.exists()


def test_a_token_of_another_scope_does_no_work(script: Script, lights: Project, alice: User, lena: User):
    uuid = script.claim("annotate")["uuid"]
    for caller in (reader(alice), reader(lena), leading(lena, lights)):
        assert caller.post(CLAIM, {}).status_code == 403
        assert caller.get(f"work/{uuid}/").status_code == 403


def test_the_work_of_others_does_not_exist(script: Script, lights: Project, bob: User):
    uuid = script.claim("annotate")["uuid"]
    other = Script(bob, lights).caller
    assert other.get(f"work/{uuid}/").status_code == other.get(f"work/{uuid}/steps/question/").status_code == 404
    assert other.post(f"work/{uuid}/skip/", {}).status_code == 404


def test_a_claim_resumes_what_is_in_hand_even_if_a_page_has_claimed_it(script: Script, lights: Project, alice: User):
    page = Bot(alice, Random(1)).claim(lights, "annotate")
    work = script.claim("annotate")
    assert work["uuid"] in page
    assert [one["uuid"] for one in script.caller.get("work/").json()["results"]] == [work["uuid"]]


def test_later_steps_do_not_exist_at_any_address_before_the_first_is_sent(script: Script):
    work = script.claim("annotate")
    for step in ("long_answer", "short_answer", "no_such_step"):
        for rest in OF_STEP:
            assert script.caller.get(f"work/{work['uuid']}/steps/{step}/{rest}").status_code == 404
        body = {"payload": NO_ANSWER, "version": work["step"]["version"], "key": str(randomness.handle())}
        assert script.post(f"work/{work['uuid']}/steps/{step}/", body).status_code == 404
        time = {"seconds": 1, "active": 1}
        assert script.post(f"work/{work['uuid']}/steps/{step}/time/", time).status_code == 404
    assert script.caller.get(f"work/{work['uuid']}/steps/question/page/").status_code == 404
    assert "harbour light" not in str(script.read(work["uuid"])).lower()


def test_the_schemas_of_a_step_are_those_of_its_sheet_and_of_its_answer(script: Script):
    work = script.send(script.claim("annotate"), GOOD).json()["work"]
    found = script.caller.get(f"work/{work['uuid']}/steps/long_answer/schema/").json()
    assert found["sheet"]["title"] == work["step"]["sheet_type"] == "LongAnswerSheet"
    assert set(found["sheet"]["properties"]) == set(work["step"]["sheet"])
    assert set(found["payload"]["discriminator"]["mapping"]) == {"none", "box"}


def test_an_impossible_answer_is_refused_by_field_and_changes_nothing(script: Script):
    work = script.claim("annotate")
    refused = script.send(work, {"verdict": "bad", "reasons": []})
    assert (refused.status_code, refused.json()["type"]) == (422, "payload_invalid")
    assert refused.json()["errors"][0]["field"] == "bad.reasons"
    assert script.send(work, GOOD).status_code == 200
    box = script.send(script.read(work["uuid"]), {"kind": "box", "candidate": 999, "quote": ""})
    assert (box.status_code, box.json()["errors"][0]["field"]) == (422, "candidate")
    assert Response.objects.count() == 1


@pytest.mark.parametrize(
    "payload", [[], "good", {"text": "a\x00b"}, {"n": 2**64}], ids=["list", "text", "NUL", "large"]
)
def test_what_can_not_be_stored_is_refused_by_its_field(script: Script, payload: object):
    refused = script.send(script.claim("annotate"), payload)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "payload")


def test_an_answer_sent_again_with_its_key_counts_once(script: Script):
    work, key = script.claim("annotate"), str(randomness.handle())
    first, second = (script.send(work, GOOD, key=key) for _again in range(2))
    assert (first.json()["replayed"], second.json()["replayed"]) == (False, True)
    assert second.json()["work"]["step"]["step"] == "long_answer"
    other = script.send(work, BAD, key=key)
    assert (other.status_code, other.json()["type"]) == (422, "key_reused")
    assert Response.objects.count() == 1


def test_the_key_may_be_the_header_of_other_calls_and_is_needed(script: Script):
    work = script.claim("annotate")
    body = {"payload": GOOD, "version": work["step"]["version"]}
    address = f"work/{work['uuid']}/steps/question/"
    assert script.post(address, body).json()["errors"][0]["field"] == "key"
    answers = [script.post(address, body, Idempotency_Key="answer 7").json() for _again in range(2)]
    assert [one["replayed"] for one in answers] == [False, True]


def test_a_stale_answer_is_refused_with_what_is_there_now(script: Script):
    work = script.send(script.claim("annotate"), GOOD).json()["work"]
    box = work["step"]["sheet"]["boxes"][0]
    chosen = {"kind": "box", "candidate": box["index"], "quote": box["excerpt"]}
    assert script.send(work, chosen).status_code == 200
    refused = script.send(work, NO_ANSWER)
    found = refused.json()
    assert (refused.status_code, found["type"]) == (409, "stale_page")
    assert found["now"]["work"]["step"]["step"] == "short_answer"
    assert found["now"]["answer"] == found["now"]["step"]["answer"] == chosen
    changed = script.send({**work, "step": found["now"]["step"]}, NO_ANSWER)
    assert changed.json()["work"]["state"] == "submitted"


def test_a_sealed_step_is_not_answered_again(script: Script):
    work = script.claim("annotate")
    script.send(work, GOOD)
    refused = script.send(work, BAD)
    assert (refused.status_code, refused.json()["type"]) == (409, "stage_locked")
    assert refused.json()["now"]["step"]["locked"] is True


def test_the_same_answer_from_elsewhere_counts_already(script: Script):
    work = script.claim("annotate")
    script.send(work, GOOD)
    again = script.send(work, GOOD)
    assert (again.status_code, again.json()["replayed"]) == (200, True)
    assert Response.objects.count() == 1


def test_whichever_of_page_and_script_was_opened_last_may_write(script: Script, lights: Project, alice: User):
    work = script.claim("annotate")
    bot = Bot(alice, Random(1))
    page = reverse("work", args=[work["uuid"]])
    hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    assert bot.client.post(f"{page}take/", hidden | {"stage": "question"}).status_code == 200
    refused = script.send(work, GOOD)
    assert (refused.status_code, refused.json()["type"]) == (409, "taken_over")
    taken = script.post(f"work/{work['uuid']}/take/").json()
    fields = hidden | {"verdict": "good"}
    assert bot.client.post(f"{page}question/", fields).status_code == 409
    assert script.send(taken, GOOD).status_code == 200


def test_a_draft_is_found_in_the_browser_and_the_other_way_round(script: Script, alice: User):
    work = script.claim("annotate")
    address = f"work/{work['uuid']}/steps/question/draft/"
    body = {"data": {"verdict": "bad", "reasons": ["opinion"]}, "seq": 1, "version": work["step"]["version"]}
    assert script.caller.call("PUT", address, body).json()["draft"]["seq"] == 1
    bot = Bot(alice, Random(1))
    page = reverse("work", args=[work["uuid"]])
    shown = bot.client.get(page).content.decode()
    assert re.search(r'value="opinion"[^>]* checked', shown)
    hidden = dict(HIDDEN_FIELD.findall(shown))
    saved = bot.client.post(f"{page}question/draft/", hidden | {"seq": 2, "data": '{"verdict": "good"}'})
    assert saved.status_code == 200
    refused = script.caller.call("PUT", address, body | {"seq": 3})
    assert (refused.status_code, refused.json()["type"]) == (409, "taken_over")
    assert refused.json()["now"]["step"]["draft"]["data"] == {"verdict": "good"}


@pytest.mark.on_both_databases  # PostgreSQL's jsonb would put the keys into another order
def test_work_that_was_left_is_left_once_though_the_call_is_sent_again_under_its_key(script: Script):
    address, key = f"work/{script.claim('annotate')['uuid']}/skip/", "once"
    first, again = (script.post(address, {"reason": "hard"}, Idempotency_Key=key) for _ in range(2))
    assert (first.status_code, first.content) == (again.status_code, again.content) == (200, first.content)
    assert "Idempotency-Replayed" in again
    assert "Idempotency-Replayed" not in script.post(address, {"reason": "hard"})


KEYED = {
    "skip/": {"reason": "hard"},
    "return/": {},
    "report/": {"reason": "broken"},
    "explain/": {"text": "All are about ships."},
    "steps/question/reconsider/": {"text": "It is ambiguous."},
}


@pytest.mark.parametrize("rest", KEYED)
def test_an_answer_that_is_kept_for_a_key_is_told_to_nobody_who_has_lost_the_right_to_the_work(
    script: Script, lights: Project, alice: User, rest: str
):
    work = script.claim("annotate")
    script.send(work, GOOD)

    def sent() -> HttpResponse:
        return script.post(f"work/{work['uuid']}/{rest}", KEYED[rest], Idempotency_Key="once")

    first = sent()
    assert first.status_code == 200
    alice.memberships.update(ended_at=clock.now())
    assert sent().status_code == 404
    alice.memberships.update(ended_at=None)
    by_script(lights, may=False)
    assert (sent().status_code, sent().json()["type"]) == (403, "browser_only")
    by_script(lights)
    again = sent()
    assert (again.status_code, again.content) == (200, first.content)
    assert "Idempotency-Replayed" in again


def test_work_is_skipped_returned_reported_and_renewed(script: Script):
    work = script.claim("annotate")
    address = f"work/{work['uuid']}/"
    assert script.post(f"{address}renew/").json()["ends_at"] is not None
    assert script.post(f"{address}skip/", {"reason": "hard"}).json()["state"] == "skipped"
    assert script.read(work["uuid"])["step"] is None
    assert script.post(f"{address}unskip/").json()["state"] == "leased"
    assert script.post(f"{address}return/").json()["state"] == "returned"
    assert script.post(f"{address}renew/").json()["type"] == "already_closed"
    again = script.claim("annotate")
    assert script.post(f"work/{again['uuid']}/report/", {"reason": "no such"}).json()["errors"][0]["field"] == "reason"
    assert script.post(f"work/{again['uuid']}/report/", {"reason": "broken"}).json()["state"] == "returned"


def test_why_there_is_no_work_is_told(script: Script):
    for _each in range(3):
        script.send(script.claim("annotate"), BAD)
    found = script.post(CLAIM).json()
    assert found["work"] is None
    assert found["why_none"]["reason"] == "all_done"


def test_a_late_answer_counts_if_its_place_is_free_and_says_so(
    lights: Project, alice: User, monkeypatch: pytest.MonkeyPatch
):
    start = clock.now()
    monkeypatch.setattr(clock, "now", lambda: start)
    script = Script(alice, lights)
    work = script.claim("annotate")
    monkeypatch.setattr(clock, "now", lambda: start + timedelta(days=2))
    leases.expire_overdue(now=clock.now())
    assert script.read(work["uuid"])["state"] == "expired"
    done = script.send(work, BAD).json()
    assert (done["adopted"], done["late"]) == (True, "")
    assert done["message"]


def test_images_have_signed_addresses_for_which_nobody_signs_in(db: None, tmp_path: Path):
    papers = by_script(open_papers())
    writer = Script(join(papers, "wanda"), papers)
    # A search for nothing shows ten of the fifteen papers, of which three have images.
    (one,) = writer.caller.get("projects/papers/work/ask/search/?q=Recipe").json()["results"]
    writer.finish(writer.claim("ask", result=one["result"]))
    images = Script(join(papers, "anton"), papers).claim("answer")["step"]["images"]
    address = next(iter(images.values())).removeprefix("http://127.0.0.1")
    response = Client(SERVER_NAME="127.0.0.1").get(address)
    assert (response.status_code, response["Content-Type"].partition("/")[0]) == (200, "image")
    place = next(iter(images))
    forged = address.replace(f"/{place}/", "/999/")
    assert Client(SERVER_NAME="127.0.0.1").get(forged).status_code == 404


def statements(call) -> int:
    with CaptureQueriesContext(connection) as captured:
        response = call()
    assert response.status_code < 400, response.content
    apart = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT clock_timestamp()")
    return len([query for query in captured.captured_queries if not query["sql"].startswith(apart)])


def claim_and_answer_on_the_page(bot: Bot) -> list[int]:
    """The statements of both, by whom the item is skipped afterwards."""
    htmx, found = {"HX-Request": "true"}, []
    found.append(statements(lambda: bot.client.post(reverse("claim", args=["lights", "annotate"]), headers=htmx)))
    page = reverse("work", args=[Assignment.objects.get(annotator=bot.user, state="leased").uuid])
    hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    fields = hidden | {"verdict": "good", "submission_key": str(randomness.handle())}
    found.append(statements(lambda: bot.client.post(f"{page}question/", fields, headers=htmx)))
    bot.client.post(f"{page}skip/")
    return found


def claim_and_answer_by_script(script: Script) -> list[int]:
    """The same of a script."""
    found = [statements(lambda: script.post(CLAIM))]
    work = script.read(str(Assignment.objects.get(annotator=script.user, state="leased").uuid))
    found.append(statements(lambda: script.send(work, GOOD)))
    script.post(f"work/{work['uuid']}/skip/")
    return found


def test_claim_and_answer_cost_no_more_statements_than_on_the_page(script: Script, bob: User):
    bot = Bot(bob, Random(1))
    for _warm in (True, False):
        page, scripted = claim_and_answer_on_the_page(bot), claim_and_answer_by_script(script)
    assert scripted[0] <= page[0], (scripted, page)
    assert scripted[1] <= page[1], (scripted, page)
