"""Images beside raw pages: imported from a folder or zip, refused with a reason, and without effect on releases."""

from __future__ import annotations

import zipfile

import orjson
import pytest

from annotation import html
from annotation.documents import images
from annotation.models import ItemDocument
from annotation.parsing.sources import FileSource
from annotation.protocols.nq import formats
from annotation.values.records import ReleaseRecord
from tests.builders import load, project, write_lines
from tests.pictures import SVG, png, png_head
from tests.protocols.nq.builders import (
    GOOD,
    Lines,
    box_where,
    item_of,
    ours,
    parsed,
    read,
    read_item,
    sheet_at,
    spans_of,
)

PAGE = '<h1>Reef</h1><p>A tower <img src="pictures/a.png" width="220" alt="Tower"> on a reef.</p><p>{}</p>'
LINE = {"question_text": "where is it", "document_file": "pages/reef.html"}
WHERE = "pages/pictures/a.png"


def line(page: str, files: dict[str, bytes], **options):
    """The item of a page in the folder `pages`, with these files beside it."""
    return read_item(LINE, files={"pages/reef.html": page.encode(), **files}, **options)


def test_an_image_comes_in_as_a_document_of_the_item_at_the_size_that_the_page_states():
    page = PAGE.format("")
    incoming = line(page, {WHERE: png(440, 300)})
    assert incoming.payload["images"] == [{"at": page.index("<img"), "place": 1, "width": 220, "height": 150}]
    assert incoming.documents[1].source == png(440, 300)
    assert (incoming.documents[1].media_type, incoming.documents[1].title) == ("image/png", WHERE)
    assert incoming.notes == ()


def test_an_image_without_a_stated_width_has_its_own_size():
    incoming = line(PAGE.format("").replace(' width="220"', ""), {WHERE: png(440, 300)})
    assert (incoming.payload["images"][0]["width"], incoming.payload["images"][0]["height"]) == (440, 300)


def test_a_file_used_twice_on_a_page_is_one_document():
    incoming = line(PAGE.format('<img src="./pictures/a.png">'), {WHERE: png(8, 6)})
    assert [image["place"] for image in incoming.payload["images"]] == [1, 1]
    assert len(incoming.documents) == 2


def test_the_page_its_tokens_and_its_id_are_the_same_with_and_without_images():
    page = PAGE.format("")
    with_image, without = line(page, {WHERE: png()}), line(page, {})
    assert with_image.documents[0] == without.documents[0]
    assert with_image.documents[0].layout == html.lay_out(page.encode())
    assert with_image.external_id == without.external_id


def test_a_page_without_images_is_imported_as_before():
    incoming = line("<p>Plain.</p>", {WHERE: png()})
    assert incoming.payload == {"question_text": "where is it"}
    assert len(incoming.documents) == 1


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "missing or unreadable"),
        ({WHERE: SVG}, "an SVG drawing, which can hold script"),
        ({WHERE: b"<html>404"}, "not a PNG, JPEG, GIF or WebP image"),
        ({WHERE: png()[:20]}, "a broken image"),
        ({WHERE: png_head(30_000, 30_000)}, "over 25,000,000 pixels"),
        ({WHERE: png() + b"\0" * 4 * 2**20}, "over 4 MB"),
    ],
)
def test_an_image_that_is_left_out_is_named_with_its_reason_and_the_page_is_imported(files, reason):
    incoming = line(PAGE.format(""), files)
    assert incoming.notes == (f"Images left out ({reason}): {WHERE}. Their alt texts are shown instead.",)
    assert "images" not in incoming.payload
    assert len(incoming.documents) == 1


def test_images_outside_the_folder_are_not_searched_for():
    incoming = line(PAGE.format("").replace("pictures/", "../../"), {"../a.png": png()})
    assert incoming.notes == ("Images left out (outside the folder): ../a.png. Their alt texts are shown instead.",)


def test_images_on_other_hosts_are_not_in_the_report():
    page = '<p>a<img src="https://example.org/a.png"><img src="//example.org/b.png"><img src="data:,x"></p>'
    incoming = line(page, {})
    assert (incoming.notes, len(incoming.documents)) == ((), 1)


def test_many_missing_images_are_counted():
    page = "<p>a" + "".join(f'<img src="{number}.png">' for number in range(9)) + "</p>"
    assert line(page, {}).notes[0].endswith("pages/3.png, pages/4.png and 4 more. Their alt texts are shown instead.")


def test_the_images_of_one_page_are_bounded_in_number_and_in_bytes(monkeypatch):
    monkeypatch.setattr(images, "FILES_LIMIT", 2)
    page = '<p>a<img src="1.png"><img src="2.png"><img src="3.png"></p>'
    files = {f"pages/{number}.png": png(number, 1) for number in (1, 2, 3)}
    assert line(page, files).notes == (
        "Images left out (beyond the first 2 images): pages/3.png. Their alt texts are shown instead.",
    )
    monkeypatch.setattr(images, "FILES_LIMIT", 9)
    monkeypatch.setattr(images, "BYTES_TOGETHER_LIMIT", len(files["pages/1.png"] + files["pages/2.png"]))
    assert [one.title for one in line(page, files).documents[1:]] == ["pages/1.png", "pages/2.png"]


def test_lines_that_share_a_page_share_its_images_but_not_with_the_same_page_elsewhere():
    page = PAGE.format("").encode()
    files = {"pages/reef.html": page, WHERE: png(8, 6), "other/reef.html": page, "other/pictures/a.png": png(9, 9)}
    lines = [LINE, LINE | {"question_text": "who"}, LINE | {"document_file": "other/reef.html", "example_id": 3}]
    first, second, elsewhere = read(*lines, files=files)
    assert first.documents[1] is second.documents[1]
    assert elsewhere.documents[1].source == png(9, 9)


def test_a_page_written_in_its_line_has_its_images_beside_the_file():
    (incoming,) = formats.read(Lines({"question_text": "q", "document_html": PAGE}, files={"pictures/a.png": png()}))
    assert incoming.documents[1].title == "pictures/a.png"


@pytest.mark.django_db
@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_or_zip_provides_pages_and_their_images_and_importing_it_again_adopts_them(packed, tmp_path):
    beside = tmp_path / "beside"
    (beside / "pages/pictures").mkdir(parents=True)
    (beside / "pages/reef.html").write_text(PAGE.format(""))
    (beside / WHERE).write_bytes(png(44, 30))
    if packed:
        with zipfile.ZipFile(tmp_path / "beside.zip", "w") as archive:
            for name in ("pages/reef.html", WHERE):
                archive.write(beside / name, name)
        beside = tmp_path / "beside.zip"
    into, file = project("reef"), write_lines(tmp_path / "questions.jsonl", [LINE])
    assert load(into, file, beside=beside).items == 1
    assert load(into, file, beside=beside).adopted == 1
    kept = ItemDocument.objects.get(position=1)
    assert (kept.document.media_type, kept.title) == ("image/png", WHERE)


@pytest.mark.django_db
def test_a_symbolic_link_in_the_folder_leads_nowhere(tmp_path):
    (tmp_path / "secret.png").write_bytes(png())
    beside = tmp_path / "beside"
    (beside / "pages/pictures").mkdir(parents=True)
    (beside / "pages/reef.html").write_text(PAGE.format(""))
    (beside / WHERE).symlink_to(tmp_path / "secret.png")
    source = FileSource(write_lines(tmp_path / "q.jsonl", [LINE]), beside=beside)
    (incoming,) = formats.read(source)
    assert len(incoming.documents) == 1


@pytest.mark.parametrize("format", ["nq", "nq-simplified"])
def test_a_release_is_byte_identical_with_and_without_images(format):
    page = PAGE.format("It was lit on 25 July 1823.")
    with_image, without = (item_of(line(page, files)) for files in ({WHERE: png()}, {}))
    box = box_where(without, "It was lit")
    answers = {"question": GOOD, "long_answer": box, "short_answer": spans_of(without, box, "25 July 1823")}
    one, other = (
        [orjson.dumps(record) for record in formats.write(format, [ReleaseRecord(item, (ours(5, **answers),))])]
        for item in (with_image, without)
    )
    assert one == other


def test_a_box_shows_its_own_images_and_the_page_all_of_them():
    page = PAGE.format('Its keeper <img src="keeper.png"> slept.')
    item = item_of(line(page, {WHERE: png(), "pages/keeper.png": png()}))
    good = parsed("question", GOOD)
    shown = sheet_at("long_answer", item, (good,)).frame.pictures
    assert [one.place for one in shown] == [1, 2]
    chosen = (good, parsed("long_answer", box_where(item, "Its keeper")))
    assert sheet_at("short_answer", item, chosen).frame.pictures == shown[1:]
