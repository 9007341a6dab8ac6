"""The Django app of the top layer: pages, htmx, settings, server."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """See the module."""

    name = "frontend"

    def ready(self) -> None:
        """Make the jobs of this layer known to the one that runs them."""
        from tasks.background import long_jobs

        long_jobs.KINDS["rehearsal"] = "frontend.rehearsal.job.rehearse"
        long_jobs.KINDS["decide_items"] = "frontend.leads.items.bulk_job.work"
