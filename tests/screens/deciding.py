"""Pictures of what a decision about all items of a list has done."""

from __future__ import annotations

from typing import Any

from tests.screens.camera import Camera


def decided(project: Any, *, by: Any, now: Any) -> None:
    """Leave a decision about all items, for most of which there was nothing to do."""
    from frontend.leads.items import bulk_job
    from frontend.leads.items.bulk_decisions import BulkDecision
    from frontend.leads.items.filters import Filter
    from tasks.background import long_jobs

    decision = BulkDecision("restore", person="", reason="They were right after all", count=0)
    long_jobs.run(bulk_job.ask(project, Filter(), decision, by=by, now=now).pk)


def lead(camera: Camera) -> None:
    """What was done, from the list of items."""
    page = camera.page
    page.goto("/projects/harbours/items/")
    page.get_by_role("link", name="See what was done, or undo it").click()
    page.locator("#outcome").wait_for()
    camera.take("items-decided", whole=True)
