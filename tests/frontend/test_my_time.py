"""My time: people see what was measured of them and nobody else, and correct it with a note beside it."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Project, TimeAmendment, TimeSpan, User
from annotation.worktime import totals
from tasks.people import payments
from tests.builders import BAD, Worker, open_with, project, questions, spend
from tests.factories.record import PaymentFactory, TimeAmendmentFactory
from tests.people import NOON, join

TODAY = NOON.date()
ENOUGH = {"how": "add", "minutes": "25", "note": "My mine was closed by an update."}


@pytest.fixture(autouse=True)
def _late_that_day(monkeypatch):
    """Freeze the time at eight in the evening."""
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(hours=8))


@pytest.fixture(scope="module")
def worked_once(shared_rows, tmp_path_factory) -> int:
    made = project(pay="12.60 EUR an hour")
    open_with(made, tmp_path_factory.mktemp("lights"), questions(6))
    worker = Worker(join(made, "alice"), made)
    for number in range(2):
        begun = NOON + timedelta(minutes=20 * number)
        held = worker.claim(now=begun)
        spend(held, now=begun + timedelta(minutes=20), ms=20 * 60_000, active=15 * 60_000)
        worker.commit(held, "question", BAD, now=begun + timedelta(minutes=20))
    return made.pk


@pytest.fixture
def lights(worked_once, db):
    return Project.objects.get(pk=worked_once)


@pytest.fixture
def alice(lights):
    """Half an hour of input, ten minutes without, on two questions."""
    return User.objects.get(username="alice")


@pytest.fixture
def mine(alice):
    return signed_in(alice)


def signed_in(user) -> Client:
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)
    return client


def of_day(mine, **fields):
    url = reverse("time_day", args=[TODAY])
    return mine.post(url, {"submission_key": str(uuid.uuid4())} | fields) if fields else mine.get(url)


def test_the_list_has_a_row_for_each_day_and_project_with_what_counts(mine, lights):
    shown = mine.get(reverse("time"))
    (row,) = shown.context["rows"]
    assert (row.day, row.project) == (TODAY, lights)
    assert (row.spent.active, row.spent.reading, row.spent.idle) == (1800, 120, 480)
    assert row.spent.counts == 1920
    assert "32 min" in shown.content.decode()


def test_today_and_this_week_are_summed(mine):
    context = mine.get(reverse("time")).context
    assert context["today"].spent.counts == context["week"].spent.counts == 1920


def test_a_project_that_states_a_rate_shows_the_amount(mine):
    shown = mine.get(reverse("time")).content.decode()
    assert "6.72 EUR" in shown
    assert "12.60 EUR an hour" in shown


TOKEN = re.compile(r'"[A-Za-z0-9]{32,}"')
"""A random token, which may have any letters."""


def test_without_a_rate_pay_is_not_mentioned(alice, mine, lights):
    lights.config = {key: value for key, value in lights.config.items() if key != "pay"}
    lights.save()
    for url in (reverse("time"), reverse("time_day", args=[TODAY])):
        text = TOKEN.sub("", mine.get(url).content.decode()).lower()
        assert not [word for word in ("pay", "paid", "eur", "comes to") if word in text]


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        ("12.60 EUR an hour", "1.05 EUR"),
        ("25 USD per hour", "2.08 USD"),
        ("fair", ""),
        ("", ""),
        ("1.005 EUR an hour", ""),
    ],
)
def test_an_amount_is_computed_only_from_a_rate_with_a_number(rate, words):
    assert totals.pay_in_words([totals.amount_of_pay(rate, 300)]) == words


def test_the_day_lists_the_pieces_of_work_with_their_time(mine):
    context = of_day(mine).context
    assert [(piece["spent"].active, piece["spent"].reading) for piece in context["pieces"]] == [(900, 60), (900, 60)]
    assert all(piece["caption"].startswith("who tended light") for piece in context["pieces"])


def test_an_amendment_is_shown_beside_what_was_measured(mine, alice):
    before = list(TimeSpan.objects.values())
    assert of_day(mine, project="lights", **ENOUGH).status_code == 302
    (row,) = of_day(mine).context["rows"]
    assert (row.spent.amended, row.spent.counts) == (1500, 3420)
    assert list(TimeSpan.objects.values()) == before
    shown = of_day(mine).content.decode()
    assert "My mine was closed by an update." in shown
    assert "+25" in shown


def test_everything_that_is_wrong_is_reported_at_once(mine):
    refused = of_day(mine, project="lights", how="add", minutes="1300", note="")
    assert sorted(refused.context["problems"]) == ["minutes", "note"]


def test_time_can_be_subtracted_but_not_more_than_there_is(mine):
    assert of_day(mine, project="lights", how="take", minutes="30", note="I was on the phone.").status_code == 302
    refused = of_day(mine, project="lights", how="take", minutes="3", note="And again.")
    assert refused.status_code == 422
    assert TimeAmendment.objects.get().minutes == -30


WRONG = {
    "no note": ({"note": "  "}, "note"),
    "an essay": ({"note": "x" * 501}, "note"),
    "no minutes": ({"minutes": ""}, "minutes"),
    "none": ({"minutes": "0"}, "minutes"),
    "words": ({"minutes": "ten"}, "minutes"),
    "negative": ({"minutes": "-5"}, "minutes"),
    "neither": ({"how": ""}, "minutes"),
    "more than the day had": ({"minutes": "1300"}, "minutes"),
    "another project": ({"project": "no-such"}, "project"),
}


@pytest.mark.parametrize(("change", "field"), WRONG.values(), ids=WRONG.keys())
def test_an_impossible_amendment_is_refused_next_to_its_field_and_keeps_what_was_typed(mine, change, field):
    refused = of_day(mine, **({"project": "lights"} | ENOUGH | change))
    assert refused.status_code == 422
    assert list(refused.context["problems"]) == [field]
    assert str(refused.context["problems"][field])[:20] in refused.content.decode()
    assert "Nothing was amended" in refused.content.decode()
    assert not TimeAmendment.objects.exists()


@pytest.mark.parametrize("days", [1, -1], ids=["tomorrow", "before joining"])
def test_only_days_of_membership_until_today_can_be_amended(mine, days):
    url = reverse("time_day", args=[TODAY + timedelta(days=days)])
    refused = mine.post(url, ENOUGH | {"project": "lights"})
    assert (refused.status_code, list(refused.context["problems"])) == (422, ["day"])


def test_a_form_that_is_posted_twice_amends_once(mine):
    key = str(uuid.uuid4())
    for _ in range(2):
        assert of_day(mine, project="lights", **ENOUGH, submission_key=key).status_code == 302
    assert TimeAmendment.objects.count() == 1


def test_nobody_sees_the_time_of_another(mine, alice, lights):
    of_day(mine, project="lights", **ENOUGH)
    bob = signed_in(join(lights, "bob"))
    assert bob.get(reverse("time")).context["rows"] == []
    context = of_day(bob).context
    assert (context["rows"], list(context["pieces"]), list(context["amendments"])) == ([], [], [])


def test_nobody_amends_in_a_project_of_others(lights):
    carol = signed_in(join(project("elsewhere"), "carol"))
    assert list(of_day(carol, project="lights", **ENOUGH).context["problems"]) == ["project"]


def test_people_who_were_not_measured_are_told_how_it_begins(lights):
    shown = signed_in(join(lights, "dora")).get(reverse("time"))
    assert "No time measured yet" in shown.content.decode()


def test_home_and_the_bar_at_work_show_the_time_of_today(mine, lights):
    assert "32 min" in mine.get(reverse("home")).content.decode()
    page = mine.post(reverse("claim", args=["lights", "annotate"]), follow=True).content.decode()
    assert "2 finished today" in page
    assert "<span data-time-today>32 min</span>" in page


def test_long_lists_have_pages(mine, monkeypatch):
    monkeypatch.setattr("frontend.my_time.PIECES", 1)
    first = of_day(mine).context["pieces"]
    second = mine.get(reverse("time_day", args=[TODAY]) + "?page=2").context["pieces"]
    assert (len(first.object_list), len(second.object_list), first.paginator.num_pages) == (1, 1, 2)
    assert "?page=2" in of_day(mine).content.decode()


def test_a_date_leads_to_its_day_and_anything_else_to_the_list(mine):
    assert mine.get(reverse("time") + "?day=2026-11-19")["Location"] == "/time/2026-11-19/"
    assert mine.get(reverse("time") + "?day=2026-13-45").status_code == 200
    assert mine.get("/time/2026-13-45/").status_code == 404


def test_the_database_refuses_an_amendment_without_minutes_or_reason(alice, lights):
    for minutes, note in ((0, "why"), (5, "")):
        with pytest.raises(IntegrityError), transaction.atomic():
            TimeAmendmentFactory(annotator=alice, project=lights, minutes=minutes, note=note)


def test_the_last_days_are_a_picture_before_the_list(mine):
    text = mine.get(reverse("time")).content.decode()
    label = "32 min on 1 day from 7 November to 20 November."
    assert text.index(f'aria-label="{label}"') < text.index('id="days"')


def test_the_picture_shows_fourteen_days_and_no_older_one(mine, alice, lights):
    for ago in (13, 14):
        day = TODAY - timedelta(days=ago)
        TimeAmendmentFactory(annotator=alice, project=lights, day=day, minutes=60)
    plot = mine.get(reverse("time")).context["plot"]
    assert plot.label.startswith("1 h 32 min on 2 days from 7 November to 20 November. Most on 7 November: 1 h 00 min.")


def test_a_day_from_which_time_was_taken_off_is_as_high_as_what_counts(mine):
    of_day(mine, project="lights", how="take", minutes="7", note="I was on the phone.")
    assert mine.get(reverse("time")).context["plot"].label.startswith("25 min on 1 day")


def test_without_any_time_there_is_no_picture(lights):
    assert signed_in(join(lights, "newcomer")).get(reverse("time")).context["plot"] is None


def pay_of(client):
    return client.get(reverse("time")).context["pay"]


def test_what_is_not_paid_yet_is_shown_and_what_a_lead_has_marked_as_paid(mine, alice, lights):
    (row,) = pay_of(mine).projects
    assert (row.owed, row.paid) == ("6.72 EUR", "")
    PaymentFactory(project=lights, annotator=alice, by=join(lights, "lena", "lead"), note="Transfer 7", seconds=900)
    found = pay_of(mine)
    (row,), (paid,) = found.projects, found.payments
    assert (row.owed, row.paid) == ("3.57 EUR", "3.00 EUR")
    assert (paid.amount, paid.on, paid.note) == ("3.00 EUR", TODAY, "Transfer 7")
    assert "Transfer 7" in mine.get(reverse("time")).content.decode()


def test_all_that_is_paid_leaves_nothing_and_a_payment_that_was_undone_is_none(mine, alice, lights):
    lena = join(lights, "lena", "lead")
    paid = PaymentFactory(project=lights, annotator=alice, by=lena, seconds=1920)
    assert pay_of(mine).projects[0].owed == ""
    payments.undo_payments(lights, paid.settlement, person=None, by=lena, now=NOON)
    (row,) = pay_of(mine).projects
    assert (row.owed, row.paid, pay_of(mine).payments) == ("6.72 EUR", "", [])


def test_nobody_sees_what_others_were_paid(mine, alice, lights):
    bob, lena = join(lights, "bob"), join(lights, "lena", "lead")
    PaymentFactory(project=lights, annotator=bob, by=lena, note="Only for Bob")
    assert pay_of(mine).payments == []
    assert "Only for Bob" not in mine.get(reverse("time")).content.decode()
