"""URLs of judging rounds, for their raters and for leads."""

from __future__ import annotations

from django.urls import path

from frontend.views.judging import changes, drafts, led, meeting, metrics, raters

OWN = "judging/<uuid:uuid>/"
LED = "projects/<slug:slug>/judging/"

MEETING = f"{OWN}meeting/"

urlpatterns = [
    path("judging/look/", raters.look_anyway, name="look_anyway"),
    path(OWN, raters.show, name="judge"),
    path(f"{OWN}begin/", raters.begin, name="begin_judging"),
    path(f"{OWN}lock/", raters.lock, name="lock_marks"),
    path(MEETING, meeting.show, name="meeting"),
    path(f"{MEETING}leave/", meeting.leave, name="leave_meeting"),
    path(f"{MEETING}end/", meeting.end, name="end_meeting"),
    path(f"{MEETING}time/", meeting.time, name="meeting_time"),
    path(f"{MEETING}<int:place>/", meeting.show, name="meeting_exhibit"),
    path(f"{MEETING}<int:place>/<slug:what>/", meeting.act, name="act_in_meeting"),
    path("page/judging/meeting/<uuid:uuid>/<int:place>/", meeting.frame, name="meeting_page"),
    path(LED, led.index, name="judging_rounds"),
    path(f"{LED}new/", drafts.new, name="new_judging_round"),
    path(f"{LED}new/estimate/", drafts.estimate, name="estimate_judging_round"),
    path(f"{LED}predictions/", led.predictions, name="predictions"),
    path(f"{LED}<uuid:uuid>/", led.show, name="judging_round"),
    path(f"{LED}<uuid:uuid>/choices/", drafts.change, name="change_judging_round"),
    path(f"{LED}<uuid:uuid>/definitions/", drafts.rubric, name="judging_definitions"),
    path(f"{LED}<uuid:uuid>/preview/", drafts.preview, name="judging_preview"),
    path(
        "page/judging/preview/<slug:slug>/<uuid:uuid>/<int:place>/",
        drafts.preview_frame,
        name="judging_preview_page",
    ),
    path(f"{LED}<uuid:uuid>/results.csv", led.results_csv, name="judging_results_csv"),
    path(f"{LED}<uuid:uuid>/results.json", led.results_json, name="judging_results_json"),
    path(f"{LED}<uuid:uuid>/results.svg", led.results_svg, name="judging_results_svg"),
    path(f"{LED}<uuid:uuid>/metrics/", metrics.show, name="answer_metrics"),
    path(f"{LED}<uuid:uuid>/metrics/remove/", metrics.remove, name="remove_metric"),
    path(f"{LED}<uuid:uuid>/metrics/exhibits.csv", metrics.template_csv, name="exhibits_csv"),
    path(f"{LED}<uuid:uuid>/metrics/figures.csv", metrics.figures_csv, name="answer_metrics_csv"),
    path(f"{LED}<uuid:uuid>/metrics/figures.json", metrics.figures_json, name="answer_metrics_json"),
    path(f"{LED}<uuid:uuid>/exhibits/", changes.index, name="judging_exhibits"),
    path(f"{LED}<uuid:uuid>/exhibits/<int:place>/flag/", changes.flag, name="flag_exhibit"),
    path(f"{LED}<uuid:uuid>/raters/replace/", changes.replace, name="replace_rater"),
    path(f"{LED}<uuid:uuid>/seal/", led.seal, name="seal_judging_round"),
    path(f"{LED}<uuid:uuid>/discard/", led.discard, name="discard_judging_round"),
    path(f"{LED}<uuid:uuid>/chair/", meeting.choose_chair, name="choose_chair"),
    path(f"{LED}<uuid:uuid>/voters/remove/", meeting.remove, name="remove_voter"),
    path(f"{LED}<uuid:uuid>/stop/", meeting.stop, name="stop_judging"),
]
