"""Times are shown in the zone that the browser names in a cookie, and say which one it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.urls import reverse
from django.utils import timezone

from frontend.middleware.each_request import COOKIE, zone_called
from tests.builders import Worker, open_with, questions

LATE = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)


def written(format: str, at: datetime | None = LATE) -> str:
    return Template("{% load goldfinch %}{{ at|moment:format }}").render(Context({"at": at, "format": format}))


@pytest.mark.parametrize(
    ("zone", "text", "title"),
    [
        ("", "20 November, 23:30 UTC", "Coordinated Universal Time"),
        ("Asia/Tokyo", "21 November, 08:30", "Asia/Tokyo (UTC+09:00)"),
        ("America/St_Johns", "20 November, 20:00", "America/St_Johns (UTC-03:30)"),
    ],
)
def test_a_time_is_that_of_the_zone_and_names_it_on_hover(zone, text, title):
    with timezone.override(zone_called(zone)):
        shown = written("j F, H:i")
    assert f'title="{title}">{text}</time>' in shown


def test_a_day_alone_does_not_say_utc():
    assert ">20 November 2026</time>" in written("j F Y")


def test_no_time_is_nothing():
    assert written("H:i", at=None) == ""


@pytest.mark.parametrize("name", ["", "Nowhere/Such", "../../etc/passwd", "Europe", "/etc/passwd", "x" * 65, "a\x00b"])
def test_a_cookie_that_names_no_zone_means_utc(name):
    assert zone_called(name) is None


def test_a_lead_s_page_shows_times_in_the_lead_s_zone(nq, lena, alice, client, tmp_path):
    open_with(nq, tmp_path, questions(1))
    page = reverse("item_history", args=[nq.slug, nq.items.get().pk])
    Worker(alice, nq).claim(now=LATE)
    client.force_login(lena)
    assert " UTC</time>" in client.get(page).content.decode()
    client.cookies[COOKIE] = "Asia/Tokyo"
    shown = client.get(page).content.decode()
    assert 'title="Asia/Tokyo (UTC+09:00)"' in shown
    assert "UTC</time>" not in shown


def test_a_page_that_counts_days_which_are_those_of_utc_shows_all_times_in_utc(nq, lena, client, tmp_path):
    open_with(nq, tmp_path, questions(1))
    client.force_login(lena)
    client.cookies[COOKIE] = "Asia/Tokyo"
    shown = client.get(reverse("project", args=[nq.slug])).content.decode()
    assert " UTC</time>" in shown
    assert "Asia/Tokyo" not in shown


def test_home_shows_the_end_of_a_hold_in_the_reader_s_zone(nq, alice, client, tmp_path):
    open_with(nq, tmp_path, questions(1))
    held = Worker(alice, nq).claim(now=LATE)
    client.force_login(alice)
    assert "Yours until <time" in client.get(reverse("home")).content.decode()
    assert "23:50 UTC</time>" in client.get(reverse("home")).content.decode()
    client.cookies[COOKIE] = "Asia/Tokyo"
    shown = client.get(reverse("home")).content.decode()
    assert ">Sat 21 Nov 08:50</time>" in shown
    assert "UTC</time>" not in shown
    assert held.lease.expires_at.hour == 23
    assert timezone.get_current_timezone_name() == "UTC"
