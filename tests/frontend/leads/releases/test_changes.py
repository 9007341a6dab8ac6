"""What changed between two releases: counts, the changes with their reasons, and all of them as CSV."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import pseudonyms
from annotation.engine import recording
from annotation.models import Annotation
from tasks import corrections
from tests.builders import Worker
from tests.factories.corpus import GuidelineVersionFactory
from tests.people import NOON, join


@pytest.fixture
def two(lead, lights):
    """Since release 1, one answer of ann's was excluded, the other revised, and cleo has answered in dev."""
    lead.build(split=["train", "dev"], partial="on")
    excluded, revised = Annotation.objects.filter(item__split="train").order_by("pk")
    recording.exclude(excluded, by=lead.user, reason="it was copied", now=NOON)
    corrections.reopen(lights, revised.uuid, by=lead.user, reason="look again", now=NOON)
    later = NOON + timedelta(hours=1)
    ann = Worker(revised.author, lights)
    reasons = {"verdict": "bad", "reasons": ["opinion"]}
    ann.commit(ann.claim(now=later), "question", reasons, now=later)
    added = Worker(join(lights, "cleo"), lights).finish_bad(now=later).annotation
    GuidelineVersionFactory(project=lights)
    Worker(join(lights, "dora"), lights).finish_bad(now=later)
    lead.build(split=["train", "dev"], partial="on")
    return {"excluded": excluded, "revised": revised, "added": added}


def name(row, version):
    """The id of an annotation in a release of the project."""
    return pseudonyms.id_in(f"{row.item.project.slug}/{version}", str(row.uuid))


def test_the_page_counts_what_was_added_removed_and_revised_and_each_change_says_why(lead, two, monkeypatch):
    page = lead.get("release_changes", 2).context
    counts = {str(what): (items, annotations) for what, items, annotations in page["counts"]}
    assert counts["removed"] == (1, 1)
    assert counts["revised"] == (0, 1)
    assert counts["added"][1] == 2
    assert ("Guidelines", "1", "1, 2") in page["differences"]
    found = {(str(row["what"]), row["annotation"]): row for row in page["changes"]}
    assert found["removed", name(two["excluded"], 1)]["why"] == "excluded: it was copied"
    assert found["removed", ""]["why"] == "its item lacks annotations now"
    assert ("revised", name(two["revised"], 2)) in found
    assert ("added", name(two["added"], 2)) in found
    assert found["removed", ""]["key"] == two["excluded"].item_id
    # The table has every change, and the page only the first ones.
    monkeypatch.setattr("frontend.leads.releases.shown.CHANGES_SHOWN", 1)
    page = lead.get("release_changes", 2)
    assert (len(page.context["changes"]), page.context["more"]) == (1, True)
    answer = lead.get("release_changes_csv", 2)
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == page.context["every"]
    [gone] = [row for row in rows if row["annotation"] == name(two["excluded"], 1)]
    assert (gone["change"], gone["of"], gone["why"], gone["reason"]) == (
        "removed", "annotation", "excluded", "it was copied",
    )  # fmt: skip


def test_a_reason_that_looks_like_a_formula_is_text_in_the_table(lead, lights):
    lead.build(split=["train", "dev"], partial="on")
    first = Annotation.objects.earliest("pk")
    recording.exclude(first, by=lead.user, reason='=HYPERLINK("http://evil.example")', now=NOON)
    lead.build(split=["train", "dev"], partial="on")
    answer = lead.get("release_changes_csv", 2)
    assert answer.content.startswith("\ufeffchange,".encode())
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert '\'=HYPERLINK("http://evil.example")' in [row["reason"] for row in rows]


def test_a_split_that_is_left_out_is_the_reason_for_what_is_gone(lead, lights):
    lead.build(split=["train", "dev"], partial="on")
    lead.build(split=["train"])
    changes = lead.get("release_changes", 2).context["changes"]
    assert changes
    assert {(row["split"], row["why"]) for row in changes} == {("dev", "its split is left out")}


def test_a_cut_off_is_the_reason_for_what_was_finished_after_it(lead, lights):
    later = NOON + timedelta(hours=3)
    added = Worker(join(lights, "cleo"), lights).finish_bad(now=later).annotation
    lead.build(split=["dev"], partial="on")
    lead.build(split=["dev"], partial="on", until=(NOON + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"))
    changes = lead.get("release_changes", 2).context["changes"]
    assert (name(added, 1), "finished after the cut-off") in {(row["annotation"], row["why"]) for row in changes}
    assert {str(row["why"]) for row in changes} == {"finished after the cut-off"}


def test_any_earlier_release_can_be_compared_with_and_the_first_with_none(lead, lights):
    for _ in range(3):
        lead.build()
    url = reverse("release_changes", args=[lights.slug, 3])
    assert lead.client.get(url).context["older"].version == 2
    assert lead.client.get(url, {"since": "1"}).context["older"].version == 1
    assert lead.client.get(url, {"since": "1"}).context["every"] == 0
    assert lead.get("release_changes", 1).status_code == 404
