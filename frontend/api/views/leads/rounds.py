"""Judging rounds of a project: predictions to judge, drafts, the seal, and results. Raters judge in the browser."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, registry
from annotation.errors import UploadRefused
from annotation.imports import uploads
from annotation.judging import rounds
from annotation.models import JudgingRound, Project, RoundState, Upload, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api import etags, round_choices
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.sent import checked_form
from frontend.api.serializers.leads import rounds as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.leads.judging import metrics, pages, predictions, results
from frontend.leads.judging.predictions import PredictionsForm
from frontend.leads.judging.result_files import ResultFiles
from tasks.judging import ending
from tasks.measuring import answer_metrics


def judged_project(person: User, slug: str) -> Project:
    """A project that the person leads, if answers are judged in its protocol."""
    project = access.led_project(person, slug)
    or_not_found(registry.get(project.protocol).exhibits or None)
    return project


class PredictionsView(LeadView):
    """The answers of systems that a project has, in sets."""

    @read_call("list_predictions", told.PredictionPageSerializer)
    def get(self, project: Project) -> Any:
        """List the sets, the oldest first."""
        return CursorPage(self.request, predictions.sets_of(project)).answer()

    @change_call(
        "add_predictions",
        told.AddedPredictionsSerializer,
        finder=judged_project,
        body=told.NewPredictionsSerializer,
        status=201,
    )
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Keep the answers of an uploaded file, of at most 2 MB; those to items that are not there are left out."""
        upload = access.own_upload(self.person(), project.slug, sent["file"])
        return _added(project, sent, _whole(upload), by=self.person())


def _whole(upload: Upload) -> Upload:
    if not upload.is_whole:
        raise UploadRefused(_("%(name)s has not arrived as a whole yet.") % {"name": upload.name})
    return upload


def _added(project: Project, sent: dict[str, Any], upload: Upload, *, by: User) -> dict[str, Any]:
    """What was kept. ValidationError with the sentences of the page."""
    with uploads.path_of(upload).open("rb") as file:
        form = PredictionsForm(project, sent, {"file": UploadedFile(file, upload.name, size=upload.size)})
        checked_form(form)
        added = form.add(by=by, now=clock.now())
    checked_form(form)  # it says what is wrong with the file
    made = or_not_found(added)
    return {"predictions": predictions.sets_of(project).get(pk=made.row.pk), "left_out": made.left_out}


def project_of_round(person: User, slug: str, _uuid: uuids.UUID) -> Project:
    """The project that the person leads, whether or not it has the round (any more)."""
    return access.led_project(person, slug)


class RoundsView(LeadView):
    """The judging rounds of a project."""

    @read_call("list_rounds", told.RoundPageSerializer)
    def get(self, project: Project) -> Any:
        """List the rounds, the oldest first."""
        page = CursorPage(self.request, JudgingRound.objects.filter(project=project))
        return page.answer([_counted(row) for row in page.rows])

    @change_call(
        "make_round", told.WholeRoundSerializer, finder=judged_project, body=told.NewRoundSerializer, status=201
    )
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Make a draft of a round. Nobody judges before it is sealed."""
        form = round_choices.form_of_new(project, sent)
        return whole_round(pages.make(project, form, by=self.person(), now=clock.now()))


class RoundView(LeadView):
    """One of these rounds."""

    locked = True

    @read_call("read_round", told.WholeRoundSerializer, finder=access.led_round)
    def get(self, row: JudgingRound) -> Any:
        """Read what is judged, and how far it is."""
        return whole_round(row)

    @change_call("change_round", told.WholeRoundSerializer, finder=access.led_round, body=told.RoundChoicesSerializer)
    def patch(self, row: JudgingRound, sent: dict[str, Any]) -> Any:
        """Choose otherwise in a draft. What is sealed does not change."""
        now_there = _matched(self.request, row)
        # What is sealed has no form on the pages either.
        or_not_found(now_there if now_there.state == RoundState.DRAFT else None)
        form = round_choices.form_of_draft(now_there, sent)
        pages.change(now_there, form, by=self.person(), now=clock.now())
        return whole_round(round_anew(now_there))

    @change_call("discard_round", None, finder=project_of_round, status=204)
    def delete(self, _project: Project) -> None:
        """Remove a draft. What is sealed stays."""
        [row] = self.named(access.led_round)  # gone when the call is sent again
        rounds.discard(_matched(self.request, row), by=self.person(), now=clock.now())


class RoundSealView(LeadView):
    """The seal of a round: its exhibits are drawn, and nothing of it changes any more."""

    locked = True

    @change_call("seal_round", told.WholeRoundSerializer, finder=access.led_round, statuses=(202,))
    def post(self, row: JudgingRound) -> Answer:
        """Seal a draft at once (200), or by a job where there is much to read (202): read the round until it is."""
        is_sealed = pages.seal(_matched(self.request, row), by=self.person(), now=clock.now())
        found = told.WholeRoundSerializer(whole_round(round_anew(row))).data
        return Answer(found, status=200 if is_sealed else 202)


class RoundStopView(LeadView):
    """A round that ends before its time. What was judged stays."""

    @change_call("stop_round", told.WholeRoundSerializer, finder=access.led_round, body=DecisionReasonSerializer)
    def post(self, row: JudgingRound, sent: dict[str, Any]) -> Any:
        """Stop a round, with a reason."""
        ending.stop(row, why=sent["reason"], by=self.person(), now=clock.now())
        return whole_round(round_anew(row))


class RoundResultsView(LeadView):
    """The results of a round. A lead who judges in it finds none until their own marks are locked."""

    shows_answers = True

    @read_call("read_round_results", told.RoundResultsSerializer, finder=access.led_results)
    def get(self, row: JudgingRound) -> Any:
        """Read the results that were measured last."""
        return {"results": ResultFiles(or_not_found(results.of_page(row))).as_json()}


class RoundMetricsView(LeadView):
    """How automatic metrics go with the scores of a round. A lead who judges in it finds none, as of its results."""

    shows_answers = True

    @read_call("read_round_metrics", told.RoundResultsSerializer, finder=access.led_results)
    def get(self, row: JudgingRound) -> Any:
        """Read the figures that were measured last."""
        offered = row.sealed_at is not None and answer_metrics.has_scores(row)
        return {"results": or_not_found(metrics.of_page(row) if offered else None).as_json()}


def whole_round(row: JudgingRound) -> dict[str, Any]:
    """What is said of a round."""
    chair = row.chair.worker_code if row.chair else None
    job = pages.latest_seal_job(row) if row.state == RoundState.DRAFT else None
    return _counted(row) | {"chair": chair, "sealing": job}


def round_anew(row: JudgingRound) -> JudgingRound:
    """The round as it is now."""
    return JudgingRound.objects.select_related("project", "chair").get(pk=row.pk)


def _matched(request: Request, row: JudgingRound) -> JudgingRound:
    """The round as it is now, locked. PreconditionFailed if the caller has read another version."""
    rows = JudgingRound.objects.select_for_update(of=("self",)).select_related("project")
    now_there = or_not_found(rows.filter(pk=row.pk).first())
    etags.check_match(request, told.WholeRoundSerializer(whole_round(now_there)).data)
    return now_there


def _counted(row: JudgingRound) -> dict[str, Any]:
    columns = {field.name: getattr(row, field.name) for field in row._meta.concrete_fields}
    return columns | pages.counts_of(row)
