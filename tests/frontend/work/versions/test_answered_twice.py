"""One person's two answers to the same work, for every protocol: both are shown, and which one counts."""

from __future__ import annotations

import copy
import html
import json
import re
from random import Random

import pytest
from django.db import transaction
from django.urls import resolve

from annotation import randomness, registry
from annotation.engine import recording
from annotation.models import Response
from annotation.values.records import Context, GivenAnswer
from frontend import access
from frontend.bots.bot import Bot
from tasks.engine import assignments
from tasks.models import Assignment
from tests.protocols.examples import Example, of_one_person, parameters
from tests.protocols.peers import member

FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
REPLACE = "Replace the first with the second"
HTMX = {"HX-Request": "true"}


def to_the_end(protocol, activity):
    """Give answers that never end the work at a sealed stage."""

    def think(sheet, _name, rng):
        stage, payload = activity.stage(sheet.stage), protocol.bots.pretend(sheet, rng)
        while stage.sealed and protocol.next_step(Context(None, activity.key, (said(stage, payload),))) is None:
            payload = protocol.bots.pretend(sheet, rng)
        return payload

    return think


def said(stage, payload):
    return GivenAnswer(stage.key, stage.schema.validate_python(payload, strict=False))


class Twice:
    """Tabea's finished work, the form that finished it, and another answer to the same stage."""

    def __init__(self, protocol) -> None:
        self.project, self.activity = Example(protocol).opened(), protocol.activities[-1]
        if self.activity is not protocol.activities[0]:
            Bot(member(self.project, "first"), Random(2)).finish_one(self.project, protocol.activities[0].key)
        self.bot = Bot(member(self.project, "tabea"), Random(1), to_the_end(protocol, self.activity))
        page = following = self.bot.claim(self.project, self.activity.key)
        while following == page:
            self.url, self.first = self.bot.answered(page)
            stage = resolve(self.url).kwargs["step"]
            sheet = self.work(page).sheet(stage)
            following = self.bot.post(self.url, self.first)
        forms = registry.form_of(protocol.key, stage)
        hidden = {name: self.first[name] for name in ("seen", "client", "after", "base")}
        answers = [hidden | forms.fields_of(protocol.bots.pretend(sheet, Random(seed))) for seed in range(40)]
        known = {key: value for key, value in self.first.items() if key != "submission_key"}
        self.other = next(answer for answer in answers if answer != known)
        self.page = page

    def work(self, page=None):
        uuid = resolve(page or self.page).kwargs["uuid"]
        return assignments.work_of(access.own_assignment(self.bot.user, uuid))

    def send_another(self, **headers):
        """Send the other answer, from a page rendered before the first was sent."""
        fields = self.other | {"submission_key": str(randomness.handle()), "client": str(randomness.handle())}
        return self.bot.client.post(self.url, fields, headers=headers)

    def send_the_same(self, **headers):
        """Send the first answer again, as another page would that was rendered before it was sent."""
        fields = self.first | {"submission_key": str(randomness.handle()), "client": str(randomness.handle())}
        return self.bot.client.post(self.url, fields, headers=headers)

    def replace(self, shown):
        """Press the button of the page."""
        url = self.url + "replace/"
        form = shown[shown.index(f'action="{url}"') : shown.index(REPLACE)]
        sent = {}
        for name, value in FIELD.findall(form):
            sent.setdefault(name, []).append(html.unescape(value))
        return self.bot.client.post(url, sent)


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/versions/test_answered_twice.py"
    "::test_a_different_key_on_a_filled_assignment_is_a_proposed_correction_with_both_versions"
)


@pytest.fixture(scope="module", params=parameters(list(of_one_person()), each_merge=("nq", "qasper"), others=OTHERS))
def twice_once(request, shared_rows):
    with transaction.atomic():
        yield Twice(request.param)
        transaction.set_rollback(True)


@pytest.fixture
def twice(twice_once, db):
    """The same, in a browser of its own."""
    found = copy.copy(twice_once)
    found.bot = Bot(found.bot.user, Random(1))
    return found


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["a page", "htmx"])
def test_a_different_key_on_a_filled_assignment_is_a_proposed_correction_with_both_versions(twice, headers):
    stored = Response.objects.count()
    refused = twice.send_another(**headers)
    assert refused.status_code == 409
    shown = re.sub(r"\s*([<>])\s*", r"\1", refused.content.decode())
    assert [word in shown for word in ("You answered this twice", ">First<", ">Second<", REPLACE)] == [True] * 4
    assert Response.objects.count() == stored


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["a page", "htmx"])
def test_the_same_answer_from_another_page_counts_once_and_one_goes_on(twice, headers):
    stored = Response.objects.count()
    answer = twice.send_the_same(**headers)
    if where := answer.headers.get("Location") or answer.headers.get("HX-Redirect"):
        answer = twice.bot.client.get(where)
    assert answer.status_code == 200
    assert "The same answer had been sent already" in answer.content.decode()
    assert Response.objects.count() == stored


def test_a_draft_that_comes_after_the_answer_is_not_called_a_second_answer(twice):
    data = {name: value for name, value in twice.other.items() if name not in ("seen", "client", "after", "base")}
    fields = {name: twice.other[name] for name in ("seen", "after", "base")} | {"client": str(randomness.handle())}
    refused = twice.bot.client.post(twice.url + "draft/", fields | {"seq": 1, "data": json.dumps(data)})
    assert refused.status_code == 409
    shown = re.sub(r"\s*([<>])\s*", r"\1", refused.content.decode())
    wanted = ("This was sent from another tab or device", ">In the other tab<", ">In this tab<")
    assert [word in shown for word in wanted] == [True] * 3
    assert [word in shown for word in ("twice", ">First<", ">Second<", REPLACE)] == [False] * 4


def test_the_focus_is_on_keeping_the_first_and_no_key_replaces_it(twice):
    page, over = (twice.send_another(**headers).content.decode() for headers in ({}, {"X-Requested-With": "fetch"}))
    for shown in (page, over):
        keep, replace = shown.index("Keep the first"), shown.index(REPLACE)
        assert "autofocus" in shown[:keep].rpartition("<button")[2]
        assert "autofocus" not in shown[keep:]
        assert "<kbd>" not in shown[replace:].partition("</form>")[0]
    assert re.search(r"Keep the first, go on <kbd>Esc</kbd>", page)
    assert re.search(r"View only <kbd>Esc</kbd>", over), "Esc closes a dialog"


def test_what_differs_between_the_two_is_named_and_marked(twice):
    shown = twice.send_another().content.decode()
    first, second = (part.count("<ins>") for part in shown.split('<article class="version">')[1:])
    assert first + second
    assert re.search(r"Different, and underlined: <b>[A-Z][^<]+</b>\.", shown)


@pytest.mark.parametrize("twice_once", [pytest.param(registry.get("nq"), id="nq")], indirect=True)
def test_the_answers_on_which_both_build_are_shown_and_named_as_the_same(twice):
    work = twice.work()
    box = work.protocol.view("long_answer", work.own[1].payload, work.record).box
    shown = html.unescape(" ".join(twice.send_another().content.decode().split()))
    before, _versions = shown.split('<div class="versions">')
    assert " ".join(box.excerpt.split()) in before
    assert "Different, and underlined: <b>Marked words</b>." in before
    assert "The same in both: Question, Long answer, Kind of answer" in before


def test_replace_creates_a_superseding_version(twice):
    before = twice.work().seen
    answer = twice.replace(twice.send_another().content.decode())
    assert answer.status_code in (200, 302)
    work = twice.work()
    last = work.responses[-1]
    assert (work.seen, last.revision) == (before + 1, 2)
    form = registry.form_of(work.protocol.key, last.stage)(twice.other)
    assert form.is_valid()
    sent = recording.validated(work.activity.stage(last.stage), form.payload())
    assert last.payload == sent.model_dump(mode="json")


def test_keep_first_changes_nothing_and_goes_on(twice):
    shown = twice.send_another().content.decode()
    stored = Response.objects.count()
    form = shown.partition("Keep the first, go on")[0].rpartition("<form ")[2]
    method, url = re.match(r'method="(\w+)" action="([^"]+)"', form).groups()
    answer = getattr(twice.bot.client, method)(url)
    assert answer.status_code < 400
    assert answer.headers.get("Location", url) != twice.page
    assert Response.objects.count() == stored


def test_if_re_opening_is_not_allowed_the_first_counts_and_the_second_is_there_to_copy(twice):
    annotation = twice.work().annotation
    lease = Assignment.objects.get(annotation=annotation).lease
    lease.closed_at = lease.opened_at
    lease.save()
    type(annotation).objects.filter(pk=annotation.pk).update(excluded_at=lease.opened_at, exclusion_reason="test")
    shown = twice.send_another().content.decode()
    assert "it is here for you to copy" in shown
    assert REPLACE not in shown
    assert twice.bot.client.post(twice.url + "replace/", twice.other | key()).status_code == 409


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["a page", "htmx"])
def test_another_answer_under_the_key_of_the_first_is_shown_beside_it_and_changes_nothing(twice, headers):
    stored = Response.objects.count()
    again = twice.other | {"submission_key": twice.first["submission_key"]}
    refused = twice.bot.client.post(twice.url, again, headers=headers)
    assert refused.status_code == 422
    shown = re.sub(r"\s*([<>])\s*", r"\1", refused.content.decode())
    assert [word in shown for word in ("was sent from this page", ">First<", ">Second<", REPLACE)] == [True] * 4
    assert Response.objects.count() == stored


def key():
    return {"submission_key": str(randomness.handle())}
