"""Reads papers in the S2ORC layouts: 2019-09-28, 2020-07-05 with its metadata file, 2021-01-01, s2orc-doc2json."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused, need
from annotation.parsing.incoming import ImportSource
from annotation.parsing.sources import TooLarge
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.protocols.qasper.layout_v03 import PaperRecord
from annotation.protocols.qasper.papers import LEVELS, OURS
from annotation.protocols.qasper.placing import PLACE

METADATA = "metadata.jsonl"
"""A file beside papers of 2020-07-05: JSON Lines with paper_id and title."""
KEPT = ("authors", "year", "venue", "arxiv_id", "arxivId", "doi", "mag_field_of_study", "has_latex")
"""Metadata fields that are kept, in the paper's document only."""
LAYOUTS = ("2019-09-28", "2020-07-05", "2021-01-01", "s2orc-doc2json")
_PARSES = ("pdf_parse", "latex_parse", "grobid_parse")
_OURS = frozenset({"body_text", "s2_pdf_hash", *_PARSES})


def looks_like(record: Any) -> bool:
    """Whether a record appears to be an S2ORC paper."""
    return isinstance(record, dict) and "paper_id" in record and not record.keys().isdisjoint(_OURS)


def _parse_of(record: Mapping[str, Any]) -> str:
    return next((key for key in _PARSES if record.get(key) is not None), "")


class Metadata:
    """The metadata file beside the papers, read when first needed."""

    def __init__(self, source: ImportSource) -> None:
        self._source = source

    @cached_property
    def _by_id(self) -> dict[str, dict[str, Any]] | None:
        try:
            data = self._source.resource(METADATA)
        except TooLarge as error:
            raise ImportRefused(f"{error} Keep only the lines of the papers that you import.") from None
        except LookupError:
            return None
        found = {}
        for number, line in enumerate(data.split(b"\n"), start=1):
            if line.strip():
                try:
                    record = strict_loads(line)
                    found[str(record["paper_id"])] = record
                except (JsonRefused, KeyError, TypeError):
                    raise ImportRefused(f"{METADATA}, line {number:,}: not an object with a paper_id.") from None
        return found

    def for_paper(self, paper_id: str) -> dict[str, Any]:
        """The metadata of one paper, or LineRefused."""
        if self._by_id is None:
            reason = f"This layout (2020-07-05) has titles in a separate file; there is no {METADATA} beside the paper."
            raise LineRefused("title", reason)
        if paper_id not in self._by_id:
            raise LineRefused("title", f"{METADATA} has no line with the paper_id {paper_id}.")
        return self._by_id[paper_id]


def read_paper(record: dict[str, Any], metadata: Metadata) -> tuple[PaperRecord, dict[str, Any]]:
    """The paper, and a record of its licence and origin for `admission.stated`; or LineRefused."""
    paper_id = record["paper_id"]
    if type(paper_id) is int:
        paper_id = str(paper_id)
    if not fields.typed(paper_id, str, "paper_id").strip():
        raise LineRefused("paper_id", "The id is empty.")
    name = _parse_of(record)
    if name and "metadata" in record:
        about, body, layout = need(record, "metadata", dict), need(record, name, dict), "s2orc-20190928"
    elif name:
        about, body, layout = record, need(record, name, dict), "s2orc-doc2json"
    elif not any(key in record for key in ("body_text", "_pdf_hash")):
        raise LineRefused("", "The paper has no full text, only metadata.")
    elif "metadata" in record:
        about, body, layout = need(record, "metadata", dict), record, "s2orc-20210101"
    elif "_pdf_hash" in record and isinstance(record.get("abstract"), list):
        about, body, layout = metadata.for_paper(paper_id), record, "s2orc-20200705"
    else:
        raise LineRefused("", f"This is not one of the S2ORC layouts: {', '.join(LAYOUTS)}.")
    document: dict[str, Any] = {
        "title": need(about, "title", str, "" if about is record else "metadata", longest=MAX_SHORT),
        "abstract": next(filter(None, (_abstract(part.get("abstract")) for part in (record, body, about))), ""),
        "full_text": _sections(body, name),
        "figures_and_tables": _floats(paper_id, body, name),
        OURS: {"layout": layout} | {key: about[key] for key in KEPT if about.get(key) is not None},
    }
    fields.unknown(document[OURS], ())
    return PaperRecord(paper_id, document), _stated(record, about)


def _abstract(raw: Any) -> str:
    """An abstract as one text; a list of paragraphs becomes one line each."""
    if raw is None or isinstance(raw, str):
        return fields.typed(raw or "", str, "abstract")
    return "\n".join(
        need(fields.typed(entry, dict, f"abstract[{place}]"), "text", str, f"abstract[{place}]")
        for place, entry in enumerate(fields.typed(raw, list, "abstract"))
    )


def _stated(record: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: record.get(key, about.get(key)) for key in ("licence", "license")}
    arxiv = about.get("arxiv_id") or about.get("arxivId")
    found["archive"] = "arXiv" if arxiv else None
    found["field"] = about.get("mag_field_of_study") or None
    found["has_latex"] = about.get("has_latex")
    return found


def _sections(body: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Sections of consecutive paragraphs; numbers such as 2.1 give the nesting."""
    sections: list[dict[str, Any]] = []
    before: tuple[str, str] | None = None
    headings: dict[str, str] = {}
    for place, entry in enumerate(need(body, "body_text", list, name)):
        where = f"{name}.body_text[{place}]" if name else f"body_text[{place}]"
        text = need(fields.typed(entry, dict, where), "text", str, where)
        heading = "" if entry.get("section") is None else need(entry, "section", str, where)
        number = str(entry.get("sec_num") or "").rstrip(".")
        if before != (heading, number):
            before = (heading, number)
            sections.append({"section_name": _named(heading, number, headings), "paragraphs": []})
        sections[-1]["paragraphs"].append(text)
    return sections


def _named(heading: str, number: str, headings: dict[str, str]) -> str | None:
    """The heading, preceded by those of the enclosing sections that have been read."""
    if number:
        headings[number] = heading
    parts = number.split(".")
    around = (headings.get(".".join(parts[:depth])) for depth in range(1, len(parts)))
    return LEVELS.join([*filter(None, around), heading]) if heading else None


def _floats(paper_id: str, body: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Figures and tables in the order of the file, without entries of other types (sections, footnotes)."""
    where = f"{name}.ref_entries" if name else "ref_entries"
    entries = need(body, "ref_entries", dict, name) if body.get("ref_entries") is not None else {}
    places = _first_references(body)
    floats = []
    for key, entry in entries.items():
        fields.typed(entry, dict, f"{where}.{key}")
        kind = entry.get("type_str") or entry.get("type")
        if kind not in ("figure", "table"):
            continue
        caption = "" if entry.get("text") is None else need(entry, "text", str, f"{where}.{key}")
        found: dict[str, Any] = {"file": f"figures/{paper_id}/{key}.png", "caption": caption, "kind": kind}
        if key in places:
            found[PLACE] = places[key]
        content = entry.get("content")
        if isinstance(content, str) and content.replace("<table/>", "").strip():
            found["content"] = content
        floats.append(found)
    return floats


def _first_references(body: Mapping[str, Any]) -> dict[str, int]:
    """For each entry, the index of the first paragraph that refers to it; malformed references are ignored."""
    found: dict[str, int] = {}
    for place, entry in enumerate(body["body_text"]):
        spans = entry.get("ref_spans")
        for span in spans if isinstance(spans, list) else ():
            key = span.get("ref_id") if isinstance(span, dict) else None
            if isinstance(key, str):
                found.setdefault(key, place)
    return found
