"""Make a release and download it into a folder of its own: python nightly_release.py PROJECT FOLDER, from cron."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from goldfinch_client import Goldfinch


def main(slug: str, folder: str) -> None:
    """Its version is the name of the folder; `sha256sum -c SHA256SUMS` verifies it."""
    project = Goldfinch(os.environ["GOLDFINCH_SITE"], os.environ["GOLDFINCH_TOKEN"]).project(slug)
    version = project.make_release(partial=True)
    for path in project.download_release(version, Path(folder) / str(version)):
        print(path)


if __name__ == "__main__":
    main(*sys.argv[1:3])
