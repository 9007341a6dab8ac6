"""The judging rounds of a release, as its data card cites them: who judged how many, what was found, and the hash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.releases import card_texts
from annotation.releases.card_texts import Manifest, markdown_table
from annotation.statistics.estimates import Estimate


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
        yield f"- System {card_texts.plain(name)}: {said['exhibits']:,} exhibits{mean}.\n"
    for pair in systems["pairs"]:
        one, other = card_texts.plain(pair["one"]), card_texts.plain(pair["other"])
        yield f"- {one} less {other}, over {pair['items']:,} items: {_measured(pair['difference'])}.\n"


def _measured(kept: list[Any]) -> str:
    found = Estimate.from_list(kept)
    ends = found.no_interval if found.low is None else f"{found.low:.2f} to {found.high:.2f}"
    return f"{found.value:.2f} ({ends})"


def _cited(entry: dict[str, Any]) -> Iterator[str]:
    about = entry["round"]
    found, raters = about["results"], about["raters"]
    people = "1 person" if raters == 1 else f"{raters:,} people"
    yield f"### {card_texts.plain(about['title'])}\n"
    yield (
        f"{people} judged {found['exhibits']:,} exhibits, of {about['exhibits']:,} drawn from {about['population']:,}"
        f"{' answers of the systems below' if found.get('systems') else ''}: "
        f"“{card_texts.plain(about['rubric']['asks'])}” Sealed on {about['sealed_at'][:10]}; "
        f"{entry['records']:,} of them are about items of this release: `{entry['name']}`.\n"
    )
    yield from _systems(found.get("systems") or {"by": {}, "pairs": []})
    for defect in about.get("defects", ()):
        yield (
            f"- Exhibit {defect['place'] + 1:,} was left out before anybody had marked it, "
            f"{_instead(defect['replaced_by'])}: “{card_texts.plain(defect['why'])}”\n"
        )
    head = (
        "Mark",
        "Share",
        "Interval",
        "Interval (Wilson)",
        "Marks",
        card_texts.plain(about["published"]["source"]) or "Published",
    )
    yield from markdown_table(head, _rows(about))
    alpha = Estimate.from_list(found["alpha"])
    if alpha.value is not None:
        ends = alpha.no_interval if alpha.low is None else f"{alpha.low:.2f} to {alpha.high:.2f}"
        yield f"- Krippendorff's alpha: {alpha.value:.2f} ({ends})."
        yield f"- The same mark from all: {found['unanimous']:,} of {found['judged_by_two']:,} exhibits."
    for check in about["rubric"].get("checks", ()):
        if said := found.get("checks", {}).get(check["key"]):
            yield f"- Said beside the mark, {card_texts.plain(check['title'])}: {_checked(said['all'])}."
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
        yield _row(card_texts.plain(mark["title"]), found["shares"][mark["key"]], [published.get(mark["key"])])
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
