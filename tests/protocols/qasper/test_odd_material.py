"""Odd papers are imported through the commands, with a note about each oddity, or refused with a reason."""

import json
import zipfile
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.engine.loading import item_record
from annotation.models import Item, ItemDocument
from annotation.protocols.qasper.papers import PaperText
from tests.builders import project
from tests.pictures import png
from tests.protocols.qasper.builders import answer, paper, question

PNG = png()
ODD_LINES = "One.\rTwo is here.\r\nThree\u2028is\u2029there.\x0bFour.\x0cFive\x85is last.\n\n A\ttab. \ufeff Six."


@pytest.fixture
def papers(db):
    return project("papers", "qasper")


def imported(tmp_path, data, *, name="papers.json", command="import_items", **options):
    """The output of the command for a file, which is one JSON value or bytes."""
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    out, err = StringIO(), StringIO()
    try:
        call_command(command, "papers", str(path), stdout=out, stderr=err, **options)
    except CommandError as error:
        return f"{err.getvalue()}{error}"
    return out.getvalue()


def text_of(external_id):
    return PaperText.from_document(item_record(Item.objects.get(external_id=external_id)).documents[0])


def exported(tmp_path):
    """The output of the command for a release, and the papers in it."""
    out = StringIO()
    folder = tmp_path / "release"
    call_command("export_release", "papers", format="qasper", out=folder, stdout=out, stderr=StringIO())
    return out.getvalue(), json.loads((folder / "qasper-train-v0.3.json").read_bytes())


def test_null_names_and_empty_sections_and_paragraphs_are_kept_in_their_order(papers, tmp_path):
    text = [
        {"section_name": None, "paragraphs": ["First.", "", "  "]},
        {"section_name": "Nothing", "paragraphs": []},
        {"paragraphs": ["No name at all."]},
        {"section_name": "A ::: B ::: C", "paragraphs": ["Deep."]},
    ]
    assert "Imported 1 item with" in imported(tmp_path, {"odd": paper(full_text=text)})
    found = text_of("odd")
    assert found.raw["full_text"] == text
    assert found.paragraphs == ("First.", "", "  ", "No name at all.", "Deep.")
    assert [len(block.sentences) for block in found.blocks] == [1, 0, 0, 1, 1]


@pytest.mark.parametrize("command", ["import_items", "import_release"])
def test_every_line_separator_is_preserved(papers, tmp_path, command):
    text = [{"section_name": "A\rB", "paragraphs": [ODD_LINES]}]
    data = {"odd": paper(full_text=text, qas=[question(answers=[answer(evidence=[ODD_LINES])])])}
    imported(tmp_path, data, name="qasper-train-v0.3.json", command=command)
    found = text_of("odd")
    assert found.paragraphs == (ODD_LINES,)
    every = len(found.blocks[0].sentences)
    assert found.run(0, 0, every) == ODD_LINES.strip()
    if command == "import_release":
        _, released = exported(tmp_path)
        assert released == data


def test_duplicated_paragraph_text_keeps_its_ids_internally_and_is_warned_of_at_import_and_on_export(papers, tmp_path):
    text = [{"section_name": "A", "paragraphs": ["Otters float.", "Once only.", "Otters float."]}]
    floats = [{"file": "a.png", "caption": "Figure"}, {"file": "b.png", "caption": "Figure"}]
    asked = [
        question(1, answers=[answer(1, evidence=["Otters float."]), answer(2, "b" * 40, evidence=["Otters float."])]),
        question(2, answers=[answer(3, evidence=["Once only."])]),
        question(3, answers=[answer(4, evidence=["FLOAT SELECTED: Figure"])]),
    ]
    data = {"odd": paper(full_text=text, figures_and_tables=floats, qas=asked)}
    said = imported(tmp_path, data, name="qasper-train-v0.3.json", command="import_release")
    assert "Kept, line 1: Paper odd: The paragraph “Otters float.” occurs 2 times" in said
    assert [block.paragraph for block in text_of("odd").blocks] == [0, 1, 2]
    said, released = exported(tmp_path)
    notes = [line for line in said.splitlines() if line.startswith("Note: ")]
    assert len(notes) == 2
    assert f"question {1:040x}: the evidence “Otters float.” occurs 2 times in the paper" in notes[0]
    assert f"question {3:040x}: the evidence “FLOAT SELECTED: Figure” occurs" in notes[1]
    assert released == data


def test_a_malformed_paper_refuses_the_file_and_names_the_place(papers, tmp_path):
    said = imported(tmp_path, {"good": paper(), "bad": paper(full_text=[{"paragraphs": [None]}])})
    assert "Line 2, full_text[0].paragraphs[0]: Paper bad: " in said
    assert "1 line refused; nothing was imported." in said
    assert not Item.objects.exists()


@pytest.mark.parametrize("place", ["folder", "zip"])
def test_images_are_found_in_the_folder_or_the_zip_and_missing_ones_are_counted(papers, tmp_path, place):
    options = {}
    if place == "zip":
        options["beside"] = tmp_path / "images.zip"
        with zipfile.ZipFile(options["beside"], "w") as archive:
            archive.writestr("odd/1-Figure1-1.png", PNG)
        (tmp_path / "licences.json").write_text('{"odd": "CC BY 4.0"}')
    else:
        (tmp_path / "odd").mkdir()
        (tmp_path / "odd" / "1-Figure1-1.png").write_bytes(PNG)
    said = imported(tmp_path, {"odd": paper()}, **options)
    assert "No image for 1 of 2 figures and tables; their captions are shown." in said
    assert ItemDocument.objects.filter(title="1-Figure1-1.png").count() == 1
    licence = Item.objects.get(external_id="odd").payload.get("licence", "")
    assert licence == ("CC BY 4.0" if place == "zip" else ""), "beside the papers, whether or not there is a zip"


def test_an_image_that_is_a_decompression_bomb_is_left_out_and_reported(papers, tmp_path):
    with zipfile.ZipFile(tmp_path / "images.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1-Figure1-1.png", PNG + bytes(12_000_000))
        archive.writestr("2-Table1-1.png", PNG + bytes(17_000_000))
    said = imported(tmp_path, {"odd": paper()}, beside=tmp_path / "images.zip")
    assert said.count("is compressed to less than a hundredth of its size. Its caption is shown.") == 2
    assert ItemDocument.objects.count() == 1


def test_a_file_that_is_not_a_zip_is_refused_and_a_broken_image_in_one_is_missing(papers, tmp_path):
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no zip")
    assert "broken.zip can't be read as a zip" in imported(tmp_path, {"odd": paper()}, beside=broken)
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1-Figure1-1.png", PNG + bytes(range(256)) * 8)
    data = bytearray(broken.read_bytes())
    data[45:75] = b"\xff" * 30
    broken.write_bytes(data)
    assert "No image for 2 of 2 figures" in imported(tmp_path, {"odd": paper()}, beside=broken)


def test_oversized_metadata_is_not_reported_as_missing(papers, tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.parsing.sources.MAX_RESOURCE", 10)
    (tmp_path / "metadata.jsonl").write_text('{"paper_id": "1", "title": "T"}\n')
    old = {"paper_id": "1", "_pdf_hash": "x", "abstract": [], "body_text": [], "ref_entries": {}}
    said = imported(tmp_path, old)
    assert "metadata.jsonl is over" in said
    assert "Keep only the lines" in said
