"""A lead writes a course: rules, blocks, items, lists of items; publishes it, and nothing typed is lost."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Event
from frontend.leads.courses import overview
from qualification.courses import content, editing, enrolling, pieces
from tests.factories.qualification import CourseVersionFactory
from tests.people import NOON
from tests.qualification.courses.building import block, choice, course, three_blocks

RULES = {"attempts": "3", "wait_hours": "12", "minutes": "", "extension": "0", "paid": "on", "guidelines": "# Read"}
BLOCK = {"title": "Reading", "about": "", "draw": "2", "mark": "1,5"}
ITEM = {
    "stem": "Which is it?",
    "concept": "paths",
    "note": "",
    "text_0": "This",
    "right_0": "on",
    "explanation_0": "As written.",
    "text_1": "That",
}


def shown(answer):
    return " ".join(answer.content.decode().split())


def test_a_course_is_written_from_nothing_and_published(desk):
    assert "There is no course yet" in desk.text("course_draft")
    desk.send("edit_course")
    assert "The exam has no block yet" in desk.text("course_draft")
    desk.send("course_rules", edits=0, **RULES | {"attempts": "1"})
    desk.send("new_block", edits=1, **BLOCK)
    [made] = desk.course.blocks
    assert (made.needed, len(made.key)) == (content.Fraction("1.5"), 8)
    page = desk.text("course_draft")
    assert f'{desk.url("course_part", made.key)}"> <b>Reading</b></a>: 4 more items are needed: 2 are drawn' in page
    for n in range(4):
        desk.send("new_course_item", made.key, edits=2 + n, **ITEM | {"stem": f"Which, {n}?"})
    page = desk.text("course_draft")
    assert "Passed with 1.5 of 2" in page
    assert "Who begins from now on gets it." in page
    assert "Version 1 is published" in shown(desk.post("publish_course", edits=6))
    assert editing.published(desk.qualification).version == 1


def test_rules_that_can_not_be_are_refused_at_their_field(desk, drafted):
    for changed, words in (
        ({"attempts": "0"}, "greater than or equal to 1"),
        ({"paid": "", "minutes": "10", "extension": "6"}, "at most 15"),
        ({"paid": "", "minutes": ""}, "at most 15"),
    ):
        answer = desk.post("course_rules", edits=0, **RULES | changed)
        assert answer.status_code == 422, changed
        assert words in shown(answer)
        assert desk.draft.edits == 0, changed


def test_fifteen_minutes_can_be_unpaid(desk, drafted):
    desk.send("course_rules", edits=0, **RULES | {"paid": "", "minutes": "10", "extension": "5"})
    assert (desk.course.paid, desk.course.minutes) == (False, 10)


def test_guidelines_are_previewed_without_saving(desk, drafted):
    answer = desk.post("course_rules", edits=0, go="preview", **RULES | {"guidelines": "A **bold** word"})
    assert "A <strong>bold</strong> word" in shown(answer)
    assert desk.draft.edits == 0


def test_a_block_that_nobody_can_pass_is_refused(desk, drafted):
    for changed, words in (
        ({"mark": "2.1"}, "More points than can be reached"),
        ({"mark": "half"}, "Write a number"),
        ({"title": ""}, "title"),
    ):
        answer = desk.post("new_block", edits=0, **BLOCK | changed)
        assert answer.status_code == 422, changed
        assert words in shown(answer)


def test_a_block_can_need_all_of_its_points(desk, drafted):
    desk.send("course_block", "task", edits=0, **BLOCK | {"mark": "2"})
    changed = desk.course.block("task")
    assert (changed.needed, changed.title, len(changed.pool)) == (2, "Reading", 6)


def test_an_item_that_is_none_is_refused_and_kept(desk, drafted):
    for changed, words in (
        ({"right_0": ""}, "Say which option is right"),
        ({"text_1": ""}, "Write at least two options."),
        ({"text_1": "This"}, "Another option has the same text."),
        ({"explanation_3": "Because"}, "This option has no text."),
        ({"stem": " "}, "Write what is asked."),
    ):
        answer = desk.post("new_course_item", "task", edits=0, **ITEM | changed)
        assert answer.status_code == 422, changed
        assert words in shown(answer)
        assert "As written." in shown(answer), changed
        assert desk.draft.edits == 0, changed


def test_an_item_has_eight_options_and_the_form_has_room_for_two_more(desk, drafted):
    more = {f"text_{n}": f"Option {n}" for n in range(2, 8)}
    desk.send("course_item", "task", "task-0", edits=0, **ITEM | more)
    assert len(desk.course.items()["task-0"].options) == 8
    page = desk.get("course_item", "task", "task-1").content.decode()
    assert len(re.findall(r'name="text_\d"', page)) == 5
    assert '<option value="about task">' in page


def test_an_item_is_previewed_and_then_another_is_added(desk, drafted):
    answer = desk.post("new_course_item", "task", edits=0, go="preview", **ITEM)
    assert "As written." in shown(answer)
    assert desk.draft.edits == 0
    answer = desk.post("new_course_item", "task", edits=0, go="another", follow=False, **ITEM)
    assert answer["Location"] == desk.url("new_course_item", "task")
    assert desk.course.block("task").pool[-1].stem == "Which is it?"


def test_what_was_typed_is_kept_where_somebody_else_was_first(desk, drafted, lena):
    editing.save(drafted, course(block("task")), edits=0, by=lena, now=NOON)
    answer = desk.post("course_item", "task", "task-0", edits=0, **ITEM)
    assert answer.status_code == 409
    page = shown(answer)
    assert "Somebody has changed the course since you opened this page." in page
    assert "As written." in page
    assert 'name="edits" value="1"' in page
    desk.send("course_item", "task", "task-0", edits=1, **ITEM)
    assert desk.course.items()["task-0"].stem == "Which is it?"


def test_an_item_that_somebody_deleted_meanwhile_is_saved_as_a_new_one(desk, drafted):
    desk.send("arrange_pieces", "task", edits=0, act="delete:task-0")
    assert desk.post("course_item", "task", "task-0", edits=0, **ITEM).status_code == 409
    desk.send("course_item", "task", "task-0", edits=1, **ITEM)
    assert desk.course.block("task").pool[-1].stem == "Which is it?"


def test_pieces_are_moved_copied_deleted_and_brought_back(desk, drafted):
    desk.send("arrange_pieces", pieces.BLOCKS, edits=0, act="up:task")
    assert [each.key for each in desk.course.blocks] == ["background", "task", "reading"]
    desk.send("arrange_pieces", "task", edits=1, act="copy:task-0")
    assert [each.stem for each in desk.course.block("task").pool[:2]] == ["Stem of task-0"] * 2
    page = shown(desk.post("arrange_pieces", pieces.BLOCKS, edits=2, act="delete:task"))
    assert "“Task” is deleted." in page
    [undo] = set(re.findall(r'action="([^"]+/course/back/\d+/)"', page))
    assert len(desk.course.blocks) == 2
    desk.client.post(undo)
    assert [len(each.pool) for each in desk.course.blocks] == [6, 7, 6]


def test_a_page_that_is_out_of_date_arranges_nothing(desk, drafted):
    desk.send("arrange_pieces", "task", edits=0, act="down:task-0")
    assert desk.post("arrange_pieces", "task", edits=0, act="delete:task-0").status_code == 409
    assert len(desk.course.block("task").pool) == 6


def test_what_is_no_act_is_not_found(desk, drafted):
    for act in ("", "delete", "explode:task-0", "up:nothing"):
        assert desk.post("arrange_pieces", "task", edits=0, act=act).status_code == 404, act


def test_only_what_was_taken_out_of_this_course_comes_back(desk, drafted):
    other = Event.objects.filter(kind="qualification.made").latest("pk")
    assert desk.post("bring_back_piece", other.pk).status_code == 404
    assert desk.post("bring_back_piece", 10**9).status_code == 404


LIST = "- stem: One\n  options: [{text: A, right: true}, {text: B}]\n- stem: Two\n  options: [{text: A}, {text: B}]\n"


def test_a_list_is_added_as_a_whole_or_not_at_all(desk, drafted):
    answer = desk.post("many_items", "task", edits=0, text=LIST)
    assert answer.status_code == 422
    page = shown(answer)
    assert "Line 3:" in page
    assert "item 2" in page
    assert "No option is right." in page
    assert "stem: One" in page
    assert desk.draft.edits == 0
    right = LIST.replace("[{text: A}", "[{text: A, right: true}").encode()
    desk.send("many_items", "task", edits=0, text="", file=SimpleUploadedFile("items.yaml", right))
    assert [each.stem for each in desk.course.block("task").pool[-2:]] == ["One", "Two"]


def test_a_list_that_was_added_is_taken_out_again_but_for_what_was_changed_since(desk, drafted):
    right = LIST.replace("[{text: A}", "[{text: A, right: true}")
    page = shown(desk.post("many_items", "task", edits=0, text=right))
    changed = desk.course.block("task").pool[-1]
    sent = {"stem": "Two, changed", "text_0": "A", "right_0": "on", "text_1": "B"}
    desk.send("course_item", "task", changed.key, edits=1, **sent)
    event = Event.objects.filter(kind="course.changed", data__what="items").get()
    undo = desk.url("bring_back_piece", event.pk)
    assert undo in page
    assert undo in desk.text("course_draft")
    desk.send("bring_back_piece", event.pk)
    stems = [each.stem for each in desk.course.block("task").pool]
    assert stems[-1] == "Two, changed"
    assert "One" not in stems
    assert "Took added items out again: 1" in desk.text("course_draft")


def test_publishing_says_who_finishes_what_they_began(desk, published, alice, lena):
    enrolling.enrol(alice, desk.qualification, now=NOON)
    desk.send("edit_course")
    page = desk.text("course_draft")
    assert "Until you publish it, people begin version 1." in page
    assert "1 person finishes the version that they began." in page
    assert "1 person took it" in page


def test_discarding_can_be_undone(desk, published):
    desk.send("edit_course")
    assert "Discard changes" not in desk.text("course_draft")
    desk.post("arrange_pieces", "task", edits=0, act="delete:task-0")
    page = shown(desk.post("discard_course", edits=1))
    assert desk.course == three_blocks()
    [undo] = set(re.findall(r'action="([^"]+/course/back/\d+/)"', page.split("<h1", 1)[0]))
    desk.client.post(undo)
    assert len(desk.course.block("task").pool) == 5


def test_a_course_is_closed_and_opened_again(desk, published):
    assert "nobody begins it any more" in shown(desk.post("close_course", how="close"))
    assert editing.published(desk.qualification) is None
    desk.send("close_course", how="open")
    assert editing.published(desk.qualification) == published
    assert desk.post("close_course", how="sideways").status_code == 404


def test_an_unfinished_draft_is_not_published(desk, reading, lena):
    editing.edit(reading, by=lena, now=NOON)
    assert desk.post("publish_course", edits=0).status_code == 409


def test_a_version_is_shown_whole(desk, published):
    page = desk.text("course_version", 1)
    for words in ("Stem of task-5", "Explanation 0 of task-5", "Note of tutorial-1", "Passed with 2 of 2"):
        assert words in page


def test_every_change_has_words(desk, drafted):
    desk.send("course_rules", edits=0, **RULES)
    for n, act in enumerate(("copy:task-0", "delete:task-1", "up:task-2")):
        desk.send("arrange_pieces", "task", edits=1 + n, act=act)
    page = desk.text("course_draft")
    for words in ("Changed the rules", "Copied “Stem of task-0”", "Deleted “Stem of task-1”", "Moved “Stem of task-2”"):
        assert words in page
    kinds = Event.objects.filter(kind="course.changed").values_list("data", flat=True)
    assert all(data["what"] in overview.CHANGES for data in kinds)


@pytest.mark.parametrize(
    ("points", "words"), [("4", "4"), ("4.6", "4.6"), ("7/2", "3.5"), ("7/3", "7/3"), ("0.125", "0.125")]
)
def test_points_are_said_exactly(points, words):
    assert overview.points_in_words(content.Fraction(points)) == words


def test_markdown_of_an_item_is_escaped(desk, reading):
    said = choice("task-0").model_copy(update={"stem": "<script>alert(1)</script> *so*"})
    CourseVersionFactory(qualification=reading, course=pieces.with_piece(course(), "task", said))
    page = desk.text("course_version", 1)
    assert "<script>alert" not in page
    assert "<em>so</em>" in page
