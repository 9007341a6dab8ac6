"""Which picture shows which stage of NQ in which state; tests/screens takes them on its way through all screens."""

from __future__ import annotations

PICTURES: dict[str, tuple[str, ...]] = {
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
}
NARROW: dict[str, tuple[str, ...]] = {
    "nq-2-sheet-open": ("nq/long_answer.html",),
    "nq-2-outline-open": ("nq/long_answer.html",),
    "nq-3-sheet-open": ("nq/short_answer.html",),
}
