"""Which picture shows which stage of QASPER in which state; `visits` takes them."""

from __future__ import annotations

PICTURES: dict[str, tuple[str, ...]] = {
    "time-day-searching": ("time/day.html",),
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
NARROW: dict[str, tuple[str, ...]] = {}
