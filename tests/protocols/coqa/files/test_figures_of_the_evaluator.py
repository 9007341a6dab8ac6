"""EM and F1 as printed by evaluate-v1.0.py: the scored cases to the last digit, and small ones computed by hand."""

import json

import pytest

from annotation.errors import ScoreRefused
from annotation.protocol_tools import ScoreRequest
from annotation.protocols.coqa import scoring
from annotation.protocols.coqa.scorer import SCORER
from annotation.statistics.token_f1 import exact, f1_or_none

THIRDS = 200 / 3


@pytest.fixture(scope="module")
def scored(shared):
    return lambda name: shared / "scored/coqa" / name


@pytest.fixture(scope="module")
def expected(scored):
    return json.loads(scored("expected.json").read_bytes())


def score(*gold, predictions=None, human=False, **options):
    """The figures and the notes."""
    flags = frozenset({"human"} if human else ())
    found = SCORER.run(ScoreRequest(gold, predictions, flags, options))
    return found, found.pop("notes")


def test_people_get_the_figures_of_the_script(scored, expected):
    found, notes = score(scored("gold.json"), human=True)
    assert json.dumps(found) == json.dumps(expected["human"])
    assert notes == []


def test_predictions_get_the_figures_of_the_script_and_missing_ones_are_noted(scored, expected):
    found, notes = score(scored("gold.json"), predictions=scored("predictions.json"))
    assert json.dumps(found) == json.dumps(expected["model"])
    assert len(notes) == len(expected["model_stderr"])
    assert notes[0] == "No prediction for turn 9 of 3mpt3rnvvxn21tbk5jbryc1qqux5in."


def test_one_answer_is_enough_for_predictions_and_wrong_turn_ids_are_only_noted(scored, expected):
    case = expected["one_answer"]
    found, notes = score(scored(case["gold"]), predictions=scored("predictions.json"))
    assert json.dumps(found) == json.dumps(case["model"])
    assert len(notes) == len(case["model_stderr"])


def test_one_answer_is_not_enough_for_people(scored, expected):
    with pytest.raises(ScoreRefused, match="Turn 1 of dialogue 3gtde8annc4z1kidhejveve8kl7z41 has only one answer"):
        score(scored(expected["one_answer"]["gold"]), human=True)


def test_every_turn_has_the_raw_values_of_the_script(scored, expected):
    gold, predicted = {}, {}
    for dialogue in json.loads(scored("gold.json").read_bytes())["data"]:
        lists = [dialogue["answers"], *dialogue["additional_answers"].values()]
        for place, question in enumerate(dialogue["questions"]):
            texts = tuple(one[place]["input_text"] for one in lists)
            gold[dialogue["id"], question["turn_id"]] = scoring.Turn(dialogue["source"], texts)
    for row in json.loads(scored("predictions.json").read_bytes()):
        predicted[row["id"], row["turn_id"]] = row["answer"]
    people, model = scoring.human(gold), scoring.model(gold, predicted)
    assert len(expected["per_turn"]) == len(gold) == 94
    for row in expected["per_turn"]:
        key = (row["id"], row["turn_id"])
        assert people[key] == (row["human_em"], row["human_f1"])
        assert model.get(key, (None, None)) == (row["model_em"], row["model_f1"])


def test_a_file_in_two_parts_is_scored_like_the_whole(scored, expected, tmp_path):
    data = json.loads(scored("gold.json").read_bytes())["data"]
    parts = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, dialogues in zip(parts, (data[:5], data[5:]), strict=True):
        path.write_text(json.dumps({"version": "1.0", "data": dialogues}))
    assert score(*parts, human=True)[0] == expected["human"]


@pytest.mark.parametrize(
    ("one", "other", "em", "f1"),
    [
        ("the big cat", "Big cat!", 1, 1),
        ("big cat", "cat big", 0, 1),
        ("cat", "big black cat", 0, 0.5),
        ("dog", "cat", 0, 0),
        ("The", "...", 1, 1),
        ("The", "cat", 0, 0),
    ],
)
def test_two_texts(one, other, em, f1):
    assert (exact(one, other), f1_or_none(one, other)) == (em, pytest.approx(f1))
    assert (exact(other, one), f1_or_none(other, one)) == (em, pytest.approx(f1))


def test_each_reference_is_left_out_in_turn_and_a_single_one_is_not():
    assert scoring.turn_score(("cat",), "a cat") == (1, 1)
    # Without the first the best is `dog`, without the second `cat`.
    assert scoring.turn_score(("cat", "dog"), "cat") == (0.5, 0.5)
    assert scoring.human_score(("cat", "dog", "the cat")) == pytest.approx((THIRDS / 100, THIRDS / 100))


class Folder:
    """Files in a folder."""

    def __init__(self, path):
        self.path = path

    def write(self, name, value):
        (self.path / name).write_text(json.dumps(value))
        return self.path / name

    def gold(self, *, source="mctest", answers=("Holt", "Anna Holt"), **more):
        """A gold file with one dialogue of one turn."""
        said = [{"input_text": text, "turn_id": 1} for text in answers]
        additional = {str(n): [one] for n, one in enumerate(said[1:])}
        questions = [{"input_text": "Who?", "turn_id": 1}]
        dialogue = {"id": "d", "source": source, "questions": questions, "answers": said[:1]}
        return self.write("gold.json", {"data": [dialogue | {"additional_answers": additional} | more]})


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def test_a_source_of_our_own_counts_as_the_official_one_that_is_named(folder):
    gold = folder.gold(source="blogs")
    found, _notes = score(gold, human=True, domains="recipes=science,blogs=reddit")
    assert found["reddit"] == found["out_domain"] == found["overall"] == {"em": 0.0, "f1": 66.7, "turns": 1}
    assert found["in_domain"] == {"em": 0.0, "f1": 0.0, "turns": 0}


def test_a_repeated_turn_counts_once_and_is_noted(folder):
    dialogue = json.loads(folder.gold().read_bytes())["data"][0]
    gold = folder.write("twice.json", {"data": [dialogue | {"source": "cnn"}, dialogue]})
    found, notes = score(gold, human=True)
    assert (found["children_stories"]["turns"], found["overall"]["turns"]) == (1, 1)
    assert notes == ["Turn 1 of d comes twice."]


@pytest.mark.parametrize(
    ("changed", "options", "sentence"),
    [
        ({"source": "blogs"}, {}, "does not know the source blogs of dialogue d. Use --domains"),
        ({}, {"domains": "blogs"}, "--domains is a list such as"),
        ({}, {"domains": "blogs=reddit,"}, "--domains is a list such as"),
        ({}, {"domains": "blogs=poems"}, "not blogs=poems"),
        ({"additional_answers": None}, {}, "not in the CoQA layout with additional answers"),
        ({"additional_answers": {"0": []}}, {}, "not in the CoQA layout with additional answers"),
        ({"id": 5}, {}, "not in the CoQA layout with additional answers"),
        ({"answers": []}, {}, "not in the CoQA layout with additional answers"),
    ],
)
def test_gold_files_that_can_t_be_scored_are_refused_with_a_sentence(folder, changed, options, sentence):
    with pytest.raises(ScoreRefused, match=sentence):
        score(folder.gold(**changed), human=True, **options)


@pytest.mark.parametrize("rows", [{}, [{}], [{"id": "d", "turn_id": 1, "answer": None}], ["x"], {"d": "Holt"}])
def test_predictions_that_can_t_be_scored_are_refused_with_a_sentence(folder, rows):
    with pytest.raises(ScoreRefused, match=r"said\.json is not a JSON list"):
        score(folder.gold(), predictions=folder.write("said.json", rows))


@pytest.mark.parametrize(("human", "named"), [(True, True), (False, False)])
def test_either_people_or_predictions_are_scored(folder, human, named):
    with pytest.raises(ScoreRefused, match="either a file of predictions or --human"):
        score(folder.gold(), human=human, predictions=folder.write("said.json", []) if named else None)
