"""Allowlist of elements, attributes and classes for rendered pages, enforced again by nh3 (defence in depth)."""
# ruff: noqa: SIM905 (lists of names read better as words)

from __future__ import annotations

import re

import nh3
from turbohtml import tokenize

from annotation.html.rendering import Image, file_of, stated_width
from annotation.html.scanner import MarkupEvent, Scan

VOID = frozenset({"br", "hr", "wbr", "col"})
ELEMENTS = VOID | frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup thead tbody tfoot tr td th blockquote div figure"
    " figcaption sub sup kbd samp var cite q del ins mark abbr dfn bdi bdo ruby rt rp span b code em i s small strong"
    " u".split()
)
INLINE = frozenset(
    "sub sup kbd samp var cite q del ins mark abbr dfn bdi bdo ruby rt rp span b code em i s small strong u".split()
)

CLASSES = {
    "infobox": "gf-infobox", "infobox_v2": "gf-infobox", "navbox": "gf-navbox", "sidebar": "gf-sidebar",
    "vertical-navbox": "gf-sidebar", "wikitable": "gf-table", "thumb": "gf-thumb", "tright": "gf-right",
    "tleft": "gf-left", "thumbcaption": "gf-caption", "gallery": "gf-gallery", "gallerytext": "gf-caption",
    "hatnote": "gf-hatnote", "ambox": "gf-notice", "mbox-small": "gf-notice", "reflist": "gf-references",
    "references": "gf-references", "reference": "gf-reference", "quotebox": "gf-quote", "templatequote": "gf-quote",
    "hlist": "gf-hlist", "plainlist": "gf-plainlist", "nowrap": "gf-nowrap",
}  # fmt: skip
"""Classes of pages, mapped to the names in our stylesheet; all others are dropped."""
_OURS = frozenset(CLASSES.values()) | {"gf-pre", "gf-image", "gf-formula", "gf-flat"}

_LANG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,5}")
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_SPANS = {"colspan": 1000, "rowspan": 65534, "span": 1000}
_CHOICES = {
    "dir": {"ltr", "rtl", "auto"},
    "scope": {"row", "col", "rowgroup", "colgroup"},
    "type": {"1", "a", "A", "i", "I"},
}
_ATTRIBUTES = {
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "col": ("span",),
    "colgroup": ("span",),
    "ol": ("start", "reversed", "type"),
    "li": ("value",),
}

_CLEANER = nh3.Cleaner(
    tags=ELEMENTS,
    clean_content_tags=set(),
    attributes={"*": {"data-c", "lang", "dir"}}
    | {name: set(attributes) for name, attributes in _ATTRIBUTES.items()}
    | {"span": {"role", "aria-label", "aria-hidden", "data-i"}}
    | {f"h{level}": {"id"} for level in range(1, 7)}
    | {"div": {"id", "role", "aria-level"}},
    allowed_classes=dict.fromkeys(ELEMENTS, _OURS),
    link_rel=None,
    url_schemes=set(),
)


def clean(html: str) -> str:
    """`html` sanitized by nh3. Our own output must come back unchanged, or it is not used."""
    return _CLEANER.clean(html)


def escape(text: str) -> str:
    """Escape text as the HTML serialisation algorithm does, so that parsing and serialising again changes nothing."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\xa0", "&nbsp;")


def attributes(name: str, event: MarkupEvent) -> dict[str, str]:
    """The allowed attributes of a start tag with valid values, in a fixed order."""
    if not event.attrs:
        return {}
    kept: dict[str, str] = {}
    for attribute in ("lang", "dir", *_ATTRIBUTES.get(name, ())):
        value = event.attrs.get(attribute)
        if attribute in event.attrs and (checked := _checked(attribute, (value or "").strip())) is not None:
            kept[attribute] = checked
    classes = [CLASSES[each] for each in (event.attrs.get("class") or "").split() if each in CLASSES]
    if classes:
        kept["class"] = " ".join(dict.fromkeys(classes))
    return kept


def language_and_direction(root: MarkupEvent | None) -> tuple[str, str]:
    """`lang` and `dir` of the html element, "" if missing or invalid."""
    kept = attributes("html", root) if root else {}
    direction = kept.get("dir", "")
    return kept.get("lang", ""), direction if direction in ("ltr", "rtl") else ""


def _checked(attribute: str, value: str) -> str | None:
    if attribute == "lang":
        return value if _LANG.fullmatch(value) else None
    if attribute == "reversed":
        return ""
    if attribute in _SPANS:
        number = int(value) if _NUMBER.fullmatch(value) else 0
        return str(min(number, _SPANS[attribute])) if number > 1 else None
    if attribute in ("start", "value"):
        return value if _NUMBER.fullmatch(value) else None
    if attribute != "type":
        value = value.lower()
    return value if value in _CHOICES[attribute] else None


def tag(name: str, kept: dict[str, str]) -> str:
    """A start tag."""
    if not kept:
        return f"<{name}>"
    written = "".join(f' {key}="{escape(value).replace(chr(34), "&quot;")}"' for key, value in kept.items())
    return f"<{name}{written}>"


def placeholder(scan: Scan, event: MarkupEvent, image: Image | None) -> str:
    """The placeholder of an image or formula: an empty element with its alternative text for assistive technology.

    For an image that names a file, `data-i` is its byte offset, so that the file can be shown there.
    """
    formula = event.name == "math" or "mwe-math" in (event.attrs.get("class") or "")
    kept = {"class": "gf-formula" if formula else "gf-image"}
    if image is not None:
        kept["data-i"] = str(image.at)
    attribute = "alttext" if event.name == "math" else "alt"
    alt = " ".join(_decoded(scan, event, attribute).split())
    kept |= {"role": "img", "aria-label": alt[:500]} if alt else {"aria-hidden": "true"}
    return tag("span", kept) + "</span>"


def image(scan: Scan, event: MarkupEvent) -> Image | None:
    """The image of an img tag that names a file beside the page, else None."""
    file = file_of(_decoded(scan, event, "src")) if event.name == "img" else ""
    return Image(event.start, file, stated_width(event.attrs.get("width"))) if file else None


def _decoded(scan: Scan, event: MarkupEvent, attribute: str) -> str:
    """An attribute's value, decoded from UTF-8; the scan reads Latin-1, which is right for ASCII only."""
    value = event.attrs.get(attribute) or ""
    if value.isascii():
        return value
    for token in tokenize(scan.source[event.start : event.end].decode()):
        return token.attr(attribute) or ""
    return ""
