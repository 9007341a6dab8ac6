"""Our own Markdown texts (guidelines, consent) as safe HTML with anchors on their headings."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt

_NAMED = re.compile(r"\s*{#([\w-]+)}$")
"""An explicit anchor of a heading, as in *Stage 1: the answer {#answer}*: usually the key of a stage."""


@dataclass(frozen=True)
class MarkdownPage:
    """A text as a page shows it: its title, what follows that, and a list of contents.

    `title`: the heading of the first level with which it begins, "" if it doesn't; `contents`: (anchor, text) of the
    headings of the second level.
    """

    title: str
    html: SafeString
    contents: tuple[tuple[str, str], ...]


@lru_cache(maxsize=32)
def document(text: str) -> MarkdownPage:
    """CommonMark with tables; raw HTML is escaped, and images are disabled."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = parser.parse(text)
    title, contents = "", []
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open" and inline.children:
            named = _NAMED.search(inline.content)
            anchor = named[1] if named else slugify(inline.content)
            opening.attrSet("id", anchor)
            inline.children[-1].content = _NAMED.sub("", inline.children[-1].content)
            words = "".join(child.content for child in inline.children)
            if opening is tokens[0] and opening.tag == "h1":
                title = words
            if opening.tag == "h2":
                contents.append((anchor, words))
    html = parser.renderer.render(tokens[3:] if title else tokens, parser.options, {})
    # Code is scrolled sideways where it is too wide, which without a mouse takes the focus; `<` of texts is escaped.
    html = html.replace("<pre>", '<pre tabindex="0">')
    return MarkdownPage(title, mark_safe(html), tuple(contents))  # noqa: S308 -- markdown-it escapes it all


@lru_cache(maxsize=512)
def inline(text: str) -> SafeString:
    """The same without paragraphs and headings, for a label or an option: emphasis, code and links only."""
    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    html: str = parser.renderInline(text)
    return mark_safe(html)  # noqa: S308 -- markdown-it escapes it all


def first_line_in_plain_text(text: str) -> str:
    """The first block of a text of Markdown without its marks, for links and lists."""
    parsed = MarkdownIt("commonmark", {"html": False}).parse(text)
    inline_tokens = (token.children or [] for token in parsed if token.type == "inline")
    breaks = ("softbreak", "hardbreak")
    return "".join(" " if child.type in breaks else child.content for child in next(inline_tokens, []))
