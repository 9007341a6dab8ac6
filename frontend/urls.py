"""URLs of the site; tests/frontend/who_may.py has a row for each."""

from __future__ import annotations

from datetime import date

from django.urls import path, register_converter

from frontend.api.urls import urlpatterns as api
from frontend.views import (
    agreement,
    chat,
    compared,
    draft,
    finished,
    health,
    home,
    human_bound,
    imports,
    lease,
    lobby,
    material,
    my_time,
    partner,
    pay,
    project_time,
    search,
    skip_and_return,
    work,
)
from frontend.views.accounts import passwords
from frontend.views.accounts.urls import urlpatterns as accounts
from frontend.views.boards import board
from frontend.views.courses.urls import urlpatterns as courses
from frontend.views.items.urls import urlpatterns as items
from frontend.views.judging.urls import urlpatterns as judging
from frontend.views.people import members
from frontend.views.people.course_urls import urlpatterns as courses_of_leads
from frontend.views.people.qualification_urls import urlpatterns as qualifications
from frontend.views.people.urls import urlpatterns as person
from frontend.views.prolific.urls import urlpatterns as prolific
from frontend.views.releases import card as release_card
from frontend.views.releases import making as release_making
from frontend.views.releases import pages as release_pages
from frontend.views.releases import scoring as release_scoring
from frontend.views.setup.urls import urlpatterns as setup
from frontend.views.site.urls import urlpatterns as site


class DayConverter:
    """Path converter for an ISO date, as in 2026-11-22; the last day that Python knows has no next one and is none."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    to_url = staticmethod(date.isoformat)

    @staticmethod
    def to_python(value: str) -> date:
        """ValueError, which is a 404, if there is no such day."""
        day = date.fromisoformat(value)
        if day == date.max:
            raise ValueError(value)
        return day


handler400 = "frontend.errors.bad_request"
handler404 = "frontend.errors.not_found"
handler500 = "frontend.error_page.server_error"
register_converter(DayConverter, "day")
# Addresses are tried in this order: those of the work screens come first, since they are asked for most.
urlpatterns = [
    path("work/<uuid:uuid>/now/", partner.now, name="now"),
    path("work/<uuid:uuid>/partner/", partner.show, name="partner"),
    path("work/<uuid:uuid>/flag/", partner.flag, name="flag"),
    path("work/<uuid:uuid>/chat/", chat.messages, name="chat"),
    path("work/<uuid:uuid>/signing-in/<str:token>/", partner.signing_in, name="signing_in"),
    path("work/<uuid:uuid>/more/", partner.more_time, name="more_time"),
    path("work/<uuid:uuid>/end/", partner.end, name="end_lost"),
    path("work/<uuid:uuid>/another/", partner.another, name="another_partner"),
    path("work/<uuid:uuid>/", work.show, name="work"),
    path("work/<uuid:uuid>/renew/", lease.renew, name="renew"),
    path("work/<uuid:uuid>/take/", lease.take, name="take"),
    path("work/<uuid:uuid>/skip/", skip_and_return.skip, name="skip"),
    path("work/<uuid:uuid>/unskip/", skip_and_return.unskip, name="unskip"),
    path("work/<uuid:uuid>/return/", skip_and_return.give_back, name="give_back"),
    path("work/<uuid:uuid>/report/", skip_and_return.report, name="report"),
    path("work/<uuid:uuid>/explain/", skip_and_return.explain, name="explain"),
    path("work/<uuid:uuid>/<slug:step>/", work.stage, name="stage"),
    path("work/<uuid:uuid>/<slug:step>/replace/", work.replace, name="replace"),
    path("work/<uuid:uuid>/<slug:step>/reconsider/", skip_and_return.reconsider, name="reconsider"),
    path("work/<uuid:uuid>/<slug:step>/withdraw/", partner.withdraw, name="withdraw"),
    path("work/<uuid:uuid>/<slug:step>/draft/", draft.save, name="draft"),
    path("work/<uuid:uuid>/<slug:step>/kept/", draft.show, name="kept"),
    path("page/<slug:slug>/<slug:activity>/<int:item_id>/", material.whole_page, name="compared_page"),
    path("page/<uuid:uuid>/<slug:step>/", material.page, name="frame"),
    path("picture/<uuid:uuid>/<slug:step>/<str:token>/<int:place>/", material.picture, name="picture"),
    path("work/<uuid:uuid>/<slug:step>/image/<int:place>/", material.image, name="image"),
    path("work/<uuid:uuid>/<slug:step>/quote/", material.find_quote, name="find_quote"),
    path("", home.index, name="home"),
    *api,
    *accounts,
    *setup,
    *site,
    path("health/", health.ready, name="health"),
    path("health/live/", health.live, name="health_live"),
    path("finished/", finished.index, name="finished"),
    path("time/", my_time.index, name="time"),
    path("time/<day:day>/", my_time.of_day, name="time_day"),
    path("projects/<slug:slug>/", board.index, name="project"),
    path("projects/<slug:slug>/board/", board.live, name="board_live"),
    path("projects/<slug:slug>/board/<slug:card>.svg", board.svg, name="board_svg"),
    path("projects/<slug:slug>/board/<slug:card>.csv", board.table, name="board_csv"),
    path("projects/<slug:slug>/pause/", board.pause, name="pause"),
    path("projects/<slug:slug>/resume/", board.resume, name="resume"),
    path("projects/<slug:slug>/human-bound/", human_bound.index, name="human_bound"),
    path("projects/<slug:slug>/human-bound.csv", human_bound.figures, name="human_bound_csv"),
    path("projects/<slug:slug>/agreement/", agreement.index, name="agreement"),
    path("projects/<slug:slug>/agreement/agreement.csv", agreement.table, name="agreement_csv"),
    path("projects/<slug:slug>/agreement/agreement.svg", agreement.svg, name="agreement_svg"),
    path("projects/<slug:slug>/imports/", imports.index, name="imports"),
    path("projects/<slug:slug>/imports/start/", imports.start, name="start_import"),
    path("projects/<slug:slug>/imports/examples/<str:example>", imports.sample, name="import_sample"),
    path("projects/<slug:slug>/imports/uploads/", imports.begin, name="begin_upload"),
    path("projects/<slug:slug>/imports/uploads/<uuid:upload>/", imports.upload, name="upload"),
    path("projects/<slug:slug>/imports/uploads/<uuid:upload>/remove/", imports.remove, name="remove_upload"),
    path("projects/<slug:slug>/imports/<int:job>/", imports.show, name="import"),
    path("projects/<slug:slug>/imports/<int:job>/cancel/", imports.cancel, name="cancel_import"),
    path("projects/<slug:slug>/imports/<int:job>/undo/", imports.undo, name="undo_import"),
    path("projects/<slug:slug>/imports/<int:job>/dismiss/", imports.dismiss, name="dismiss_import"),
    path("projects/<slug:slug>/imports/<int:job>/take-up/", imports.take_up, name="take_up_import"),
    path("projects/<slug:slug>/imports/<int:job>/refused.csv", imports.refused_csv, name="refused_csv"),
    path("projects/<slug:slug>/imports/<int:job>/refused.jsonl", imports.refused_lines, name="refused_lines"),
    *qualifications,
    *prolific,
    *judging,
    *courses,
    *courses_of_leads,
    path("projects/<slug:slug>/people/", members.index, name="people"),
    path("projects/<slug:slug>/people/<slug:code>/password/", passwords.give, name="give_password"),
    path("projects/<slug:slug>/people/open/", members.change, name="recruiting"),
    path("projects/<slug:slug>/people/invite/", members.make, name="invite"),
    path("projects/<slug:slug>/people/invitations/<int:invite>/renew/", members.renew, name="renew_invite"),
    path("projects/<slug:slug>/people/invitations/<int:invite>/revoke/", members.revoke, name="revoke_invite"),
    *person,
    path("projects/<slug:slug>/time/", project_time.index, name="project_time"),
    path("projects/<slug:slug>/time.csv", project_time.as_csv, name="project_time_csv"),
    path("projects/<slug:slug>/time/<slug:code>/", project_time.of_person, name="project_time_of"),
    path("projects/<slug:slug>/pay/", pay.index, name="pay"),
    path("projects/<slug:slug>/pay.csv", pay.as_csv, name="pay_csv"),
    path("projects/<slug:slug>/pay/<uuid:settlement>/undo/", pay.undo, name="undo_pay"),
    *items,
    path("projects/<slug:slug>/<slug:activity>/compared/", compared.index, name="compared"),
    path("projects/<slug:slug>/<slug:activity>/compared/<int:item_id>/", compared.item, name="compare"),
    path("projects/<slug:slug>/consent/", home.consent, name="consent"),
    path("projects/<slug:slug>/guidelines/", home.guidelines, name="guidelines"),
    path("projects/<slug:slug>/releases/", release_pages.index, name="releases"),
    path("projects/<slug:slug>/releases/new/", release_making.new, name="new_release"),
    path("projects/<slug:slug>/releases/card/", release_card.edit, name="data_card"),
    path("projects/<slug:slug>/releases/new/count/", release_making.count, name="count_release"),
    path("projects/<slug:slug>/releases/jobs/<int:build>/", release_making.job, name="release_job"),
    path("projects/<slug:slug>/releases/jobs/<int:build>/cancel/", release_making.cancel, name="cancel_release"),
    path("projects/<slug:slug>/releases/jobs/<int:build>/without/", release_making.without, name="release_without"),
    path("projects/<slug:slug>/releases/<int:version>/", release_pages.of_version, name="release"),
    path("projects/<slug:slug>/releases/<int:version>/changes/", release_pages.page, name="release_changes"),
    path("projects/<slug:slug>/releases/<int:version>/changes.csv", release_pages.table, name="release_changes_csv"),
    path("projects/<slug:slug>/releases/<int:version>/score/", release_scoring.score, name="score_release"),
    path("projects/<slug:slug>/releases/<int:version>/retract/", release_pages.retract, name="retract_release"),
    path("projects/<slug:slug>/releases/<int:version>/<path:name>", release_pages.file, name="release_file"),
    path("projects/<slug:slug>/<slug:activity>/search/", search.page, name="search"),
    path("projects/<slug:slug>/<slug:activity>/search/time/", search.time, name="search_time"),
    path("projects/<slug:slug>/<slug:activity>/next/", work.claim, name="claim"),
    path("projects/<slug:slug>/<slug:activity>/lobby/", lobby.show, name="lobby"),
    path("projects/<slug:slug>/<slug:activity>/lobby/enter/", lobby.enter, name="enter_lobby"),
    path("projects/<slug:slug>/<slug:activity>/lobby/here/", lobby.here, name="here"),
    path("projects/<slug:slug>/<slug:activity>/lobby/part/", lobby.prefer, name="prefer_part"),
    path("projects/<slug:slug>/<slug:activity>/lobby/alone/", lobby.alone, name="alone"),
    path("projects/<slug:slug>/<slug:activity>/lobby/leave/", lobby.leave, name="leave_lobby"),
]
