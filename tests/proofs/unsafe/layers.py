"""The layers that a wrong build of the frame is without, in a file of its data folder: one build is loaded for all."""

from __future__ import annotations

from pathlib import Path

SANITISER, SANDBOX = "sanitiser", "sandbox"
"""The sanitizer, without which the frame gets the page as imported; the frame's policy and sandbox."""
BOTH = (SANITISER, SANDBOX)
NAME = "layers-left-out.txt"


def leave_out(folder: Path, *layers: str) -> None:
    """Serve this data folder without these layers from now on."""
    (folder / NAME).write_text(" ".join(layers))


def left_out(folder: Path) -> set[str]:
    """The layers that are left out."""
    return set((folder / NAME).read_text().split())
