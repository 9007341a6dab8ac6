"""The outbox of webhooks: whatever writes an event, a trigger adds what is to be delivered, in the same transaction.

So no code that writes events needs to know of webhooks, none can forget them, and no transaction has a statement more.
"""

from __future__ import annotations

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
