"""A seeded mutation fuzzer for hostile files and payloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

PIECES = [
    *b"< > </ <!-- --> <![CDATA[ & &#0; &#x110000; = / { } [ ] , : 1e999 \\u \\ud800 <table> <template> <svg> <math>"
    b" <plaintext> <frameset> <select>".split(b" "),
    *(b'"', b"'", b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\x0c"),
]
"""Bytes that parsers stumble over."""


def of_bytes(seeds: Sequence[bytes], *, count: int, seed: int) -> Iterator[bytes]:
    """So many files, each some mutations from one of these: cut, spliced, repeated, corrupted, or with insertions."""
    rng = Random(seed)
    for _ in range(count):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(data) + 1)
            end = min(len(data), at + rng.randrange(1, 400))
            how = rng.randrange(6)
            if how == 0:
                del data[at:end]
            elif how == 1:
                data[at:at] = data[at:end] * rng.randrange(1, 40)
            elif how == 2:
                data[at:end] = rng.randbytes(end - at)
            elif how == 3:
                other = rng.choice(seeds)
                data[at:] = other[rng.randrange(len(other) + 1) :]
            else:
                data[at:at] = rng.choice(PIECES) * rng.choice((1, 1, 1, 2, 50, 300))
        yield bytes(data)


AROUND = """<div>{}</div>
<table><tr><td>{}</table>
<table>{}<td>
<svg>{}</svg>
<svg><style>{}
<svg><foreignObject>{}
<math>{}</math>
<math><mtext>{}
<math><annotation-xml encoding='text/html'>{}
<template>{}</template>
<noscript>{}</noscript>
<select>{}</select>
<p title='>{}'>
<textarea>{}</textarea>
<style>{}</style>
<title>{}</title>
<!--{}-->
<a href=x>{}</a>
<b><i>{}</b></i>
<form>{}</form>
<button>{}</button>
<xmp>{}</xmp>
</p></div></body>{}
<iframe>{}</iframe>
<details open>{}</details>
<ul><li>{}</ul>""".splitlines()
"""Contexts in which markup is parsed differently."""
KEPT = ("ranN", "RAN", "EVIL")
"""The placeholders for a script and for a URL, which must stay intact."""
EXTRA = ("<", ">", "/", "&#9;", "&NewLine;", "'", '"', "`", "\u2028", "\ufeff", "<!---->", "&lt;")


def of_payloads(seeds: Sequence[str], *, count: int, seed: int) -> Iterator[str]:
    """So many payloads, each some mutations away from one of these, and different from all of them."""
    rng, known = Random(seed), set(seeds)
    while count:
        payload = rng.choice(seeds)
        for _ in range(rng.randint(1, 3)):
            payload = _changed(payload, seeds, rng)
        if payload not in known:
            known.add(payload)
            count -= 1
            yield payload


def _changed(payload: str, seeds: Sequence[str], rng: Random) -> str:
    how = rng.randrange(7)
    if how == 0:
        return rng.choice(AROUND).replace("{}", payload)
    if how == 1:
        return payload + rng.choice(seeds)
    if how == 2:  # white space of any kind replaced by another
        return payload.replace(" ", rng.choice(("\t", "\n", "\x0c", "/", "  ", "\r\n")))
    if how == 3:
        return "".join(part if part in KEPT else part.swapcase() for part in _parts(payload))
    if how == 4:  # a character corrupted or inserted, outside of what must stay intact
        parts = _parts(payload)
        place = rng.choice([number for number, part in enumerate(parts) if part not in KEPT])
        at = rng.randrange(len(parts[place]) + 1)
        extra = rng.choice(EXTRA)
        parts[place] = parts[place][:at] + extra + parts[place][at + rng.randrange(2) :]
        return "".join(parts)
    if how == 5:  # inside another
        other = rng.choice(seeds)
        at = other.find(">") + 1
        return other[:at] + payload + other[at:]
    return payload.replace("=", rng.choice((" = ", "=\n", "\t=")), 1)


def _parts(payload: str) -> list[str]:
    """The text split at what must stay intact, with those parts in between."""
    found = [payload]
    for word in KEPT:
        found = [piece for part in found for piece in ([part] if part in KEPT else _divided(part, word))]
    return found


def _divided(text: str, word: str) -> list[str]:
    first, *others = text.split(word)
    return [first, *(piece for other in others for piece in (word, other))]
