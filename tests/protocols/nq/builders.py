"""Files, items and records in memory, made through the protocol's own reader, schemas and the html package."""

import json
from functools import lru_cache

import orjson

from annotation import html
from annotation.documents.layout import PUBLISHED_SIMPLIFIED
from annotation.parsing.forms import Form
from annotation.parsing.incoming import IncomingItem
from annotation.protocols.nq import formats, rules
from annotation.protocols.nq.protocol import ANNOTATE
from annotation.values.records import (
    AnnotationRecord,
    Context,
    DocumentRecord,
    GivenAnswer,
    ItemRecord,
    ReleaseRecord,
    Step,
)

PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>Old lighthouse - Atlas</title></head><body>
<h1>Old lighthouse</h1>
<p>The old lighthouse stands on a rock. It was lit on <a href="/wiki/1">25 July 1823</a> &amp; rebuilt in 1901.</p>
<p>Its keeper’s café 🦊 is well known.</p>
<h2>Lamps</h2>
<table><tr><th>Lamp</th><td>oil</td></tr><tr><th>Height</th><td>sixty-three metres</td></tr></table>
<ul><li>One door</li><li>Two windows</li></ul>
</body></html>
"""


class Lines:
    """An import source made of lines."""

    form = Form.LINES
    read_as = ""

    def __init__(self, *lines, name="questions.jsonl", published=False, split="", files=None):
        self.name, self.published, self.split = name, published, split
        self.files = files or {}
        self._lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]

    def lines(self):
        yield from enumerate(self._lines, start=1)

    def resource(self, path):
        if path not in self.files:
            raise LookupError(f"There is no file {path}.")
        return self.files[path]


def read(*lines, **options):
    """Read the lines with the protocol's reader."""
    return list(formats.read(Lines(*lines, **options)))


def read_item(line, **options):
    """Read a line that is not refused and has one item."""
    (incoming,) = read(line, **options)
    assert isinstance(incoming, IncomingItem), incoming
    return incoming


def published(line, name="nq-dev-00.jsonl.gz"):
    """The item in a published line."""
    return read_item(line, name=name, published=True)


def item_of(incoming):
    """The item as protocols and exporters get it, its JSON as read back from a database."""
    return ItemRecord(
        kind=incoming.kind,
        external_id=incoming.external_id,
        split=incoming.split,
        payload=orjson.loads(orjson.dumps(incoming.payload)),
        documents=tuple(map(_record, incoming.documents)),
    )


def _record(document):
    layout = type(document.layout).from_bytes(document.layout.to_bytes())

    @lru_cache
    def rendering(sha256, layout_sha256, media_type, root):
        page = document.source, layout
        if layout.version == PUBLISHED_SIMPLIFIED:
            page = html.synthesise([token.text for token in layout.tokens], layout.candidates)
        return html.render(*page, root=root)

    return DocumentRecord(
        sha256="",
        media_type=document.media_type,
        layout_sha256="",
        title=document.title,
        url=document.url,
        load_source=lambda sha256: document.source,
        load_layout=lambda sha256: layout,
        load_rendering=rendering,
    )


def parsed(stage, payload, schema=""):
    """A payload dict as the stage's model, parsed from JSON text like a stored one."""
    found = ANNOTATE.stage(stage)
    adapter = found.published if schema and schema == found.published_name else found.schema
    return GivenAnswer(stage, adapter.validate_json(orjson.dumps(payload)), schema or found.schema_name)


def annotations_of(incoming):
    """The imported annotations as exporters get them."""
    return tuple(
        AnnotationRecord(
            activity="annotate",
            answers=tuple(parsed(stage, payload, schema) for stage, schema, payload in annotation.responses),
            external_id=annotation.external_id,
            imported=True,
        )
        for annotation in incoming.annotations
    )


def ours(id64=1, **payloads):
    """An annotation of ours: stage=payload."""
    return AnnotationRecord("annotate", tuple(parsed(stage, one) for stage, one in payloads.items()), id64=id64)


def round_trip(line, format="nq", name="nq-dev-00.jsonl.gz"):
    """Read a published line and write it again."""
    incoming = published(line, name)
    (written,) = formats.write(format, [ReleaseRecord(item_of(incoming), annotations_of(incoming))])
    return orjson.loads(orjson.dumps(written))


def raw_item(page=PAGE, **fields):
    """The item of a raw question about a page."""
    return item_of(read_item({"question_text": "when was it lit", "document_html": page, **fields}))


GOOD = {"verdict": "good"}


def box_where(item, words):
    """The long answer payload of the smallest box whose text begins with these words."""
    boxes = item.documents[0].rendering().candidates
    box = [box for box in boxes if box.excerpt.startswith(words)][-1]
    quote = item.documents[0].rendering(box.index).text
    return {"kind": "box", "candidate": box.index, "quote": " ".join(quote.split())[:200]}


def spans_of(item, box, *quotes):
    """The short answer payload of these words in the box."""
    rendering, layout = item.documents[0].rendering(box["candidate"]), item.documents[0].layout
    chosen = layout.candidates[box["candidate"]]
    spans = []
    for quote in quotes:
        (start, end), *_ = html.find_quote(rendering, quote, (chosen.start_token, chosen.end_token))
        spans.append({"start": start, "end": end, "quote": quote})
    return {"kind": "spans", "spans": spans}


NULL = {"candidate_index": -1, "end_byte": -1, "end_token": -1, "start_byte": -1, "start_token": -1}


def annotation(annotation_id=7, long=NULL, shorts=(), yes_no="NONE", **fields):
    """A published annotation, null by default."""
    found = {"annotation_id": annotation_id, "long_answer": long, "short_answers": list(shorts)}
    return found | {"yes_no_answer": yes_no} | fields


def original(**fields):
    """A published record in the original layout, on our own page, with one null annotation by default."""
    (record,) = formats.write("nq", [ReleaseRecord(raw_item(example_id=1), (ours(7),))])
    return record | fields


def sheet_at(stage, item, said=()):
    """The annotator's sheet at a stage after these answers."""
    return rules.sheet(Context(item, "annotate", said), Step(stage))


def problems_at(stage, payload, item, said=()):
    """The problems with that answer."""
    return rules.check(Context(item, "annotate", said), Step(stage), payload)


def stage_after(said, item=None):
    """The stage that comes next, or None."""
    step = rules.next_step(Context(item, "annotate", said))
    return step and step.stage
