"""Opens pages in the frame of a work page in Chromium and reports what escaped from them."""

from __future__ import annotations

import re
import signal
import socketserver
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Frame, Page, Request
from playwright.sync_api import Error as BrowserError

from tests.waiting.settled import ready

PATIENCE = 3000
"""Milliseconds to wait for a frame that may be gone."""
AT_ONCE = 50
"""Frames shown on one work page at a time."""
RAN = re.compile(r"/ran(\d+)\./")
ASKED = re.compile(r"/(\d+)(/|$)")
"""The prefix of paths on the foreign server: the number of the payload that requested it."""
BARE = """<!doctype html><iframe data-frame srcdoc="<p id=page>" sandbox="allow-scripts allow-same-origin allow-forms
    allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads"></iframe>"""
"""A page around the frames without any policy, for the control: they may do anything but replace it (reported)."""
TAKES_AWAY = "Unsafe attempt to initiate navigation"
"""How the browser's message begins when a frame tried to navigate the page around it."""
AIMS = ("/", "/logout/")
"""URLs of the site itself that payloads want."""
HTMX = "/static/django_htmx/"
"""What the wrong builds also load in the frame."""

OPEN = """([urls, sandboxed]) => {
    const real = document.querySelector("iframe[data-frame]"), wall = document.createElement("div");
    for (const old of document.querySelectorAll("[data-wall]")) old.remove();
    wall.dataset.wall = "";
    for (const [name, value] of Object.entries({ position: "fixed", inset: 0, zIndex: 99, display: "grid",
        gridTemplateColumns: "repeat(10, 1fr)" })) wall.style[name] = value;
    let latest = performance.now();
    const idle = done => {
        const left = latest + 10000 - performance.now();
        if (left > 0) setTimeout(idle, left, done); else done();
    };
    const loaded = urls.map(url => {
        const frame = document.createElement("iframe");
        for (const name of real.getAttributeNames()) {
            if (name === "sandbox" || name === "allow" || name === "referrerpolicy")
                frame.setAttribute(name, real.getAttribute(name));
        }
        if (!sandboxed) frame.removeAttribute("sandbox");
        frame.src = url;
        wall.append(frame);
        return new Promise(done => frame.addEventListener("load", () => { latest = performance.now(); done(); }));
    });
    document.body.append(wall);
    return Promise.race([Promise.all(loaded), new Promise(idle)]).then(() => true);
}"""
"""Show the frames with these URLs beside the work page's own, with its attributes. A payload may keep its frame from
loading: none is waited for when none has loaded for ten seconds."""
POKE = """() => {
    const material = document.getElementById("material") ?? document.body;
    const all = [...material.querySelectorAll("*")];
    const turn = () => new Promise(done => setTimeout(done, 20));
    const touch = async () => {
        for (const element of all) {
            for (const type of "mouseover pointerenter focus input scroll animationstart beforematch".split(" "))
                element.dispatchEvent(new Event(type, { bubbles: true }));
            element.focus?.();
            element.scrollTop = 5;
        }
        await turn();
        for (const element of all) {
            element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
            element.showPopover?.call && element.popover && element.showPopover();
        }
        await turn();
        for (const form of document.forms)
            form.requestSubmit([...form.elements].find(each => each.matches("button, [type=submit]")));
        await turn();
    };
    globalThis.touched = touch();
}"""
"""Start doing in a frame what a curious reader would: touch everything, focus it, click it, send it."""
TOUCHED = "() => globalThis.touched"


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Bound anything that waits inside: a page that keeps the browser busy defeats every other timeout."""

    def give_up(*signal_and_frame: object) -> None:
        raise TimeoutError(f"the browser has not answered for {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Evil:
    """A foreign server on this machine: whatever arrives there has escaped from the frame."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Listening(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            do_POST = do_GET  # noqa: N815 (the names that http.server looks for)

            def log_message(self, *args: object) -> None:
                pass

        self.server: socketserver.BaseServer = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@dataclass
class Seen:
    """What came of the payloads: the numbers of those that ran, and other forbidden effects."""

    ran: set[int] = field(default_factory=set)
    requests: list[str] = field(default_factory=list)
    htmx: list[str] = field(default_factory=list)
    escapes: list[str] = field(default_factory=list)
    frames: int = 0
    live: set[int] = field(default_factory=set)
    """Those that ran, requested what they wanted, or tried to navigate the page around them."""

    def hear(self, text: str, handles: Sequence[str]) -> None:
        """Only a script prints this; the browser's messages merely quote it."""
        if found := RAN.fullmatch(text):
            self.ran.add(int(found[1]))
            self.live.add(int(found[1]))
        elif text.startswith(TAKES_AWAY):
            self.live |= {number for number, handle in enumerate(handles) if handle in text}

    def note(self, request: Request, handles: Sequence[str]) -> None:
        """Note which payload it comes from, if it requests one of the site's URLs that payloads want."""
        if urlsplit(request.url).path not in AIMS:
            return
        with suppress(BrowserError):  # a request of a new page has no frame yet
            frame: Frame | None = request.frame
            while frame is not None:
                self.live |= {number for number, handle in enumerate(handles) if handle in frame.url}
                frame = frame.parent_frame

    def note_requests(self, asked: Sequence[str]) -> None:
        """Add the requests to the foreign server."""
        self.requests += asked
        self.live |= {int(found[1]) for path in asked if (found := ASKED.match(path))}


def watch(browser: Browser, url: str, furnished: dict, *, sandboxed: bool, bare: bool = False) -> Seen:
    """Open each payload's frame inside a real work page (or a bare one), touch everything in it; return what happened.

    `furnished` is the output of `furnishing`: the last handle is that of the harmless page around them.
    """
    seen, (*handles, harmless) = Seen(), furnished["handles"]
    own = {f"{url}/page/{handle}/long_answer/" for handle in handles}
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    stage = f"{url}/work/{harmless}/long_answer/"
    its_own = {f"{stage}draft/", f"{url}/work/{harmless}/take/"}  # the work page keeps its person's input
    context.add_cookies([{"name": furnished["name"], "value": furnished["cookie"], "url": url}])
    asked = []

    def note(request) -> None:
        asked.append(request)
        seen.note(request, handles)

    if bare:
        context.route(f"{url}/work/{harmless}/", lambda route: route.fulfill(body=BARE, content_type="text/html"))
    context.on("console", lambda said: seen.hear(said.text, handles))
    context.on("dialog", lambda dialog: (seen.escapes.append(f"dialog {dialog.message}"), dialog.dismiss()))
    for first in range(0, len(handles), AT_ONCE):
        page = context.new_page()
        page.goto(f"{url}/work/{harmless}/")
        page.frame_locator("iframe[data-frame]").locator("#page").wait_for(state="attached")
        if not bare:
            ready(page)  # its own scripts are all here, so that what is requested from now on is a payload's
        here = page.url
        context.on("request", note)
        page.on("popup", lambda other: seen.escapes.append(f"popup {other.url}"))
        page.on("download", lambda file: seen.escapes.append(f"download {file.url}"))
        frames = _opened(page, handles[first : first + AT_ONCE], sandboxed=sandboxed)
        for script in (POKE, TOUCHED):
            for frame in frames:
                _run(frame, script)
        if page.url != here:
            seen.escapes.append(f"the work page went to {page.url}")
        context.remove_listener("request", note)
        for extra in context.pages:
            extra.close()
    for request in asked:
        if request.url in own:
            seen.frames += 1
        elif (
            request.url.startswith(url)
            and request.url not in its_own
            and not (HTMX in request.url or _blocked(request))
        ):
            told = seen.htmx if request.headers.get("hx-request") else seen.requests
            told.append(f"{request.method} {request.url}")
    context.close()
    return seen


def _blocked(request) -> bool:
    """Whether the browser refused to send it."""
    return "csp" in (request.failure or "").lower() or "BLOCKED" in (request.failure or "")


def _opened(page: Page, handles: list[str], *, sandboxed: bool) -> list[Frame]:
    """The loaded frames of these assignments; none if a payload replaced the whole page."""
    try:
        page.evaluate(OPEN, [[f"/page/{handle}/long_answer/" for handle in handles], sandboxed])
        around = page.locator("iframe[data-frame]").element_handle(timeout=PATIENCE).content_frame()
        return [frame for frame in page.frames if frame.parent_frame == page.main_frame and frame != around]
    except BrowserError:
        return []


def _run(frame: Frame, script: str) -> None:
    with suppress(BrowserError):  # it has navigated away: its requests on the way have been seen
        frame.evaluate(script)
