"""`manage.py report`: the project's figures beside the published ones."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from tests.builders import Worker, load, open_with, questions


def figures(project):
    out = io.StringIO()
    call_command("report", project.slug, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_the_shares_of_the_paths_are_beside_the_published_ones(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(4))
    worker = Worker(alice, nq)
    for _ in range(3):
        worker.finish_bad()
    worker.finish_without_answer()
    said = figures(nq)
    assert said["figures"]["paths"] == {"bad": 0.75, "no_answer": 0.25, "long_only": 0, "short": 0, "yes_no": 0}
    assert said["published"]["paths"]["bad"] == 0.14


def test_published_annotations_count_too(nq, shared):
    load(nq, shared / "nq" / "nq-dev-00.jsonl.gz", published=True)
    said = figures(nq)["figures"]
    assert said["paths"] == {"bad": 0, "no_answer": 0.6, "long_only": 0.2, "short": 0.2, "yes_no": 0}
    assert said["long_answer_kinds"]["P"] == 1


def test_a_project_without_answers_has_no_figures_and_no_error(nq):
    assert figures(nq)["figures"] == {"annotations": 0, "paths": None, "long_answer_kinds": None}


@pytest.mark.parametrize("json_too", [False, True])
def test_a_project_of_papers_is_reported_with_the_figures_of_its_paper(db, shared, json_too):
    from tests.builders import project

    papers = project("papers", "qasper")
    load(papers, shared / "qasper" / "qasper-train-4papers-v0.3.json", published=True, split="train")
    if json_too:
        assert figures(papers)["figures"]["questions_per_paper"] > 1
        return
    out = io.StringIO()
    call_command("report", papers.slug, stdout=out)
    assert "answer_types.extractive" in out.getvalue()
