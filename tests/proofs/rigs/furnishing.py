"""In a process of the site: an item for each payload, all held by one person, each question found good.

`main`, in `manage.py shell`, prints JSON: the person's session cookie and the handles of the assignments in the order
of the payloads, then that of a harmless page.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path


def main(evil: str) -> None:
    """Furnish the site of this process, for payloads that contact the server HOST:PORT."""
    from django.conf import settings
    from django.test import Client

    from annotation import clock
    from tests.builders import GOOD, Worker, load, project, questions, write_lines
    from tests.factories.people import MemberFactory
    from tests.factories.record import AnnotationFactory
    from tests.factories.work import AssignmentFactory, LeaseFactory, QueueFactory
    from tests.proofs.rigs.script_payloads import PAYLOADS, armed

    now, made = clock.now(), project("frames", activities={"annotate": {"lease_minutes": 600}})
    pages = [f"<p>Before.</p>{armed(number, evil)}<p>After.</p>" for number in range(len(PAYLOADS))]
    pages.append("<p>Harmless.</p>")
    lines = [line for number, page in enumerate(pages) for line in questions(1, start=number, page=page)]
    with tempfile.TemporaryDirectory() as folder:
        load(made, write_lines(Path(folder) / "frames.jsonl", lines), clock=clock.now)
    queue, handles = QueueFactory(project=made, filled_at=now), []
    user = MemberFactory(project=made, username="frida", now=now, password=None)
    guidelines = made.guidelines.get().pk
    lease = LeaseFactory(annotator=user, queue=queue, opened_at=now)
    for task in queue.tasks.order_by("item__position"):
        begun = AnnotationFactory(item=task.item, author=user, guidelines_id=guidelines, opened_at=now)
        held = AssignmentFactory(task=task, lease=lease, annotation=begun)
        Worker(user, made).commit(held, "question", GOOD, now=now)
        handles.append(str(held.uuid))
    client = Client()
    client.force_login(user)
    session = settings.SESSION_COOKIE_NAME
    print(json.dumps({"name": session, "cookie": client.cookies[session].value, "handles": handles}))
