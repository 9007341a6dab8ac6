"""Every time of day on a page is written by the filter `moment`, which gives it the reader's zone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
HOURS = r"""(["'])[^"']*[HGghisPaA][^"']*"""
WITHOUT_A_ZONE = re.compile(rf"\|(?:time\b|date:{HOURS}\1)|{{%\s*now\s+{HOURS}\2")
"""The filter `time`, or `date` or the tag `now` with a format that has hours, minutes or seconds."""
FOR_SCRIPTS = "{{ work.draft_at|date:'c' }}"
"""ISO 8601 in an attribute: it names its offset, and the script writes it in the browser's zone."""


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("{{ at|date:'j F, H:i' }}", True),
        ('{{ at|time:"H:i" }}', True),
        ('{% now "j F, H:i" %}', True),
        ("{%now 'H:i' as hour%}", True),
        ('{{ at|moment:"j F, H:i" }}', False),
        ('{{ day|date:"j F Y" }} {% now "Y" %} {{ left|timeuntil }}', False),
    ],
)
def test_the_control_what_writes_a_time_of_day_without_a_zone_is_found(source, wrong):
    assert bool(WITHOUT_A_ZONE.search(source)) == wrong


def test_times_of_day_are_written_in_the_reader_s_zone():
    templates = [path for name in ("frontend", "annotation") for path in sorted((CHECKOUT / name).rglob("*.html"))]
    wrong = [
        f"{path.relative_to(CHECKOUT)}:{number}"
        for path in templates
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if WITHOUT_A_ZONE.search(line.replace(FOR_SCRIPTS, ""))
    ]
    assert wrong == [], 'Write {{ at|moment:"j F, H:i" }} instead of |date, |time or {% now %}.'
