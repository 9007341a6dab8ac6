"""Addresses of the API; tests/frontend/api/who_may_call.py has a row for each."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from frontend.api import lead_urls, work_urls
from frontend.api.views import items, projects, reference


class AnythingConverter(StringConverter):
    """Path converter for the rest of an address, whatever is in it: that of Django takes no line breaks."""

    regex = r"[\s\S]+"


register_converter(AnythingConverter, "anything")
V1 = "api/v1"
urlpatterns = [
    path(f"{V1}/projects/", projects.ProjectsView.as_view(), name="api_projects"),
    path(f"{V1}/projects/<slug:slug>/", projects.ProjectView.as_view(), name="api_project"),
    path(f"{V1}/projects/<slug:slug>/items/", items.ItemsView.as_view(), name="api_items"),
    path(f"{V1}/projects/<slug:slug>/items/<int:item_id>/", items.ItemView.as_view(), name="api_item"),
    path("api/", reference.page, name="about_api"),
    path(f"{V1}/schema.json", reference.SchemaView.as_view(), name="api_schema"),
    *lead_urls.urlpatterns,
    *work_urls.urlpatterns,
    path("api/<anything:rest>", reference.MissingView.as_view(), name="api_missing"),
]
