"""The size of a proof in CI and in `make prove`, and the log of what `make prove` has run, one file per database."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

RESULTS = Path(__file__).parent / "proofs" / "results"
SAID = ("size", "seed")
SHARE = float(os.environ.get("GOLDFINCH_PROVE") or 0)
"""The fraction of its full size that a proof runs at (0: the size for CI)."""
_asked: list[int] = []
"""The sizes that the current test has asked for."""


def size(in_ci: int, full: int) -> int:
    """The number of repetitions: in `make prove` a fraction of the full size, but never fewer than in CI."""
    _asked.append(max(in_ci, round(full * SHARE)))
    return _asked[-1]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the sizes of other tests."""
    _asked.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Unless a test states its size, use the first one it asked for."""
    if _asked and "size" not in dict(item.user_properties):
        item.user_properties.append(("size", _asked[0]))
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Log share, outcome and seconds of each test, its size, and the seed if it states one by `record_property`.

    No size: it is the same everywhere. No seed: nothing is drawn; thread and process scheduling is left to the machine.
    Results of tests that did not run this time are kept. With pytest-xdist only the controller writes.
    """
    if "PYTEST_XDIST_WORKER" in os.environ or not SHARE or (report.when != "call" and report.outcome == "passed"):
        return
    file = RESULTS / f"{os.environ['DATABASE_URL'].split(':')[0]}.json"
    RESULTS.mkdir(exist_ok=True)
    found = json.loads(file.read_text()) if file.exists() else {}
    said = dict.fromkeys(SAID) | {key: value for key, value in report.user_properties if key in SAID}
    ended = {"share": SHARE, "outcome": report.outcome, "seconds": round(report.duration, 1)}
    found[report.nodeid.removeprefix("tests/")] = said | ended
    file.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n")
