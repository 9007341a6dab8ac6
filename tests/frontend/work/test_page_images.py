"""Images of a page reach the frame of its holder through a signed URL only, and nobody before "good"."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from annotation import randomness
from annotation.models import Membership, User
from frontend import image_urls
from tasks.engine import skip_and_return
from tests.builders import BAD, GOOD, NO_ANSWER, PAGE, Worker, open_with, project, questions
from tests.people import NOON, join
from tests.pictures import png

pytestmark = pytest.mark.django_db
REEF = png(44, 30, comment=b"the reef")
WITH_IMAGES = PAGE.replace(
    "The first harbour light", '<img src="reef.png" width="22" alt="The reef"><img src="gone.png" alt="Gone"> The first'
).replace("Two keepers", '<img src="https://example.org/far.png" alt="Far"> Two keepers')


@pytest.fixture
def mine(nq, alice, tmp_path):
    """Alice's work on a page with a stored, a missing and a remote image; nothing is answered yet."""
    (tmp_path / "reef.png").write_bytes(REEF)
    open_with(nq, tmp_path, questions(1, page=WITH_IMAGES))
    return Worker(alice, nq).claim()


@pytest.fixture
def good(mine, alice, nq):
    Worker(alice, nq).commit(mine, "question", GOOD)
    return mine


def browser(user: User | None = None) -> Client:
    client = Client(SERVER_NAME="127.0.0.1")
    if user is not None:
        client.force_login(user)
    return client


def signed(mine, stage: str = "long_answer", place: int = 1, **change) -> str:
    named = {"uuid": mine.uuid, "step": stage, "token": image_urls.token(mine.uuid, stage), "place": place}
    return reverse("picture", kwargs=named | change)


def frame(mine, alice):
    return browser(alice).get(reverse("frame", args=[mine.uuid, "long_answer"]))


def test_the_frame_shows_the_stored_image_and_the_alt_texts_of_the_others(good, alice):
    html = frame(good, alice).content.decode()
    (image,) = re.findall("<img[^>]*>", html)
    assert 'alt="The reef" width="22" height="15"' in image
    assert '<span class="gf-image" role="img" aria-label="Gone"></span>' in html
    assert '<span class="gf-image" role="img" aria-label="Far"></span>' in html
    assert "example.org" not in html
    assert "reef.png" not in html


def test_the_url_in_the_frame_gives_the_image_without_a_session(good, alice):
    address = re.search('<img[^>]* src="([^"]*)"', frame(good, alice).content.decode())[1]
    response = browser().get(address.removeprefix("http://127.0.0.1"))
    assert (response.status_code, response["Content-Type"], response.content) == (200, "image/png", REEF)
    assert "no-store" in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert {"default-src 'none'", "sandbox"} <= set(response["Content-Security-Policy"].split("; "))


def test_the_policy_of_the_frame_allows_the_images_of_this_page_and_no_others(good, alice):
    response = frame(good, alice)
    allowed = re.search("img-src ([^;]*)", response["Content-Security-Policy"])[1]
    assert allowed == f"http://127.0.0.1{signed(good).removesuffix('1/')}"
    assert f'src="{allowed}1/"' in response.content.decode()
    assert "default-src 'none'" in response["Content-Security-Policy"]


def test_a_frame_without_images_allows_none(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    worker = Worker(alice, nq)
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    assert "img-src" not in frame(mine, alice)["Content-Security-Policy"]


def missing() -> bytes:
    return browser().get(f"/picture/{randomness.handle()}/long_answer/x/1/").content


def test_before_good_a_validly_signed_url_is_a_404(mine, alice):
    for who in (browser(), browser(alice)):
        assert who.get(signed(mine)).status_code == 404
    assert browser().get(signed(mine)).content == missing()


def test_after_bad_it_always_is(mine, alice, nq):
    Worker(alice, nq).commit(mine, "question", BAD)
    assert browser(alice).get(signed(mine)).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"place": 0},
        {"place": 2},
        {"token": "x"},
        {"step": "question"},
        {"step": "short_answer"},
        {"uuid": "00000000-0000-4000-8000-000000000000"},
    ],
)
def test_other_documents_stages_and_guesses_are_a_404(good, change):
    response = browser().get(signed(good, **change))
    assert (response.status_code, response.content) == (404, missing())


def test_a_url_of_another_stage_is_not_valid_for_this_one(good):
    other = image_urls.token(good.uuid, "short_answer")
    assert browser().get(signed(good, token=other)).status_code == 404


def test_the_url_expires_with_the_day_the_work_and_the_membership(good, alice, nq):
    address = signed(good)
    assert browser().get(address).status_code == 200
    with time_machine.travel(timedelta(hours=13), tick=False):
        assert browser().get(address).status_code == 404
    alice.is_active = False
    alice.save()
    assert browser().get(address).status_code == 404
    alice.is_active = True
    alice.save()
    Membership.objects.filter(user=alice).update(ended_at=NOON)
    assert browser().get(address).status_code == 404


def test_finished_or_returned_work_shows_no_image_any_more(good, alice, nq):
    Worker(alice, nq).commit(good, "long_answer", NO_ANSWER)
    assert browser(alice).get(signed(good)).status_code == 404


def test_returned_work_shows_no_image_any_more(good, alice):
    skip_and_return.give_back(good, by=alice, now=NOON)
    assert browser(alice).get(signed(good)).status_code == 404


def test_images_reveal_nothing_of_work_elsewhere(good):
    join(project("elsewhere"), "otto")
    assert browser().get(signed(good, place=99)).content == missing()
