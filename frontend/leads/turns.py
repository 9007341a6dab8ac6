"""What a job waits for, in a sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.background.long_jobs import JobTurn


def turn_in_words(turn: JobTurn) -> str:
    """Of a job that waits for no other one of its kind and project: what for, and its place."""
    if not turn.running:
        return _("It begins within a few seconds.")
    said = ngettext(
        "It waits for %(n)s job of this site to end",
        "It waits for one of %(n)s jobs of this site to end",
        turn.running,
    ) % {"n": turn.running}
    if not turn.before:
        return _("%(said)s, and is next.") % {"said": said}
    place = ngettext("%(n)s other comes before it", "%(n)s others come before it", turn.before) % {"n": turn.before}
    return _("%(said)s; %(place)s.") % {"said": said, "place": place}
