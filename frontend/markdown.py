"""Our own Markdown texts (guidelines, consent) as safe HTML with anchors on their headings."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt

_NAMED = re.compile(r"\s*{#([\w-]+)}$")
"""An explicit anchor of a heading, as in *Stage 1: the answer {#answer}*: usually the key of a stage."""


@lru_cache(maxsize=32)
def as_html(text: str) -> SafeString:
    """CommonMark with tables; raw HTML is escaped, and images are disabled."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = parser.parse(text)
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open" and inline.children:
            named = _NAMED.search(inline.content)
            opening.attrSet("id", named[1] if named else slugify(inline.content))
            inline.children[-1].content = _NAMED.sub("", inline.children[-1].content)
    return mark_safe(parser.renderer.render(tokens, parser.options, {}))  # noqa: S308 -- markdown-it escapes it all
