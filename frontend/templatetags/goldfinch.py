"""Template tags and filters: JSON for scripts, sums, shares, times, durations, and other pages of a list."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.forms import BoundField
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.documents import words
from annotation.i18n import Noun
from frontend import wording

register = template.Library()


@register.simple_tag
def island(identifier: str, value: Any, fields: str = "") -> SafeString:
    """A value as JSON in a template element; with `fields`, a list of these attributes for each row.

    Not a script element: we have htmx remove every script from what it swaps in (`allowScriptTags`).
    """
    names = fields.split()
    if names:
        rows = value if isinstance(value, Iterable) else (value,)
        value = [[getattr(row, name) for name in names] for row in rows]
    return format_html('<template id="{}" data-json>{}</template>', identifier, DjangoJSONEncoder().encode(value))


@register.filter
def verbatim_text(text: str) -> SafeString:
    """A text of which a browser has each character: it reads a carriage return as a newline, unless as a reference."""
    reference = format_html("&#13;{}", "")
    return format_html_join(reference, "{}", ((line,) for line in text.split("\r")))


@register.filter
def boundaries(text: str) -> SafeString:
    """The attributes by which a page's scripts know where the words and characters of its `data-passage` begin."""
    by = format_html(" data-in-characters{}", "") if is_counted_by_characters(text) else ""
    return format_html('data-words="{}" data-clusters="{}"{}', *words.boundaries(text).codes, by)


@register.filter
def keyed(field: BoundField, codes: str) -> list[tuple[str, Any, str]]:
    """(value, title, key) of a field's choices: with the letters of `codes`, digits without any, none for "-"."""
    options: Any = field.field
    choices = list(options.choices)
    keys = [""] * len(choices) if codes == "-" else codes or [str(number) for number in range(1, len(choices) + 1)]
    return [(value, title, key) for (value, title), key in zip(choices, keys, strict=True)]


@register.filter
def is_counted_by_characters(text: str) -> bool:
    """Whether people count a text in this language by characters, as in Chinese, and not by words."""
    return words.length_of(text).in_characters


@register.filter
def text_length(text: str) -> str:
    """How long a text is: "312 words" or, where people count so, "540 characters"."""
    n, in_characters = words.length_of(text)
    if in_characters:
        return ngettext("%(n)s character", "%(n)s characters", n) % {"n": floatformat(n, "0g")}
    return ngettext("%(n)s word", "%(n)s words", n) % {"n": floatformat(n, "0g")}


@register.filter
def total(rows: Iterable[dict[str, Any]], key: str) -> int:
    """The sum of `key` over rows."""
    return sum(row[key] or 0 for row in rows)


@register.filter
def for_number(noun: Noun, n: int) -> str:
    """The noun as it follows this number."""
    word: str = noun.one if n == 1 else noun.many
    return word


@register.filter
def share(part: int, whole: int) -> int:
    """`part` as a percentage of `whole`, rounded down, so that 100 means all of it; 0 if `whole` is 0."""
    return 100 * (part or 0) // whole if whole else 0


@register.filter
def percent(part: float) -> str:
    """A share of 0 to 1 as a percentage, with a decimal if it needs one."""
    return floatformat(100 * part, -1)


@register.filter
def hundredth(part: float) -> str:
    """A share of 0 to 1 as a length of 0 to 100 in an SVG, which reads a decimal point in every language."""
    return f"{100 * part:.1f}"


@register.filter
def within(value: float, least: float = 0.0) -> str:
    """A value as a position of 0 to 100 in an SVG whose axis is from `least` to 1; what is beyond is at the end."""
    return hundredth((min(1.0, max(least, value)) - least) / (1 - least))


@register.filter
def span(number: Any, least: float = 0.0) -> str:
    """The width of a number's interval in an SVG of the width 100, whose axis is from `least` to 1."""
    low, high = (min(1.0, max(least, end)) for end in (number.low, number.high))
    return hundredth((high - low) / (1 - least))


@register.filter
def day(on: date | None, format: str) -> str:
    """A day, in one of `frontend.wording.FORMATS`."""
    return "" if on is None else wording.formatted(on, format)


@register.filter
def moment(at: datetime | None, format: str) -> SafeString | str:
    """A time in the reader's zone, as an element that names the zone on hover. UTC is named in the text as well.

    `format` is one of `frontend.wording.FORMATS`. A template that shows a time of day uses this filter.
    """
    if at is None:
        return ""
    local = timezone.localtime(at)
    text, zone = wording.formatted(local, format), timezone.get_current_timezone_name()
    title = f"{zone} (UTC{local.isoformat()[-6:]})"
    if zone == "UTC":
        title = _("Coordinated Universal Time")
        text = f"{text} UTC" if "H" in format else text
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(timespec="seconds"), title, text)


@register.filter
def lasting(seconds: float) -> str:
    """A duration in words: `1 h 12 min`, `12 min`, `40 s`, with a minus sign if negative."""
    sign, whole = ("−" if seconds < 0 else ""), abs(int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return sign + _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": f"{minutes:02}"}
    return sign + (_("%(n)s s") % {"n": whole} if 0 < whole < 60 else _("%(n)s min") % {"n": minutes})


@register.filter
def roughly(seconds: float) -> str:
    """A long duration in one unit: `5 min`, `3 h`, `4 days`."""
    minutes = int(seconds) // 60
    if minutes < 60:
        return _("%(n)s min") % {"n": minutes}
    if minutes < 48 * 60:
        return _("%(n)s h") % {"n": minutes // 60}
    return _("%(n)s days") % {"n": minutes // (24 * 60)}


@register.filter
def to_the_second(seconds: float) -> str:
    """A duration of a few minutes, to the second: `45 s`, `80 s`, `4 min 05 s`."""
    whole = round(seconds)
    if whole < 120:
        return _("%(n)s s") % {"n": whole}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": whole // 60, "seconds": f"{whole % 60:02}"}


@register.filter
def signed_minutes(minutes: int) -> str:
    """Minutes with a sign: `+25 min`, `−2 min`."""
    return ("−" if minutes < 0 else "+") + _("%(n)s min") % {"n": abs(minutes)}


@register.simple_tag(takes_context=True)
def other_page(context: dict[str, Any], parameter: str, number: int, anchor: str = "") -> str:
    """The address of this page with another number of a page in its query."""
    query = context["request"].GET.copy()
    query[parameter] = str(number)
    return f"?{query.urlencode()}" + (f"#{anchor}" if anchor else "")
