"""EM and F1 as printed by evaluate-v1.1.py and evaluate-v2.0.py, on cases computed by hand."""

from io import StringIO

import orjson
import pytest
from django.core.management import CommandError, call_command

from annotation.protocols.squad import scoring
from tests.protocols.squad.builders import (
    answer,
    article,
    file_v1,
    file_v2,
    paragraph,
    question,
    question_v1,
)

THIRDS = 200 / 3


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Cat's  tail,\nand a dog.", ["cats", "tail", "and", "dog"]),
        ("The-a", ["thea"]),  # punctuation goes first, so that no article is left
        ("—the— “an” «a»", ["—", "—", "“", "”", "«", "»"]),  # only ASCII punctuation goes; articles do anywhere
        ("an ant", ["ant"]),
        ("the, a. An!", []),
        ("É\u00a0🦊", ["é", "🦊"]),
        ("", []),
    ],
)
def test_texts_are_compared_by_their_tokens(text, tokens):
    assert scoring.tokens(text) == tokens


@pytest.mark.parametrize(
    ("prediction", "reference", "exact", "f1"),
    [
        ("the big cat", "Big cat!", 1, 1),
        ("big cat", "cat big", 0, 1),
        ("big big cat", "big cat", 0, 0.8),  # 2 of 3 and 2 of 2
        ("cat", "big black cat", 0, 0.5),  # 1 of 1 and 1 of 3
        ("dog", "cat", 0, 0),
    ],
)
def test_a_prediction_against_one_reference(prediction, reference, exact, f1):
    assert scoring.exact(prediction, reference) == exact
    assert scoring.f1(prediction, reference) == pytest.approx(f1)
    assert scoring.f1_or_none(prediction, reference) == pytest.approx(f1)


@pytest.mark.parametrize(("prediction", "reference"), [("", ""), ("the", ""), ("", "..."), ("a", "the")])
def test_two_texts_without_a_token_are_the_same_but_1_1_gives_them_no_f1(prediction, reference):
    assert scoring.exact(prediction, reference) == 1
    assert scoring.f1(prediction, reference) == 0
    assert scoring.f1_or_none(prediction, reference) == 1


def test_1_1_takes_the_best_reference_and_counts_a_missing_prediction_as_wrong():
    gold = {"q1": ["big cat", "cat"], "q2": ["dog"], "q3": ["the"]}
    figures = scoring.evaluate_v1(gold, {"q1": "a cat", "q3": "", "other": "x"})
    assert figures == pytest.approx({"exact_match": THIRDS, "f1": 100 / 3})


def test_1_1_refuses_a_question_without_an_answer():
    with pytest.raises(ValueError, match="q1"):
        scoring.evaluate_v1({"q1": []}, {"q1": ""})


GOLD = {"has": ["big cat", "the"], "empty": ["the", "..."], "none": [], "trap": []}
PREDICTED = {"has": "cat", "empty": "", "none": "", "trap": "a dog"}


def test_2_0_scores_questions_with_and_without_an_answer_separately():
    assert scoring.evaluate_v2(GOLD, PREDICTED) == pytest.approx(
        {
            "exact": 50.0,  # of 4: `empty`, whose references have no token, and `none`
            "f1": 100 * (THIRDS / 100 + 1 + 1) / 4,
            "total": 4,
            "HasAns_exact": 50.0,
            "HasAns_f1": (THIRDS + 100) / 2,
            "HasAns_total": 2,
            "NoAns_exact": 50.0,
            "NoAns_f1": 50.0,
            "NoAns_total": 2,
        }
    )


def test_2_0_leaves_out_the_figures_of_an_absent_kind_of_question():
    assert list(scoring.evaluate_v2({"q": ["x"]}, {"q": "x"})) == [
        "exact", "f1", "total", "HasAns_exact", "HasAns_f1", "HasAns_total",
    ]  # fmt: skip


def test_2_0_finds_the_best_threshold():
    gold = {"sure": ["cat"], "half": ["big cat"], "trap": [], "none": []}
    predicted = {"sure": "cat", "half": "cat", "trap": "dog", "none": ""}
    probabilities = {"sure": 0.1, "half": 0.3, "trap": 0.2, "none": 0.9, "other": 0.0}
    figures = scoring.evaluate_v2(gold, predicted, probabilities)
    # Answering nothing is right twice; with `sure` three times, with `trap` twice, with `half` 2 2/3 times.
    assert (figures["best_exact"], figures["best_exact_thresh"]) == (75.0, 0.1)
    assert (figures["best_f1"], figures["best_f1_thresh"]) == (75.0, 0.1)
    figures = scoring.evaluate_v2(gold, predicted, probabilities | {"trap": 0.8})
    assert (figures["best_exact"], figures["best_exact_thresh"]) == (75.0, 0.1)
    assert (figures["best_f1"], figures["best_f1_thresh"]) == (pytest.approx(100 * (3 + 2 / 3) / 4), 0.3)


def test_2_0_has_threshold_0_if_it_is_best_to_answer_nothing():
    figures = scoring.evaluate_v2({"a": [], "b": ["x"]}, {"a": "y", "b": "z"}, {"a": 0.4, "b": 0.5})
    assert (figures["best_exact"], figures["best_exact_thresh"]) == (50.0, 0.0)


def test_a_probability_above_1_is_no_answer():
    figures = scoring.evaluate_v2({"a": [], "b": ["x"]}, {"a": "y", "b": "x"}, {"a": 1.5, "b": 1.0})
    assert figures["exact"] == 100.0


@pytest.mark.parametrize("given", [{"predicted": {}}, {"na_probs": {}}])
def test_2_0_refuses_a_question_without_a_prediction_or_probability(given):
    with pytest.raises(ValueError, match="q"):
        scoring.evaluate_v2({"q": ["x"]}, **{"predicted": {"q": "x"}} | given)


def test_people_are_scored_by_their_second_answer_against_the_others():
    gold = {"one": ["alone"], "two": ["big cat", "cat"], "three": ["dog", "cat", "the cat"], "none": ["", ""]}
    assert scoring.human(gold) == {"questions": 3, "exact": 2 / 3, "f1": pytest.approx((2 / 3 + 1 + 1) / 3)}
    assert scoring.human({}) == {"questions": 0, "exact": None, "f1": None}


class Folder:
    """Files in a folder, and `manage.py score squad` on them."""

    def __init__(self, path):
        self.path = path

    def write(self, name, value):
        (self.path / name).write_bytes(orjson.dumps(value))
        return self.path / name

    def score(self, *flags, gold="gold.json", predictions="said.json"):
        said = StringIO()
        given = ["--predictions", str(self.path / predictions)] if predictions else []
        call_command("score", "squad", "--gold", str(self.path / gold), *given, *flags, stdout=said)
        return orjson.loads(said.getvalue())


@pytest.fixture
def folder(tmp_path):
    found = Folder(tmp_path)
    asked = [question(1), question(2, impossible=True), question(3, answer("Holt"), answer("Anna Holt"))]
    found.write("gold.json", file_v2(article(paragraph(*asked))))
    found.write("said.json", {f"{1:024x}": "Anna Holt", f"{2:024x}": "1871", f"{3:024x}": "Skerrow"})
    return found


def test_the_command_scores_a_file_of_2_0(folder):
    figures = folder.score()
    assert (figures["exact"], figures["HasAns_exact"], figures["NoAns_exact"]) == (pytest.approx(100 / 3), 50, 0)
    probabilities = str(folder.write("na.json", {f"{1:024x}": 0, f"{2:024x}": 0.9, f"{3:024x}": 0.5}))
    assert folder.score("--na-prob-file", probabilities)["best_exact"] == pytest.approx(200 / 3)
    sure = folder.score("--na-prob-file", probabilities, "--na-prob-thresh", "0.6")
    assert (sure["exact"], sure["HasAns_exact"], sure["NoAns_exact"]) == (pytest.approx(200 / 3), 50, 100)


def test_the_command_scores_a_file_of_1_1_as_its_script_does(folder):
    folder.write("gold.json", file_v1([question_v1(1), question_v1(2)]))
    assert folder.score() == {"exact_match": 50.0, "f1": 50.0}


def test_the_command_scores_people(folder):
    figures = folder.score("--human", predictions=None)
    assert figures == {"questions": 1, "exact": 0, "f1": pytest.approx(2 / 3)}


@pytest.mark.parametrize(
    ("name", "value", "flags", "sentence"),
    [
        ("gold.json", {"data": [{}]}, (), "not in the SQuAD layout"),
        ("gold.json", [], (), "not in the SQuAD layout"),
        ("gold.json", file_v2(), (), "no question"),
        ("gold.json", file_v1([question_v1(1) | {"answers": []}]), (), "has no answer"),
        ("said.json", ["x"], (), "a text for each question id"),
        ("said.json", {"q": 5}, (), "a text for each question id"),
        ("said.json", {}, (), "3 questions have no prediction"),
        ("na.json", {}, ("--na-prob-file", "{na.json}"), "have no probability"),
        ("na.json", {"q": True}, ("--na-prob-file", "{na.json}"), "a probability for each question id"),
        ("other.json", {}, ("--na-prob-file", "{na.json}"), "can't be read"),
        ("other.json", {}, ("--na-prob-thresh", "half"), "half is not a number"),
        ("other.json", {}, ("--human",), "either a file of predictions or --human"),
    ],
)
def test_files_that_can_t_be_scored_are_refused_with_a_sentence(folder, name, value, flags, sentence):
    folder.write(name, value)
    with pytest.raises(CommandError, match=sentence):
        folder.score(*(flag.replace("{na.json}", str(folder.path / "na.json")) for flag in flags))
