"""What needs a lead: cases, reports, side chats, disputes, failed imports, queues without work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.imports import uploads
from annotation.imports.job import unsettled_imports
from frontend.leads import cases, chats
from frontend.leads.board.asked import import_page
from frontend.leads.board.numbers import BoardNumbers, BoardProgress
from frontend.leads.estimates import hours_and_cost
from frontend.leads.items import reports
from frontend.wording import noun_of_activity
from tasks.models import Queue
from tasks.models.states import QueueState
from tasks.pairs import side_chat
from tasks.setup import remaining

RECENT = timedelta(days=14)
"""How long a failed import is a thing to see to."""
SHOWN = 20
"""How many messages from side chats are shown."""


@dataclass(frozen=True)
class Notice:
    """Something to see to on another page. `tone`: bad (work is held up) or gold; `stops`: nothing can go on.

    `dismiss`: where a form says that it needs nobody any more, "" if it can't.
    """

    icon: str
    tone: str
    title: str
    text: str
    url: str = ""
    label: str = ""
    stops: bool = False
    dismiss: str = ""


@dataclass(frozen=True)
class Needs:
    """Everything that needs a lead, by what it is; the lists hold the first ones, `n` is how many there are.

    `reported_n`: how many items are reported or can't be shown.
    """

    notices: list[Notice]
    cases: list[cases.CaseToDecide]
    reported: list[reports.ReportedItem]
    reported_n: int
    asked: list[chats.AskedInChat]
    n: int

    @property
    def stops(self) -> bool:
        """Whether nothing can go on until one of them is settled."""
        return any(notice.stops for notice in self.notices)


def of_board(numbers: BoardNumbers) -> Needs:
    """Of the whole project, whatever part the address asks for."""
    project = numbers.project
    notices = [*_disputes(numbers), *_queues(numbers), *_imports(numbers)]
    asked = side_chat.asked(project)
    reported_n = reports.count(project)
    return Needs(
        notices=notices,
        cases=cases.open_cases(project),
        reported=reports.reported_items(project),
        reported_n=reported_n,
        asked=chats.asked(project, asked[:SHOWN]),
        n=len(notices) + cases.of_project(project).count() + reported_n + len(asked),
    )


def _disputes(numbers: BoardNumbers) -> Iterator[Notice]:
    n = numbers.progress_of().disputed
    if n:
        yield Notice(
            icon="scale",
            tone="bad",
            title=ngettext("%(n)s dispute is open", "%(n)s disputes are open", n) % {"n": n},
            text=_("Releases keep the answers as they were given, and add each decision in a file of its own."),
            url=reverse("disputes", args=[numbers.project.slug]),
            label=_("Compare and decide"),
        )


def _queues(numbers: BoardNumbers) -> Iterator[Notice]:
    queues = [queue for queue in numbers.queues if queue.activity not in numbers.protocol.substitutes]
    everything = numbers.progress_of()
    left = everything.total - everything.done
    place = {"url": reverse("queues", args=[numbers.project.slug]), "label": _("Queues")}
    if not queues:
        text = _("Nobody is given work before you open one. On their page you can also rehearse the work with bots.")
        before = remaining.before_queues(numbers.project)
        if takes := hours_and_cost(before.estimate) if before else "":
            text = _("What was imported takes %(takes)s. %(text)s") % {"takes": takes, "text": text}
        yield Notice("list", "gold", _("No queue is open yet"), text, **place, stops=False)
    if queues and left and not any(queue.state == QueueState.OPEN for queue in queues):
        text = ngettext("%(n)s is left.", "%(n)s are left.", left) % {"n": left}
        yield Notice("stop", "bad", _("No queue is open, so nobody is given work"), text, **place, stops=True)
    held = {lease.activity for lease in numbers.leases}
    for queue in queues:
        found = numbers.progress_of(activity=queue.activity)
        if queue.state == QueueState.OPEN and queue.activity not in held and found.total and not found.open:
            yield _dry(numbers, queue, found, place)


def _dry(numbers: BoardNumbers, queue: Queue, progress: BoardProgress, place: dict[str, str]) -> Notice:
    """A queue that is open, but has nothing to hand out, and nobody is working on the last of it."""
    activity = numbers.protocol.activity(queue.activity)
    left, nouns = progress.total - progress.done, noun_of_activity(activity)
    title = _("%(activity)s: the queue has no work left") % {"activity": _(activity.title)}
    text = _("Everything in it is done. Close it, or add %(nouns)s.") % {"nouns": nouns.many}
    if left:
        text = ngettext(
            "%(n)s of them is not done, but nobody can be given it: it waits for you.",
            "%(n)s of them are not done, but nobody can be given them: they wait for you.",
            left,
        ) % {"n": left}
    return Notice("list", "bad" if left else "gold", title, text, **place, stops=bool(left))


def _imports(numbers: BoardNumbers) -> Iterator[Notice]:
    """Failed imports of the last days, unless their records came in later."""
    for job in unsettled_imports(numbers.project, since=numbers.now - RECENT, at_most=5):
        refused = job.report.get("refused")
        n = refused if isinstance(refused, int) else len(refused or ())
        text = ngettext("%(n)s line was refused.", "%(n)s lines were refused.", n) % {"n": n} if n else job.error
        title = _("The import of %(file)s failed") % {"file": job.subject}
        page, label = import_page(numbers.project, job), _("See the lines") if n else _("See why")
        dismiss = reverse("dismiss_import", args=[numbers.project.slug, job.pk]) if job.kind == uploads.KIND else ""
        yield Notice("alert", "bad", title, text[:300], url=page, label=label, dismiss=dismiss)
