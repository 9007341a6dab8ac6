"""Addresses of the API below a project that its leads read and change."""

from __future__ import annotations

from django.urls import path

from frontend.api.views.leads import imports, queues, release_jobs, releases, setup, uploads

urlpatterns = [
    path("uploads/", uploads.UploadsView.as_view(), name="api_uploads"),
    path("uploads/<uuid:upload>/", uploads.UploadView.as_view(), name="api_upload"),
    path("imports/", imports.ImportsView.as_view(), name="api_imports"),
    path("imports/<int:job>/", imports.ImportView.as_view(), name="api_import"),
    path("imports/<int:job>/cancel/", imports.ImportCancelView.as_view(), name="api_cancel_import"),
    path("imports/<int:job>/undo/", imports.ImportUndoView.as_view(), name="api_undo_import"),
    path("imports/<int:job>/refused/", imports.RefusedLinesView.as_view(), name="api_refused_lines"),
    path("imports/<int:job>/refused/file", imports.RefusedFileView.as_view(), name="api_refused_file"),
    path("releases/", releases.ReleasesView.as_view(), name="api_releases"),
    path("releases/count/", release_jobs.ReleaseCountView.as_view(), name="api_count_release"),
    path("releases/count/<int:job>/", release_jobs.ReleaseCountJobView.as_view(), name="api_release_count"),
    path("releases/builds/<int:job>/", release_jobs.BuildView.as_view(), name="api_build"),
    path("releases/builds/<int:job>/cancel/", release_jobs.BuildCancelView.as_view(), name="api_cancel_build"),
    path("releases/<int:version>/", releases.ReleaseView.as_view(), name="api_release"),
    path("releases/<int:version>/retract/", releases.RetractView.as_view(), name="api_retract_release"),
    path("releases/<int:version>/files/<path:name>", releases.ReleaseFileView.as_view(), name="api_release_file"),
    path("setup/", setup.SetupView.as_view(), name="api_setup"),
    path("setup/check/", setup.SetupCheckView.as_view(), name="api_check_setup"),
    path("queues/", queues.QueuesView.as_view(), name="api_queues"),
    path("queues/<slug:activity>/", queues.QueueView.as_view(), name="api_queue"),
    path("queues/<slug:activity>/open/", queues.QueueOpenView.as_view(), name="api_open_queue"),
    path("queues/<slug:activity>/pause/", queues.QueuePauseView.as_view(), name="api_pause_queue"),
    path("queues/<slug:activity>/close/", queues.QueueCloseView.as_view(), name="api_close_queue"),
    path("places/", queues.PlacesView.as_view(), name="api_places"),
]
