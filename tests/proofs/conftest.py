"""What `make prove` has run is written down: name, size, seed, outcome and seconds of each proof, a file a database."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.proofs import children
from tests.proofs.forking import Forge

RESULTS = Path(__file__).parent / "results"


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A proof says its size and seed by `record_property`; what was run before and not now stays as it was."""
    if os.environ.get("GOLDFINCH_FULL") != "1" or (report.when != "call" and report.outcome == "passed"):
        return
    file = RESULTS / f"{os.environ['DATABASE_URL'].split(':')[0]}.json"
    RESULTS.mkdir(exist_ok=True)
    found = json.loads(file.read_text()) if file.exists() else {}
    name = report.nodeid.removeprefix("tests/proofs/")
    said = {key: value for key, value in report.user_properties if key in ("size", "seed")}
    found[name] = {**said, "outcome": report.outcome, "seconds": round(report.duration, 1)}
    file.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n")


@pytest.fixture
def forge(transactional_db):
    """What forks children on the test's database and data folder."""
    with Forge(children.environment()) as made:
        yield made
