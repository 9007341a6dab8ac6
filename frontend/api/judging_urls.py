"""Addresses of the API about disputes and judging rounds, for the leads of a project."""

from __future__ import annotations

from django.urls import path

from frontend.api.views.leads import disputes, exhibits, predictions, round_people, rounds

PROJECT = "api/v1/projects/<slug:slug>/"
DISPUTE = f"{PROJECT}disputes/<slug:activity>/<int:item_id>/"
ROUND = f"{PROJECT}rounds/<uuid:uuid>/"
urlpatterns = [
    path(f"{PROJECT}disputes/", disputes.DisputesView.as_view(), name="api_disputes"),
    path(DISPUTE, disputes.DisputeView.as_view(), name="api_dispute"),
    path(f"{DISPUTE}decide/", disputes.DisputeDecideView.as_view(), name="api_decide_dispute"),
    path(f"{DISPUTE}undo/", disputes.DecisionUndoView.as_view(), name="api_undo_decision"),
    path(f"{DISPUTE}ask/", disputes.DisputeAskView.as_view(), name="api_ask_for_more"),
    path(f"{DISPUTE}unask/", disputes.DisputeUnaskView.as_view(), name="api_unask_for_more"),
    path(f"{PROJECT}predictions/", predictions.PredictionsView.as_view(), name="api_predictions"),
    path(f"{PROJECT}rounds/", rounds.RoundsView.as_view(), name="api_rounds"),
    path(ROUND, rounds.RoundView.as_view(), name="api_round"),
    path(f"{ROUND}seal/", rounds.RoundSealView.as_view(), name="api_seal_round"),
    path(f"{ROUND}stop/", rounds.RoundStopView.as_view(), name="api_stop_round"),
    path(f"{ROUND}results/", rounds.RoundResultsView.as_view(), name="api_round_results"),
    path(f"{ROUND}metrics/", rounds.RoundMetricsView.as_view(), name="api_round_metrics"),
    path(f"{ROUND}raters/", round_people.RatersView.as_view(), name="api_raters"),
    path(f"{ROUND}raters/<int:number>/replace/", round_people.RaterReplaceView.as_view(), name="api_replace_rater"),
    path(f"{ROUND}raters/<int:number>/remove/", round_people.VoterRemoveView.as_view(), name="api_remove_voter"),
    path(f"{ROUND}chair/", round_people.ChairView.as_view(), name="api_choose_chair"),
    path(f"{ROUND}end-meeting/", round_people.MeetingEndView.as_view(), name="api_end_meeting"),
    path(f"{ROUND}exhibits/", exhibits.ExhibitsView.as_view(), name="api_exhibits"),
    path(f"{ROUND}exhibits/<int:place>/flag/", exhibits.ExhibitFlagView.as_view(), name="api_flag_exhibit"),
]
