"""A lead settles pay from one table: what each person is owed since the last time, marked as paid, and undone."""

from __future__ import annotations

import csv
import html
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotation import randomness
from annotation.engine import exclusion
from annotation.models import Annotation, Payment, Project, User
from annotation.setup import changes
from annotation.worktime import totals
from frontend.middleware.each_request import COOKIE
from qualification import invitations
from qualification.invitations import Guest
from tests.boards import bring_up_to_date
from tests.builders import BAD, Worker, open_with, project, questions, reload, spend
from tests.disagreeing import browser
from tests.factories.people import ParticipantFactory
from tests.people import NOON, join

DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def worked_once(shared_rows, tmp_path_factory):
    """Ada has worked for half an hour, ben not yet; lena leads."""
    made = project(pay="12.00 EUR an hour", activities={"annotate": {"overlap": {"train": 3}}})
    open_with(made, tmp_path_factory.mktemp("lights"), questions(6))
    ada, _ben, _lena = (
        join(made, name, role) for name, role in (("ada", "annotator"), ("ben", "annotator"), ("lena", "lead"))
    )
    work(Worker(ada, made), minutes=30)


@pytest.fixture
def lights(worked_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def lena(lights):
    return User.objects.get(username="lena")


@pytest.fixture
def lead(lena):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return client


def work(worker: Worker, *, minutes: int, begun: datetime = NOON):
    """A bad question, with input all the time."""
    held = worker.claim(now=begun)
    at = begun + timedelta(minutes=minutes)
    spend(held, now=at, ms=minutes * 60_000, active=minutes * 60_000)
    worker.commit(held, "question", BAD, now=at)
    bring_up_to_date(worker.project, now=at)
    return reload(held)


@pytest.fixture
def ada(lights):
    return Worker(User.objects.get(username="ada"), lights)


@pytest.fixture
def ben(lights):
    return Worker(User.objects.get(username="ben"), lights)


def shown(lead, lights, **asked):
    return lead.get(reverse("pay", args=[lights.slug]), asked)


def table(lead, lights, **asked):
    """The rows by user name."""
    return {row.name: row for row in shown(lead, lights, **asked).context["table"].rows}


def pay(lead, lights, *, only: str = "", key=None, seen: str | None = None, asked=None, follow=False, **sent):
    """What the form of the page sends, for everybody or for one code."""
    address = reverse("pay", args=[lights.slug])
    if key is None or seen is None:
        page = shown(lead, lights, **(asked or {}))
        key, seen = key or page.context["key"], page.context["table"].seen if seen is None else seen
        address = f"{address}?{page.context['query']}"
    fields = {"key": key, "seen": seen, "paid_on": "2026-11-20", "note": "", "only": only}
    return lead.post(address, fields | sent, follow=follow)


def owed(lead, lights, **asked):
    return {name: row.owed for name, row in table(lead, lights, **asked).items()}


def test_the_table_has_names_codes_work_hours_and_what_is_owed(lead, lights, lena, ada, ben):
    ParticipantFactory(user=ben.user, project=lights, external_id="5f3A")
    invite(lights, lena, "Ada Lovelace", ada.user)
    [done] = Annotation.objects.filter(author=ada.user)
    work(ada, minutes=15, begun=NOON + timedelta(hours=1))
    work(ben, minutes=20)
    exclusion.exclude(lights, uuids=[done.uuid], by=lena, reason="a slip", now=NOON)
    found = table(lead, lights)
    mine, his = found["ada"], found["ben"]
    assert (mine.invited, mine.code, mine.accepted, mine.did.excluded) == ("Ada Lovelace", ada.user.worker_code, 1, 1)
    assert (round(mine.did.counted), mine.earned, mine.owed, mine.paid) == (2700, Decimal("9.00"), Decimal("9.00"), [])
    assert (his.external_id, his.accepted, his.owed) == ("5f3A", 1, Decimal("4.00"))
    page = html.unescape(shown(lead, lights).content.decode())
    assert "<b>13.00 EUR</b> is owed to <b>2 people</b>." in page
    assert "Mark 13.00 EUR as paid to 2 people" in page


def invite(lights, lena, name, person):
    """An invitation for that name, which this account has accepted."""
    [made] = invitations.make(lights, [Guest(name=name)], days=7, key=randomness.handle(), by=lena, now=NOON)
    lights.invites.filter(pk=made.invite.pk).update(used_by=person, used_at=NOON)


def test_the_same_rows_are_a_csv_file(lead, lights, ada):
    pay(lead, lights, note="Transfer 7")
    sent = lead.get(reverse("pay_csv", args=[lights.slug]), {"since": "2026-11-20", "until": "2026-11-20"})
    [row] = csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig")))
    assert (row["user_name"], row["accepted"], row["worked_hours"], row["earned"]) == ("ada", "1", "0.50", "6.00")
    assert (row["owed"], row["paid"], row["currency"]) == ("0.00", "6.00", "EUR")
    assert (row["paid_on"], row["note"], row["since"]) == ("2026-11-20", "Transfer 7", "2026-11-20")


def test_everybody_is_marked_as_paid_at_once_with_day_and_note(lead, lights, lena, ada, ben):
    work(ben, minutes=20)
    page = html.unescape(pay(lead, lights, note="Transfer 7", follow=True).content.decode())
    assert "2 people are marked as paid." in page
    assert "Transfer 7" in page
    assert owed(lead, lights) == {"ada": 0, "ben": 0}
    rows = Payment.objects.order_by("amount")
    assert [(row.amount, row.currency, row.seconds, row.paid_on, row.by) for row in rows] == [
        (Decimal("4.00"), "EUR", 1200, date(2026, 11, 20), lena),
        (Decimal("6.00"), "EUR", 1800, date(2026, 11, 20), lena),
    ]


def test_one_person_is_marked_as_paid_and_the_others_are_still_owed(lead, lights, ada, ben):
    work(ben, minutes=20)
    pay(lead, lights, only=ben.user.worker_code)
    assert owed(lead, lights) == {"ada": Decimal("6.00"), "ben": 0}


def test_a_form_that_is_sent_twice_pays_once(lead, lights, ada):
    key, seen = randomness.handle(), f"{ada.user.worker_code}:1800"
    for _again in range(2):
        assert pay(lead, lights, key=key, seen=seen).status_code == 302
    assert Payment.objects.count() == 1


def test_what_two_leads_see_is_paid_once(lead, lights, ada):
    seen = shown(lead, lights).context["table"].seen
    pay(lead, lights, seen=seen)
    assert pay(lead, lights, seen=seen).status_code == 409
    assert Payment.objects.count() == 1


def test_exactly_what_is_owed_can_be_paid_and_not_a_second_more(lead, lights, ada):
    assert pay(lead, lights, seen=f"{ada.user.worker_code}:1801").status_code == 409
    assert pay(lead, lights, seen=f"{ada.user.worker_code}:1800").status_code == 302


def test_time_that_is_measured_while_the_lead_looks_is_owed_the_next_time(lead, lights, ada):
    seen = shown(lead, lights).context["table"].seen
    work(ada, minutes=10, begun=NOON + timedelta(hours=1))
    assert pay(lead, lights, seen=seen).status_code == 302
    assert owed(lead, lights) == {"ada": Decimal("2.00")}


def test_a_payment_is_undone_for_one_person_and_is_then_owed_again(lead, lights, ada, ben):
    work(ben, minutes=20)
    pay(lead, lights)
    [form] = set(Payment.objects.values_list("settlement", flat=True))
    address = reverse("undo_pay", args=[lights.slug, form])
    assert lead.post(address, {"person": ada.user.worker_code}).status_code == 302
    assert owed(lead, lights) == {"ada": Decimal("6.00"), "ben": 0}
    assert lead.post(address, {"person": ada.user.worker_code}).status_code == 409
    assert lead.post(address).status_code == 302
    assert owed(lead, lights) == {"ada": Decimal("6.00"), "ben": Decimal("4.00")}
    assert Payment.objects.count() == 4


def test_the_message_of_a_payment_has_the_button_that_undoes_it(lead, lights, ada):
    page = pay(lead, lights, follow=True).content.decode()
    assert page.count(reverse("undo_pay", args=[lights.slug, Payment.objects.get().settlement])) == 2


def test_the_next_period_begins_after_the_last_one_and_late_amendments_are_carried(lead, lights, ada):
    pay(lead, lights, asked={"since": "", "until": "2026-11-20"})
    amend(lights, ada, minutes=5)
    work(ada, minutes=15, begun=NOON + DAY)
    page = shown(lead, lights, until="2026-12-01")
    assert page.context["table"].period.since == date(2026, 11, 21)
    [row] = page.context["table"].rows
    assert (row.earned, row.carried, row.owed) == (Decimal("3.00"), Decimal("1.00"), Decimal("4.00"))
    assert "1.00 from before" in page.content.decode()


def amend(lights, worker, *, minutes):
    key, at = randomness.handle(), NOON + timedelta(hours=3)
    totals.amend(lights, by=worker.user, day=NOON.date(), minutes=minutes, note="Read it.", key=key, now=at)


def test_after_an_amendment_that_takes_paid_time_off_nothing_is_owed(lead, lights, ada):
    pay(lead, lights)
    amend(lights, ada, minutes=-10)
    assert owed(lead, lights) == {"ada": Decimal("-2.00")}
    page = shown(lead, lights)
    assert not page.context["table"].due
    assert pay(lead, lights, seen=f"{ada.user.worker_code}:600").status_code == 409


def test_another_rate_is_about_work_that_is_not_paid_yet(lead, lights, lena, ada):
    pay(lead, lights)
    changes.change(lights, config={"pay": "24.00 EUR an hour"}, by=lena, now=NOON)
    work(ada, minutes=15, begun=NOON + timedelta(hours=1))
    assert owed(lead, lights) == {"ada": Decimal("6.00")}


@pytest.mark.parametrize("rate", ["9.00 GBP an hour", "As agreed"])
def test_what_was_paid_at_another_rate_keeps_its_currency(lead, lights, lena, ada, ben, rate):
    work(ben, minutes=20)
    pay(lead, lights, only=ada.user.worker_code)
    changes.change(lights, config={"pay": rate}, by=lena, now=NOON)
    page = shown(lead, lights, since="", until="2026-11-20").content.decode()
    assert "6.00 EUR · 20 Nov 2026" in " ".join(page.split())
    sent = lead.get(reverse("pay_csv", args=[lights.slug]), {"since": "", "until": "2026-11-20"})
    [hers, his] = csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig")))
    assert (hers["paid_otherwise"], his["paid_otherwise"]) == ("6.00 EUR", "")
    assert hers["paid"] == ("0" if "GBP" in rate else "")


def test_without_a_rate_hours_of_whoever_was_not_paid_stay_on_the_page(lead, lights, lena, ada, ben):
    work(ben, minutes=20)
    pay(lead, lights, only=ada.user.worker_code)
    changes.change(lights, config={"pay": "As agreed"}, by=lena, now=NOON)
    assert table(lead, lights, until="2026-12-01")["ben"].did.counted == 1200


ZONES = {"": 1200, "Asia/Tokyo": 0, "America/St_Johns": 1800, "Asia/Kolkata": 0}
"""The seconds of the first day."""
OTHER_ZONES = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_pay.py::test_days_are_those_of_the_readers_zone"
)
EAST_AND_WEST = [("Asia/Tokyo", "America/St_Johns"), pytest.param(("", "Asia/Kolkata"), marks=OTHER_ZONES)]


@pytest.mark.parametrize("zones", EAST_AND_WEST)
def test_days_are_those_of_the_readers_zone(lead, lights, ben, zones):
    """20 minutes until 23:40 UTC on the 20th, and 10 until 00:20 on the 21st: both are the 21st in the east."""
    work(ben, minutes=20, begun=datetime(2026, 11, 20, 23, 20, tzinfo=UTC))
    work(ben, minutes=10, begun=datetime(2026, 11, 21, 0, 10, tzinfo=UTC))
    days = [{"since": f"2026-11-{day}", "until": f"2026-11-{day}"} for day in (20, 21)]
    for zone in zones:
        first = ZONES[zone]
        lead.cookies[COOKIE] = zone
        found = [table(lead, lights, **day).get("ben") for day in days]
        seconds = [round(row.did.counted) if row else 0 for row in found]
        assert seconds == [first, 1800 - first], zone
        pieces = first // 1200 + first // 1800
        assert [row.did.finished if row else 0 for row in found] == [pieces, 2 - pieces], zone


def test_without_a_rate_the_table_has_work_and_hours_alone(lead, lights, lena, ada):
    changes.change(lights, config={"pay": "As agreed"}, by=lena, now=NOON)
    page = shown(lead, lights)
    assert "Mark paid" not in page.content.decode()
    assert [row.accepted for row in page.context["table"].rows] == [1]
    assert pay(lead, lights, seen=f"{ada.user.worker_code}:1800").status_code == 422
    assert not Payment.objects.exists()


def test_a_form_that_says_too_little_or_too_much_is_shown_again(lead, lights, ada):
    seen = f"{ada.user.worker_code}:1800"
    for sent, said in (
        ({"paid_on": ""}, "Say on which day."),
        ({"paid_on": "soon"}, "Say on which day."),
        ({"paid_on": "2999-01-01"}, "This day has not come yet."),
        ({"note": "x" * 501}, "at most 500 characters"),
    ):
        answer = pay(lead, lights, key=randomness.handle(), seen=seen, **sent)
        assert answer.status_code == 422, sent
        assert said in answer.content.decode()
        assert not Payment.objects.exists()


def test_an_empty_project_says_that_there_is_nothing_to_settle(db):
    empty = project("empty")
    assert "Nothing to settle" in shown(browser(join(empty, "lena", "lead")), empty).content.decode()
