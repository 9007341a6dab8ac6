"""The words that an example plants in what some stage must hide: which were sent, and whether they might be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from annotation.values.records import ItemRecord, Step
from tests.protocols.crawling import Exchange, occurs, place_of
from tests.protocols.playing import Player


def everything(item: ItemRecord) -> str:
    """Everything that an item and its documents contain, for sheets that leak on purpose."""
    return orjson.dumps(item.payload).decode() + "".join(
        each.source.decode(errors="replace") for each in item.documents
    )


def allowed(sentinel: str, rule: dict[str, Any], stage: str | None, chosen: bytes) -> bool:
    """Whether the word may occur in a response that shows this stage and this box."""
    return stage in rule["stages"] or (stage in rule.get("where_chosen", ()) and sentinel.encode() in chosen)


def judged(
    player: Player, rules: dict[str, dict[str, Any]], exchanges: list[Exchange]
) -> Iterator[tuple[str, str, Exchange, bool]]:
    """(word, stage, exchange, allowed) for every sentinel in what the player was sent in this state."""
    found = words_in({exchange.sent for exchange in exchanges}, rules)
    if not any(found.values()):
        return
    reached = player.reached(boxes=any("where_chosen" in rule for rule in rules.values()))
    finished = player.finished()
    for exchange in exchanges:
        stage = player.showing(exchange, reached)
        shown = Step.at(stage).stage if stage else None
        for word in found[exchange.sent]:
            rule = rules[word]
            if word in exchange.path:
                continue
            if place_of(exchange)[0] in ("finished", "api_finished", "account_data"):
                yield word, "", exchange, any(allowed(word, rule, answered, b"") for answered in finished)
            else:
                yield word, shown or "", exchange, allowed(word, rule, shown, reached.get(stage or "", b""))


def words_in(responses: set[bytes], words: Iterable[str]) -> dict[bytes, list[str]]:
    """The words in each response. Most are in none, and many requests have the same response."""
    together = b"\n".join(responses)
    folded = together.lower()
    seen = [word for word in words if occurs(word, together, folded)]
    return {sent: [word for word in seen if occurs(word, sent)] for sent in responses}
