"""Published answers can be marked: of each language at least 99 % by dragging, by keys, by taps, and by a quote."""

from __future__ import annotations

import json

import pytest

from annotation.documents.quotes import find_in_texts
from annotation.documents.spans import MarkedSpan, problem_of
from annotation.documents.words import boundaries

XQUAD = ("ar", "en", "hi", "th", "tr", "zh")
OFFERED = 20
"""Places of a quote that the page offers."""


def squad(path):
    """(text, start, end) of the first gold answer of each question."""
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                for answer in question["answers"][:1]:
                    start = answer["answer_start"]
                    yield paragraph["context"], start, start + len(answer["text"])


def coqa(path):
    """The rationales of the original answers, without the white space around them."""
    for story in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for answer in story["answers"]:
            start, end = answer["span_start"], answer["span_end"]
            if start >= 0:
                quote = story["story"][start:end]
                start += len(quote) - len(quote.lstrip())
                yield story["story"], start, start + len(quote.strip())


def qasper(path):
    """The first extractive spans, in the paragraph that has them, without the white space around them."""
    for paper in json.loads(path.read_text(encoding="utf-8")).values():
        texts = [text for section in paper["full_text"] for text in section["paragraphs"]]
        for question in paper["qas"]:
            for given in question["answers"][:1]:
                for span in given["answer"]["extractive_spans"]:
                    for text in [text for text in texts if span in text][:1]:
                        start = text.index(span) + len(span) - len(span.lstrip())
                        yield text, start, start + len(span.strip())


FILES = {
    **{f"xquad-{lang}": (f"xquad/xquad.{lang}.json", squad) for lang in XQUAD},
    "squad": ("squad/squad-2.0-1article.json", squad),
    "coqa": ("coqa/coqa-train-1dialogue.json", coqa),
    "qasper": ("qasper/qasper-train-4papers-v0.3.json", qasper),
}


@pytest.fixture(params=FILES)
def answers(shared, request):
    file, read = FILES[request.param]
    found = list(read(shared / file))
    assert found
    return found


def lacking(answers, can):
    """The answers that can't be given, and their share."""
    without = [text[start:end] for text, start, end in answers if not can(text, start, end)]
    return without, len(without) / len(answers)


def test_each_published_answer_may_be_sent(answers):
    def may(text, start, end):
        span = MarkedSpan(passage=0, start=start, end=end, quote=text[start:end])
        return problem_of(span, [text]) is None

    without, share = lacking(answers, may)
    assert share <= 0.01, without


def test_each_can_be_reached_character_by_character(answers):
    """What dragging, taps and keys do when they mark characters: any range of whole ones."""

    def reached(text, start, end):
        return boundaries(text).whole_characters(start, end) == (start, end)

    without, share = lacking(answers, reached)
    assert share <= 0.01, without


def test_each_is_found_where_it_stands_by_pasting_it(answers):
    def is_found(text, start, end):
        return (0, start, end) in find_in_texts([text], text[start:end])[:OFFERED]

    without, share = lacking(answers, is_found)
    assert share <= 0.01, without


@pytest.mark.parametrize("answers", [name for name in FILES if "squad" in name], indirect=True)
def test_most_are_whole_words(answers):
    def whole(text, start, end):
        cuts = boundaries(text).cuts_token
        return not cuts(start) and not cuts(end)

    without, share = lacking(answers, whole)
    assert share <= 0.2, without
