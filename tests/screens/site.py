"""Pictures of what an admin sees of the site."""

from __future__ import annotations

from tests.screens.camera import Camera


def admin(camera: Camera) -> None:
    """Everybody's accounts, one of them, what follows from closing it, a closed one; jobs; none of either; hosts."""
    page = camera.page
    page.goto("/accounts/")
    camera.take("accounts", whole=True)
    page.goto("/accounts/?q=nobody")
    camera.take("accounts-none")
    page.goto("/accounts/?q=lotte")
    page.get_by_role("link", name="lotte").click()
    camera.take("account-of", whole=True)
    page.get_by_role("button", name="Close the account…").click()
    camera.take("account-close")
    page.goto("/accounts/?q=eve@home.example")
    page.get_by_role("link", name="eve").click()
    camera.take("account-closed")
    page.goto("/jobs/")
    camera.take("jobs", whole=True)
    page.goto("/jobs/?state=failed")
    camera.take("jobs-none")
    page.goto("/hosts/")
    camera.take("hosts", whole=True)
    page.get_by_label("Host", exact=True).fill("https://hooks.elsewhere.example")
    page.get_by_role("button", name="Allow").click()
    page.locator("[aria-invalid]").wait_for()
    camera.take("hosts-refused", whole=True)
