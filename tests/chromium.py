"""The Chromium that tests, pictures and benchmarks run in."""

from __future__ import annotations

import os
import shutil
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The headless shell first: it draws the same pages without the windows of a browser, in two thirds of the time."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch_options() -> dict[str, Any]:
    """Options for playwright: the Chromium of the environment (CHROMIUM), else one on the path, else its own."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return {"args": FLAGS} | ({"executable_path": found} if found else {})
