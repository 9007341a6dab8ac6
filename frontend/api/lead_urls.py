"""Addresses of the API below a project that its leads read and change."""

from __future__ import annotations

from django.urls import path

from frontend.api.views.leads import (
    cases,
    decisions,
    figures,
    imports,
    pay,
    people,
    queues,
    release_jobs,
    releases,
    setup,
    uploads,
)

PROJECT = "api/v1/projects/<slug:slug>/"
ITEM = f"{PROJECT}items/<int:item_id>/"
urlpatterns = [
    path(f"{PROJECT}uploads/", uploads.UploadsView.as_view(), name="api_uploads"),
    path(f"{PROJECT}uploads/<uuid:upload>/", uploads.UploadView.as_view(), name="api_upload"),
    path(f"{PROJECT}imports/", imports.ImportsView.as_view(), name="api_imports"),
    path(f"{PROJECT}imports/<int:job>/", imports.ImportView.as_view(), name="api_import"),
    path(f"{PROJECT}imports/<int:job>/cancel/", imports.ImportCancelView.as_view(), name="api_cancel_import"),
    path(f"{PROJECT}imports/<int:job>/undo/", imports.ImportUndoView.as_view(), name="api_undo_import"),
    path(f"{PROJECT}imports/<int:job>/refused/", imports.RefusedLinesView.as_view(), name="api_refused_lines"),
    path(f"{PROJECT}imports/<int:job>/refused/file", imports.RefusedFileView.as_view(), name="api_refused_file"),
    path(f"{PROJECT}releases/", releases.ReleasesView.as_view(), name="api_releases"),
    path(f"{PROJECT}releases/count/", release_jobs.ReleaseCountView.as_view(), name="api_count_release"),
    path(f"{PROJECT}releases/count/<int:job>/", release_jobs.ReleaseCountJobView.as_view(), name="api_release_count"),
    path(f"{PROJECT}releases/builds/<int:build>/", release_jobs.BuildView.as_view(), name="api_build"),
    path(
        f"{PROJECT}releases/builds/<int:build>/cancel/", release_jobs.BuildCancelView.as_view(), name="api_cancel_build"
    ),
    path(f"{PROJECT}releases/<int:version>/", releases.ReleaseView.as_view(), name="api_release"),
    path(f"{PROJECT}releases/<int:version>/retract/", releases.RetractView.as_view(), name="api_retract_release"),
    path(
        f"{PROJECT}releases/<int:version>/files/<path:name>",
        releases.ReleaseFileView.as_view(),
        name="api_release_file",
    ),
    path(f"{PROJECT}setup/", setup.SetupView.as_view(), name="api_setup"),
    path(f"{PROJECT}setup/check/", setup.SetupCheckView.as_view(), name="api_check_setup"),
    path(f"{PROJECT}queues/", queues.QueuesView.as_view(), name="api_queues"),
    path(f"{PROJECT}queues/<slug:activity>/", queues.QueueView.as_view(), name="api_queue"),
    path(f"{PROJECT}queues/<slug:activity>/open/", queues.QueueOpenView.as_view(), name="api_open_queue"),
    path(f"{PROJECT}queues/<slug:activity>/pause/", queues.QueuePauseView.as_view(), name="api_pause_queue"),
    path(f"{PROJECT}queues/<slug:activity>/close/", queues.QueueCloseView.as_view(), name="api_close_queue"),
    path(f"{PROJECT}places/", queues.PlacesView.as_view(), name="api_places"),
    path(f"{PROJECT}agreement/", figures.AgreementView.as_view(), name="api_agreement"),
    path(f"{PROJECT}human-bound/", figures.HumanBoundView.as_view(), name="api_human_bound"),
    path(f"{PROJECT}figures/", figures.FiguresView.as_view(), name="api_figures"),
    path(f"{PROJECT}board/", figures.BoardView.as_view(), name="api_board"),
    path(f"{PROJECT}cases/", cases.CasesView.as_view(), name="api_cases"),
    path(f"{ITEM}cases/<int:case>/", cases.CaseView.as_view(), name="api_case"),
    path(f"{ITEM}cases/<int:case>/decide/", cases.CaseDecisionView.as_view(), name="api_decide_case"),
    path(f"{ITEM}decide/", decisions.ItemDecisionView.as_view(), name="api_decide_item"),
    path(
        f"{ITEM}annotations/<uuid:annotation>/decide/",
        decisions.AnnotationDecisionView.as_view(),
        name="api_decide_annotation",
    ),
    path(f"{PROJECT}people/", people.PeopleView.as_view(), name="api_people"),
    path(f"{PROJECT}people/<slug:code>/", people.PersonView.as_view(), name="api_person"),
    path(f"{PROJECT}people/<slug:code>/end/", people.PersonEndView.as_view(), name="api_end_membership"),
    path(f"{PROJECT}invitations/", people.InvitationsView.as_view(), name="api_invitations"),
    path(
        f"{PROJECT}invitations/<int:invite>/revoke/",
        people.InvitationRevokeView.as_view(),
        name="api_revoke_invitation",
    ),
    path(f"{PROJECT}pay/", pay.PayView.as_view(), name="api_pay"),
    path(f"{PROJECT}pay/undo/", pay.PayUndoView.as_view(), name="api_undo_pay"),
]
