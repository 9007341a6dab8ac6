"""The inline script and style of the frame document, and the hashes that allow them in its CSP."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from django.utils.safestring import SafeString, mark_safe

_FOLDER = Path(__file__).parent.parent / "frame"
_PARTS = ("channel.js", "settled.js", "boxes.js", "tables.js", "lists.js", "find.js", "words.js", "start.js")


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _script() -> str:
    """All parts in order, as one script: an external file would be blocked in the frame's opaque origin."""
    return '(() => {\n"use strict";\n' + "\n".join(map(_read, _PARTS)) + "})();\n"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


SCRIPT: SafeString = mark_safe(_script())  # noqa: S308 -- our own files
STYLE: SafeString = mark_safe(_read("reading.css"))  # noqa: S308 -- our own file
SCRIPT_HASH, STYLE_HASH = _hash(SCRIPT), _hash(STYLE)
