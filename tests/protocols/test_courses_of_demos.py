"""The demo publishes the courses of each protocol: one with which something is wrong would stay a draft."""

from __future__ import annotations

import orjson
import pytest
import yaml
from pydantic import TypeAdapter

from annotation import registry
from qualification.courses import editing
from qualification.setup_section import QualificationSetup

TAUGHT = [each for each in registry.all_protocols() if each.demo is not None and each.demo.qualifications is not None]


@pytest.mark.parametrize("protocol", TAUGHT, ids=lambda each: each.key)
def test_nothing_stands_in_the_way_of_a_course_of_the_demo(protocol):
    text = orjson.dumps(yaml.safe_load(protocol.demo.qualifications.read_text(encoding="utf-8")))
    rows = TypeAdapter(tuple[QualificationSetup, ...]).validate_json(text, strict=True)
    assert {row.key: editing.obstacles(row.course) for row in rows if row.course} == {
        row.key: [] for row in rows if row.course
    }
