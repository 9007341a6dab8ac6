"""What is wrong with the templates of a protocol: those that are missing, and styles that some screens lack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.template import Engine, TemplateDoesNotExist

from annotation.protocol import Activity, Protocol

_EXTENDS = re.compile(r"{% extends \"([^\"]+)\" %}")
_STYLES = re.compile(r"<link rel=\"stylesheet\" href=\"{% static '([^']+)' %}\">")


def wrong_templates(protocol: Protocol) -> Iterator[str]:
    """Templates of stages and of waiting that there are not, and those that lack styles of others in their activity."""
    for activity in protocol.activities:
        screens = _screens_of(protocol, activity)
        names = [*screens, *(f"{protocol.key}/{stage.key}_read.html" for stage in activity.stages)]
        missing = [name for name in names if not _exists(name)]
        yield from (f"{activity.key}: there is no template {name}." for name in missing)
        if not missing:
            yield from _lacking_styles(activity, screens)


def _screens_of(protocol: Protocol, activity: Activity) -> list[str]:
    keys = [stage.key for stage in activity.stages]
    return [f"{protocol.key}/{key}.html" for key in (*keys, *(("waiting",) if len(activity.seats) > 1 else ()))]


def _exists(name: str) -> bool:
    try:
        Engine.get_default().get_template(name)
    except TemplateDoesNotExist:
        return False
    return True


def _lacking_styles(activity: Activity, screens: list[str]) -> Iterator[str]:
    """One screen of an activity is exchanged for the next without loading the page: each has the styles of all."""
    styles = {name: _styles_of(name) for name in screens}
    every = set[str]().union(*styles.values())
    for name, own in styles.items():
        for lacking in sorted(every - own):
            yield (
                f"{activity.key}: {name} does not link {lacking}, as other screens of the activity do: they take its "
                "place in the same page, and would be without that."
            )


def _styles_of(name: str) -> set[str]:
    """The stylesheets that a template and those that it extends link to, as far as they name each other literally."""
    source = Engine.get_default().get_template(name).source
    found = set(_STYLES.findall(source))
    return found.union(*map(_styles_of, _EXTENDS.findall(source)))
