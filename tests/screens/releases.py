"""Pictures of releases: one with its files, a new one, one that was not frozen, and an empty project's."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from tests.screens.camera import Camera


def not_frozen(project: Any, *, by: Any, now: Any) -> None:
    """Leave a build that failed because the format refused a question."""
    from annotation.models import Job
    from tasks.background import long_jobs

    asked = {"format": "nq", "splits": [], "partial": True, "until": None}
    job = long_jobs.ask(project, "build_release", subject="Natural Questions, every split", asked=asked, by=by, now=now)
    item, why = project.items.order_by("pk").first(), "its second span no longer quotes the words of the page"
    refused = [[item.kind, item.external_id, f"Question {item.external_id}: {why}."]]
    error = f"Not frozen: 1 item can't be written in this format. {refused[0][2]}"
    Job.objects.filter(pk=job.pk).update(state="failed", error=error, report=job.report | {"refused": refused})


def lead(camera: Camera) -> None:
    """The pages of a project with a release, and of one without items."""
    page = camera.page
    page.goto("/projects/harbours/releases/")
    page.locator("#shown-title").wait_for()
    camera.take("releases", whole=True)
    page.get_by_role("link", name="What changed since the release before").click()
    camera.take("release-changes", whole=True)
    page.go_back()
    _scored(camera)
    page.get_by_role("link", name="See them, or leave them out").click()
    camera.take("release-not-frozen", whole=True)
    page.goto("/projects/harbours/releases/new/")
    page.locator("#preview table").first.wait_for()
    camera.take("release-new", whole=True)
    page.goto("/projects/harbours/releases/card/")
    camera.take("data-card", whole=True)
    page.goto("/projects/winter-birds/releases/")
    camera.take("releases-empty")
    page.goto("/projects/winter-birds/releases/new/")
    camera.take("release-new-empty")


def _scored(camera: Camera) -> None:
    """The form for a file of predictions, as it opens, refused, and with figures."""
    page = camera.page
    page.goto("/projects/harbours/releases/1/")
    gold = [link.get_attribute("href") for link in page.locator("a[href$='.jsonl.gz'], a[href$='.jsonl']").all()]
    page.get_by_role("link", name="Score a file of predictions").click()
    camera.take("release-score", whole=True)
    file = page.get_by_label("A file of predictions")
    for box in page.locator("[name=gold]").all():
        box.check()
    for name, rows in (
        ("release-score-refused", {"predictions": []}),
        ("release-scored", {"predictions": [_as_first(row) for row in _rows(camera, gold)]}),
    ):
        file.set_input_files({"name": "mine.json", "mimeType": "application/json", "buffer": json.dumps(rows).encode()})
        page.get_by_role("button", name="Score").click()
        page.get_by_role("heading", name="Figures" if name == "release-scored" else "Not scored").wait_for()
        camera.take(name, whole=True)
    page.goto("/projects/harbours/releases/")


def _rows(camera: Camera, addresses: list[str]) -> Iterator[dict[str, Any]]:
    for address in addresses:
        data = camera.page.request.get(camera.page.url.split("/projects/")[0] + address).body()
        for line in (gzip.decompress(data) if address.endswith(".gz") else data).split(b"\n"):
            if line:
                yield json.loads(line)


def _as_first(row: dict[str, Any]) -> dict[str, Any]:
    """A prediction that says what the first annotator says."""
    said = row["annotations"][0]
    answers = {key: said[key] for key in ("long_answer", "short_answers", "yes_no_answer")}
    return {"example_id": row["example_id"], "long_answer_score": 1.0, "short_answers_score": 1.0} | answers
