"""How much is proved: the sizes of CI and of `make prove`, and what `make prove` has run, a file a database."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

RESULTS = Path(__file__).parent / "proofs" / "results"
SAID = ("size", "seed")
SHARE = float(os.environ.get("GOLDFINCH_PROVE") or 0)
"""Which part of its full size a proof has (0: it has the size of CI)."""
_asked: list[int] = []
"""The sizes that the test which runs in this process has asked for."""


def size(in_ci: int, full: int) -> int:
    """How often: in `make prove` a share of the full size, but never less than in CI."""
    _asked.append(max(in_ci, round(full * SHARE)))
    return _asked[-1]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """What was asked for until now is of other tests."""
    _asked.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The size of a test that does not say it itself is the first that it has asked for."""
    if _asked and "size" not in dict(item.user_properties):
        item.user_properties.append(("size", _asked[0]))
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down share, outcome and seconds of each test, its size, and the seed that it says by `record_property`.

    No size: it is the same everywhere. No seed: nothing is drawn, and threads and processes come as they come. What was
    run before and not now stays as it was. Of processes beside each other only the one that leads them writes.
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
