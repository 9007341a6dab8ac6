"""A decision that a lead may take on a page: its button, and the dialog that says what follows from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Decision:
    """A button (`label`) and its confirmation dialog: title, consequences, and the button that confirms.

    `published`: releases state the reason, without the name of who gave it. `why_not`: what stands in its way, said in
    the dialog instead of all else.
    """

    id: str
    url: str
    label: str
    title: str
    consequences: tuple[str, ...]
    confirm: str
    danger: bool = False
    published: bool = False
    why_not: str = ""
