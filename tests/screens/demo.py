"""Pictures of the demo: signing in, home, the three stages of Natural Questions with their tools, the lead's pages."""

from __future__ import annotations

from tests.screens.camera import Camera, arrived, frame, press
from tests.waiting.settled import settled

LED = "a[href$='/projects/everyday-questions/'], a[href$='/projects/harbours/']"
"""Links to the board of the lead's project about pages, in the demo or in the states for the other pictures."""


def pages_for_everybody(camera: Camera) -> None:
    """Signing in, and a missing page."""
    for name, path in (("login", "/login/"), ("not-found", "/nothing/here/")):
        camera.page.goto(path)
        camera.take(name)


def strangers(camera: Camera) -> None:
    """Signing in, a refused sign-in, one too many, and a missing page."""
    page = camera.page
    page.goto("/login/")
    camera.take("login")
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    camera.take("login-refused")
    while not page.get_by_role("heading", name="Too many failed attempts").count():
        page.get_by_label("Password", exact=True).fill("wrong")
        with page.expect_navigation():
            page.get_by_role("button", name="Sign in").click()
    camera.take("login-wait")
    page.goto("/nothing/here/")
    camera.take("not-found")


def home_pages(camera: Camera) -> None:
    """Home, the consent text before and after accepting it, the guidelines that follow it, and home after that."""
    page = camera.page
    page.goto("/")
    camera.take("home", whole=True)
    consent = page.locator("a[href*='/consent/?to=annotate']").first.get_attribute("href")
    page.goto(consent)
    camera.take("consent")
    page.get_by_role("button", name="I agree").click()
    page.wait_for_url("**/guidelines/**")
    camera.take("guidelines-first")
    begin = page.url
    page.goto("/")
    camera.take("home-agreed", whole=True)
    page.get_by_text("Write to a lead").click()
    page.locator("a[href$='/messages/']").first.click()
    camera.take("messages-empty")
    page.goto(consent)
    camera.take("consent-given")
    page.goto(begin)


def question(camera: Camera) -> None:
    """Stage 1 with both verdicts, its keys, the skip dialog, the menu, and the guidelines in their panel and alone."""
    page = camera.page
    page.get_by_role("button", name="Begin").click()
    arrived(page, "question")
    camera.take("nq-1-question")
    press(page, "b", "2")
    camera.take("nq-1-bad")
    press(page, "?")
    camera.take("nq-1-keys")
    press(page, "Escape", "Alt+s")
    camera.take("nq-1-skip")
    press(page, "Escape", "Alt+r")
    camera.take("nq-1-report")
    press(page, "Escape")
    page.get_by_role("button", name="Menu").click()
    camera.take("nq-1-menu")
    press(page, "Escape", "Alt+g")
    page.locator("[data-section='question']").wait_for()
    camera.take("guidelines-panel")
    press(page, "Alt+g")
    guidelines = page.get_by_role("link", name="Guidelines").get_attribute("href")
    other = camera.another(guidelines.split("#")[0])
    camera.take("guidelines", page=other)
    other.close()
    press(page, "g", "Control+Enter")
    arrived(page, "long_answer")


def long_answer(camera: Camera) -> None:
    """Stage 2: as it opens, nothing chosen, no answer, search, outline; hover, focus and chosen box at once."""
    page = camera.page
    inside = frame(page)
    camera.take("nq-2-page")
    on_a_phone = page.locator(".grip").is_visible()
    press(page, "Control+Enter")
    if on_a_phone:
        press(page, "Control+Enter")  # the first one opens the sheet with the other answers
    page.get_by_role("alert").filter(has_text="Choose a box").wait_for(state="attached")
    camera.take("nq-2-nothing-chosen")
    if on_a_phone:
        press(page, "Escape")
    press(page, "n", "1")
    camera.take("nq-2-no-answer")
    press(page, "/")
    word = inside.locator("p[data-c]").nth(1).inner_text().split()[0]
    page.get_by_label("Find on this page").first.fill(word)
    page.get_by_text("1 of", exact=False).first.wait_for()
    camera.take("nq-2-find")
    page.get_by_label("Find on this page").first.press("Escape")
    boxes = inside.locator("li[data-c], p[data-c]")
    middle = boxes.nth(min(6, boxes.count() - 1))
    middle.scroll_into_view_if_needed()
    middle.click(position={"x": 20, "y": 8})
    page.locator(".marked").wait_for(state="attached")
    press(page, "j")
    middle.hover(position={"x": 60, "y": 8}, force=True)
    camera.take("nq-2-chosen", hover=True)
    if page.locator(".grip").is_visible():
        page.locator(".grip").click()
        camera.take("nq-2-sheet-open")
        page.locator(".grip").click()
        page.locator("[data-toggles=rail]").click()
        camera.take("nq-2-outline-open")
        page.locator("[data-toggles=rail]").click()
    press(page, "Control+Enter")
    arrived(page, "short_answer")


def short_answer(camera: Camera) -> None:
    """Stage 3: empty, with a span added and another being selected."""
    page = camera.page
    camera.take("nq-3-short")
    press(page, "s", "ArrowRight", " ", "ArrowRight", "Enter")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight")
    page.locator("[data-pending-bar]").wait_for()
    camera.take("nq-3-selecting")
    if page.locator(".grip").is_visible():
        page.locator(".grip").click()
        camera.take("nq-3-sheet-open")
        page.locator(".grip").click()
    press(page, "Escape", "Control+Enter")
    arrived(page, "question")


def afterwards(camera: Camera) -> None:
    """A skip that can be undone."""
    page = camera.page
    press(page, "Alt+s")
    page.get_by_label("Not my subject").check()
    page.get_by_role("button", name="Skip – next question").click()
    page.locator(".toast").wait_for()
    camera.take("skipped")


def lead_pages(camera: Camera) -> None:
    """The lead's project, its agreement, an item with annotations and one without."""
    page = camera.page
    page.goto("/")
    camera.take("home-lead", whole=True)
    page.locator(LED).first.click()
    page.locator("#queues").wait_for()
    camera.take("project", whole=True)
    project = page.url
    page.goto(f"{project}items/")
    camera.take("items", whole=True)
    rows = page.locator("#items tbody tr")
    answered = [int(text.split()[0]) for text in rows.locator("td:nth-child(4)").all_inner_texts()]
    addresses = [link.get_attribute("href") for link in rows.locator("a[href*='/items/']").all()]
    page.goto(addresses[answered.index(max(answered))])
    camera.take("item", whole=True)
    page.goto(f"{page.url.partition('?')[0]}history/")
    page.locator("details").first.click()
    camera.take("item-history", whole=True)
    page.goto(addresses[answered.index(max(answered))])
    _trial(camera)
    page.goto(addresses[answered.index(0)])
    camera.take("item-empty", whole=True)
    page.get_by_role("link", name="As annotators see it").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Long answer").click()
    settled(page)
    camera.take("item-as-seen")
    page.goto(f"{project}items/")
    for box in page.locator("[name=item]").all()[:3]:
        box.check()
    page.locator("[data-decide]").click()
    camera.take("items-decide")
    page.goto(f"{project}items/?q=narwhal")
    camera.take("items-no-match")
    page.goto(f"{project}people/")
    page.locator("#members tbody th a").first.click()
    page.locator("#messages").wait_for()
    camera.take("person", whole=True)
    page.get_by_role("button", name="End…").first.click()
    camera.take("person-end")
    page.goto(f"{project}agreement/")
    page.locator("#people").wait_for()
    camera.take("agreement", whole=True)
    page.goto(f"{project}people/")
    camera.take("people", whole=True)


ANNOTATOR = (home_pages, question, long_answer, short_answer, afterwards)


def _trial(camera: Camera) -> None:
    """A lead tries the question whose page is open, and finds it bad."""
    page = camera.page
    page.get_by_role("button", name="Try it").click()
    arrived(page, "question")
    camera.take("item-trial")
    press(page, "b", "1", "Control+Enter")
    page.get_by_role("button", name="Try it again").wait_for()
    camera.take("item-tried", whole=True)
