"""What is judged of CoQA: how a question relates to its passage and to what was said before, and answers that are no
words of the passage (CoQA paper, 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from annotation.documents.words import language_by_script
from annotation.i18n import _
from annotation.judging.rubrics import Rubric, preset
from annotation.protocols.coqa import human
from annotation.protocols.coqa.statistics import spaced_words
from annotation.protocols.coqa.talk import UNKNOWN, Answer, asked_text, exchanges, kind_of, rationale_of, released_text
from annotation.values.exhibits import Detail, EarlierTurn, ExhibitKind, Quoted, ShownExhibit
from annotation.values.predictions import ReadPrediction
from annotation.values.records import AnnotationRecord, ItemRecord

PASSAGE, HISTORY, FREE, RIGHT = "questions", "history", "free_answers", "answers"
TABLE_5, TABLE_6 = "CoQA paper, Table 5", "CoQA paper, Table 6"


def passage_rubric() -> Rubric:
    """The relation of a question to the words that support its answer (Table 5)."""
    return preset(
        _("CoQA questions and the passage"),
        _("How does the question relate to the marked words?"),
        ("lexical", _("Lexical match"), _("At least one content word of the question stands in them.")),
        (
            "paraphrase",
            _("Paraphrase"),
            _("No word is shared, but it says the same in others: synonyms, opposites, broader or narrower terms."),
        ),
        (
            "pragmatics",
            _("Pragmatics"),
            _("Its words give no hint; the answer follows by common sense or from what is taken for granted."),
        ),
    )


def history_rubric() -> Rubric:
    """The relation of a question to the earlier turns (Table 5)."""
    return preset(
        _("CoQA questions and what was said before"),
        _("Does the question need what was said before?"),
        ("none", _("No reference"), _("It can be answered by itself.")),
        (
            "explicit",
            _("Explicit reference"),
            _("A word such as he, she or it points to something that was said before."),
        ),
        (
            "implicit",
            _("Implicit reference"),
            _("It needs what was said before, but no word points to it; often it is a fragment, such as “Where?”."),
        ),
    )


FLUENCY = (
    ("multiple", _("Several edits"), 0.414),
    ("coreference_added", _("Reference inserted (it, she)"), 0.160),
    ("morphology", _("Word form changed (gave)"), 0.139),
    ("article_added", _("Article inserted (a, the)"), 0.072),
    ("adverb_added", _("Adverb inserted"), 0.042),
    ("adjective_removed", _("Adjective left out"), 0.042),
    ("preposition_added", _("Preposition inserted (in, by)"), 0.034),
    ("adverb_removed", _("Adverb left out"), 0.030),
    ("conjunction_added", _("Conjunction inserted (and)"), 0.013),
    ("noun_added", _("Noun inserted"), 0.013),
    ("coreference_removed", _("Reference left out (her)"), 0.012),
    ("noun_removed", _("Noun left out"), 0.008),
    ("possessive_added", _("Possessive inserted (’s)"), 0.008),
    ("article_removed", _("Article left out"), 0.008),
)
"""The edits for fluency: key, title, and their share among these (Table 6)."""


def free_rubric() -> Rubric:
    """The kinds of answers that are no words of the passage (Table 6)."""
    parts = tuple((key, title) for key, title, _share in FLUENCY)
    return preset(
        _("CoQA free answers"),
        _("How does the answer come from the marked words?"),
        ("yes", _("Yes"), _("It says yes.")),
        ("no", _("No"), _("It says no.")),
        ("fluency", _("Fluency"), _("The words are edited so that they sound natural as an answer."), parts),
        ("counting", _("Counting"), _("It is a number that nobody wrote: something was counted.")),
        ("choice", _("Multiple choice"), _("It is one of the choices that the question offers.")),
    )


def right_rubric() -> Rubric:
    """Right or wrong; the paper judges no answers so, and these definitions are ours."""
    return preset(
        _("CoQA answers"),
        _("Does it answer the last question, after what was said before?"),
        ("right", _("Right"), _("The passage says so, and it answers what was asked.")),
        ("wrong", _("Wrong"), _("The passage does not say so, or it answers something else.")),
        right=("right",),
    )


KINDS = (
    ExhibitKind(
        key=PASSAGE,
        title=_("Questions: relation to the passage"),
        description=_(
            "The passage with the words that support the answer marked, the turns before, question and answer."
        ),
        activity="converse",
        rubric=passage_rubric,
        published={"lexical": 0.298, "paraphrase": 0.430, "pragmatics": 0.272},
        source=TABLE_5,
        n=150,
        raters=1,
        mark_scores=human.OF_PASSAGE,
    ),
    ExhibitKind(
        key=HISTORY,
        title=_("Questions: relation to what was said before"),
        description=_("The same, for what the question takes from earlier turns."),
        activity="converse",
        rubric=history_rubric,
        published={"none": 0.305, "explicit": 0.497, "implicit": 0.198},
        source=TABLE_5,
        n=150,
        raters=1,
        mark_scores=human.OF_HISTORY,
    ),
    ExhibitKind(
        key=FREE,
        title=_("Free answers"),
        description=_("Answers that are no words of the passage: yes, no, edited, counted or chosen."),
        activity="converse",
        rubric=free_rubric,
        published={
            **{"yes": 0.485, "no": 0.303, "fluency": 0.143, "counting": 0.051, "choice": 0.018},
            **{f"fluency/{key}": share for key, _title, share in FLUENCY},
        },
        source=TABLE_6,
        n=0,  # those of 100 conversations
        raters=1,
        mark_scores=human.OF_FREE,
    ),
    ExhibitKind(
        key=RIGHT,
        title=_("Answers"),
        description=_(
            "The passage, the turns before, question and answer; of people or of models. Not unknown answers."
        ),
        activity="converse",
        rubric=right_rubric,
    ),
)


def exhibits_of(kind: str, item: ItemRecord, annotation: AnnotationRecord) -> Iterator[tuple[int, ShownExhibit]]:
    """The turns of a conversation, by the turn of their responses.

    What is asked about marked words needs some, so that unknown answers come only with the relation to earlier turns;
    of free answers those whose words do not follow each other in the passage, and all that say yes or no.
    """
    story = item.text
    spaced, lang = spaced_words(story), language_by_script(story)
    before: list[EarlierTurn] = []
    for turn, question, answer in exchanges(annotation):
        asked, said, marked = asked_text(question), released_text(answer), _rationale(answer, story)
        if kind == HISTORY or (marked and (kind != FREE or _is_free(said, spaced))):
            rationale = (Detail(label=_("Marked words"), texts=(story[slice(*marked)],)),) if marked else ()
            yield (
                turn,
                ShownExhibit(
                    prompt=asked,
                    lang=lang,
                    texts=(Quoted(text=story, label=_("Passage"), marks=(marked,) if marked else ()),),
                    before=tuple(before),
                    answers=(said,),
                    details=rationale,
                ),
            )
        before.append(EarlierTurn(asked=asked, answered=said))


def predicted_exhibit(
    kind: str, item: ItemRecord, prediction: ReadPrediction, given: Callable[[], Sequence[AnnotationRecord]]
) -> ShownExhibit | None:
    """A predicted answer to a turn, after the turns that people said; only of items with one conversation.

    Nothing is marked in the passage, since predictions have no rationale.
    """
    conversations = given() if kind == RIGHT else ()
    words, turn = prediction.payload["answer"].strip(), prediction.payload.get("turn", prediction.place + 1)
    if len(conversations) != 1 or words.casefold() in ("", UNKNOWN):
        return None
    turns = exchanges(conversations[0])
    if turn > len(turns):
        return None
    before = [
        EarlierTurn(asked=asked_text(question), answered=released_text(answer))
        for _turn, question, answer in turns[: turn - 1]
    ]
    story = item.text
    return ShownExhibit(
        prompt=asked_text(turns[turn - 1].question),
        lang=language_by_script(story),
        texts=(Quoted(text=story, label=_("Passage")),),
        before=tuple(before),
        answers=(words,),
    )


def _rationale(answer: Answer, story: str) -> tuple[int, int] | None:
    """Where the words are that support an answer; None for an unknown one, or if they are not there."""
    start, end, _quote = rationale_of(answer)
    return (start, end) if 0 <= start < end <= len(story) else None


def _is_free(answer: str, spaced_story: str) -> bool:
    """Whether an answer is no words of the passage; case and punctuation don't count."""
    words = spaced_words(answer)
    if not words or words.strip() == UNKNOWN:
        return False
    return kind_of(answer) != "answered" or words not in spaced_story
