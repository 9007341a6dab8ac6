"""What each protocol contributes to tests of all screens, found by its path: tests/protocols/<key>/screens/<part>.py.

`pictures` (PICTURES and NARROW, see tests/screens/catalogue.py), `keys` (OPENED: a function for each stage that opens
it in a browser, see tests/browser/test_keys_of_every_stage.py), and, if the site for the screenshots needs more than
the demo, `furnish` (projects and people) and `visits` (who visits what and takes which screenshots).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType


def parts(name: str) -> dict[str, ModuleType]:
    """That part of every protocol that has it, keyed by protocol."""
    found = sorted(Path(__file__).parent.glob(f"*/screens/{name}.py"))
    keys = [path.parents[1].name for path in found]
    return {key: import_module(f"tests.protocols.{key}.screens.{name}") for key in keys}
