"""A page that tries to leave its frame runs, requests and controls nothing, even with either layer removed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.forking import ForkedSite
from tests.proofs.rigs.frames import Evil, at_most, watch
from tests.proofs.rigs.script_payloads import PAYLOADS, SEED, WRITTEN
from tests.proofs.unsafe.layers import BOTH, SANDBOX, SANITISER, leave_out
from tests.site import Site

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
def furnished(tmp_path_factory, evil) -> Iterator[tuple[ForkedSite, dict]]:
    """A site of the wrong builds with all payloads imported and held, and how to get at them."""
    site = ForkedSite(tmp_path_factory.mktemp("frames"), DJANGO_SETTINGS_MODULE="tests.proofs.unsafe.settings")
    code = f"from tests.proofs.rigs import furnishing; furnishing.main({evil.place!r})"
    yield site, json.loads(site.prepare().manage("shell", "--no-imports", "-c", code))
    site.close()


@pytest.fixture
def seen(browser, furnished, evil, request):
    """What all payloads did in a site without the given layers; None: in the site as shipped."""
    wrong, told = furnished
    without, options = request.param
    if options.get("bare"):  # mutants may do nothing
        told = told | {"handles": told["handles"][: len(WRITTEN)] + told["handles"][-1:]}
    evil.asked.clear()
    leave_out(wrong.folder, *(without or ()))
    site = (Site(wrong.folder) if without is None else wrong).start()
    try:
        with at_most(SECONDS):
            found = watch(browser, site.url, told, **options)
    finally:
        site.stop()
    found.note_requests(evil.asked)
    return found


AS_SHIPPED = pytest.mark.in_test_all(
    shown_by="tests/proofs/browser/test_hostile_frames.py"
    "::test_no_payload_runs_or_requests_anything_or_leaves_its_frame"
)
"""What either layer holds alone, both hold together."""


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param((None, {"sandboxed": True}), id="as shipped", marks=AS_SHIPPED),
        pytest.param(((SANITISER,), {"sandboxed": True}), id="sandbox and policy alone"),
        pytest.param(((SANDBOX,), {"sandboxed": False}), id="sanitiser alone"),
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


NEITHER = (BOTH, {"sandboxed": True, "bare": True})


@pytest.mark.parametrize("seen", [NEITHER], indirect=True)
def test_the_control_without_both_layers_they_run_and_request_and_control(seen):
    print(f"{len(seen.ran)} ran, {len(seen.live)} were live")
    dead = [WRITTEN[number] for number in range(len(WRITTEN)) if number not in seen.live]
    assert len(dead) <= DEAD, dead
    assert len(seen.ran) > 80
    assert seen.htmx
