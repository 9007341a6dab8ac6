"""Sample questions with their pages and answers, and a bot whose outcomes have the published shares."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import orjson

from annotation.protocols.nq.checks import beginning_of_text, squeezed
from annotation.protocols.nq.rules import LongAnswerSheet, QuestionSheet, ShortAnswerSheet
from annotation.protocols.nq.schemas import QUOTE_LENGTH
from annotation.values.sheets import Sheet

if TYPE_CHECKING:
    from annotation.html import Box

SAMPLES = Path(__file__).parent / "samples"
COURSES = SAMPLES / "qualifications.yaml"
QUESTIONS = SAMPLES / "questions.jsonl"
"""Raw lines; their `document_file` is relative to SAMPLES."""
ANSWERS = SAMPLES / "answers.jsonl"
"""The right answer to each of them, in words (see `answer_as_known`)."""

BAD, NO_ANSWER, LONG_ONLY, SPANS, YES_NO = 14, 37, 13, 35, 1
"""Outcomes in percent (the NQ paper, section 3)."""
ONE_SPAN = 0.9
"""Share of short answers with a single span (the NQ paper, section 3)."""
TOP_LEVEL = 0.95
"""Share of long answers that are top-level boxes (NQ's README)."""
KINDS = {"P": 72.9, "Table": 19.0, "Tr": 1.5, "Ul": 1.1, "Ol": 1.1, "Dl": 1.0, "Li": 2.4, "Dd": 0.5, "Dt": 0.5}
"""Long answers by kind of box in percent (the NQ paper, section 3: lists 3.2 and items 3.4 in all)."""
REASONS = ("ambiguous", "incomprehensible", "false_presupposition", "opinion", "not_a_request")


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A plausible payload for a sheet; the same sheet and the same state of `rng` give the same payload."""
    if isinstance(sheet, QuestionSheet):
        if rng.random() < BAD / 100:
            return {"verdict": "bad", "reasons": [rng.choice(REASONS)]}
        return {"verdict": "good"}
    if isinstance(sheet, LongAnswerSheet):
        return _long_answer(sheet, rng)
    if isinstance(sheet, ShortAnswerSheet):
        return _short_answer(sheet, rng)
    raise TypeError(f"NQ has no stage with a {type(sheet).__name__}.")


def known_answers() -> dict[str, dict[str, Any]]:
    """The right answer in words for each sample question, by external id."""
    lines = map(orjson.loads, ANSWERS.read_bytes().splitlines())
    return {str(known["example_id"]): known for known in lines}


def answer_sample(sheet: Sheet, external_id: str, says: dict[str, Any] | None = None) -> dict[str, Any]:
    """The known answer to a sample question, or the one that `says` describes in the same way."""
    return answer_as_known(sheet, says or known_answers()[external_id])


def answer_as_known(sheet: Sheet, known: dict[str, Any]) -> dict[str, Any]:
    """The payload for a known answer at a sheet; LookupError if the sheet lacks its box or its words.

    `known` has `path` (bad with `reasons`, none with `reason`, or box), `kind` and `box` (how the box begins), `short`
    (none, yes, no, or a list of words to mark).
    """
    if isinstance(sheet, QuestionSheet):
        return {"verdict": "bad", "reasons": known["reasons"]} if known["path"] == "bad" else {"verdict": "good"}
    if isinstance(sheet, LongAnswerSheet):
        if known["path"] == "none":
            return {"kind": "none", "reason": known["reason"]}
        for box in sheet.boxes:
            if box.kind.lower() == known["kind"] and squeezed(box.excerpt).startswith(known["box"]):
                return {"kind": "box", "candidate": box.index, "quote": _quote(box)}
        raise LookupError(f"There is no {known['kind']} that begins with {known['box']!r}.")
    if not isinstance(sheet, ShortAnswerSheet):
        raise TypeError(f"NQ has no stage with a {type(sheet).__name__}.")
    if isinstance(known["short"], str):
        return {"kind": known["short"]}
    spans = [_find(sheet, quote) for quote in known["short"]]
    return {"kind": "spans", "spans": sorted(spans, key=lambda span: span["start"])}


def _find(sheet: ShortAnswerSheet, quote: str) -> dict[str, Any]:
    text = _Utf16(sheet.text)
    for first, (token, start, _end) in enumerate(sheet.words):
        for last_token, _start, end in sheet.words[first : first + 30]:
            if squeezed(text.cut(start, end)) == quote:
                return {"start": token, "end": last_token + 1, "quote": quote}
    raise LookupError(f"The box does not contain the words {quote!r}.")


class _Utf16:
    """A text that is sliced by offsets in UTF-16 code units, as in JavaScript."""

    def __init__(self, text: str) -> None:
        self._wide = text.encode("utf-16-le")

    def cut(self, start: int, end: int) -> str:
        return self._wide[2 * start : 2 * end].decode("utf-16-le")


def _long_answer(sheet: LongAnswerSheet, rng: Random) -> dict[str, Any]:
    boxes = [box for box in sheet.boxes if _quote(box)]
    if not boxes or rng.random() < NO_ANSWER / (100 - BAD):
        return {"kind": "none", "reason": "spread" if rng.random() < 0.2 else "page"}
    top = rng.random() < TOP_LEVEL
    eligible = [box for box in boxes if (box.parent is None) == top] or boxes
    # Early boxes are more likely: annotators take the first place that suffices.
    weights = [KINDS.get(box.kind, 1.0) / (1 + place) for place, box in enumerate(eligible)]
    box = rng.choices(eligible, weights)[0]
    return {"kind": "box", "candidate": box.index, "quote": _quote(box)}


def _quote(box: Box) -> str:
    """The quote of a box from its excerpt, which may be truncated; "" if it is too short."""
    whole = beginning_of_text(box.excerpt)
    cut = whole.removesuffix("…").rstrip()
    return cut if cut == whole or 2 * len(cut) >= QUOTE_LENGTH else ""


def _short_answer(sheet: ShortAnswerSheet, rng: Random) -> dict[str, Any]:
    outcome = rng.choices(("none", "spans", "yes_no"), (LONG_ONLY, SPANS, YES_NO))[0]
    if outcome == "yes_no":
        return {"kind": rng.choice(("yes", "no"))}
    runs = [run for run in _runs(sheet.words) if run]
    if outcome == "none" or not runs:
        return {"kind": "none"}
    wanted = 1 if rng.random() < ONE_SPAN else rng.randint(2, 3)
    spans: list[dict[str, Any]] = []
    for run in sorted(rng.sample(range(len(runs)), min(wanted, len(runs)))):
        spans.append(_span(sheet, runs[run], rng))
    return {"kind": "spans", "spans": spans}


def _runs(words: Sequence[tuple[int, int, int]], length: int = 8) -> list[list[tuple[int, int, int]]]:
    """Split words into runs of at most `length`, also at tags, so that spans from different runs never overlap."""
    runs: list[list[tuple[int, int, int]]] = []
    for word in words:
        if not runs or len(runs[-1]) == length or runs[-1][-1][0] + 1 != word[0]:
            runs.append([])
        runs[-1].append(word)
    return runs


def _span(sheet: ShortAnswerSheet, run: list[tuple[int, int, int]], rng: Random) -> dict[str, Any]:
    first = rng.randrange(len(run))
    last = min(len(run) - 1, first + rng.choice((0, 0, 1, 1, 2, 3)))
    quote = _Utf16(sheet.text).cut(run[first][1], run[last][2])
    return {"start": run[first][0], "end": run[last][0] + 1, "quote": squeezed(quote)}
