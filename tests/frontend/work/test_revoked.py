"""Work taken from its holder: they read why, that their time counts, what is kept and how to continue."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest
from django.urls import resolve, reverse

from annotation import clock, registry
from annotation.models import Draft, TimeSpan
from annotation.models.case import FlagReason
from frontend import my_time
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks.engine import claiming, leases
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tests.builders import BAD, GOOD, Worker, open_with, project, questions, reload, spend
from tests.people import join
from tests.protocols.examples import Example, of_one_person, parameters
from tests.protocols.peers import member

RATE = "12.60 EUR an hour"
SORRY = "We are sorry: you did nothing wrong."
HTMX, SCRIPT = {"HX-Request": "true"}, {"X-Requested-With": "fetch"}


def begun(into, activity, user):
    """Somebody at work in the browser: the bot, the page, the assignment and the hidden fields of the form."""
    bot = Bot(user, Random(1))
    page = bot.claim(into, activity)
    mine = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
    mine.claimed_at -= timedelta(minutes=10)  # time before the claim is not counted
    mine.save(update_fields=["claimed_at"])
    return bot, page, mine, dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))


def text_of(response):
    return " ".join(response.content.decode().split())


@pytest.fixture
def paid(db, tmp_path):
    """One question of a project that states a rate."""
    made = project(pay=RATE)
    open_with(made, tmp_path, questions(1))
    return made


def overtaken(into):
    """Bob at work, until Alice, who had the question before him, sends late: what `begun` returns for Bob."""
    alice = Worker(join(into, "alice"), into)
    hers = alice.claim(now=clock.now() - timedelta(hours=1))
    leases.expire_overdue(now=clock.now())
    his = begun(into, "annotate", join(into, "bob"))
    spend(his[2], now=clock.now() - timedelta(minutes=5), ms=120_000, active=30_000)
    assert alice.commit(hers, "question", BAD, now=clock.now()).adopted
    assert reload(his[2]).state == AssignmentState.REVOKED
    return his


def test_whoever_loses_a_place_to_late_work_is_told_why_that_the_time_is_paid_and_how_to_continue(paid):
    bot, page, _mine, _hidden = overtaken(paid)
    shown = bot.client.get(page)
    assert shown.status_code == 410
    words = text_of(shown)
    assert "sent their answer late, while nothing of yours was saved." in words
    assert SORRY in words
    assert "The time that you spent on it counts and is paid." in words
    assert reverse("claim", args=[paid.slug, "annotate"]) in words
    assert "ambiguous" not in words.lower(), "the other answer is nobody's to see"


def test_saving_and_sending_it_say_the_same_and_show_the_input_for_copying(paid):
    bot, page, mine, hidden = overtaken(paid)
    saved = bot.client.post(
        f"{page}question/draft/",
        hidden | {"seq": 1, "data": json.dumps({"verdict": "bad", "reasons": "opinion"})},
        headers=SCRIPT,
    )
    sent = bot.client.post(f"{page}question/", hidden | {"verdict": "bad", "reasons": "opinion"}, headers=HTMX)
    for answer in (saved, sent):
        words = text_of(answer)
        assert answer.status_code == 409
        assert "while nothing of yours was saved." in words
        assert "came too late to be stored. It is here for you to copy." in words
        assert "Opinion" in words
        assert "Nothing is lost" not in words
        assert "finished, skipped or left" not in words
    assert "data-take-back" not in text_of(saved)
    assert not Draft.objects.filter(annotation=mine.annotation).exists()


def test_renewing_skipping_and_any_url_of_a_stage_say_so_too(paid):
    bot, page, _mine, hidden = overtaken(paid)
    for name in ("renew", "take"):
        answer = bot.client.post(f"{page}{name}/", hidden, headers=SCRIPT)
        assert (answer.status_code, answer["X-Closed"]) == (410, "place_taken")
    skipped = bot.client.post(f"{page}skip/", {"reason": "hard"}, headers=HTMX)
    assert skipped.status_code == 409
    assert SORRY in text_of(skipped)
    assert bot.client.get(f"{page}question/")["Location"] == page


def test_home_says_it_for_seven_days(paid):
    bot, _page, mine, _hidden = overtaken(paid)
    first, second = (text_of(bot.client.get("/")) for _ in range(2))
    assert f"This is about what you had open in {paid.title}." in first
    assert SORRY in first
    assert "counts and is paid." in first
    assert SORRY in second
    Assignment.objects.filter(pk=mine.pk).update(closed_at=clock.now() - timedelta(days=7))
    assert SORRY not in text_of(bot.client.get("/"))


def shown_time(bot):
    """The counted seconds and their amount, as on the person's own page."""
    total = my_time.total(bot.client.get(reverse("time")).context["rows"])
    return round(total.spent.counts), total.comes_to


def test_the_time_of_revoked_work_counts_and_is_paid(paid):
    bot, _page, mine, hidden = overtaken(paid)
    trace = json.dumps([{"n": 2, "lines": [[1, "in_sight", {"ms": 60_000, "active": 60_000}, ""]]}])
    told = {"seq": 1, "data": '{"verdict": "good"}', "trace": trace}
    assert bot.client.post(f"{reverse('work', args=[mine.uuid])}question/draft/", hidden | told).status_code == 409
    assert TimeSpan.objects.filter(annotation=mine.annotation, kind="active").count() == 2, "that batch counts as well"
    assert shown_time(bot) == (30 + 60 + 60, "0.53 EUR")  # of two minutes visible, one was reading: it has few words


def test_time_on_work_reported_as_broken_counts_and_is_paid(paid):
    bot, page, mine, _hidden = begun(paid, "annotate", join(paid, "bob"))
    spend(mine, now=clock.now(), ms=60_000, active=60_000)
    bot.client.post(f"{page}report/", {"reason": "broken"})
    assert reload(mine).state == AssignmentState.RETURNED
    assert shown_time(bot) == (60, "0.21 EUR")


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_revoked.py"
    "::test_a_withdrawal_is_told_to_whoever_works_on_it_and_nothing_of_it_is_shown_any_more"
)


@pytest.fixture(params=parameters(list(of_one_person()), each_merge=("qasper",), others=OTHERS))
def coast(request, db):
    """A project of the protocol with its example, which states no rate, and the key of its first activity."""
    protocol = request.param
    return Example(protocol).opened(), protocol.activities[0].key


def taken_out(coast, lena):
    """Ada at work with something typed, until a lead withdraws it."""
    found = begun(*coast, member(coast[0], "ada"))
    reports.cancel(found[2].task.item, by=lena, reason="shows a phone number", now=clock.now())
    return found


def test_a_withdrawal_is_told_to_whoever_works_on_it_and_nothing_of_it_is_shown_any_more(coast, lena):
    bot, page, mine, hidden = taken_out(coast, lena)
    stage = registry.get(coast[0].protocol).activity(coast[1]).stages[0].key
    work_page = bot.client.get(page)
    draft = hidden | {"seq": 1, "data": json.dumps({"verdict": "bad", "note": "as typed"})}
    saved = bot.client.post(f"{page}{stage}/draft/", draft, headers=SCRIPT)
    sent = bot.client.post(f"{page}{stage}/", hidden | {"note": "as typed"}, headers=HTMX)
    caption = registry.get(coast[0].protocol).caption(mine.task.item.kind, mine.task.item.payload)
    for answer, status in ((work_page, 410), (saved, 409), (sent, 409)):
        words = text_of(answer)
        assert answer.status_code == status
        assert "A lead has withdrawn it, and no one will get it any more." in words
        assert SORRY in words
        assert "The time that you spent on it counts." in words
        assert "paid" not in words
        assert caption not in words
        assert "phone number" not in words, "a lead wrote that for the record"
    assert "as typed" in text_of(saved)
    assert "as typed" in text_of(sent)


def test_of_something_withdrawn_after_one_has_left_it_nothing_is_shown_either(coast, lena):
    bot, page, mine, hidden = begun(*coast, member(coast[0], "ada"))
    stage = registry.get(coast[0].protocol).activity(coast[1]).stages[0].key
    bot.client.post(f"{page}skip/", {"reason": "hard"})
    reports.cancel(mine.task.item, by=lena, reason="shows a phone number", now=clock.now())
    typed = hidden | {"seq": 1, "data": json.dumps({"verdict": "bad", "note": "as typed"})}
    answers = [bot.client.post(f"{page}{stage}/{door}/", typed, headers=SCRIPT) for door in ("draft", "kept")]
    answers.append(bot.client.post(f"{page}{stage}/", hidden | {"note": "as typed"}, headers=HTMX))
    caption = registry.get(coast[0].protocol).caption(mine.task.item.kind, mine.task.item.payload)
    for answer in answers:
        assert answer.status_code == 409
        assert "as typed" in text_of(answer)
        assert caption not in text_of(answer)


def test_work_frozen_by_reports_may_be_finished_by_its_holder(coast):
    bot, page, mine, _hidden = begun(*coast, member(coast[0], "ada"))
    for name in ("ben", "cem"):
        user = member(coast[0], name)
        theirs = claiming.claim(*coast, by=user, now=clock.now(), item=mine.task.item)
        reports.report(reload(theirs), by=user, reason=FlagReason.BROKEN, text="", now=clock.now())
    bot.answer(page)  # would raise if it were refused
    assert SORRY not in text_of(bot.client.get("/"))


def test_work_continues_with_the_rest_of_a_block(papers_answered, lena_of_papers):
    bot, page, mine, _hidden = papers_answered
    reports.cancel(mine.task.item, by=lena_of_papers, reason="a stub", now=clock.now())
    left = Assignment.objects.filter(annotator=bot.user, state=AssignmentState.LEASED).earliest("pk")
    assert f'action="{reverse("work", args=[left.uuid])}"' in text_of(bot.client.get(page))


@pytest.fixture
def papers_answered(db):
    found = Example(registry.get("qasper")).opened()
    writer = Worker(member(found, "wendy"), found, "ask")
    about = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    asked = [
        {"text": text, "answerable_from_abstract": False} for text in ("Which corpus was it?", "Is the code open?")
    ]
    writer.commit(writer.claim(now=clock.now()), "questions", about | {"questions": asked}, now=clock.now())
    return begun(found, "answer", member(found, "adam"))


@pytest.fixture
def lena_of_papers(papers_answered):
    return join(papers_answered[2].task.item.project, "lena-of-papers", "lead")


def test_the_control_no_page_says_that_finished_work_was_taken(paid):
    bot, page, _mine, hidden = begun(paid, "annotate", join(paid, "bob"))
    Worker(bot.user, paid).commit(_mine, "question", GOOD, now=clock.now())
    Worker(bot.user, paid).commit(_mine, "long_answer", {"kind": "none", "reason": "page"}, now=clock.now())
    assert bot.client.get(page)["Location"] == "/"
    answer = bot.client.post(f"{page}renew/", hidden, headers=SCRIPT)
    assert (answer.status_code, answer["X-Closed"]) == (410, "submitted")
