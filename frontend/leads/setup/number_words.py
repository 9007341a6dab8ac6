"""What the numbers of a project are called, and what each of them does, with an example."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotation.protocol import Activity
from annotation.values.schemas import Mix

DRAWS = (
    ("", gettext_lazy("By how many annotate an item")),
    ("in_order", gettext_lazy("In order")),
    ("random", gettext_lazy("At random")),
)
DRAW: dict[str, Any] = {
    "label": gettext_lazy("Order in which items are handed out"),
    "help_text": gettext_lazy(
        "At random: each time from another place of an order that is shuffled once. By how many annotate an item: like "
        "that where several do, so that they are a sample of all; else always from its beginning. In order: as in the "
        "imported files, one file after another."
    ),
}
LEASE: dict[str, Any] = {
    "label": gettext_lazy("Minutes for which work is kept"),
    "help_text": gettext_lazy(
        "With 20, what somebody leaves open at 9:00 may go to somebody else from 9:20 on. Longer while they work; what "
        "was saved is not lost."
    ),
}
LEAST: dict[str, Any] = {"label": gettext_lazy("Disputed below an agreement of")}
AGREED = gettext_lazy(
    "An expert decides about items whose annotations agree less: how alike they are, from 0 to 1, on average over all "
    "pairs. With 0.5, three of which two are equal and one is quite different (0.33) are disputed. %(similarity)s "
    "Empty: nothing is disputed."
)
SECONDS: dict[str, Any] = {
    "label": gettext_lazy("Seconds that one annotation takes"),
    "help_text": gettext_lazy(
        "Only for the estimate: with 90, 1,000 annotations take 25 hours. Where it is filled in, it is the published "
        "mean."
    ),
}
FAST: dict[str, Any] = {
    "label": gettext_lazy("Very fast answers: below this percentage of a person’s own median"),
    "help_text": gettext_lazy(
        "With 25, whoever usually takes 60 s is very fast below 15 s. A lead may look at these answers, nothing else "
        "follows; the guidelines say so. 0: none."
    ),
}


def agreement_in_words(activity: Activity) -> str:
    """Which agreement is meant by that below which an item is disputed, with an example."""
    return " ".join((gettext(str(AGREED)) % {"similarity": gettext(str(activity.similarity))}).split())


def percent_field(share: float) -> str:
    """A share of 0 to 1 as a percentage, in full."""
    return f"{round(100 * share, 6):g}"


def overlap_in_words(number: int | Mix) -> str:
    """`5`, or `2, for 40 % of them 3`."""
    if not isinstance(number, Mix):
        return str(number)
    words = gettext("%(base)s, for %(share)s %% of them %(more)s")
    return words % {"base": number.base, "share": percent_field(number.share), "more": number.more}
