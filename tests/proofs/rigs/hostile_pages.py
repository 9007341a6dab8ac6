"""Pages made to hang, crash or mislead an import: name, bytes, and the text of the refusal ("" if inert)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.annotation.html.payloads import PAYLOADS

LIMIT = 4 * 1024 * 1024
"""The largest page that is accepted."""
KEPT = ("div", "b", "ul", "blockquote")
"""The deepest nesting that is kept; deeper elements are flattened, closed or not shown."""
WORDS = b"<p>Some words that are shown.</p>"


def filling(piece: bytes, *, at_most: int = LIMIT - 1000) -> bytes:
    """Repeat the piece up to a size."""
    return piece * (at_most // len(piece))


def pages() -> Iterator[tuple[str, bytes, str]]:
    """Every page of the rig."""
    yield from _deep()
    yield from _large()
    yield from _odd()
    script = "".join(PAYLOADS).encode("utf-8", "replace")
    yield "script-laden", b"<body>" + WORDS + script, ""
    for number, payload in enumerate(PAYLOADS):
        yield f"script-{number}", WORDS + payload.encode("utf-8", "replace") + WORDS, ""


def _deep() -> Iterator[tuple[str, bytes, str]]:
    for name in ("div", "b", "table", "ul", "li", "a", "font", "span", "blockquote", "svg", "math", "template", "p"):
        said = "deep" if name in KEPT else ""
        yield f"deep-{name}", WORDS + f"<{name}>".encode() * 10_000 + b"in the deep", said
    yield "deep-lists", WORDS + b"<ul><li>" * 10_000 + b"in the deep", "deep"
    yield "deep-cells", WORDS + b"<table><tr><td>" * 10_000 + b"in the deep", "deep"
    yield "deep-formatting", WORDS + b"<b><i><u><s><em><p>" * 3_000 + b"in the deep", ""
    yield "misnested", WORDS + b"<b><i></b></i><p>" * 3_000 + b"across", ""
    yield "unclosed-anchors", WORDS + b"<a href=x><div>" * 5_000, "deep"


def _large() -> Iterator[tuple[str, bytes, str]]:
    yield "attribute", b'<p title="' + filling(b"x") + b'">' + WORDS, ""
    yield "attributes", b"<p " + b" ".join(b"a%d=1" % n for n in range(300_000)) + b">" + WORDS, ""
    yield "attribute-unclosed", WORDS + b'<p title="' + filling(b"x"), ""
    yield "name", WORDS + b"<" + filling(b"x") + b">", ""
    yield "word", b"<p>" + filling(b"x") + b"</p>", ""
    yield "references", WORDS + filling(b"&amp;"), "tags and character references"
    yield "many-references", WORDS + b"&notit;" * 190_000, "tokens"
    yield "tags", WORDS + filling(b"<i>"), "tags and character references"
    yield "many-tags", WORDS + b"<p>x" * 55_000, "tokens"
    yield "brackets", WORDS + filling(b"<"), "tags and character references"
    yield "words", filling(b"a "), "tokens"
    yield "too-large", filling(b"x", at_most=LIMIT + 1000), "bytes"
    yield "comment", WORDS + b"<!--" + filling(b"-"), ""
    yield "comments", WORDS + b"<!---->" * 190_000, ""
    yield "blanks", WORDS + filling(b" \n"), ""
    yield "ends", WORDS + b"</p>" * 190_000, "tokens"
    yield "broken-drawings", WORDS + b"<svg><title/>" * 90_000, "drawings"
    yield "tables", WORDS + b"<table><td>x" * 200 + b"</table>" * 200, "deep"
    yield "column-span", WORDS + b"<table>" + b"<tr><td colspan=999999 rowspan=999999>x" * 100 + b"</table>", ""
    yield "rows", WORDS + b"<table>" + b"<tr><td>x" * 20_000 + b"</table>", "tokens"
    yield "texts-in-a-table", WORDS + b"<table>" + b"<tr>out" * 20_000 + b"</table>", ""


def _odd() -> Iterator[tuple[str, bytes, str]]:
    bits = random.Random(7).randbytes(200_000)
    yield "empty", b"", "no visible words"
    yield "mark-only", b"\xef\xbb\xbf", "no visible words"
    yield "binary", bits, "binary|UTF-8"
    yield "bits-as-text", bits.replace(b"\0", b"").decode("latin-1").encode(), "tokens"
    yield "picture", b"\x89PNG\r\n\x1a\n\0\0\0", "binary|UTF-8"
    yield "utf-16", "<p>words</p>".encode("utf-16"), ""
    yield "utf-16-nul", "<p>a\0b</p>".encode("utf-16"), "NUL"
    yield "latin-1", "<p>r\u00e9ef</p>".encode("latin-1"), "UTF-8"
    yield "nul", b"<p>a\0b</p>", "NUL"
    yield "surrogate", b"<p>\xed\xa0\x80</p>", "UTF-8"
    yield "overlong", b"<p>\xc0\xbcscript></p>", "UTF-8"
    yield "plaintext", WORDS + b"<plaintext>" + WORDS * 100, ""
    yield "unclosed-script", WORDS + b"<script>" + WORDS * 100, ""
    yield "frameset", b"<frameset><frame src=//evil.example></frameset>" + WORDS, ""
    yield "doctype", b'<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + WORDS + b"&b;", ""
    yield "xml", b'<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><x>&x;</x>' + WORDS, ""
    yield "both-ways", WORDS + "<p>\u202eabc\u2066def\u200b\ufeff\u2028</p>".encode(), ""
    yield "noncharacters", WORDS + "<p>\ufffe\uffff\U0010ffff\x01\x0b\x7f\x85</p>".encode(), ""
