"""A rater finds the round at home, judges on the work screen, and locks; nobody else gets anywhere."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation import randomness
from annotation.judging import rounds
from annotation.models import Rater, Response, Role
from tasks.judging import ending, looking, raters, working
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import draft
from tests.tasks.judging.sealed_once import sealed, sealed_once

__all__ = ["sealed", "sealed_once"]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def erin(experts):
    client = Client()
    client.force_login(experts[0])
    return client


def fields(page: str) -> dict[str, str]:
    """The hidden fields of the form that answers."""
    form = re.search(r"<form[^>]*data-commit.*?</form>", page, re.S)[0]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))


def judge(client: Client, address: str, mark: str, **more: str):
    page = client.get(address).content.decode()
    stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
    return client.post(stage, fields(page) | {"mark": mark, "part": "", "comment": "", **more})


def test_the_round_is_on_the_home_page_until_it_is_locked(sealed, erin):
    def home() -> str:
        return erin.get(reverse("home")).content.decode()

    assert "3 exhibits to judge" in home()
    at = erin.post(reverse("begin_judging", args=[sealed.uuid])).url
    assert "3 exhibits left" in home()
    for _ in range(3):
        at = judge(erin, at, "C").url
    assert at == reverse("judge", args=[sealed.uuid])
    assert "all judged, not locked yet" in home()
    erin.post(reverse("lock_marks", args=[sealed.uuid]))
    assert "Long answers" not in home()


def test_the_screen_shows_the_question_and_the_passage_and_no_name_or_title_of_the_page(sealed, erin):
    page = erin.get(erin.post(reverse("begin_judging", args=[sealed.uuid])).url)
    text = page.content.decode()
    assert "who tended light number" in text
    assert "Does the passage answer the question?" in text
    frame = erin.get(re.search(r'<iframe sandbox="allow-scripts" src="([^"]+)"', text)[1]).content.decode()
    assert "first harbour light" in frame
    assert "Two keepers" not in frame
    assert "ada" not in re.sub(r"\w*ada\w+|\w+ada\w*", "", text + frame)
    assert "Harbour lights" not in text


def test_a_mark_with_a_comment_is_stored_and_shown_again(sealed, erin, experts):
    at = erin.post(reverse("begin_judging", args=[sealed.uuid])).url
    judge(erin, at, "Cd", comment="Why mercury?")
    stored = Response.objects.get(author=experts[0])
    assert stored.payload == {"mark": "Cd", "part": "", "comment": "Why mercury?"}
    again = erin.get(at).content.decode()
    assert "Why mercury?" in again
    assert re.search(r'value="Cd"\s+checked', again)


def test_no_mark_is_no_answer(sealed, erin):
    at = erin.post(reverse("begin_judging", args=[sealed.uuid])).url
    refused = judge(erin, at, "")
    assert refused.status_code == 422
    assert "Choose a mark." in refused.content.decode()


def test_work_of_a_locked_round_leads_to_the_page_of_the_round(sealed, erin, experts):
    lease = working.begin(sealed, by=experts[0], now=sealed.sealed_at)
    addresses = [reverse("work", args=[work.uuid]) for work in working.work_in(lease)]
    for address in addresses:
        judge(erin, address, "W")
    erin.post(reverse("lock_marks", args=[sealed.uuid]))
    assert erin.get(addresses[0]).url == reverse("judge", args=[sealed.uuid])
    assert "Your marks are final" in erin.get(reverse("judge", args=[sealed.uuid])).content.decode()


def test_a_round_is_not_locked_while_something_is_left(sealed, erin):
    judge(erin, erin.post(reverse("begin_judging", args=[sealed.uuid])).url, "C")
    said = erin.post(reverse("lock_marks", args=[sealed.uuid]), follow=True).content.decode()
    assert "Some exhibits have no mark yet." in said
    assert not Rater.objects.filter(locked_at__isnull=False).exists()


@pytest.mark.parametrize("name", ["judge", "begin_judging", "lock_marks"])
def test_nobody_who_is_no_rater_gets_anywhere(sealed, lights, name):
    other = Client()
    other.force_login(join(lights, "oskar", Role.EXPERT))
    method = other.get if name == "judge" else other.post
    assert method(reverse(name, args=[sealed.uuid])).status_code == 404


def test_a_rater_sees_neither_the_marks_nor_the_progress_of_others(sealed, erin, experts, lights):
    other = Client()
    other.force_login(experts[1])
    at = other.post(reverse("begin_judging", args=[sealed.uuid])).url
    before = erin.get(reverse("judge", args=[sealed.uuid])).content
    judge(other, at, "W", comment="SENTINEL")
    after = erin.get(reverse("judge", args=[sealed.uuid])).content
    cut = re.compile(rb"(nonce|csrfmiddlewaretoken)[^>]*>")
    assert cut.sub(b"", before) == cut.sub(b"", after)


def test_guidelines_on_an_exhibit_are_the_definitions_of_the_round(sealed, erin):
    page = erin.get(erin.post(reverse("begin_judging", args=[sealed.uuid])).url).content.decode()
    [link] = re.findall(r'href="([^"#]+)#\w*"[^>]*\s+rel="noopener" data-guidelines', page)
    assert link == reverse("judge", args=[sealed.uuid])
    text = erin.get(link).content.decode().partition("data-guidelines-text")[2]
    assert "There is no convincing evidence that it is right." in text


def test_a_round_is_not_on_the_home_page_of_whoever_is_left_out_of_everything(sealed, lights, lead):
    join(lights, "ada", Role.EXPERT)
    raters.name(sealed, lights.memberships.filter(user__username="ada").first().user, by=lead, now=NOON)
    ada = Client()
    ada.force_login(lights.memberships.filter(user__username="ada").first().user)
    assert sealed.title not in ada.get(reverse("home")).content.decode()


def test_a_rater_alone_is_not_told_how_many_are_done(lights, lead, experts):
    row = draft(lights, lead)
    raters.name(row, experts[0], by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    client = Client()
    client.force_login(experts[0])
    for page in (
        client.get(reverse("judge", args=[row.uuid])),
        client.get(client.post(reverse("begin_judging", args=[row.uuid])).url),
    ):
        assert not re.search(r"raters? (is|are) done", page.content.decode())


def test_the_home_page_counts_what_the_rater_judges(sealed, erin, experts):
    looking.look(experts[0], "lights", sealed.exhibits.get(place=0).item_id, now=NOON)
    assert "2 exhibits to judge" in erin.get(reverse("home")).content.decode()


@pytest.fixture
def exhibits(sealed, experts):
    """The addresses of the rater's exhibits, in their order."""
    lease = working.begin(sealed, by=experts[0], now=sealed.sealed_at)
    return [reverse("work", args=[work.uuid]) for work in working.work_in(lease)]


def stage_of(client: Client, address: str) -> tuple[str, dict[str, str]]:
    """The address to which a page of an exhibit sends a mark, and the hidden fields of its form."""
    page = client.get(address).content.decode()
    return re.search(r'data-url-stage="([^"]+)"', page)[1], fields(page)


def way_on(page: str, button: str) -> tuple[str, str]:
    """The method and the address of the form with this button."""
    form = page[: page.index(button)].rpartition("<form ")[2]
    return re.match(r'method="(\w+)" action="([^"]+)"', form).groups()


def second_mark(client: Client, address: str):
    """What an older page is answered that sends another mark for an exhibit."""
    stage, shown = stage_of(client, address)
    judge(client, address, "C")
    other = shown | {"mark": "W", "part": "", "comment": "", "submission_key": str(randomness.handle())}
    return client.post(stage, other, headers=HTMX)


def test_keeping_the_first_mark_leads_to_the_next_exhibit_and_at_the_last_one_to_the_round(sealed, erin, exhibits):
    round_page = reverse("judge", args=[sealed.uuid])
    for address, following in zip(exhibits, [*exhibits[1:], round_page], strict=True):
        refused = second_mark(erin, address)
        assert refused.status_code == 409
        assert way_on(refused.content.decode(), "Keep the first, go on") == ("get", following)
        assert erin.get(following).status_code == 200


def test_next_one_leads_from_a_round_that_was_stopped_to_its_page(sealed, erin, exhibits, lead):
    stage, shown = stage_of(erin, exhibits[0])
    ending.stop(sealed, why="a mistake in the sample", by=lead, now=NOON)
    refused = erin.post(stage, shown | {"mark": "C", "part": "", "comment": ""}, headers=HTMX)
    assert refused.status_code == 409
    method, following = way_on(refused.content.decode(), "Next one")
    assert (method, following) == ("get", reverse("judge", args=[sealed.uuid]))
    assert "a mistake in the sample" in erin.get(following).content.decode()
