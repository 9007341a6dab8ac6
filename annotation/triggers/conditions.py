"""What the triggers of the database refuse, and what one of them writes.

A payload has exactly the keys of its kind. Of a judging round, what is sealed stays as it is, marks are final once
locked, and an ended round takes nothing more.

The outbox of webhooks: whatever writes an event, a trigger adds what is to be delivered, in the same transaction.
So no code that writes events needs to know of webhooks, none can forget them, and no transaction has a statement more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from annotation import registry
from annotation.models import (
    Confirmation,
    Consensus,
    Defect,
    Exhibit,
    JudgingRound,
    Rater,
    Removal,
    Response,
    RoundState,
)
from annotation.models.meeting import OF_EXHIBITS


def shapes(schema: Any) -> tuple[str, dict[str, list[frozenset[str]]]] | None:
    """For a discriminated union: the discriminator's name, and value -> allowed key sets. None for other schemas."""
    core = schema.core_schema
    shared = {each["ref"]: each for each in core.get("definitions", ())}  # models that stand for several values
    while core["type"] in ("definitions", "function-wrap", "function-after", "function-before"):
        core = core["schema"]
    if core["type"] != "tagged-union":
        return None
    found: dict[str, list[frozenset[str]]] = {}
    for value, choice in core["choices"].items():
        choice = shared.get(choice.get("schema_ref"), choice)
        model = choice["cls"] if "cls" in choice else choice["schema"]["cls"]
        found[str(value)] = [frozenset(model.model_fields)]
    return str(core["discriminator"]), found


def conditions_of_payloads(vendor: str) -> Iterator[tuple[str, str]]:
    """(label, SQL condition that refuses an INSERT into Response), for every stage whose schema is a union."""
    for protocol in registry.all_protocols():
        seen = set()
        for activity in protocol.activities:
            for stage in activity.stages:
                shape = shapes(stage.schema)
                if shape is None or stage.schema_name in seen:
                    continue
                seen.add(stage.schema_name)
                label = re.sub(r"\W", "_", stage.schema_name)
                yield label, _refused(vendor, stage.schema_name, *shape)


def _refused(vendor: str, name: str, discriminator: str, kinds: dict[str, list[frozenset[str]]]) -> str:
    if vendor == "sqlite":
        kind = f"json_extract(NEW.payload, '$.{discriminator}')"
        keys = "(SELECT group_concat(key, ',') FROM (SELECT key FROM json_each(NEW.payload) ORDER BY key))"
    else:
        kind = f"(NEW.payload ->> '{discriminator}')"
        keys = "(SELECT string_agg(k, ',' ORDER BY k COLLATE \"C\") FROM jsonb_object_keys(NEW.payload) k)"
    allowed = " OR ".join(
        f"({kind} = '{value}' AND {keys} = '{','.join(sorted(keyset))}')"
        for value, keysets in sorted(kinds.items())
        for keyset in keysets
    )
    return f"NEW.schema = '{name}' AND NOT COALESCE({allowed}, {'0' if vendor == 'sqlite' else 'FALSE'})"


ENDED = f"('{RoundState.CLOSED}', '{RoundState.STOPPED}')"
SEALED = (
    f"EXISTS (SELECT 1 FROM {JudgingRound._meta.db_table} g"  # noqa: S608 # our own names
    f" WHERE g.id = NEW.round_id AND g.state <> '{RoundState.DRAFT}')"
)
"""Whether a new exhibit would be one more of what was sealed."""
ROUND_OF = "JOIN annotation_judginground g ON g.id ="
NO_LONGER_JUDGED = (
    "EXISTS (SELECT 1 FROM annotation_annotation a JOIN annotation_exhibit e ON e.id = a.exhibit_id"
    " JOIN annotation_judginground g ON g.id = e.round_id WHERE a.id = NEW.annotation_id AND (g.state <> 'sealed'"
    " OR EXISTS (SELECT 1 FROM annotation_rater r WHERE r.round_id = e.round_id AND r.person_id = a.author_id"
    " AND r.locked_at IS NOT NULL)"
    " OR EXISTS (SELECT 1 FROM annotation_recusal s WHERE s.round_id = e.round_id AND s.person_id = a.author_id"
    " AND s.item_id = e.item_id)"
    " OR EXISTS (SELECT 1 FROM annotation_removal m JOIN annotation_rater r ON r.id = m.rater_id"
    " WHERE r.round_id = e.round_id AND r.person_id = a.author_id)"
    " OR EXISTS (SELECT 1 FROM annotation_defect d WHERE d.exhibit_id = e.id)))"
)
"""Whether a new response is a judgement of a rater who has locked their round or looked at the item since the seal, was
replaced, of a defect, or of a round past its judgements."""
MARKED = (
    "EXISTS (SELECT 1 FROM annotation_annotation a JOIN annotation_response s ON s.annotation_id = a.id"
    " WHERE a.exhibit_id = NEW.exhibit_id)"
)
"""Whether a new defect has a mark."""
UNCONFIRMED = (
    "EXISTS (SELECT 1 FROM annotation_rater r JOIN annotation_exhibit e ON e.round_id = r.round_id"
    " WHERE e.id = NEW.exhibit_id AND r.locked_at IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM annotation_removal m WHERE m.rater_id = r.id)"
    " AND EXISTS (SELECT 1 FROM annotation_annotation a JOIN annotation_response s ON s.annotation_id = a.id"
    " WHERE a.exhibit_id = e.id AND a.author_id = r.person_id)"
    " AND NOT EXISTS (SELECT 1 FROM annotation_confirmation c WHERE c.rater_id = r.id"
    " AND c.proposal_id = NEW.proposal_id AND c.holds AND NOT EXISTS (SELECT 1 FROM annotation_confirmation d"
    " WHERE d.rater_id = c.rater_id AND d.proposal_id = c.proposal_id AND d.id > c.id)))"
)
"""Whether a new consensus lacks the confirmation of a voter: of a rater with a mark of the exhibit, not removed."""


def conditions_of_rounds() -> Iterator[tuple[str, str, str, str]]:
    """(label, table, SQL condition that refuses the event, event)."""
    yield "late_judgements", Response._meta.db_table, NO_LONGER_JUDGED, "INSERT"
    yield "sealed_exhibits", Exhibit._meta.db_table, SEALED, "INSERT"
    yield "marked_defect", Defect._meta.db_table, MARKED, "INSERT"
    yield "ended_round", JudgingRound._meta.db_table, f"OLD.state IN {ENDED}", "UPDATE"
    for model in OF_EXHIBITS:
        of_exhibit = f"{Exhibit._meta.db_table} e {ROUND_OF} e.round_id WHERE e.id = NEW.exhibit_id"
        yield f"{model._meta.db_table}_at_meeting", model._meta.db_table, _not_meeting(of_exhibit), "INSERT"
    of_proposal = (
        f"annotation_proposal p JOIN annotation_exhibit e ON e.id = p.exhibit_id {ROUND_OF} e.round_id"
        " WHERE p.id = NEW.proposal_id"
    )
    yield "confirmation_at_meeting", Confirmation._meta.db_table, _not_meeting(of_proposal), "INSERT"
    of_rater = f"{Rater._meta.db_table} r {ROUND_OF} r.round_id WHERE r.id = NEW.rater_id"
    yield "removal_from_round", Removal._meta.db_table, _over(of_rater), "INSERT"
    yield "unconfirmed_consensus", Consensus._meta.db_table, UNCONFIRMED, "INSERT"


def _not_meeting(rows: str) -> str:
    return f"EXISTS (SELECT 1 FROM {rows} AND g.state <> '{RoundState.MEETING}')"  # noqa: S608 # our own names


def _over(rows: str) -> str:
    """Whether the round is neither judged nor at its meeting."""
    return f"EXISTS (SELECT 1 FROM {rows} AND g.state NOT IN ('{RoundState.SEALED}', '{RoundState.MEETING}'))"  # noqa: S608 # our own names


LABEL = "annotation_event_outbox"
TABLE = "annotation_event"
_UUID = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}
_INSERT = (
    "INSERT INTO tasks_delivery (uuid, webhook_id, event, kind, outcome, failures, made_at, due_at)"
    " SELECT {uuid}, k.webhook_id, NEW.id, k.kind, 'waiting', 0, NEW.at, NEW.at FROM tasks_webhookkind k"
    " WHERE k.project_id = NEW.project_id AND k.event_kind = NEW.kind;"
)


def outbox_statements(vendor: str, name: str) -> list[str]:
    """The statements that create the trigger under that name."""
    insert = _INSERT.format(uuid=_UUID[vendor])
    if vendor == "sqlite":
        return [f'CREATE TRIGGER "{name}" AFTER INSERT ON "{TABLE}" BEGIN {insert} END']
    body = f"BEGIN {insert} RETURN NULL; END"
    return [
        f'CREATE OR REPLACE FUNCTION "{name}"() RETURNS trigger LANGUAGE plpgsql AS $gf$ {body} $gf$',
        f'CREATE TRIGGER "{name}" AFTER INSERT ON "{TABLE}" FOR EACH ROW EXECUTE FUNCTION "{name}"()',
    ]
