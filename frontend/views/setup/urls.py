"""URLs of making and setting up projects. Before those of a project's pages: no project can have the slug `new`."""

from __future__ import annotations

from django.urls import path

from frontend.views.setup import new_project, queues, rehearsals, settings, splits, webhooks

urlpatterns = [
    path("projects/new/", new_project.index, name="new_project"),
    path("projects/new/from-file/", new_project.from_file, name="new_project_from_file"),
    path("projects/new/from-project/<slug:slug>/", new_project.from_project, name="new_project_from_project"),
    path("projects/new/discard/", new_project.discard, name="discard_new_project"),
    path("projects/new/protocols/<slug:protocol>/", new_project.protocol, name="protocol"),
    path("projects/new/estimate/", new_project.estimate, name="new_project_estimate"),
    path("projects/new/<slug:section>/", new_project.step, name="new_project_step"),
    path("projects/<slug:slug>/queues/", queues.index, name="queues"),
    path("projects/<slug:slug>/<slug:activity>/queue/open/", queues.open_queue, name="open_queue"),
    path("projects/<slug:slug>/<slug:activity>/queue/pause/", queues.pause, name="pause_queue"),
    path("projects/<slug:slug>/<slug:activity>/queue/close/", queues.close, name="close_queue"),
    path("projects/<slug:slug>/<slug:activity>/queue/change/", queues.change, name="change_queue"),
    path("projects/<slug:slug>/rehearsals/", rehearsals.index, name="rehearsals"),
    path("projects/<slug:slug>/rehearsals/<int:rehearsal>/", rehearsals.show, name="rehearsal"),
    path("projects/<slug:slug>/rehearsals/<int:rehearsal>/cancel/", rehearsals.cancel, name="cancel_rehearsal"),
    path("projects/<slug:slug>/settings/", settings.index, name="settings"),
    path("projects/<slug:slug>/settings/archive/", settings.archive, name="archive_project"),
    path("projects/<slug:slug>/settings/bring-back/", settings.bring_back, name="bring_back_project"),
    path("projects/<slug:slug>/settings/remove/", settings.remove, name="remove_project"),
    path("projects/<slug:slug>/settings/<int:event>/undo/", settings.undo, name="undo_setting"),
    path("projects/<slug:slug>/settings/existing/", settings.existing_items, name="existing_items"),
    path("projects/<slug:slug>/settings/guidelines/", settings.edit, name="edit_guidelines"),
    path("projects/<slug:slug>/settings/consent/", settings.consent_text, name="consent_text"),
    path("projects/<slug:slug>/settings/splits/", splits.index, name="splits"),
    path("projects/<slug:slug>/settings/webhooks/", webhooks.index, name="webhooks"),
    path("projects/<slug:slug>/settings/webhooks/<int:webhook>/", webhooks.show, name="webhook"),
    path("projects/<slug:slug>/settings/webhooks/<int:webhook>/change/", webhooks.change, name="change_webhook"),
    path("projects/<slug:slug>/settings/webhooks/<int:webhook>/pause/", webhooks.pause, name="pause_webhook"),
    path("projects/<slug:slug>/settings/webhooks/<int:webhook>/secret/", webhooks.rotate, name="rotate_webhook"),
    path("projects/<slug:slug>/settings/webhooks/<int:webhook>/remove/", webhooks.remove, name="remove_webhook"),
    path("projects/<slug:slug>/settings/webhooks/<int:webhook>/test/", webhooks.test, name="test_webhook"),
    path(
        "projects/<slug:slug>/settings/webhooks/<int:webhook>/<int:delivery>/again/",
        webhooks.send_again,
        name="send_webhook_again",
    ),
    path("projects/<slug:slug>/settings/setup.yaml", settings.setup_file, name="setup_file"),
]
