"""ROUGE-L and BLEU-4, plain and adapted, as the organisers' package and the repository's script print them."""

import json
from io import StringIO
from itertools import combinations

import orjson
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis.strategies import text

from annotation.protocols.dureader import adapted_metric, repository_metric
from annotation.protocols.dureader.adapted_metric import JudgedAnswers, Weights, judged_answers
from annotation.protocols.dureader.overlap import clipped, common_subsequence, n_grams


@pytest.fixture(scope="module")
def scored(shared):
    return shared / "scored" / "dureader"


@pytest.fixture(scope="module")
def expected(scored):
    return json.loads((scored / "expected.json").read_bytes())


def rows(path):
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    return {each["question_id"]: each for each in found}


def printed(figures):
    """Figures in which what is not a number is a text, as in the file of expected ones."""
    return json.loads(json.dumps(figures), parse_constant=str)


@pytest.mark.parametrize("task", repository_metric.TASKS)
def test_the_tasks_of_the_repository_s_script(scored, expected, task):
    references, predictions = (rows(scored / f"{name}.repository.jsonl") for name in ("references", "predictions"))
    found = repository_metric.score(task, references, predictions)
    assert found == expected["repository"][task]["printed"]


def test_the_script_on_sparse_and_refused_rows(scored, expected):
    references = rows(scored / "sparse-references.repository.jsonl")
    predictions = rows(scored / "sparse-predictions.repository.jsonl")
    for task, wanted in expected["repository_sparse"].items():
        assert printed(repository_metric.score(task, references, predictions)) == wanted["printed"]
    refused = rows(scored / "refused-predictions.repository.jsonl")
    assert repository_metric.score("entity", references, refused) == expected["repository_refused"]["printed"]


@pytest.mark.parametrize("ab", ["0", "1", "2.0"])
def test_the_organisers_package(scored, expected, ab):
    references, predictions = (rows(scored / f"{name}.lic.jsonl") for name in ("references", "predictions"))
    judged = [found for key, row in references.items() if (found := judged_answers(row, predictions.get(key)))]
    weights = Weights(alpha=float(ab), beta=float(ab))
    found = adapted_metric.figures(judged, weights)
    assert found == {each["name"]: each["value"] for each in expected["lic"][ab]["data"]}
    counts, totals = adapted_metric.count_n_grams(judged, weights), expected["lic_totals"][str(float(ab))]
    assert (counts.matched, counts.of) == (totals["match"], totals["total"])
    assert (counts.candidate_length, counts.reference_length) == (
        totals["candidate_length"],
        totals["reference_length"],
    )
    assert adapted_metric.bleu(counts) == pytest.approx(totals["bleu"], rel=1e-12)
    for one, wanted in zip(judged, expected["lic_per_question"], strict=True):
        assert adapted_metric.rouge(one, weights).figure == pytest.approx(wanted["ab"][str(float(ab))]["f"], abs=1e-12)


def words(text):
    """Its tokens, punctuation apart."""
    return tuple(text.split())


YES = words("Skipping rope is an aerobic exercise .")
GOLD = [
    words("Skipping rope is a kind of aerobic exercise with low intensity ."),
    words("Skipping rope can be regarded as an aerobic exercise only when skipping for a long time ."),
]
SKIPPING = JudgedAnswers("YES_NO", tuple(GOLD), ("Yes", "Depends"), YES, "Yes", ())
QIN = JudgedAnswers(
    "ENTITY",
    (words("Qin unified China in ten years , from 230 BC to 221 BC ."),),
    ("",),
    words("Qin unified China in 221 BC after the war against other kingdoms which lasted ten years ."),
    "",
    (("ten", "years"), ("230", "BC"), ("221", "BC")),
)
PACKAGE = Weights(alpha=1.0, beta=1.0)


def bigrams(judged, weights):
    counts = adapted_metric.count_n_grams([judged], weights)
    return counts.matched[1], counts.of[1]


def test_worked_example_1_a_right_opinion_in_the_precision_of_bigrams():
    assert bigrams(SKIPPING, Weights(alpha=0, beta=0)) == (4, 6)
    assert bigrams(SKIPPING, PACKAGE) == (7, 9)
    assert (round(4 / 6, 2), round(7 / 9, 2)) == (0.67, 0.78)


def test_worked_example_2_right_entities_in_the_precision_of_bigrams():
    assert bigrams(QIN, Weights(alpha=0, beta=0)) == (5, 16)
    assert bigrams(QIN, PACKAGE) == (7, 18)
    assert (round(5 / 16, 2), round(7 / 18, 2)) == (0.31, 0.39)


def test_worked_example_3_as_far_as_it_holds():
    """Its printed F (.59 and .78) contradict its own P and R, from which follow .632 and .774."""
    found = adapted_metric.rouge(SKIPPING, PACKAGE)
    assert (found.common[0], found.bonus[0]) == (6, 6)
    assert (round(max(found.precisions), 2), round(max(found.recalls), 2)) == (0.92, 0.67)


def test_worked_example_4_right_entities_in_rouge_l():
    plain = adapted_metric.rouge(QIN, Weights(alpha=0, beta=0, gamma=1.0))
    adapted = adapted_metric.rouge(QIN, Weights(alpha=1.0, beta=1.0, gamma=1.0))
    assert (adapted.common, adapted.bonus) == ((7,), (4,))
    assert (round(plain.figure, 2), round(adapted.figure, 2)) == (0.45, 0.56)


def test_an_entity_that_is_there_in_part_counts_for_bleu_and_not_for_rouge():
    part = JudgedAnswers("ENTITY", (("a", "b"),), ("",), ("a",), "", (("a", "b"),))
    assert adapted_metric.rouge(part, PACKAGE).bonus == (0,)
    assert adapted_metric.count_n_grams([part], PACKAGE).matched[0] == 2


@given(text("abc", max_size=9), text("abc", max_size=9))
def test_the_longest_common_subsequence_is_as_long_as_its_definition_says(one, other):
    kept = {each for size in range(len(one) + 1) for each in combinations(one, size)}
    found = max(len(each) for size in range(len(other) + 1) for each in combinations(other, size) if each in kept)
    assert common_subsequence(one, other) == found


def test_the_longest_common_subsequence_and_clipped_n_grams():
    assert common_subsequence("abcbdab", "bdcaba") == 4
    assert common_subsequence("", "abc") == 0
    assert clipped(n_grams("the the the", 1), [n_grams("the cat", 1), n_grams("the the", 1)]) == 2 * 2 + 2 + 1


QUESTION = {"question_id": 1, "question_type": "DESCRIPTION"}


def score(tmp_path, gold, predictions, **options):
    for name, found in (("gold", gold), ("predictions", predictions)):
        (tmp_path / name).write_bytes(b"\n".join(map(orjson.dumps, found)))
    out, err = StringIO(), StringIO()
    files = ["--gold", tmp_path / "gold", "--predictions", tmp_path / "predictions"]
    given = [f"--{name}={value}" for name, value in options.items()]
    call_command("score", "dureader", *map(str, files), *given, stdout=out, stderr=err)
    return orjson.loads(out.getvalue()), err.getvalue()


def test_words_are_counted_at_white_space_or_as_the_file_segments_them(tmp_path):
    gold = [QUESTION | {"answers": ["rape oil"]}]
    by_character, _ = score(tmp_path, gold, [QUESTION | {"answers": ["rope oil"]}])
    by_word, _ = score(tmp_path, gold, [QUESTION | {"answers": ["rope oil"]}], level="word")
    assert by_character["plain"]["all"]["ROUGE-L"] == 85.71  # 6 of 7 characters
    assert by_word["plain"]["all"]["ROUGE-L"] == 50.0
    segmented = [QUESTION | {"answers": ["油灯用油"], "segmented_answers": [["油灯", "用", "油"]]}]
    predicted = [QUESTION | {"answers": ["油灯油"], "segmented_answers": [["油灯", "油"]]}]
    found, _ = score(tmp_path, segmented, predicted, level="word")
    assert found["plain"]["all"]["ROUGE-L"] == pytest.approx(100 * 2.44 * 2 / 3 / (2 / 3 + 1.44), abs=0.01)


def test_the_defaults_are_the_weights_of_the_paper_and_options_change_them(tmp_path):
    gold = [{"question_id": 1, "question_type": "YES_NO", "answers": ["it is so"], "yesno_answers": ["Yes"]}]
    predicted = [{"question_id": 1, "question_type": "YES_NO", "answers": ["it is not"], "yesno_answers": ["Yes"]}]
    found, err = score(tmp_path, gold, predicted)
    package, _ = score(tmp_path, gold, predicted, alpha="1")
    none, _ = score(tmp_path, gold, predicted, alpha="0", beta="0")
    by_weight = [each["adapted"]["YES_NO"]["ROUGE-L"] for each in (none, package, found)]
    assert by_weight == sorted(set(by_weight))
    assert none["adapted"] == none["plain"] == found["plain"]
    assert "repository’s tasks are left out" in err


@pytest.mark.parametrize(
    ("gold", "options", "message"),
    [
        ([QUESTION | {"answers": []}], {}, "No question has a reference answer"),
        ([QUESTION | {"answers": ["x"]}] * 2, {}, "question 1 is there twice"),
        ([QUESTION | {"answers": ["x"], "yesno_answers": ["Yes", "No"]}], {}, "another length"),
        ([{"answers": ["x"]}], {}, "there is no question_id"),
        ([QUESTION | {"answers": "x"}], {}, "lists of texts"),
        ([QUESTION | {"answers": ["x"], "question_type": "LIST"}], {}, "question_type is one of"),
        ([QUESTION | {"answers": ["x"]}], {"alpha": "-1"}, "--alpha is a number"),
        ([QUESTION | {"answers": ["x"]}], {"level": "byte"}, "--level is char or word"),
    ],
)
def test_what_can_not_be_scored_is_refused_with_a_sentence(tmp_path, gold, options, message):
    with pytest.raises(CommandError, match=message):
        score(tmp_path, gold, [QUESTION | {"answers": ["x"]}], **options)
