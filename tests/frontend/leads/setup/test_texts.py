"""A lead writes new versions of the guidelines, with a preview, and a consent text that everybody is asked about."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation import membership, projects
from annotation.models import Event, GuidelineVersion
from tests.builders import Worker, open_with, questions, reload
from tests.disagreeing import browser
from tests.people import NOON


@pytest.fixture
def lead(lena):
    return browser(lena)


def text(answer):
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(page.split()))


def test_a_new_version_counts_for_new_claims_and_held_work_stays_on_its_own(nq, lead, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(3))
    held = Worker(alice, nq).claim()
    form = {"text": "# Judge\r\nbriefly", "kind": "semantic", "fast_percent": "10", "seen": "1", "go": "publish"}
    page = text(lead.post(reverse("edit_guidelines", args=[nq.slug]), form, follow=True))
    assert "In force for what is claimed from now on." in page
    assert "Guidelines, version 2 (semantic) " in page
    version = GuidelineVersion.objects.get(number=2)
    assert (version.text, version.fast_share, version.kind) == ("# Judge\nbriefly\n", 0.1, "semantic")
    assert reload(held).annotation.guidelines.number == 1
    assert Worker(bob, nq).claim().annotation.guidelines == version


def test_a_preview_shows_text_and_differences_and_publishes_nothing(nq, lead):
    old = projects.guidelines_of(nq).text
    form = {"text": old + "\nRead **all** of it.\n", "kind": "", "fast_percent": "20", "seen": "1", "go": "preview"}
    answer = lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    assert "<strong>all</strong>" in answer.content.decode()
    assert "<ins>Read **all** of it.</ins>" in answer.content.decode()
    assert GuidelineVersion.objects.count() == 1


@pytest.mark.parametrize("wrong", [{"text": " \r\n"}, {"kind": ""}, {"fast_percent": "51"}])
def test_an_impossible_version_is_refused_and_its_text_is_kept(nq, lead, wrong):
    form = {"text": "My text", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"} | wrong
    answer = lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    assert answer.status_code == 422
    assert form["text"].strip() in answer.content.decode()
    assert GuidelineVersion.objects.count() == 1


def test_a_version_from_an_outdated_page_overwrites_nothing_and_its_text_is_shown(nq, lead):
    form = {"text": "Mine", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"}
    lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    answer = lead.post(reverse("edit_guidelines", args=[nq.slug]), form | {"text": "Somebody else’s words"})
    assert answer.status_code == 409
    assert "Somebody else’s words" in html.unescape(answer.content.decode())
    assert projects.guidelines_of(nq).text == "Mine\n"


def test_an_earlier_version_can_be_begun_from_again(nq, lead):
    form = {"text": "Second", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"}
    lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    page = lead.get(reverse("edit_guidelines", args=[nq.slug]), {"version": "1"}).content.decode()
    assert html.escape(GuidelineVersion.objects.get(number=1).text.splitlines()[2][:30]) in page
    assert 'name="seen" value="2"' in page


def undo_of(answer):
    """The address of the button in the message."""
    message = answer.content.decode().split("page-messages")[1].split("page-head")[0]
    [url] = re.findall(r'action="(/projects/[^"]*/undo/)"', message)
    return url


def test_going_back_publishes_the_version_before_again_and_work_keeps_the_version_of_its_claim(
    nq, lead, alice, tmp_path
):
    open_with(nq, tmp_path, questions(3))
    form = {"text": "Second", "kind": "semantic", "fast_percent": "10", "seen": "1", "go": "publish"}
    url = undo_of(lead.post(reverse("edit_guidelines", args=[nq.slug]), form, follow=True))
    held = Worker(alice, nq).claim()
    page = text(lead.post(url, follow=True))
    assert "The earlier guidelines are in force again, as a new version." in page
    assert "Guidelines, version 3 (semantic)" in page
    assert "undoes the change of" in page
    first, _second, third = GuidelineVersion.objects.order_by("number")
    assert (third.text, third.fast_share, third.by) == (first.text, first.fast_share, lead.get(url).wsgi_request.user)
    assert reload(held).annotation.guidelines.number == 2


def test_only_the_version_in_force_is_undone_and_never_the_first(nq, lead):
    assert "/undo/" not in lead.get(reverse("settings", args=[nq.slug])).content.decode()
    form = {"text": "Second", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"}
    second = undo_of(lead.post(reverse("edit_guidelines", args=[nq.slug]), form, follow=True))
    lead.post(reverse("edit_guidelines", args=[nq.slug]), form | {"text": "Third", "seen": "2"})
    assert lead.post(second).status_code == 409
    assert projects.guidelines_of(nq).text == "Third\n"
    [undoable] = re.findall(r'action="([^"]*/undo/)"', lead.get(reverse("settings", args=[nq.slug])).content.decode())
    lead.post(undoable)
    assert projects.guidelines_of(nq).text == "Second\n"


def test_whoever_agreed_to_the_consent_text_before_is_not_asked_again_when_it_comes_back(nq, lead, alice):
    address = reverse("consent_text", args=[nq.slug])
    first = undo_of(lead.post(address, {"text": "We keep **all**.", "go": "publish"}, follow=True))
    nq.refresh_from_db()
    assert not membership.has_consented(alice, nq)
    lead.post(address, {"text": "We keep some.", "go": "publish"})
    assert lead.post(first).status_code == 409
    [undoable] = re.findall(r'action="([^"]*/undo/)"', lead.get(reverse("settings", args=[nq.slug])).content.decode())
    lead.post(undoable)
    page = text(lead.post(first, follow=True))
    assert "The earlier consent text counts again. Whoever agreed to it is not asked again." in page
    nq.refresh_from_db()
    assert nq.consent_sha256 == ""
    assert membership.has_consented(alice, nq)
    rows = Event.objects.filter(kind="project.consent").order_by("pk")
    assert [bool(row.data.get("undoes")) for row in rows] == [False, False, True, True]


def test_a_new_consent_text_is_asked_of_everybody_and_the_old_one_stays_in_the_record(nq, lead, alice):
    address = reverse("consent_text", args=[nq.slug])
    assert "1 person has agreed" in text(lead.get(address)) or "people have agreed" in text(lead.get(address))
    lead.post(address, {"text": "We keep **all**.", "go": "publish"})
    nq.refresh_from_db()
    assert not membership.has_consented(alice, nq)
    membership.accept_consent(user=alice, project=nq, now=NOON)
    assert membership.has_consented(alice, nq)
    lead.post(address, {"text": "", "go": "publish"})
    nq.refresh_from_db()
    assert nq.consent_sha256 == ""
    assert membership.has_consented(alice, nq)
    assert nq.consent_texts.count() == 1
    assert Event.objects.filter(kind="project.consent", by=lead.get(address).wsgi_request.user.pk).count() == 2


def test_a_claim_asks_for_the_projects_own_consent_text(nq, lead, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    worker = browser(alice)
    lead.post(reverse("consent_text", args=[nq.slug]), {"text": "We keep all.", "go": "publish"})
    claim = reverse("claim", args=[nq.slug, "annotate"])
    assert worker.post(claim)["Location"].startswith(reverse("consent", args=[nq.slug]))
    worker.post(reverse("consent", args=[nq.slug]))
    assert "/work/" in worker.post(claim)["Location"]
