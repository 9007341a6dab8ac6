"""Files, items and records in memory, built with the protocol's own reader and schemas."""

import json

import orjson

from annotation.parsing.forms import Form
from annotation.protocols.squad import reading, rules, schemas, writing
from annotation.protocols.squad.protocol import ANSWER, PROTOCOL, QUESTIONS
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ReleaseRecord, Step
from tests.protocols.records import item_of

STAGES = {"questions": QUESTIONS, "answer": ANSWER}
ACTIVITY = {"questions": "ask", "answer": "answer"}
CONTEXT = "The 🦊 lighthouse of Skerrow was built in 1871 by Anna Holt. Its light is seen from 19 miles away."


def answer(text="Anna Holt", context=CONTEXT, **fields):
    """A published answer at the first occurrence of its text."""
    return {"text": text, "answer_start": context.find(text)} | fields


def question(number=1, *answers, **fields):
    """A published question of 2.0; `impossible=True` for one without an answer."""
    if fields.pop("impossible", False):
        found = {
            "plausible_answers": [answer("1871")],
            "question": f"In which year was it lit for the {number}th time?",
            "id": f"{number:024x}",
            "answers": [],
            "is_impossible": True,
        }
    else:
        found = {
            "question": f"Who built lighthouse number {number}?",
            "id": f"{number:024x}",
            "answers": list(answers) or [answer()],
            "is_impossible": False,
        }
    return found | fields


def question_v1(number=1, *answers):
    """A published question of 1.1, with its keys in the order of the files."""
    given = [{"answer_start": one["answer_start"], "text": one["text"]} for one in answers or [answer()]]
    return {"answers": given, "question": f"Who built lighthouse number {number}?", "id": f"{number:024x}"}


def paragraph(*questions, context=CONTEXT, **fields):
    """A paragraph of 2.0."""
    return {"qas": list(questions), "context": context} | fields


def article(*paragraphs, title="Skerrow_lighthouse", **fields):
    """An article of 2.0."""
    return {"title": title, "paragraphs": list(paragraphs)} | fields


def file_v2(*articles):
    """A file of 2.0."""
    return {"version": "v2.0", "data": list(articles)}


def file_v1(*paragraphs):
    """A file of 1.1 with one article; a paragraph is its list of questions."""
    found = [{"context": CONTEXT, "qas": list(asked)} for asked in paragraphs]
    return {"data": [{"title": "Skerrow_lighthouse", "paragraphs": found}], "version": "1.1"}


class File:
    """An import source that is one JSON value."""

    form = Form.LINES
    read_as = ""

    def __init__(self, data, name="train-v2.0.json", published=False, split="", config=None):
        self.name, self.published, self.split, self.config = name, published, split, config or {}
        self._data = data if isinstance(data, bytes) else json.dumps(data).encode()

    def lines(self):
        yield from enumerate(self._data.split(b"\n"), start=1)

    def whole(self):
        return self._data

    def resource(self, path):
        raise LookupError(f"There is no file {path}.")


def read(data, **options):
    """What the reader yields for a file."""
    return list(reading.read(File(data, **options)))


def read_release(data, **options):
    """What the reader yields for a published file."""
    return read(data, published=True, **options)


def parsed(stage, payload, schema=""):
    """A payload dict as the stage's model, read from JSON text as the record reads it."""
    found = STAGES[stage]
    adapter = found.published if schema and schema == found.published_name else found.schema
    return GivenAnswer(stage, adapter.validate_json(orjson.dumps(payload)), schema or found.schema_name)


def annotations_of(incoming):
    """The imported annotations as exporters get them."""
    return tuple(
        AnnotationRecord(
            activity=found.activity,
            answers=tuple(parsed(stage, payload, schema) for stage, schema, payload in found.responses),
            external_id=found.external_id,
            imported=True,
        )
        for found in incoming.annotations
    )


def records_of(items, more=None):
    """Release records of read items, questions under their paragraphs; `more`: question id -> our annotations."""
    found = {one.external_id: [one, []] for one in items if one.kind == "paragraph"}
    for one in items:
        if one.kind == "question":
            said = (*annotations_of(one), *(more or {}).get(one.external_id, ()))
            root = item_of(found[one.parent[1]][0])
            found[one.parent[1]][1].append(ReleaseRecord(item_of(one, root), said))
    return [ReleaseRecord(item_of(one), children=tuple(children)) for one, children in found.values()]


def written(layout, records):
    """The file of a release with these records."""
    [found] = [one for one in PROTOCOL.formats if one.key == layout]
    around = found.container
    data = list(writing.articles(layout, iter(records)))
    return orjson.loads(orjson.dumps({**around.before, around.records: data, **around.after}))


def round_trip(data, layout="v2.0", **options):
    """A published file, read and written again."""
    return written(layout, records_of(read_release(data, **options)))


def span(quote, text=CONTEXT):
    """The span of the first occurrence of these words."""
    start = text.index(quote)
    return {"passage": 0, "start": start, "end": start + len(quote), "quote": quote}


def asked(*questions):
    """The payload of questions, each (text, words) or (text, words, "impossible")."""
    return {
        "questions": [
            {"kind": (*rest, "answerable")[0], "text": text, "span": span(words)} for text, words, *rest in questions
        ]
    }


def marked(quote):
    """The payload of an answer with these words."""
    return {"kind": "span", "span": span(quote)}


NONE = {"kind": "unanswerable"}


def ours(payload, stage="answer", number=1):
    """An annotation of ours."""
    return AnnotationRecord(ACTIVITY[stage], (parsed(stage, payload),), id_hex=f"{number:040x}", worker="somebody")


def paragraph_item(context=CONTEXT, **fields):
    """A paragraph as an item."""
    return item_of(read(file_v2(article(paragraph(context=context), **fields)))[0])


def question_item(**fields):
    """A raw question as an item under its paragraph."""
    found, one = read(file_v2(article(paragraph(question(**fields)))))
    return item_of(one, root=item_of(found))


def sheet_at(stage, item, version="2.0"):
    """The sheet of a stage."""
    config = schemas.Config(version=version)
    return rules.sheet(Context(item, ACTIVITY[stage], config=config), Step(stage))


def problems_at(stage, payload, item, version="2.0"):
    """(field, code) of each problem of a payload."""
    context = Context(item, ACTIVITY[stage], config=schemas.Config(version=version))
    found = rules.check(context, Step(stage), parsed(stage, payload).payload)
    return [(problem.field, problem.code) for problem in found]
