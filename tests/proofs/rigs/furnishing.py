"""In a process of the site: an item for each payload, all held by one person, each question found good.

`python -m tests.proofs.rigs.furnishing HOST:PORT` (the server the payloads contact) prints JSON: the person's session
cookie and the handles of the assignments in the order of the payloads, then that of a harmless page.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import django


def main(evil: str) -> None:
    """Furnish the site given by the environment."""
    django.setup()
    from django.conf import settings
    from django.test import Client

    from annotation import clock, recording
    from annotation.models import User
    from tasks import leases, queues
    from tasks.models import Assignment
    from tests.builders import GOOD, Worker, load, project, questions, write_lines
    from tests.people import join
    from tests.proofs.rigs.script_payloads import PAYLOADS, armed

    now, made = clock.now(), project("frames", activities={"annotate": {"lease_minutes": 600}})
    pages = [f"<p>Before.</p>{armed(number, evil)}<p>After.</p>" for number in range(len(PAYLOADS))]
    pages.append("<p>Harmless.</p>")
    lines = [line for number, page in enumerate(pages) for line in questions(1, start=number, page=page)]
    with tempfile.TemporaryDirectory() as folder:
        load(made, write_lines(Path(folder) / "frames.jsonl", lines), clock=clock.now)
    queue, _ = queues.open_queue(made, "annotate", by=None, now=now)
    User.objects.create(username="frida")
    user, handles = join(made, "frida"), []
    lease = leases.open_lease(annotator=user, queue=queue, now=now)
    guidelines = made.guidelines.get().pk
    for task in queue.tasks.order_by("item__position"):
        begun = recording.open_annotation(
            item_id=task.item_id, author=user, activity="annotate", round=1, guidelines_id=guidelines, now=now
        )
        held = Assignment.objects.create(
            task=task, lease=lease, annotator=user, slot=0, annotation=begun, claimed_at=now
        )
        Worker(user, made).commit(held, "question", GOOD, now=now)
        handles.append(str(held.uuid))
    client = Client()
    client.force_login(user)
    session = settings.SESSION_COOKIE_NAME
    print(json.dumps({"name": session, "cookie": client.cookies[session].value, "handles": handles}))


if __name__ == "__main__":
    main(sys.argv[1])
