"""No template loops over the items, keys or values of a mapping: what people sent may have a field of that name.

A template looks a name up as a key first: in `sent.items` that is the form field `items`, if there is one.
"""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
TEMPLATES = [path for name in ("frontend", "annotation") for path in sorted((CHECKOUT / name).rglob("*.html"))]
LOOP = re.compile(r"\{%\s*for [^%]* in [^%\s]*\.(?:items|keys|values)\b")


def test_no_template_loops_over_a_mapping():
    assert [path.name for path in TEMPLATES if LOOP.search(path.read_text(encoding="utf-8"))] == []


def test_the_control_such_a_loop_is_found():
    assert LOOP.search("{% for name, values in sent.items %}")
    assert not LOOP.search("{% for row in items %}{{ row.items }}")
