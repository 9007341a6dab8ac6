"""Sets of answers are compared if a round is about as many items as were published."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.frontend.judging.test_metric_pages import BAD, GOOD
from tests.frontend.judging.test_systems_found import json_of, judged, lamps

FEWER = pytest.mark.in_test_all(
    shown_by="tests/frontend/judging/test_systems_found.py::test_metrics_of_systems_have_what_people_wrote_as_references"
)


@pytest.mark.parametrize(("items", "groups"), [pytest.param(29, [], marks=FEWER), (30, ["all"])])
def test_sets_need_as_many_items_as_were_published(db, tmp_path, items, groups):
    made, client = lamps(tmp_path, items)
    texts = [GOOD, "It burned rape oil."] * items
    row = judged(made, client, {"Alpha": texts[:items], "Beta": [BAD] * items, "Gamma": texts[1 : items + 1]})
    said = json_of(client, row, "answer_metrics_json")["metrics"]
    assert list(said["sets"]["bleu"]) == groups
    page = client.get(reverse("answer_metrics", args=[row.project.slug, row.uuid])).content.decode()
    assert ("Correlation for sets of answers" in page) == bool(groups)
