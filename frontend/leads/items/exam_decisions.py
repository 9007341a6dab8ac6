"""What a decision of a lead is on a page; those that set an item aside for an exam and return it to the work."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Item
from frontend.leads.event_lines import EventLine, event_lines
from tasks.items import setting_aside


@dataclass(frozen=True)
class Decision:
    """A button (`label`) and its confirmation dialog: title, consequences, and the button that confirms.

    `published`: releases state the reason, without the name of who gave it. `why_not`: what stands in its way, said in
    the dialog instead of all else.
    """

    id: str
    url: str
    label: str
    title: str
    consequences: tuple[str, ...]
    confirm: str
    danger: bool = False
    published: bool = False
    why_not: str = ""


def exam_decision(item: Item) -> Decision:
    """Set it aside, or return it if it is."""
    return set_aside_decision(item) if item.set_aside_at is None else return_decision(item)


def set_aside_decision(item: Item) -> Decision:
    """Set the item's root aside: how much leaves the work, or what stands in the way."""
    leaving = setting_aside.leaving_work(item)
    return Decision(
        id="set-aside",
        url=reverse("set_aside", args=[item.project.slug, item.pk]),
        label=_("Set aside for an exam…"),
        title=_("It can’t be set aside now") if leaving.why_not else _("Set this aside for an exam?"),
        consequences=tuple(_consequences(leaving)),
        confirm=_("Set aside"),
        why_not=leaving.why_not,
    )


def return_decision(item: Item) -> Decision:
    """Return it, with what that brings back."""
    why_not = setting_aside.why_not_return(item.root or item)
    return Decision(
        id="return-to-work",
        url=reverse("return_to_work", args=[item.project.slug, item.pk]),
        label=_("Return to the work…"),
        title=_("It can’t come back") if why_not else _("Return this to the work?"),
        consequences=(
            _("People are given it again, with all that was set aside with it."),
            _("What was finished counts again, in progress, agreement and releases from now on."),
        ),
        confirm=_("Return to the work"),
        why_not=why_not,
    )


def setting_aside_in_words(item: Item) -> EventLine | None:
    """When, by whom and why the item was set aside, with its root; None if it is not."""
    row = setting_aside.setting_aside_of(item)
    return event_lines([row])[0] if row else None


def _consequences(leaving: setting_aside.LeavingWork) -> list[str]:
    said = [_("Nobody is given it to work on any more, and no release from now on contains it.")]
    if leaving.items > 1:
        said.append(_("It goes with all that belongs to it: %(n)s items.") % {"n": f"{leaving.items:,}"})
    if n := leaving.tasks:
        words = ngettext("%(n)s open task is cancelled.", "%(n)s open tasks are cancelled.", n)
        said.append(words % {"n": f"{n:,}"})
    if n := leaving.finished:
        words = ngettext(
            "%(n)s finished annotation leaves progress and agreement. It stays paid, and in its author’s own list.",
            "%(n)s finished annotations leave progress and agreement. They stay paid, and in their authors’ own lists.",
            n,
        )
        said.append(words % {"n": f"{n:,}"})
    else:
        said.append(_("Nothing that is finished leaves the figures."))
    return [*said, _("You can return it to the work, until people have been shown it in an exam.")]
