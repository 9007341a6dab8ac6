"""What is judged of SQuAD: whether the marked words of a paragraph answer the question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from annotation.documents.words import language_by_script
from annotation.i18n import _
from annotation.judging.rubrics import Rubric, preset
from annotation.protocols.squad import schemas
from annotation.protocols.squad.schemas import Paragraph, Question, article_title
from annotation.values.exhibits import ExhibitKind, Quoted, ShownExhibit
from annotation.values.predictions import ReadPrediction
from annotation.values.records import AnnotationRecord, ItemRecord, latest_payload

Ranges = tuple[tuple[int, int], ...]


def answers_rubric() -> Rubric:
    """Right or wrong; the papers judge no answers, so these definitions are ours."""
    return preset(
        _("SQuAD answers"),
        _("Do the marked words answer the question?"),
        ("right", _("Right"), _("The paragraph says that they are the answer, and they are all of it.")),
        ("wrong", _("Wrong"), _("They answer something else, or too little of the answer is marked to be understood.")),
        right=("right",),
    )


KINDS = (
    ExhibitKind(
        key="answers",
        title=_("Answers"),
        description=_("The question and its paragraph with the answer marked in it; not the questions without one."),
        activity="answer",
        rubric=answers_rubric,
        on_one_screen="possible",
    ),
)


def exhibits_of(kind: str, item: ItemRecord, annotation: AnnotationRecord) -> Iterator[tuple[int, ShownExhibit]]:
    """The answer of an annotation, ours or published; none if the paragraph is said not to answer."""
    given = latest_payload(annotation.answers, "answer")
    if item.root is None:
        return
    text = item.root.documents[0].text
    marked: Ranges
    if isinstance(given, schemas.Marked):
        words, marked = given.span.quote, ((given.span.start, given.span.end),)
    elif isinstance(given, schemas.PublishedAnswer) and given.text:
        words, marked = given.text, given.places_in(text)
    else:
        return
    yield 0, _shown_answer(item, item.root, words, marked)


def predicted_exhibit(
    kind: str, item: ItemRecord, prediction: ReadPrediction, given: Callable[[], Sequence[AnnotationRecord]]
) -> ShownExhibit | None:
    """A predicted answer with its paragraph; nothing is marked there, since predictions are texts without a place."""
    words = prediction.payload["answer"].strip()
    if item.root is None or not words:
        return None
    return _shown_answer(item, item.root, words)


def _shown_answer(item: ItemRecord, paragraph: ItemRecord, words: str, marks: Ranges = ()) -> ShownExhibit:
    text = paragraph.documents[0].text
    title = article_title(Paragraph.from_stored(paragraph.payload).title)
    return ShownExhibit(
        prompt=Question.from_stored(item.payload).question.strip(),
        lang=language_by_script(text),
        texts=(Quoted(text=text, title=title, marks=marks),),
        answers=(words,),
    )
