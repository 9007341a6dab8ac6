"""Requests that no page of ours makes are refused politely."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Event, Flag
from tasks.models import Assignment
from tests.builders import open_with, questions

NUL = "%00"


@pytest.fixture
def signed_in(nq, alice) -> Client:
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(alice)
    return client


@pytest.mark.parametrize("day", ["9999-12-31", "2026-02-30", "0000-01-01"])
def test_a_day_without_a_next_one_does_not_exist(signed_in, day):
    assert signed_in.get(f"/time/{day}/").status_code == 404
    assert signed_in.post(f"/time/{day}/").status_code == 404


@pytest.mark.parametrize("day", ["9999-12-30", "0001-01-01"])
def test_the_first_and_the_last_day_but_one_have_a_page(signed_in, day):
    assert signed_in.get(f"/time/{day}/").status_code == 200


@pytest.mark.parametrize("activity", ["no-such-activity", "ask"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_no_work_is_given_in_an_activity_that_the_project_does_not_have(signed_in, activity, headers):
    for data in ({}, {"item": "x"}, {"item": "\0"}):
        assert signed_in.post(f"/projects/lights/{activity}/next/", data, headers=headers).status_code == 404


def test_a_nul_in_the_name_of_a_stage_is_not_found(signed_in):
    for path in (f"/work/6fa459ea-ee8a-3ca4-894e-db77e160355e/{NUL}/draft/", f"/projects/{NUL}/"):
        assert signed_in.post(path).status_code == 404


BODIES = {
    "too many fields": ("application/x-www-form-urlencoded", "&".join(f"field{number}" for number in range(1200))),
    "no boundary": ("multipart/form-data", "x"),
    "a boundary that is too long": (f"multipart/form-data; boundary={'b' * 300}", "x"),
    "a part with a header that is too long": (
        "multipart/form-data; boundary=x",
        f"--x\r\nContent-Disposition: form-data; name={'n' * 5000}\r\n\r\n\r\n--x--\r\n",
    ),
}


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_that_cannot_be_read_is_refused_with_400_and_at_an_unknown_address_with_404(signed_in, kind):
    client = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies, content_type, body = signed_in.cookies, *BODIES[kind]
    client.cookies["csrftoken"] = "c" * 32
    for path, status in (("/login/", 400), ("/projects/lights/consent/", 400), ("/no/such/address/", 404)):
        answer = client.post(path, body, content_type=content_type)
        assert answer.status_code == status, (path, answer.content)


@pytest.mark.parametrize("host", ["a,b", "[::1", "elsewhere.example"])
@pytest.mark.parametrize("kind", BODIES)
def test_so_it_is_when_the_host_is_wrong_too(db, kind, host):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False, headers={"host": host})
    content_type, body = BODIES[kind]
    assert client.post("/login/", body, content_type=content_type).status_code == 400


def claimed(browser, slug):
    """The address of the work that they are given."""
    browser.post(reverse("claim", args=[slug, "annotate"]))
    return reverse("work", args=[Assignment.objects.get(state="leased").uuid])


def test_nul_characters_in_a_form_or_a_query_are_left_out(signed_in, nq, tmp_path):
    open_with(nq, tmp_path, questions(2))
    page = claimed(signed_in, nq.slug)
    assert signed_in.post(f"{page}take/", {"client": str(uuid.uuid4()), "stage": "quest\0ion"}).status_code == 200
    signed_in.post(f"{page}skip/", {"reason": "other", "text": "one\0 word"})
    assert Event.objects.get(kind="assignment.skipped").data["text"] == "one word"
    signed_in.post(f"{claimed(signed_in, nq.slug)}report/", {"reason": "broken", "text": "cut\0 off"})
    assert Flag.objects.get().text == "cut off"
    assert signed_in.get("/finished/", {"page": "1\0"}).status_code == 200


@pytest.mark.parametrize("name", ["items", "keys", "values", "0", "get"])
def test_a_refusal_shows_what_was_sent_whatever_its_field_is_called(signed_in, nq, alice, lena, name):
    signed_in.force_login(lena)
    end = reverse("end_membership", args=[nq.slug, alice.worker_code])
    answer = signed_in.post(end, {"role": "annotator", "reason": "", name: "what I wrote", "blank": " "})
    assert answer.status_code == 422
    assert f"{name}: what I wrote\n" in answer.content.decode()
    assert "blank" not in answer.content.decode()
