"""Who sees an item of an exam on the real work screen, and what is not in it."""

from __future__ import annotations

import re
from random import Random

from django.urls import resolve, reverse

from annotation.models import User
from frontend.bots.bot import Bot
from tests.builders import BAD
from tests.frontend.leads.items.test_trying import SECRETS, browser
from tests.people import join
from tests.qualification.courses.building import with_spare
from tests.qualification.courses.on_screen import answered, begun, examined

CLIENT_OF = re.compile(rb'(data-client|name="client" value|data-time-left)="[^"]*"|data-words>[^<]*')
"""What else differs each time a screen is opened: the page load, and the seconds that are left."""


def test_nobody_else_can_open_the_work_of_an_exam_and_no_image_of_it(sitting_it):
    row, _candidate, _exam, page = sitting_it
    for person in (join(row.project, "carol"), User.objects.get(username="lena")):
        assert browser(person).get(page).status_code == 404


def test_skipping_and_returning_are_not_found_and_reporting_stays_at_the_item(sitting_it):
    _row, candidate, exam, page = sitting_it
    for name in ("skip", "give_back", "renew"):
        assert candidate.post(reverse(name, args=[resolve(page).kwargs["uuid"]])).status_code == 404
    said = candidate.post(reverse("report", args=[resolve(page).kwargs["uuid"]]), {"reason": "broken"})
    assert said["Location"] == exam
    assert candidate.get(exam)["Location"] == page


def test_neither_the_reference_nor_the_reasons_are_in_what_the_screen_of_an_exam_gets(good):
    made, lena, reference = good
    asked = with_spare(reference, note="Zq7note", explanations={"question": "Zq7reason"})
    row = examined(made, *asked, lead=lena)
    candidate, exam = begun(join(made, "alice"), row)
    seen = candidate.get(exam, follow=True).content.decode()
    bot = Bot(User.objects.get(username="alice"), Random(1), think=lambda *_: BAD)
    answered(bot, candidate.get(exam)["Location"])
    seen += candidate.get(exam, follow=True).content.decode()
    assert "Zq7" not in seen


def test_the_screen_is_the_same_in_a_world_with_another_reference(sitting_it):
    row, candidate, _exam, page = sitting_it
    here = SECRETS.sub(b"", CLIENT_OF.sub(b"", candidate.get(page).content))
    version = row.course_versions.get()
    for item in version.content["blocks"][0]["pool"][:1]:
        item["references"][0]["answers"][0]["answer"] = {"verdict": "good", "reasons": []}
        item |= {"concept": "Another", "note": "Another note", "title": "Another title"}
    version.save(update_fields=["content"])
    assert SECRETS.sub(b"", CLIENT_OF.sub(b"", candidate.get(page).content)) == here
