"""Releases as Hugging Face datasets: typed columns, read by the `datasets` library, with a data card."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile

import pyarrow.parquet as pq
import pytest

from annotation import releases
from annotation.models import Release
from annotation.releases import rebuild, recipes, tables
from tests.builders import load, project
from tests.people import NOON
from tests.protocols.squad.builders import CONTEXT, article, file_v2, paragraph, question

READ = """
import datasets, json, sys
found = datasets.load_dataset(sys.argv[1])
about = {split: [rows.num_rows, sorted(rows.features)] for split, rows in found.items()}
first = {split: rows[0] for split, rows in found.items()}
print(json.dumps([about, first], default=str))
"""
PUBLISHED = {
    "nq": "nq/nq-dev-00.jsonl.gz",
    "qasper": "qasper/qasper-train-4papers-v0.3.json",
    "coqa": "coqa/coqa-train-1dialogue.json",
}


def taken_in(key, shared, tmp_path):
    """A project with a published file of that protocol."""
    made = project("taken", key)
    if key == "squad":
        path = tmp_path / "train-v2.0.json"
        path.write_text(json.dumps(file_v2(article(paragraph(question()), title="Tides"))))
    else:
        path = shared / PUBLISHED[key]
    load(made, path, published=True, split="train")
    return made


def build(of, **options):
    release = releases.build(of, format="huggingface", by=None, now=NOON, **options)
    return releases.folder_of(release), releases.manifest_of(release)


def loaded(folder, tmp_path):
    """What `datasets.load_dataset` finds in the folder: rows and columns by split, and the first row of each."""
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    command = [sys.executable, "-c", READ, str(folder)]
    done = subprocess.run(command, env=os.environ | offline, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("key", [*PUBLISHED, "squad"])
def test_the_columns_of_every_protocol_hold_what_was_published(db, shared, tmp_path, key):
    made = taken_in(key, shared, tmp_path)
    folder, manifest = build(made)
    [entry] = manifest["files"]
    table = pq.read_table(folder / entry["name"])
    assert table.num_rows == entry["records"] > 0
    assert table.schema.names == list(tables.table_of(made).columns)
    empty = [name for name in table.schema.names if table.column(name).null_count == table.num_rows]
    assert set(empty) <= {"additional_answers", "figures_and_tables"}


def test_datasets_opens_the_folder_with_its_values_and_splits_of_any_name(db, shared, tmp_path):
    made = taken_in("squad", shared, tmp_path)
    names = ("dev-in-domain", "all", "9", "dev-a", "dev_a", "null")
    for number, name in enumerate(names):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(file_v2(article(paragraph(question(id=name)), title=f"Harbours {number}"))))
        load(made, path, published=True, split=name)
    folder, _manifest = build(made)
    about, first = loaded(folder, tmp_path)
    columns = ["answers", "context", "id", "question", "title"]
    assert (about["dev_in_domain"], about["train"]) == ([1, columns], [1, columns])
    row = first["dev_in_domain"]
    assert (row["id"], row["title"], row["context"]) == ("dev-in-domain", "Harbours 0", CONTEXT)
    start = row["answers"]["answer_start"][0]
    assert CONTEXT[start:].startswith(row["answers"]["text"][0])
    assert {name: row["id"] for name, row in first.items() if name != "train"} == {
        "dev_in_domain": "dev-in-domain", "all_": "all", "9": "9", "dev_a": "dev-a", "dev_a_": "dev_a", "null": "null",
    }  # fmt: skip


def test_the_archive_has_the_whole_folder_for_the_hub(db, shared, tmp_path):
    folder, _manifest = build(taken_in("squad", shared, tmp_path))
    with zipfile.ZipFile(folder / "taken-1.zip") as archive:
        assert archive.namelist() == ["README.md", "schema.json", "croissant.json", "train.parquet"]
        assert all(archive.read(name) == (folder / name).read_bytes() for name in archive.namelist())


def test_rows_are_the_same_however_many_are_written_at_a_time(db, shared, tmp_path, monkeypatch):
    made = taken_in("qasper", shared, tmp_path)
    usual = pq.read_table(build(made)[0] / "train.parquet").to_pylist()
    monkeypatch.setattr(tables, "ITEMS", 1)
    monkeypatch.setattr(tables, "GROUP_BYTES", 1)
    folder, _manifest = build(made)
    assert pq.ParquetFile(folder / "train.parquet").num_row_groups == 4
    assert pq.read_table(folder / "train.parquet").to_pylist() == usual


def test_it_is_rebuilt_byte_for_byte_with_card_and_archive(db, shared, tmp_path):
    folder, _manifest = build(taken_in("squad", shared, tmp_path))
    again = tmp_path / "again"
    again.mkdir()
    rebuild.rebuild(Release.objects.get(), again)
    names = {path.name for path in folder.iterdir()}
    assert {path.name for path in again.iterdir()} == names == {
        "README.md", "SHA256SUMS", "croissant.json", "manifest.json", "members.jsonl", "schema.json", "taken-1.zip",
        "train.parquet",
    }  # fmt: skip
    assert all((again / name).read_bytes() == (folder / name).read_bytes() for name in names)


def test_the_columns_of_nq_and_squad_are_those_of_the_hub(db, shared, tmp_path):
    folder, _manifest = build(taken_in("nq", shared, tmp_path))
    row = pq.read_table(folder / "train.parquet").to_pylist()[0]
    assert list(row) == ["id", "document", "question", "long_answer_candidates", "annotations"]
    page = row["document"]
    assert list(page) == ["title", "url", "html", "tokens"]
    whole, tokens = page["html"].encode(), page["tokens"]
    assert len(tokens["token"]) == len(tokens["is_html"]) == len(tokens["start_byte"]) == len(tokens["end_byte"])
    word = tokens["is_html"].index(False)
    assert whole[tokens["start_byte"][word] : tokens["end_byte"][word]].decode() == tokens["token"][word]
    assert row["question"]["tokens"] == row["question"]["text"].split()
    said = row["annotations"]
    assert set(said) == {"id", "long_answer", "short_answers", "yes_no_answer"}
    assert set(said["yes_no_answer"]) <= {-1, 0, 1}
    assert set(said["short_answers"][0]) == {"start_token", "end_token", "start_byte", "end_byte", "text"}
    for spans in said["short_answers"]:
        for start, end, text in zip(spans["start_token"], spans["end_token"], spans["text"], strict=True):
            assert text == " ".join(tokens["token"][start:end])


@pytest.mark.parametrize("key", ["nq", "squad"])
def test_a_release_of_the_second_writer_keeps_its_columns(db, shared, tmp_path, monkeypatch, key):
    made = taken_in(key, shared, tmp_path)
    with monkeypatch.context() as earlier:
        earlier.setattr(recipes, "WRITER", 2)
        folder, manifest = build(made)
    assert manifest["recipe"]["writer"] == 2
    columns = pq.read_table(folder / "train.parquet").schema.names
    assert {"nq": "document_text", "squad": "is_impossible"}[key] in columns
    again = tmp_path / "again"
    again.mkdir()
    rebuild.rebuild(Release.objects.get(), again)
    assert (again / "train.parquet").read_bytes() == (folder / "train.parquet").read_bytes()
