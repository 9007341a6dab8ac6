"""Which picture shows which stage of SQuAD in which state; `visits` takes them."""

from __future__ import annotations

from tests.texts.languages import STORIES

PICTURES: dict[str, tuple[str, ...]] = {
    "paragraphs-ask": ("squad/questions.html",),
    "paragraphs-ask-pending": ("squad/questions.html",),
    "paragraphs-ask-several": ("squad/questions.html",),
    "paragraphs-ask-refused": ("squad/questions.html refused",),
    "paragraphs-ask-restored": ("squad/questions.html restored",),
    "paragraphs-answer": ("squad/answer.html",),
    "paragraphs-answer-refused": ("squad/answer.html refused",),
    "paragraphs-answer-restored": ("squad/answer.html restored",),
    "paragraphs-answer-none": ("squad/answer.html",),
    "paragraphs-item-paragraph": ("project/item.html", "squad/questions_read.html"),
    "paragraphs-item-question": ("project/item.html", "squad/answer_read.html"),
    **{f"paragraphs-answer-{language}": ("squad/answer.html",) for language in STORIES},
}
NARROW: dict[str, tuple[str, ...]] = {}
