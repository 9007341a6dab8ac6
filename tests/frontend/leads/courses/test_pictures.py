"""A lead adds pictures to an item, each with a text for whoever doesn't see it; a set-up file names them."""

from __future__ import annotations

import hashlib
import re

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Document, Role
from annotation.setup import files, schema
from qualification.courses import editing, pictures
from qualification.courses.content import LONGEST_ALT, MOST_PICTURES
from qualification.models import CoursePicture
from tasks.setup import outline
from tests.builders import project
from tests.factories.qualification import CourseVersionFactory
from tests.frontend.leads.courses.conftest import Desk
from tests.frontend.leads.courses.test_building import ITEM, shown
from tests.people import NOON, join
from tests.pictures import png
from tests.qualification.courses.building import choice, three_blocks, with_pictures

MAP, CHART = png(8, 6), png(60, 40, colour=b"\xa0\x20\x20")
NAMES = [hashlib.sha256(data).hexdigest() for data in (MAP, CHART)]


def file(data, name="map.png"):
    return {"new_picture": SimpleUploadedFile(name, data)}


def kept(*rows):
    """What the form sends of pictures that it shows: (hash, text)."""
    return {
        name: value
        for n, (sha256, alt) in enumerate(rows)
        for name, value in ((f"picture_{n}", sha256), (f"alt_{n}", alt))
    }


def test_a_picture_is_added_with_its_text_seen_in_the_form_and_saved_with_the_item(desk, drafted):
    added = desk.post("new_course_item", "task", edits=0, go="add-picture", new_alt="A map", **ITEM, **file(MAP))
    page = shown(added)
    address = desk.url("course_picture", NAMES[0])
    assert f'<img src="{address}" alt="">' in page
    assert f'name="picture_0" value="{NAMES[0]}"' in page
    assert "Which is it?" in page
    assert "Write at least two options" not in page
    assert desk.get("course_picture", NAMES[0]).content == MAP
    assert desk.draft.edits == 0
    assert "Added a picture for the courses of the project" in desk.text("course_draft")
    desk.send("new_course_item", "task", edits=0, **ITEM, **kept((NAMES[0], "A map")))
    [item] = [each for each in desk.course.items().values() if each.pictures and each.stem == "Which is it?"]
    assert [(each.sha256, each.alt) for each in item.pictures] == [(NAMES[0], "A map")]
    assert 'alt="A map"' in desk.text("course_version", 1)


def test_a_file_that_is_chosen_when_the_item_is_saved_is_saved_with_it(desk, drafted):
    desk.send("course_item", "task", "task-0", edits=0, new_alt="A map", **ITEM, **file(MAP))
    assert [each.alt for each in desk.course.items()["task-0"].pictures] == ["A map"]


def test_a_picture_without_a_text_is_refused_and_kept_in_the_form(desk, drafted):
    answer = desk.post("course_item", "task", "task-0", edits=0, **ITEM, **file(MAP))
    assert answer.status_code == 422
    assert "Say what the picture shows" in shown(answer)
    assert NAMES[0] in shown(answer)
    assert desk.draft.edits == 0


def test_what_is_no_picture_or_too_large_is_refused_with_what_would_do(desk, drafted):
    for data in (b"", b"<svg xmlns='x'></svg>", b"%PDF-1.7", MAP[:20], png(comment=b"x" * 4 * 2**20)):
        answer = desk.post("course_item", "task", "task-0", edits=0, new_alt="A map", **ITEM, **file(data, "notes.svg"))
        assert answer.status_code == 422
        page = shown(answer)
        assert "notes.svg can’t be used. Pictures are PNG, JPEG, GIF or WebP files of at most 4 MB" in page
        assert ">A map</textarea>" in page
        assert not CoursePicture.objects.exists()


def test_a_button_without_a_file_asks_for_one(desk, drafted):
    answer = desk.post("course_item", "task", "task-0", edits=0, go="add-picture", **ITEM)
    assert (answer.status_code, "Choose a file first." in shown(answer)) == (422, True)


def test_one_of_two_pictures_is_left_out(desk, drafted, nq, lena):
    for data in (MAP, CHART):
        pictures.keep(nq, data, by=lena, now=NOON)
    rows = kept((NAMES[0], "A map"), (NAMES[1], "A chart"))
    page = shown(desk.post("course_item", "task", "task-0", edits=0, go="without-0", **ITEM, **rows))
    assert re.findall(r'name="picture_(\d)" value="([0-9a-f]+)"', page) == [("0", NAMES[1])]
    assert "A chart" in page
    assert "A map" not in page


def test_an_item_has_four_pictures_at_most(desk, drafted, nq, lena):
    four = [pictures.keep(nq, png(n, 1), by=lena, now=NOON) for n in range(1, MOST_PICTURES + 1)]
    rows = kept(*((each, "A bar") for each in four))
    page = desk.post("course_item", "task", "task-0", edits=0, go="preview", **ITEM, **rows)
    assert (page.status_code, "Add a picture" in shown(page)) == (200, False)
    more = desk.post("course_item", "task", "task-0", edits=0, new_alt="A map", **ITEM, **rows, **file(MAP))
    assert (more.status_code, "An item has 4 pictures at most." in shown(more)) == (422, True)


def test_the_text_of_a_picture_has_500_characters_at_most(desk, drafted, nq, lena):
    pictures.keep(nq, MAP, by=lena, now=NOON)
    for length, status in ((LONGEST_ALT + 1, 422), (LONGEST_ALT, 302)):
        sent = ITEM | kept((NAMES[0], "x" * length))
        assert desk.post("course_item", "task", "task-0", follow=False, edits=0, **sent).status_code == status


def test_the_same_picture_twice_is_one_with_the_later_text(desk, drafted, nq, lena):
    pictures.keep(nq, MAP, by=lena, now=NOON)
    sent = ITEM | kept((NAMES[0], "A map")) | file(MAP)
    desk.send("course_item", "task", "task-0", edits=0, new_alt="A map of reefs", **sent)
    assert [each.alt for each in desk.course.items()["task-0"].pictures] == ["A map of reefs"]
    assert (CoursePicture.objects.count(), Document.objects.filter(sha256=NAMES[0]).count()) == (1, 1)


def test_a_picture_of_another_project_is_not_served_to_whoever_knows_its_hash(desk, drafted, lena):
    other = project("elsewhere")
    pictures.keep(other, MAP, by=None, now=NOON)
    join(other, "lena", Role.LEAD)
    assert desk.get("course_picture", NAMES[0]).status_code == 404
    desk.send("new_course_item", "task", edits=0, **ITEM, **kept((NAMES[0], "A map")))
    page = desk.text("course_draft")
    assert "A picture of this item is missing here" in page
    assert "1 picture is missing. Choose its file:" in page


def test_missing_pictures_are_added_all_at_once_and_other_files_are_named(desk, drafted, nq, lena):
    asked = with_pictures(three_blocks(), *NAMES)
    editing.save(desk.draft, asked, edits=0, by=lena, now=NOON)
    assert "2 pictures are missing. Choose their files:" in desk.text("course_draft")
    sent = [SimpleUploadedFile(name, data) for name, data in (("a.png", MAP), ("b.png", CHART), ("c.png", png(1, 1)))]
    page = shown(desk.client.post(desk.url("add_course_pictures"), {"picture": sent}, follow=True))
    assert "2 pictures are added." in page
    assert "None of the missing pictures: c.png." in page
    assert pictures.missing(asked, nq) == []
    assert "picture is missing" not in page


def test_a_file_that_a_course_names_and_that_is_no_picture_is_not_added(desk, drafted, nq, lena):
    page = b"<html>no picture</html>"
    editing.save(
        desk.draft, with_pictures(three_blocks(), hashlib.sha256(page).hexdigest()), edits=0, by=lena, now=NOON
    )
    said = shown(desk.post("add_course_pictures", picture=SimpleUploadedFile("page.html", page)))
    assert "None of the missing pictures: page.html." in said
    assert not CoursePicture.objects.exists()


def test_missing_pictures_without_a_file_ask_for_one(desk, drafted):
    assert "Choose a file first." in shown(desk.post("add_course_pictures"))


def test_a_course_with_a_missing_picture_can_not_be_published_or_sat(desk, reading, lena):
    asked = with_pictures(three_blocks(attempts=2), NAMES[0])
    draft = editing.edit(reading, start=asked, by=lena, now=NOON)
    desk.send("publish_course", edits=0)
    desk.send("sit_course", draft.version)
    assert (editing.published(reading), reading.attempts.count()) == (None, 0)
    pictures.keep(reading.project, MAP, by=lena, now=NOON)
    desk.send("publish_course", edits=0)
    assert editing.published(reading) == draft


def test_a_set_up_file_names_pictures_and_takes_them_from_a_project_that_its_maker_leads(nq, reading, lena):
    asked = with_pictures(three_blocks(), NAMES[0])
    pictures.keep(nq, MAP, by=lena, now=NOON)
    CourseVersionFactory(qualification=reading, course=asked)
    text = files.write(outline.setup_of(nq))
    assert f"sha256: {NAMES[0]}" in text
    setup = files.read(text.encode())
    second = schema.make_project(setup.model_copy(update={"slug": "second"}), by=lena, now=NOON)
    assert editing.read(editing.published(second.qualifications.get())) == asked
    stranger = join(project("elsewhere"), "otto", Role.LEAD)
    third = schema.make_project(setup.model_copy(update={"slug": "third"}), by=stranger, now=NOON)
    row = third.qualifications.get()
    assert editing.published(row) is None
    assert pictures.missing(editing.read(editing.draft_of(row)), third) == [NAMES[0]]


def test_a_list_of_items_may_name_pictures_that_the_project_has(desk, drafted, nq, lena):
    pictures.keep(nq, MAP, by=lena, now=NOON)
    text = f"- stem: Where?\n  pictures: [{{sha256: {NAMES[0]}, alt: A map}}]\n"
    text += "  options: [{text: A, right: true}, {text: B}]"
    desk.send("many_items", "task", edits=0, text=text)
    [item] = [each for each in desk.course.items().values() if each.pictures]
    assert (item.stem, item.pictures[0].alt) == ("Where?", "A map")


def test_a_picture_that_is_left_out_of_a_draft_stays_in_the_version_that_has_it(desk, nq, reading, lena):
    pictures.keep(nq, MAP, by=lena, now=NOON)
    CourseVersionFactory(qualification=reading, course=with_pictures(three_blocks(), NAMES[0]))
    draft = editing.edit(reading, by=lena, now=NOON)
    editing.save(draft, three_blocks(), edits=0, by=lena, now=NOON)
    assert NAMES[0] in desk.text("course_version", 1)
    assert choice("task-0").pictures == ()
    assert Desk(desk.client, reading).get("course_picture", NAMES[0]).content == MAP
