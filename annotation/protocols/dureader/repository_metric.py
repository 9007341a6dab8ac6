"""The five tasks of the repository's script, DuReader-2.0/utils/dureader_eval.py, with coco-caption's BLEU and ROUGE-L.

Its rows are no release: each has question_id, question_type, answers, yesno_answers and entity_answers, references also
source. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.protocols.dureader.overlap import BleuCounts, brevity, characters, common_subsequence, f_measure
from annotation.protocols.dureader.schemas import OPINIONS

Rows = Mapping[Any, Mapping[str, Any]]
"""Rows by their question_id."""
Texts = dict[Any, list[str]]
SOURCES = ("search", "zhidao")
TASKS = ("main", "all", "yesno", "entity", "description")
TYPES = {"entity": "ENTITY", "description": "DESCRIPTION"}
GAMMA = 1.2
TINY, SMALL = 1e-15, 1e-9
"""What coco-caption adds to a number of n-grams, so that it never divides by 0: its BLEU is never exactly 0."""


def score(task: str, references: Rows, predictions: Rows) -> dict[str, Any]:
    """What the script prints for a task: data, errorCode and errorMsg; figures in percent with two decimals."""
    try:
        data = _figures(task, references, predictions)
    except ValueError as error:
        return {"data": [], "errorCode": 1, "errorMsg": str(error)}
    return {"data": data, "errorCode": 0, "errorMsg": "success"}


def _figures(task: str, references: Rows, predictions: Rows) -> list[dict[str, Any]]:
    parts = parts_of(task, references, predictions)
    rows = [("Bleu-4", part, bleu(*texts)[-1]) for part, texts in parts.items()]
    rows += [("Rouge-L", part, rouge(*texts)) for part, texts in parts.items()]
    if task == "entity":
        f1, precision, recall = entity_figures(references, predictions)
        rows += [("F1", "both", f1), ("Precision", "both", precision), ("Recall", "both", recall)]
    return [{"name": name, "value": round(100 * value, 2), "type": part} for name, part, value in rows]


def parts_of(task: str, references: Rows, predictions: Rows) -> dict[str, tuple[Texts, Texts]]:
    """References and predictions of a task, all of them and by source or label."""
    asked = {key: row for key, row in references.items() if _belongs(row, task)}
    texts = _texts(task, asked, predictions)
    if task == "yesno":
        return {"All": texts} | {label: _only(texts, lambda key, of=label: key[1] == of) for label in OPINIONS}
    parts = {"both": texts}
    if task in ("main", "all"):
        for source in SOURCES:
            parts[source] = _only(texts, lambda key, of=source: references[key[0]]["source"] == of)
    return parts


def _belongs(row: Mapping[str, Any], task: str) -> bool:
    if task == "yesno":
        return bool(row["question_type"] == "YES_NO")
    return task not in TYPES or bool(row["question_type"] == TYPES[task])


def _only(texts: tuple[Texts, Texts], wanted: Any) -> tuple[Texts, Texts]:
    references, predictions = texts
    keys = [key for key in references if wanted(key)]
    return {key: references[key] for key in keys}, {key: predictions[key] for key in keys}


def _texts(task: str, asked: Rows, predictions: Rows) -> tuple[Texts, Texts]:
    """By (question, label), the label "" unless opinions are scored apart; what has no reference is left out."""
    references, predicted = {}, {}
    for key, row in asked.items():
        by_label = task in ("yesno", "all") and row["question_type"] == "YES_NO"
        found = _by_label(row) if by_label else {"": list(row["answers"])}
        given = predictions.get(key)
        said = (_by_label(given) if by_label else {"": list(given["answers"])}) if given else {}
        for label, texts in found.items():
            if texts not in ([], [""]):
                references[key, label] = texts
                predicted[key, label] = said.get(label, [])[:1] or [""]
    return references, predicted


def _by_label(row: Mapping[str, Any]) -> dict[str, list[str]]:
    """The answers with each opinion."""
    found: dict[str, list[str]] = {}
    for label, text in zip(row["yesno_answers"], row["answers"], strict=False):
        found.setdefault(label, []).append(text)
    return found


def bleu(references: Texts, predictions: Texts) -> list[float]:
    """Cumulative BLEU-1 to BLEU-4 of a corpus, by characters."""
    counts = count_n_grams(references, predictions)
    ratio = (counts.candidate_length + TINY) / (counts.reference_length + SMALL)
    penalty = brevity(ratio) if ratio < 1 else 1.0
    return [each * penalty for each in counts.cumulative(lambda matched, of: (matched + TINY) / (of + SMALL))]


def count_n_grams(references: Texts, predictions: Texts) -> BleuCounts:
    """What BLEU is made of."""
    counts = BleuCounts()
    for key, texts in references.items():
        candidate, wanted = characters(predictions[key][0]), [characters(each) for each in texts]
        counts.add_lengths(candidate, wanted)
        counts.add_matches(candidate, wanted)
    return counts


def rouge(references: Texts, predictions: Texts) -> float:
    """The mean of ROUGE-L over the questions; NaN without any."""
    scores = [rouge_of(predictions[key][0], texts) for key, texts in references.items()]
    return sum(scores) / len(scores) if scores else float("nan")


def rouge_of(prediction: str, references: Sequence[str]) -> float:
    """ROUGE-L of one question: the best precision and the best recall, of whichever references they are."""
    # A text without characters is one empty token to the script, so that two of them are equal.
    candidate = characters(prediction) or [""]
    wanted = [characters(each) or [""] for each in references]
    common = [common_subsequence(each, candidate) for each in wanted]
    precision = max(lcs / len(candidate) for lcs in common)
    recall = max(lcs / len(each) for lcs, each in zip(common, wanted, strict=True))
    return f_measure(precision, recall, GAMMA)


def entity_figures(references: Rows, predictions: Rows) -> tuple[float, float, float]:
    """F1, precision and recall of entities over all questions; ValueError for a prediction of several lists."""
    right = given = wanted = 0
    for key, row in references.items():
        lists = predictions[key]["entity_answers"] if key in predictions else [[]]
        if len(lists) != 1:
            raise ValueError(f"the number of entity list for question_id {key} is not 1.")
        best, said = set(_best_list(lists[0], row["entity_answers"])), set(lists[0])
        right, given, wanted = right + len(best & said), given + len(said), wanted + len(best)
    if not right:
        return 0.0, 0.0, 0.0
    precision, recall = right / given, right / wanted
    return 2 * precision * recall / (precision + recall), precision, recall


def _best_list(entities: Sequence[str], lists: Sequence[Sequence[str]]) -> Sequence[str]:
    """The reference list with the best F1, the first of equal ones; the shortest one if none has anything of it."""
    scored = [(_f1_of_lists(entities, each), each) for each in lists]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, []))
    return best[1] if best[0] else min(lists, key=len, default=[])


def _f1_of_lists(entities: Sequence[str], wanted: Sequence[str]) -> float:
    same = (Counter(entities) & Counter(wanted)).total()
    return 2 * same / (len(entities) + len(wanted)) if same else 0.0
