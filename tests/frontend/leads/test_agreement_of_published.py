"""The page of agreement says which measures imported annotations have no value for, and why."""

from __future__ import annotations

import pytest

from annotation import clock
from annotation.models import Annotation
from tasks.measuring import agreement
from tests.frontend.leads.pages import page_of

OTHER = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_agreement_of_published.py"
    "::test_what_published_files_do_not_say_is_named_beside_the_measure"
)
UNSAID = [
    pytest.param(
        *("nq", "question", "a published file has no answer for bad questions and for good ones without an answer"),
        marks=OTHER,
    ),
    ("qasper", "evidence", "a published file has the texts of the evidence, not its places."),
]


@pytest.mark.parametrize(("key", "measure", "why"), UNSAID)
def test_what_published_files_do_not_say_is_named_beside_the_measure(scored, key, measure, why):
    found, lena = scored(key)
    agreement.keep(found, now=clock.now())
    shown = page_of(found, lena, "agreement")
    [group] = [one for one in shown.context["found"].groups if one.key == measure]
    assert [number.estimate.n for number in group.numbers] == [0] * len(group.numbers)
    n = Annotation.objects.filter(item__project=found).count()
    assert f"without the {n} imported annotations: {why}" in " ".join(shown.content.decode().split())


def test_where_nothing_was_imported_nothing_is_said(nq, lena):
    agreement.keep(nq, now=clock.now())
    assert "imported annotation:" not in page_of(nq, lena, "agreement").content.decode()
