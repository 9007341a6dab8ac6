"""Which elements of an imported page are shown, and which are tokenized.

Four kinds of element are special, recognised by their own tag alone:

* **hidden**: neither shown nor tokenized (script, style, drawings, contents of forms, `display:none`);
* **unseen**: tokenized, as in published pages, but not shown: table of contents, edit links, category boxes;
* **unread**: shown but not tokenized: footnote marks;
* **chrome**: the site's own navigation and footer, and `noprint`: not shown; its tags are tokenized, most of its words
  are not.
"""
# ruff: noqa: SIM905 (lists of names read better as words)

from __future__ import annotations

import re
from typing import NamedTuple


class Region(NamedTuple):
    """The treatment of everything from a start tag to its end tag."""

    shown: bool
    tokenized: bool
    chrome: bool = False
    comes_last: bool = False
    """Whether nothing of the text follows it, so that all that an unclosed one contains belongs to it."""


WHOLE = Region(shown=True, tokenized=True)
HIDDEN = Region(shown=False, tokenized=False)
UNSEEN = Region(shown=False, tokenized=True)
UNREAD = Region(shown=True, tokenized=False)
CHROME = Region(shown=False, tokenized=True, chrome=True)
FOOTER = Region(shown=False, tokenized=True, chrome=True, comes_last=True)

RAW_TEXT = frozenset("script style xmp iframe noembed noframes noscript textarea title plaintext".split())
"""Elements whose content is raw text; it is never shown, whether they are closed or not."""

_CELLS = frozenset({"td", "th", "tr", "tbody", "tfoot", "table"})
ENDED_BY = {
    "p": frozenset(
        "p div ul ol dl table h1 h2 h3 h4 h5 h6 blockquote pre hr section article li dd dt td th tr".split()
    ),
    "li": frozenset({"li", "ul", "ol"}),
    "dd": frozenset({"dd", "dt", "dl"}),
    "dt": frozenset({"dd", "dt", "dl"}),
    "td": _CELLS,
    "th": _CELLS,
    "tr": _CELLS - {"td", "th"},
}
"""Elements whose end tag is optional, and the tags that imply it."""
VOID = frozenset("area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split())
"""Elements without contents, whose start tag nothing closes."""

HIDDEN_NAMES = RAW_TEXT | frozenset(
    "template svg math object embed applet audio video canvas select datalist map button progress meter".split()
)
_HIDDEN_STYLE = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_UNSEEN_CLASSES = frozenset({"toc", "mw-editsection", "printfooter", "catlinks", "mw-indicators", "mw-jump-link"})
_UNSEEN_IDS = frozenset({"toc", "jump-to-nav", "catlinks", "mw-data-after-content", "siteNotice"})
_CHROME_IDS = frozenset({"mw-navigation", "mw-head", "mw-panel"})
_FOOTER_PARTS = frozenset({"footer-info", "footer-places", "footer-icons"})
"""What an encyclopedia's footer consists of; it is chrome wherever a misplaced end tag of the footer has left it."""
_TOKENIZED_CLASSES = frozenset({"interlanguage-link-target", "wbc-editpage"})
_CHROME_ROLES = frozenset({"banner", "search"})


def region_of(name: str, attrs: dict[str, str]) -> Region:
    """The region that an element starts; WHOLE for an ordinary one."""
    if name in HIDDEN_NAMES:
        return HIDDEN
    if name == "nav":
        return CHROME
    if not attrs or name in ("html", "body"):
        return WHOLE
    if "hidden" in attrs or ("style" in attrs and _HIDDEN_STYLE.search(attrs["style"] or "")):
        return HIDDEN
    classes = (attrs.get("class") or "").split()
    identity = attrs.get("id")
    role = attrs.get("role")
    if identity == "footer" or role == "contentinfo":
        return FOOTER
    if "noprint" in classes or identity in _CHROME_IDS or identity in _FOOTER_PARTS or role in _CHROME_ROLES:
        return CHROME
    if identity in _UNSEEN_IDS or not _UNSEEN_CLASSES.isdisjoint(classes):
        return UNSEEN
    if name == "sup" and "reference" in classes:
        return UNREAD
    return WHOLE


def is_tokenized_chrome(attrs: dict[str, str]) -> bool:
    """Whether an element of the chrome is one of the few with tokens: language links, the footer's last lines."""
    return not _TOKENIZED_CLASSES.isdisjoint((attrs.get("class") or "").split()) or attrs.get("id") == "footer-info"
