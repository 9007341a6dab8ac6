"""The work screen over HTTP: three stages, drafts, refusals, and the page when nothing is left."""

from __future__ import annotations

import json
import re
import uuid
from random import Random

import pytest
from django.urls import reverse

from annotation.models import Draft, Event, Project, Response
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tests.builders import open_with, project, questions
from tests.factories.people import MembershipFactory
from tests.people import join


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    return made.pk


@pytest.fixture
def nq(lights_once, db):
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lights(nq):
    return nq


@pytest.fixture
def bot(lights, alice):
    return Bot(alice, Random(1))


@pytest.fixture
def page(bot, lights):
    return bot.claim(lights, "annotate")


def hidden(bot, page):
    return dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))


def stage_url(page, stage):
    return f"{page}{stage}/"


def good(bot, page):
    return bot.client.post(stage_url(page, "question"), hidden(bot, page) | {"verdict": "good"})


def test_anybody_not_logged_in_is_led_to_the_login_and_back(client, page):
    response = client.get(page)
    assert response["Location"] == f"{reverse('login')}?next={page}"


def test_without_consent_the_way_leads_to_the_text_and_then_to_work(lights, mallory, client):
    MembershipFactory(project=lights, user=mallory)
    client.force_login(mallory)
    claim = reverse("claim", args=[lights.slug, "annotate"])
    consent = f"{reverse('consent', args=[lights.slug])}?to=annotate"
    assert client.post(claim)["Location"] == consent
    assert client.get(consent).status_code == 200
    client.post(consent)
    assert client.post(claim)["Location"].startswith("/work/")


def test_each_fault_of_a_question_says_what_it_means_and_has_a_key(bot, page):
    shown = bot.client.get(page).content.decode()
    faults = re.findall(r'name="reasons" aria-describedby="([^"]+)".*?<kbd[^>]*>(\d)</kbd>', shown, re.DOTALL)
    assert [key for _id, key in faults] == ["1", "2", "3", "4", "5"]
    meanings = [re.search(rf'id="{place}"[^>]*>([^<]+)<', shown)[1].strip() for place, _key in faults]
    assert len({meaning for meaning in meanings if meaning.endswith(".")}) == 5


def test_the_page_is_not_there_before_good_and_is_there_after(bot, page):
    frame = page.replace("/work/", "/page/") + "long_answer/"
    assert bot.client.get(frame).status_code == 404
    assert bot.client.get(stage_url(page, "long_answer")).status_code == 404
    good(bot, page)
    assert b"Cordouan" in bot.client.get(frame).content


def test_task_pages_are_not_cached_not_stored_in_the_browsers_history_and_nothing_is_preloaded(bot, page):
    good(bot, page)
    for url in (page, stage_url(page, "question"), page.replace("/work/", "/page/") + "long_answer/"):
        response = bot.client.get(url)
        assert "no-store" in response["Cache-Control"]
        assert b"preload" not in response.content
        assert b"prefetch" not in response.content
    assert b'hx-history="false"' in bot.client.get(page).content


def test_the_page_stays_hidden_for_ever_after_bad(bot, page):
    fields = hidden(bot, page) | {"verdict": "bad", "reasons": ["opinion"]}
    assert bot.client.post(stage_url(page, "question"), fields).status_code == 302
    assert bot.client.get(page.replace("/work/", "/page/") + "long_answer/").status_code == 404
    assert bot.client.get(page).status_code == 302


def test_the_frame_document_has_a_policy_that_lets_only_our_script_run(bot, page):
    good(bot, page)
    response = bot.client.get(page.replace("/work/", "/page/") + "long_answer/")
    policy = response["Content-Security-Policy"]
    assert "sandbox allow-scripts" in policy
    assert "script-src 'sha256-" in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "'self'" not in policy.replace("frame-ancestors 'self'", "")
    assert response["X-Frame-Options"] == "SAMEORIGIN"


def test_a_work_page_may_frame_frame_documents_only_and_is_framed_by_nobody(bot, page):
    response = bot.client.get(page)
    policy = response["Content-Security-Policy"]
    assert "frame-src http://127.0.0.1/page/" in policy
    assert "frame-ancestors 'none'" in policy
    assert response["X-Frame-Options"] == "DENY"
    assert "no-store" in response["Cache-Control"]


def test_htmx_gets_the_next_screen_at_once_with_its_url(bot, page):
    fields = hidden(bot, page) | {"verdict": "good"}
    response = bot.client.post(stage_url(page, "question"), fields, headers={"HX-Request": "true"})
    assert response.status_code == 200
    assert response["HX-Push-Url"] == page
    assert b"<html" not in response.content
    assert b'id="screen"' in response.content


def test_the_last_stage_brings_the_next_question(bot, page):
    fields = hidden(bot, page) | {"verdict": "bad", "reasons": ["opinion"]}
    response = bot.client.post(stage_url(page, "question"), fields, headers={"HX-Request": "true"})
    assert response["HX-Push-Url"] != page
    assert b"who tended light number" in response.content


def test_after_the_last_question_the_page_says_why_nothing_is_left(bot, lights):
    while bot.finish_one(lights, "annotate"):
        pass
    response = bot.client.post(reverse("claim", args=[lights.slug, "annotate"]))
    assert response.status_code == 200
    assert "all the answers it needs" in response.content.decode()


def test_an_incomplete_form_comes_back_with_messages_and_its_values(bot, page):
    fields = hidden(bot, page) | {"verdict": "bad"}
    response = bot.client.post(stage_url(page, "question"), fields)
    assert response.status_code == 422
    assert "choose at least one reason" in response.content.decode()
    assert 'value="bad" checked' in response.content.decode()
    assert not Response.objects.exists()


def test_the_same_post_twice_leads_to_the_same_place_and_is_stored_once(bot, page):
    fields = hidden(bot, page) | {"verdict": "good"}
    first = bot.client.post(stage_url(page, "question"), fields)
    again = bot.client.post(stage_url(page, "question"), fields)
    assert (again.status_code, again["Location"]) == (302, first["Location"])
    assert Response.objects.count() == 1


def test_the_same_key_with_another_answer_is_422(bot, page):
    fields = hidden(bot, page)
    bot.client.post(stage_url(page, "question"), fields | {"verdict": "good"})
    response = bot.client.post(stage_url(page, "question"), fields | {"verdict": "bad", "reasons": ["opinion"]})
    assert response.status_code == 422


def test_a_page_that_another_tab_has_overtaken_is_409_and_shows_what_was_sent(bot, page):
    good(bot, page)
    old = hidden(bot, page)
    box = {"kind": "none", "reason": "page"}
    stale = old | {"seen": "0", "submission_key": str(uuid.uuid4())}
    response = bot.client.post(stage_url(page, "long_answer"), stale | box)
    assert response.status_code == 409
    assert "nothing was overwritten" in response.content.decode()
    assert Response.objects.count() == 1


def test_a_post_without_a_key_changes_nothing(bot, page):
    assert bot.client.post(stage_url(page, "question"), {"verdict": "good"}).status_code == 409
    assert not Response.objects.exists()


def save(bot, page, seq, data, client="6d7c7bb0-0000-4000-8000-000000000001"):
    url = stage_url(page, "question") + "draft/"
    return bot.client.post(url, {"client": client, "seen": 0, "seq": seq, "data": json.dumps(data)})


def test_a_draft_is_saved_and_comes_back_on_another_device(bot, page, alice):
    assert save(bot, page, 1, {"verdict": "bad", "reasons": ["opinion"]}).json()["seq"] == 1
    other = Bot(alice, Random(2))
    shown = other.client.get(page).content.decode()
    assert 'value="bad" checked' in shown
    assert re.search(r'value="opinion"\s+checked', shown)


def test_an_older_save_of_the_same_page_changes_nothing(bot, page):
    save(bot, page, 5, {"verdict": "good"})
    assert save(bot, page, 4, {"verdict": "bad"}).json()["seq"] == 5
    assert Draft.objects.get().data == {"verdict": "good"}


def test_a_malformed_draft_is_refused(bot, page):
    url = stage_url(page, "question") + "draft/"
    sent = {"client": "6d7c7bb0-0000-4000-8000-000000000001", "seen": 0, "seq": 1}
    for data in ("[1]", "{", '{"a": NaN}', '"text"', '{"a": "\\u0000"}', "{" * 100):
        assert bot.client.post(url, sent | {"data": data}).status_code == 422, data
        assert not Draft.objects.exists(), data


def test_a_draft_of_a_later_stage_is_404(bot, page):
    url = stage_url(page, "long_answer") + "draft/"
    sent = {"client": "6d7c7bb0-0000-4000-8000-000000000001", "seen": 0, "seq": 1, "data": "{}"}
    assert bot.client.post(url, sent).status_code == 404


def test_skipping_says_why_brings_the_next_and_can_be_undone(bot, page):
    response = bot.client.post(f"{page}skip/", {"reason": "hard", "text": "too hard"}, headers={"HX-Request": "true"})
    assert response["HX-Push-Url"] != page
    assert Event.objects.get(kind="assignment.skipped").data == {"reason": "hard", "text": "too hard"}
    bot.client.post(f"{response['HX-Push-Url']}return/")
    assert bot.client.post(f"{page}unskip/")["Location"] == page
    assert Assignment.objects.get(uuid=page.split("/")[2]).state == AssignmentState.LEASED


def test_returned_work_waits_for_the_same_person(bot, page, lights):
    save(bot, page, 1, {"verdict": "good"})
    assert bot.client.post(f"{page}return/")["Location"] == reverse("home")
    again = bot.claim(lights, "annotate")
    assert again != page
    assert 'value="good" checked' in bot.client.get(again).content.decode()


def test_somebody_at_work_keeps_the_lease(bot, page):
    assert bot.client.post(f"{page}renew/").json()["expires_in"] > 1190


def test_an_earlier_stage_that_is_not_sealed_opens_again_with_its_answer(bot, page):
    good(bot, page)
    sheet_quote = "The first harbour light was lit in 1823 at Cordouan, a tower on a reef."
    fields = hidden(bot, page) | {"kind": "box", "candidate": "0", "quote": sheet_quote}
    assert bot.client.post(stage_url(page, "long_answer"), fields).status_code == 302
    assert b"1823" in bot.client.get(page.replace("/work/", "/page/") + "short_answer/").content
    assert b"Keepers" not in bot.client.get(page.replace("/work/", "/page/") + "short_answer/").content
    again = bot.client.get(stage_url(page, "long_answer")).content.decode()
    assert 'name="candidate" value="0"' in again


def test_a_sealed_stage_is_shown_read_only(bot, page):
    good(bot, page)
    shown = bot.client.get(stage_url(page, "question")).content.decode()
    assert "sealed" in shown
    assert 'name="submission_key"' not in shown


def test_bob_gets_the_same_404_for_the_work_of_alice_as_for_none(bot, page, lights):
    bob = Bot(join(lights, "bob"), Random(3))
    hers, none = bob.client.get(page), bob.client.get(f"/work/{uuid.uuid4()}/")
    assert (hers.status_code, none.status_code) == (404, 404)
    assert hers.content == none.content


def test_home_shows_what_is_open_and_what_is_held(bot, page, lights):
    shown = bot.client.get(reverse("home")).content.decode()
    assert "Lights" in shown
    assert page in shown


def test_the_guidelines_have_an_anchor_for_each_stage(bot, lights):
    shown = bot.client.get(reverse("guidelines", args=[lights.slug])).content.decode()
    assert all(f'id="{stage}"' in shown for stage in ("question", "long_answer", "short_answer"))


def test_the_guidelines_state_the_threshold_for_fast_answers_that_their_version_declares(bot, lights):
    url, first = reverse("guidelines", args=[lights.slug]), lights.guidelines.get()
    assert "less than 20&nbsp;% of the time that you usually take" in bot.client.get(url).content.decode()
    said = {"text": first.text, "kind": first.kind, "at": first.at}
    lights.guidelines.create(number=2, fast_share=0, **said)
    assert "fast-answers" not in bot.client.get(url).content.decode()
