"""A page that tries to leave its frame runs, requests and controls nothing, even with either layer removed."""

import json
import subprocess
import sys

import pytest

from tests.proofs.rigs.frames import Evil, at_most, watch
from tests.proofs.rigs.script_payloads import PAYLOADS, SEED, WRITTEN
from tests.site import CHECKOUT, Site

DEAD = 5
"""Payloads that may do nothing in the control, where a slow browser may drop a request: none here."""
SECONDS = 240 * len(PAYLOADS) // len(WRITTEN)
"""Seconds after which the browser counts as taken down: ten times what it takes."""


@pytest.fixture(scope="module")
def evil():
    listening = Evil()
    yield listening
    listening.stop()


@pytest.fixture(scope="module")
def furnished(tmp_path_factory, evil):
    """A folder with all payloads imported and held, and how to get at them."""
    site = Site(tmp_path_factory.mktemp("frames")).prepare()
    command = [sys.executable, "-m", "tests.proofs.rigs.furnishing", evil.place]
    said = subprocess.run(command, cwd=CHECKOUT, env=site.environment, check=True, capture_output=True, text=True)
    return site.folder, json.loads(said.stdout)


@pytest.fixture
def seen(browser, furnished, evil, request):
    """What all payloads did in a site with the given settings."""
    folder, told = furnished
    settings, options = request.param
    if options.get("bare"):  # mutants may do nothing
        told = told | {"handles": told["handles"][: len(WRITTEN)] + told["handles"][-1:]}
    evil.asked.clear()
    site = Site(folder, DJANGO_SETTINGS_MODULE=settings).start()
    try:
        with at_most(SECONDS):
            found = watch(browser, site.url, told, **options)
    finally:
        site.stop()
    found.note_requests(evil.asked)
    return found


BOTH = pytest.mark.in_test_all(
    shown_by="tests/proofs/browser/test_hostile_frames.py"
    "::test_no_payload_runs_or_requests_anything_or_leaves_its_frame"
)
"""What either layer holds alone, both hold together."""


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(("frontend.settings", {"sandboxed": True}), id="as shipped", marks=BOTH),
        pytest.param(("tests.proofs.unsafe.no_sanitiser", {"sandboxed": True}), id="sandbox and policy alone"),
        pytest.param(("tests.proofs.unsafe.no_sandbox", {"sandboxed": False}), id="sanitiser alone"),
    ],
    indirect=True,
)
def test_no_payload_runs_or_requests_anything_or_leaves_its_frame(seen, record_property):
    record_property("size", len(PAYLOADS))
    record_property("seed", SEED)
    assert seen.frames >= len(PAYLOADS)
    assert len(WRITTEN) == 150
    assert {PAYLOADS[number] for number in seen.ran} == set()
    assert seen.requests == []
    assert seen.htmx == []
    assert seen.escapes == []


NEITHER = ("tests.proofs.unsafe.neither", {"sandboxed": True, "bare": True})


@pytest.mark.parametrize("seen", [NEITHER], indirect=True)
def test_the_control_without_both_layers_they_run_and_request_and_control(seen):
    print(f"{len(seen.ran)} ran, {len(seen.live)} were live")
    dead = [WRITTEN[number] for number in range(len(WRITTEN)) if number not in seen.live]
    assert len(dead) <= DEAD, dead
    assert len(seen.ran) > 80
    assert seen.htmx
