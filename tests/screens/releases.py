"""Pictures of releases: one with its files, a new one, one that was not frozen, and an empty project's."""

from __future__ import annotations

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
