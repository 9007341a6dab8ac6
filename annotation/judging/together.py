"""The exhibits of one screen as one piece of work: the answers to an item side by side, each with its own mark."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.documents.words import length_of
from annotation.engine.work import Work
from annotation.judging.forms import JudgedCandidate, JudgeForm, TogetherForm, own_fields
from annotation.judging.protocol import ExhibitSheet
from annotation.models import Draft, Response
from annotation.values.exhibits import Quoted, ShownExhibit

VIEW = "_view"
"""The field of a draft that says where on the page somebody was."""


@dataclass(frozen=True, kw_only=True)
class TogetherSheet(ExhibitSheet):
    """What a rater sees of an item: `shown` has what all of its `candidates` have in common, and no answer."""

    candidates: tuple[JudgedCandidate, ...]

    @property
    def word_count(self) -> int:
        """The words of what was asked, of the material and of all answers."""
        whole = [self.prompt, *_words_of(self.shown)]
        whole += [text for each in self.candidates for text in _words_of(each.shown)]
        return sum(length_of(text).n for text in whole)


def _words_of(exhibit: ShownExhibit) -> list[str]:
    details = (text for each in exhibit.details for text in each.texts)
    return [*(text.text for text in exhibit.texts), *exhibit.answers, *details]


@dataclass(frozen=True, eq=False)
class TogetherWork(Work):
    """The work on an exhibit and on the others of its screen: `parts` in their order, the first of them this one.

    `letters`: what they are called. Its form has the fields of each with a prefix; an answer is those of the parts by
    their prefixes.
    """

    parts: tuple[Work, ...] = ()
    letters: tuple[str, ...] = ()

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What the names of the fields of each part begin with: by its place in the seal, which stays."""
        return tuple(f"e{part.annotation.exhibit.place}" for part in self.parts if part.annotation.exhibit)

    def counted(self, address: str | None = None) -> list[Response]:
        """The responses to all parts, oldest first."""
        every = [row for part in self.parts for row in part.counted(address)]
        return sorted(every, key=lambda row: row.pk)

    def sheet(self, address: str) -> TogetherSheet:
        """The item once, and its answers."""
        sheets = [part.sheet(address) for part in self.parts]
        first = sheets[0]
        assert isinstance(first, ExhibitSheet)
        every = [sheet.shown for sheet in sheets if isinstance(sheet, ExhibitSheet)]
        common = tuple(text for text in first.shown.texts if all(text in shown.texts for shown in every))
        shared = first.shown.model_copy(update={"texts": common, "answers": (), "details": (), "box": None})
        return TogetherSheet(
            stage=first.stage,
            prompt=first.prompt,
            lang=first.lang,
            dir=first.dir,
            shown=shared,
            rubric=first.rubric,
            candidates=self._candidates([_without(shown, common) for shown in every]),
        )

    def _candidates(self, exhibits: Sequence[ShownExhibit]) -> tuple[JudgedCandidate, ...]:
        return tuple(map(JudgedCandidate, self.letters, self.prefixes, exhibits))

    def form_of(self, address: str) -> Any:
        """One form of the forms of the parts."""
        sheet = self.sheet(address)
        return type("FormOfThese", (TogetherForm,), {"candidates": sheet.candidates, "rubric": sheet.rubric})

    def answered_fields(self, address: str) -> dict[str, Any] | None:
        """The fields of all parts as they were answered; None before the first answer."""
        found: dict[str, Any] = {}
        for prefix, part in zip(self.prefixes, self.parts, strict=True):
            if (answered := part.answer_at(address)) is not None:
                fields = JudgeForm.fields_of(answered.payload.model_dump(mode="json"))
                found |= prefixed(prefix, fields)
        return found or None

    def shares(self, payload: dict[str, Any]) -> Sequence[tuple[Work, dict[str, Any]]]:
        """Each part with its own answer."""
        return [(part, payload.get(prefix, {})) for prefix, part in zip(self.prefixes, self.parts, strict=True)]

    def keys_of(self, key: uuid.UUID) -> Sequence[uuid.UUID]:
        """A key for each part, in their order."""
        return [uuid.uuid5(key, prefix) for prefix in self.prefixes]

    def draft(self, address: str) -> Draft | None:
        """The drafts of all parts as one, which is not stored; they are saved together."""
        drafts = [part.draft(address) for part in self.parts]
        found = [draft for draft in drafts if draft is not None]
        if not found:
            return None
        last = max(found, key=lambda draft: draft.saved_at)
        data: dict[str, Any] = {}
        for prefix, draft in zip(self.prefixes, drafts, strict=True):
            if draft is not None:
                data |= prefixed(prefix, draft.data)
        view = next((draft.data[VIEW] for draft in found if VIEW in draft.data), None)
        data |= {VIEW: view} if view is not None else {}
        return Draft(client=last.client, seq=last.seq, saved_at=last.saved_at, data=data)

    def parts_of_draft(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The fields of each part in the draft of all; the first one keeps where on the page somebody was."""
        found = [own_fields(prefix, data) for prefix in self.prefixes]
        if found and VIEW in data:
            found[0][VIEW] = data[VIEW]
        return found


def prefixed(prefix: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a part by their names on the page."""
    return {f"{prefix}-{name}": value for name, value in fields.items() if name != VIEW}


def _without(exhibit: ShownExhibit, common: tuple[Quoted, ...]) -> ShownExhibit:
    """What only this one shows."""
    texts = tuple(text for text in exhibit.texts if text not in common)
    return exhibit.model_copy(update={"texts": texts, "before": ()})
