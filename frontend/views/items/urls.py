"""URLs of the list of a project's items, of the history of one, and of what is decided about it."""

from __future__ import annotations

from django.urls import path

from frontend.views import decisions
from frontend.views.items import deciding, history, listing, reports

ITEM = "projects/<slug:slug>/items/<int:item_id>/"

urlpatterns = [
    path("projects/<slug:slug>/undo/<int:event>/", deciding.undo, name="undo"),
    path("projects/<slug:slug>/items/", listing.index, name="items"),
    path("projects/<slug:slug>/items/decide/", deciding.decide, name="decide_items"),
    path("projects/<slug:slug>/reports/", reports.index, name="reports"),
    path(f"{ITEM}history/", history.index, name="item_history"),
    path(f"{ITEM}bring-back/", decisions.bring_back, name="bring_back"),
    path(f"{ITEM}more/<int:task>/", decisions.ask_for_more, name="more_of_item"),
    path(f"{ITEM}more/<int:task>/undo/", decisions.ask_for_no_more, name="no_more_of_item"),
    path(
        f"{ITEM}<uuid:annotation>/reopen/undo/",
        decisions.take_back_reopening,
        name="take_back_reopening",
    ),
    path(f"{ITEM}<uuid:annotation>/replace/", decisions.replace, name="replace_by"),
]
