"""The version of the running code for manifests: the package's version and the checkout's commit."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

PACKAGE = "goldfinch"
DIGITS = 12
"""Digits of the commit's hash: enough to identify it."""
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def code_version(checkout: Path) -> str:
    """Such as `goldfinch 0.1.0+7c2f3c218553`; without the commit if the folder has no git metadata of its own."""
    commit = _commit(checkout / ".git")
    return f"{PACKAGE} {_version(checkout)}" + (f"+{commit[:DIGITS]}" if commit else "")


def _version(checkout: Path) -> str:
    """From the checkout's pyproject.toml, else from the installed package's metadata, else "unknown"."""
    try:
        return str(tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["version"])
    except FileNotFoundError:
        pass
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "unknown"


def _commit(git: Path) -> str:
    """The hash of HEAD, read without git: servers may not have it, and its ownership checks would get in the way."""
    try:
        if git.is_file():  # a linked worktree: it has its own HEAD and shares the branches
            git = git.parent / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        found = _branch(git, head.removeprefix("ref: ")) if head.startswith("ref: ") else head
    except (OSError, UnicodeDecodeError):
        return ""
    return found if _COMMIT.fullmatch(found) else ""


def _branch(git: Path, name: str) -> str:
    shared = git / "commondir"
    common = git / shared.read_text().strip() if shared.exists() else git
    loose = common / name
    if loose.is_file():
        return loose.read_text().strip()
    packed = (line.split(" ") for line in (common / "packed-refs").read_text().splitlines())
    return next((words[0] for words in packed if words[1:] == [name]), "")


CODE_VERSION = code_version(Path(__file__).resolve().parents[2])
"""Read once, at startup: updating the checkout does not change the code that is running."""
