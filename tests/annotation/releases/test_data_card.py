"""The data card of a release: a head for the hub, and what was measured of its members."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import yaml

from annotation import releases
from annotation.engine import recording
from annotation.models import Project
from annotation.releases import card
from tasks.measuring import agreement
from tasks.models import Assignment
from tests.builders import PAGE, Worker, load, open_with, project, questions, spend, write_lines
from tests.factories.corpus import GuidelineVersionFactory
from tests.people import NOON, join


@pytest.fixture(scope="module")
def annotated(shared_rows, tmp_path_factory) -> int:
    made, folder = project(), tmp_path_factory.mktemp("lights")
    made.title = 'Lights: "the" #1 | <b>'
    made.save()
    open_with(made, folder, questions(2))
    ann = Worker(join(made, "ann"), made)
    held = ann.claim()
    spend(held, now=NOON + timedelta(minutes=3), ms=120_000, active=90_000)
    ann.commit(held, "question", {"verdict": "bad", "reasons": ["opinion"]}, now=NOON + timedelta(minutes=3))
    GuidelineVersionFactory(project=made)
    Worker(join(made, "ben"), made).finish_bad()
    load(made, write_lines(folder / "dev.jsonl", questions(1, split="dev", start=10)))
    left = Worker(join(made, "cleo"), made).finish_bad().annotation
    recording.exclude(left, by=None, reason="Cleo | copied it from cleo@example.org", now=NOON)
    return made.pk


@pytest.fixture
def lights(annotated, db) -> Project:
    """Train questions: one by ann under guidelines 1, one by ben under 2; cleo's answer to a dev one is excluded.

    Made once for all tests of the module.
    """
    return Project.objects.get(pk=annotated)


def build(lights, format="huggingface", **options):
    return releases.folder_of(releases.build(lights, format=format, by=None, now=NOON, **options))


def text(folder):
    return (folder / card.NAME).read_text()


def test_its_head_is_yaml_that_names_licence_size_and_files(lights):
    head = yaml.safe_load(text(build(lights)).split("---")[1])
    assert head["pretty_name"] == lights.title
    assert (head["license"], head["size_categories"]) == ("other", ["n<1K"])
    assert head["configs"][0]["data_files"] == [{"split": "train", "path": "train.parquet"}]
    assert "configs" not in yaml.safe_load(text(build(lights, "nq")).split("---")[1])


def test_it_says_what_was_measured(lights):
    said = text(build(lights))
    assert "| train | 2 questions | 2 | 1: 2 |" in said
    assert "Made here: 2 annotations by 2 people" in said
    worked = "measured for 1 annotation: 0.0 hours (120 seconds) in all, 2.0 minutes for one."
    assert f"Working time (active and reading), {worked}" in said
    assert "Under guidelines 1 (since 2026-11-20): 1 annotation." in said
    assert "Under guidelines 2 (since 2026-11-20): 1 annotation." in said


def test_it_counts_documents_under_their_licence_and_not_the_items_about_them(lights, tmp_path):
    assert "| not stated | 1 |" in text(build(lights))
    load(lights, write_lines(tmp_path / "fog.jsonl", questions(1, start=70, page=PAGE.replace("Harbour", "Fog"))))
    dora = Worker(join(lights, "dora"), lights)
    while isinstance(dora.claim(), Assignment):
        dora.finish_bad()
    assert "| not stated | 2 |" in text(build(lights))


def test_it_says_what_was_left_out_and_why_but_names_nobody(lights):
    said = text(build(lights))
    assert "| dev | 1 annotation | excluded: \\[person\\] \\| copied it from \\[person\\] |" in said
    assert "| dev | 1 item | annotations missing |" in said
    assert "cleo" not in said.lower()


def test_agreement_is_stated_with_its_interval_once_it_is_measured(lights, tmp_path):
    assert "How well people agree" not in text(build(lights))
    load(lights, write_lines(tmp_path / "more.jsonl", questions(3, split="dev", start=50)))
    for name in ("dora", "emil", "fay"):
        worker = Worker(join(lights, name), lights)
        for _ in range(3):
            worker.finish_without_answer() if name == "fay" else worker.finish_bad()
    agreement.keep(lights, now=NOON)
    said = text(build(lights, partial=True))
    assert "| Krippendorff's alpha | " in said
    assert "too few for an interval" in said
    kept = agreement.of_page(lights, "annotate")
    kept.numbers["all"]["question"]["alpha"] = [0.5, 0.4, 0.6, 63, 20]
    kept.save()
    assert "| Krippendorff's alpha | 0.50 | 0.40 to 0.60 | 63 |" in text(build(lights, partial=True))


def test_the_card_of_an_older_release_stays_as_it_was_frozen(lights):
    manifest = releases.manifest_of(releases.build(lights, format="nq", by=None, now=NOON))
    row = {"measure": "Answer", "statistic": "alpha", "value": 0.5, "low": None, "high": None, "n": 32}
    manifest["measured"]["agreement"] = [row | {"measured": "2026-11-01"}]
    said = card.text(manifest)
    assert "Intervals: 95 %, a bootstrap over items.\n" in said
    assert "| Answer | Krippendorff's alpha | 0.50 | – | 32 | 2026-11-01 |" in said


def test_the_title_is_one_line_that_markdown_does_not_interpret(lights):
    lines = text(build(lights)).splitlines()
    assert lines[lines.index("---", 1) + 2] == '# Lights: "the" \\#1 \\| \\<b\\>, release 1'


def test_the_title_to_cite_is_printed_by_latex_as_it_is(lights):
    lights.title = "Fish & chips_50%: $5 #1 ~{a}^2 \\ `x` <b>|"
    lights.save()
    said = text(build(lights))
    assert (
        r"  title = {Fish \& chips\_50\%: \$5 \#1 \textasciitilde{} a \textasciicircum{}2 \textbackslash{}  x  "
        r"\textless{}b\textgreater{}\textbar{}}," in said
    )


def test_the_card_of_the_same_members_is_the_same_but_for_its_version(lights):
    first, second = (re.sub(r"\d{15,}", "an id", text(build(lights))) for _each in range(2))
    assert (
        first.replace("release 1", "release 2")
        .replace("lights-1", "lights-2")
        .replace("{1}", "{2}")
        .split("note = ")[0]
        == (second.split("note = ")[0])
    )


LICENCES = (
    ({"CC BY 4.0": 3}, "cc-by-4.0"),
    ({"CC BY-SA 3.0": 1}, "cc-by-sa-3.0"),
    ({"CC BY 4.0": 3, "": 1}, "other"),
    ({"CC0": 1}, "cc0-1.0"),
    ({}, "other"),
)


def test_a_licence_that_all_sources_share_is_named_as_the_hub_does(lights):
    manifest = releases.manifest_of(releases.build(lights, format="nq", by=None, now=NOON))
    for licences, name in LICENCES:
        manifest["measured"]["licences"] = licences
        assert yaml.safe_load(card.text(manifest).split("---")[1])["license"] == name, licences
