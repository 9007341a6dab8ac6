"""A round over predictions of two systems, from the file to what a rater sees."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.judging.rules import Rules
from annotation.models import Job, JudgingRound, PredictionSet, Project, Role, RoundState
from frontend.leads.judging import counting, pages
from tasks.background import long_jobs
from tests.builders import open_with, project
from tests.people import join

LED = "/projects/answers/judging/"
ITEMS = [
    {
        "question_id": number,
        "question": f"Who tended light {number}?",
        "question_type": "ENTITY",
        "fact_or_opinion": "FACT",
        "documents": [{"title": "Lights", "paragraphs": ["Anna Berg tended the light."]}],
    }
    for number in (1, 2, 3)
]


@pytest.fixture
def lena(db, tmp_path):
    made = project("answers", "dureader")
    open_with(made, tmp_path, ITEMS, activity="compose")
    client = Client()
    client.force_login(join(made, "lena", Role.LEAD))
    return client


def upload(client, system, answers):
    rows = [{"question_id": number, "answers": texts} for number, texts in answers.items()]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    file = SimpleUploadedFile("rows.jsonl", data)
    client.post(f"{LED}predictions/", {"system": system, "layout": "dureader", "file": file})
    return str(PredictionSet.objects.get(system=system).uuid)


def test_items_that_all_chosen_systems_answer_are_judged_and_raters_see_no_system(lena):
    alpha = upload(lena, "Sentinel-Alpha", {1: ["Anna.", "Olaf."], 2: ["Anna Berg."], 3: ["Nobody."]})
    beta = upload(lena, "Sentinel-Beta", {1: ["Berg."], 2: ["She."], 3: [" "]})
    expert = join(Project.objects.get(slug="answers"), "erin", Role.EXPERT)
    assert "Sentinel-Alpha" in lena.get(f"{LED}new/").content.decode()
    fields = {"title": "Two systems", "kind": "answers", "of_an_item": "all", "systems": [alpha, beta]}
    fields |= {"raters": [expert.pk], "sample": "3"}
    assert "There are only 2 to judge." in lena.post(f"{LED}new/", fields).content.decode()
    lena.post(f"{LED}new/", fields | {"sample": "2"})
    row = JudgingRound.objects.get()
    lena.post(f"{LED}{row.uuid}/seal/")
    row.refresh_from_db()
    assert row.population == 5
    found = {
        (each.item.external_id, each.prediction.set.system, each.shown["answers"][0]) for each in row.exhibits.all()
    }
    a, b = "Sentinel-Alpha", "Sentinel-Beta"
    assert found == {("1", a, "Anna."), ("1", a, "Olaf."), ("1", b, "Berg."), ("2", a, "Anna Berg."), ("2", b, "She.")}
    rater = Client()
    rater.force_login(expert)
    seen = [rater.get("/"), rater.get(f"/judging/{row.uuid}/")]
    seen.append(rater.post(f"/judging/{row.uuid}/begin/", follow=True))
    said = "".join(page.content.decode() for page in seen)
    assert "Who tended light" in said
    assert not [word for word in ("Sentinel", alpha, beta) if word in said]


def test_many_predictions_are_counted_by_a_part_and_sealed_by_a_job(lena, monkeypatch):
    """Alpha answers all three items, Beta only two of them with something to judge."""
    alpha = upload(lena, "Alpha", {1: ["Anna.", "Olaf."], 2: ["Anna Berg."], 3: ["Nobody."]})
    beta = upload(lena, "Beta", {1: ["Berg."], 2: ["She."], 3: [" "]})
    project_, rules = Project.objects.get(slug="answers"), Rules(kind="answers", systems=(alpha, beta))
    for limit, exact in ((3, True), (2, False)):
        monkeypatch.setattr(counting, "PREDICTED_LOOKED_AT", limit)
        assert counting.count_of(project_, rules).exact is exact
    expert = join(project_, "erin", Role.EXPERT)
    fields = {"title": "Two systems", "kind": "answers", "of_an_item": "all", "systems": [alpha, beta]}
    lena.post(f"{LED}new/", fields | {"raters": [expert.pk], "sample": ""})
    row = JudgingRound.objects.get()
    for limit, state in ((6, RoundState.DRAFT), (7, RoundState.SEALED)):
        monkeypatch.setattr(pages, "PREDICTED_IN_REQUEST", limit)
        lena.post(f"{LED}{row.uuid}/seal/")
        row.refresh_from_db()
        assert row.state == state
    assert Job.objects.get(kind="seal_round").state == Job.State.QUEUED


def test_the_job_that_seals_predictions_says_how_far_it_is(lena, monkeypatch):
    alpha = upload(lena, "Alpha", {1: ["Anna."], 2: ["Anna Berg."], 3: ["Nobody."]})
    expert = join(Project.objects.get(slug="answers"), "erin", Role.EXPERT)
    fields = {"title": "One", "kind": "answers", "of_an_item": "all", "systems": [alpha], "raters": [expert.pk]}
    lena.post(f"{LED}new/", fields)
    monkeypatch.setattr(pages, "PREDICTED_IN_REQUEST", 2)
    row = JudgingRound.objects.get()
    lena.post(f"{LED}{row.uuid}/seal/")
    job = Job.objects.get(kind="seal_round")
    long_jobs.run(job.pk)
    job.refresh_from_db()
    row.refresh_from_db()
    assert (job.done, job.total, row.state, row.exhibits.count()) == (3, 3, RoundState.SEALED, 3)


def test_systems_without_a_common_item_are_refused(lena):
    alpha, beta = upload(lena, "Alpha", {1: ["Anna."]}), upload(lena, "Beta", {2: ["She."]})
    expert = join(Project.objects.get(slug="answers"), "erin", Role.EXPERT)
    fields = {"title": "Two", "kind": "answers", "of_an_item": "all", "systems": [alpha, beta], "raters": [expert.pk]}
    answer = lena.post(f"{LED}new/", fields)
    assert answer.status_code == 422
    assert "There is nothing of this kind that all of these systems answer." in answer.content.decode()
