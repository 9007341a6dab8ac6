"""Latent classes: the paper's own data, the marginals it prints, and a careless person among careful ones."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.statistics import dawid_skene
from tests.annotation.statistics.published import DAWID_SKENE


def paper():
    """(item, person, answer) of table 1."""
    rows = [
        (item, person, int(digit) - 1)
        for item, patient in enumerate(DAWID_SKENE.split())
        for person, digits in enumerate(patient.split("."))
        for digit in digits
    ]
    return np.array(rows).T


def test_the_marginals_of_the_paper():
    found = dawid_skene.fit(*paper(), k=4)
    assert found.shares == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.005)


def test_the_error_rates_of_the_first_anaesthetist_in_the_paper():
    found = dawid_skene.fit(*paper(), k=4)
    assert found.confusion[0][:3] == pytest.approx(
        np.array([[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0]]), abs=0.01
    )


def made_up(careless, *, items=400, k=3, seed=2):
    """Everybody answers every item; each person is right with their own probability, else says another class."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, size=items)
    rows = []
    for person, wrong in enumerate(careless):
        slips = rng.random(items) < wrong
        answers = np.where(slips, (truth + rng.integers(1, k, size=items)) % k, truth)
        rows += [(item, person, answer) for item, answer in enumerate(answers)]
    return np.array(rows).T, truth


def test_a_careless_person_is_found_and_the_accuracies_are_those_against_the_truth():
    careless = (0.05, 0.1, 0.45, 0.1, 0.05)
    (item, person, answer), truth = made_up(careless)
    found = dawid_skene.fit(item, person, answer, k=3, smoothing=0.5)
    accuracies = dawid_skene.accuracies(found, person, item)
    assert min(range(5), key=lambda one: accuracies[one].value) == 2
    for place, one in enumerate(accuracies):
        assert one.low <= (answer == truth[item])[person == place].mean() <= one.high
        assert one.n == 400
    assert (found.classes.argmax(axis=1) == truth).mean() > 0.97


def test_answers_in_one_conversation_count_as_one_trial():
    (item, person, answer), _truth = made_up((0.1, 0.1, 0.1), items=320)
    found = dawid_skene.fit(item, person, answer, k=3, smoothing=0.5)
    apart, together = (dawid_skene.accuracies(found, person, whole)[0] for whole in (item, item // 16))
    assert (apart.n, together.n) == (320, 20)
    assert together.value == apart.value
    assert together.high - together.low > 2.5 * (apart.high - apart.low)


def test_an_independent_implementation_gives_the_same():
    """Values of crowd-kit 1.4.2 (`DawidSkene(n_iter=500, tol=1e-12)`) for the same made-up answers."""
    (item, person, answer), _truth = made_up((0.05, 0.1, 0.45, 0.1, 0.05))
    found = dawid_skene.fit(item, person, answer, k=3)
    assert found.shares == pytest.approx([0.319846, 0.339366, 0.340788], abs=5e-5)
    third = [[0.585763, 0.242273, 0.171964], [0.174805, 0.574701, 0.250495], [0.310524, 0.234680, 0.454795]]
    assert found.confusion[2] == pytest.approx(np.array(third), abs=5e-5)
    assert found.classes[3] == pytest.approx([0.999298, 0.000036, 0.000666], abs=5e-6)


def test_wilsons_interval_stays_inside_and_is_wide_for_few_answers():
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20.
    assert dawid_skene.wilson(81, 263)[1:3] == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert dawid_skene.wilson(15, 148)[1:3] == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert dawid_skene.wilson(0, 20)[1:3] == pytest.approx((0, 0.1611), abs=5e-5)
    assert dawid_skene.wilson(0, 0) == (0, 0, 1, 0)


def test_a_class_that_nobody_named_stays_empty():
    item, person, answer = np.array([[0, 0, 0], [0, 1, 2], [1, 1, 1], [1, 0, 2]]).T
    found = dawid_skene.fit(item, person, answer, k=4)
    assert found.shares[3] == 0
    assert not np.isnan(found.classes).any()
