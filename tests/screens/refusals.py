"""Pictures of restored drafts and of refusals: sent with errors, from an older page, twice."""

from __future__ import annotations

from playwright.sync_api import Page

from annotation import randomness
from tests.screens.answering import begin, choose, good
from tests.screens.camera import Camera, arrived, post, press, saved, send_unchecked

BAD = {"verdict": "bad", "reasons": "opinion"}


def drafts_and_refusals(camera: Camera) -> None:
    """One question through its stages: sent with errors, restored, in two tabs, revised, sealed, sent twice."""
    page = camera.page
    begin(page, "harbours")
    kept = page.url
    page.goto("/")
    camera.take("home-kept", whole=True)
    page.goto(kept)  # what they have held for longer, if its lease has not ended yet, stands first
    arrived(page, "question")
    send_unchecked(page)
    camera.take("nq-1-refused")
    press(page, "b", "3")
    _restored(camera, "question", "nq-1-restored")
    _two_devices(camera)
    _two_tabs(camera)
    good(page)
    late = {"client": page.locator("[name=client]").input_value(), "seen": "0"}
    other = camera.another("/")
    post(other, _stage(page, "question"), late | _new_key() | BAD)
    _refused(camera, other, "refused-sealed")
    send_unchecked(page)
    camera.take("nq-2-refused")
    choose(page, "Anna Berg came from Bergen")
    _restored(camera, "long_answer", "nq-2-restored")
    late["client"] = page.locator("[name=client]").input_value()
    press(page, "Control+Enter")
    arrived(page, "short_answer")
    other = camera.another("/")
    post(other, _stage(page, "long_answer"), late | _new_key() | {"kind": "none", "reason": "page"})
    _refused(camera, other, "refused-stale")
    _last_stage(camera)


def _two_devices(camera: Camera) -> None:
    """Unsaved input beside what another page has saved since; the work continues with the other version."""
    page = camera.page
    other = camera.another(page.url)
    arrived(other, "question")
    page.route("**/draft/", lambda route: route.abort())
    press(page, "4")
    page.locator("[data-saved]", has_text="Not saved").wait_for(state="attached")
    press(other, "2")
    saved(other)
    page.reload()
    dialog = page.locator("dialog#kept")
    dialog.wait_for()
    camera.take("two-devices")
    dialog.get_by_role("button", name="Go on with the other version").click()
    page.unroute("**/draft/")
    other.close()


def _two_tabs(camera: Camera) -> None:
    """The older tab when it saves, and when it submits without its script; then the work is taken back."""
    page = camera.page
    other = camera.another(page.url)
    arrived(other, "question")
    press(other, "b", "2")
    saved(other)
    press(page, "4")
    page.locator("dialog#overtaken").wait_for()
    camera.take("two-tabs")
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    saved(page)
    fields = {name: other.locator(f"form[data-commit] [name={name}]").input_value() for name in ("client", "seen")}
    other.goto("/")
    post(other, _stage(page, "question"), fields | _new_key() | BAD)
    _refused(camera, other, "refused-overtaken")


def _new_key() -> dict[str, str]:
    return {"submission_key": str(randomness.handle())}


def _last_stage(camera: Camera) -> None:
    page = camera.page
    page.locator("[name=kind][value=spans]").evaluate("radio => radio.click()")
    send_unchecked(page)
    camera.take("nq-3-refused")
    for stage, name in (("long_answer", "nq-2-revised"), ("question", "nq-1-sealed")):
        page.goto(_stage(page, stage))
        page.locator("#screen[data-started]").wait_for()
        arrived(page, stage)
        camera.take(name)
    page.goto(_stage(page, "short_answer"))
    arrived(page, "short_answer")
    press(page, "s", "ArrowRight", "Shift+ArrowRight", "Enter", "Escape")
    page.locator("[data-spans] li").wait_for(state="attached")
    _restored(camera, "short_answer", "nq-3-restored")
    address, names = _stage(page, "short_answer"), ("submission_key", "seen", "client")
    sent = {name: page.locator(f"form[data-commit] [name={name}]").input_value() for name in names}
    press(page, "Control+Enter")
    arrived(page, "question")
    post(page, address, sent | {"kind": "yes"})
    camera.take("refused-key")
    sealed = address.replace("short_answer", "question")
    for stage, said, name in ((address, {"kind": "yes"}, "answered-twice"), (sealed, BAD, "refused-closed")):
        page.goto("/")
        post(page, stage, sent | said | _new_key())
        camera.take(name)


def _stage(page: Page, stage: str) -> str:
    return page.url.split("/work/")[0] + "/work/" + page.url.split("/work/")[1].split("/")[0] + f"/{stage}/"


def _restored(camera: Camera, stage: str, name: str) -> None:
    """Wait until the draft is saved, reload the page and take its picture."""
    saved(camera.page)
    camera.page.goto(_stage(camera.page, stage))
    arrived(camera.page, stage)
    camera.page.locator("[data-saved]", has_text="Restored").wait_for(state="attached")
    camera.take(name)


def _refused(camera: Camera, page: Page, name: str) -> None:
    """Photograph the refusal in a second tab, and close it."""
    page.locator(".version").first.wait_for()
    camera.take(name, page=page)
    page.close()
