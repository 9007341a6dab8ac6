"""A page, or one of its boxes, as a safe fragment of HTML with the offsets of its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import orjson

from annotation.html.images import Image
from annotation.values.sheets import Box, Heading

__all__ = ["RENDERER", "Box", "Heading", "Rendering", "squeeze"]
RENDERER = "4"
"""Version of the output of `render`; part of the cache key of a rendering."""


@dataclass(frozen=True)
class Rendering:
    """A fragment of HTML with its text and the offsets of its words.

    `text` is the textContent of `html` in a browser. `words` has (token index, start, end) for each shown word,
    half-open in UTF-16 code units of `text`, as browsers count. `candidates` has a box for every candidate of the
    layout, even if the fragment shows only one of them; don't show the whole list to annotators then. `images` are
    those that name a file, in order. `lang` and `dir` are those of the page's html element ("" if it has none).
    """

    html: str
    text: str
    headings: tuple[Heading, ...]
    candidates: tuple[Box, ...]
    words: tuple[tuple[int, int, int], ...]
    lang: str = ""
    dir: str = ""
    images: tuple[Image, ...] = ()

    def quote(self, start_token: int, end_token: int) -> str:
        """The shown text from the first to the last shown word of a half-open range of tokens, white space squeezed.

        "" if none of them is shown in this fragment.
        """
        first, last = self._index.get(start_token), self._index.get(end_token - 1)
        if first is None or last is None:
            inside = [word for word in self.words if start_token <= word[0] < end_token]
            if not inside:
                return ""
            first, last = inside[0], inside[-1]
        return squeeze(self.cut(first[1], last[2]))

    def cut(self, start: int, end: int) -> str:
        """The text between two offsets in UTF-16 code units."""
        if self._wide is None:
            return self.text[start:end]
        return self._wide[2 * start : 2 * end].decode("utf-16-le")

    def shows(self, token: int) -> bool:
        """Whether this fragment shows the token as a word."""
        return token in self._index

    @cached_property
    def _index(self) -> dict[int, tuple[int, int, int]]:
        return {word[0]: word for word in self.words}

    @cached_property
    def _wide(self) -> bytes | None:
        """The text in UTF-16 if it has characters outside the BMP, else None."""
        wide = not self.text.isascii() and max(self.text) > "\uffff"
        return self.text.encode("utf-16-le") if wide else None

    def to_bytes(self) -> bytes:
        """As JSON."""
        return orjson.dumps({"renderer": RENDERER} | {name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def from_bytes(cls, data: bytes) -> Rendering:
        """The rendering that `to_bytes` wrote; ValueError if it is of another version of the renderer."""
        raw = orjson.loads(data)
        if raw.get("renderer") != RENDERER:
            raise ValueError(f"This was rendered by version {raw.get('renderer')}, not {RENDERER}.")
        return cls(
            html=raw["html"],
            text=raw["text"],
            headings=tuple(Heading(**heading) for heading in raw["headings"]),
            candidates=tuple(Box(**box | {"heading_path": tuple(box["heading_path"])}) for box in raw["candidates"]),
            words=tuple(tuple(word) for word in raw["words"]),
            lang=raw["lang"],
            dir=raw["dir"],
            images=tuple(Image(**image) for image in raw["images"]),
        )


def squeeze(text: str) -> str:
    """Collapse runs of white space to one space and strip the ends."""
    return " ".join(text.split())
