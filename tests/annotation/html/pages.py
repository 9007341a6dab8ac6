"""Pages shared by the tests of `annotation.html`: a hard one of our own, random ones, and real ones."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from annotation.documents.layout import PUBLISHED, Candidate, Layout, Token
from annotation.html import lay_out, open_page

HARD = """<!DOCTYPE html>\r
<html lang="en" dir="ltr"><head><title>Odd &amp; hard</title><style>p { color: red }</style></head><body>\r
<h1>Odd <i>page</i></h1>
<p>Emoji \U0001f468‍\U0001f469‍\U0001f467 and \U0001f1e9\U0001f1ea, e&#x301; combińing,\r
caf&eacute; &#x1F600;, AT&ampT &notit; 1 &lt; 2 x<3, &NotEqualTilde; don't; a&nbsp;b.<br>Next&#13;line.</p>
<script>if (a < b) document.write("<p>no</p>")</script>
<p style="display: none">Hidden words</p>
<p hidden>More hidden words<p>Seen <span style="DISPLAY:NONE">not</span> again</p>
<div dir="rtl" lang="ar"><p>مرحبا <b>بالعالم</b> 2021</p><ul><li>שלום<ul><li>עולם</li></ul></li></ul></div>
<table class="infobox wikitable"><caption>Cap<!-- no -->tion</caption>
<tr><th scope=row colspan="2">Head</th></tr>
<tr><td>cell<td>other <table><tr><td>inner</td><td>table</td></tr></table></tr>
<tr style="display:none"><td>gone</td></tr>
</table>
<ol start="7"><li>seven<li value=20>twenty<li>twenty one<p>para</ol>
<dl><dt>term<dd>meaning<sup class="reference">[1]</sup> goes on</dl>
<pre>

two  lines
</pre>
<h2>Part &amp; two</h2>
<p>An <img alt='image "é"' src=x> and <math alttext="x^2"><mi>x</mi></math> and <svg><title/>drawn</svg> end.</p>
<p>日本語のテキスト — “quoted” [1] ‘single’ U. S. Navy's</p>
<noscript><p>no script</p></noscript><textarea><p>typed</p></textarea>
<h2>References</h2><ul><li>Not a box</li></ul>
</body></html>
"""

_TAGS = (
    "p div ul ol li dl dt dd table tr td th tbody caption span b i a h1 h2 blockquote pre br img svg math style script"
    " title textarea select form noscript hr sup ruby rt section center font nobr em code button template colgroup col"
)
_ATTRIBUTES = ["", ' style="display:none"', ' class="noprint"', " hidden", " id=toc", " dir=rtl lang=ar", " colspan=2"]
_ATTRIBUTES += [' class="infobox"', " start=3", " onclick=x", " class=reference", " id=footer"]
_TEXTS = [
    "foo",
    "bar ",
    "\n",
    " ",
    "a & b",
    "&amp;",
    "&nbsp;",
    "&#13;",
    "é",
    "\U0001f600",
    "&notit",
    "x<3",
    '"q"',
    "日本",
]
_TEXTS += ["it's", "U. S. ", "e\u0301", "שלום", "&NotEqualTilde;", "<!-- c -->", "&lt;b&gt;", "Mr. X."]


def random_page(seed: int) -> bytes:
    """A random page: tags that don't match, never close or hide their content."""
    rng = random.Random(seed)
    names = _TAGS.split()
    parts = []
    for _ in range(rng.randrange(3, 60)):
        kind = rng.random()
        if kind < 0.4:
            parts.append(rng.choice(_TEXTS))
        elif kind < 0.75:
            parts.append(f"<{rng.choice(names)}{rng.choice(_ATTRIBUTES) if rng.random() < 0.3 else ''}>")
        else:
            parts.append(f"</{rng.choice(names)}>")
    return "".join(parts).encode()


def hard() -> bytes:
    return open_page(HARD.encode()).source


def wikipedia(shared: Path) -> list[bytes]:
    """Two pages of an encyclopedia."""
    return [open_page(path.read_bytes()).source for path in sorted((shared / "wikipedia").glob("*.html"))]


def published(shared: Path) -> tuple[bytes, Layout]:
    """The published example of Natural Questions with its own layout."""
    with gzip.open(shared / "nq" / "nq-dev-00.jsonl.gz") as lines:
        record = json.loads(next(iter(lines)))
    tokens = tuple(
        Token(token["token"], token["start_byte"], token["end_byte"], token["html_token"])
        for token in record["document_tokens"]
    )
    names = ("start_byte", "end_byte", "start_token", "end_token", "top_level")
    candidates = tuple(
        Candidate(*(candidate[name] for name in names)) for candidate in record["long_answer_candidates"]
    )
    return record["document_html"].encode(), Layout(PUBLISHED, tokens, candidates)


def real_and_hard(shared: Path) -> list[tuple[bytes, Layout]]:
    """The published page with its layout; the encyclopedia's and the hard one with our layouts."""
    ours = [*wikipedia(shared), hard()]
    return [published(shared), *((source, lay_out(source)) for source in ours)]
