"""The rules of SQuAD annotation: what each stage shows, which answers are valid, and the follow-ups of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from annotation.documents.spans import problem_of
from annotation.documents.words import language_by_script, plain_words, says_something
from annotation.errors import NotFound, Problem
from annotation.i18n import _
from annotation.parsing.incoming import IncomingItem
from annotation.protocols.squad import schemas
from annotation.protocols.squad.schemas import Paragraph, Question, article_title
from annotation.values.records import AnnotationRecord, Context, ItemRecord, Step, Waiting, latest_payload
from annotation.values.sheets import PassageSheet, Sheet


@dataclass(frozen=True, kw_only=True)
class AskSheet(PassageSheet):
    """A paragraph to ask about, without other people's questions. `impossible`: unanswerable ones are wanted, too."""

    impossible: bool


@dataclass(frozen=True, kw_only=True)
class AnswerSheet(PassageSheet):
    """A paragraph with the question as `prompt`, without what its writer or other people marked."""


def sheet(context: Context, step: Step | Waiting) -> Sheet:
    """What the annotator sees at this step."""
    if isinstance(step, Waiting):
        raise NotFound
    item = context.item
    if step.stage == "questions" and item.kind == "paragraph":
        title = article_title(Paragraph.from_stored(item.payload).title)
        wanted = _config(context).version == "2.0"
        lang = language_by_script(item.text)
        return AskSheet(stage=step.stage, prompt=title, title=title, text=item.text, lang=lang, impossible=wanted)
    if step.stage != "answer" or item.kind != "question" or item.root is None:
        raise NotFound
    return AnswerSheet(
        stage=step.stage,
        prompt=Question.from_stored(item.payload).question.strip(),
        title=article_title(Paragraph.from_stored(item.root.payload).title),
        text=item.text,
        lang=language_by_script(item.text),
    )


def _config(context: Context) -> schemas.Config:
    return context.config if isinstance(context.config, schemas.Config) else schemas.Config()


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    """What is wrong with these questions or this answer, which the schema has accepted."""
    text = context.item.text
    if isinstance(payload, schemas.Questions):
        return _of_questions(payload, text, _config(context))
    problem = problem_of(payload.span, (text,), field="span") if isinstance(payload, schemas.Marked) else None
    return [problem] if problem else []


def _of_questions(payload: schemas.Questions, text: str, config: schemas.Config) -> list[Problem]:
    found: list[Problem] = []
    asked: set[str] = set()
    for number, question in enumerate(payload.questions, start=1):
        words = " ".join(question.text.split())
        if not says_something(words):
            message = _("Question %(number)s: write the question, or remove it.")
            found.append(Problem(f"text_{number}", "empty", message, values={"number": number}))
        elif plain_words(words) in asked:
            message = _("Question %(number)s: you have asked this question already.")
            found.append(Problem(f"text_{number}", "twice", message, values={"number": number}))
        asked.add(plain_words(words))
        if isinstance(question, schemas.Impossible) and config.version == "1.1":
            message = _("In this project every question has an answer in the paragraph.")
            found.append(Problem(f"kind_{number}", "impossible", message))
        problem = problem_of(question.span, (text,), field=f"span_{number}")
        found += [problem] if problem else []
    return found


def follow_ups(item: ItemRecord, annotation: AnnotationRecord) -> Sequence[IncomingItem]:
    """An item to be answered for each question asked; the same annotation always gives the same ids."""
    written = latest_payload(annotation.answers, "questions")
    if not isinstance(written, schemas.Questions):
        return ()
    made_by = annotation.id_hex or annotation.external_id
    return tuple(
        IncomingItem(
            line=0,
            kind="question",
            external_id=sha256(f"{made_by}\n{place}".encode()).hexdigest()[:24],  # as long as published ids
            split=item.split,
            payload=_asked(question).model_dump(mode="json", exclude_defaults=True),
            parent=("paragraph", item.external_id),
        )
        for place, question in enumerate(written.questions)
    )


def _asked(question: schemas.Answerable | schemas.Impossible) -> schemas.Question:
    if isinstance(question, schemas.Answerable):
        return schemas.Question(question=question.text, answer=question.span, is_impossible=False)
    plausible = schemas.PublishedAnswer(text=question.span.quote, answer_start=question.span.start)
    return schemas.Question(question=question.text, is_impossible=True, plausible_answers=(plausible,))


@dataclass(frozen=True)
class AnswerView:
    """An answer for read-only display: its words, or None if the paragraph does not answer."""

    words: str | None


def view(stage: str, payload: Any, item: ItemRecord) -> Any:
    """What the read-only template of a stage shows of a response, ours or published."""
    if isinstance(payload, schemas.Questions):
        return payload.questions
    if isinstance(payload, schemas.PublishedAnswer):
        return AnswerView(payload.text)
    return AnswerView(payload.span.quote if isinstance(payload, schemas.Marked) else None)
