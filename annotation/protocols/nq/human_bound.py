"""The human upper bound of NQ, in words and beside the paper's figures; `human.py` measures it."""

from __future__ import annotations

from typing import Any

from annotation.i18n import _, ngettext
from annotation.protocol_tools import HumanBound, ThresholdSweep
from annotation.protocols.nq import human

GROUPS = {
    "single": _("Single annotator"),
    "super": _("Super-annotator"),
    "crossed": _("Super-annotator with a threshold from other questions"),
}
METRICS = {
    "long_precision": _("Long answer: precision"),
    "long_recall": _("Long answer: recall"),
    "long_f1": _("Long answer: F1"),
    "long_accuracy": _("Long answer: accuracy (A₂)"),
    "short_precision": _("Short answer: precision"),
    "short_recall": _("Short answer: recall"),
    "short_f1": _("Short answer: F1"),
    "short_accuracy": _("Short answer: accuracy (A₂)"),
}
LABELS: dict[str, Any] = {}
"""Each group and then its figures, the order of tables."""
for key, title in GROUPS.items():
    LABELS |= {key: title} | {f"{key}.{metric}": words for metric, words in METRICS.items()}
PUBLISHED = {
    "single.long_precision": 0.804,
    "single.long_recall": 0.676,
    "single.long_f1": 0.734,
    "single.short_precision": 0.634,
    "single.short_recall": 0.526,
    "single.short_f1": 0.575,
    "super.long_precision": 0.900,
    "super.long_recall": 0.846,
    "super.long_f1": 0.872,
    "super.short_precision": 0.791,
    "super.short_recall": 0.726,
    "super.short_f1": 0.757,
}
"""Table 3. The paper has no accuracies of people."""
PROCEDURES = {
    "single": _(
        "Each annotation is judged against others as the answer of a system would be, by the rules of nq_eval: a "
        "question counts as answerable if at least two of the others have an answer. Of five annotations each is held "
        "against the other four, so fewer questions count as answerable than with five gold annotations. If there are "
        "more, five are drawn as gold annotations, 20 times, and each of the rest is judged against them."
    ),
    "super": _(
        "Five annotations are drawn as gold annotations, 20 times. The others vote: their most frequent answer is the "
        "prediction, or none if fewer than 8 in 20 of them have an answer. Of 25 annotations 20 vote, as in the paper."
    ),
    "crossed": _(
        "The same, with a threshold that is chosen instead of 8. The questions are split at random into halves, 20 "
        "times: the threshold with the best F1 in one half is used in the other. So no question is judged with a "
        "threshold that it has itself chosen. The paper has no such figures."
    ),
}
REASONS = {
    "nothing": _("No question is complete yet."),
    "single_needs_five": _(
        "It takes at least five annotations of a question. So far no question that is complete has more than %(n)s."
    ),
    "super_needs_six": _(
        "Five annotations are the gold ones, so it takes at least six of a question, and 25 to compare with the paper. "
        "So far no question that is complete has more than %(n)s."
    ),
    "crossed_needs_two": _("It takes at least two questions with more than five annotations each."),
    "chosen": _(
        "The thresholds that were chosen: %(long_low)s to %(long_high)s in 20 for long answers, %(short_low)s to "
        "%(short_high)s in 20 for short ones."
    ),
    "few": ngettext(
        "%(n)s question is left out because it has fewer than five annotations.",
        "%(n)s questions are left out because they have fewer than five annotations.",
    ),
    "only_five": ngettext(
        "%(n)s question is not in the super-annotator’s figures because it has only five annotations.",
        "%(n)s questions are not in the super-annotator’s figures because they have only five annotations.",
    ),
}
HUMAN = HumanBound(
    part=human.part,
    measure=human.measure,
    labels=LABELS,
    procedures=PROCEDURES,
    published=PUBLISHED,
    source=_("the NQ paper (2019), table 3, on 25 annotations of each question"),
    counts=(_("Questions"), _("Annotations")),
    reasons=REASONS,
    sweeps={
        "super": ThresholdSweep(
            _("By threshold: how many of 20 votes must have an answer"),
            (
                _("Votes"),
                _("Long: precision"),
                _("Long: recall"),
                _("Long: F1"),
                _("Short: precision"),
                _("Short: recall"),
                _("Short: F1"),
            ),
            used=human.THRESHOLD,
        )
    },
)
