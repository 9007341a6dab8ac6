"""Template tags about the person who is signed in."""

from __future__ import annotations

from typing import Any

from django import template

from frontend.accounts.recruiting import Completion, completions_of

register = template.Library()


@register.simple_tag(takes_context=True)
def completions(context: dict[str, Any]) -> list[Completion]:
    """What people from recruitment sites enter there when they have done enough; nothing for anybody else."""
    return completions_of(context["request"].user)
