"""Addresses of annotators’ own work by script."""

from __future__ import annotations

from django.urls import path

from frontend.api.views.work import claiming, corrections, leads, leaving, lobbies, own_record, pairs, steps

V1 = "api/v1"
OF_PROJECT, WORK = f"{V1}/projects/<slug:slug>", f"{V1}/work/<uuid:uuid>"
STEP = f"{WORK}/steps/<slug:step>"
urlpatterns = [
    path(f"{OF_PROJECT}/work/<slug:activity>/claim/", claiming.ClaimView.as_view(), name="api_claim"),
    path(f"{OF_PROJECT}/work/<slug:activity>/search/", claiming.SearchView.as_view(), name="api_search"),
    path(f"{OF_PROJECT}/lobbies/<slug:activity>/", lobbies.LobbyView.as_view(), name="api_lobby"),
    path(f"{OF_PROJECT}/lobbies/<slug:activity>/here/", lobbies.HereView.as_view(), name="api_here"),
    path(f"{OF_PROJECT}/lobbies/<slug:activity>/alone/", lobbies.AloneView.as_view(), name="api_alone"),
    path(f"{OF_PROJECT}/lobbies/<slug:activity>/part/", lobbies.PartView.as_view(), name="api_prefer_part"),
    path(f"{OF_PROJECT}/guidelines/", leads.GuidelinesView.as_view(), name="api_guidelines"),
    path(f"{OF_PROJECT}/messages/", leads.LettersView.as_view(), name="api_messages"),
    path(f"{OF_PROJECT}/messages/read/", leads.LettersReadView.as_view(), name="api_messages_read"),
    path(f"{V1}/work/offers/", own_record.OffersView.as_view(), name="api_offers"),
    path(f"{V1}/work/finished/", own_record.FinishedView.as_view(), name="api_finished"),
    path(f"{V1}/work/pay/", own_record.OwnPayView.as_view(), name="api_own_pay"),
    path(f"{V1}/work/time/", own_record.OwnTimeView.as_view(), name="api_own_time"),
    path(f"{V1}/work/", claiming.HeldWorkView.as_view(), name="api_held_work"),
    path(f"{WORK}/", claiming.OneWorkView.as_view(), name="api_work"),
    path(f"{WORK}/renew/", leaving.RenewView.as_view(), name="api_work_renew"),
    path(f"{WORK}/take/", leaving.TakeView.as_view(), name="api_work_take"),
    path(f"{WORK}/skip/", leaving.SkipView.as_view(), name="api_work_skip"),
    path(f"{WORK}/unskip/", leaving.UnskipView.as_view(), name="api_work_unskip"),
    path(f"{WORK}/return/", leaving.ReturnView.as_view(), name="api_work_return"),
    path(f"{WORK}/report/", leaving.ReportView.as_view(), name="api_work_report"),
    path(f"{WORK}/explain/", corrections.ExplainView.as_view(), name="api_work_explain"),
    path(f"{WORK}/chat/", pairs.ChatView.as_view(), name="api_work_chat"),
    path(f"{WORK}/another/", lobbies.AnotherView.as_view(), name="api_work_another"),
    path(f"{WORK}/end/", pairs.EndView.as_view(), name="api_work_end"),
    path(f"{WORK}/more-time/", pairs.MoreTimeView.as_view(), name="api_work_more_time"),
    path(f"{WORK}/flag/", pairs.FlagView.as_view(), name="api_work_flag"),
    path(f"{STEP}/", steps.StepView.as_view(), name="api_work_step"),
    path(f"{STEP}/draft/", steps.DraftView.as_view(), name="api_work_draft"),
    path(f"{STEP}/time/", steps.TimeView.as_view(), name="api_work_time"),
    path(f"{STEP}/page/", steps.PageView.as_view(), name="api_work_page"),
    path(f"{STEP}/schema/", steps.StepSchemaView.as_view(), name="api_work_schema"),
    path(f"{STEP}/quote/", steps.QuoteView.as_view(), name="api_work_quote"),
    path(f"{STEP}/replace/", corrections.ReplaceView.as_view(), name="api_work_replace"),
    path(f"{STEP}/reconsider/", corrections.ReconsiderView.as_view(), name="api_work_reconsider"),
    path(f"{STEP}/withdraw/", pairs.WithdrawView.as_view(), name="api_work_withdraw"),
]
