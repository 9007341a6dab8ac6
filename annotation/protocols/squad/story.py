"""What has happened in the demo: who asked about which sample paragraph, and who answered."""

from __future__ import annotations

from pathlib import Path

from annotation.protocol_tools import scenes_in

CONFIG = {
    "activities": {"ask": {"lease_minutes": 720}, "answer": {"lease_minutes": 720}},
    "disputes_in_evaluation": True,
}
"""Half a day for each piece of work, so that what is in work at the start is still in work after lunch."""
LEAST_AGREEMENT = {"answer": 0.4}

STORY = scenes_in(Path(__file__).parent / "samples" / "story.jsonl")
