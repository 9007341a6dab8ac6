"""A site below a path of a host that serves other things, behind nginx as deploy/nginx-below-a-path.conf sets it up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.coqa.listening import HERE, Listening
from tests.builders import questions, write_lines
from tests.forking import ForkedSite
from tests.frontend.server.nginx_rig import CONFIGURATION, Nginx, skip_without_nginx
from tests.site import Site
from tests.waiting.settled import keys, ready

BELOW = CONFIGURATION.with_name("nginx-below-a-path.conf")
ADDRESS = re.compile(r'\s(href|src|action|hx-get|hx-post|data-[a-z-]*url)="([^"#]+)')
FOLLOWED = ("href", "src")
ELSEWHERE = re.compile(r"mailto:|data:|https?://(?!127\.0\.0\.1)")
NUMBERS = re.compile(r"[0-9a-f]{8}-[-0-9a-f]{27}|\d+")
"""Addresses that differ only in these are of one route, which is asked once."""
MOST = 150
LOBBY = """
from tests.protocols.toy.building import toy_project
toy_project("talks")
"""


def passes_on(text: str) -> str:
    """The configuration as it is."""
    return text


def takes_off(text: str) -> str:
    """A proxy that takes the prefix off itself."""
    sockets, pages = "location /goldfinch/ws/ {", "location /goldfinch/ {"
    first, second = text.index(pages), text.index(sockets)
    middle = text[first:second].replace("//goldfinch;", "//goldfinch/;")
    return text[:first] + middle + text[second:].replace("//goldfinch;", "//goldfinch/ws/;", 1)


def sharing(way, text: str, port: int) -> str:
    """The head of nginx.conf, and a server that includes the snippet and serves something else at its root."""
    # The port of a test is not that of HTTP, so the host is named with it.
    snippet = way(BELOW.read_text(encoding="utf-8")).replace("$host", "$http_host")
    head = text.split("\nserver {")[0]
    return f"{head}\nserver {{ listen {port}; location / {{ return 404; }}\n{snippet}}}"


@pytest.fixture(scope="module")
def made(tmp_path_factory, site: ForkedSite) -> Iterator[tuple[Site, dict[str, str]]]:
    """A site with PATH_PREFIX, its questions and a lobby, and the password of its people."""
    folder = tmp_path_factory.mktemp("below")
    below = ForkedSite(folder, PATH_PREFIX="/goldfinch/", GOLDFINCH_PROTOCOLS="tests.protocols.toy")
    below.forked_by = site.fork_server
    below.prepare()
    below.manage("create_project", "lights", "--protocol", "nq", "--title", "Harbour lights")
    below.manage("import_items", "lights", str(write_lines(folder / "lights.jsonl", questions(3))))
    below.manage("open_queue", "lights")
    below.manage("shell", "-c", LOBBY)
    members = ("lights", "alice", "annotator"), ("lights", "lena", "lead"), ("talks", "tom", "annotator")
    passwords = {
        name: below.manage("add_member", slug, name, "--role", role).split()[-1] for slug, name, role in members
    }
    yield below.start(), passwords
    below.close()


AGAIN = pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_path_prefix.py"
    "::test_people_sign_in_answer_about_a_framed_page_and_open_a_socket"
)
each_merge_as_it_is = pytest.mark.parametrize("below", [passes_on, pytest.param(takes_off, marks=AGAIN)], indirect=True)
"""For each merge, work and its socket go through either proxy; the rest through the one of deploy/ as it is."""


@pytest.fixture(params=[passes_on, takes_off])
def below(request, made, tmp_path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of the site behind the proxy, and everybody's password."""
    skip_without_nginx()
    site, people = made
    behind = SimpleNamespace(port=urlsplit(site.url).port)
    front = Nginx(behind, tmp_path, server=partial(sharing, request.param))
    yield f"http://127.0.0.1:{front.port}/goldfinch", people
    front.stop()


def sign_in(page: Page, url: str, name: str, password: str) -> None:
    page.goto(f"{url}/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", password)
    page.click("button[type=submit]")
    page.wait_for_url(f"{url}/")


def test_the_server_says_the_address_with_its_path(made):
    assert made[0].url.endswith("/goldfinch")


def test_people_sign_in_answer_about_a_framed_page_and_open_a_socket(below, page):
    url, people = below
    sign_in(page, url, "alice", people["alice"])
    page.locator("[data-key='c'], [data-key='1']").first.click()
    if page.url.startswith(f"{url}/projects/lights/consent/"):
        page.locator("main form button").first.click()
        page.wait_for_url("**/guidelines/**")
        page.get_by_role("button", name="Begin").click()
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    ready(page)
    keys(page).press("g", "Control+Enter")
    page.locator("#screen[data-stage='long_answer'][data-started]").wait_for()
    page.frame_locator("iframe").locator("#page[data-ready]").wait_for()
    ready(page)
    keys(page).press("n", "1", "Control+Enter")
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    assert page.url.startswith(f"{url}/work/")

    page.context.clear_cookies()
    sign_in(page, url, "tom", people["tom"])
    page.goto(f"{url}/projects/talks/talk/lobby/")
    if "/consent/" in page.url:
        page.locator("main form button").first.click()
        page.goto(f"{url}/projects/talks/talk/lobby/")
    mine = Listening(page)
    page.reload()
    page.locator("main form button").first.click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    mine.until(lambda mine: HERE in mine.received)
    assert {urlsplit(socket.url).path.split("/")[1] for socket in mine.sockets} == {"goldfinch"}
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url(f"{url}/")


@each_merge_as_it_is
def test_every_address_in_the_pages_of_a_lead_and_every_cookie_is_below_the_path(below, page):
    url, people = below
    sign_in(page, url, "lena", people["lena"])
    paths = {one["name"]: one["path"] for one in page.context.cookies()}
    assert (paths["goldfinch_session"], paths["csrftoken"]) == ("/goldfinch/", "/goldfinch/")
    found, asked, routes = [f"{url}/", f"{url}/projects/lights/"], set(), set()
    while found and len(asked) < MOST:
        at = found.pop(0)
        asked.add(at)
        answer = page.request.get(at)
        assert answer.status < 400, at
        if "text/html" not in answer.headers["content-type"]:
            continue
        for kind, address in ADDRESS.findall(answer.text()):
            there = urljoin(answer.url, address.replace("&amp;", "&"))
            if ELSEWHERE.match(address):
                continue
            assert there.startswith(f"{url}/"), (at, address)
            route = NUMBERS.sub("1", there.removeprefix(url))
            if kind in FOLLOWED and route not in routes and there not in asked and "?" not in there:
                routes.add(route)
                found.append(there)
    assert len(asked) > 40

    answer = page.goto(f"{url}/projects/nowhere/")
    assert answer.status == 404, "the site says its own error page, with its styles"
    assert page.request.get(urljoin(url, page.locator("link[rel=stylesheet]").first.get_attribute("href"))).ok
