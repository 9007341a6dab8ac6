"""What a release gives to another tool comes back equal; what a layout has no place for is counted and noted."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.management import call_command

from annotation import releases
from annotation.exchange import writing
from annotation.models import Item
from annotation.protocols.squad import rules
from annotation.protocols.squad.exchange import EXCHANGE
from annotation.releases.rebuild import rebuild
from annotation.values.records import ReleaseRecord
from tests.annotation.exchange.exports import ASKED, HOLT, TEXT, chosen, mark, questions_of, take_in, take_in_file, task
from tests.builders import project
from tests.people import NOON
from tests.protocols.squad.builders import CONTEXT, NONE, asked, item_of, marked, ours, paragraph_item

pytestmark = pytest.mark.django_db(transaction=True, databases="__all__")

FORMULA = "=1+1 is what the mill’s clock shows."
EXPORT = [
    task([mark(*HOLT, "Anna Holt")], [mark(38, 42, "Anna")], title="Mills", item_id="q-1"),
    task([chosen("No answer")], title="Mills", question="When did it burn?", item_id="q-2"),
    task([mark(0, 4, "=1+1")], text=FORMULA, title="Clocks", question="What does it show?"),
]


@pytest.fixture
def squad(db):
    return project("switched", "squad")


def released(of, format, **options):
    """The files of a release by name, as texts."""
    release = releases.build(of, format=format, by=None, now=NOON, partial=True, **options)
    folder = releases.folder_of(release)
    manifest = releases.manifest_of(release)
    return release, manifest, {one["name"]: (folder / one["name"]).read_bytes().decode() for one in manifest["files"]}


@pytest.mark.parametrize(
    ("format", "name", "options"),
    [
        ("label_studio", "train-label-studio.json", {}),
        ("doccano", "train-doccano.jsonl", {"unmarked_is_none": True}),
    ],
)
def test_a_release_in_the_layout_of_a_tool_comes_back_equal(squad, tmp_path, format, name, options):
    take_in(squad, tmp_path, EXPORT)
    _release, _manifest, files = released(squad, format)
    assert list(files) == [name]
    again = project("again", "squad")
    take_in(again, tmp_path, files[name].encode(), name=name, **options)
    assert questions_of(again) == questions_of(squad)
    ids = [sorted(Item.objects.filter(project=one).values_list("external_id", flat=True)) for one in (squad, again)]
    assert ids[0] == ids[1]
    assert released(again, format)[2] == files


def test_a_release_for_label_studio_has_tasks_that_it_imports(squad, tmp_path):
    take_in(squad, tmp_path, EXPORT[:1])
    [text] = released(squad, "label_studio")[2].values()
    result = {"id": "1-1", "from_name": "answer", "to_name": "text", "type": "labels"}
    value = {"start": 38, "end": 47, "text": "Anna Holt", "labels": ["Answer"]}
    [found] = json.loads(text)
    assert found["data"] == {"text": TEXT, "item_id": "q-1", "title": "Mills", "question": ASKED}
    assert found["annotations"][0] == {"result": [result | {"value": value}]}
    assert len(found["annotations"]) == 2


def test_a_release_for_doccano_has_a_line_for_each_answer(squad, tmp_path):
    take_in(squad, tmp_path, EXPORT[:2])
    [text] = released(squad, "doccano")[2].values()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["question"], line["label"]) for line in lines] == [
        (ASKED, [[38, 47, "Answer"]]),
        (ASKED, [[38, 42, "Answer"]]),
        ("When did it burn?", []),
    ]


def test_json_lines_have_every_item_with_its_answers(squad, tmp_path):
    take_in(squad, tmp_path, EXPORT)
    [text] = released(squad, "jsonl")[2].values()
    first, second, third = map(json.loads, text.splitlines())
    assert first["answers"][0] == {"kind": "spans", "marks": [{"start": 38, "end": 47, "words": "Anna Holt"}]}
    assert second["answers"] == [{"kind": "none"}]
    assert third["text"] == FORMULA


def test_a_table_has_a_row_for_each_answer_and_no_formula(squad, tmp_path):
    take_in(squad, tmp_path, EXPORT)
    [text] = released(squad, "csv")[2].values()
    assert text.startswith("\ufeff")
    head, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert tuple(head) == writing.COLUMNS
    assert [row[2:8] for row in rows] == [
        [ASKED, "1", "spans", "38", "47", "Anna Holt"],
        [ASKED, "2", "spans", "38", "42", "Anna"],
        ["When did it burn?", "1", "none", "", "", ""],
        ["What does it show?", "1", "spans", "0", "4", "'=1+1"],
    ]
    assert rows[-1][-1] == f"'{FORMULA}"


@pytest.mark.parametrize("format", writing.LAYOUTS)
def test_a_release_for_other_tools_is_rebuilt_byte_for_byte_and_described(squad, tmp_path, format):
    take_in(squad, tmp_path, EXPORT)
    release, manifest, _files = released(squad, format)
    (folder := tmp_path / "again").mkdir()
    rebuild(release, folder)
    croissant = json.loads((releases.folder_of(release) / "croissant.json").read_text())
    assert croissant["distribution"][0]["encodingFormat"] in ("application/json", "application/jsonlines", "text/csv")
    assert manifest["counts"]["train"]["annotations"] == 3


def test_what_people_answered_here_goes_out_with_the_answer_of_the_writer_first(squad):
    root = paragraph_item()
    written = ours(asked(("Who built it?", "Anna Holt"), ("When was it lit?", "1871", "impossible")), "questions")
    items = [item_of(one, root) for one in rules.follow_ups(root, written)]
    given = [(ours(marked("Holt"), number=1), ours(NONE, number=2)), (ours(NONE, number=1),)]
    record = ReleaseRecord(root, children=tuple(map(ReleaseRecord, items, given)))
    one, two = EXCHANGE.items(record)
    said = [[CONTEXT[start:end] for start, end in answer.spans] for answer in one.answers]
    assert said == [["Anna Holt"], ["Holt"], []]
    assert [answer.kind for answer in two.answers] == ["none", "none"]
    assert one.answers[0].annotation is None
    counts = {name: len(made) for _kind, name, made in writing.counted(writing.DOCCANO, EXCHANGE, record)}
    assert counts == {root.external_id: 0, one.external_id: 2, two.external_id: 1}


def test_a_published_answer_that_is_not_at_its_place_is_left_out_with_a_note(squad, tmp_path):
    moved = {"text": "Anna Holt", "answer_start": 3}
    questions = [{"id": "q-9", "question": "Who?", "answers": [moved], "is_impossible": False}]
    article = {"title": "Mills", "paragraphs": [{"context": TEXT, "qas": questions}]}
    path = tmp_path / "train-v2.0.json"
    path.write_text(json.dumps({"version": "v2.0", "data": [article]}))
    take_in_file(squad, path)
    _release, manifest, files = released(squad, "label_studio")
    assert [one["annotations"] for one in json.loads(next(iter(files.values())))] == [[]]
    assert manifest["notes"] == ["Question q-9: an answer is not at its place in the text, and is left out."]
    assert manifest["counts"]["train"]["left_out_by_format"] == 1


def test_the_command_writes_such_a_release_too(squad, tmp_path):
    take_in(squad, tmp_path, EXPORT)
    call_command("export_release", squad.slug, format="label_studio", partial=True, out=tmp_path / "out")
    assert len(json.loads((tmp_path / "out" / "train-label-studio.json").read_text())) == 3
