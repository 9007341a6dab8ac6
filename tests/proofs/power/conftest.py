"""Power cuts need root and loop devices, so they are collected in `make prove` only, where they may be skipped."""

from __future__ import annotations

from pathlib import Path

from tests.proving import SHARE


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave the folder out at the size of CI."""
    return None if SHARE else True
