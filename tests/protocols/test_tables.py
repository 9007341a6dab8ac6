"""A spreadsheet of questions or passages comes in as JSON Lines do, in the protocols whose records are lines."""

from __future__ import annotations

import csv
import io
import json

import pytest

from annotation.models import Item
from tests.builders import PAGE, load, project

NQ = [
    {"question_text": "who kept the light, and when", "document_html": PAGE, "example_id": "17"},
    {"question_text": "who rang the bell", "document_html": PAGE, "split": "dev"},
]
COQA = [
    {"id": "ferry", "domain": "mctest", "story": "Pip was a grey cat.\nShe slept, and nobody paid."},
    {"id": "mill", "domain": "news", "story": "The mill, which is old, stands still."},
]


def table(rows, delimiter):
    written = io.StringIO(newline="")
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(written, names, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


@pytest.mark.parametrize(("protocol", "rows"), [("nq", NQ), ("coqa", COQA)])
@pytest.mark.parametrize("form", ["commas.csv", "tabs.tsv", "array.json"])
def test_records_of_a_table_or_an_array_are_those_of_lines(db, tmp_path, protocol, rows, form):
    (tmp_path / "lines.jsonl").write_text("".join(json.dumps(row) + "\n" for row in _with_numbers(rows)))
    text = json.dumps(_with_numbers(rows)) if form == "array.json" else table(rows, "," if "csv" in form else "\t")
    (tmp_path / form).write_text(text)
    contents = []
    for slug, name in (("of-lines", "lines.jsonl"), ("of-table", form)):
        made = project(slug, protocol)
        load(made, tmp_path / name)
        items = Item.objects.filter(project=made).order_by("position")
        contents.append(list(items.values_list("external_id", "split", "payload", "content_sha256")))
    assert contents[0] == contents[1]
    assert len(contents[0]) == 2


def _with_numbers(rows):
    return [row | ({"example_id": int(row["example_id"])} if "example_id" in row else {}) for row in rows]
