"""What is judged of QASPER: whether answers are right by their evidence, and whether questions could be asked of any
paper (QASPER paper, 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from annotation.documents.words import language_by_script
from annotation.i18n import _
from annotation.judging.rubrics import Rubric, preset
from annotation.protocols.qasper import checks, schemas
from annotation.protocols.qasper.papers import FLOAT, LEVELS, PaperText
from annotation.protocols.qasper.schemas import Paper, Question
from annotation.protocols.qasper.writing import evidence, evidence_of
from annotation.values.exhibits import ExhibitKind, Quoted, ShownExhibit
from annotation.values.predictions import ReadPrediction
from annotation.values.records import AnnotationRecord, ItemRecord, latest_payload

ANSWERS, QUESTIONS = "answers", "questions"
Ranges = tuple[tuple[int, int], ...]


def answers_rubric() -> Rubric:
    """Right or wrong, as in the paper's check of its answers."""
    return preset(
        _("QASPER answers"),
        _("Is it the answer to the question, by this evidence?"),
        ("right", _("Right"), _("The evidence supports it, and it answers what was asked.")),
        ("wrong", _("Wrong"), _("The evidence does not support it, or it answers something else.")),
        right=("right",),
    )


def questions_rubric() -> Rubric:
    """The paper's two types of questions (Table 1)."""
    return preset(
        _("QASPER questions"),
        _("Could the question be asked of other papers?"),
        ("general", _("General"), _("It applies to most papers of the field.")),
        ("specific", _("Specific"), _("It applies only to the paper that it was asked about.")),
    )


KINDS = (
    ExhibitKind(
        key=ANSWERS,
        title=_("Answers"),
        description=_("The question and its answer with the paragraphs of its evidence; not the unanswerable ones."),
        activity="answer",
        rubric=answers_rubric,
        published={"right": 0.758, "wrong": 0.242},
        source="QASPER paper, 3",
        n=273,
        of_an_item="all",
        on_one_screen="possible",
    ),
    ExhibitKind(
        key=QUESTIONS,
        title=_("Questions"),
        description=_("The question with title and abstract of its paper, of questions that were asked here."),
        activity="ask",
        rubric=questions_rubric,
        published={"general": 0.333, "specific": 0.667},
        source="QASPER paper, Table 1",
        n=200,
        raters=1,
        of_an_item="all",
    ),
)


def exhibits_of(kind: str, item: ItemRecord, annotation: AnnotationRecord) -> Iterator[tuple[int, ShownExhibit]]:
    """The questions that an annotation asks, each by its place from 0; or its answer, unless the paper has none."""
    if kind == QUESTIONS:
        yield from enumerate(_questions(item, annotation))
        return
    given = latest_payload(annotation.answers, "answer")
    words = _in_words(given)
    if item.root is None or not words:
        return
    text = PaperText.from_document(item.root.documents[0])
    question = Question.from_stored(item.payload).question.strip()
    texts = tuple(_evidence(given, annotation, text))
    yield 0, ShownExhibit(prompt=question, lang=_language(item.root), texts=texts, answers=words)


def predicted_exhibit(
    kind: str, item: ItemRecord, prediction: ReadPrediction, given: Callable[[], Sequence[AnnotationRecord]]
) -> ShownExhibit | None:
    """A predicted answer with its evidence as it stands in the file; the evaluator's word for no answer is none."""
    words = prediction.payload["answer"].strip()
    if kind != ANSWERS or item.root is None or words.casefold() in ("", "unanswerable"):
        return None
    evidence = [string for string in prediction.payload.get("evidence", ()) if string.strip()]
    texts = tuple(
        Quoted(
            text=string.removeprefix(FLOAT), label=_("Figure or table") if string.startswith(FLOAT) else _("Evidence")
        )
        for string in evidence
    )
    question = Question.from_stored(item.payload).question.strip()
    return ShownExhibit(prompt=question, lang=_language(item.root), texts=texts, answers=(words,))


def _questions(item: ItemRecord, annotation: AnnotationRecord) -> Iterator[ShownExhibit]:
    asked = latest_payload(annotation.answers, "questions")
    if not isinstance(asked, schemas.Questions):
        return
    paper = Paper.from_stored(item.payload)
    texts = (Quoted(text=paper.abstract, label=_("Abstract"), title=paper.title),)
    for question in asked.questions:
        yield ShownExhibit(prompt=question.text.strip(), lang=_language(item), texts=texts)


def _language(paper: ItemRecord) -> str:
    told = Paper.from_stored(paper.payload)
    return language_by_script(told.abstract or told.title)


def _in_words(given: object) -> tuple[str, ...]:
    """The answer in words, yes and no in English as in the material; none if there is no answer."""
    match given:
        case schemas.Extractive():
            return tuple(span.quote for span in given.spans)
        case schemas.Abstractive():
            return (given.text,)
        case schemas.YesNo():
            return (_yes_or_no(given.value),)
        case schemas.PublishedAnswer() if not given.unanswerable:
            yes_no = () if given.yes_no is None else (_yes_or_no(given.yes_no),)
            found = (*given.extractive_spans, given.free_form_answer, *yes_no)
            return tuple(words for words in found if words.strip())
    return ()


def _yes_or_no(value: bool) -> str:
    return "Yes" if value else "No"


def _evidence(given: object, annotation: AnnotationRecord, text: PaperText) -> Iterator[Quoted]:
    """The paragraphs and captions of the evidence. Marked in them: the words of the answer, or else the sentences that
    were chosen."""
    ours = not isinstance(given, schemas.PublishedAnswer)
    label, before = _("Evidence"), ""
    for place, string in _places(given, annotation, text):
        if place is None:
            # A caption, or a published string that is no paragraph of the paper.
            caption = string.startswith(FLOAT)
            shown = string.removeprefix(FLOAT)
            yield Quoted(
                text=shown, label=_("Figure or table") if caption else label, marks=_published_marks(given, shown)
            )
            continue
        heading = _heading(text, place)
        marks = _of_ours(given, place, text) if ours else _published_marks(given, string)
        yield Quoted(text=string, label=label, title=heading if heading != before else "", marks=marks)
        label, before = "", heading


def _places(given: object, annotation: AnnotationRecord, text: PaperText) -> Iterator[tuple[int | None, str]]:
    """Each string of the evidence with the index of its paragraph, None for one that is none."""
    units: Sequence[schemas.EvidenceUnit] = getattr(given, "evidence", ())
    if not isinstance(given, schemas.PublishedAnswer):
        chosen = sorted({unit.paragraph for unit in units if isinstance(unit, schemas.SentencesUnit)})
        yield from ((place, text.paragraphs[place]) for place in chosen)
        floats = tuple(unit for unit in units if isinstance(unit, schemas.FloatUnit))
        yield from ((None, string) for string in evidence(floats, text))
        return
    first: dict[str, int] = {}
    for place, paragraph in enumerate(text.paragraphs):
        first.setdefault(paragraph, place)
    yield from ((first.get(string), string) for string in dict.fromkeys(evidence_of(annotation, text)))


def _heading(text: PaperText, place: int) -> str:
    name = text.raw["full_text"][text.blocks[place].section].get("section_name") or ""
    return " › ".join(filter(None, (part.strip() for part in name.split(LEVELS))))


def _of_ours(given: object, place: int, text: PaperText) -> Ranges:
    if isinstance(given, schemas.Extractive):
        return tuple((span.start, span.end) for span in given.spans if span.paragraph == place)
    runs = checks.runs(getattr(given, "evidence", ()))
    return tuple((span[0], span[1]) for at, *run in runs if at == place for span in (text.run_span(at, *run),))


def _published_marks(given: object, string: str) -> Ranges:
    """The words of a published answer, or else its highlighted sentences, where they stand in its evidence."""
    if not isinstance(given, schemas.PublishedAnswer):
        return ()
    wanted = given.extractive_spans or tuple(one for one in given.highlighted_evidence or () if one != string)
    starts = ((string.find(words), len(words)) for words in wanted if words)
    return tuple(sorted((at, at + length) for at, length in starts if at >= 0))
