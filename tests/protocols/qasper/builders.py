"""Files, items and records in memory, made through the protocol's own reader and schemas."""

import json

import orjson

from annotation.parsing.forms import Form
from annotation.protocols.qasper import formats, rules
from annotation.protocols.qasper.protocol import ANSWER, PROTOCOL, QUESTIONS
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ReleaseRecord, Step
from tests.protocols.records import item_of

STAGES = {"questions": QUESTIONS, "answer": ANSWER}

FIRST = "Otters hold hands (see Fig. 1). They sleep on 🦊 kelp. We counted 14 of them et al. BIBREF0 too."
SECOND = "Some otters juggle. Nobody knows why."

ACTIVITY = {"questions": "ask", "answer": "answer", "other": "ask"}


def paper(**fields):
    """A paper written for the tests, in the QASPER layout, without questions."""
    found = {
        "title": "Otters at rest",
        "abstract": "We watch otters. They rest a lot, and we ask why that is so.",
        "full_text": [
            {"section_name": "Introduction", "paragraphs": [FIRST, "", SECOND]},
            {"section_name": "Method ::: Counting", "paragraphs": ["We count by hand."]},
            {"section_name": None, "paragraphs": []},
        ],
        "figures_and_tables": [
            {"file": "1-Figure1-1.png", "caption": "Figure 1: An otter."},
            {"file": "2-Table1-1.png", "caption": "Table 1: Otters by river."},
        ],
    }
    return found | fields


def question(number=1, **fields):
    """A published question without answers."""
    found = {
        "question": f"How many otters were counted on day {number}?",
        "question_id": f"{number:040x}",
        "nlp_background": "two",
        "topic_background": "unfamiliar",
        "paper_read": "no",
        "search_query": "otter",
        "question_writer": "w" * 40,
        "answers": [],
    }
    return found | fields


def answer(number=1, worker="a" * 40, **fields):
    """A published answer, extractive by default."""
    found = {
        "unanswerable": False,
        "extractive_spans": ["14"],
        "yes_no": None,
        "free_form_answer": "",
        "evidence": [FIRST],
        "highlighted_evidence": ["They sleep on 🦊 kelp."],
    }
    return {"answer": found | fields, "annotation_id": f"{number:040x}", "worker_id": worker}


class File:
    """An import source that is one JSON value, or lines."""

    form = Form.LINES
    read_as = ""

    def __init__(self, data, name="qasper-train-v0.3.json", published=False, split="", files=None, config=None):
        self.name, self.published, self.split, self.config = name, published, split, config or {}
        self.files = files or {}
        self._data = data if isinstance(data, bytes) else json.dumps(data).encode()

    def lines(self):
        yield from enumerate(self._data.split(b"\n"), start=1)

    def whole(self):
        return self._data

    def resource(self, path):
        if path not in self.files:
            raise LookupError(f"There is no file {path}.")
        return self.files[path]


def read(data, **options):
    """Read a file with the protocol's reader."""
    return list(formats.read(File(data, **options)))


def read_release(data, **options):
    """Read a published file with the protocol's reader."""
    return read(data, published=True, **options)


def parsed(stage, payload, schema=""):
    """A payload dict as the stage's model, parsed from JSON text like a stored one."""
    found = STAGES[stage]
    adapter = found.published if schema and schema == found.published_name else found.schema
    return GivenAnswer(stage, adapter.validate_json(orjson.dumps(payload)), schema or found.schema_name)


def annotations_of(incoming):
    """The imported annotations as exporters get them, with pseudonyms for their workers."""
    return tuple(
        AnnotationRecord(
            activity=found.activity,
            answers=tuple(parsed(stage, payload, schema) for stage, schema, payload in found.responses),
            external_id=found.external_id,
            id_hex="f" * 40,
            worker="pseudonym",
            imported=True,
        )
        for found in incoming.annotations
    )


def records_of(items):
    """Release records of read items, questions under their papers."""
    papers = {one.external_id: one for one in items if one.kind == "paper"}
    children = {key: [] for key in papers}
    for one in items:
        if one.kind == "question":
            children[one.parent[1]].append(ReleaseRecord(item_of(one), annotations_of(one)))
    return [ReleaseRecord(item_of(one), children=tuple(children[key])) for key, one in papers.items()]


def round_trip(data, **options):
    """Read a published file and write it again."""
    written = formats.write("qasper", records_of(read_release(data, **options)))
    return orjson.loads(orjson.dumps(dict(written)))


def ours(payload, stage="answer", activity="answer", number=1):
    """An annotation of ours."""
    return AnnotationRecord(activity, (parsed(stage, payload),), id_hex=f"{number:040x}", worker=f"worker-{number}")


def paper_item(**fields):
    """A raw paper as an item."""
    options = {key: fields.pop(key) for key in ("files", "config") if key in fields}
    return item_of(read({"2001.00001": paper(**fields)}, **options)[0])


def question_item(**fields):
    """A raw question as an item under its paper."""
    found, asked = read({"2001.00001": paper(qas=[question()], **fields)})
    return item_of(asked, root=item_of(found))


def sheet_of(item):
    """The answerer's sheet."""
    return sheet_at("answer", item, ())


def sentences(paragraph, start, end, quote):
    """A unit of evidence."""
    return {"kind": "sentences", "paragraph": paragraph, "start": start, "end": end, "quote": quote}


def float_unit(index, quote):
    """A unit of evidence that is a figure or table."""
    return {"kind": "float", "index": index, "quote": quote}


def span(paragraph, quote, text=FIRST):
    """A span of a paragraph with that text."""
    start = text.index(quote)
    return {"paragraph": paragraph, "start": start, "end": start + len(quote), "quote": quote}


def sheet_at(stage, item, said=()):
    """The sheet of a writer or an answerer."""
    return rules.sheet(Context(item, ACTIVITY[stage], said), Step(stage))


def problems_at(stage, payload, item, said=()):
    """The problems with those questions or that answer."""
    return rules.check(Context(item, ACTIVITY[stage], said), Step(stage), payload)


def stage_after(activity, said):
    """The stage that comes next, or None."""
    step = PROTOCOL.next_step(Context(None, activity, said))
    return step and step.stage
