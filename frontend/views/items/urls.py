"""URLs of a project's items: the list, one item, its history, its disputes, and what is decided about it."""

from __future__ import annotations

from django.urls import path

from frontend.views import chat
from frontend.views.items import as_seen, bulk, decisions, disputes, item, listing, trying
from frontend.views.people import course_pieces

ITEM = "projects/<slug:slug>/items/<int:item_id>/"
SEEN = "<slug:activity>/<slug:seat>/<slug:step>/"

urlpatterns = [
    path("projects/<slug:slug>/undo/<int:first>/<int:last>/", decisions.undo, name="undo"),
    path("projects/<slug:slug>/items/", listing.index, name="items"),
    path("projects/<slug:slug>/items/items.csv", listing.table, name="items_csv"),
    path("projects/<slug:slug>/items/decide/", bulk.decide, name="decide_items"),
    path("projects/<slug:slug>/items/decided/<int:decided>/", bulk.show, name="decided_items"),
    path("projects/<slug:slug>/items/decided/<int:decided>/stop/", bulk.stop, name="stop_deciding"),
    path("projects/<slug:slug>/items/decided/<int:decided>/undo/", bulk.undo, name="undo_decided"),
    path("projects/<slug:slug>/reports/", listing.reported, name="reports"),
    path(f"{ITEM}as-seen/", as_seen.first, name="as_seen_first"),
    path(f"{ITEM}as-seen/{SEEN}", as_seen.show, name="as_seen"),
    path(f"{ITEM}as-seen/{SEEN}image/<int:place>/", as_seen.image, name="as_seen_image"),
    path(f"page/as-seen/<slug:slug>/<int:item_id>/{SEEN}", as_seen.page, name="as_seen_page"),
    path(f"{ITEM}history/", item.index, name="item_history"),
    path(f"{ITEM}bring-back/", decisions.bring_back, name="bring_back"),
    path(f"{ITEM}set-aside/", decisions.set_aside, name="set_aside"),
    path(f"{ITEM}return/", decisions.return_to_work, name="return_to_work"),
    path(f"{ITEM}more/<int:task>/", decisions.ask_for_more, name="more_of_item"),
    path(f"{ITEM}more/<int:task>/undo/", decisions.ask_for_no_more, name="no_more_of_item"),
    path(
        f"{ITEM}<uuid:annotation>/reopen/undo/",
        decisions.take_back_reopening,
        name="take_back_reopening",
    ),
    path(f"{ITEM}<uuid:annotation>/replace/", decisions.replace, name="replace_by"),
    path(ITEM, item.item, name="item"),
    path(f"{ITEM}try/", trying.begin, name="try_item"),
    path(f"{ITEM}exam/", course_pieces.use, name="use_in_exam"),
    path(f"{ITEM}tried/<uuid:uuid>/", trying.show, name="tried"),
    path("trials/<uuid:uuid>/put-away/", trying.put_away, name="put_away_trial"),
    path(f"{ITEM}unfreeze/", item.unfreeze, name="unfreeze"),
    path(f"{ITEM}cancel/", decisions.cancel, name="cancel"),
    path(f"{ITEM}exclude/", decisions.exclude_all, name="exclude_all"),
    path(f"{ITEM}restore/", decisions.restore_all, name="restore_all"),
    path(f"{ITEM}<uuid:annotation>/exclude/", decisions.exclude, name="exclude"),
    path(f"{ITEM}<uuid:annotation>/restore/", decisions.restore, name="restore"),
    path(f"{ITEM}<uuid:annotation>/reopen/", decisions.reopen, name="reopen"),
    path(
        f"{ITEM}cases/<int:case>/<slug:to>/",
        decisions.decide_case,
        name="decide_case",
    ),
    path(f"{ITEM}<uuid:annotation>/chat/", chat.answer, name="answer_chat"),
    path("projects/<slug:slug>/references/", trying.references, name="references"),
    path("projects/<slug:slug>/references/<int:item_id>/", trying.write_reference, name="write_exam_reference"),
    path("projects/<slug:slug>/disputes/", disputes.index, name="disputes"),
    path("projects/<slug:slug>/disputes/begin/", disputes.begin, name="see_answers"),
    path("projects/<slug:slug>/disputes/tell/", disputes.tell, name="tell_decisions"),
    path("projects/<slug:slug>/<slug:activity>/disputes/<int:item_id>/", disputes.item, name="dispute"),
    path("projects/<slug:slug>/<slug:activity>/disputes/<int:item_id>/decide/", disputes.decide, name="decide_dispute"),
    path("projects/<slug:slug>/<slug:activity>/disputes/<int:item_id>/ask/", disputes.ask, name="ask_for_more"),
    path("projects/<slug:slug>/asked/<int:task_id>/undo/", disputes.unask, name="unask_for_more"),
    path("projects/<slug:slug>/<slug:activity>/disputes/<int:item_id>/write/", disputes.write, name="write_reference"),
    path("projects/<slug:slug>/<slug:activity>/disputes/<int:item_id>/undo/", disputes.undo, name="undo_decision"),
]
