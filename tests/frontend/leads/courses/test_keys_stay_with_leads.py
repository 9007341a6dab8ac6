"""Right options, explanations, notes and marks leave the pages of a course for its leads alone."""

from __future__ import annotations

import hashlib

import pytest
from django.test import Client

from annotation.models import Role, User
from frontend.views.people import course_urls
from qualification.courses import pictures
from tests.builders import project
from tests.people import NOON, join
from tests.pictures import png
from tests.qualification.courses.building import prepare, sit

CANARIES = ("Option 0 of", "Explanation 0 of", "Note of", "Stem of", "Written in a picture")
PICTURE = png(comment=b"Written in a picture")
PARTS = {"part": "task", "block": "task", "piece": "task-0", "version": 1, "event": 1, "extra": 1, "table": "items"}
PARTS |= {"activity": "annotate", "item_id": 1, "sha256": hashlib.sha256(PICTURE).hexdigest()}


def answers(person, desk, attempt):
    """What that person gets at every address of the course, by GET and by POST."""
    browser = Client(SERVER_NAME="127.0.0.1")
    if person is not None:
        browser.force_login(person)
    where = {"slug": desk.qualification.project.slug, "qualification": desk.qualification.key}
    parts = PARTS | where | {"attempt": attempt.uuid}
    for route in course_urls.urlpatterns:
        address = "/" + "".join(_filled(str(route.pattern), parts))
        for method in (browser.get, browser.post):
            answer = method(address)
            content = answer.content
            yield content.decode(errors="replace") + str(answer.headers)


def _filled(pattern, parts):
    for piece in pattern.replace(">", "<").split("<"):
        yield str(parts[piece.split(":")[1]]) if ":" in piece else piece


@pytest.fixture
def sat(desk, drafted, alice, lena):
    pictures.keep(desk.qualification.project, PICTURE, by=lena, now=NOON)
    published = desk.post("publish_course", edits=0)
    assert published.status_code == 200
    desk.send("edit_course")
    prepare(alice, desk.qualification)
    return sit(alice, desk.qualification)


def test_nobody_else_gets_a_key_and_the_control_a_lead_gets_them(desk, sat, nq, alice, lena):
    join(project("elsewhere"), "otto", Role.LEAD)
    join(nq, "erin", Role.EXPERT)
    for name in ("alice", "erin", "otto"):
        for text in answers(User.objects.get(username=name), desk, sat):
            assert not any(canary in text for canary in CANARIES)
    for text in answers(None, desk, sat):
        assert not any(canary in text for canary in CANARIES)
    missing = set(CANARIES)
    for text in answers(lena, desk, sat):
        missing -= {canary for canary in missing if canary in text}
        if not missing:
            break
    assert not missing
