"""Which picture shows which stage of DuReader in which state; `visits` takes them."""

from __future__ import annotations

PICTURES: dict[str, tuple[str, ...]] = {
    "documents-kind": ("dureader/kind.html",),
    "documents-kind-refused": ("dureader/kind.html refused",),
    "documents-kind-restored": ("dureader/kind.html restored",),
    "documents-typed": ("dureader/answers.html",),
    "documents-kind-revised": ("dureader/kind.html revised",),
    "documents-kind-changed": ("dureader/kind.html",),
    "documents-answers": ("dureader/answers.html",),
    "documents-answers-refused": ("dureader/answers.html refused",),
    "documents-answers-written": ("dureader/answers.html",),
    "documents-answers-restored": ("dureader/answers.html restored",),
    "documents-answers-none": ("dureader/answers.html",),
    "documents-opinions": ("dureader/answers.html",),
    "documents-arabic": ("dureader/answers.html",),
    "documents-together": ("judging/judge_together.html",),
    "documents-together-preview": ("judging/preview.html",),
    "documents-item": ("project/item.html", "dureader/kind_read.html", "dureader/answers_read.html"),
    "documents-item-opinions": ("project/item.html", "dureader/answers_read.html"),
}
NARROW: dict[str, tuple[str, ...]] = {
    "documents-read": ("dureader/answers.html",),
}
