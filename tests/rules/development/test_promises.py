"""The page of promises names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
PAGE = CHECKOUT / "docs" / "promises.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)`")


def test_every_test_that_shows_a_promise_is_there():
    named = NAMED.findall(PAGE.read_text(encoding="utf-8"))
    assert len(set(named)) > 30
    assert [name for name in named if not (CHECKOUT / name).is_file()] == []
