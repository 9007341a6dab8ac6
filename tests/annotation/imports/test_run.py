"""Imports are all or nothing, name each refused line by number, field and reason, and adopt rows on a repeat."""

from __future__ import annotations

import gzip
import zipfile

import orjson
import pytest

from annotation.errors import ImportRefused
from annotation.imports import run
from annotation.models import Annotation, Document, Item, Job
from annotation.parsing.sources import FileSource
from tests.builders import PAGE, load, questions, write_lines


def refused(project, path, **kwargs):
    with pytest.raises(run.LinesRefused) as error:
        load(project, path, **kwargs)
    assert not Item.objects.filter(project=project).exists()
    return [(found.line, found.field, found.reason) for found in error.value.report.refused]


def test_questions_on_one_page_share_the_document(nq, tmp_path):
    report = load(nq, write_lines(tmp_path / "q.jsonl", questions(40)))
    assert (report.items, report.adopted) == (40, 0)
    assert Document.objects.count() == 1
    assert Job.objects.get().state == Job.State.DONE


def test_a_broken_line_refuses_the_file_with_its_number_and_byte(nq, tmp_path):
    lines = [*questions(3), b'{"question_text": "cut off', *questions(1, start=9)]
    [(line, _field, reason)] = refused(nq, write_lines(tmp_path / "q.jsonl", lines))
    assert line == 4
    assert "byte" in reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"question_text": ""}, "question_text"),
        ({"question_text": 7}, "question_text"),
        ({"colour": "red"}, "colour"),
        ({"document_html": 7}, "document_html"),
        ({"document_html": "\x00"}, "document_html"),
        ({"document_html": "<p>" + "<div>" * 400 + "deep"}, "document_html"),
        ({"example_id": 2**63}, "example_id"),
        ({"example_id": "one"}, "example_id"),
        ({"split": "../../etc"}, "split"),
        ({"question_tokens": "who"}, "question_tokens"),
    ],
)
def test_a_wrong_value_is_refused_by_its_field(nq, tmp_path, change, field):
    line = questions(1)[0] | change
    [(number, found, reason)] = refused(nq, write_lines(tmp_path / "q.jsonl", [line]))
    assert (number, found) == (1, field)
    assert reason.endswith(".")


def test_a_line_without_a_page_is_refused(nq, tmp_path):
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    assert refused(nq, write_lines(tmp_path / "q.jsonl", [line]))


def test_a_missing_page_is_refused_by_its_name(nq, tmp_path):
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    [found] = refused(nq, write_lines(tmp_path / "q.jsonl", [line | {"document_file": "pages/none.html"}]))
    assert found == (1, "document_file", "There is no file pages/none.html.")


@pytest.mark.parametrize("path", ["../secret.html", "/etc/passwd", "pages/../../secret.html"])
def test_a_page_outside_the_folder_is_refused(nq, tmp_path, path):
    (tmp_path / "secret.html").write_text(PAGE)
    inside = tmp_path / "inside"
    inside.mkdir()
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    [(_, field, reason)] = refused(nq, write_lines(inside / "q.jsonl", [line | {"document_file": path}]))
    assert field == "document_file"
    assert reason.endswith("points outside the folder.")


@pytest.mark.parametrize("zipped", [False, True])
def test_pages_are_read_from_beside_the_file_or_from_a_zip(nq, tmp_path, zipped):
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    path = write_lines(tmp_path / "q.jsonl", [line | {"document_file": "pages/light.html"}])
    beside = None
    if zipped:
        beside = tmp_path / "pages.zip"
        with zipfile.ZipFile(beside, "w") as archive:
            archive.writestr("pages/light.html", PAGE)
    else:
        (tmp_path / "pages").mkdir()
        (tmp_path / "pages" / "light.html").write_text(PAGE)
    assert load(nq, path, beside=beside).items == 1


def test_a_page_that_is_not_utf_8_is_refused(nq, tmp_path):
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    (tmp_path / "latin.html").write_bytes(PAGE.replace("reef", "réef").encode("latin-1"))
    [(_, field, reason)] = refused(nq, write_lines(tmp_path / "q.jsonl", [line | {"document_file": "latin.html"}]))
    assert field == "document_file"
    assert "UTF-8" in reason


def test_an_id_that_the_project_has_with_other_content_is_refused(nq, tmp_path):
    load(nq, write_lines(tmp_path / "q.jsonl", questions(2)))
    changed = questions(2)
    changed[1]["question_text"] = "something else"
    with pytest.raises(run.LinesRefused) as error:
        load(nq, write_lines(tmp_path / "other.jsonl", changed))
    assert [(found.line, found.field) for found in error.value.report.refused] == [(2, "example_id")]
    assert Item.objects.count() == 2


def test_an_id_twice_in_one_file_is_refused_unless_it_is_the_same_line(nq, tmp_path):
    same, other = questions(1)[0], questions(1)[0] | {"question_text": "another"}
    [(line, field, _)] = refused(nq, write_lines(tmp_path / "q.jsonl", [same, same, other]))
    assert (line, field) == (3, "example_id")


def test_a_published_file_brings_its_annotations(nq, shared):
    report = load(nq, shared / "nq" / "nq-dev-00.jsonl.gz", published=True)
    assert (report.items, report.annotations) == (1, 5)
    assert Item.objects.get().split == "dev"
    assert {row.purpose for row in Annotation.objects.all()} == {"import"}


def test_a_file_that_is_not_gzip_is_refused_whole(nq, tmp_path):
    path = tmp_path / "nq-dev-00.jsonl.gz"
    path.write_bytes(b"not gzip")
    with pytest.raises(ImportRefused):
        load(nq, path, published=True)


def test_a_truncated_gzip_is_refused_whole(nq, tmp_path):
    path = tmp_path / "nq-dev-00.jsonl.gz"
    path.write_bytes(gzip.compress(orjson.dumps(questions(50)) * 30)[:-200])
    with pytest.raises(ImportRefused):
        load(nq, path)


def test_lines_end_at_newline_bytes_only(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_bytes('{"a": "\u2028\u0085"}\r\n\n{}\n'.encode())
    assert [number for number, _ in FileSource(path).lines()] == [1, 3]
