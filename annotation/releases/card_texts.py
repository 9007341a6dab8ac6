"""Parts of the data card of a release, read from its manifest: what leads wrote, texts as Markdown, and the judging
rounds that it cites: who judged how many, what was found, and the hash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.statistics.estimates import Estimate

Manifest = dict[str, Any]


def texts_of(manifest: Manifest) -> dict[str, str]:
    """What leads wrote for the card, by the names of `CardTexts`; releases from before that have none."""
    texts: dict[str, str] = manifest["measured"].get("texts", {})
    return texts


def languages_of(manifest: Manifest) -> list[str]:
    """The codes of the languages that leads named."""
    return [code for each in texts_of(manifest).get("language", "").split(",") if (code := each.strip())]


def authors_of(manifest: Manifest) -> list[str]:
    """The authors that leads named, or else the organisation, if it has a name."""
    named = [" ".join(line.split()) for line in texts_of(manifest).get("authors", "").splitlines()]
    return [each for each in named if each] or list(filter(None, [manifest["measured"]["organisation"]]))


def written_by_leads(manifest: Manifest, *parts: tuple[str, str]) -> Iterator[str]:
    """The texts with these names, each under its heading; their Markdown is kept, but for high headings."""
    for name, heading in parts:
        if text := tidied(texts_of(manifest).get(name, "")):
            yield f"## {heading}\n\n{text}\n" if heading else f"{text}\n"


def tidied(text: str) -> str:
    """The text of a lead, in which headings are below those of the card."""
    return re.sub(r"^#{1,2}(?=\s)", "###", text.replace("\r\n", "\n").strip(), flags=re.MULTILINE)


def plain(text: str) -> str:
    """A text on one line that Markdown doesn't interpret."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", " ".join(text.split()))


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table, and an empty one after it; cells are Markdown already."""
    head = list(head)
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def cited_rounds(manifest: Manifest) -> Iterator[str]:
    """A section about the rounds; nothing for a release without any."""
    rounds = manifest.get("rounds", ())
    if not rounds:
        return
    yield "## How good the answers are\n"
    yield (
        "People judged a sealed draw of answers, each alone and without knowing who had answered. What each of them "
        "said is in the files named below, where raters are r1, r2 and so on; what was found is of the whole round. "
        "Intervals: 95 %, a BCa bootstrap over items, and Wilson's, which takes each mark for independent.\n"
    )
    for entry in rounds:
        yield from _cited(entry)


def _systems(systems: dict[str, Any]) -> Iterator[str]:
    for name, said in systems["by"].items():
        mean = f", mean score {_measured(said['mean'])}" if said["mean"] else ""
        yield f"- System {plain(name)}: {said['exhibits']:,} exhibits{mean}.\n"
    for pair in systems["pairs"]:
        one, other = plain(pair["one"]), plain(pair["other"])
        yield f"- {one} less {other}, over {pair['items']:,} items: {_measured(pair['difference'])}.\n"


def _measured(kept: list[Any]) -> str:
    found = Estimate.from_list(kept)
    ends = found.no_interval if found.low is None else f"{found.low:.2f} to {found.high:.2f}"
    return f"{found.value:.2f} ({ends})"


def _cited(entry: dict[str, Any]) -> Iterator[str]:
    about = entry["round"]
    found, raters = about["results"], about["raters"]
    people = "1 person" if raters == 1 else f"{raters:,} people"
    yield f"### {plain(about['title'])}\n"
    yield (
        f"{people} judged {found['exhibits']:,} exhibits, of {about['exhibits']:,} drawn from {about['population']:,}"
        f"{' answers of the systems below' if found.get('systems') else ''}: "
        f"“{plain(about['rubric']['asks'])}” Sealed on {about['sealed_at'][:10]}; "
        f"{entry['records']:,} of them are about items of this release: `{entry['name']}`.\n"
    )
    yield from _systems(found.get("systems") or {"by": {}, "pairs": []})
    for defect in about.get("defects", ()):
        yield (
            f"- Exhibit {defect['place'] + 1:,} was left out before anybody had marked it, "
            f"{_instead(defect['replaced_by'])}: “{plain(defect['why'])}”\n"
        )
    head = (
        "Mark",
        "Share",
        "Interval",
        "Interval (Wilson)",
        "Marks",
        plain(about["published"]["source"]) or "Published",
    )
    yield from markdown_table(head, _rows(about))
    alpha = Estimate.from_list(found["alpha"])
    if alpha.value is not None:
        ends = alpha.no_interval if alpha.low is None else f"{alpha.low:.2f} to {alpha.high:.2f}"
        yield f"- Krippendorff's alpha: {alpha.value:.2f} ({ends})."
        yield f"- The same mark from all: {found['unanimous']:,} of {found['judged_by_two']:,} exhibits."
    for check in about["rubric"].get("checks", ()):
        if said := found.get("checks", {}).get(check["key"]):
            yield f"- Said beside the mark, {plain(check['title'])}: {_checked(said['all'])}."
    yield f"- Seed: `{about['seed']}`. SHA-256 of what was sealed: `{about['sha256']}`\n"


def _checked(every: dict[str, Any]) -> str:
    if "yes" in every:
        return f"yes {every['yes']:,}, no {every['no']:,}, not answered {every['unanswered']:,}"
    return (
        f"{every['n']:,} of {every['m']:,} in all, in the mean {_percent(every['mean'])}, "
        f"answered {every['answered']:,}, not answered {every['unanswered']:,}"
    )


def _instead(place: int | None) -> str:
    return "with nothing in its place" if place is None else f"and exhibit {place + 1:,} judged in its place"


def _rows(about: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    found, published = about["results"], about["published"]["shares"]
    for mark in about["rubric"]["marks"]:
        yield _row(plain(mark["title"]), found["shares"][mark["key"]], [published.get(mark["key"])])
    if found["right"]:
        yield _row("Right", found["right"], [published.get(key) for key in about["rubric"]["right"]])


def _row(title: str, kept: dict[str, Any], published: list[float | None]) -> tuple[str, ...]:
    share = Estimate.from_list(kept["share"])
    ends = share.no_interval if share.low is None else f"{_percent(share.low)} to {_percent(share.high)}"
    known = [each for each in published if each is not None]
    return (
        title,
        _percent(share.value),
        ends,
        " to ".join(map(_percent, kept["wilson"])),
        f"{kept['marks']:,} of {kept['of']:,}",
        _percent(sum(known)) if known else "–",
    )


def _percent(part: float | None) -> str:
    return "–" if part is None else f"{100 * part:.1f} %"
