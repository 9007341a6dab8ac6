"""URLs of judging rounds, for their raters and for leads."""

from __future__ import annotations

from django.urls import path

from frontend.views.judging import led, raters

OWN = "judging/<uuid:uuid>/"
LED = "projects/<slug:slug>/judging/"

urlpatterns = [
    path(OWN, raters.show, name="judge"),
    path(f"{OWN}begin/", raters.begin, name="begin_judging"),
    path(f"{OWN}lock/", raters.lock, name="lock_marks"),
    path(LED, led.index, name="judging_rounds"),
    path(f"{LED}new/", led.new, name="new_judging_round"),
    path(f"{LED}<uuid:uuid>/", led.show, name="judging_round"),
    path(f"{LED}<uuid:uuid>/results.csv", led.results_csv, name="judging_results_csv"),
    path(f"{LED}<uuid:uuid>/results.json", led.results_json, name="judging_results_json"),
    path(f"{LED}<uuid:uuid>/results.svg", led.results_svg, name="judging_results_svg"),
    path(f"{LED}<uuid:uuid>/seal/", led.seal, name="seal_judging_round"),
    path(f"{LED}<uuid:uuid>/discard/", led.discard, name="discard_judging_round"),
]
