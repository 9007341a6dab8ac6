"""A lead's browser uploads a file in parts, and goes on where it was cut; who may no longer upload is stopped."""

from __future__ import annotations

from itertools import product

import pytest
from django.urls import reverse

from annotation import membership
from annotation.imports import uploads
from annotation.models import Membership, Role, Upload
from tests.builders import project
from tests.frontend.leads.imports.conftest import JSON, Browser
from tests.people import NOON, join

DATA = bytes(range(256)) * 20


@pytest.fixture
def begun(lead, nq):
    return lead.begin(nq.slug, "q.jsonl", DATA).json()


def test_a_file_arrives_part_by_part(lead, begun):
    assert (begun["received"], begun["checksum"]) == (0, 0)
    assert lead.part(begun["url"], DATA, 0, 3000).json()["received"] == 3000
    state = lead.part(begun["url"], DATA, 3000, len(DATA)).json()
    assert state["received"] == len(DATA)
    assert uploads.path_of(Upload.objects.get()).read_bytes() == DATA


def test_a_part_is_not_kept_in_its_request(lead, begun):
    """Requests live until the garbage is collected, which is rarely."""
    assert not hasattr(lead.part(begun["url"], DATA, 0, 3000).wsgi_request, "_body")


def test_after_a_cut_the_browser_is_told_where_to_go_on(lead, begun, nq, lena):
    lead.part(begun["url"], DATA, 0, 3000)
    assert lead.get(begun["url"], headers=JSON).json()["received"] == 3000
    signed_in_again = Browser(lena)
    assert signed_in_again.begin(nq.slug, "q.jsonl", DATA).json() == lead.get(begun["url"]).json()
    assert signed_in_again.part(begun["url"], DATA, 3000, 4000).json()["received"] == 4000


@pytest.mark.parametrize(
    ("start", "end", "checksum", "status", "reason"),
    [
        (0, 3000, None, 200, ""),
        (4000, 5000, None, 409, "part_elsewhere"),
        (3000, 4000, 1, 422, "damaged"),
        (3000, 3000, None, 200, ""),
    ],
)
def test_a_part_is_answered_by_what_is_wrong_with_it(lead, begun, start, end, checksum, status, reason):
    lead.part(begun["url"], DATA, 0, 3000)
    answer = lead.part(begun["url"], DATA, start, end, checksum=checksum)
    assert (answer.status_code, answer.json().get("reason", "")) == (status, reason)
    assert lead.get(begun["url"], headers=JSON).json()["received"] == 3000


def test_a_part_without_its_place_is_refused(lead, begun):
    for name, value in product(("Upload-Offset", "Upload-Checksum"), ("", "-1", "1.5", "٣", "9" * 40)):
        place = JSON | {"Upload-Offset": "0", "Upload-Checksum": "0"} | {name: value}
        answer = lead.post(begun["url"], b"x", content_type="application/octet-stream", headers=place)
        assert answer.status_code == 422, (name, value)


def test_a_right_that_is_taken_away_stops_the_upload_at_the_next_part(lead, begun, nq, lena):
    lead.part(begun["url"], DATA, 0, 3000)
    Membership.objects.filter(user=lena, project=nq).update(ended_at=NOON)
    assert lead.part(begun["url"], DATA, 3000, 4000).status_code == 404
    assert Upload.objects.get().received == 3000


def test_another_lead_cannot_add_to_an_upload(begun, nq):
    luke = Browser(join(nq, "luke", Role.LEAD))
    assert luke.part(begun["url"], DATA, 0, 3000).status_code == 404
    assert luke.post(begun["remove"]).status_code == 404


def test_an_upload_is_found_in_its_own_project_only(lead, begun, lena):
    elsewhere = project("elsewhere")
    membership.add(project=elsewhere, username="lena", role=Role.LEAD, by=None, now=NOON)
    uuid = begun["uuid"]
    assert lead.get(reverse("upload", args=[elsewhere.slug, uuid])).status_code == 404
    assert lead.start(elsewhere.slug, file=uuid).status_code == 404


def test_an_unfinished_upload_is_on_the_page_and_can_be_removed(lead, begun, nq, django_capture_on_commit_callbacks):
    lead.part(begun["url"], DATA, 0, 3000)
    page = lead.get(reverse("imports", args=[nq.slug]))
    assert [(row.name, row.received) for row in page.context["uploads"]] == [("q.jsonl", 3000)]
    with django_capture_on_commit_callbacks(execute=True):
        lead.post(begun["remove"])
    assert not Upload.objects.exists()
    assert lead.part(begun["url"], DATA, 3000, 4000).status_code == 404


def test_a_refusal_is_a_sentence_for_the_script(lead, nq):
    answer = lead.begin(nq.slug, "q.jsonl", b"")
    assert (answer.status_code, answer.json()["message"]) == (422, "The file is empty.")


def test_a_file_that_has_not_arrived_as_a_whole_is_not_imported(lead, begun, nq):
    lead.part(begun["url"], DATA, 0, 3000)
    assert lead.start(nq.slug, file=begun["uuid"]).status_code == 422
    assert not nq.jobs.exists()
