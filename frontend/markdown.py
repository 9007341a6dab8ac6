"""Our own Markdown texts (guidelines, consent) as safe HTML with anchors on their headings."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt

_NAMED = re.compile(r"\s*{#([\w-]+)}$")
"""How a heading says its own anchor, as in *Stage 1: the answer {#answer}*: the key of a stage, mostly."""


@lru_cache(maxsize=32)
def as_html(text: str) -> SafeString:
    """CommonMark with tables; raw HTML in the text is shown as text, and images are not loaded."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = parser.parse(text)
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open" and inline.children:
            named = _NAMED.search(inline.content)
            opening.attrSet("id", named[1] if named else slugify(inline.content))
            inline.children[-1].content = _NAMED.sub("", inline.children[-1].content)
    return mark_safe(parser.renderer.render(tokens, parser.options, {}))  # noqa: S308 -- markdown-it escapes it all
