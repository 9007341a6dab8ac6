"""What is wrong with what a protocol declares: templates that are missing or lack styles of other screens, and the
story of its demo, as far as it can be told without playing it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.template import Engine, TemplateDoesNotExist

from annotation.parsing.incoming import IncomingItem
from annotation.protocol import Activity, Protocol
from annotation.protocol_tools import Demo, Scene

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


def wrong_scenes(protocol: Protocol, demo: Demo, items: list[IncomingItem]) -> Iterator[str]:
    """Scenes of an activity that there is not, with too few people, or about an item that nothing brings.

    `items` are those of the demo's file. Items that work makes are not looked for; and what the lobby draws is known
    only when the story is played, which then ends at a scene that names another item.
    """
    activities = {one.key: one for one in protocol.activities}
    captions = {protocol.caption(one.kind, one.payload) for one in items}
    kinds = {one.kind for one in items}
    for scene in demo.story:
        at = f"The demo's story, {scene.day} days ago, {scene.who}"
        activity = activities.get(scene.activity)
        if activity is None and scene.activity:
            yield f"{at}: the protocol has no activity {scene.activity!r}."
        elif activity is not None:
            yield from (f"{at}: {cause}" for cause in _of_the_lobby(scene, activity))
        if scene.item and scene.item not in captions and (activity is None or activity.kind in kinds):
            yield f"{at}: no item of {demo.items.name} is called {scene.item!r}, and no earlier scene has drawn it."
        captions |= {scene.drawn} - {""}


def _of_the_lobby(scene: Scene, activity: Activity) -> Iterator[str]:
    """Who meets in a lobby, and what the scene says of the item that it draws."""
    if len(scene.partners) != len(activity.seats) - 1 and scene.ends in ("finished", "begun", "left"):
        yield f"{activity.key} is for {len(activity.seats)}, and the scene has {len(scene.partners)} partners."
    if scene.drawn and (scene.item or not scene.partners):
        yield f"{scene.drawn!r} is what it calls an item that a lobby draws, so it has partners and names no item."
    if not scene.item and not scene.partners and scene.ends != "released":
        yield "it names no item, and no lobby draws one."
