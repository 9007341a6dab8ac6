"""Importing a file again adopts its rows: nothing is duplicated, and nothing is rewritten."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from annotation.imports import insert, run
from annotation.models import Job, Project
from tests.builders import load, project, questions, write_lines
from tests.proofs.rigs.row_hashes import row_hash, shown
from tests.protocols.nq.builders import annotation, original
from tests.proving import size

pytestmark = pytest.mark.django_db(transaction=True)


def published(count):
    """Published records on one page, each with an annotation."""
    record = original()
    return [record | {"example_id": number, "annotations": [annotation(number)]} for number in range(count)]


def faults(made: Project, path: Path, *, published: bool) -> list[str]:
    """What a second import of the same file changes."""
    load(made, path, published=published)
    rows, jobs, count = row_hash(made), list(Job.objects.order_by("pk").values()), shown(made)
    report = load(made, path, published=published)
    found = [] if (report.items, report.adopted) == (0, count) else [f"{report.items} items made"]
    found += [] if shown(made) == count else [f"{shown(made)} items are shown of {count}"]
    found += [] if row_hash(made) == rows else ["the rows are others"]
    return found + ([] if list(Job.objects.order_by("pk").values()) == jobs else ["there is other work on record"])


def test_the_same_file_twice_creates_no_row(tmp_path, record_property):
    count = size(100, 20_000)
    raw = write_lines(tmp_path / "questions.jsonl", questions(count))
    assert faults(project("raw"), raw, published=False) == []
    whole = write_lines(tmp_path / "nq-dev-00.jsonl", published(count // 5))
    assert faults(project("published"), whole, published=True) == []


@pytest.mark.one_database_for_a_merge
def test_control_an_import_that_does_not_look_for_its_own_rows_is_noticed(tmp_path, monkeypatch):
    def by_chance(made, kind, found, *, subject):
        return job_of(made, kind, f"{found}/{next(runs)}", subject=subject)

    def under_other_names(made, job, entries):
        return items(made, job, [entry | {"external_id": f"{job.pk}/{entry['external_id']}"} for entry in entries])

    runs, job_of, items = itertools.count(), run._job, insert._items
    monkeypatch.setattr(run, "_job", by_chance)
    monkeypatch.setattr(insert, "_items", under_other_names)
    raw = write_lines(tmp_path / "questions.jsonl", questions(20))
    assert faults(project("raw"), raw, published=False) == [
        "20 items made", "40 items are shown of 20", "the rows are others", "there is other work on record",
    ]  # fmt: skip
