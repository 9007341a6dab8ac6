"""A zip of texts is uploaded or imported like a file that lists them; what can't be taken is refused by its name."""

from __future__ import annotations

import stat
import struct
import zipfile
from io import BytesIO, StringIO

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Item, Job, Role
from annotation.parsing import text_zips
from annotation.protocols.coqa.schemas import Passage
from tests.builders import project
from tests.people import join
from tests.protocols.coqa.builders import STORY
from tests.uploading import done, uploaded

TEXT = STORY.encode()


@pytest.fixture
def talks(db):
    return project("talks", "coqa")


@pytest.fixture
def lena(talks):
    return join(talks, "lena", Role.LEAD)


def zipped(texts, method=zipfile.ZIP_DEFLATED):
    """A zip of these (name, bytes)."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in texts:
            archive.writestr(name, data)
    return buffer.getvalue()


def renamed(data, old, new):
    """The zip with other bytes for a name, of the same length: what packers write that care for nothing."""
    assert len(old) == len(new)
    return data.replace(old, new)


def imported(talks, lena, data, name="texts.zip", **form):
    """The zip, uploaded in parts and imported through the page."""
    upload = uploaded(talks, lena, name, data)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(lena)
    form = {"file": str(upload.uuid), "what": "items", "mode": "all", **form}
    assert browser.post(reverse("start_import", args=["talks"]), form).status_code == 302
    return done(Job.objects.latest("pk"))


def passages():
    return {
        item.external_id: (Passage.from_stored(item.payload).source, item.split)
        for item in Item.objects.order_by("external_id")
    }


def refused(job):
    return [(row.field, row.text) for row in job.remarks.filter(refused=True).order_by("line")]


def test_domain_and_split_are_those_of_the_folders(talks, lena):
    names = ["news/ferry.txt", "dev/news/fog.txt", "news/test/otter.txt", "all/dev/mctest/cat.txt"]
    job = imported(talks, lena, zipped([(name, TEXT) for name in names]))
    assert job.state == Job.State.DONE
    assert passages() == {
        "all/dev/mctest/cat": ("mctest", "dev"),
        "dev/news/fog": ("news", "dev"),
        "news/ferry": ("news", "train"),
        "news/test/otter": ("news", "test"),
    }


def test_what_is_chosen_in_the_form_is_said_of_all_texts(talks, lena):
    data = zipped([("ferry.txt", TEXT), ("dev/wikipedia/fog.txt", TEXT)])
    job = imported(talks, lena, data, domain="news", split="test")
    assert job.state == Job.State.DONE
    assert set(passages().values()) == {("news", "test")}


def test_the_command_takes_it_too(talks, tmp_path):
    (tmp_path / "texts.zip").write_bytes(zipped([("ferry.txt", TEXT)]))
    call_command("import_items", "talks", str(tmp_path / "texts.zip"), "--field", "domain=news", stdout=StringIO())
    assert passages() == {"ferry": ("news", "train")}


def test_hidden_files_and_what_is_no_text_are_left_out(talks, lena):
    others = [("news/.ferry.txt", b"x"), ("__MACOSX/news/._ferry.txt", b"x"), ("news/notes.md", b"x"), ("news/", b"")]
    imported(talks, lena, zipped([("news/ferry.txt", TEXT), *others]))
    assert passages() == {"news/ferry": ("news", "train")}


@pytest.mark.parametrize("name", ["../news/f.txt", "news/../../f.txt", "/news/f.txt", "C:/news/f.txt"])
def test_a_path_that_leads_outside_is_refused_by_its_name(talks, lena, name):
    job = imported(talks, lena, zipped([("news/ferry.txt", TEXT), (name, TEXT)]), domain="news")
    assert job.state == Job.State.FAILED
    assert refused(job) == [("file", f"{name} points outside the zip.")]
    assert not Item.objects.exists()


def test_a_backslash_is_refused(talks, lena):
    data = renamed(zipped([("news/..-f.txt", TEXT)]), b"news/..-f.txt", b"news\\..\\f.txt")
    assert refused(imported(talks, lena, data, domain="news")) == [("file", "news\\..\\f.txt points outside the zip.")]


def test_a_name_that_is_not_utf_8_is_refused(talks, lena):
    data = renamed(zipped([("news/caf_.txt", TEXT)]), b"news/caf_.txt", b"news/caf\xe9.txt")
    [(field, why)] = refused(imported(talks, lena, data))
    assert field == "file"
    assert why.startswith("The name of news/caf")
    assert "is not UTF-8" in why


def test_a_name_in_utf_8_without_the_flag_is_read(talks, lena):
    data = renamed(zipped([("news/cafe_.txt", TEXT)]), b"news/cafe_.txt", "news/café.txt".encode())
    imported(talks, lena, data)
    assert list(passages()) == ["news/café"]


def test_a_name_that_says_it_is_utf_8_and_is_not_refuses_the_zip(talks, lena):
    data = renamed(zipped([("news/é.txt", TEXT)]), "é".encode(), b"\xc3\xc3")
    job = imported(talks, lena, data)
    assert job.state == Job.State.FAILED
    assert "can't be read as a zip" in job.error


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"caf\xe9", "news/f.txt is not UTF-8: byte 3 can't be read."),
        (b" \n", "news/f.txt has no text."),
        (b"a\x00b", "news/f.txt: The text contains a NUL character."),
    ],
)
def test_a_text_that_cannot_be_taken_is_refused_by_its_name(talks, lena, text, why):
    assert refused(imported(talks, lena, zipped([("news/f.txt", text)]))) == [("file", why)]


def test_a_text_without_a_domain_is_refused_by_its_name(talks, lena):
    job = imported(talks, lena, zipped([("ferry.txt", TEXT)]))
    assert refused(job) == [("domain", "ferry.txt: It has no domain: choose one for all texts.")]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused_both_times(talks, lena):
    job = imported(talks, lena, zipped([("news/f.txt", TEXT), ("news/f.txt", b"Another text.")]))
    assert refused(job) == [("file", "news/f.txt is in the zip 2 times.")] * 2


def test_a_bomb_is_refused(talks, lena):
    job = imported(talks, lena, zipped([(f"news/{n}.txt", b"a" * 900_000) for n in range(8)]))
    assert job.state == Job.State.FAILED
    assert job.error == "texts.zip is compressed to less than a hundredth of its size."


def test_a_size_that_is_not_true_brings_in_no_more_than_it_says(talks, lena):
    data = zipped([("news/f.txt", b"ab" * 5000)], zipfile.ZIP_STORED)
    lying = data.replace(struct.pack("<II", 10_000, 10_000), struct.pack("<II", 10_000, 10))
    [(field, why)] = refused(imported(talks, lena, lying))
    assert field == "file"
    assert why.startswith("news/f.txt can't be read")


def link_named(name):
    """An entry that is a symbolic link."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


LINKS = "is a symbolic link, so its text is not in the zip: pack the file that it leads to."


def test_a_link_in_a_zip_is_refused_by_its_name(talks, lena):
    job = imported(talks, lena, zipped([("news/ferry.txt", TEXT), (link_named("news/f.txt"), b"/etc/passwd")]))
    assert refused(job) == [("file", f"news/f.txt {LINKS}")]
    assert not Item.objects.exists()


def test_records_and_files_that_they_name_are_refused_if_they_are_links(talks, lena):
    line = orjson.dumps({"id": "ferry", "domain": "news", "file": "f.md"}) + b"\n"
    job = imported(talks, lena, zipped([("rows.jsonl", line), (link_named("f.md"), b"/etc/passwd")]), split="train")
    assert refused(job) == [("file", f"f.md {LINKS}")]
    job = imported(talks, lena, zipped([(link_named("rows.jsonl"), b"/etc/passwd")]), name="link.zip", split="train")
    assert job.error == f"rows.jsonl {LINKS}"


def test_what_is_no_zip_is_refused(talks, lena):
    job = imported(talks, lena, b"PK nothing")
    assert job.state == Job.State.FAILED
    assert "can't be read as a zip" in job.error


def test_texts_that_are_too_many_bytes_are_refused(monkeypatch, talks, tmp_path):
    monkeypatch.setattr(text_zips, "MOST", 1000)
    (tmp_path / "texts.zip").write_bytes(zipped([("news/f.txt", (TEXT + b" ") * 40)], zipfile.ZIP_STORED))
    with pytest.raises(CommandError, match="Make several zips"):
        call_command("import_items", "talks", str(tmp_path / "texts.zip"))


def test_a_zip_without_a_text_is_refused(talks, lena):
    error = imported(talks, lena, zipped([("news/a.md", b"x")])).error
    assert error.startswith("texts.zip is a zip with no file with records.")


def test_the_form_asks_for_the_domain_only_where_texts_are_read(talks, lena):
    nq = project()
    join(nq, "lena", Role.LEAD)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(lena)
    pages = [browser.get(reverse("imports", args=[slug])).content.decode() for slug in ("talks", nq.slug)]
    assert ['name="domain"' in page for page in pages] == [True, False]
