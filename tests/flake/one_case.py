"""A pytest plugin: of a parametrised test that is repeated, run only the case of GOLDFINCH_CASE.

pytest-repeat is a parameter itself, so that `--count=50` makes `test[chromium]` into `test[chromium-1-50]`, which the
node id of the case no longer names.
"""

from __future__ import annotations

import os
import re

import pytest

CASE = "GOLDFINCH_CASE"
REPETITION = re.compile(r"-?\d+-\d+\]$")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the other cases."""
    case = os.environ[CASE]
    others = [item for item in items if REPETITION.sub("]", item.nodeid).removesuffix("[]") != case]
    items[:] = [item for item in items if item not in others]
    config.hook.pytest_deselected(items=others)
