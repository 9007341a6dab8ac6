"""Ranked search in titles and abstracts (FTS5 on SQLite, tsvector on PostgreSQL), and for leads in captions and ids."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet

from annotation import registry
from annotation.documents.words import boundaries, caseless, opening, words
from annotation.models import Item, ItemText, SearchText

OPEN, CLOSE = "\x02", "\x03"
"""Marks around a matched word; `index` strips them from all text."""
HELD = "\x04\x05\x06"
"""Placeholders for < > & while PostgreSQL cuts the excerpt, which would drop them as markup."""
SEAM = "\x1f"
"""What stands in the index where a word ends and neither white space nor ASCII says so: the databases know neither
Chinese words nor, on some PostgreSQL, punctuation that is not ASCII's. Like the others it is stripped from all text."""
WORDS_SHOWN = 40
"""Words of the abstract in a result."""
AT_MOST = 200
"""Results of one query: nobody reads further, and the items that may be shown are chosen from these."""
_UNMARKED = str.maketrans("", "", OPEN + CLOSE + HELD + SEAM)

TRIGGERS = {
    "searchtext_insert": """AFTER INSERT ON annotation_searchtext BEGIN
        INSERT INTO searchtext_fts(rowid, title, abstract) VALUES (new.id, new.title, new.abstract); END""",
    "searchtext_delete": """AFTER DELETE ON annotation_searchtext BEGIN
        INSERT INTO searchtext_fts(searchtext_fts, rowid, title, abstract)
        VALUES ('delete', old.id, old.title, old.abstract); END""",
}
"""Keep the FTS5 index in step with its content table."""
VECTOR = "setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', abstract), 'B')"
_OPTIONS = f"StartSel={OPEN},StopSel={CLOSE}"

TERMS = {
    "sqlite": lambda words: " ".join('"{}"'.format(word.replace('"', '""')) for word in words),
    "postgresql": " ".join,
}
"""The words of a query in the database's syntax; all of them must match."""
IN_WORK = "i.undone_at IS NULL AND i.set_aside_at IS NULL"
"""The items of the work: `annotation.models.items_in_work` in SQL."""
RANKED = {
    "sqlite": f"""
        SELECT s.item_id FROM searchtext_fts JOIN annotation_searchtext s ON s.id = searchtext_fts.rowid
        JOIN annotation_item i ON i.id = s.item_id
        WHERE searchtext_fts MATCH %s AND i.project_id = %s AND {IN_WORK}
        ORDER BY bm25(searchtext_fts, 4.0, 1.0), s.id LIMIT {AT_MOST}""",  # noqa: S608 -- our own constants
    "postgresql": f"""
        SELECT s.item_id FROM annotation_searchtext s JOIN annotation_item i ON i.id = s.item_id,
               plainto_tsquery('english', %s) q
        WHERE s.vector @@ q AND i.project_id = %s AND {IN_WORK}
        ORDER BY ts_rank_cd(s.vector, q) DESC, s.id LIMIT {AT_MOST}""",  # noqa: S608 -- our own constants
}
EXCERPTS = {
    "sqlite": f"""
        SELECT s.item_id, highlight(searchtext_fts, 0, '{OPEN}', '{CLOSE}'),
               snippet(searchtext_fts, 1, '{OPEN}', '{CLOSE}', '…', {WORDS_SHOWN})
        FROM searchtext_fts JOIN annotation_searchtext s ON s.id = searchtext_fts.rowid
        WHERE searchtext_fts MATCH %s AND searchtext_fts.rowid IN
              (SELECT id FROM annotation_searchtext WHERE item_id IN ({{}}))""",  # noqa: S608 -- our own constants
    "postgresql": f"""
        SELECT item_id,
               ts_headline('english', translate(title, '<>&', '{HELD}'), q, '{_OPTIONS},HighlightAll=true'),
               ts_headline('english', translate(abstract, '<>&', '{HELD}'), q,
                           '{_OPTIONS},MaxWords={WORDS_SHOWN},MinWords={WORDS_SHOWN - 10}')
        FROM annotation_searchtext, plainto_tsquery('english', %s) q
        WHERE item_id IN ({{}})""",  # noqa: S608 -- our own constants
}


@dataclass(frozen=True)
class Hit:
    """A search result: its title and the best part of its abstract, in pieces (text, whether it matched)."""

    item_id: int
    title: tuple[tuple[str, bool], ...]
    excerpt: tuple[tuple[str, bool], ...]


def index(items: Iterable[tuple[Item, str, str]]) -> None:
    """Add items (with title and abstract) to the index."""
    SearchText.objects.bulk_create(
        SearchText(item=item, title=indexed_text(title), abstract=indexed_text(abstract))
        for item, title, abstract in items
    )


def indexed_text(text: str) -> str:
    """A text as it stands in the index: NFC, with seams between words."""
    text = unicodedata.normalize("NFC", text.translate(_UNMARKED))
    if text.isascii():
        return text
    ends = sorted({at for token in boundaries(text).tokens for at in (token.start, token.end) if _is_seam(text, at)})
    starts = [0, *ends]
    return SEAM.join(text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True))


def _is_seam(text: str, at: int) -> bool:
    beside = text[max(0, at - 1) : at + 1]
    return len(beside) == 2 and not beside.isascii() and not any(map(str.isspace, beside))


CAPTION = 500
"""Characters of a caption in which leads find an item."""


def index_captions(items: Sequence[Item], *, protocol: str) -> None:
    """Let leads find these items by their captions and external ids."""
    caption = registry.get(protocol).caption
    ItemText.objects.bulk_create(
        ItemText(item=item, text=caption_text(caption(item.kind, item.payload), item.external_id)) for item in items
    )


def caption_text(caption: str, external_id: str) -> str:
    """The text in which a lead's words are looked for: that of `ItemText`. Underscores, as in titles, are blanks."""
    return caseless(f"{caption[:CAPTION]}\n{external_id}").replace("_", " ")


def with_words(items: QuerySet[Item], query: str) -> QuerySet[Item]:
    """Those of the items in whose caption or external id every word of the query occurs, also inside of words."""
    for word in caseless(query).replace("_", " ").split()[:10]:
        items = items.filter(text__text__contains=word)
    return items


def find(project_id: int, query: str) -> list[int]:
    """The items of the project that match a query, best first, at most 200; words match by stem, in any order."""
    words = _words(query)
    if not words:
        return []
    sql, wanted = RANKED[connection.vendor], TERMS[connection.vendor](words)
    with connection.cursor() as cursor:
        cursor.execute(sql, [wanted, project_id])
        return [item_id for (item_id,) in cursor.fetchall()]


def hits(item_ids: Sequence[int], query: str) -> list[Hit]:
    """Titles and excerpts of some of the items that `find` gave, in the order of `item_ids`.

    Separate from `find`, since an excerpt costs more than the whole ranking, and few results are shown.
    """
    if not item_ids:
        return []
    sql, wanted = EXCERPTS[connection.vendor], TERMS[connection.vendor](_words(query))
    with connection.cursor() as cursor:
        cursor.execute(sql.format(", ".join(["%s"] * len(item_ids))), [wanted, *item_ids])
        rows = {item_id: (title, excerpt) for item_id, title, excerpt in cursor.fetchall()}
    return [Hit(item_id, *map(_pieces, rows[item_id])) for item_id in item_ids if item_id in rows]


def _words(query: str) -> list[str]:
    text = unicodedata.normalize("NFC", query)
    return [word.text_in(text) for word in words(text)][:20]


def beginning(item: Item) -> Hit:
    """An item shown without a search: its title and the first words of its abstract."""
    title, abstract = (text.replace(SEAM, "") for text in (item.search_text.title, item.search_text.abstract))
    return Hit(item.pk, ((title, False),), ((opening(abstract, WORDS_SHOWN), False),))


def _pieces(text: str) -> tuple[tuple[str, bool], ...]:
    parts = re.split(f"[{OPEN}{CLOSE}]", text.replace(SEAM, "").translate(str.maketrans(HELD, "<>&")))
    return tuple((part, place % 2 == 1) for place, part in enumerate(parts) if part)


def create_index(database: Any) -> None:
    """Create the index if it is missing; on SQLite with its triggers, which a rebuilt table loses."""
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            # Stored, and in the row itself: ranking reads the vector of every match, and computing or detoasting it
            # takes longer than everything else.
            cursor.execute("ALTER TABLE annotation_searchtext SET (toast_tuple_target = 8160)")
            cursor.execute(
                "ALTER TABLE annotation_searchtext ADD COLUMN IF NOT EXISTS vector tsvector"
                f" GENERATED ALWAYS AS ({VECTOR}) STORED"
            )
            cursor.execute("CREATE INDEX IF NOT EXISTS searchtext_words ON annotation_searchtext USING gin (vector)")
            cursor.execute("DROP INDEX IF EXISTS searchtext_vector")
            return
        cursor.execute("SELECT count(*) FROM sqlite_master WHERE name = 'searchtext_fts'")
        fresh = not cursor.fetchone()[0]
        cursor.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS searchtext_fts USING fts5(title, abstract,"
            " content='annotation_searchtext', content_rowid='id', tokenize='porter unicode61')"
        )
        for name, statement in TRIGGERS.items():
            cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {statement}")
        if fresh:
            cursor.execute("INSERT INTO searchtext_fts(searchtext_fts) VALUES ('rebuild')")


def index_after_migrate(*, using: str, app_config: Any, **kwargs: Any) -> None:
    """Signal receiver: create the index once its table exists."""
    if app_config.name == "annotation" and using == DEFAULT_DB_ALIAS:
        table = apps.get_model("annotation.SearchText")._meta.db_table
        if table in connections[using].introspection.table_names():
            create_index(connections[using])
