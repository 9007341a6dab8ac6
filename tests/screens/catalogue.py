"""Which picture shows which template in which state: tests/rules/test_screens.py fails when one has none.

An entry is a template's name, or a name and a state. The states of a stage: `refused` (sent with errors), `restored`
(a draft came back), `revised` (answered before and open again) or, for a sealed stage, `sealed`. Those of
work/none_left.html are the reasons why there is nothing, those of work/refused.html the names of the refusals.
"""

from __future__ import annotations

PICTURES: dict[str, tuple[str, ...]] = {
    "login": ("registration/login.html",),
    "login-refused": ("registration/login.html refused",),
    "not-found": ("404.html",),
    "forbidden": ("403.html",),
    "other-sign-in": ("403_csrf.html",),
    "broken": ("500.html",),
    "busy": ("503.html",),
    "home": ("home.html",),
    "home-agreed": ("home.html",),
    "home-kept": ("home.html",),
    "home-empty": ("home.html",),
    "home-reopened": ("home.html",),
    "home-taken": ("home.html",),
    "home-lead": ("home.html",),
    "consent": ("consent.html",),
    "consent-given": ("consent.html",),
    "guidelines": ("guidelines.html",),
    "time": ("time/index.html",),
    "time-empty": ("time/index.html",),
    "time-day": ("time/day.html",),
    "time-day-amended": ("time/day.html",),
    "time-day-refused": ("time/day.html",),
    "time-day-searching": ("time/day.html",),
    "project-time": ("project/time.html",),
    "project-time-empty": ("project/time.html",),
    "project-time-of": ("project/time_of.html",),
    "project": ("project/index.html",),
    "project-empty": ("project/index.html",),
    "item": (
        "project/item.html",
        "nq/question_read.html",
        "nq/long_answer_read.html",
        "nq/short_answer_read.html",
    ),
    "item-empty": ("project/item.html",),
    "item-exclude": ("project/item.html",),
    "item-excluded": ("project/item.html",),
    "item-reopen": ("project/item.html",),
    "item-take-out": ("project/item.html",),
    "item-taken-out": ("project/item.html",),
    "project-reported": ("project/index.html",),
    "item-reported": ("project/item.html",),
    "item-disputed": ("project/item.html",),
    "nq-1-question": ("nq/question.html",),
    "nq-1-bad": ("nq/question.html",),
    "nq-1-keys": ("nq/question.html",),
    "nq-1-skip": ("nq/question.html",),
    "nq-1-report": ("nq/question.html",),
    "nq-1-menu": ("nq/question.html",),
    "nq-1-refused": ("nq/question.html refused",),
    "nq-1-restored": ("nq/question.html restored",),
    "nq-1-sealed": ("nq/question.html sealed",),
    "nq-2-page": ("nq/long_answer.html", "work/page.html"),
    "nq-2-nothing-chosen": ("nq/long_answer.html",),
    "nq-2-no-answer": ("nq/long_answer.html",),
    "nq-2-find": ("nq/long_answer.html",),
    "nq-2-chosen": ("nq/long_answer.html", "work/page.html"),
    "nq-2-refused": ("nq/long_answer.html refused",),
    "nq-2-restored": ("nq/long_answer.html restored",),
    "nq-2-revised": ("nq/long_answer.html revised",),
    "nq-2-right-to-left": ("nq/long_answer.html", "work/page.html"),
    "nq-2-very-long": ("nq/long_answer.html", "work/page.html"),
    "nq-2-images": ("nq/long_answer.html", "work/page.html"),
    "nq-3-images": ("nq/short_answer.html", "work/page.html"),
    "nq-3-short": ("nq/short_answer.html", "work/page.html"),
    "nq-3-selecting": ("nq/short_answer.html",),
    "nq-3-offered": ("nq/short_answer.html",),
    "nq-3-advice": ("nq/short_answer.html",),
    "nq-3-refused": ("nq/short_answer.html refused",),
    "nq-3-restored": ("nq/short_answer.html restored",),
    "nq-3-right-to-left": ("nq/short_answer.html", "work/page.html"),
    "nq-3-very-long": ("nq/short_answer.html", "work/page.html"),
    "skipped": ("nq/question.html",),
    "skipped-many": ("nq/question.html",),
    "reported": ("nq/question.html",),
    "reopened": ("nq/long_answer.html",),
    "expired": ("work/expired.html",),
    "time-ending": ("nq/long_answer.html",),
    "time-ended": ("nq/long_answer.html",),
    "not-connected": ("nq/long_answer.html",),
    "signed-out": ("nq/long_answer.html",),
    "given-back-elsewhere": ("nq/question.html",),
    "kept-here": ("home.html",),
    "two-tabs": ("nq/question.html",),
    "two-devices": ("nq/question.html",),
    "refused-overtaken": ("work/refused.html TakenOver",),
    "refused-reason": ("work/refused.html ReasonMissing",),
    "refused-sealed": ("work/refused.html StageLocked",),
    "refused-stale": ("work/refused.html StalePage",),
    "refused-key": ("work/refused.html KeyReused",),
    "answered-twice": ("work/refused.html AlreadyClosed",),
    "refused-closed": ("work/refused.html AlreadyClosed",),
    "place-taken": ("work/refused.html PlaceTaken",),
    "taken-out": ("work/refused.html TakenOut",),
    "none-left-lead": ("work/none_left.html not_eligible",),
    "none-left-done": ("work/none_left.html all_done",),
    "none-left-yours": ("work/none_left.html done_all_you_may",),
    "none-left-others": ("work/none_left.html others_hold",),
    "none-left-alike": ("work/none_left.html alike_lately",),
    "none-left-closed": ("work/none_left.html not_open",),
    "papers-random": ("work/search.html",),
    "papers-nothing": ("work/search.html",),
    "papers-found": ("work/search.html",),
    "papers-skipped": ("work/search.html",),
    "papers-ask": ("qasper/questions.html",),
    "papers-ask-refused": ("qasper/questions.html refused",),
    "papers-ask-restored": ("qasper/questions.html restored",),
    "papers-answer": ("qasper/answer.html",),
    "papers-answer-refused": ("qasper/answer.html refused",),
    "papers-answer-restored": ("qasper/answer.html restored",),
    "papers-answer-outside": ("qasper/answer.html",),
    "papers-answer-offered": ("qasper/answer.html",),
    "papers-item-paper": ("project/item.html", "qasper/questions_read.html"),
    "papers-item-question": ("project/item.html", "qasper/answer_read.html"),
}
NARROW: dict[str, tuple[str, ...]] = {
    "nq-2-sheet-open": ("nq/long_answer.html",),
    "nq-2-outline-open": ("nq/long_answer.html",),
    "nq-3-sheet-open": ("nq/short_answer.html",),
}
"""Pictures that only a narrow screen has."""


def shown() -> set[str]:
    """Every template, and every template with a state, that some picture shows in all sizes."""
    entries = {entry for entries in PICTURES.values() for entry in entries}
    return entries | {entry.split()[0] for entry in entries}


def missing(taken: list[str], *, size: str) -> list[str]:
    """What is wrong with the pictures of one size: some are not in the catalogue, some were not taken."""
    wanted = set(PICTURES) | (set(NARROW) if size == "narrow" else set())
    return [f"{name}: not in the catalogue" for name in sorted(set(taken) - wanted)] + [
        f"{name}: not taken ({size})" for name in sorted(wanted - set(taken))
    ]
