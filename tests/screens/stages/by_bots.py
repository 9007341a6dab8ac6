"""Screens modules of a protocol whose bots lead to each stage: `manage.py new_protocol` writes modules that call these.

Replace them, one by one, by visits that show your stages as people will see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from annotation.protocol import Activity, Protocol, Stage
from tests import signed_in
from tests.screens.answering import open_sheet
from tests.screens.camera import Camera, Visit
from tests.screens.stages.states import refused, restored, work
from tests.site import Site


def pictures_of(protocol: Protocol) -> dict[str, tuple[str, ...]]:
    """The pictures that `visits_of` takes, and what they show (tests/screens/catalogue.py)."""
    found: dict[str, tuple[str, ...]] = {}
    for activity, stage in stages_of(protocol):
        name, template = f"{protocol.key}-{stage.key}", f"{protocol.key}/{stage.key}.html"
        found[name] = (template,)
        found |= {
            f"{name}-{state}": (f"{template} {state}",)
            for state in ("refused", "restored", *seen_again(activity, stage))
        }
        found[f"{name}-item"] = ("project/item.html", f"{protocol.key}/{stage.key}_read.html")
        if len(activity.seats) > 1:
            found[f"{name}-waiting"] = (f"{protocol.key}/waiting.html",)
    return found


def seen_again(activity: Activity, stage: Stage) -> tuple[str, ...]:
    """How an answered stage is seen again: sealed, or open to be revised; the last one ends the work."""
    return ("sealed",) if stage.sealed else ("revised",) if stage is not activity.stages[-1] else ()


def visits_of(protocol: Protocol, size: str) -> Iterator[Visit]:
    """Each stage as it opens, refused, restored, and seen again; whoever waits meanwhile; and a lead who reads it."""
    for activity, stage in stages_of(protocol):
        name = f"{protocol.key}-{stage.key}"
        yield f"{name}-at-{size}", (lambda camera, name=name: _opened(camera, name),)
        for state in seen_again(activity, stage):
            yield f"{name}-after-{size}", (lambda camera, name=name, state=state: _seen_again(camera, name, state),)
        if len(activity.seats) > 1:
            yield f"{name}-other-at-{size}", (lambda camera, name=name: _waiting(camera, name),)
        yield "lotte", (lambda camera, name=name: _read(camera, name),)


def _opened(camera: Camera, name: str) -> None:
    page = camera.page
    step = _go_on(page)
    camera.take(name)
    refused(camera, step, name)
    choices = page.locator("form [data-choices] label")
    open_sheet(page)
    if choices.count():
        choices.last.click()
    else:
        page.locator("form[data-commit] textarea").first.fill("What else is there to say?")
    restored(camera, step, name)


def _seen_again(camera: Camera, name: str, state: str) -> None:
    page = camera.page
    _go_on(page)
    address, stage = work(page), name.split("-")[1]
    steps = [stage, *(f"{stage}-{turn}" for turn in range(1, 20))]
    page.goto(next(f"{address}{step}/" for step in steps if page.request.get(f"{address}{step}/").ok))
    camera.take(f"{name}-{state}")


def _waiting(camera: Camera, name: str) -> None:
    camera.page.locator("a[data-key=c]").click()
    camera.page.locator("#screen[data-waits][data-started]").wait_for()
    camera.take(f"{name}-waiting")


def _read(camera: Camera, name: str) -> None:
    page = camera.page
    page.goto(f"/projects/{name}-{camera.size}/items/".replace("_", "-"))
    page.locator("#items tbody tr").filter(has_text="of").locator("a[href*='/items/']").first.click()
    page.get_by_role("heading", level=1).wait_for()
    camera.take(f"{name}-item", whole=True)


def _go_on(page: Page) -> str:
    """Open the work that this person holds; its step."""
    page.locator("a[data-key=c]").click()
    page.locator("#screen[data-started]").wait_for()
    return str(page.locator("#screen").get_attribute("data-stage"))


def opened_by_bots(protocol: Protocol) -> dict[str, Callable[[Site, Page, str], None]]:
    """OPENED, for the keys of every stage."""
    return dict.fromkeys((stage.key for _activity, stage in stages_of(protocol)), _opener(protocol))


def _opener(protocol: Protocol) -> Callable[[Site, Page, str], None]:
    def opened(site: Site, page: Page, stage: str) -> None:
        name = f"keys-{protocol.key}-{stage}".replace("_", "-")
        module = "from tests.screens.stages import reaching"
        site.manage("shell", "-c", f"{module}; reaching.begin({protocol.key!r}, {stage!r}, {name!r})")
        signed_in.sign_in(site, page, name)
        page.goto("/")
        _go_on(page)

    return opened


def stages_of(protocol: Protocol) -> Iterator[tuple[Activity, Stage]]:
    """Each stage with its activity."""
    for activity in protocol.activities:
        for stage in activity.stages:
            yield activity, stage
