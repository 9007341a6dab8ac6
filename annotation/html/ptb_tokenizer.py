"""Penn Treebank tokenizer: split a run of text into words and normalise them as in a published layout.

A web address is one word; clitics are split off ("Earth 's", "do n't"); hyphenated words are split except after the
usual prefixes (OntoNotes' list); a full stop stays with initials, letter abbreviations and a short list of others;
numbers keep their commas and points; every other sign is a word of its own. Han and kana are split by character, since
nothing marks word boundaries there; Thai, Lao, Khmer and Burmese by dictionary (goldfinch/2); emoji sequences and
combining marks stay with their base character.
Normalised text: double quotes to `` and '', square brackets to round ones, dashes to --, two or more points to "...".
"""
# ruff: noqa: SIM905 (lists of names read better as words)

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator

from annotation.documents.words import boundaries


def _ranges(categories: str, last: int) -> str:
    """Regular expression ranges of the characters up to `last` whose category starts with one of `categories`."""
    parts, first, previous = [], -1, -2
    for code in range(0x300, last + 1):
        if unicodedata.category(chr(code))[0] not in categories:
            continue
        if code != previous + 1:
            if first >= 0:
                parts.append(f"\\u{first:04x}-\\u{previous:04x}")
            first = code
        previous = code
    parts.append(f"\\u{first:04x}-\\u{previous:04x}")
    return "".join(parts)


_MARKS = _ranges("M", 0xFE0F)
_JOINED = f"{_MARKS}\u00ad\u200c\u200d\u2060\U000e0020-\U000e007f\U0001f3fb-\U0001f3ff"
"""Characters that belong to the one before: combining marks, joiners, skin tones, tag characters."""
_SINGLE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Han and kana: each character is a word."""
BY_DICTIONARY = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f]")
"""Thai, Lao, Burmese and Khmer: written without spaces, in words that are not cut by character."""
_RUN = rf"(?:[^\W{_SINGLE}]++[{_JOINED}]*+)++"
"""Letters, digits and what is joined to them. Possessive, so that hostile text can't cause backtracking."""

PREFIXES = (
    "e a u x agro ante anti arch be bi bio co counter cross cyber de eco ex extra inter intra macro mega micro mid mini"
    " multi neo non over pan para peri post pre pro pseudo quasi re semi sub super tri ultra un uni vice"
).split()
ABBREVIATIONS = (
    "p pp vol vols no nos fig figs ch sec ed eds vs etc cf ca al approx est dept Mr Mrs Ms Dr Prof Rev Hon St Mt Ft Gen"
    " Col Maj Capt Lt Sgt Sen Rep Gov Pres Sr Jr Inc Ltd Co Corp Bros Jan Feb Mar Apr Aug Sept Sep Oct Nov Dec"
).split()
_NOT_BEFORE_END = frozenset("no ed eds al est sec".split())
"""Abbreviations that are words or names as well: their full stop stays only before a number."""

_CLITIC = r"(?:[sS]|[dD]|[mM]|ll|LL|re|RE|ve|VE)\b"
_ADDRESS = r"""
      (?P<address> (?:https?|ftp)://[^\s<>"]{0,2000}[^\s<>".,;:!?)\]']
        | [\w.+-]{1,64}@\w[\w-]{0,62}(?:\.\w[\w-]{0,62})+ ) |"""
_WORDS = rf"""
      (?P<clitic> (?<![^\w{_JOINED}])['’]{_CLITIC} )
    | (?P<initials> [A-Z]\.(?:[ ][A-Z]\.(?=[ ,]))+ )
    | (?P<letters> \b(?:[^\W\d_]\.){{2,}} )
    | (?P<initial> \b[A-Z]\.(?!\w) )
    | (?P<firm> \b[A-Z]{{1,3}}&[A-Z]{{1,3}}\b )
    | (?P<number> (?<![\w])\.\d+ | \d+(?:[.,]\d+)+(?!\w) )
    | (?P<prefixed> \b(?i:{"|".join(PREFIXES)})-{_RUN} )
    | (?P<word>
        {_RUN} (?: ['’](?!{_CLITIC}){_RUN} | \.{_RUN} )*+ (?P<stop> \.(?!\.) )? )
    | (?P<points> \.{{2,}} | … )
    | (?P<dashes> -{{2,}} | [–—―] )
    | (?P<quotes> `` | '' )
    | (?P<flag> [\U0001f1e6-\U0001f1ff]{{2}} )
    | (?P<sign> \S[{_JOINED}]*(?:(?<=\u200d)\S[{_JOINED}]*)* )
"""
_PLAIN = r"(?=\S) (?: (?P<plain> [A-Za-z]+ (?=[\s,;:)]) ) |"
"""Fast path for the common case."""
_PATTERN = re.compile(f"{_PLAIN} {_WORDS} )", re.VERBOSE)
_PATTERN_WITH_ADDRESSES = re.compile(f"(?=\\S) (?: {_ADDRESS} {_WORDS} )", re.VERBOSE)
_BEFORE_OPENING = frozenset("([{-–—/")
_SIGNS = {"[": "(", "]": ")", "’": "'", "‘": "'"}
_ABBREVIATED = frozenset(ABBREVIATIONS)


def split(text: str) -> Iterator[tuple[str, int, int]]:
    """Words of `text`: (normalised text, start, end), half-open in characters, in order, not overlapping."""
    pattern = _PATTERN_WITH_ADDRESSES if "://" in text or "@" in text else _PATTERN
    for match in pattern.finditer(text):
        start, end = match.span()
        word = match.group()
        kind = match.lastgroup
        if kind == "plain":  # most words
            yield sys.intern(word), start, end
        elif kind == "sign":
            yield _sign(text, word, start), start, end
        elif kind == "word":
            yield from _word(text, word, start, end, stop=match["stop"] is not None)
        elif kind == "points":
            yield "...", start, end
        elif kind == "dashes":
            yield "--", start, end
        elif kind == "initials":
            yield word.replace(" ", ""), start, end
        elif kind == "clitic":
            yield word.replace("’", "'"), start, end
        else:
            yield sys.intern(word), start, end


def _word(text: str, word: str, start: int, end: int, *, stop: bool) -> Iterator[tuple[str, int, int]]:
    """A word; a full stop that ends the sentence and a negation ("do n't") are split off."""
    if stop and not _keeps_stop(text, word[:-1], end):
        yield from _word(text, word[:-1], start, end - 1, stop=False)
        yield ".", end - 1, end
    elif not word.isascii() and BY_DICTIONARY.search(word):
        yield from ((word[a:b], start + a, start + b) for a, b in _cut(word))
    elif word[-3:].lower() in ("n't", "n’t") and len(word) > 3:
        yield word[:-3], start, end - 3
        yield word[-3:].replace("’", "'"), end - 3, end
    else:
        yield sys.intern(word), start, end


def _cut(word: str) -> Iterator[tuple[int, int]]:
    """The words of a clause, and the signs between them: half-open ranges of its characters."""
    at = 0
    for first, end in [*boundaries(word).tokens, (len(word), len(word))]:
        yield from ((sign, sign + 1) for sign in range(at, first))
        if first < end:
            yield first, end
        at = end


def _keeps_stop(text: str, word: str, end: int) -> bool:
    """Whether the full stop that ends at `end` belongs to `word`."""
    if word.lower() in _NOT_BEFORE_END:
        return text[end : end + 1].isspace() and text[end + 1 : end + 2].isdigit()
    return word in _ABBREVIATED


def _sign(text: str, sign: str, start: int) -> str:
    """The normalised text of a single sign; double quotes open before a word and close after one."""
    if sign == '"':
        after = text[start + 1 : start + 2]
        before = text[start - 1 : start] if start else ""
        if not before.strip() and after.strip():
            closes = after in ".,;:!?)]"
        else:
            closes = before not in _BEFORE_OPENING and not before.isspace()
        return "''" if closes else "``"
    if sign == "“":
        return "``"
    if sign == "”":
        return "''"
    return _SIGNS.get(sign, sign)
