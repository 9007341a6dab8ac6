"""An open annotation: what was said so far, which stages may be seen, the sheet of one, drafts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from annotation import follow_ups, loading, pseudonyms, recording
from annotation import protocol as registry
from annotation.errors import NotFound
from annotation.models import Annotation, Draft, Item, Response, User
from annotation.protocol import Activity, Protocol, Sheet, Stage
from annotation.records import AnnotationRecord, ItemRecord, Said


@dataclass
class Work:
    """One person's annotation as it stands: loaded once per request, asked many things."""

    annotation: Annotation
    item: Item
    protocol: Protocol
    activity: Activity
    seat: str = "one"
    leased: bool = False

    @property
    def reopened(self) -> bool:
        """Whether it was completed before and its author is to look at it again."""
        return self.leased and self.annotation.completed_at is not None

    @cached_property
    def responses(self) -> list[Response]:
        """Every response in the order in which it was written."""
        return [] if self.annotation.untouched else list(self.annotation.responses.order_by("pk"))

    @cached_property
    def so_far(self) -> tuple[Said, ...]:
        """What counts now."""
        return loading.so_far(self.activity, self.responses)

    @cached_property
    def record(self) -> ItemRecord:
        """The item with its documents."""
        return loading.item_record(self.item)

    @cached_property
    def current(self) -> str | None:
        """The stage to be answered next, or None when the work is complete; of re-opened work the last one again."""
        if self.annotation.completed_at is not None and not self.leased:
            return None
        following = self.protocol.next_stage(self.activity.key, self.so_far)
        return self.so_far[-1].stage if following is None and self.reopened else following

    @property
    def seen(self) -> int:
        """How many responses there are: the fence a page carries, so that a stale one is noticed."""
        return len(self.responses)

    def stage(self, key: str) -> Stage:
        """A stage that this person has reached, or NotFound: what lies ahead does not exist yet."""
        reached = [stage for stage in self.activity.stages if self.reached(stage.key)]
        for stage in reached:
            if stage.key == key:
                return stage
        raise NotFound

    def reached(self, key: str) -> bool:
        """Whether that stage was answered or is the one to be answered now."""
        return key == self.current or any(entry.stage == key for entry in self.so_far)

    def when_reached(self, key: str) -> Work:
        """The work as it stood when its author could last answer that stage; NotFound where they never could.

        A later answer to an earlier stage may have cut it away.
        """
        for count in range(len(self.responses), -1, -1):
            then = replace(self, leased=True)
            then.responses = self.responses[:count]
            if then.reached(key):
                return then
        raise NotFound

    def locked(self, stage: Stage) -> bool:
        """Whether it was answered and is sealed, unless nothing was shown after it and the work is re-opened."""
        said = [entry.stage for entry in self.so_far]
        return stage.sealed and stage.key in said and not (self.reopened and said[-1] == stage.key)

    def sheet(self, key: str) -> Sheet:
        """Exactly what may be seen at a stage that was reached."""
        place = [stage.key for stage in self.activity.stages].index(self.stage(key).key)
        before = {stage.key for stage in self.activity.stages[:place]}
        known = tuple(entry for entry in self.so_far if entry.stage in before)
        return self.protocol.sheet(key, self.record, known, self.seat)

    def draft(self, stage: str) -> Draft | None:
        """What was saved at that stage and not committed."""
        if self.annotation.untouched:
            return None
        return Draft.objects.filter(
            annotation=self.annotation, author_id=self.annotation.author_id, stage=stage
        ).first()


def work_on(
    annotation: Annotation, *, item: Item, protocol: str, activity: str, seat: str = "one", leased: bool = False
) -> Work:
    """The work on an annotation whose item and project are at hand; `leased`: its author holds it now."""
    found = registry.get(protocol)
    annotation.item = item
    return Work(annotation, item, found, found.activity(activity), seat, leased)


def save_draft(
    work: Work, *, author: User, stage: str, client: uuid.UUID, seq: int, data: dict[str, Any], now: datetime
) -> Draft:
    """Keep a draft of a stage that was reached; an older save of the same page load changes nothing.

    Which page load counts, and whether the stage is still to be answered, is judged before (`tasks.drafts`).
    """
    work.stage(stage)
    draft, created = Draft.objects.select_for_update().get_or_create(
        annotation=work.annotation,
        author=author,
        stage=stage,
        defaults={"client": client, "seq": seq, "data": data, "saved_at": now},
    )
    if not created and (draft.client != client or draft.seq < seq):
        draft.client, draft.seq, draft.data, draft.saved_at = client, seq, data, now
        draft.save(update_fields=["client", "seq", "data", "saved_at"])
    return draft


def add_response(work: Work, response: Response) -> None:
    """A response was written: what counts now has it."""
    work.responses = [*work.responses, response]
    work.__dict__.pop("so_far", None)
    work.__dict__.pop("current", None)
    work.annotation.untouched = False


def finish_work(work: Work, *, now: datetime) -> None:
    """The work is complete: say so once, and make the items that it gives (questions to be answered, and so on)."""
    if work.annotation.completed_at is not None:
        return
    recording.complete(work.annotation, now=now)
    record = AnnotationRecord(
        activity=work.activity.key, said=work.so_far, id_hex=pseudonyms.id_hex(str(work.annotation.uuid))
    )
    follow_ups.make_items(work.annotation, work.protocol.follow_ups(work.record, record))
