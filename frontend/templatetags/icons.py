"""The tag of an icon, which every template has without loading it."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of `_components/sprite.html`, by its name; screen readers pass over it."""
    return format_html('<svg class="icon" width="16" height="16" aria-hidden="true"><use href="#i-{}"/></svg>', name)
