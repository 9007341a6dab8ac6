"""Judging rounds of a project: made as drafts, sealed and stopped, and their results. Raters judge in the browser."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, registry
from annotation.errors import NotFound
from annotation.judging import rounds
from annotation.models import JudgingRound, RoundState
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api import etags, round_choices
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body
from frontend.api.serializers.leads import rounds as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.leads.judging import metrics, pages, results, sealing
from frontend.leads.judging.result_files import ResultFiles
from tasks.judging import ending


class RoundsView(LeadView):
    """The judging rounds of a project."""

    @extend_schema(operation_id="list_rounds", parameters=PAGED, responses=told.RoundPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the rounds, the oldest first."""
        rows = JudgingRound.objects.filter(project=access.led_project(self.person(), slug))
        page = CursorPage(request, rows)
        return Answer(page.answer([told.RoundSerializer(_counted(row)).data for row in page.rows]))

    @extend_schema(
        operation_id="make_round", request=told.NewRoundSerializer, responses={201: told.WholeRoundSerializer}
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Make a draft of a round. Nobody judges before it is sealed."""
        project = access.led_project(self.person(), slug)
        or_not_found(registry.get(project.protocol).exhibits or None)
        sent = checked_body(request, told.NewRoundSerializer)

        def make() -> Answer:
            form = round_choices.form_of_new(project, sent)
            return Answer(round_told(pages.make(project, form, by=self.person(), now=clock.now())), status=201)

        return self.once(make)


class RoundView(LeadView):
    """One of these rounds."""

    locked = True

    @extend_schema(operation_id="read_round", responses=told.WholeRoundSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Read what is judged, and how far it is."""
        return Answer(round_told(access.led_round(self.person(), slug, uuid)))

    @extend_schema(
        operation_id="change_round", request=told.RoundChoicesSerializer, responses=told.WholeRoundSerializer
    )
    def patch(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Choose otherwise in a draft. What is sealed does not change."""
        row = access.led_round(self.person(), slug, uuid)
        sent = checked_body(request, told.RoundChoicesSerializer)

        def change() -> Answer:
            now_there = _draft(_matched(request, row))
            form = round_choices.form_of_draft(now_there, sent)
            pages.change(now_there, form, by=self.person(), now=clock.now())
            return Answer(_told_anew(now_there))

        return self.once(change)

    @extend_schema(operation_id="discard_round", request=None, responses={204: None})
    def delete(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Remove a draft. What is sealed stays."""
        access.led_project(self.person(), slug)

        def discard() -> Answer:
            row = access.led_round(self.person(), slug, uuid)  # gone when the call is sent again
            rounds.discard(_matched(request, row), by=self.person(), now=clock.now())
            return Answer(status=204)

        return self.once(discard)


class RoundSealView(LeadView):
    """The seal of a round: its exhibits are drawn, and nothing of it changes any more."""

    locked = True
    SEALED = {200: told.WholeRoundSerializer, 202: told.WholeRoundSerializer}

    @extend_schema(operation_id="seal_round", request=None, responses=SEALED)
    def post(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Seal a draft at once (200), or by a job where there is much to read (202): read the round until it is."""
        row = access.led_round(self.person(), slug, uuid)

        def seal() -> Answer:
            is_sealed = sealing.seal(_matched(request, row), by=self.person(), now=clock.now())
            return Answer(_told_anew(row), status=200 if is_sealed else 202)

        return self.once(seal)


class RoundStopView(LeadView):
    """A round that ends before its time. What was judged stays."""

    @extend_schema(operation_id="stop_round", request=DecisionReasonSerializer, responses=told.WholeRoundSerializer)
    def post(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Stop a round, with a reason."""
        row = access.led_round(self.person(), slug, uuid)
        why = checked_body(request, DecisionReasonSerializer)["reason"]

        def stop() -> Answer:
            ending.stop(row, why=why, by=self.person(), now=clock.now())
            return Answer(_told_anew(row))

        return self.once(stop)


class RoundResultsView(LeadView):
    """The results of a round. A lead who judges in it finds none until their own marks are locked."""

    shows_answers = True

    @extend_schema(operation_id="read_round_results", responses=told.RoundResultsSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Read the results that were measured last."""
        found = results.of_page(access.led_results(self.person(), slug, uuid))
        if found is None:
            raise NotFound
        return Answer(told.RoundResultsSerializer({"results": ResultFiles(found).as_json()}).data)


class RoundMetricsView(LeadView):
    """How automatic metrics go with the scores of a round. A lead who judges in it finds none, as of its results."""

    shows_answers = True

    @extend_schema(operation_id="read_round_metrics", responses=told.RoundResultsSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Read the figures that were measured last."""
        row = access.led_results(self.person(), slug, uuid)
        offered = row.sealed_at is not None and metrics.is_offered(row)
        found = or_not_found(metrics.of_page(row) if offered else None)
        return Answer(told.RoundResultsSerializer({"results": found.as_json()}).data)


def round_told(row: JudgingRound) -> Any:
    """What is said of a round."""
    chair = row.chair.worker_code if row.chair else None
    job = sealing.latest(row) if row.state == RoundState.DRAFT else None
    return told.WholeRoundSerializer(_counted(row) | {"chair": chair, "sealing": job}).data


def _matched(request: Request, row: JudgingRound) -> JudgingRound:
    """The round as it is now, locked. PreconditionFailed if the caller has read another version."""
    rows = JudgingRound.objects.select_for_update(of=("self",)).select_related("project")
    now_there = or_not_found(rows.filter(pk=row.pk).first())
    etags.check_match(request, round_told(now_there))
    return now_there


def _told_anew(row: JudgingRound) -> Any:
    return round_told(JudgingRound.objects.select_related("project", "chair").get(pk=row.pk))


def _draft(row: JudgingRound) -> JudgingRound:
    """NotFound for what is sealed, which has no form on the pages either."""
    return or_not_found(row if row.state == RoundState.DRAFT else None)


def _counted(row: JudgingRound) -> dict[str, Any]:
    columns = {field.name: getattr(row, field.name) for field in row._meta.concrete_fields}
    return columns | pages.counts_of(row)
