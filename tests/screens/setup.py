"""Pictures of the pages on which a lead sets up a project."""

from __future__ import annotations

from typing import Any

from tests.screens.camera import Camera
from tests.waiting.settled import keys


def rehearsed(project: Any, *, by: Any, now: Any) -> None:
    """Leave a rehearsal that found something."""
    from annotation.models import Job
    from tasks.background import long_jobs

    asked = {"items": 20, "rates": {"wrong": 0.15, "late": 0.02, "abandoned": 0.03, "returned": 0.05}}
    job = long_jobs.ask(project, "rehearsal", subject="20", asked=asked, by=by, now=now)
    found = {
        "items": 20, "people": 7, "taken": 104, "careless": 14, "sent": 262, "cut": 27, "lost": 0, "refused": "",
        "courses": {"in_time": 95, "late": 2, "abandoned": 3, "returned": 4},
        "activities": [{"activity": "annotate", "done": 18, "disputed": 1, "open": 1}],
        "formats": [
            {"format": "nq", "why": "", "items": 20},
            {"format": "nq-simplified", "why": "A span no longer quotes the words of the page.", "items": None},
        ],
    }  # fmt: skip
    Job.objects.filter(pk=job.pk).update(state="done", finished_at=now, report=job.report | {"result": found})


def lead(camera: Camera) -> None:
    """The queues and settings of a project that is at work."""
    _queues(camera)
    _rehearsals(camera)
    _settings(camera)
    _texts_and_splits(camera)
    _webhooks(camera)


def each_kind(camera: Camera) -> None:
    """Each kind of page on which they are changed."""
    for name in ("queues", "settings"):
        camera.page.goto(f"/projects/lighthouse-keepers/{name}/")
        camera.take(name, whole=True)
    _texts_and_splits(camera)


def _queues(camera: Camera) -> None:
    page = camera.page
    page.goto("/projects/lighthouse-keepers/queues/")
    camera.take("queues", whole=True)
    page.get_by_role("button", name="Close…").click()
    camera.take("queues-close")
    keys(page).press("Escape")
    minutes = page.get_by_label("Work is kept for").first
    before = minutes.input_value()
    for value in (f"{before}5", f"{before}6"):
        minutes.fill(value)
        page.get_by_role("button", name="Change", exact=False).first.click()
        page.locator(".page-messages").wait_for()
        if value.endswith("5"):
            page.locator(".page-messages").get_by_role("button", name="Undo").click()
            page.get_by_text("earlier numbers again").wait_for()
    page.locator(".history summary").first.click()
    camera.take("queues-undone", whole=True)
    page.locator(".page-messages").get_by_role("button", name="Undo").click()


def _rehearsals(camera: Camera) -> None:
    page = camera.page
    page.goto("/projects/harbours/rehearsals/")
    camera.take("rehearse", whole=True)
    page.get_by_role("link", name="20 items").click()
    page.get_by_role("heading", name="Pieces of work").wait_for()
    camera.take("rehearsed", whole=True)
    page.goto("/projects/lighthouse-keepers/rehearsals/")
    page.get_by_label("Items").fill("0")
    page.get_by_role("button", name="Rehearse").click()
    page.locator("[aria-invalid]").first.wait_for()
    camera.take("rehearse-refused", whole=True)
    page.get_by_label("Items").fill("1")
    page.get_by_role("button", name="Rehearse").click()
    page.get_by_role("heading", name="Bots are rehearsing").wait_for()
    camera.take("rehearsing")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Nothing was rehearsed").wait_for()
    camera.take("rehearsal-stopped")


def _settings(camera: Camera) -> None:
    page = camera.page
    page.goto("/projects/lighthouse-keepers/settings/existing/")
    camera.take("existing-items-none")
    page.goto("/projects/lighthouse-keepers/settings/")
    people = page.get_by_label("People for each").first
    before = people.input_value()
    people.fill("7")
    page.get_by_role("button", name="Change the settings").click()
    page.wait_for_url("**/settings/existing/")
    camera.take("existing-items", whole=True)
    page.goto("/projects/lighthouse-keepers/settings/")
    camera.take("settings", whole=True)
    page.get_by_label("People for each").first.fill(f"{before}0000")
    page.get_by_role("button", name="Change the settings").click()
    page.locator("[aria-invalid]").first.wait_for()
    camera.take("settings-refused", whole=True)
    page.goto("/projects/lighthouse-keepers/settings/")
    page.get_by_role("button", name="Undo").first.click()
    page.goto("/projects/lighthouse-keepers/settings/guidelines/")
    text = page.get_by_label("Text")
    text.fill(text.input_value() + "\nAsk a lead.\n")
    page.get_by_role("radio", name="Editorial").check()
    page.get_by_role("button", name="Publish").click()
    page.locator(".page-messages").get_by_role("button", name="Undo").click()
    page.get_by_text("in force again, as a new version").wait_for()
    camera.take("settings-undone", whole=True)


def _texts_and_splits(camera: Camera) -> None:
    page = camera.page
    page.goto("/projects/lighthouse-keepers/settings/guidelines/")
    text = page.get_by_label("Text")
    text.fill(text.input_value().replace("question", "request", 1) + "\n## Doubts\n\nAsk a lead.\n")
    page.get_by_role("button", name="Preview").click()
    page.locator("ins").first.wait_for()
    camera.take("edit-guidelines", whole=True)
    page.goto("/projects/lighthouse-keepers/settings/consent/")
    camera.take("consent-text", whole=True)
    page.goto("/projects/lighthouse-keepers/settings/splits/")
    camera.take("splits", whole=True)
    page.get_by_label("Sizes").fill("dev: 50 %")
    page.get_by_label("Also if items that ask the same are parted").check()
    page.get_by_role("button", name="See what this would do").click()
    page.get_by_role("button", name="Divide like this").wait_for()
    camera.take("splits-plan", whole=True)
    page.get_by_label("Sizes").fill("dev: 99999")
    page.get_by_role("button", name="See what this would do").click()
    page.get_by_text("Nothing has been moved.").wait_for()
    camera.take("splits-refused", whole=True)


def maker(camera: Camera) -> None:
    """A new project, step by step: what a protocol is, a refused number, ready to make."""
    page = camera.page
    # By its own address: what was entered at another size is kept, and would be shown at its last step.
    page.goto("/projects/new/protocol/")
    camera.take("new-protocol", whole=True)
    page.goto("/projects/new/protocols/nq/")
    camera.take("protocol", whole=True)
    page.goto("/projects/new/protocol/")
    page.get_by_role("radio", name="Natural Questions").check()
    _next(camera)
    page.get_by_label("Title").fill("River gauges")
    camera.take("new-words", whole=True)
    _next(camera)
    camera.take("new-numbers", whole=True)
    page.get_by_label("Expected").first.fill("3000")
    page.locator("[name$=-test-share]").first.fill("30")
    _next(camera)
    page.locator("[aria-invalid]").first.wait_for()
    camera.take("new-numbers-refused", whole=True)
    page.locator("[name$=-test-share]").first.fill("")
    page.get_by_label("Pay").fill("17.50 EUR an hour")
    _next(camera)
    camera.take("new-check", whole=True)


def _next(camera: Camera) -> None:
    with camera.page.expect_navigation():
        camera.page.get_by_role("button", name="Next:").click()


def _webhooks(camera: Camera) -> None:
    page = camera.page
    here = "/projects/harbours/settings/webhooks/"
    page.goto(here)
    camera.take("webhooks", whole=True)
    page.get_by_label("Address", exact=True).fill("https://hooks.elsewhere.example/goldfinch")
    page.get_by_role("button", name="Add the webhook").click()
    page.locator("[aria-invalid]").wait_for()
    camera.take("webhooks-refused", whole=True)
    page.goto(here)
    page.get_by_role("link", name="https://hooks.lab.example/goldfinch").click()
    page.get_by_role("heading", name="Deliveries").wait_for()
    camera.take("webhook", whole=True)
    page.get_by_role("button", name="Remove…").click()
    camera.take("webhook-remove")
    keys(page).press("Escape")
    page.get_by_role("button", name="New secret…").click()
    page.get_by_role("button", name="Make it").click()
    page.get_by_label("Secret").wait_for()
    camera.take("webhook-secret")
