"""URLs for admins of the site."""

from __future__ import annotations

from django.urls import path

from frontend.views.site import accounts, hosts, jobs

urlpatterns = [
    path("accounts/", accounts.index, name="accounts"),
    path("accounts/<slug:code>/", accounts.show, name="account_of"),
    path("accounts/<slug:code>/close/", accounts.close, name="close_account"),
    path("accounts/<slug:code>/open/", accounts.reopen, name="open_account"),
    path("accounts/<slug:code>/sign-out/", accounts.sign_out, name="sign_out_account"),
    path("hosts/", hosts.index, name="hosts"),
    path("hosts/<int:host>/remove/", hosts.remove, name="remove_host"),
    path("jobs/", jobs.index, name="jobs"),
    path("jobs/<int:job>/cancel/", jobs.cancel, name="cancel_job"),
]
