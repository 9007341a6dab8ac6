"""A lead puts items of the work into a course: found in the list, with answers as references, and set aside by it."""

from __future__ import annotations

import re
from random import Random

import orjson
import pytest
from django.urls import reverse

from annotation.models import Event, Item, Project, Purpose, Role, User
from frontend.bots.bot import Bot
from qualification.courses import editing, pieces, real_items
from tasks.items import setting_aside
from tasks.models import Assignment
from tests import disagreeing
from tests.builders import Worker
from tests.disagreeing import NOTHING, box
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.leads.courses.conftest import Desk
from tests.frontend.leads.courses.working import answers_to, put_aside, real_item
from tests.people import NOON, join
from tests.qualification.courses.building import block, course

FIELDS = {"title": "Who tended it", "concept": "boxes", "note": "", "explanation_long_answer": "The *first* box."}


@pytest.fixture(scope="module")
def answered_once(shared_rows, tmp_path_factory):
    """An item that two people have answered: not in the page, and in its first box; lena leads its project."""
    made = disagreeing.lights(tmp_path_factory.mktemp("lights"), people=3, of=3)
    join(made, "lena", Role.LEAD)
    return disagreeing.answered(made, NOTHING, box(0)).pk


@pytest.fixture
def harbour(answered_once, db) -> Project:
    return Project.objects.get()


@pytest.fixture
def answered(answered_once, db) -> Item:
    return Item.objects.select_related("project").get(pk=answered_once)


@pytest.fixture
def lena(answered_once, db) -> User:
    return User.objects.get(username="lena")


@pytest.fixture
def desk(harbour, lena, client):
    client.force_login(lena)
    return Desk(client, QualificationFactory(project=harbour))


@pytest.fixture
def drafted(desk, lena):
    return editing.edit(desk.qualification, start=course(block("task", pool=0)), by=lena, now=NOON)


def shown(answer) -> str:
    return " ".join(answer.content.decode().split())


def add(desk, item, chosen, **fields):
    """Send the page of references of the item, for the pool of the block."""
    sent = {"edits": 0, "reference": [str(each.uuid) for each in chosen], **FIELDS, **fields}
    return desk.post("course_references", "task", "annotate", item.pk, **sent)


def test_an_item_is_found_in_the_list_of_items_and_opened_with_its_answers(desk, drafted, answered):
    part = desk.text("course_part", "task")
    [listed] = re.findall(r'href="(/projects/lights/items/\?[^"]*)"', part)
    page = shown(desk.client.get(listed))
    assert "Choose an item for “Task” of the course" in page
    address = desk.url("course_references", "task", "annotate", answered.pk)
    assert f'href="{address}"' in page
    assert "who tended light number 0" in shown(desk.client.get(address))


def test_the_list_keeps_its_place_in_the_course_while_one_filters_it(desk, drafted, answered, lena):
    put_aside(answered, lena)
    wanted = "exam=reading.task.annotate"
    page = shown(desk.client.get(f"{reverse('items', args=['lights'])}?{wanted}&q=tended"))
    assert '<input type="hidden" name="exam" value="reading.task.annotate">' in page
    assert f'href="?state=set_aside&amp;{wanted}"' in page
    aside = shown(desk.client.get(f"{reverse('items', args=['lights'])}?state=set_aside&{wanted}"))
    assert desk.url("course_references", "task", "annotate", answered.pk) in aside


def test_a_place_that_is_none_is_left_out_of_the_list(desk, drafted, answered):
    for exam in ("reading.nowhere.annotate", "other.task.annotate", "reading.task.other", "reading"):
        page = shown(desk.client.get(reverse("items", args=["lights"]), {"exam": exam}))
        assert "Choose an item for" not in page, exam
        assert "who tended light number 0" in page, exam


def test_all_finished_answers_are_shown_and_those_that_are_ticked_become_references(desk, drafted, answered, lena):
    put_aside(answered, lena)
    nothing, boxed = answers_to(answered)
    page = desk.text("course_references", "task", "annotate", answered.pk)
    assert str(nothing.uuid) in page
    assert str(boxed.uuid) in page
    add(desk, answered, [boxed], follow=False)
    [item] = desk.course.block("task").pool
    assert item == real_item(item.key, answered, **{}).model_copy(
        update={
            "title": "Who tended it",
            "concept": "boxes",
            "explanations": {"long_answer": "The *first* box."},
            "references": (real_item("any", answered).references[1],),
        }
    )
    assert Event.objects.filter(kind="course.changed").last().data["sources"] == [str(boxed.uuid)]
    version = desk.text("course_version", 1)
    assert "Reference 1" in version
    assert "The <em>first</em> box." in version
    assert "Reference 2" not in version


def test_an_item_in_the_work_is_set_aside_in_the_same_step(desk, drafted, answered):
    page = desk.text("course_references", "task", "annotate", answered.pk)
    assert "1 open task is cancelled." in page
    assert "2 finished annotations leave progress and agreement." in page
    add(desk, answered, answers_to(answered), reason="for the exam", follow=False)
    answered.refresh_from_db()
    assert answered.set_aside_at is not None
    assert Event.objects.get(kind="item.set_aside").data["reason"] == "for the exam"
    assert len(desk.course.block("task").pool) == 1
    assert "set it aside first" not in desk.text("course_draft")


def test_without_a_reason_nothing_is_set_aside_and_nothing_typed_is_lost(desk, drafted, answered):
    answer = add(desk, answered, answers_to(answered)[:1], reason=" ")
    assert answer.status_code == 422
    page = shown(answer)
    assert "Say why it is set aside." in page
    assert "The *first* box." in page
    assert page.count("checked>") == 1
    answered.refresh_from_db()
    assert answered.set_aside_at is None
    assert desk.draft.edits == 0


def test_an_item_that_somebody_works_on_is_refused_with_the_reason(desk, drafted, answered):
    Worker(join(desk.qualification.project, "zoe"), desk.qualification.project).claim()
    assert Assignment.objects.filter(task__item=answered, annotator__username="zoe").exists()
    page = desk.text("course_references", "task", "annotate", answered.pk)
    assert "1 person is working on it. Set it aside once they have finished or returned it." in page
    answer = add(desk, answered, answers_to(answered), reason="for the exam")
    assert answer.status_code == 409
    assert "1 person is working on it." in shown(answer)
    assert desk.draft.edits == 0


def test_what_others_have_changed_meanwhile_keeps_the_item_in_the_work(desk, drafted, answered, lena):
    editing.save(drafted, editing.read(drafted), edits=0, by=lena, now=NOON)
    answer = add(desk, answered, answers_to(answered), reason="for the exam")
    assert answer.status_code == 409
    assert shown(answer).count("checked>") == 2
    answered.refresh_from_db()
    assert answered.set_aside_at is None
    assert add(desk, answered, answers_to(answered), reason="for the exam", edits=1).status_code == 200
    assert len(desk.course.block("task").pool) == 1


def test_no_answer_at_all_is_refused(desk, drafted, answered):
    answer = add(desk, answered, [], reason="for the exam")
    assert answer.status_code == 422
    assert "Choose at least one answer as a reference." in shown(answer)


def test_the_same_item_does_not_come_twice_into_a_course(desk, drafted, answered, lena):
    put_aside(answered, lena)
    add(desk, answered, answers_to(answered), follow=False)
    answer = desk.post(
        "course_references", pieces.TUTORIAL, "annotate", answered.pk, edits=1, reference=["x"], **FIELDS
    )
    assert answer.status_code == 422
    answer = desk.post(
        *("course_references", pieces.TUTORIAL, "annotate", answered.pk),
        **FIELDS | {"edits": 1, "reference": str(answers_to(answered)[0].uuid)},
    )
    assert answer.status_code == 409
    assert "The course has this item already, in “Task”." in shown(answer)
    desk.send("arrange_pieces", "task", edits=1, act=f"copy:{desk.course.block('task').pool[0].key}")
    assert "The course has this item of the work twice." in desk.text("course_draft")


def test_an_item_is_changed_and_keeps_references_that_nobody_says_any_more(desk, drafted, answered, lena):
    put_aside(answered, lena)
    real = real_item("harbour", answered)
    bad = {"step": "question", "format": "nq.question/1", "answer": {"verdict": "bad", "reasons": ["ambiguous"]}}
    older = real.references[0].model_validate_json(orjson.dumps({"answers": [bad]}))
    real = real.model_copy(update={"references": (older, real.references[1])})
    editing.save(drafted, pieces.with_piece(editing.read(drafted), "task", real), edits=0, by=lena, now=NOON)
    page = desk.text("course_item", "task", "harbour")
    assert "Copied earlier" in page
    assert page.count("checked>") == 2
    kept = re.search(r'value="(kept-[^"]*)"', page)[1]
    desk.send("course_item", "task", "harbour", **FIELDS | {"edits": 1, "reference": kept, "title": "Other"})
    [item] = desk.course.block("task").pool
    assert (item.title, item.references, item.key) == ("Other", (older,), "harbour")


def test_an_item_is_copied_moved_deleted_and_brought_back_like_others(desk, drafted, answered, lena):
    put_aside(answered, lena)
    add(desk, answered, answers_to(answered), follow=False)
    [item] = desk.course.block("task").pool
    page = shown(desk.post("arrange_pieces", "task", edits=1, act=f"delete:{item.key}"))
    assert "“Who tended it” is deleted." in page
    assert not desk.course.block("task").pool
    [undo] = re.findall(r'action="(/[^"]*/back/\d+/)"', page)
    desk.client.post(undo)
    assert desk.course.block("task").pool == (item,)


def test_a_list_in_yaml_can_have_items_of_the_work(desk, drafted, answered, lena):
    put_aside(answered, lena)
    real = real_item("harbour", answered)
    listed = orjson.dumps([real.model_dump(mode="json", exclude={"key"})]).decode()
    desk.send("many_items", "task", edits=0, text=listed)
    [item] = desk.course.block("task").pool
    assert item.model_copy(update={"key": "harbour"}) == real


def test_an_item_that_the_project_lacks_is_shown_as_what_is_missing(desk, drafted, answered, lena):
    name = {"kind": "question", "id": "elsewhere"}
    real = real_item("gone", answered).model_copy(update={"item": real_item("x", answered).item.model_validate(name)})
    editing.save(drafted, pieces.with_piece(editing.read(drafted), "task", real), edits=0, by=lena, now=NOON)
    for route, args in (("course_draft", ()), ("course_part", ("task",)), ("course_item", ("task", "gone"))):
        assert "The project has no item with this kind and id" in desk.text(route, *args)
    assert "elsewhere" in desk.text("course_version", 1)


def test_from_the_page_of_an_item_its_ticked_answers_go_into_a_course_and_a_draft_is_begun(desk, answered, lena):
    nothing, boxed = answers_to(answered)
    item = reverse("item", args=["lights", answered.pk])
    page = shown(desk.client.get(item))
    assert '<option value="reading._tutorial">' in page
    assert f'name="answer" value="{boxed.uuid}"' in page
    sent = {"where": "reading._tutorial", "activity": "annotate", "answer": [str(boxed.uuid)]}
    answer = desk.client.post(reverse("use_in_exam", args=["lights", answered.pk]), sent, follow=True)
    [(address, _status)] = answer.redirect_chain
    assert address == f"{desk.url('course_references', '_tutorial', 'annotate', answered.pk)}?answer={boxed.uuid}"
    assert desk.draft.version == 1
    assert re.findall(r'value="([^"]*)" checked', shown(answer)) == [str(boxed.uuid)]
    assert str(nothing.uuid) in shown(answer)


def test_the_parts_of_a_published_course_are_offered_on_the_page_of_an_item(desk, answered):
    CourseVersionFactory(qualification=desk.qualification, course=course(block("task")))
    page = shown(desk.client.get(reverse("item", args=["lights", answered.pk])))
    assert '<option value="reading.task">' in page


def test_a_place_that_no_course_has_is_not_found(desk, drafted, answered):
    for where in ("", "reading", "reading.nowhere", "other.task"):
        sent = {"where": where, "activity": "annotate"}
        answer = desk.client.post(reverse("use_in_exam", args=["lights", answered.pk]), sent)
        assert answer.status_code == 404, where


def played(user, page: str) -> str:
    """Answer to the end, as a bot; where the last answer leads."""
    bot = Bot(user, Random(5))
    while True:
        address, fields = bot.answered(page)
        answer = bot.client.post(address, fields)
        if answer["Location"] != page:
            return answer["Location"]


def test_a_lead_writes_a_reference_and_comes_back_to_what_was_typed_with_it_chosen(desk, drafted, answered, lena):
    boxed = answers_to(answered)[1]
    began = add(desk, answered, [boxed], go="write", follow=False)
    course_page = desk.url("course_references", "task", "annotate", answered.pk)
    assert f'<a href="{course_page}">Back to the course</a>' in shown(desk.client.get(began["Location"]))
    reported = desk.client.post(f"{began['Location']}report/", {"reason": "broken", "text": "no page"})
    assert reported["Location"] == course_page
    end = played(lena, began["Location"])
    [written] = [each for each in answers_to(answered) if each.purpose == Purpose.TRIAL]
    back = desk.client.get(end)
    assert back["Location"].endswith(f"?answer={written.uuid}")
    page = shown(desk.client.get(back["Location"]))
    assert set(re.findall(r'value="([^"]*)" checked', page)) == {str(boxed.uuid), str(written.uuid)}
    assert "The *first* box." in page
    add(desk, answered, [boxed, written], reason="for the exam", follow=False)
    assert desk.course.block("task").pool[0].references[-1] == real_items.reference_of(written)


def test_an_expert_writes_references_for_what_is_set_aside_and_for_nothing_else(desk, drafted, answered, lena):
    harbour = desk.qualification.project
    erin = join(harbour, "erin", Role.EXPERT)
    browser = disagreeing.browser(erin)
    listing, write = (
        reverse("references", args=["lights"]),
        reverse("write_exam_reference", args=["lights", answered.pk]),
    )
    assert "Nothing is set aside for exams." in shown(browser.get(listing))
    assert browser.post(write, {"activity": "annotate"}).status_code == 404
    put_aside(answered, lena)
    assert listing in shown(browser.get(reverse("disputes", args=["lights"])))
    assert "who tended light number 0" in shown(browser.get(listing))
    began = browser.post(write, {"activity": "annotate"})
    assert f'<a href="{listing}">Back to the references</a>' in shown(browser.get(began["Location"]))
    end = played(erin, began["Location"])
    page = shown(browser.get(end, follow=True))
    assert "Your reference is kept. A lead chooses which ones count." in page
    assert "1 reference of yours" in page
    [written] = [each for each in answers_to(answered) if each.author_id == erin.pk]
    assert str(written.uuid) in desk.text("course_references", "task", "annotate", answered.pk)


def test_the_expert_no_longer_reaches_the_try_once_the_item_is_back_in_the_work(drafted, desk, answered, lena):
    erin = join(desk.qualification.project, "erin", Role.EXPERT)
    browser = disagreeing.browser(erin)
    put_aside(answered, lena)
    write = reverse("write_exam_reference", args=["lights", answered.pk])
    began = browser.post(write, {"activity": "annotate"})["Location"]
    assert reverse("references", args=["lights"]) in shown(browser.get(began, follow=True))
    setting_aside.return_to_work([answered], by=lena, reason="back", now=NOON)
    assert browser.get(began).status_code == 404
