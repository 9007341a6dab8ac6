"""What `make run` costs, and how many bytes a work screen takes on the wire.

`make run` in an empty folder (with the demo; .venv exists) and again: seconds until the sign-in page responds, and MB
held by the server after 10 s without a request. A question about a page of about 110 KB, in Chromium with an empty
cache: bytes received for the first screen with all its assets, for the stage with the page, and for both of the next
question; the page itself is counted separately.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Request, sync_playwright

from tests.bench.files import page as article
from tests.bench.yardstick import beside_yardstick
from tests.chromium import launch_options
from tests.ports import reserved_port
from tests.site import CHECKOUT, Site


def measure_all() -> dict[str, object]:
    """Both measurements."""
    with tempfile.TemporaryDirectory() as folder:
        started = {name: beside_yardstick(partial(_made_run, Path(folder))) for name in ("first start", "warm start")}
    with tempfile.TemporaryDirectory() as folder:
        return {"make run": started, "bytes": _weighed(Path(folder))}


def _made_run(data: Path) -> dict[str, float]:
    port = reserved_port()
    environment = {**os.environ, "GOLDFINCH_DATA": str(data), "DJANGO_SETTINGS_MODULE": "frontend.settings"}
    begun = time.monotonic()
    made = subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not _answers(port):
            time.sleep(0.02)
        took = time.monotonic() - begun
        time.sleep(10)
        return {"seconds": round(took, 2), "idle_mb": _held(made.pid)}
    finally:
        os.killpg(made.pid, signal.SIGTERM)
        made.wait(30)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/login/", timeout=5) as response:
            return response.status == 200
    except OSError:
        return False


def _held(group: int) -> int:
    """Resident memory of all processes of the group, in MB."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if os.getpgid(int(status.parent.name)) == group:
                lines = status.read_text().splitlines()
                found += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        except OSError:
            continue
    return found // 1024


def _weighed(folder: Path) -> dict[str, int]:
    site = Site(folder).prepare()
    (folder / "page.html").write_text(article(1), encoding="utf-8")
    line = {"document_file": "page.html", "split": "train"}
    lines = [line | {"question_text": f"who kept light {number}"} for number in range(2)]
    site.manage("create_project", "weight", "--protocol", "nq")
    password = site.manage("add_member", "weight", "alice", "--role", "annotator").split()[-1]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    site.manage("import_items", "weight", str(folder / "items.jsonl"))
    site.manage("open_queue", "weight")
    site.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_options())
            address = _claimed(browser.new_page(), site, password)
            fresh = browser.new_context(storage_state=address[1])
            found = _stages(fresh.new_page(), address[0])
            browser.close()
            return found
    finally:
        site.stop()


def _claimed(page: Page, site: Site, password: str) -> tuple[str, Any]:
    """The URL of a work screen, and a session that may open it."""
    page.goto(f"{site.url}/login/")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", password)
    page.click("button[type=submit]")
    page.goto(f"{site.url}/projects/weight/consent/")
    page.locator("main form button").first.click()
    page.goto(site.url)
    page.locator("main form button").first.click()
    page.locator("#screen[data-started]").wait_for()
    return page.url, page.context.storage_state()


def _stages(page: Page, address: str) -> dict[str, int]:
    """Bytes on the wire until each stage is loaded; the material is in a process of its own and counted separately."""
    received = {"screen": 0, "material": 0}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")

    def finished(told: dict[str, Any]) -> None:
        received["screen"] += int(told["encodedDataLength"])

    def fetched(request: Request) -> None:
        if "/page/" in request.url:
            sizes = request.sizes()
            received["material"] += sizes["responseBodySize"] + sizes["responseHeadersSize"]

    network.on("Network.loadingFinished", finished)
    page.on("requestfinished", fetched)

    def weigh() -> int:
        page.wait_for_timeout(1000)  # networkidle never comes after a frame was removed
        found, received["screen"] = received["screen"], 0
        return found

    def open_page() -> None:
        page.keyboard.press("g")
        page.keyboard.press("Control+Enter")
        page.frame_locator("iframe").locator("#page[data-ready]").wait_for()

    page.goto(address, wait_until="networkidle")
    found = {"first_screen": weigh()}
    open_page()
    found |= {"first_page_stage": weigh(), "material": received["material"]}
    page.keyboard.press("n")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    found["next_question"] = weigh()
    open_page()
    return found | {"next_page_stage": weigh()}
