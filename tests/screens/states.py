"""Pictures of the states that the demo does not show: a lead's decisions, lines about time, no work left."""

from __future__ import annotations

from tests.screens.answering import begin, choose, good, open_sheet
from tests.screens.camera import SIZES, Camera, arrived, crash, frame, post, press, saved
from tests.screens.courses import courses
from tests.screens.refusals import drafts_and_refusals

EXPIRED = {size: f"00000000-0000-4000-8000-00000000000{number}" for number, size in enumerate(SIZES)}
"""Work whose lease has expired, by size."""
AWAY = {
    (size, name): f"00000000-0000-4000-8000-0000000000{place}{number}"
    for number, size in enumerate(SIZES)
    for place, name in enumerate(("taken-out", "place-taken"), start=1)
}
"""Work that was taken from its holder, by size and picture."""

NOT_SHOWN = {size: f"00000000-0000-4000-8000-00000000003{number}" for number, size in enumerate(SIZES)}
"""Work on a published page that is too long to be shown, by size."""


def newcomer(camera: Camera) -> None:
    """Home of somebody whom no project has invited."""
    camera.take("home-empty")
    camera.page.goto("/finished/")
    camera.take("finished-empty")


def lead(camera: Camera) -> None:
    """An empty project, and the lead who wants to work in it."""
    page = camera.page
    page.goto("/projects/winter-birds/")
    camera.take("project-empty", whole=True)
    page.goto("/projects/winter-birds/items/")
    camera.take("items-empty")
    page.goto("/projects/winter-birds/agreement/")
    camera.take("agreement-empty")
    page.goto("/projects/winter-birds/reports/")
    camera.take("reports-empty")
    page.goto("/projects/winter-birds/people/invite/")
    camera.take("nothing-here")
    page.goto("/projects/winter-birds/reports/")
    post(page, "/projects/harbours/annotate/next/")
    camera.take("none-left-lead")
    page.goto("/projects/reefs/qualifications/")
    camera.take("qualifications", whole=True)
    page.get_by_role("link", name="Reading tables", exact=True).click()
    page.locator("#grants").wait_for()
    camera.take("qualification", whole=True)
    page.get_by_role("button", name="Suspend…").first.click()
    camera.take("qualification-suspend")
    courses(camera)
    page.goto("/projects/harbours/")
    camera.take("project-reported", whole=True)
    page.goto("/projects/harbours/reports/")
    camera.take("reports", whole=True)
    page.locator("#reported a").first.click()
    page.locator("#reports").wait_for()
    camera.take("item-reported", whole=True)
    page.goto("/projects/piers/items/")
    page.locator("#items tbody a").click()
    page.get_by_text("Disputed").wait_for()
    camera.take("item-disputed", whole=True)


def deciding(camera: Camera) -> None:
    """An item with answers: the dialogs, an annotation excluded and included again, and a missing reason."""
    page = camera.page
    page.goto("/projects/lighthouse-keepers/items/")
    page.locator("#items tbody tr", has_text="3 of").locator("a").first.click()
    _decide(camera, "Exclude…", "Copied from another annotator, word for word.", picture="item-exclude")
    _decide(camera, "Include again…", "They had found the same sentence by themselves.")
    _decide(camera, "Exclude all…", "The page was a stub when these were written.")
    _decide(camera, "Include again…", "This one looked at the whole page.")
    _decide(camera, "Send back…", "Is the second sentence needed?", picture="item-reopen")
    camera.take("item-excluded", whole=True)
    _decide(camera, "Take back…", "It was the answer beside it.", picture="item-not-reopened")
    page.get_by_role("button", name="Include again…").first.click()
    page.evaluate("document.querySelector('.decision:popover-open form').noValidate = true")
    page.locator(".decision:popover-open button[type=submit]").click()
    page.get_by_role("heading", name="Say why").wait_for()
    camera.take("refused-reason")
    page.get_by_role("link", name="Back to the question").click()
    _decide(camera, "Withdraw…", "The page is about another light.", picture="item-take-out")
    camera.take("item-taken-out", whole=True)


def _decide(camera: Camera, label: str, reason: str, *, picture: str = "") -> None:
    page = camera.page
    page.get_by_role("button", name=label, exact=True).first.click()
    dialog = page.locator(".decision:popover-open")
    dialog.get_by_label("Reason").fill(reason)
    if picture:
        camera.take(picture)
    dialog.locator("button[type=submit]").click()
    page.get_by_role("status").wait_for()


def nothing_left(camera: Camera) -> None:
    """Each reason."""
    reasons = {"wells": "done", "ferries": "yours", "bridges": "others", "canals": "alike", "mills": "closed"}
    reasons["reefs"] = "unqualified"
    for slug, name in reasons.items():
        camera.page.goto("/")
        post(camera.page, f"/projects/{slug}/annotate/next/")
        camera.take(f"none-left-{name}")


def other_pages(camera: Camera) -> None:
    """The right-to-left page and the very long one: a box chosen in each, and words marked in it."""
    page = camera.page
    arabic = ("date-palms", "right-to-left", "p[data-c]", "ArrowLeft")
    long = ("skerrow", "very-long", "tr[data-c]", "ArrowRight")
    for slug, kind, box, forward in (arabic, long):
        begin(page, slug)
        good(page)
        boxes = frame(page).locator(box)
        chosen = boxes.nth(min(120, boxes.count() // 3))
        chosen.scroll_into_view_if_needed()
        chosen.click(position={"x": 30, "y": 10})
        page.locator(".marked").wait_for(state="attached")
        camera.take(f"nq-2-{kind}")
        press(page, "Control+Enter")
        arrived(page, "short_answer")
        press(page, "s", forward, f"Shift+{forward}", "Enter", forward, forward, f"Shift+{forward}")
        page.locator("[data-pending-bar]").wait_for()
        camera.take(f"nq-3-{kind}")


def page_with_images(camera: Camera) -> None:
    """A page imported with an image: shown beside its text, with the alt text in the box of another."""
    page = camera.page
    begin(page, "lenses")
    good(page)
    image = frame(page).locator("img")
    image.scroll_into_view_if_needed()
    image.evaluate("image => image.decode()")
    camera.take("nq-2-images")
    frame(page).locator("table[data-c]").first.click(position={"x": 60, "y": 8})
    page.locator(".marked").wait_for(state="attached")
    press(page, "Control+Enter")
    arrived(page, "short_answer")
    camera.take("nq-3-images")
    press(page, "s")
    frame(page).locator("#material[data-selecting]").wait_for()
    press(page, "PageDown", "PageDown", "PageDown", "PageDown", " ", "ArrowRight", "Enter")
    page.locator("[data-spans] q").wait_for(state="attached")
    press(page, "Escape")
    open_sheet(page)
    page.locator("[data-advice=row]").wait_for()
    camera.take("nq-3-advice")


def several_places(camera: Camera) -> None:
    """A pasted quote that occurs in the box more than once."""
    page = camera.page
    begin(page, "harbours")
    good(page)
    choose(page, "Anna Berg came from Bergen")
    press(page, "h")
    page.locator("[data-focus-crumbs] li").nth(1).wait_for(state="attached")
    press(page, "Enter", "Control+Enter")
    arrived(page, "short_answer")
    open_sheet(page)
    page.locator("[data-quote]").fill("came from")
    page.locator("[data-find-quote]").click()
    page.locator("[data-matches] button").first.wait_for()
    camera.take("nq-3-offered")
    page.locator("[data-matches] button").first.click()
    press(page, "Control+Enter")
    arrived(page, "question")


def ended_elsewhere(camera: Camera) -> None:
    """Work that was returned from another tab, and an offline answer that another tab was ahead of."""
    page = camera.page
    begin(page, "harbours")
    press(page, "b")
    saved(page)
    other = camera.another(page.url)
    arrived(other, "question")
    held = other.url
    other.get_by_role("button", name="Stop for now").click()
    other.wait_for_url(lambda url: url != held)
    other.close()
    press(page, "2", "3")
    page.locator("[data-notice=closed]").wait_for()
    camera.take("given-back-elsewhere")
    begin(page, "harbours")
    address = page.url
    page.context.set_offline(True)
    press(page, "b", "4", "Control+Enter")
    page.locator("[data-notice=sending]").wait_for()
    crash(page)
    camera.context.set_offline(False)
    device = camera.device()
    device.goto(address)
    arrived(device, "question")
    press(device, "b", "1", "Control+Enter")
    device.wait_for_url(lambda url: url != address)
    device.context.close()
    camera.page = page = camera.another("/")
    page.get_by_role("button", name="Show it").click()
    page.locator("dialog#kept .version").first.wait_for()
    camera.take("kept-here")
    page.locator("dialog#kept").get_by_role("button", name="Dismiss").click()


def leaving(camera: Camera) -> None:
    """Four skips in a row, and a report."""
    page = camera.page
    begin(page, "harbours")
    for number in range(4):
        before = page.url
        press(page, "Alt+s")
        page.get_by_label("Not my subject").check()
        page.get_by_role("button", name="Skip – next question").click()
        page.wait_for_url(lambda url, before=before: url != before)
        arrived(page, "question")
        if number == 3:
            camera.take("skipped-many")
    page.get_by_role("textbox", name="Is something wrong with them?").fill("They are all about harbours I do not know.")
    page.get_by_role("button", name="Tell the lead").click()
    page.get_by_text("A lead reads this").wait_for()
    press(page, "Alt+r")
    page.get_by_label("Shows personal data").check()
    page.get_by_role("button", name="Report – next one").click()
    page.locator(".toast", has_text="Reported").wait_for()
    camera.take("reported")


def reopened(camera: Camera) -> None:
    """Finished work that a lead has re-opened: at home, and on its page."""
    camera.take("home-reopened", whole=True)
    camera.page.locator("a[data-key=c]").click()
    arrived(camera.page, "long_answer")
    camera.take("reopened")


def taken_away(camera: Camera) -> None:
    """Work that was taken from its holder: at home after signing in, which says it once, and on its pages."""
    camera.take("home-taken", whole=True)
    for name in ("place-taken", "taken-out"):
        camera.page.goto(f"/work/{AWAY[camera.size, name]}/")
        camera.take(name)


def page_not_shown(camera: Camera) -> None:
    """The second stage of an item whose published page is over the limits."""
    camera.page.goto(f"/work/{NOT_SHOWN[camera.size]}/long_answer/")
    camera.take("page-not-shown")


def lines_about_time(camera: Camera) -> None:
    """Lease expired, signed out, two minutes before the end and after it, offline."""
    page = camera.page
    page.goto(f"/work/{EXPIRED[camera.size]}/")
    camera.take("expired", whole=True)
    begin(page, "harbours")
    good(page)
    choose(page, "Anna Berg came from Bergen")
    cookies = page.context.cookies()
    page.context.clear_cookies(name="goldfinch_session")
    press(page, "Control+Enter")
    page.locator("[data-notice=session]").wait_for()
    camera.take("signed-out")
    press(page, "Escape")
    page.context.add_cookies(cookies)
    page.clock.install()
    page.reload()
    arrived(page, "long_answer")
    page.clock.fast_forward("18:30")
    page.locator("[data-notice=lease]").wait_for()
    camera.take("time-ending")
    page.clock.fast_forward("02:00")
    page.locator("[data-notice=lease]", has_text="ended").wait_for()
    camera.take("time-ended")
    page.reload()
    arrived(page, "long_answer")
    page.route("**/renew/", lambda route: route.abort())
    page.clock.fast_forward("01:05")
    page.locator("[data-notice=connection]").wait_for()
    camera.take("not-connected")


WORKER = (
    nothing_left,
    drafts_and_refusals,
    several_places,
    ended_elsewhere,
    leaving,
    other_pages,
    page_with_images,
    lines_about_time,
)
