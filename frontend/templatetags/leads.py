"""Template tags of a project's pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.models import Project
from annotation.protocol import Activity
from annotation.statistics.estimates import Estimate
from frontend import markdown
from frontend.courses.shown import ShownPicture
from frontend.leads import estimates
from frontend.leads.courses import shown_items
from frontend.leads.estimates import no_interval
from frontend.leads.items.filters import Filter
from frontend.leads.led import led_projects
from frontend.leads.setup.number_words import overlap_in_words
from frontend.leads.tabs import TabOnPage, same_page_of, tabs_of
from qualification.courses.content import ChoiceItem

register = template.Library()
register.filter("hours_and_cost", estimates.hours_and_cost)


@register.simple_tag(takes_context=True)
def tabs(context: dict[str, Any], project: Project) -> list[TabOnPage]:
    """The tabs of the project."""
    return list(tabs_of(project, context["request"].resolver_match.url_name))


@register.simple_tag(takes_context=True)
def other_projects(context: dict[str, Any], project: Project) -> list[tuple[str, str]]:
    """Title and address of the other projects that the reader leads, each at the same tab."""
    request = context["request"]
    others = [one for one in led_projects(request.user) if one != project]
    return list(same_page_of(others, request.resolver_match.url_name))


@register.simple_tag(takes_context=True)
def course_pictures(context: dict[str, Any], item: ChoiceItem) -> list[ShownPicture]:
    """The pictures of an item of the page's qualification."""
    return shown_items.pictures_of(context["qualification"], item)


@register.simple_tag
def page_of_list(wanted: Filter, page: int) -> str:
    """The query of another page of the list of items."""
    return wanted.address(page=page)


@register.filter
def overlaps(activity: Activity) -> list[tuple[str, str]]:
    """How many annotate each item, by split."""
    return [(split, overlap_in_words(number)) for split, number in activity.overlap.items()]


@register.filter
def hundredths(value: float | None) -> str:
    """A number with two decimals and a real minus sign, as on the board; "" for none."""
    return "" if value is None else estimates.hundredths(value)


@register.filter
def short(value: float) -> str:
    """A number of few digits with a real minus sign."""
    return estimates.short_number(value).replace("-", "−")


@register.filter
def interval(estimate: Estimate) -> str:
    """An interval with two decimals, why there is none, or a dash where there is no number."""
    if estimate.low is None or estimate.high is None:
        return no_interval(estimate) or "–"
    return f"{estimates.hundredths(estimate.low)} – {estimates.hundredths(estimate.high)}"


@register.filter
def markdown_text(text: str) -> SafeString:
    """A text of Markdown as safe HTML, with its title."""
    page = markdown.document(text)
    return format_html("<h1>{}</h1>{}", page.title, page.html) if page.title else page.html


@register.filter
def plain_text(text: str) -> str:
    """The beginning of a text of Markdown, without its marks."""
    return markdown.first_line_in_plain_text(text)


@register.filter
def undo_url(tags: str) -> str:
    """Where a message's button leads that undoes what it says; "" if it has none."""
    kind, _space, url = (tags or "").partition(" ")
    return url if kind == "undo" else ""
