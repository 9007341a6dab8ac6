"""Licences are kept, and compared for raw papers only; images are found by name, and missing ones do no harm."""

import pytest

from annotation.documents import images
from annotation.errors import ImportRefused
from annotation.parsing.incoming import RefusedLine
from tests.pictures import SVG, jpeg, png, png_head
from tests.protocols.qasper.builders import paper, question, read, read_release, sheet_at
from tests.protocols.records import item_of

PNG = png(8, 6)
FIGURE, TABLE = "1-Figure1-1.png", "2-Table1-1.png"


@pytest.mark.parametrize(
    "licence",
    ["CC BY 4.0", "cc-by-sa-4.0", "CC BY-NC-SA 3.0", "http://creativecommons.org/licenses/by/4.0/", "", None],
)
def test_a_licence_on_the_list_and_no_licence_are_accepted(licence):
    (found,) = read({"1": paper(licence=licence)})
    assert found.payload.get("licence", "") == found.documents[0].licence == (licence or "")


@pytest.mark.parametrize(
    "licence", ["CC0", "all rights reserved", "CC BYE", "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"]
)
def test_a_stated_licence_that_is_not_on_the_list_is_refused(licence):
    (found,) = read({"1": paper(licence=licence)})
    assert (isinstance(found, RefusedLine), found.field) == (True, "licence")
    assert licence in found.reason


@pytest.mark.parametrize("licence", ["all rights reserved", "x" * 500, 7])
def test_a_release_is_never_refused_for_its_licence(licence):
    (found,) = read_release({"1": paper(licence=licence)})
    assert found.kind == "paper"
    assert len(found.documents[0].licence) <= 200


def test_a_file_beside_the_papers_may_state_licences():
    files = {"licences.json": b'{"a": "CC BY 4.0", "b": "closed"}'}
    taken, refused, nothing = read({"a": paper(), "b": paper(), "c": paper()}, files=files)
    assert taken.payload["licence"] == "CC BY 4.0"
    assert (refused.line, refused.field) == (2, "licence")
    assert "licence" not in nothing.payload
    with pytest.raises(ImportRefused, match="from paper id to licence"):
        read({"a": paper()}, files={"licences.json": b"[]"})


def test_a_project_may_have_its_own_list_or_none():
    assert read({"1": paper(licence="CC0 1.0")}, config={"licences": ["CC0"]})[0].kind == "paper"
    assert read({"1": paper(licence="closed")}, config={"licences": []})[0].kind == "paper"
    assert isinstance(read({"1": paper(license="CC BY 4.0")}, config={"licences": ["CC0"]})[0], RefusedLine)
    with pytest.raises(ImportRefused, match="settings"):
        read({"1": paper()}, config={"licences": 5})


@pytest.mark.parametrize("folder", ["1/", "figures/1/", "images/1/", "", "figures/", "images/"])
def test_an_image_becomes_a_document_of_its_paper(folder):
    found, asked = read({"1": paper(qas=[question()])}, files={folder + FIGURE: PNG, folder + TABLE: jpeg(90, 60)})
    assert [(one.title, one.media_type) for one in found.documents[1:]] == [
        (FIGURE, "image/png"),
        (TABLE, "image/jpeg"),
    ]
    assert found.notes == ()
    sheet = sheet_at("answer", item_of(asked, root=item_of(found)), ())
    assert [(one.kind, one.image, one.size) for one in sheet.floats] == [("figure", 1, (8, 6)), ("table", 2, (90, 60))]


def test_an_image_name_that_two_papers_use_identifies_neither():
    files = {FIGURE: PNG, "2/" + TABLE: PNG}
    first, second = read({"1": paper(), "2": paper()}, files=files)
    assert len(first.documents) == 1
    assert [one.title for one in second.documents[1:]] == [TABLE]


def test_a_missing_image_is_noted_and_its_caption_stays():
    (found,) = read({"1": paper()}, files={FIGURE: PNG})
    assert found.notes == ("Paper 1: No image for 1 of 2 figures and tables; their captions are shown.",)
    (none,) = read_release({"1": paper()})
    assert none.notes == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (SVG, "an SVG drawing, which can hold script"),
        (b"%PDF-1.4", "not a PNG, JPEG, GIF or WebP image"),
        (b"RIFF....WAVE", "not a PNG, JPEG, GIF or WebP image"),
        (b"\x89PNG\r\n\x1a\n", "a broken image"),
        (png_head(60_000, 60_000), "over 25,000,000 pixels"),
        (png(8, 6) + bytes(5 * 2**20), "over 4 MB"),
    ],
)
def test_images_that_browsers_do_not_show_safely_are_left_out(data, reason):
    (found,) = read({"1": paper()}, files={FIGURE: data, TABLE: PNG})
    assert [one.title for one in found.documents[1:]] == [TABLE]
    assert found.notes == (f"Paper 1: {FIGURE} is left out ({reason}); its caption is shown.",)


def test_the_images_of_one_paper_have_the_same_limits_as_those_of_a_page(monkeypatch):
    monkeypatch.setattr(images, "FILES_LIMIT", 1)
    (found,) = read({"1": paper()}, files={FIGURE: PNG, TABLE: PNG})
    assert [one.title for one in found.documents[1:]] == [FIGURE]
    assert found.notes == (f"Paper 1: {TABLE} is left out (beyond the first 1 images); its caption is shown.",)
