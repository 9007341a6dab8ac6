"""The layouts of DuReader's releases: rows as they are published, and those that the repository's script reads."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.i18n import _
from annotation.protocol import Format
from annotation.protocols.dureader.rules import answers_in
from annotation.protocols.dureader.schemas import Question
from annotation.protocols.dureader.writing import kind_of
from annotation.values.records import ReleaseRecord


def notes(record: ReleaseRecord) -> Iterator[str]:
    """What parallel lists of answers can't say: who found none, and that people saw different types in the question."""
    found = [answers_in(each) for each in record.annotations]
    none = sum(each is not None and not each for each in found)
    if none and none < len(found):
        yield f"{none} of {len(found)} people found no answer"
    question = Question.from_stored(record.item.payload)
    if question.question_type is None and record.annotations:
        types = {kind_of(one, question)[0] for one in _one_by_one(record)}
        if len(types) > 1:
            yield "people differ on the type of the question; most say " + kind_of(record, question)[0]


def _one_by_one(record: ReleaseRecord) -> Iterator[ReleaseRecord]:
    for each in record.annotations:
        yield ReleaseRecord(item=record.item, annotations=(each,))


FORMATS = (
    Format(
        key="v2.0",
        title=_("DuReader 2.0"),
        pattern="{split}.json",
        kind="question",
        activity="compose",
        notes=notes,
    ),
    Format(
        key="repository",
        title=_("References of the repository’s script"),
        pattern="{split}.references.json",
        kind="question",
        activity="compose",
        notes=notes,
    ),
)
