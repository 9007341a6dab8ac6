"""A person's own time: the list of days, and one day with its amendments."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock, randomness
from annotation.errors import PayloadInvalid
from frontend import my_time
from frontend.requests import AuthedRequest, form_view, in_utc, page_view, parse_day


@page_view
@in_utc
def index(request: AuthedRequest) -> HttpResponse:
    """Today, this week and every day; the query `day` redirects to that day."""
    chosen = parse_day(request.GET.get("day", ""))
    if chosen is not None:
        return redirect("time_day", day=chosen)
    today = clock.now().date()
    return render(
        request, "time/index.html", my_time.overview(request.user, today=today, page=request.GET.get("page", "1"))
    )


@form_view
@in_utc
def of_day(request: AuthedRequest, day: date) -> HttpResponse:
    """One day; POST amends it."""
    problems: dict[str, str] = {}
    if request.method == "POST":
        try:
            my_time.amend(request.user, day, request.POST, now=clock.now())
        except PayloadInvalid as refused:
            problems = {problem.field: _(problem.message) for problem in refused.problems}
        else:
            messages.success(request, _("Amended. The measured time is kept as well."))
            return redirect("time_day", day=day)
    context = my_time.of_day(request.user, day, page=request.GET.get("page", "1"))
    context |= {"problems": problems, "sent": request.POST, "key": randomness.handle()}
    return render(request, "time/day.html", context, status=422 if problems else 200)
