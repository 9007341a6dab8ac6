"""The NQ paper's accuracy A_b: correct if enough annotators answered and the label is one of their answers."""

import pytest

from annotation.protocols.nq.scoring import accuracy

A, B, NULL = "a", "b", None


@pytest.mark.parametrize(
    ("votes", "label", "right"),
    [
        ((A, A, NULL, NULL, NULL), A, 1),
        ((A, B, NULL, NULL, NULL), B, 1),
        ((A, B, NULL, NULL, NULL), "c", 0),
        ((A, B, NULL, NULL, NULL), NULL, 0),
        ((A, NULL, NULL, NULL, NULL), NULL, 1),
        ((A, NULL, NULL, NULL, NULL), A, 0),
        ((NULL,) * 5, NULL, 1),
        ((NULL,) * 5, A, 0),
    ],
)
def test_two_answers_of_five_make_a_question_answerable(votes, label, right):
    assert accuracy([(votes, label)]) == right


def test_the_accuracy_is_the_mean_over_examples():
    examples = [((A, A, A, NULL, NULL), A), ((A, A, A, NULL, NULL), B), ((NULL,) * 5, NULL), ((NULL,) * 5, A)]
    assert accuracy(examples) == 0.5
    assert accuracy([]) == 0


def test_b_is_how_many_must_have_answered():
    assert accuracy([((A, NULL, NULL, NULL, NULL), A)], b=1) == 1
    assert accuracy([((A, A, NULL, NULL, NULL), A)], b=3) == 0


def test_the_threshold_of_the_bayes_optimal_answer_is_the_papers():
    """Section 5.1, note 11: if a share g gives the answer and the rest null, answering wins from g = .31381 on."""
    low, high = 0.0, 1.0
    for _ in range(60):
        null = (low + high) / 2
        if null**5 + 5 * null**4 * (1 - null) < 0.5:
            low = null
        else:
            high = null
    share = 1 - low
    chances = _chances(share)
    answering = sum(chance * accuracy([(votes, A)]) for votes, chance in chances)
    abstaining = sum(chance * accuracy([(votes, NULL)]) for votes, chance in chances)
    assert share == pytest.approx(0.31381, abs=5e-6)
    assert answering == pytest.approx(abstaining)


def _chances(share):
    """Every outcome of five independent annotators, with its probability."""
    outcomes = [((), 1.0)]
    for _ in range(5):
        outcomes = [
            ((*votes, vote), chance * part)
            for votes, chance in outcomes
            for vote, part in ((A, share), (NULL, 1 - share))
        ]
    return outcomes
