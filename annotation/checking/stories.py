"""What is wrong with the story of a demo, as far as it can be told without playing it."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.parsing.incoming import IncomingItem
from annotation.protocol import Activity, Protocol
from annotation.protocol_tools import Demo, Scene


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
