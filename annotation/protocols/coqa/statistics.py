"""The figures of the CoQA paper for any release, so that a lead can compare ours with the published ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from annotation.documents.words import boundaries, words
from annotation.i18n import _
from annotation.protocols.coqa.comparing import given_verdicts, speaks_against
from annotation.protocols.coqa.overlap import words_of_passage
from annotation.protocols.coqa.schemas import Passage
from annotation.protocols.coqa.scoring import DOMAINS, IN_DOMAIN, OUT_OF_DOMAIN, human_score
from annotation.protocols.coqa.talk import UNKNOWN, asked_text, rationale_of, released_text
from annotation.protocols.coqa.writing import Talk, talks_of
from annotation.statistics.clustered_means import ClusteredMean, clustered_mean
from annotation.statistics.token_f1 import tokens
from annotation.values.records import ReleaseRecord

PUBLISHED: dict[str, Any] = {
    "turns_per_conversation": 15.2,
    "words_per_question": 5.5,
    "words_per_answer": 2.7,
    "answers_edited": 0.78,
    "unknown": 0.013,
    "yes": 0.111,
    "no": 0.087,
    "question_shares_word": 0.298,
    "answer_found": 0.668,
    "answer_found_exactly": 0.37,
    "solo": 0.12,
    "human_f1": {
        "children_stories": 0.902,
        "literature": 0.884,
        "mid-high_school": 0.898,
        "news": 0.886,
        "wikipedia": 0.899,
        "reddit": 0.867,
        "science": 0.881,
        "in_domain": 0.894,
        "out_domain": 0.874,
        "overall": 0.888,
    },
}
"""The published figures, as fractions, from the paper (Reddy et al., 2019): tables 2 to 5 and 7, section 3.1, notes 4
and 6. Human F1 is that of the test set; `question_shares_word` was judged on 150 questions of the development set."""

LABELS: dict[str, str] = {
    "conversations": _("Conversations measured"),
    "turns": _("Turns measured"),
    "turns_per_conversation": _("Turns per conversation"),
    "words_per_question": _("Words per question"),
    "words_per_answer": _("Words per answer"),
    "answers_edited": _("Answers edited after the rationale was copied"),
    "unknown": _("Answered “unknown”"),
    "yes": _("Answered yes"),
    "no": _("Answered no"),
    "question_shares_word": _("Question shares a content word with the rationale"),
    "question_in_passage": _("Question has a content word of the passage"),
    "answer_found": _("Answer found in the passage"),
    "answer_found_exactly": _("Answer found with its case and punctuation"),
    "solo": _("Conversations made alone"),
    "partial": _("Under 10 turns and not accepted"),
    "verdict_against_words": _("Players’ verdicts that the words speak against"),
    "human_f1": _("Human F1: each answer against the others"),
    "human_f1.children_stories": _("Children’s stories"),
    "human_f1.literature": _("Literature"),
    "human_f1.mid-high_school": _("Mid and high school exams"),
    "human_f1.news": _("News"),
    "human_f1.wikipedia": _("Wikipedia"),
    "human_f1.reddit": _("Reddit"),
    "human_f1.science": _("Science"),
    "human_f1.in_domain": _("In-domain"),
    "human_f1.out_domain": _("Out-of-domain"),
    "human_f1.overall": _("Overall"),
}
NUMBERS = frozenset({"conversations", "turns", "turns_per_conversation", "words_per_question", "words_per_answer"})


class _Story(NamedTuple):
    """A passage: its place in the release, its source, its text, and its words in lower case with a blank before and
    after each."""

    place: int
    source: str
    text: str
    spaced: str


class _TurnTexts(NamedTuple):
    """A question and its answer, with the rationale ("" for none) and the passage."""

    question: str
    answer: str
    rationale: str
    story: _Story


def figures(records: Iterable[ReleaseRecord]) -> dict[str, Any]:
    """Every figure of a release, by passage, with the keys of LABELS; None if there was nothing to measure.

    Conversations of ours with fewer than 10 turns that no lead has accepted count in `partial` only, the share of ours
    that they are; `solo` is the share of the others that one person made. `answers_edited` and `question_shares_word`
    are shares of the turns with a rationale; an answer is edited if it differs from the rationale in anything but
    blanks around it.
    `answer_found` ignores case and punctuation; in both shares words are compared whole.
    """
    kept: list[tuple[Talk, _Story]] = []
    partial: list[tuple[int, bool]] = []
    for place, record in enumerate(records):
        text = record.item.documents[0].text
        story = _Story(place, Passage.from_stored(record.item.payload).source, text, spaced_words(text))
        for talk in talks_of(record):
            if not talk.annotation.imported:
                partial.append((place, talk.partial))
            if not talk.partial:
                kept.append((talk, story))
    turns = [said for talk, story in kept for said in _turns(talk, story)]
    marked = [said for said in turns if said.rationale]
    ours = [(story.place, talk.annotation) for talk, story in kept if not talk.annotation.imported]
    return {
        "conversations": len(kept),
        "turns": len(turns),
        "turns_per_conversation": clustered_mean((story.place, len(talk.turns)) for talk, story in kept),
        "words_per_question": _mean_over(turns, lambda said: sum(1 for _word in words(said.question))),
        "words_per_answer": _mean_over(turns, lambda said: sum(1 for _word in words(said.answer))),
        "answers_edited": _mean_over(marked, lambda said: said.answer.strip() != said.rationale.strip()),
        "unknown": _mean_over(turns, lambda said: tokens(said.answer) == [UNKNOWN]),
        "yes": _mean_over(turns, lambda said: tokens(said.answer) == ["yes"]),
        "no": _mean_over(turns, lambda said: tokens(said.answer) == ["no"]),
        "question_shares_word": _mean_over(marked, lambda said: bool(words_of_passage(said.question, said.rationale))),
        "question_in_passage": _mean_over(turns, lambda said: bool(words_of_passage(said.question, said.story.text))),
        "answer_found": _mean_over(turns, _is_in_order),
        "answer_found_exactly": _mean_over(turns, lambda said: _found_exactly(said.answer.strip(), said.story.text)),
        "solo": clustered_mean((place, one.activity == "converse_alone") for place, one in ours),
        "partial": clustered_mean(partial),
        "verdict_against_words": clustered_mean(
            (story.place, speaks_against(verdict, f1))
            for talk, story in kept
            for _turn, verdict, f1 in given_verdicts(talk.turns, talk.games or ())
        ),
        "human_f1": _human_f1(kept),
    }


def _turns(talk: Talk, story: _Story) -> list[_TurnTexts]:
    return [
        _TurnTexts(asked_text(one.question), released_text(one.answer), rationale_of(one.answer).words, story)
        for one in talk.turns
    ]


def spaced_words(text: str) -> str:
    """The words of a text in lower case, with a blank before and after each: words that follow each other in it are
    found by looking for theirs."""
    return "".join(f" {word.text_in(text)} " for word in words(text)).lower()


def _is_in_order(turn: _TurnTexts) -> bool:
    """Whether the words of the answer follow each other in the story; never for an answer without words."""
    wanted = spaced_words(turn.answer)
    return bool(wanted) and wanted in turn.story.spaced


def _found_exactly(answer: str, story: str) -> bool:
    """Whether the answer stands in the story as it is, without beginning or ending inside a word."""
    cuts = boundaries(story).cuts_token
    at = story.find(answer) if answer else -1
    while at >= 0:
        if not cuts(at) and not cuts(at + len(answer)):
            return True
        at = story.find(answer, at + 1)
    return False


def _human_f1(talks: Iterable[tuple[Talk, _Story]]) -> dict[str, ClusteredMean | None]:
    """The human F1 of `score coqa --human`, as fractions; a source that it does not know has a row of its own."""
    by_domain: dict[str, list[tuple[int, float]]] = {domain: [] for domain in DOMAINS.values()}
    for talk, story in talks:
        for _exchange, answers in talk.answers:
            score = human_score(answers).f1
            by_domain.setdefault(DOMAINS.get(story.source, story.source), []).append((story.place, score))
    return {domain: clustered_mean(values) for domain, values in by_domain.items()} | {
        "in_domain": clustered_mean(value for source in IN_DOMAIN for value in by_domain[DOMAINS[source]]),
        "out_domain": clustered_mean(value for source in OUT_OF_DOMAIN for value in by_domain[DOMAINS[source]]),
        "overall": clustered_mean(value for values in by_domain.values() for value in values),
    }


def _mean_over(turns: Iterable[_TurnTexts], value: Callable[[_TurnTexts], float]) -> ClusteredMean | None:
    """The mean of a value of turns."""
    return clustered_mean((said.story.place, value(said)) for said in turns)
