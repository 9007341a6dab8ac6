"""A folder of text files is imported, or chosen from, without a file that lists them."""

from __future__ import annotations

import json
import os
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Item
from annotation.protocols.coqa.schemas import Passage
from tests.builders import project
from tests.protocols.coqa.builders import STORY
from tests.protocols.coqa.test_precision_of_choosing import labelled


@pytest.fixture
def talks(db):
    return project("talks", "coqa")


@pytest.fixture
def folder(tmp_path):
    """Two texts, one of them in a folder of its own, and what is no text of theirs."""
    texts = {"ferry.txt": f"{STORY}\r\n", "news/otter.txt": "An otter 🦦.", ".trash.txt": "x", "notes.md": "x"}
    made = tmp_path / "texts"
    for name, text in texts.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(text.encode())
    return made


def imported(talks, folder, *options):
    said = StringIO()
    call_command("import_items", talks.slug, str(folder), *options, stdout=said, stderr=said)
    return said.getvalue()


def passages():
    return {
        item.external_id: (Passage.from_stored(item.payload), item.split, item.item_documents.get())
        for item in Item.objects.order_by("external_id")
    }


def test_each_text_becomes_a_passage_with_the_domain_and_split_that_are_given(talks, folder):
    imported(talks, folder, "--field", "domain=wikipedia", "--field", "licence=CC BY 4.0", "--split", "dev")
    found = passages()
    assert list(found) == ["ferry", "news/otter"]
    passage, split, document = found["news/otter"]
    assert (passage.source, passage.filename, split) == ("wikipedia", "news/otter.txt", "dev")
    assert document.licence == "CC BY 4.0"
    assert passage.fields == {"licence": "CC BY 4.0"}


def test_the_name_of_a_folder_may_say_its_split(talks, folder):
    imported(talks, folder.rename(folder.with_name("test")), "--field", "domain=news")
    assert {split for _passage, split, _document in passages().values()} == {"test"}


def test_the_same_folder_twice_changes_nothing_and_another_text_is_added(talks, folder):
    imported(talks, folder, "--field", "domain=news")
    assert "2 items were already there" in imported(talks, folder, "--field", "domain=news")
    (folder / "new.txt").write_text("Something new.")
    imported(talks, folder, "--field", "domain=news")
    assert list(passages()) == ["ferry", "new", "news/otter"]


def test_without_a_domain_nothing_is_imported_and_the_field_is_named(talks, folder):
    said = StringIO()
    with pytest.raises(CommandError, match="2 lines refused"):
        call_command("import_items", talks.slug, str(folder), stderr=said)
    assert "Line 1, domain: ferry.txt: It has no domain" in said.getvalue()
    assert not Item.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b" \n", "a.txt has no text."),
        (b"caf\xe9", "a.txt is not UTF-8: byte 3 can't be read."),
        (b"x" * 2**25, "a.txt is over 16 MB."),
    ],
    ids=["empty", "latin-1", "too large"],
)
def test_a_file_that_can_not_be_read_is_named(talks, folder, data, sentence):
    (folder / "a.txt").write_bytes(data)
    said = StringIO()
    with pytest.raises(CommandError, match="1 line refused"):
        call_command("import_items", talks.slug, str(folder), "--field", "domain=news", stderr=said)
    assert sentence in said.getvalue()


def test_no_link_leads_out_of_the_folder(talks, folder, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    said = StringIO()
    with pytest.raises(CommandError, match="1 line refused"):
        call_command("import_items", talks.slug, str(folder), "--field", "domain=news", stderr=said)
    assert "link.txt points outside the folder." in said.getvalue()


def test_a_name_that_is_not_utf_8_is_refused(talks, folder):
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    with pytest.raises(CommandError, match="has a file whose name is not UTF-8"):
        imported(talks, folder, "--field", "domain=news")


def test_a_folder_without_texts_is_refused(talks, tmp_path):
    with pytest.raises(CommandError, match="has no passage"):
        imported(talks, tmp_path, "--field", "domain=news")


def test_a_folder_is_for_raw_texts_and_fields_are_for_a_folder(talks, folder):
    with pytest.raises(CommandError, match="texts is a folder"):
        call_command("import_release", talks.slug, str(folder))
    with pytest.raises(CommandError, match="--field is for a folder"):
        imported(talks, folder / "ferry.txt", "--field", "domain=news")
    with pytest.raises(CommandError, match="domain is not NAME=VALUE"):
        imported(talks, folder, "--field", "domain")


def test_passages_are_chosen_from_a_folder(talks, tmp_path):
    texts, kept = tmp_path / "texts", tmp_path / "kept.jsonl"
    texts.mkdir()
    for name, _keep, text in [*labelled()][:8]:
        (texts / f"{name.strip()}.txt").write_text(text)
    said = StringIO()
    options = ("--finder", "rules", "--field", "domain=mctest", "--split", "dev")
    call_command("choose_items", "coqa", str(texts), str(kept), *options, stdout=said)
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert f"Kept {len(lines)} of 8" in said.getvalue()
    assert lines
    assert {(line["source"], line["split"]) for line in lines} == {("mctest", "dev")}
    imported(talks, kept)
    assert len(passages()) == len(lines)
