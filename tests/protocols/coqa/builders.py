"""Files, items and records in memory, built with the protocol's own reader and schemas."""

import json

import orjson

from annotation.parsing.forms import Form
from annotation.protocols.coqa import reading, schemas, writing
from annotation.values.records import AnnotationRecord, GivenAnswer, ItemRecord, ReleaseRecord
from tests.protocols.records import item_of

STORY = "The 🦊 lighthouse of Skerrow was built in 1871 by Anna Holt. Its light is seen from 19 miles away."
OURS = {
    "question": schemas.QUESTION,
    "closing": schemas.CLOSING,
    "answer": schemas.ANSWER,
    "guess": schemas.ANSWER,
    "verdict": schemas.VERDICT,
}
PUBLISHED = {
    "question": schemas.PUBLISHED_QUESTION,
    "answer": schemas.PUBLISHED_ANSWER,
    "guess": schemas.PUBLISHED_ANSWER,
}


def question(turn=1, text="", **fields):
    """A published question."""
    return {"input_text": text or f"Who built it, the {turn}th time?", "turn_id": turn} | fields


def answer(turn=1, text="Anna", words="by Anna Holt", **fields):
    """A published answer with its rationale, at the first occurrence of these words."""
    start = STORY.index(words) if words else -1
    found = {
        "span_start": start,
        "span_end": start + len(words) if words else -1,
        "span_text": words or "unknown",
        "input_text": text,
        "turn_id": turn,
    }
    return found | fields


def dialogue(turns=10, *, games=None, **fields):
    """A published dialogue; `games` additional lists of answers, or no such field."""
    found = {
        "source": "wikipedia",
        "id": "3zotghdk5ibi9cex97fepx7jetpso7",
        "filename": "Skerrow.txt",
        "story": STORY,
        "questions": [question(turn) for turn in range(1, turns + 1)],
        "answers": [answer(turn) for turn in range(1, turns + 1)],
    }
    if games is not None:
        found["additional_answers"] = {
            str(n): [answer(turn, f"Anna {n}") for turn in range(1, turns + 1)] for n in range(games)
        }
    return found | {"name": "Skerrow.txt"} | fields


def file_of(*dialogues):
    """A published file."""
    return {"version": "1.0", "data": list(dialogues)}


class File:
    """An import source: one JSON value, or a list of JSON Lines, with text files beside it."""

    form = Form.LINES
    read_as = ""

    def __init__(self, data, name="coqa-train-v1.0.json", published=False, split="", beside=None):
        self.name, self.published, self.split, self.config = name, published, split, {}
        if name.endswith(".jsonl"):
            data = b"\n".join(map(orjson.dumps, data))
        self._data = data if isinstance(data, bytes) else json.dumps(data).encode()
        self._beside = beside or {}

    def lines(self):
        yield from ((n, line) for n, line in enumerate(self._data.split(b"\n"), start=1) if line)

    def whole(self):
        return self._data

    def resource(self, path):
        if path not in self._beside:
            raise LookupError(f"There is no file {path}.")
        return self._beside[path]


def read(data, **options):
    """What the reader yields for a file."""
    return list(reading.read(File(data, **options)))


def read_release(data, **options):
    """What the reader yields for a published file."""
    return read(data, published=True, **options)


def parsed(stage, payload, turn=0, seat="one", schema=""):
    """A payload dict as the stage's model, read from JSON text as the record reads it."""
    adapter = (PUBLISHED if schema else OURS)[stage]
    return GivenAnswer(stage, adapter.validate_json(orjson.dumps(payload)), schema or f"coqa.{stage}/1", turn, seat)


def imported(found):
    """An imported annotation as exporters get it."""
    said = tuple(parsed(one.stage, one.payload, one.turn, one.seat, one.schema) for one in found.responses)
    return AnnotationRecord(found.activity, said, external_id=found.external_id, imported=True)


def records_of(items):
    """Release records of read items, conversations under their passages."""
    found = {one.external_id: (one, []) for one in items if one.kind == "passage"}
    for one in items:
        if one.kind == "conversation":
            root, children = found[one.parent[1]]
            children.append(ReleaseRecord(item_of(one, item_of(root)), tuple(map(imported, one.annotations))))
    return [
        ReleaseRecord(item_of(one), tuple(map(imported, one.annotations)), tuple(children))
        for one, children in found.values()
    ]


def written(records):
    """The file of a release with these records."""
    [layout] = writing.FORMATS
    data = list(writing.dialogues(layout.key, iter(records)))
    around = layout.container
    return orjson.loads(orjson.dumps({**around.before, around.records: data, **around.after}))


def round_trip(data, **options):
    """A published file, read and written again."""
    return written(records_of(read_release(data, **options)))


def asked(turn=1, text=""):
    """A question of ours."""
    return parsed("question", {"kind": "asked", "text": text or f"Who built it, {turn}?"}, turn, "questioner")


def ended(turn, why="done", reason=""):
    """The questioner's wish to end."""
    return parsed("question", {"kind": "ended", "why": why, "reason": reason}, turn, "questioner")


def said(turn=1, text="Anna", words="by Anna Holt", stage="answer", kind="answered"):
    """An answer or a guess of ours; without words it is unknown."""
    start = STORY.index(words) if words else 0
    rationale = {"passage": 0, "start": start, "end": start + len(words), "quote": words}
    payload = {"kind": kind, "text": text, "rationale": rationale} if words else {"kind": "unknown"}
    return parsed(stage, payload, turn, "answerer" if stage == "answer" else "one")


def talk(*more, turns=10, activity="converse", number=1):
    """A conversation of ours: `turns` ordinary turns, then `more` responses."""
    every = [one for turn in range(1, turns + 1) for one in (asked(turn), said(turn))]
    return AnnotationRecord(activity, (*every, *more), id_hex=f"{number:040x}", worker="somebody")


def game(*, turns=10, text="Anna Holt", verdicts=(), number=100):
    """A game of ours: a guess for each turn, with `verdicts` as turn -> verdict."""
    every = [said(turn, text, stage="guess") for turn in range(1, turns + 1)]
    every += [parsed("verdict", {"verdict": verdict}, turn) for turn, verdict in dict(verdicts).items()]
    return AnnotationRecord("guess", tuple(every), id_hex=f"{number:040x}", worker="player")


def record_of(*talks, split="train", games=None, story=STORY, **fields):
    """A passage with conversations of ours; `games`: number of the conversation -> its games."""
    line = {"id": "p1", "domain": "wikipedia", "story": story, "filename": "Skerrow.txt", "split": split} | fields
    [item] = read([line], name="passages.jsonl")
    root = item_of(item)
    children = []
    for place, played in (games or {}).items():
        one = talks[place]
        turns = tuple(
            schemas.Turn(question=exchange.question.text, answer=writing.released_text(exchange.answer))
            for exchange in writing.exchanges(one)
        )
        payload = schemas.Conversation(talk=one.id_hex, turns=turns).model_dump(mode="json")
        child = ItemRecord("conversation", one.id_hex, split, payload, root=root)
        children.append(ReleaseRecord(child, tuple(played)))
    return ReleaseRecord(root, tuple(talks), tuple(children))
