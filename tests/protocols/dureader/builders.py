"""Rows, items and records in memory, built with the protocol's own reader and schemas."""

import json

import orjson

from annotation.parsing.forms import Form
from annotation.protocols.dureader import reading, rules, writing
from annotation.protocols.dureader.forms import FORMS
from annotation.protocols.dureader.protocol import ANSWERS, KIND, PROTOCOL
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ReleaseRecord, Step
from tests.protocols.records import item_of

STAGES = {"kind": KIND, "answers": ANSWERS}
LAMPS = {
    "title": "Lamps of the lighthouse",
    "paragraphs": ["The keeper burned rape oil until 1871.", "Then came gas."],
    "bs_rank_pos": 0,
}
LIGHT = {"title": "灯塔", "paragraphs": ["灯塔用油灯。"], "bs_rank_pos": 3}


def row(number=1, kind="DESCRIPTION", fact="FACT", **fields):
    """A row of a test file: a question with two documents, without answers. `kind` or `fact` None: without that key."""
    typed = {"question_type": kind, "fact_or_opinion": fact}
    return (
        {"question_id": number, "question": f"which oil did lamp {number} burn"}
        | {key: value for key, value in typed.items() if value}
        | {"documents": [dict(LAMPS), dict(LIGHT)]}
        | fields
    )


def answered_row(number=1, kind="DESCRIPTION", **fields):
    """A row of a training file with its answers."""
    found = row(number, kind, answers=["It burned rape oil.", "Later gas."])
    found["documents"] = [LAMPS | {"is_selected": True}, LIGHT | {"is_selected": False}]
    if kind == "YES_NO":
        found |= {"yesno_answers": ["Yes", "Depends"], "yesno_type": "FACT"}
    if kind == "ENTITY":
        found |= {"entity_answers": [["rape oil"], ["gas"]]}
    return found | fields


class Lines:
    """An import source of these rows."""

    form = Form.LINES
    read_as = ""
    config: dict = {}

    def __init__(self, *rows, name="search.train.json", published=False, split=""):
        self.name, self.published, self.split, self.rows = name, published, split, rows

    def lines(self):
        return ((n, orjson.dumps(each)) for n, each in enumerate(self.rows, start=1))

    records = lines


def read(*rows, **options):
    """What the reader yields."""
    return list(reading.read(Lines(*rows, **options)))


def item(kind="DESCRIPTION", fact="FACT", **fields):
    """One question to be answered."""
    return item_of(read(row(kind=kind, fact=fact, **fields))[0])


def said(stage, payload):
    return GivenAnswer(stage, STAGES[stage].schema.validate_json(orjson.dumps(payload)))


def composed(*answers, used=(0,)):
    """A payload of these answers: texts, or (text, opinion or list of entities)."""
    found = []
    for each in answers:
        text, more = each if isinstance(each, tuple) else (each, None)
        key = "opinion" if isinstance(more, str) else "entities"
        found.append({"text": text} | ({key: more} if more else {}))
    return {"answers": found, "used": list(used) if answers else []}


NONE = composed()


def ours(payload, kind=None):
    """An annotation made here; `kind`: what its person says the question is, as (type, fact or opinion)."""
    typed = [said("kind", {"question_type": kind[0], "fact_or_opinion": kind[1]})] if kind else []
    return AnnotationRecord("compose", (*typed, said("answers", payload)))


def published(given):
    """The records of a published row."""
    found = read(given, published=True)[0]
    annotations = [
        AnnotationRecord(
            "compose",
            tuple(
                GivenAnswer(stage, STAGES[stage].published.validate_json(orjson.dumps(payload)))
                for stage, _schema, payload in each.responses
            ),
            imported=True,
        )
        for each in found.annotations
    ]
    return ReleaseRecord(item=item_of(found), annotations=tuple(annotations))


def record(payloads, kind="DESCRIPTION", fact="FACT", types=()):
    """A question with the annotations of these payloads; `types`: what each says it is."""
    annotations = [ours(each, types[n] if types else None) for n, each in enumerate(payloads)]
    return ReleaseRecord(item=item(kind, fact), annotations=tuple(annotations))


def written(found, format="v2.0"):
    """The row of a record, as JSON values."""
    return json.loads(orjson.dumps(next(writing.rows(format, [found]))))


def context(of=None, *answers):
    return Context(of or item(), "compose", answers=tuple(answers), seat="one", config=PROTOCOL.config())


def sheet_at(stage, of=None, *answers):
    return rules.sheet(context(of, *answers), Step(stage))


def problems_at(stage, payload, of=None, *answers):
    """(field, code) of what form, schema and check find wrong."""
    form = FORMS[stage](FORMS[stage].fields_of(payload))
    if not form.is_valid():
        return [(one.field, one.code) for one in form.problems()]
    model = STAGES[stage].schema.validate_json(orjson.dumps(form.payload()))
    return [(one.field, one.code) for one in rules.check(context(of, *answers), Step(stage), model)]
