"""What is judged of DuReader: each answer in words, with its opinion or entities, from 1 to 5 (metrics paper, 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from annotation.documents.words import language_by_script
from annotation.i18n import _
from annotation.judging.rubrics import Rubric, preset
from annotation.protocols.dureader.rules import answers_in
from annotation.protocols.dureader.schemas import Question
from annotation.values.exhibits import Detail, ExhibitKind, Quoted, ShownExhibit
from annotation.values.predictions import ReadPrediction
from annotation.values.records import AnnotationRecord, ItemRecord


def answers_rubric() -> Rubric:
    """The five marks of the metrics paper, in the order of their numbers, which are their keys, and its nuggets."""
    return preset(
        _("DuReader answers"),
        _("How well does it answer the question? Opinion and entities weigh most."),
        ("1", _("1 · Irrelevant"), _("It has nothing to do with the question.")),
        ("2", _("2 · Poor"), _("Something vital is missing, or wrong.")),
        ("3", _("3 · Slightly insufficient"), _("It is a little short: an opinion without what supports it, say.")),
        ("4", _("4 · Sufficient"), _("Something that is not vital is missing, or some of it is redundant.")),
        ("5", _("5 · Perfect"), _("It answers the question perfectly, with little that is redundant.")),
        ordinal=True,
        checks=(
            ("opinion", _("The opinion is right"), False),
            ("support", _("What supports it is there"), False),
            ("entities", _("Entities that are there"), True),
        ),
    )


KINDS = (
    ExhibitKind(
        key="answers",
        title=_("Answers"),
        description=_("The question and one answer with its opinion or entities; the documents are not shown."),
        activity="compose",
        rubric=answers_rubric,
        source="DuReader metrics paper, Table 1",
        n=2500,
        raters=2,
        of_an_item="all",
        on_one_screen="usual",
    ),
)


def exhibits_of(kind: str, item: ItemRecord, annotation: AnnotationRecord) -> Iterator[tuple[int, ShownExhibit]]:
    """Each answer of an annotation by its place from 0, ours or published; empty published ones are not judged."""
    question = Question.from_stored(item.payload).question.strip()
    for place, answer in enumerate(answers_in(annotation) or ()):
        if answer.text.strip():
            yield place, _shown_answer(question, answer.text.strip(), answer.opinion or "", answer.entities)


def predicted_exhibit(
    kind: str, item: ItemRecord, prediction: ReadPrediction, given: Callable[[], Sequence[AnnotationRecord]]
) -> ShownExhibit | None:
    """A predicted answer with its opinion or entities, shown as a person's; what people answered is beside it."""
    text, entities = prediction.payload["answer"].strip(), tuple(prediction.payload.get("entities") or ())
    if not text:
        return None
    question, opinion = Question.from_stored(item.payload).question.strip(), prediction.payload.get("opinion") or ""
    written = [answer.text.strip() for one in given() for answer in answers_in(one) or ()]
    references = [Quoted(text=each) for each in dict.fromkeys(written) if each]
    if references:
        references[0] = Quoted(text=references[0].text, label=_("References"))
    return _shown_answer(question, text, opinion, entities).model_copy(update={"texts": tuple(references)})


def _shown_answer(question: str, text: str, opinion: str, entities: tuple[str, ...]) -> ShownExhibit:
    details = []
    if opinion:
        details.append(Detail(label=_("Opinion"), texts=(opinion,), ours=True))
    if names := tuple(name for name in entities if name.strip()):
        details.append(Detail(label=_("Entities"), texts=names))
    return ShownExhibit(prompt=question, lang=language_by_script(question), answers=(text,), details=tuple(details))
