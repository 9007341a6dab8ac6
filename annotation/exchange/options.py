"""What a lead says about the export of another tool, and what was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from annotation.errors import ImportRefused
from annotation.parsing.fields import MAX_SHORT
from annotation.values.exchange import ExchangedItem

Tool = Literal["label_studio", "doccano", "brat"]
TITLES: dict[Tool, str] = {"label_studio": "Label Studio", "doccano": "doccano", "brat": "brat"}
"""Their names, as they write them."""
LONGEST_NAME = 100
"""Characters of the name of a field or a label."""
PROMPT_FIELD = "question"
"""The field with what is asked about a text, unless a lead names another."""
PREVIEWED = 3
"""Items that are kept to be shown."""


@dataclass(frozen=True)
class ExportOptions:
    """How an export is read: its tool, the fields of its records with the text and with what is asked
    about it, or one `prompt` for all texts.

    `label`: only marks that have it are answers, "": all. `apart`: each mark is an answer of its own, instead of a
    piece of one. `unmarked_is_none`: where nothing is marked, the text has no answer; otherwise nobody has answered.
    `preview`: the first items that were read, added while it is.
    """

    tool: Tool
    text_field: str = "text"
    prompt_field: str = PROMPT_FIELD
    prompt: str = ""
    label: str = ""
    apart: bool = False
    unmarked_is_none: bool = False
    preview: list[ExchangedItem] = field(default_factory=list, compare=False)

    @property
    def read_as(self) -> str:
        """A sentence about how the export is read."""
        if self.prompt:
            asked = f"asking “{self.prompt}” about each text"
        elif self.tool == "brat":
            asked = "with what is asked in the notes on its marks"
        else:
            asked = f"with what is asked in the field {self.prompt_field}"
        return f"Read as an export of {TITLES[self.tool]}, {asked}."

    def as_json(self) -> dict[str, Any]:
        """These options, as `options_from` reads them."""
        return {name: getattr(self, name) for name in (*EXPORT_TEXTS, *EXPORT_FLAGS)}


EXPORT_TEXTS = ("tool", "text_field", "prompt_field", "prompt", "label")
EXPORT_FLAGS = ("apart", "unmarked_is_none")


def options_from(stated: Mapping[str, Any], *, recognised: str) -> ExportOptions:
    """The options that somebody has stated, with the defaults for what they left empty.

    `recognised`: the tool, where they leave that to the file. ImportRefused for a value that can't be meant.
    """
    texts = {name: str(stated.get(name) or "").strip() for name in EXPORT_TEXTS}
    texts["tool"] = texts["tool"] or recognised
    if texts["tool"] not in TITLES:
        raise ImportRefused(f"There is no tool {texts['tool'][:40]}, only: {', '.join(TITLES)}.")
    for name, text in texts.items():
        longest = MAX_SHORT if name == "prompt" else LONGEST_NAME
        if len(text) > longest:
            raise ImportRefused(f"{name} has {len(text):,} characters; the limit is {longest:,}.")
        if "\x00" in text:
            raise ImportRefused(f"{name} has a NUL character.")
    given: dict[str, Any] = {name: text for name, text in texts.items() if text}
    return ExportOptions(**given | {name: bool(stated.get(name)) for name in EXPORT_FLAGS})
