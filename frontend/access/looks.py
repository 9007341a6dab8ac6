"""What raters are told before they look at others' answers about what they judge: which addresses show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.models import User
from tasks.judging import looking

OF_ITEM = "item_id"
"""Every address with this part is about one item, and shows what was answered about it."""
OF_MANY = frozenset({"release_file", "release_changes", "release_changes_csv"})
"""Addresses that show the answers to many items: whoever opens them could see those to any of the project."""


OF_API = "api_"
"""Addresses of the API begin with it: they refuse instead, as a script can't be asked (frontend/api/base.py)."""


def may_show(route: str, named: Mapping[str, Any]) -> bool:
    """Whether an address of a page can show what others answered."""
    return "slug" in named and not route.startswith(OF_API) and (OF_ITEM in named or route in OF_MANY)


def looks_before(user: User, named: Mapping[str, Any]) -> Sequence[looking.JudgedLook]:
    """The rounds in which the person judges what such an address shows, by the parts of it."""
    return looking.before(user, named["slug"], named.get(OF_ITEM))
