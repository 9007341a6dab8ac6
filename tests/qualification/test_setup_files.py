"""The qualifications of a project and what requires them are part of its set-up file; who has them is not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation import projects
from annotation.models import Item, Project
from annotation.setup import files, schema
from annotation.setup.schema import SetupRefused
from qualification.courses import editing, pieces
from qualification.courses.real_items import ItemName, RealItem, Reference, StepAnswer
from qualification.models import Grant
from tasks.items import setting_aside
from tasks.setup import outline
from tests.builders import load, questions, write_lines
from tests.factories.qualification import CourseVersionFactory, GrantFactory, QualificationFactory
from tests.frontend.leads.setup.wizard import send
from tests.people import NOON
from tests.qualification.courses.building import three_blocks

HEAD = "goldfinch: 1\nprotocol: nq\ntitle: Lights\n"
REQUIRED = "config:\n  activities:\n    annotate:\n      requires: [reading]\n"
SECTION = "qualifications:\n- key: reading\n  title: Reading\n"


@pytest.fixture
def written(nq, alice):
    GrantFactory(qualification=QualificationFactory(project=nq, needed_for=["annotate"]), user=alice)
    QualificationFactory(project=nq, key="tables", title="Tables", about="Two\nlines")
    return files.write(outline.setup_of(nq))


def refused(text):
    with pytest.raises(SetupRefused) as why:
        files.read(text.encode())
    return [(each.place, each.line) for each in why.value.wrong]


def test_a_project_that_is_made_from_the_file_of_another_requires_the_same_and_nobody_has_it(nq, lena, written):
    assert "\nqualifications:\n- key: reading\n  title: Reading papers\n" in written
    second = schema.make_project(files.read(written.encode()).model_copy(update={"slug": "second"}), by=lena, now=NOON)
    assert projects.requirements_of(second, "annotate") == ("reading",)
    assert outline.setup_of(second) == outline.setup_of(nq).model_copy(update={"slug": "second"})
    assert not Grant.objects.filter(qualification__project=second).exists()


def test_the_steps_of_a_new_project_keep_what_they_do_not_ask_for(nq, lena, client, written):
    client.force_login(lena)
    client.post(reverse("new_project_from_file"), {"setup": SimpleUploadedFile("a.yaml", written.encode())})
    send(client, "words", {"title": "Again", "slug": "again"}, "check")
    send(client, "check", {}, "make")
    again = Project.objects.get(slug="again")
    assert projects.requirements_of(again, "annotate") == ("reading",)
    assert sorted(again.qualifications.values_list("key", flat=True)) == ["reading", "tables"]


def test_a_requirement_that_the_file_does_not_make_is_refused_with_its_line():
    assert refused(HEAD + REQUIRED) == [("config.activities.annotate.requires.0", 7)]
    assert files.read((HEAD + REQUIRED + SECTION).encode()).sections["qualifications"][0]["key"] == "reading"


@pytest.mark.parametrize(
    ("section", "place"),
    [
        ("qualifications: none\n", "qualifications"),
        ("qualifications:\n- key: reading\n", "qualifications.0.title"),
        ("qualifications:\n- key: a b\n  title: x\n", "qualifications.0.key"),
        ("qualifications:\n- key: new\n  title: x\n", "qualifications.0.key"),
        (SECTION + "- key: reading\n  title: x\n", "qualifications.1.key"),
        (SECTION + "  given_to: alice\n", "qualifications.0.given_to"),
        ("sections: {}\n", "sections"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(section, place):
    assert [where for where, _line in refused(HEAD + section)] == [place]


def test_a_project_without_any_has_no_such_section(nq):
    assert "qualifications" not in files.write(outline.setup_of(nq))


COURSE = """\
  course:
    attempts: 1
    blocks:
    - key: task
      title: The task
      draw: 1
      mark: 0.7
      pool:
      - key: one
        stem: Which?
        options:
        - text: This
          right: true
        - text: That
"""


def test_a_course_is_part_of_the_file_and_published_where_nothing_is_missing(nq, lena):
    reading = QualificationFactory(project=nq, needed_for=["annotate"])
    CourseVersionFactory(qualification=reading, course=three_blocks())
    text = files.write(outline.setup_of(nq))
    second = schema.make_project(files.read(text.encode()).model_copy(update={"slug": "second"}), by=lena, now=NOON)
    again = editing.published(second.qualifications.get())
    assert editing.read(again) == three_blocks()
    assert again.sha256 == editing.published(reading).sha256


def test_a_course_that_lacks_items_is_read_as_a_draft(lena):
    made = schema.make_project(files.read((HEAD + "slug: third\n" + SECTION + COURSE).encode()), by=lena, now=NOON)
    row = made.qualifications.get()
    assert editing.published(row) is None
    assert editing.read(editing.draft_of(row)).blocks[0].needed == Fraction("0.7")


def test_a_course_with_items_of_the_work_is_a_draft_that_names_them_until_the_project_has_them(nq, lena, tmp_path):
    load(nq, write_lines(tmp_path / "items.jsonl", questions(1)))
    item = Item.objects.get(project=nq, external_id="1")
    said = {"step": "question", "format": "nq.question/1", "answer": {"verdict": "bad", "reasons": ["ambiguous"]}}
    real = RealItem(
        kind="item",
        key="harbour",
        title="Harbour",
        activity="annotate",
        item=ItemName(kind=item.kind, id=item.external_id),
        references=(Reference(answers=(StepAnswer(**said),)),),
        explanations={"question": "It means two lights."},
    )
    asked = three_blocks(attempts=2)
    asked = pieces.with_piece(asked, "task", real)
    setting_aside.set_aside([item], by=lena, reason="for the exam", now=NOON)
    reading = QualificationFactory(project=nq)
    CourseVersionFactory(qualification=reading, course=asked)
    text = files.write(outline.setup_of(nq))
    second = schema.make_project(files.read(text.encode()).model_copy(update={"slug": "second"}), by=lena, now=NOON)
    draft = editing.draft_of(second.qualifications.get())
    assert editing.published(draft.qualification) is None
    assert editing.read(draft) == asked
    assert [(found.key, str(why)) for found, why in editing.unfit_items(asked, second)] == [
        ("harbour", "The project has no item with this kind and id, or its import was undone.")
    ]
    load(second, tmp_path / "items.jsonl")
    again = Item.objects.get(project=second, external_id="1")
    setting_aside.set_aside([again], by=lena, reason="for the exam", now=NOON)
    editing.publish(draft, edits=draft.edits, by=lena, now=NOON)
    assert editing.read(editing.published(draft.qualification)) == asked


def test_what_is_wrong_in_a_course_is_named_by_its_place():
    assert refused(HEAD + SECTION + COURSE.replace("right: true", "right: false")) == [
        ("qualifications.0.course.blocks.0.pool.0", 15)
    ]


def test_the_file_says_that_it_has_the_right_answers_in_it(nq, lena, client):
    reading = QualificationFactory(project=nq)
    client.force_login(lena)
    assert "right answers" not in client.get(reverse("setup_file", args=["lights"])).content.decode()
    CourseVersionFactory(qualification=reading, course=three_blocks())
    assert "right answers of exams" in client.get(reverse("setup_file", args=["lights"])).content.decode()
