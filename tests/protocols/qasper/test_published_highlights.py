"""Nearly all text that people highlighted in published papers is a run of whole sentences under our rules."""

import json
from collections import Counter

from annotation.documents.text import sentences

FOUND = 43
MISSED = {"1909.00694": 1, "1705.09665": 2, "1908.06606": 1}
"""By paper, 4 of 47: docs/leads-qasper.md says what each one is."""


def is_a_run(highlight, paragraph):
    cut = sentences(paragraph)
    starts = {span.start for span in cut}
    at = paragraph.find(highlight)
    while at >= 0:
        if at in starts and any(span.end == at + len(highlight) for span in cut):
            return True
        at = paragraph.find(highlight, at + 1)
    return False


def test_43_of_the_47_published_text_highlights_are_runs_of_whole_sentences_and_the_others_are_known(shared):
    release = json.loads((shared / "qasper/qasper-train-4papers-v0.3.json").read_bytes())
    found, missed = 0, []
    for paper_id, paper in release.items():
        paragraphs = [text for section in paper["full_text"] for text in section["paragraphs"]]
        answers = [one["answer"] for question in paper["qas"] for one in question["answers"]]
        for highlight in (text for answer in answers for text in answer["highlighted_evidence"]):
            if highlight.startswith("FLOAT SELECTED"):
                continue
            if any(is_a_run(highlight.strip(), paragraph) for paragraph in paragraphs):
                found += 1
            else:
                missed.append((paper_id, highlight))
    misses = "\n".join(f"{text[:60]!r} ... {text[-30:]!r}" for _, text in missed)
    print(f"{found} of {found + len(missed)} are; the others:\n{misses}")
    assert found + len(missed) == 47
    assert found == FOUND, misses
    assert Counter(paper_id for paper_id, _ in missed) == MISSED, misses
