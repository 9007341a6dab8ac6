"""Sample papers with questions and answers, bots that follow the published statistics, and a large file of papers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import orjson

from annotation.protocols.qasper.rules import AnswerSheet, AskSheet, Paragraph
from annotation.values.sheets import Sheet

SAMPLES = Path(__file__).parent / "samples"
COURSES = SAMPLES / "qualifications.yaml"
COURSE_PICTURES = (SAMPLES / "images" / "4-Figure1-1.png",)
EXAM_PAPERS = SAMPLES / "exam_papers.json"
"""A paper whose questions the course asks; its references are in the course."""
PAPERS = SAMPLES / "papers.json"
"""Papers in the QASPER layout; their images are in the same folder."""
KNOWN = SAMPLES / "questions.json"
"""Questions about some of them, with the answers of a careful reader (see `answer_as_known`)."""

EXTRACTIVE, ABSTRACTIVE, YES_NO, UNANSWERABLE = 51.8, 24.2, 13.9, 10.2
"""Answer types in percent (the QASPER paper, section 3)."""
WITH_FLOAT = 0.116
"""Share of answers whose evidence has a figure or table (the QASPER paper, section 3)."""
SEVERAL = 0.555
"""Share of answers from text that need several paragraphs (the QASPER paper, section 3)."""
BY_ABSENCE = 0.03
QUESTIONS = (1, 2, 2, 3, 3, 3, 4, 4, 5, 6)
"""How many questions a bot asks about a paper: 3.3 on average (published: 3.2)."""

_ASKED = (
    "How large is the {}?",
    "Which baselines do they compare the {} with?",
    "Do they test the {} on other data?",
    "What is meant by {} here?",
    "How was the {} chosen?",
    "Who made the {} and when?",
    "Is the {} made public with the paper?",
    "What are the results with and without the {}?",
)


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A random, plausible payload for a sheet; deterministic for a given state of `rng`."""
    if isinstance(sheet, AskSheet):
        return _questions(sheet, rng)
    if isinstance(sheet, AnswerSheet):
        return _answer(sheet, rng)
    raise TypeError(f"QASPER has no stage with a {type(sheet).__name__}.")


def _questions(sheet: AskSheet, rng: Random) -> dict[str, Any]:
    words = [word.strip(".,;:()[]“”\"'?!") for word in f"{sheet.title} {sheet.abstract}".split()]
    topics = sorted({word.lower() for word in words if len(word) > 4 and word.isalpha()}) or ["method"]
    asked = rng.sample(_ASKED, rng.choice(QUESTIONS))
    return {
        "nlp_background": rng.choice(("zero", "two", "five", "infinity", "")),
        "topic_background": rng.choice(("unfamiliar", "unfamiliar", "familiar", "research", "")),
        "paper_read": "no" if rng.random() < 0.94 else "yes",
        "search_query": rng.choice(("", rng.choice(topics))),
        "questions": [
            {"text": pattern.format(rng.choice(topics)), "answerable_from_abstract": rng.random() < 0.05}
            for pattern in asked
        ],
    }


def _answer(sheet: AnswerSheet, rng: Random) -> dict[str, Any]:
    paragraphs = [found for section in sheet.sections for found in section.paragraphs if found.sentences]
    kind = rng.choices(
        ("extractive", "abstractive", "yes_no", "unanswerable"), (EXTRACTIVE, ABSTRACTIVE, YES_NO, UNANSWERABLE)
    )[0]
    if kind == "yes_no" and rng.random() < BY_ABSENCE / (YES_NO / 100):
        return {"kind": kind, "value": False, "evidence": [], "by_absence": True}
    if kind == "unanswerable" or not (paragraphs or sheet.floats):
        return {"kind": "unanswerable"}
    evidence = _evidence(sheet, paragraphs, rng)
    if kind == "yes_no":
        return {"kind": kind, "value": rng.random() < 0.6, "evidence": evidence, "by_absence": False}
    chosen = [unit for unit in evidence if unit["kind"] == "sentences"]
    if kind == "extractive" and chosen:
        return {"kind": kind, "spans": [_span(rng.choice(chosen), paragraphs, rng)], "evidence": evidence}
    words = (evidence[0]["quote"] or sheet.prompt or "yes").split()[:12]
    return {"kind": "abstractive", "text": " ".join(["it", "says:", *words]), "evidence": evidence}


def _evidence(sheet: AnswerSheet, paragraphs: list[Paragraph], rng: Random) -> list[dict[str, Any]]:
    """One to three runs of sentences, sometimes with a figure or table, in paper order."""
    units: list[dict[str, Any]] = []
    if paragraphs:
        number = 1 if rng.random() > SEVERAL else rng.randint(2, 3)
        places = sorted(rng.sample(range(len(paragraphs)), min(number, len(paragraphs))))
        units = [_run(paragraphs[place], rng) for place in places]
    if sheet.floats and (not units or rng.random() < WITH_FLOAT):
        chosen = rng.choice(sheet.floats)
        units.append({"kind": "float", "index": chosen.index, "quote": chosen.caption})
    return units


def _run(paragraph: Paragraph, rng: Random) -> dict[str, Any]:
    start = rng.randrange(len(paragraph.sentences))
    end = min(len(paragraph.sentences), start + rng.choice((1, 1, 2, 3)))
    quote = paragraph.text[paragraph.sentences[start].start : paragraph.sentences[end - 1].end]
    return {"kind": "sentences", "paragraph": paragraph.index, "start": start, "end": end, "quote": quote}


def _span(unit: dict[str, Any], paragraphs: list[Paragraph], rng: Random) -> dict[str, Any]:
    """A random run of words within a run of sentences."""
    paragraph = next(found for found in paragraphs if found.index == unit["paragraph"])
    words, at = [], paragraph.sentences[unit["start"]].start
    for word in unit["quote"].split():
        at = paragraph.text.index(word, at)
        words.append((at, at + len(word)))
        at += len(word)
    first = rng.randrange(len(words))
    last = min(len(words) - 1, first + rng.randrange(10))
    start, end = words[first][0], words[last][1]
    return {"paragraph": paragraph.index, "start": start, "end": end, "quote": paragraph.text[start:end]}


def answer_sample(sheet: Sheet, external_id: str, says: dict[str, Any] | None = None) -> dict[str, Any]:
    """The known questions about a sample paper, or the known answer to one of them.

    `says`: answers to use instead of known ones, by the text of the question.
    """
    samples = known()
    if isinstance(sheet, AskSheet):
        return ask_as_known(samples[external_id])
    if not isinstance(sheet, AnswerSheet):
        raise TypeError(f"QASPER has no stage with a {type(sheet).__name__}.")
    answers = {one["text"]: one["answer"] for paper in samples.values() for one in paper["questions"]}
    return answer_as_known(sheet, (says or {}).get(sheet.prompt, answers[sheet.prompt]))


def known() -> dict[str, dict[str, Any]]:
    """Paper id -> what the writer states about themselves, and `questions`: each a `text` and an `answer`."""
    found: dict[str, dict[str, Any]] = orjson.loads(KNOWN.read_bytes())
    return found


def ask_as_known(known: dict[str, Any]) -> dict[str, Any]:
    """The payload with all known questions about a paper."""
    read = {True: "yes", False: "no"}.get(known["paper_read"], "")
    return {
        "nlp_background": known["nlp_background"] or "",
        "topic_background": known["topic_background"] or "",
        "paper_read": read,
        "search_query": known["search_query"],
        "questions": [
            {"text": one["text"], "answerable_from_abstract": one.get("answerable_from_abstract", False)}
            for one in known["questions"]
        ],
    }


def answer_as_known(sheet: AnswerSheet, answer: dict[str, Any]) -> dict[str, Any]:
    """The payload of a known answer; LookupError if its words are not in the paper."""
    kind = answer["kind"]
    if kind == "unanswerable":
        return {"kind": kind}
    evidence = [_unit(sheet, unit["kind"], unit["quote"]) for unit in answer["evidence"]]
    if kind == "yes_no":
        by_absence = bool(answer.get("by_absence"))
        return {"kind": kind, "value": answer["value"], "evidence": evidence, "by_absence": by_absence}
    if kind == "abstractive":
        return {"kind": kind, "text": answer["text"], "evidence": evidence}
    spans = [_words(sheet, evidence, span["quote"]) for span in answer["spans"]]
    return {"kind": kind, "spans": spans, "evidence": evidence}


def _unit(sheet: AnswerSheet, kind: str, quote: str) -> dict[str, Any]:
    if kind == "float":
        index = next((found.index for found in sheet.floats if found.caption == quote), None)
        if index is None:
            raise LookupError(f"No caption is {quote!r}.")
        return {"kind": "float", "index": index, "quote": quote}
    for section in sheet.sections:
        for paragraph in section.paragraphs:
            at = paragraph.text.find(quote)
            starts = [place for place, one in enumerate(paragraph.sentences) if one.start == at]
            ends = [place + 1 for place, one in enumerate(paragraph.sentences) if one.end == at + len(quote)]
            if at >= 0 and starts and ends:
                found = {"paragraph": paragraph.index, "start": starts[0], "end": ends[0], "quote": quote}
                return {"kind": "sentences"} | found
    raise LookupError(f"No run of sentences is {quote!r}.")


def _words(sheet: AnswerSheet, evidence: list[dict[str, Any]], quote: str) -> dict[str, Any]:
    paragraphs = {found.index: found for section in sheet.sections for found in section.paragraphs}
    for unit in evidence:
        if unit["kind"] == "sentences" and quote in unit["quote"]:
            paragraph = paragraphs[unit["paragraph"]]
            start = paragraph.sentences[unit["start"]].start + unit["quote"].index(quote)
            return {"paragraph": paragraph.index, "start": start, "end": start + len(quote), "quote": quote}
    raise LookupError(f"The evidence does not have the words {quote!r}.")


ASKED = (
    "Which baselines do they compare with in part {}?",
    "How large is the data of part {}?",
    "Who annotated the data of part {}?",
    "Do they release the code of part {}?",
)


def write_large(folder: Path, count: int) -> Path:
    """Write a file of `count` items, four in five of them questions, and return its path. Deterministic."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = list(orjson.loads(PAPERS.read_bytes()).values())
    papers: dict[str, Any] = {}
    for number in range(-(-count // 5)):
        asked = ASKED[: min(4, count - 5 * number - 1)]
        sample = samples[number % len(samples)]
        papers[f"large.{number + 1:05}"] = sample | {
            "title": f"{sample['title']} (part {number + 1})",
            "figures_and_tables": [],
            "qas": [{"question": pattern.format(number + 1)} for pattern in asked],
        }
    file = folder / "papers.json"
    file.write_bytes(orjson.dumps(papers, option=orjson.OPT_INDENT_2))
    return file
