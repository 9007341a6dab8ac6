"""The edge cases of annotating Natural Questions, one test per case."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest
from django.urls import reverse

from annotation import clock, html, projects
from annotation.models import Event, Flag, Response
from annotation.protocols.nq import protocol
from frontend.bots.bot import Bot
from tasks.engine import assignments, skip_and_return
from tasks.items import reports
from tasks.models.states import TaskState
from tests.builders import GOOD, Worker, open_with, project, questions, reload
from tests.factories.corpus import GuidelineVersionFactory
from tests.people import join

HARD = (
    "<html><body><p dir='rtl'>كِتَابٌ عن المَنارات في 1823.</p><p>Cafe\u0301 nai\u0308ve Zu\u0308rich.</p>"
    "<p>👩‍👩‍👧 and 👍🏽 and 🇳🇴🇫🇮 met.</p><p>한글 हिन्दी</p></body></html>"
)
"""Right to left with vowel signs, combining marks, a joined emoji, a skin tone, flags, Devanagari."""


@pytest.fixture
def worker(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(3))
    return Worker(alice, nq)


@pytest.fixture
def revealed(worker):
    """Work whose question was accepted, in a browser without scripts."""
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    return Bot(worker.user, Random(1)), reload(mine)


def test_good_by_mistake_is_a_note_that_changes_nothing_and_that_the_lead_reads(revealed, nq, lena):
    bot, mine = revealed
    page = bot.client.get(reverse("stage", args=[mine.uuid, "question"])).content.decode()
    url = reverse("reconsider", args=[mine.uuid, "question"])
    assert f'action="{url}"' in page
    assert bot.client.post(url, {"text": "It asks for an opinion."}).status_code == 302
    assert Response.objects.get().payload["verdict"] == "good"
    event = Event.objects.get(kind="annotation.reconsidered")
    assert (event.data, event.project_id) == ({"stage": "question", "text": "It asks for an opinion."}, nq.pk)
    lead = Bot(lena, Random(1)).client.get(reverse("item", args=[nq.slug, mine.task.item_id])).content.decode()
    assert "It asks for an opinion." in lead


@pytest.mark.parametrize("text", ["", " ", "…", "?!", "\u200b"])
def test_a_note_without_a_word_is_refused_and_nothing_is_noted(revealed, text):
    bot, mine = revealed
    answer = bot.client.post(reverse("reconsider", args=[mine.uuid, "question"]), {"text": text})
    assert answer.status_code == 422
    assert "Write something." in answer.content.decode()
    assert not Event.objects.filter(kind="annotation.reconsidered").exists()


def test_what_is_wrong_with_a_note_is_said_in_its_dialog_which_stays(revealed):
    bot, mine = revealed
    page = bot.client.get(reverse("stage", args=[mine.uuid, "question"])).content.decode()
    url = reverse("reconsider", args=[mine.uuid, "question"])
    answer = bot.client.post(url, {"text": "…"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content.decode()) == (422, "Write something.")
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#reconsider-problem", "innerHTML")
    assert 'id="reconsider-problem"' in page


@pytest.mark.parametrize(
    ("withdrawn", "said"),
    [(False, "This work is closed. You have already finished,"), (True, "This was withdrawn from the project. A lead")],
)
def test_a_note_on_work_that_has_ended_is_refused_in_its_dialog_with_the_reason(revealed, lena, withdrawn, said):
    bot, mine = revealed
    url = reverse("reconsider", args=[mine.uuid, "question"])
    if withdrawn:
        reports.cancel(mine.task.item, by=lena, reason="The page is empty.", now=clock.now())
    else:
        skip_and_return.give_back(mine, by=bot.user, now=clock.now())
    assert bot.client.post(url, {"text": "It asks for an opinion."}).status_code == 409
    answer = bot.client.post(url, {"text": "It asks for an opinion."}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"]) == (409, "#reconsider-problem")
    assert answer.content.decode().startswith(said)
    assert not Event.objects.filter(kind="annotation.reconsidered").exists()


def test_a_note_is_about_a_sealed_stage_only(revealed):
    bot, mine = revealed
    assert bot.client.post(reverse("reconsider", args=[mine.uuid, "long_answer"]), {"text": "x"}).status_code == 404
    assert not Event.objects.filter(kind="annotation.reconsidered").exists()


def test_an_answer_that_needs_two_boxes_is_no_answer_with_the_reason_spread(worker):
    assert "spread" in protocol.PROTOCOL.guideline()
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    assert worker.commit(mine, "long_answer", {"kind": "none", "reason": "spread"}).next_step is None
    assert reload(mine).annotation.completed_at is not None


def test_where_nothing_but_an_infobox_row_suffices_the_row_is_chosen_and_not_the_table(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    boxes = assignments.work_of(reload(mine)).sheet("long_answer").boxes
    row = next(box for box in boxes if box.kind == "Tr" and "67 metres" in box.excerpt)
    assert boxes[row.parent].kind == "Table"
    payload = {"kind": "box", "candidate": row.index, "quote": row.excerpt[:200]}
    assert worker.commit(mine, "long_answer", payload).next_step == "short_answer"
    shown = assignments.work_of(reload(mine)).sheet("short_answer")
    assert (shown.box.index, "32 km" in shown.text) == (row.index, False)
    assert "the row" in protocol.PROTOCOL.guideline()


def test_a_page_that_fails_to_render_is_reported_and_the_item_is_frozen_after_2(tmp_path, db):
    lights = project(activities={"annotate": {"overlap": {"train": 3}, "draw": "in_order"}})
    open_with(lights, tmp_path, questions(1))
    for name in ("ann", "bea"):
        worker = Worker(join(lights, name), lights)
        mine = worker.claim()
        assert mine.task.state != TaskState.FROZEN
        worker.commit(mine, "question", GOOD)
        Bot(worker.user, Random(1)).post(reverse("report", args=[mine.uuid]), {"reason": "broken"})
    assert Flag.objects.count() == 2
    assert reload(mine).task.state == TaskState.FROZEN


def test_when_the_guideline_changes_mid_assignment_it_stays_on_the_version_at_claim(revealed, nq, worker):
    bot, mine = revealed
    GuidelineVersionFactory(project=nq, text="# New rules")
    worker.commit(mine, "long_answer", {"kind": "none", "reason": "page"})
    assert {row.guidelines.number for row in Response.objects.all()} == {1}
    following = worker.claim()
    assert reload(following).annotation.guidelines.number == 2
    texts = {}
    for held in (mine, following):
        texts[held] = bot.client.get(f"{reverse('guidelines', args=[nq.slug])}?of={held.uuid}").content.decode()
    assert ["New rules" in text for text in texts.values()] == [False, True]
    page = bot.client.get(reverse("work", args=[following.uuid])).content.decode()
    assert f"?of={following.uuid}&amp;at=question#question" in page
    assert projects.guidelines_of(nq).number == 2


@pytest.mark.parametrize("other", ["x", "00000000-0000-4000-8000-000000000000"])
def test_without_work_of_their_own_people_read_the_guidelines_in_force(revealed, nq, other):
    bot, _mine = revealed
    GuidelineVersionFactory(project=nq, text="# New rules")
    assert "New rules" in bot.client.get(f"{reverse('guidelines', args=[nq.slug])}?of={other}").content.decode()


def test_a_huge_page_over_1_mb_is_one_document_and_over_4_mb_60000_tokens_or_depth_256_refused():
    huge = "<html><body>" + ("<p>" + "words " * 20 + "y" * 9_900 + "</p>") * 110 + "</body></html>"
    assert len(huge) > 1_000_000
    assert len(html.lay_out(huge.encode()).candidates) == 110
    deep = "<html><body>" + "<div>" * 300 + "x" + "</div>" * 300 + "</body></html>"
    many = "<html><body><p>" + "a " * 60_001 + "</p></body></html>"
    large = "<html><body><p>" + "z" * (4 * 1024 * 1024) + "</p></body></html>"
    for page in (deep, many, large):
        with pytest.raises(html.PageRefused):
            html.lay_out(html.open_page(page.encode()).source)


def test_right_to_left_or_combining_characters_have_code_point_offsets_and_grapheme_safe_snapping():
    layout, source = html.lay_out(HARD.encode()), HARD.encode()
    words = [token for token in layout.tokens if not token.text.startswith("<")]
    assert len(words) > 12
    for token in words:
        before, cut = source[: token.start].decode(), source[token.start : token.end].decode()
        after = source[token.end :].decode()
        assert not _continues(before, cut), cut
        assert not _continues(cut, after), cut
    shown = {source[token.start : token.end].decode() for token in words}
    assert {"👩‍👩‍👧", "👍🏽", "Cafe\u0301", "كِتَابٌ"} <= shown


def _continues(left, right):
    """Whether the first character of the right part belongs to the last grapheme of the left."""
    if not left or not right:
        return False
    first = right[0]
    joins = unicodedata.category(first)[0] == "M" or first in "\u200d\u200c" or "\U0001f3fb" <= first <= "\U0001f3ff"
    return joins or left[-1] == "\u200d"
